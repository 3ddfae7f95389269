/* agreement.c - how far the reviewers of a label review agree: the page, its chart, JSON and CSV. Leads alone see it. Rows in
 * routes.c; templates/experts/agreement. */
#include <math.h>

#include "experts/review_agreement.h"
#include "json/object.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/experts/charts.h"
#include "web/experts/review.h"

enum { CLASSES_SHOWN = 100, CHART_PEOPLE = 8 /* as many as there are colours */ };

/* What an address asks for. */
struct query {
    int about;
};
static const struct list_word abouts[] = {
    {"hidden", "On which no suggestion is shown", AGREEMENT_UNPROMPTED},
    {"all", "All", AGREEMENT_ALL},
    {0},
};
static const struct list_param params[] = {
    {"suggestions", LIST_WORD, .at = offsetof(struct query, about), .words = abouts, .chips = "Images"},
    {0},
};
static const struct list_table table = {params, sizeof(struct query), NULL, NULL};
static const struct query usual = {AGREEMENT_UNPROMPTED};

static enum err_code read_agreement(struct ctx *c, struct query *q, struct review_agreement *out)
{
    struct label_review_row r;
    enum err_code rc = list_read(c, &table, &usual, q);
    rc = rc == OK ? label_reviews_find(c->db, c->req->params[0], c->arena, &r, &c->err) : rc;
    return rc == OK ? review_agreement_read(c->db, &r, (enum agreement_about)q->about, c->arena, out, &c->err) : rc;
}

/* ---- the page ---- */

static const char *range(struct ctx *c, double lo, double hi)
{
    return isnan(lo) ? NULL : arena_printf(c->arena, "%s to %s", data_number(c->arena, lo, 2), data_number(c->arena, hi, 2));
}

static const char *percent_range(struct ctx *c, double lo, double hi)
{
    return isnan(lo) ? NULL : arena_printf(c->arena, "%s to %s", data_number(c->arena, lo, 1), data_number(c->arena, hi, 1));
}

static json_t *figures_json(struct ctx *c, const struct review_agreement *g)
{
    json_t *list = json_array();
    for (size_t i = 0; i < g->n_figures; i++) {
        const struct agreement_figure *f = &g->figures[i];
        bool fleiss = *f->figure == 'f', problem = *f->of == 'p';
        object_add(list, field_text("of", problem ? "Problematic or not" : "Verdicts"),
                   field_text("figure", fleiss ? "Fleiss\xe2\x80\x99 kappa" : "Krippendorff\xe2\x80\x99s alpha"),
                   field_text("items", data_count(c->arena, f->items)), field_bool("images", problem), field_int("people", f->people),
                   field_text("value", data_number(c->arena, f->value, 2)), field_text("note", range(c, f->lo, f->hi)));
    }
    return list;
}

static json_t *pairs_json(struct ctx *c, const struct review_agreement *g)
{
    json_t *list = json_array();
    for (size_t i = 0; i < g->n_pairs; i++) {
        const struct agreement_pair *p = &g->pairs[i];
        object_add(list, field_sv("first", p->first), field_sv("second", p->second), field_text("labels", data_count(c->arena, p->labels)),
                   field_text("share", data_number(c->arena, p->share, 1)), field_text("value", data_number(c->arena, p->kappa, 2)),
                   field_text("note", range(c, p->lo, p->hi)));
    }
    return list;
}

static json_t *classes_json(struct ctx *c, const struct review_agreement *g)
{
    json_t *list = json_array();
    for (size_t i = 0; i < g->n_classes && i < CLASSES_SHOWN; i++) {
        const struct agreement_class *k = &g->classes[i];
        object_add(list, field_text("name", data_class_name(c->arena, k->synset, k->wnid)), field_sv("wnid", k->wnid),
                   field_text("labels", data_count(c->arena, k->labels)), field_text("share", data_number(c->arena, k->share, 1)),
                   field_text("value", data_number(c->arena, k->shrunk, 1)), field_text("note", percent_range(c, k->lo, k->hi)),
                   field_text("alpha", data_number(c->arena, k->alpha, 2)));
    }
    return list;
}

