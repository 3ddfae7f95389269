/* pairs.c - how models tell classes apart that people confuse: the page, its JSON and CSV, its chart. Rows in routes.c;
 * templates/measures/pairs. */
#include <math.h>

#include "figures/figures.h"
#include "json/object.h"
#include "measures/core/label_books.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/measures/answers.h"
#include "web/measures/charts.h"
#include "web/measures/parts.h"
#include "web/parts/set_data.h"

enum { PAIRS_SHOWN = 200 };
static const char path[] = "/measures/pairs", template[] = "measures/pairs", title[] = "Confusing pairs";
static const unsigned MAIN_KINDS = 1u << LABEL_KIND_OBJECTS | 1u << LABEL_KIND_MAIN;

struct query {
    struct answers_query of;
};
#define AT(member) .at = offsetof(struct query, member)
static const struct list_param params[] = {
    {"set", LIST_TEXT, AT(of.set)},       {"subset", LIST_TEXT, AT(of.subset)}, {"labels", LIST_TEXT, AT(of.labels)},
    {"models", LIST_TEXT, AT(of.models)}, {0},
};
static const struct list_table table = {params, sizeof(struct query), NULL, NULL};
static const struct query usual = {.of.top = 1};

struct shown {
    struct query q;
    struct answers of;    /* models that have predicted every image */
    struct subset by;     /* the subset, by the labels that say what people confuse */
    struct confusing_pairs found;
    bool no_labels;       /* there is no source with main labels */
};

/* Models count by what they say of all images, whatever the source counts. */
static enum err_code read_asked(struct ctx *c, struct shown *s)
{
    enum err_code rc = OK;
    struct answers_query of = s->q.of;
    if (s->q.of.labels.n == 0) {
        rc = answers_usual_labels(c, s->q.of.set, MAIN_KINDS, &s->q.of.labels);
        s->no_labels = s->q.of.labels.n == 0;
    }
    of.labels = SV("");
    rc = rc == OK ? answers_find(c, &of, &s->of) : rc;
    s->of.q.labels = s->q.of.labels;
    rc = rc == OK ? set_part_asked(c, s->q.of.subset, s->q.of.labels, &s->by) : rc;
    if (rc != OK || s->no_labels) {
        return rc;
    }
    const struct object_answers_ask ask = {.revision = &s->of.r, .subset = &s->by, .models = s->of.models, .n_models = s->of.n};
    return confusing_pairs_make(app_model_scores(c->app), c->db, &ask, c->arena, &s->found, &c->err);
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
    return data_number(c->arena, 100 * share, 1);
}

static json_t *interval_json(struct ctx *c, double v, double lo, double hi)
{
    return object(field_text("value", percent(c, v)),
                  field_text("note", isfinite(v) ? data_range(c->arena, 100 * lo, 100 * hi, 1) : ""));
}

/* Where models say the second of the images of the first. */
static const char *said_url(struct ctx *c, const struct shown *s, struct sv wnid, struct sv said)
{
    struct images_link l = {.of = s->of.q, .said = said};
    l.of.labels = SV("");
    l.of.wnid = wnid;
    return measures_images_url(c, &l);
}

static json_t *pairs_json(struct ctx *c, const struct shown *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->found.n && i < PAIRS_SHOWN; i++) {
        const struct confusing_pair *p = &s->found.pairs[i];
        const struct confused_row *w = &p->people;
        object_add(list, field_json("a", class_json(c, w->a)), field_json("b", class_json(c, w->b)),
                   field_text("confused", data_count(c->arena, w->a_as_b + w->b_as_a)), field_text("of", data_count(c->arena, w->n_a + w->n_b)),
                   field_text("share", percent(c, w->share)), field_text("images", data_count(c->arena, p->best.images)),
                   field_text("mean", percent(c, p->mean_accuracy)), field_text("pairwise", percent(c, p->mean_pairwise)),
                   field_text("best", p->best.images ? percent(c, (double)p->best.correct / p->best.images) : NULL), field_sv("best_model", p->best_model),
                   field_text("a_as_b_url", said_url(c, s, w->a, w->b)), field_text("b_as_a_url", said_url(c, s, w->b, w->a)));
    }
    return list;
}

static json_t *models_json(struct ctx *c, const struct shown *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->found.n_models; i++) {
        const struct confusing_model *m = &s->found.models[i];
        const struct pair_accuracy_row *r = &m->row;
        object_add(list, field_sv("name", r->model), field_text("url", arena_printf(c->arena, "/models/" SV_FMT, SV_ARG(r->model))),
                   field_json("top1", interval_json(c, m->top1, m->lo, m->hi)), field_json("accuracy", interval_json(c, r->accuracy, r->lo, r->hi)),
                   field_json("pairwise", interval_json(c, r->pairwise, r->pairwise_lo, r->pairwise_hi)),
                   field_text("in_pair", data_count(c->arena, r->counts.in_pair)), field_text("images", data_count(c->arena, r->counts.images)));
    }
    return list;
}

