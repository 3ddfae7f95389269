/* valid.c - how many labels people find in images as often as the set's: the page, its JSON and CSV, its chart. Rows in
 * routes.c; templates/measures/valid. */
#include <math.h>

#include "json/object.h"
#include "measures/objects/valid_labels.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/core/view_choice.h"
#include "web/measures/answers.h"
#include "web/measures/charts.h"
#include "web/measures/parts.h"
#include "web/parts/set_data.h"

enum { SHOWN_MOST = 10 /* labels that a chart tells apart */ };
static const char path[] = "/measures/valid", template[] = "measures/valid", title[] = "Labels deemed valid";

struct query {
    struct answers_query of;
    struct sv view; /* empty: default */
    int absolute;
};
static const struct list_word ways[] = {{"label", "As often as the label", 0}, {"people", "By so many of the people", 1}, {0}};
#define AT(member) .at = offsetof(struct query, member)
static const struct list_param params[] = {
    {"set", LIST_TEXT, AT(of.set)},    {"subset", LIST_TEXT, AT(of.subset)}, {"labels", LIST_TEXT, AT(of.labels)},
    {"class", LIST_TEXT, AT(of.wnid)}, {"view", LIST_TEXT, AT(view)},        {"by", LIST_WORD, AT(absolute), .words = ways, .chips = "Valid are labels found"},
    {0},
};
static const struct list_table table = {params, sizeof(struct query), NULL, NULL};
static const struct query usual = {.of.top = 1};

struct shown {
    struct query q;
    struct answers of;
    struct sv view;
    struct valid_found found;
};

static enum err_code read_asked(struct ctx *c, struct shown *s)
{
    const struct counted_view *v;
    enum err_code rc = answers_voted(c, &s->q.of, s->q.view, &s->of, &s->view, &v);
    if (rc != OK) {
        return rc;
    }
    const struct valid_ask ask = {.revision = &s->of.r, .subset = &s->of.subset, .votes = &v->counts, .absolute = s->q.absolute};
    rc = valid_labels_make(app_model_scores(c->app), c->db, &ask, c->arena, &s->found, &c->err);
    view_choice_put(v);
    return rc;
}

static enum err_code read_shown(struct ctx *c, struct shown *s)
{
    *s = (struct shown){.q = usual};
    enum err_code rc = list_read(c, &table, &usual, &s->q);
    return rc == OK ? read_asked(c, s) : rc;
}

static const char *url_of(struct ctx *c, const char *to, const struct query *q)
{
    return list_url(c, &table, to, &usual, q, false);
}

/* ---- the page ---- */

static const char *percent(struct ctx *c, double share)
{
    return isnan(share) ? NULL : arena_printf(c->arena, "%.1f", 100 * share);
}

static json_t *none_json(const struct shown *s)
{
    return s->found.images ? json_null()
                           : measures_none_votes("How often a label is found comes from the answers of a campaign, or is imported:");
}

/* GET /measures/valid?set=&subset=&labels=&class=&view=&by= */
enum err_code page_measures_valid(struct ctx *c)
{
    struct shown s;
    if (read_shown(c, &s) != OK) {
        return answers_none(c, &s.q.of, path, template, title);
    }
    const struct chart_ask ask = {.set = sv_of(set_title(c->arena, &s.of.r)), .subset = s.q.of.subset, .labels = s.q.of.labels,
                                  .wnid = s.q.of.wnid, .view = s.q.view, .by = s.q.absolute ? SV("people") : SV("")};
    json_t *views = measures_views(c, s.view), *chart = views ? charts_data(c, "measures-valid", &ask) : NULL;
    json_t *page = chart ? answers_form(c, &s.of, path, s.found.sealed, NULL) : NULL;
    if (!page) {
        json_decref(views);
        json_decref(chart);
        return c->err.code;
    }
    json_t *rows = json_array(), *none = none_json(&s);
    for (size_t i = 0; i < s.found.n; i++) {
        const struct valid_row *r = &s.found.rows[i];
        object_add(rows, field_text("threshold", arena_printf(c->arena, "%.1f", r->threshold)), field_text("objects", r->subset),
                   field_text("labels", data_count(c->arena, r->labels)), field_text("images", data_count(c->arena, r->images)),
                   field_text("share", percent(c, r->share)), field_text("at_least", percent(c, r->at_least)));
    }
    json_object_update_new(page, object(field_bool("any_views", true), field_json("views", views), field_bool("asks_models", false),
                                        field_bool("list", json_is_null(none)), field_json("no_votes", none), field_json("chart", chart),
                                        field_json("chips", list_chips(c, &table, path, &s.q)), field_json("rows", rows), field_sv("view", s.view),
                                        field_text("count", data_count(c->arena, s.found.images)), field_text("several", data_count(c->arena, s.found.several)),
                                        field_text("unasked", s.found.unasked ? data_count(c->arena, s.found.unasked) : NULL),
                                        field_text("least", data_count(c->arena, CANDIDATE_LEAST)),
                                        field_text("json_url", url_of(c, "/api/v1/measures/valid", &s.q)),
                                        field_text("csv_url", url_of(c, "/api/v1/measures/valid.csv", &s.q))));
    return reply_page(c, 200, template, title, page);
}

