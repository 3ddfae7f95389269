/* classes.c - how models do class by class on a pair of sets: the page, its JSON and CSV, its chart. Rows in routes.c;
 * templates/measures/classes. */
#include <math.h>

#include "base/sorted.h"
#include "json/object.h"
#include "measures/images/by_class_rows.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/measures/answers.h"
#include "web/measures/charts.h"
#include "web/measures/parts.h"
#include "web/scoring/model_rows.h"

enum { CLASSES_A_PAGE = 100 };
static const char path[] = "/measures/classes";

/* ---- what is asked for ---- */

enum class_sort { SORT_GAP, SORT_SHRUNK_GAP, SORT_Q, SORT_ORIGINAL, SORT_NEW, SORT_NAME, SORT_WNID };
struct query {
    struct measures_query m;
    double level;
    int show, sort;
    bool falling;
    int64_t page;
};

static const struct list_word shows[] = {{"all", "All classes", 0}, {"standing-out", "Standing out", 1}, {0}};
static const struct list_word sorts[] = {
    {"gap", "Gap", SORT_GAP},          {"shrunk", "Shrunk gap", SORT_SHRUNK_GAP}, {"q", "q", SORT_Q},
    {"original", "Originals", SORT_ORIGINAL}, {"new", "New set", SORT_NEW},       {"name", "Class", SORT_NAME},
    {"wnid", "wnid", SORT_WNID},       {0},
};

static bool falls(int sort)
{
    return sort == SORT_GAP || sort == SORT_SHRUNK_GAP;
}

#define AT(member) .at = offsetof(struct query, member)
static const struct list_param params[] = {
    MEASURES_PARAMS(struct query, m),
    {"chance", LIST_SHARE, AT(level)},
    {"show", LIST_WORD, AT(show), .words = shows, .chips = "Which classes"},
    {"sort", LIST_WORD, AT(sort), .words = sorts},
    {"order", LIST_ORDER, AT(falling)},
    {"page", LIST_NUMBER, AT(page), .least = 1, .most = INT32_MAX, .moment = true},
    {0},
};
static const struct list_table table = {params, sizeof(struct query), &params[9], falls};
static const struct query usual = {.m.top = 1, .level = 0.05, .sort = SORT_SHRUNK_GAP, .falling = true, .page = 1};

struct shown {
    struct query q;
    struct measures m;
    struct by_class_list list;
    const struct by_class_row **rows; /* in the order asked for */
    size_t n;
};

static double key_of(const struct by_class_row *r, int sort, size_t at)
{
    switch ((enum class_sort)sort) {
    case SORT_GAP: return r->gap;
    case SORT_SHRUNK_GAP: return r->shrunk_gap.value;
    case SORT_Q: return r->q;
    case SORT_ORIGINAL: return r->original.shrunk.value;
    case SORT_NEW: return r->fresh.shrunk.value;
    case SORT_NAME:
    case SORT_WNID: break;
    }
    return (double)at;
}

static int by_wnid(const void *a, const void *b)
{
    const struct by_class_row *const *x = a, *const *y = b;
    return sv_cmp((*x)->wnid, (*y)->wnid);
}

static int by_name(const void *a, const void *b)
{
    const struct by_class_row *const *x = a, *const *y = b;
    int order = sv_cmp((*x)->synset, (*y)->synset);
    return order ? order : by_wnid(a, b);
}

static void sort_rows(struct ctx *c, struct shown *s)
{
    const struct by_class_row **all = arena_calloc(c->arena, s->list.n_rows + 1, sizeof *all);
    struct sorted_key *keys = arena_calloc(c->arena, s->list.n_rows + 1, sizeof *keys);
    for (size_t i = 0; i < s->list.n_rows; i++) {
        if (!s->q.show || s->list.rows[i].stands_out) {
            all[s->n++] = &s->list.rows[i];
        }
    }
    if (s->n) {
        qsort(all, s->n, sizeof *all, s->q.sort == SORT_NAME ? by_name : by_wnid);
    }
    for (size_t i = 0; i < s->n; i++) {
        keys[i] = (struct sorted_key){key_of(all[i], s->q.sort, i), i};
    }
    sorted_keys(keys, s->n, s->q.falling);
    s->rows = arena_calloc(c->arena, s->n + 1, sizeof *s->rows);
    for (size_t i = 0; i < s->n; i++) {
        s->rows[i] = all[keys[i].at];
    }
}