/* [{value, label, current}] of the sources with main labels. NULL with c->err set. */
static json_t *sources_json(struct ctx *c, const struct shown *s)
{
    struct label_version_row *list;
    size_t n = 0;
    if (label_source_newest(c->db, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *sources = json_array();
    for (size_t i = 0; i < n; i++) {
        if (MAIN_KINDS >> list[i].kind & 1) {
            object_add(sources, field_sv("value", list[i].name), field_sv("label", list[i].name),
                       field_bool("current", sv_eq(list[i].name, s->by.labels.version.name)));
        }
    }
    return sources;
}

static json_t *none_json(struct ctx *c, const struct shown *s)
{
    if (s->no_labels) {
        return measures_none_labels("No label source with main labels of these images",
                                    "The main labels that people choose show which classes they confuse. Ask people for them, or import them:");
    }
    return s->of.n == 0 ? measures_none_models(c, &s->of.r) : json_null();
}

/* GET /measures/pairs?set=&subset=&labels=&models= */
enum err_code page_measures_pairs(struct ctx *c)
{
    struct shown s;
    if (read_shown(c, &s) != OK) {
        return answers_none(c, &s.q.of, path, template, title);
    }
    const struct chart_ask ask = {.set = sv_of(set_title(c->arena, &s.of.r)), .subset = s.q.of.subset, .labels = s.q.of.labels, .models = s.q.of.models};
    json_t *none = none_json(c, &s), *chart = json_is_null(none) ? charts_data(c, "measures-pairs", &ask) : json_null();
    json_t *sources = chart ? sources_json(c, &s) : NULL;
    json_t *page = sources ? answers_form(c, &s.of, path, s.found.sealed, NULL) : NULL;
    if (!page) {
        json_decref(sources);
        json_decref(none);
        json_decref(chart);
        return c->err.code;
    }
    json_object_update_new(page, object(field_bool("asks_class", false), field_text("labels_called", "Confused by"), field_bool("any_labels", json_array_size(sources) > 0),
                                        field_json("labels", sources), field_bool("list", json_is_null(none)), field_json("no_pairs", none),
                                        field_json("chart", chart), field_json("pairs", pairs_json(c, &s)), field_json("rows", models_json(c, &s)),
                                        field_text("count", data_count(c->arena, (int64_t)s.found.n)), field_bool("one", s.found.n == 1),
                                        field_text("shown", s.found.n > PAIRS_SHOWN ? data_count(c->arena, PAIRS_SHOWN) : NULL),
                                        field_sv("by", s.by.labels.version.name), field_text("counted_by", data_count(c->arena, s.found.counted)),
                                        field_text("images", data_count(c->arena, s.found.images)),
                                        field_text("json_url", url_of(c, "/api/v1/measures/pairs", &s.q)),
                                        field_text("csv_url", url_of(c, "/api/v1/measures/pairs.csv", &s.q))));
    return reply_page(c, 200, template, title, page);
}

/* ---- for scripts ---- */

struct pairs_reply {
    const char *set;
    struct sv subset, labels;
    json_t *left_out;
    uint32_t images, counted, sealed;
    struct confusing_pair *pairs;
    size_t n_pairs;
    struct confusing_model *models;
    size_t n_models;
};
#define OF(member) RECORD_OF(struct confusing_pair, member)
static RECORD(pair_record, struct confusing_pair, "confusing_pair", "Two classes whose images people call by the other's name, and models on them.",
              {"class_a", OF(people.a), .about = "The class that comes first, a wnid."}, {"class_b", OF(people.b), .about = "The other."},
              {"n_a", OF(people.n_a), .about = "Images of class_a that the label source counts."},
              {"n_b", OF(people.n_b), .about = "The same of class_b."},
              {"a_labelled_b", OF(people.a_as_b), .about = "Images of class_a whose main label is class_b."},
              {"b_labelled_a", OF(people.b_as_a), .about = "Images of class_b whose main label is class_a."},
              {"share", OF(people.share), .about = "Both as a share of the images of both."},
              {"images", OF(best.images), .about = "Images of both classes in the subset; 0 without models."},
              {"mean_accuracy", OF(mean_accuracy), .maybe = true, .about = "The mean over models of how often they are right about these; null: no models."},
              {"mean_pairwise", OF(mean_pairwise), .maybe = true, .about = "The same of the answers that are either class; by chance 0.5."},
              {"best_model", OF(best_model), .about = "The model that is right most often; empty: no models."},
              {"best_correct", OF(best.correct), .about = "How often it is."});
#undef OF
#define OF(member) RECORD_OF(struct confusing_model, member)
static RECORD(model_record, struct confusing_model, "confusing_pairs_model", "A model on all confusing pairs together.",
              {"model", OF(row.model), .about = "The model."},
              {"top1", OF(top1), .about = "How often it is right on all images of the subset."},
              {"top1_lo", OF(lo), .about = "Lower bound, 95 %, by Clopper and Pearson."}, {"top1_hi", OF(hi), .about = "Upper bound."},
              {"images", OF(row.counts.images), .about = "Images of the pairs; one that is in two of them counts twice."},
              {"correct", OF(row.counts.correct), .about = "Answers about them that are the set's label."},
              {"predicted_in_pair", OF(row.counts.in_pair), .about = "Answers that are either class of the pair."},
              {"accuracy", OF(row.accuracy), .maybe = true, .about = "correct / images; null: no images."},
              {"accuracy_lo", OF(row.lo), .maybe = true, .about = "Lower bound."}, {"accuracy_hi", OF(row.hi), .maybe = true, .about = "Upper bound."},
              {"pairwise", OF(row.pairwise), .maybe = true, .about = "correct / predicted_in_pair; by chance 0.5."},
              {"pairwise_lo", OF(row.pairwise_lo), .maybe = true, .about = "Lower bound."},
              {"pairwise_hi", OF(row.pairwise_hi), .maybe = true, .about = "Upper bound."});
#undef OF
#define OF(member) RECORD_OF(struct pairs_reply, member)
RECORD(measures_pairs_record, struct pairs_reply, "confusing_pairs", "How models tell classes apart that people confuse.",
       {"set", OF(set), .about = "The revision, SET/NUMBER."},
       {"subset", OF(subset), .about = "Of its images, as in addresses; empty: all."},
       {"labels", OF(labels), .about = "By whose main labels classes are confused, SOURCE/NUMBER:RULE."},
       {"images", OF(images), .about = "Images of the subset, by which models are counted."},
       {"counted", OF(counted), .about = "Those of them by whose main labels pairs are found."},
       {"sealed", OF(sealed), .about = "Images that a sealed revision has, which are not counted."},
       {"left_out", OF(left_out), RECORD_TEXTS, .about = "Models that were asked for by name and have not predicted all images."},
       {"pairs", RECORD_ROWS(struct pairs_reply, pairs, n_pairs), .of = &pair_record,
        .about = "Pairs of which at least 3 images and a quarter of all are called by the other's name, most such images first."},
       {"models", RECORD_ROWS(struct pairs_reply, models, n_models), .of = &model_record, .about = "The most accurate on all images first."});
#undef OF

/* Without a source there is nothing to say for scripts. */
static enum err_code read_for_scripts(struct ctx *c, struct shown *s)
{
    enum err_code rc = read_shown(c, s);
    return rc == OK && s->no_labels
               ? err_rule(&c->err, ERR_NOT_FOUND, "label-source",
                          "There is no label source with main labels of images of this set. Import one with `holdout import labels`.")
               : rc;
}

/* GET /api/v1/measures/pairs */
enum err_code api_measures_pairs(struct ctx *c)
{
    struct shown s;
    if (read_for_scripts(c, &s) != OK) {
        return c->err.code;
    }
    const struct pairs_reply r = {.set = set_title(c->arena, &s.of.r),
                                  .subset = s.by.name,
                                  .labels = s.by.labels.name,
                                  .left_out = answers_left_out(&s.of),
                                  .images = s.found.images,
                                  .counted = s.found.counted,
                                  .sealed = s.found.sealed,
                                  .pairs = s.found.pairs,
                                  .n_pairs = s.found.n,
                                  .models = s.found.models,
                                  .n_models = s.found.n_models};
    return reply_json(c, 200, record_json(&measures_pairs_record, &r));
}

/* GET /api/v1/measures/pairs.csv */
enum err_code api_measures_pairs_csv(struct ctx *c)
{
    struct shown s;
    return read_for_scripts(c, &s) == OK ? reply_csv(c, "pairs.csv", &pair_accuracy_record, s.found.rows, s.found.n_rows) : c->err.code;
}

/* ---- the chart ---- */

enum err_code chart_measures_pairs(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct shown s = {.q = usual};
    s.q.of.set = ask->set;
    s.q.of.subset = ask->subset;
    s.q.of.labels = ask->labels;
    s.q.of.models = ask->models;
    if (read_asked(c, &s) != OK) {
        return c->err.code;
    }
    const struct figure_text text = {
        .title = arena_printf(c->arena, "Models on %zu pair%s of classes that people confuse, %s%s", s.found.n, s.found.n == 1 ? "" : "s",
                              set_title(c->arena, &s.of.r), s.of.part),
        .description = "A point for each model: how often it is right about images of the pairs, of all its answers and of those that are either "
                       "class, by how often it is right about all images.",
        .empty = s.no_labels        ? "There is no label source with main labels of these images."
                 : s.found.n == 0   ? "People confuse no pair of classes in these images."
                 : s.of.n == 0      ? "No model has predicted all images yet."
                                    : NULL};
    *out = figure_pairs(c->arena, &text, s.found.models, s.found.n_models);
    return OK;
}