/* ---- for scripts ---- */

struct valid_reply {
    const char *set, *by;
    struct sv subset, labels, view;
    uint32_t images, several, unasked, sealed;
    struct valid_row *rows;
    size_t n;
};
#define OF(member) RECORD_OF(struct valid_reply, member)
RECORD(measures_valid_record, struct valid_reply, "labels_deemed_valid", "Images of a set by how many labels people find as often as the set's.",
       {"set", OF(set), .about = "The revision, SET/NUMBER."},
       {"subset", OF(subset), .about = "Of its images, as in addresses; empty: all."},
       {"labels", OF(labels), .about = "The label source that says how many objects images have; empty: none, it is not known."},
       {"view", OF(view), .about = "The vote view whose answers count."},
       {"by", OF(by), .about = "label: thresholds are shares of the frequency of the set's label; people: of the people who were asked."},
       {"images", OF(images), .about = "Images about which people were asked."},
       {"several", OF(several), .about = "Those of them about which they were asked for several labels."},
       {"unasked", OF(unasked), .about = "Images about which nobody was asked, which are not counted."},
       {"sealed", OF(sealed), .about = "Images that a sealed revision has, which are not counted."},
       {"items", RECORD_ROWS(struct valid_reply, rows, n), .of = &valid_record, .about = "By threshold, objects and number of labels."});
#undef OF

/* GET /api/v1/measures/valid */
enum err_code api_measures_valid(struct ctx *c)
{
    struct shown s;
    if (read_shown(c, &s) != OK) {
        return c->err.code;
    }
    const struct valid_found *f = &s.found;
    const struct valid_reply r = {set_title(c->arena, &s.of.r), list_word_of(ways, s.q.absolute), s.of.subset.name, s.of.subset.labels.name,
                                  s.view, f->images, f->several, f->unasked, f->sealed, f->rows, f->n};
    return reply_json(c, 200, record_json(&measures_valid_record, &r));
}

/* GET /api/v1/measures/valid.csv */
enum err_code api_measures_valid_csv(struct ctx *c)
{
    struct shown s;
    enum err_code rc = read_shown(c, &s);
    return rc == OK ? reply_csv(c, "valid.csv", &valid_record, s.found.rows, s.found.n) : rc;
}

/* ---- the chart ---- */

enum err_code chart_measures_valid(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct shown s = {.q = usual};
    double v[VALID_THRESHOLDS][SHOWN_MOST] = {{0}};
    const char *names[SHOWN_MOST], *thresholds[VALID_THRESHOLDS];
    size_t most = 1, at = 0;
    s.q.of.set = ask->set;
    s.q.of.subset = ask->subset;
    s.q.of.labels = ask->labels;
    s.q.of.wnid = ask->wnid;
    s.q.view = ask->view;
    if (list_word_read(c, "by", ways, ask->by, &s.q.absolute) != OK || read_asked(c, &s) != OK) {
        return c->err.code;
    }
    for (size_t i = 0; i < s.found.n; i++) {
        const struct valid_row *r = &s.found.rows[i];
        at = (size_t)lround((r->threshold * CANDIDATE_SHARE - VALID_FIRST) / VALID_STEP);
        if (sv_is(SV("all"), r->subset) && r->labels && !isnan(r->share)) {
            size_t label = r->labels < SHOWN_MOST ? r->labels : SHOWN_MOST;
            v[at][label - 1] += r->share;
            most = label > most ? label : most;
        }
    }
    for (size_t i = 0; i < most; i++) {
        names[i] = arena_printf(c->arena, i + 1 == SHOWN_MOST ? "%zu and more" : "%zu", i + 1);
    }
    const struct chart_options o = {
        .title = arena_printf(c->arena, "Labels deemed valid, %s%s", set_title(c->arena, &s.of.r), s.of.part),
        .description = s.q.absolute ? "Images by how many labels so many of the people find in them, of those asked of at least 5."
                                    : "Images by how many labels people find at least so often as the set's, of those asked of at least 5.",
        .empty = s.found.images ? NULL : "Nobody was asked about these images.",
        .x = {.label = "Labels", .form = CHART_COUNT, .names = names, .n_names = most},
        .y = {.label = "Share of images", .form = CHART_PERCENT}};
    *out = chart_new(c->arena, &o);
    for (at = 0; at < VALID_THRESHOLDS && s.found.images; at++) {
        thresholds[at] = arena_printf(c->arena, "%.1f", (double)(VALID_FIRST + at * VALID_STEP) / CANDIDATE_SHARE);
        chart_bars(*out, thresholds[at], most, v[at]);
    }
    return OK;
}