static enum err_code make_list(struct ctx *c, const struct measures *m, double level, struct by_class_list *out)
{
    struct by_class found;
    const struct sv titles[BY_CLASS_SETS] = {measures_title(c, m, SIDE_ORIGINAL), measures_title(c, m, SIDE_NEW)};
    const struct by_class_ask ask = {.sets = {m->t.sets[SIDE_ORIGINAL].r, m->t.sets[SIDE_NEW].r}, .subset = &m->t.subset,
                                     .fresh_subset = &m->t.fresh_subset,
                                     .models = m->models, .n_models = m->n, .top = m->query.top, .level = level};
    enum err_code rc = by_class_make(app_model_scores(c->app), c->db, &ask, c->arena, &found, &c->err);
    if (rc == OK) {
        *out = by_class_rows(&found, titles, c->arena);
    }
    return rc;
}

static enum err_code read_shown(struct ctx *c, struct shown *s)
{
    *s = (struct shown){.n = 0};
    if (list_read(c, &table, &usual, &s->q) != OK || measures_make(c, &s->q.m, &s->m) != OK ||
        make_list(c, &s->m, s->q.level, &s->list) != OK) {
        return c->err.code;
    }
    sort_rows(c, s);
    return OK;
}

/* ---- the page ---- */

static const char *percent(struct ctx *c, double share)
{
    return arena_printf(c->arena, "%.1f", 100 * share);
}

/* {value "82.9", note "70.1–91.0, n 10"}; null without images. */
static json_t *share_json(struct ctx *c, const struct class_side_row *on, const struct proportion *p, bool count)
{
    const char *n = count ? arena_printf(c->arena, ", n %s", data_count(c->arena, on->n)) : "";
    return on->n == 0 ? json_null()
                      : object(field_text("value", percent(c, p->value)),
                               field_text("note", arena_printf(c->arena, "%s\xe2\x80\x93%s%s", percent(c, p->lo), percent(c, p->hi), n)));
}

static const char *points(struct ctx *c, double v)
{
    return data_minus(c->arena, arena_printf(c->arena, "%.1f", v));
}

static json_t *gap_json(struct ctx *c, const struct proportion *p)
{
    return isnan(p->value)
               ? json_null()
               : object(field_text("value", points(c, p->value)),
                        field_text("note", arena_printf(c->arena, "%s to %s", points(c, p->lo), points(c, p->hi))));
}

/* Its images on one set, the hardest first. */
static const char *images_url(struct ctx *c, const struct shown *s, enum model_side side, const struct by_class_row *r)
{
    struct sv set = measures_title(c, &s->m, side);
    const struct measures_query *q = &s->q.m;
    const struct images_link link = {.of = {.set = set, .top = q->top, .subset = q->subset, .models = q->models, .wnid = r->wnid,
                                            .labels = side == SIDE_NEW && q->new_labels.n ? q->new_labels : q->labels}};
    return set.n ? measures_images_url(c, &link) : NULL;
}

/* What is said of its images: of the new set's, where there is one. */
static const char *panel_url(struct ctx *c, const struct shown *s, const struct by_class_row *r)
{
    const struct sv fresh = measures_title(c, &s->m, SIDE_NEW), set = fresh.n ? fresh : measures_title(c, &s->m, SIDE_ORIGINAL);
    return arena_printf(c->arena, "/measures/classes/" SV_FMT "?set=" SV_FMT, SV_ARG(r->wnid), SV_ARG(set));
}