/* Each person over all they reviewed. */
static json_t *people_json(struct ctx *c, const struct review_agreement *g)
{
    json_t *list = json_array();
    for (size_t i = 0; i < g->n_times; i++) {
        const struct agreement_time *t = &g->times[i];
        if (t->part == 0) {
            object_add(list, field_sv("person", t->person), field_text("images", data_count(c->arena, t->images)),
                       field_text("pairs", data_count(c->arena, t->pairs)), field_text("value", data_number(c->arena, t->share, 1)),
                       field_text("note", percent_range(c, t->lo, t->hi)));
        }
    }
    return list;
}

static json_t *repeats_json(struct ctx *c, const struct review_agreement *g)
{
    json_t *list = json_array();
    for (size_t i = 0; i < g->n_repeats; i++) {
        const struct agreement_repeat *r = &g->repeats[i];
        object_add(list, field_sv("person", r->person), field_text("images", data_count(c->arena, r->images)),
                   field_text("labels", data_count(c->arena, r->labels)), field_text("value", data_number(c->arena, r->share, 1)),
                   field_text("note", percent_range(c, r->lo, r->hi)), field_text("kappa", data_number(c->arena, r->kappa, 2)));
    }
    return list;
}

static json_t *files_json(struct ctx *c, const struct review_agreement *g)
{
    json_t *list = json_array();
    for (size_t i = 0; i < AGREEMENT_LISTS; i++) {
        object_add(list, field_text("name", agreement_lists[i].about),
                   field_text("url", arena_printf(c->arena, "/api/v1/label-reviews/" SV_FMT "/agreement.csv?rows=%s&suggestions=%s",
                                                  SV_ARG(g->row.name), agreement_lists[i].word, g->suggestions)));
    }
    return list;
}

/* GET /labels/:list/agreement?suggestions= */
enum err_code page_label_agreement(struct ctx *c)
{
    struct query q;
    struct review_agreement g;
    if (read_agreement(c, &q, &g) != OK) {
        return c->err.code;
    }
    const char *self = arena_printf(c->arena, "%s/agreement", review_url(c, g.row.name));
    const struct chart_ask ask = {.review = g.row.name, .suggestions = sv_of(g.suggestions)};
    json_t *chart = g.n_times ? charts_data(c, "review-agreement", &ask) : json_null();
    if (!chart) {
        return c->err.code;
    }
    return reply_page(c, 200, "experts/agreement", arena_printf(c->arena, "Agreement: " SV_FMT, SV_ARG(g.row.name)),
                      object(field_sv("name", g.row.name), field_sv("set", g.row.set), field_text("url", review_url(c, g.row.name)),
                             field_sv("suggested", g.row.suggested),
                             field_json("chips", g.row.suggests ? list_chips(c, &table, self, &q) : json_null()),
                             field_text("left_out", g.left_out ? data_count(c->arena, g.left_out) : NULL),
                             field_text("people", data_count(c->arena, g.people)), field_text("looks", data_count(c->arena, g.looks)),
                             field_text("labels", data_count(c->arena, g.labels)), field_text("images", data_count(c->arena, g.images)),
                             field_bool("any", g.labels > 0), field_json("figures", figures_json(c, &g)), field_json("pairs", pairs_json(c, &g)),
                             field_json("chart", chart), field_json("reviewers", people_json(c, &g)),
                             field_json("classes", classes_json(c, &g)), field_bool("any_classes", g.n_classes > 0),
                             field_text("more", g.n_classes > CLASSES_SHOWN ? arena_printf(c->arena, "The %d classes with least agreement of %s.", CLASSES_SHOWN,
                                                                                          data_count(c->arena, (int64_t)g.n_classes))
                                                                            : NULL),
                             field_json("repeats", repeats_json(c, &g)), field_bool("any_repeats", g.n_repeats > 0),
                             field_text("draws", data_count(c->arena, g.draws)), field_int("seed", g.seed), field_json("files", files_json(c, &g)),
                             field_text("json_url", list_url(c, &table, arena_printf(c->arena, "/api/v1/label-reviews/" SV_FMT "/agreement", SV_ARG(g.row.name)),
                                                             &usual, &q, true))));
}