static json_t *row_json(struct ctx *c, const struct shown *s, const struct by_class_row *r)
{
    bool known = !isnan(r->gap);
    return object(field_text("name", data_class_name(c->arena, r->synset, r->wnid)), field_sv("wnid", r->wnid),
                  field_text("panel_url", panel_url(c, s, r)), field_text("original_url", images_url(c, s, SIDE_ORIGINAL, r)), field_text("fresh_url", images_url(c, s, SIDE_NEW, r)),
                  field_json("original", share_json(c, &r->original, &r->original.share, true)),
                  field_json("original_shrunk", share_json(c, &r->original, &r->original.shrunk, false)),
                  field_json("fresh", share_json(c, &r->fresh, &r->fresh.share, true)),
                  field_json("fresh_shrunk", share_json(c, &r->fresh, &r->fresh.shrunk, false)),
                  field_text("gap", known ? points(c, r->gap) : NULL), field_json("shrunk_gap", gap_json(c, &r->shrunk_gap)),
                  field_text("q", known ? arena_printf(c->arena, r->q < 0.001 ? "%.1e" : "%.3f", r->q) : NULL),
                  field_bool("stands_out", r->stands_out));
}

static void add_spread(struct ctx *c, json_t *tiles, const struct by_class_side_row *s)
{
    const char *note = isnan(s->strength) ? "classes differ no more than chance does"
                                          : arena_printf(c->arena, "the other classes are worth %.1f images to each", s->strength);
    if (!isnan(s->mean)) {
        data_tile(tiles, arena_printf(c->arena, "Mean class of " SV_FMT, SV_ARG(s->set)), percent(c, s->mean), note);
        data_tile_unit(tiles, json_string("%"));
    }
}

static json_t *tiles_json(struct ctx *c, const struct by_class_list *l)
{
    json_t *tiles = json_array();
    if (l->has_original) {
        add_spread(c, tiles, &l->original);
    }
    if (l->has_fresh) {
        add_spread(c, tiles, &l->fresh);
    }
    if (l->tested) {
        data_tile(tiles, "Mean gap of a class", points(c, l->mean_gap),
                  arena_printf(c->arena, "true gaps differ by %.1f points (standard deviation)", l->gap_deviation));
        data_tile_unit(tiles, json_string("points"));
        data_tile(tiles, "Classes that stand out", data_count(c->arena, (int64_t)l->discovered),
                  arena_printf(c->arena, "of %s, at most %g %% of them by chance", data_count(c->arena, (int64_t)l->tested),
                               100 * l->level));
    }
    return tiles;
}

static const char *url_of(struct ctx *c, const struct query *q, bool moment)
{
    return list_url(c, &table, path, &usual, q, moment);
}

static json_t *tops_json(struct ctx *c, const struct query *q)
{
    json_t *list = json_array();
    for (const struct list_word *w = measures_tops; w->word; w++) {
        struct query other = *q;
        other.m.top = w->value;
        object_add(list, field_text("label", w->label), field_text("url", url_of(c, &other, false)),
                   field_bool("current", q->m.top == w->value));
    }
    return list;
}

/* GET /measures/classes?original=&new=&top=&subset=&models=&chance=&show=&sort=&order=&page= */
enum err_code page_measures_classes(struct ctx *c)
{
    struct shown s;
    if (read_shown(c, &s) != OK) {
        return c->err.code;
    }
    const struct chart_ask ask = measures_chart_ask(&s.q.m);
    json_t *chart = charts_data(c, "measures-classes", &ask), *none = chart ? measures_none(c, &s.m) : NULL;
    if (!none) {
        json_decref(chart);
        return c->err.code;
    }
    const struct list_page part = list_page_of((int64_t)s.n, CLASSES_A_PAGE, s.q.page);
    json_t *rows = json_array();
    for (size_t i = part.skip; i < s.n && i < part.skip + part.most; i++) {
        json_array_append_new(rows, row_json(c, &s, s.rows[i]));
    }
    const char *base = url_of(c, &s.q, false);
    uint32_t sealed = s.list.original.sealed + s.list.fresh.sealed;
    json_t *page = object(
        field_json("sections", measures_tabs(c, &s.q.m, path)), field_json("form", measures_form(c, &s.m, path, tops_json(c, &s.q), NULL)),
        field_bool("any", s.m.n > 0), field_bool("pair", s.list.has_original && s.list.has_fresh),
        field_sv("old_set", s.list.original.set), field_sv("new_set", s.list.fresh.set),
        field_text("models", measures_models_words(c, &s.m)), field_text("left_out", measures_left_out(c, &s.m)),
        field_text("part", subset_title(&s.m.t.subset, &s.m.t.fresh_subset, c->arena)),
        field_text("sealed", sealed ? data_count(c->arena, sealed) : NULL), field_bool("exact", sv_is(s.list.test, "fisher")),
        field_json("tiles", tiles_json(c, &s.list)), field_json("chart", chart), field_json("none", none),
        field_json("chips", list_chips(c, &table, path, &s.q)), field_json("heads", list_heads(c, &table, path, &usual, &s.q)),
        field_json("rows", rows), field_json("pages", list_page_links(c, &part, base, "#classes")),
        field_text("pages_label", "Pages of classes"),
        field_text("json_url", list_url(c, &table, "/api/v1/measures/classes", &usual, &s.q, false)),
        field_text("csv_url", list_url(c, &table, "/api/v1/measures/classes.csv", &usual, &s.q, false)));
    return reply_page(c, 200, "measures/classes", "Measures by class", page);
}

/* ---- for scripts ---- */

struct classes_reply {
    struct sv subset, labels, new_labels;
    int top;
    json_t *models;
    struct by_class_list list;
};
#define OF(member) RECORD_OF(struct classes_reply, member)
RECORD(measures_classes_record, struct classes_reply, "measures_by_class", "How models do class by class on a pair of sets, shrunk, and which classes stand out.",
       {"subset", OF(subset), .about = "Of the images of both, as in addresses; empty: all."},
       {"labels", OF(labels), .about = "By which label source and rule answers on the originals are right, SOURCE/NUMBER:RULE; empty: the set's own labels."},
       {"new_labels", OF(new_labels), .about = "The same of the new set."},
       {"top", OF(top), .about = "A prediction is right when the label is among its first so many."},
       {"models", OF(models), RECORD_TEXTS, .about = "The models that the numbers are the mean of."},
       {"", RECORD_PART(struct classes_reply, list), .kind = RECORD_BESIDE, .of = &by_class_list_record});
#undef OF

/* The rows in the order asked for. */
static void take_order(struct ctx *c, struct shown *s)
{
    struct by_class_row *rows = arena_calloc(c->arena, s->n + 1, sizeof *rows);
    for (size_t i = 0; i < s->n; i++) {
        rows[i] = *s->rows[i];
    }
    s->list.rows = rows;
    s->list.n_rows = s->n;
}

/* GET /api/v1/measures/classes */
enum err_code api_measures_classes(struct ctx *c)
{
    struct shown s;
    if (read_shown(c, &s) != OK) {
        return c->err.code;
    }
    take_order(c, &s);
    const struct classes_reply r = {s.m.t.subset.name, s.m.t.subset.labels.name, s.m.t.fresh_subset.labels.name, s.q.m.top, measures_names(&s.m), s.list};
    return reply_json(c, 200, record_json(&measures_classes_record, &r));
}

/* GET /api/v1/measures/classes.csv */
enum err_code api_measures_classes_csv(struct ctx *c)
{
    struct shown s;
    if (read_shown(c, &s) != OK) {
        return c->err.code;
    }
    take_order(c, &s);
    return reply_csv(c, "classes.csv", &by_class_row_record, s.list.rows, s.list.n_rows);
}

/* ---- the chart ---- */

struct dots {
    double *x, *y;
    const char **names;
    size_t n;
};