/* ---- for scripts ---- */

/* GET /api/v1/label-reviews/:list/agreement?suggestions= */
enum err_code api_label_agreement(struct ctx *c)
{
    struct query q;
    struct review_agreement g;
    enum err_code rc = read_agreement(c, &q, &g);
    return rc == OK ? reply_json(c, 200, record_json(&review_agreement_record, &g)) : rc;
}

/* GET /api/v1/label-reviews/:list/agreement.csv?rows=&suggestions= */
enum err_code api_label_agreement_csv(struct ctx *c)
{
    struct query q;
    struct review_agreement g;
    const struct agreement_list *list;
    size_t n;
    enum err_code rc = agreement_list_find(request_query(c->req, "rows"), &list, &c->err);
    rc = rc == OK ? read_agreement(c, &q, &g) : rc;
    if (rc != OK) {
        return rc;
    }
    const void *rows = agreement_list_rows(&g, list, &n);
    return reply_csv(c, arena_printf(c->arena, SV_FMT "-agreement-%s.csv", SV_ARG(g.row.name), list->word), list->record, rows, n);
}

/* ---- over time ---- */

/* Of one person, whose rows these are: the parts, each at the last of its images. */
static void draw_person(struct chart *chart, struct arena *a, const struct agreement_time *t, size_t n)
{
    double *x = arena_alloc(a, (n + 1) * sizeof *x), *y = arena_alloc(a, (n + 1) * sizeof *y);
    double *lo = arena_alloc(a, (n + 1) * sizeof *lo), *hi = arena_alloc(a, (n + 1) * sizeof *hi);
    double images = 0;
    for (size_t i = 0; i < n; i++) {
        images += (double)t[i].images;
        x[i] = images;
        y[i] = t[i].share / 100;
        lo[i] = t[i].lo / 100;
        hi[i] = t[i].hi / 100;
    }
    const char *name = arena_cstr(a, t[0].person);
    chart_line(chart, name, n, x, y);
    chart_points(chart, name, n, x, y, NULL);
    chart_intervals(chart, n, lo, hi);
}

enum err_code chart_review_agreement(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct label_review_row r;
    struct review_agreement g;
    enum agreement_about about;
    size_t people = 0;
    enum err_code rc = agreement_about_find(ask->suggestions, &about, &c->err);
    rc = rc == OK ? label_reviews_find(c->db, ask->review, c->arena, &r, &c->err) : rc;
    rc = rc == OK ? review_agreement_times(c->db, &r, about, c->arena, &g, &c->err) : rc;
    if (rc != OK) {
        return rc;
    }
    const struct chart_options o = {
        .title = "Agreement over time",
        .description = "Each reviewer\xe2\x80\x99s first verdicts that are the same as another reviewer\xe2\x80\x99s of the same label, in up to ten equal parts "
                       "of what they reviewed; 95 %, with images as clusters.",
        .empty = "Nobody has judged what somebody else has judged, too.",
        .x = {.label = "Images that they had reviewed", .form = CHART_COUNT},
        .y = {.label = "Same as others", .form = CHART_PERCENT, .lo = 0, .hi = 1},
    };
    *out = chart_new(c->arena, &o);
    for (size_t i = 0, n = 0; i < g.n_times && people < CHART_PEOPLE; i += 1 + n, people++) {
        n = (size_t)g.times[i].parts; /* they follow the row over all */
        draw_person(*out, c->arena, &g.times[i + 1], n);
    }
    return OK;
}