static struct dots dots_of(struct ctx *c, const struct by_class_list *l, bool standing)
{
    struct dots d = {arena_calloc(c->arena, l->n_rows + 1, sizeof *d.x), arena_calloc(c->arena, l->n_rows + 1, sizeof *d.y),
                     arena_calloc(c->arena, l->n_rows + 1, sizeof *d.names), 0};
    for (size_t i = 0; i < l->n_rows; i++) {
        const struct by_class_row *r = &l->rows[i];
        if (!isnan(r->gap) && r->stands_out == standing) {
            d.x[d.n] = r->original.shrunk.value;
            d.y[d.n] = r->fresh.shrunk.value;
            d.names[d.n++] = data_class_name(c->arena, r->synset, r->wnid);
        }
    }
    return d;
}

/* One set alone: classes by their shrunk accuracy, with its interval. */
static void add_sorted(struct ctx *c, struct chart *chart, const struct by_class_list *l, bool original)
{
    size_t n = 0;
    struct sorted_key *keys = arena_calloc(c->arena, l->n_rows + 1, sizeof *keys);
    double *v = arena_calloc(c->arena, 4 * (l->n_rows + 1), sizeof *v), *lo = v + l->n_rows + 1, *hi = lo + l->n_rows + 1,
           *x = hi + l->n_rows + 1;
    const char **names = arena_calloc(c->arena, l->n_rows + 1, sizeof *names);
    for (size_t i = 0; i < l->n_rows; i++) {
        const struct class_side_row *on = original ? &l->rows[i].original : &l->rows[i].fresh;
        if (on->n) {
            keys[n++] = (struct sorted_key){on->shrunk.value, i};
        }
    }
    sorted_keys(keys, n, false);
    for (size_t i = 0; i < n; i++) {
        const struct by_class_row *r = &l->rows[keys[i].at];
        const struct proportion *p = original ? &r->original.shrunk : &r->fresh.shrunk;
        v[i] = p->value;
        lo[i] = p->lo;
        hi[i] = p->hi;
        x[i] = (double)i + 1;
        names[i] = data_class_name(c->arena, r->synset, r->wnid);
    }
    chart_points(chart, "Classes", n, x, v, names);
    chart_intervals(chart, n, lo, hi);
}

static void add_pair(struct ctx *c, struct chart *chart, const struct by_class_list *l)
{
    static const double ends[] = {0, 1};
    struct dots rest = dots_of(c, l, false), out = dots_of(c, l, true);
    chart_points(chart, "Other classes", rest.n, rest.x, rest.y, rest.names);
    chart_points(chart, "Standing out", out.n, out.x, out.y, out.names);
    chart_line(chart, "Equally accurate on both", 2, ends, ends);
}

enum err_code chart_measures_classes(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct measures_query q;
    struct measures m;
    struct by_class_list l;
    if (measures_query_of(c, ask, &q) != OK || measures_make(c, &q, &m) != OK || make_list(c, &m, usual.level, &l) != OK) {
        return c->err.code;
    }
    bool pair = l.has_original && l.has_fresh;
    struct sv one = l.has_fresh ? l.fresh.set : l.original.set;
    const struct chart_axis share = {.form = CHART_PERCENT, .lo = 0, .hi = 1};
    struct chart_options o = {
        .title = arena_printf(c->arena, "Top-%d accuracy by class", m.query.top),
        .description = arena_printf(c->arena, "%s. A point for each class, pulled towards what all classes have in common as far as its images cannot tell.%s",
                                    measures_models_words(c, &m), pair ? " On the line, models do as well on both." : " With 95 % intervals."),
        .empty = m.n ? NULL : "No model has predicted all images yet.",
        .x = share,
        .y = share,
        .height = 420};
    o.x.label = pair ? arena_printf(c->arena, "On " SV_FMT, SV_ARG(l.original.set)) : "Classes, hardest first";
    o.y.label = arena_printf(c->arena, "On " SV_FMT, SV_ARG(pair ? l.fresh.set : one));
    if (!pair) {
        o.x.form = CHART_COUNT;
        o.x.hi = 0;
    }
    *out = chart_new(c->arena, &o);
    if (m.n && pair) {
        add_pair(c, *out, &l);
    } else if (m.n) {
        add_sorted(c, *out, &l, !l.has_fresh);
    }
    return OK;
}
