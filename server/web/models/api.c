/* api.c - models, their predictions and the table of scores for scripts. What is sealed is
 * refused here as it is on the pages. Rows in routes.c. */
#include "base/map.h"
#include "crypto/crypto.h"
#include "measures/scores/gap.h"
#include "measures/scores/score_csv.h"
#include "measures/scores/score_sheet.h"
#include "store/sets/images.h"
#include "store/sets/seals.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/parts/set_data.h"
#include "web/scoring/model_data.h"
#include "web/scoring/model_jobs.h"
#include "web/scoring/model_rows.h"
#include "web/scoring/model_table.h"

enum { LIMIT_DEFAULT = 100, LIMIT_MOST = 1000 };

/* ---- models ---- */

#define OF(member) RECORD_OF(struct model_facts, member)
static RECORD(model_facts_record, struct model_facts, "model_facts", "What people say a model is.",
              {"group", OF(group), .about = "Such as standard or more data; empty here and below: not said."},
              {"family", OF(family), .about = "Models that are variants of one another."},
              {"architecture", OF(architecture), .about = "Such as ResNet-50."},
              {"year", OF(year), .about = "When it was published; 0: not said."},
              {"training_data", OF(training_data), .about = "What it was trained on."},
              {"parameters", OF(parameters), .about = "How many weights it has; 0: not said."});
#undef OF

struct model_item {
    struct model_row m;
    const char *url, *hash;
    bool file;
    int64_t parameters;
    json_t *scores, *job;
    struct model_facts said;
};
#define OF(member) RECORD_OF(struct model_item, member)
static RECORD(model_record, struct model_item, "model", "A model and how it does.",
              {"name", OF(m.name), .about = "Its name."},
              {"url", OF(url), .about = "The address of its page."},
              {"kind", OF(m.kind), .about = "onnx, or import: its predictions alone are here."},
              {"file", OF(m.file), .maybe = true, .about = "Its file below models/; null: there is none."},
              {"bytes", OF(m.bytes), RECORD_IF(struct model_item, file), .about = "The file's size."},
              {"hash", OF(hash), .maybe = true, .about = "Its BLAKE2b-512, in hex."},
              {"parameters", OF(parameters), .maybe = true, .about = "How many parameters it has; null: not known."},
              {"note", OF(m.note), .about = "What was written about it."},
              {"said", RECORD_PART(struct model_item, said), .of = &model_facts_record, .about = "What people say it is."},
              {"removed", OF(m.removed), .about = "Whether it was removed; its predictions stay."},
              {"added_ms", OF(m.at), .about = "When it was added, in milliseconds since 1970."},
              {"scores", OF(scores), RECORD_LIST, .of = &model_on_record, .about = "How it does on every set on which it may be scored."},
              {"job", OF(job), .maybe = true, .of = &job_record, .about = "The job that runs it or waits to; null: none."});
#undef OF

static json_t *model_json(struct ctx *c, const struct model_row *m, const struct model_facts *said, const struct model_on *on,
                          size_t n, const struct model_jobs *jobs)
{
    char hash[2 * MODEL_HASH + 1];
    crypto_hex(m->hash, MODEL_HASH, hash);
    bool file = m->file.n > 0;
    const struct model_item item = {.m = *m,
                                    .url = arena_printf(c->arena, "/models/" SV_FMT, SV_ARG(m->name)),
                                    .hash = file ? hash : NULL,
                                    .file = file,
                                    .parameters = model_parameters(m),
                                    .scores = model_data_scores(c, on, n),
                                    .job = model_jobs_json(c, jobs, m->name),
                                    .said = *said};
    return record_json(&model_record, &item);
}

struct all_sets {
    struct model_set *sets;
    size_t n;
};

/* Every revision that models may be scored on, with its scores. */
static enum err_code scored_sets(struct ctx *c, struct all_sets *out)
{
    struct revision_row *list;
    size_t n;
    *out = (struct all_sets){.n = 0};
    if (revisions_list(c->db, 0, c->arena, &list, &n, &c->err) != OK) {
        return c->err.code;
    }
    out->sets = arena_calloc(c->arena, n + 1, sizeof *out->sets);
    for (size_t i = 0; i < n; i++) {
        if (set_scoreable(&list[i]) && model_set_of(c, &list[i], NULL, &out->sets[out->n++]) != OK) {
            return c->err.code;
        }
    }
    return OK;
}

static size_t on_of(const struct all_sets *all, int64_t model, struct model_on *on)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct model_score *s = set_score_of(all->sets[i].scores, all->sets[i].n, model);
        if (s && s->predicted) {
            on[n++] = (struct model_on){all->sets[i].r, *s, false};
        }
    }
    return n;
}

struct model_list {
    json_t *items;
    size_t total;
};
RECORD(models_record, struct model_list, "models", "All models.",
       {"items", RECORD_OF(struct model_list, items), RECORD_LIST, .of = &model_record, .about = "The models, by name."},
       {"total", RECORD_OF(struct model_list, total), .about = "How many there are."});

/* GET /api/v1/models */
enum err_code api_models(struct ctx *c)
{
    static const struct model_facts nothing;
    struct model_row *models;
    struct model_facts_row *facts;
    struct model_jobs jobs;
    struct all_sets all;
    size_t n, n_facts;
    if (models_list(c->db, false, c->arena, &models, &n, &c->err) != OK ||
        model_facts_list(c->db, c->arena, &facts, &n_facts, &c->err) != OK ||
        model_jobs_open(c, &jobs) != OK || scored_sets(c, &all) != OK) {
        return c->err.code;
    }
    struct model_on *on = arena_calloc(c->arena, all.n + 1, sizeof *on);
    json_t *items = json_array();
    for (size_t i = 0; i < n; i++) {
        size_t n_on = on_of(&all, models[i].id, on);
        const struct model_facts *said = model_facts_find(facts, n_facts, models[i].id);
        json_array_append_new(items, model_json(c, &models[i], said ? said : &nothing, on, n_on, &jobs));
    }
    return reply_json(c, 200, record_json(&models_record, &(const struct model_list){items, n}));
}

struct model_details {
    json_t *model, *sources, *features;
    const char *mixed;
    struct sv facts, recipe;
};
#define OF(member) RECORD_OF(struct model_details, member)
RECORD(model_details_record, struct model_details, "model_details", "Everything about a model.",
       {NULL, OF(model), RECORD_BESIDE, .of = &model_record},
       {"mixed", OF(mixed), .maybe = true, .about = "What is wrong with predictions that come from several sources; null: nothing."},
       {"sources", OF(sources), RECORD_LIST, .of = &prediction_source_record, .about = "Where its predictions come from."},
       {"features", OF(features), RECORD_LIST, .of = &features_record, .about = "Its files of feature vectors."},
       {"facts", OF(facts), RECORD_PARSED, .maybe = true, .about = "What its file says: parameters, operators, memory; null: it has none."},
       {"recipe", OF(recipe), RECORD_PARSED, .maybe = true, .about = "How images are prepared for it; null: not known."});
#undef OF

/* GET /api/v1/models/:model */
enum err_code api_model(struct ctx *c)
{
    struct model_row m;
    struct model_jobs jobs;
    struct model_facts said;
    struct model_on *on;
    size_t n;
    if (models_find(c->db, c->req->params[0], c->arena, &m, &c->err) != OK ||
        model_facts_of(c->db, m.id, c->arena, &said, &c->err) != OK || model_jobs_open(c, &jobs) != OK || model_data_on(c, &m, &on, &n) != OK) {
        return c->err.code;
    }
    json_t *sources = model_data_sources(c, &m);
    json_t *features = sources ? model_data_features(c, &m) : NULL;
    if (!features) {
        json_decref(sources);
        return c->err.code;
    }
    const struct model_details all = {model_json(c, &m, &said, on, n, &jobs), sources, features, model_data_mixed(c, sources),
                                      m.facts, m.recipe};
    return reply_json(c, 200, record_json(&model_details_record, &all));
}

/* ---- predictions ---- */

struct predicted {
    struct revision_row r;
    struct model_row model;
    struct cursor at;
    struct set_image *images;
    size_t n;
    bool more;
    uint32_t *open; /* those of the images that no sealed revision has */
    size_t n_open;
    int64_t *counts; /* by position: the source whose answer does; 0: none */
    size_t n_counts;
    struct prediction_found *found;
    size_t n_found;
    struct class_info *classes;
    size_t n_classes;
};

static enum err_code find_predicted(struct ctx *c, struct predicted *p)
{
    uint32_t *ids = arena_alloc(c->arena, (LIMIT_MOST + 1) * sizeof *ids);
    if (set_images_list(c->db, p->r.list, 0, p->at.from, p->at.limit + 1, c->arena, &p->images,
                        &p->n, &c->err) != OK ||
        classes_list(c->db, c->arena, &p->classes, &p->n_classes, &c->err) != OK ||
        model_scores_holders(app_model_scores(c->app), c->db, &p->r, p->model.id, c->arena,
                             &p->counts, &p->n_counts, &c->err) != OK) {
        return c->err.code;
    }
    p->more = p->n > p->at.limit;
    p->n -= p->more;
    for (size_t i = 0; i < p->n; i++) {
        ids[i] = (uint32_t)p->images[i].image;
    }
    p->open = ids;
    p->n_open = p->n;
    if (seals_leave_out(c->db, p->open, &p->n_open, &c->err) != OK) {
        return c->err.code;
    }
    return predictions_about(c->db, p->model.id, p->open, p->n_open, c->arena, &p->found, &p->n_found,
                             &c->err);
}

static json_t *labels_json(const struct predicted *p, const struct map_u64 *by_cid,
                           const struct prediction_found *f)
{
    json_t *labels = json_array();
    for (int i = 0; i < f->k; i++) {
        uint32_t at = map_u64_get(by_cid, f->p.labels[i]);
        json_array_append_new(labels,
                              at == MAP_NONE ? json_null() : data_text(p->classes[at].wnid));
    }
    return labels;
}

static json_t *scores_json(const struct prediction_found *f)
{
    json_t *scores = f->scored ? json_array() : json_null();
    for (int i = 0; i < f->k && f->scored; i++) {
        json_array_append_new(scores, json_real((double)f->p.scores[i]));
    }
    return scores;
}

/* What the source that counts says about an image of the set; NULL: none does. */
static const struct prediction_found *found_at(const struct predicted *p, const struct set_image *image)
{
    int64_t source = image->position >= 0 && (size_t)image->position < p->n_counts
                         ? p->counts[image->position]
                         : 0;
    for (size_t i = 0; i < p->n_found && source; i++) {
        if (p->found[i].source == source && p->found[i].p.image == image->image) {
            return &p->found[i];
        }
    }
    return NULL;
}

struct prediction_item {
    json_t *labels, *scores;
    int64_t position, source;
    struct sv name, label;
    bool sealed;
};
#define OF(member) RECORD_OF(struct prediction_item, member)
static RECORD(item_record, struct prediction_item, "prediction", "What a model says about an image of a revision.",
              {"position", OF(position), .about = "The image's place in the revision's order, from 0."},
              {"image", OF(name), .about = "Its name."},
              {"label", OF(label), .about = "The class that it has in the set."},
              {"labels", OF(labels), RECORD_TEXTS, .maybe = true, .holes = true,
               .about = "The classes that the model says, most probable first, null for one that is not in the project; null: no prediction."},
              {"scores", OF(scores), RECORD_NUMBERS, .maybe = true, .about = "Their probabilities; null: not known."},
              {"source", OF(source), .maybe = true, .about = "The source of the prediction that counts; null: none does."},
              {"sealed", OF(sealed), .about = "Whether a sealed revision has the image, so that nothing is said of it."});
#undef OF

/* Images without a prediction have null labels, and so have those of a sealed revision. */
static json_t *predictions_json(const struct predicted *p)
{
    struct map_u64 by_cid, open;
    json_t *items = json_array();
    map_u64_init(&by_cid);
    map_u64_init(&open);
    for (size_t i = 0; i < p->n_open; i++) {
        map_u64_put(&open, p->open[i], 0);
    }
    for (size_t i = 0; i < p->n_classes; i++) {
        map_u64_put(&by_cid, (uint64_t)p->classes[i].cid, (uint32_t)i);
    }
    for (size_t i = 0; i < p->n; i++) {
        const struct set_image *image = &p->images[i];
        const struct prediction_found *f = found_at(p, image);
        const struct prediction_item item = {.position = image->position,
                                             .name = image->name,
                                             .label = image->wnid,
                                             .labels = f ? labels_json(p, &by_cid, f) : NULL,
                                             .scores = f ? scores_json(f) : NULL,
                                             .source = f ? f->source : 0,
                                             .sealed = map_u64_get(&open, (uint64_t)image->image) == MAP_NONE};
        json_array_append_new(items, record_json(&item_record, &item));
    }
    map_u64_release(&open);
    map_u64_release(&by_cid);
    return items;
}

struct predictions {
    struct sv model;
    const char *set, *next_url;
    json_t *items;
    int64_t total, next;
};
#define OF(member) RECORD_OF(struct predictions, member)
RECORD(predictions_record, struct predictions, "predictions", "What a model says about part of a revision.",
       {"model", OF(model), .about = "The model's name."},
       {"set", OF(set), .about = "The revision, SET/NUMBER."},
       {"items", OF(items), RECORD_LIST, .of = &item_record, .about = "Its images, in its order."},
       {"total", OF(total), .about = "Images in the revision."},
       {"next", OF(next), .maybe = true, .about = "What `after` must be for the images that follow; null: these are the last."},
       {"next_url", OF(next_url), .maybe = true, .about = "Where the images that follow are; null: these are the last."});
#undef OF

/* GET /api/v1/models/:model/predictions?set=&after=&limit= */
enum err_code api_model_predictions(struct ctx *c)
{
    struct predicted p;
    if (models_find(c->db, c->req->params[0], c->arena, &p.model, &c->err) != OK ||
        cursor_read(c, "after", LIMIT_DEFAULT, LIMIT_MOST, &p.at) != OK ||
        set_to_score(c, request_query(c->req, "set"), &p.r) != OK ||
        find_predicted(c, &p) != OK) {
        return c->err.code;
    }
    struct predictions reply = {.model = p.model.name,
                                .set = set_title(c->arena, &p.r),
                                .items = predictions_json(&p),
                                .total = p.r.images};
    if (p.more) {
        reply.next = p.images[p.n - 1].position + 1;
        reply.next_url = arena_printf(c->arena, "/api/v1/models/" SV_FMT "/predictions?set=%s&after=%lld&limit=%zu",
                                      SV_ARG(p.model.name), reply.set, (long long)reply.next, p.at.limit);
    }
    return reply_json(c, 200, record_json(&predictions_record, &reply));
}

/* ---- the table of scores ---- */

static enum err_code read_table(struct ctx *c, struct model_table *t)
{
    struct model_query q;
    enum err_code rc = model_query_read(c, &q);
    return rc == OK ? model_table_make(c, &q, t) : rc;
}

static const char *side_name(struct ctx *c, const struct model_set *s)
{
    return s->r ? set_title(c->arena, s->r) : NULL;
}

struct scores {
    json_t *made_by, *gaps, *items;
    const char *original, *fresh;
    struct sv subset, new_subset, labels, new_labels;
    int top, new_top;
    size_t total;
    struct score_level level;
    struct score_summary summary;
};
#define OF(member) RECORD_OF(struct scores, member)
RECORD(scores_record, struct scores, "scores", "Models on the originals and on a new set.",
       {"made_by", OF(made_by), RECORD_LIST, .of = &made_by_record, .about = "Which predictions score each model."},
       {"gaps", OF(gaps), .maybe = true, .of = &gaps_record, .about = "How gaps and intervals were made; null: there is no pair of sets."},
       {"original", OF(original), .maybe = true, .about = "The originals, SET/NUMBER; null: there are none."},
       {"new", OF(fresh), .maybe = true, .about = "The new set, SET/NUMBER; null: there is none."},
       {"subset", OF(subset), .about = "Of the images of the originals, as in addresses; empty: all."},
       {"new_subset", OF(new_subset), .about = "Of those of the new set."},
       {"labels", OF(labels), .about = "By which label source and rule answers on the originals are right, SOURCE/NUMBER:RULE; empty: the set's own labels."},
       {"new_labels", OF(new_labels), .about = "The same of the new set."},
       {"top", OF(top), .about = "A prediction on the originals is right when the label is among its first so many."},
       {"new_top", OF(new_top), .about = "The same on the new set."},
       {"alpha", OF(level.alpha), .about = "One minus the level of all intervals."},
       {"summary", RECORD_PART(struct scores, summary), .of = &score_summary_record, .about = "What the items add up to."},
       {"items", OF(items), RECORD_LIST, .of = &score_gap_record, .about = "The models that have predicted all of both, by rank on the originals."},
       {"total", OF(total), .about = "How many these are."});
#undef OF

/* GET /api/v1/scores?original=&new=&top=&new_top=&subset=&new_subset=&labels=&new_labels=&level= */
enum err_code api_scores(struct ctx *c)
{
    struct model_table t;
    if (read_table(c, &t) != OK || model_table_gaps(c, &t, true) != OK) {
        return c->err.code;
    }
    json_t *items = json_array();
    for (size_t i = 0; i < t.n_ranked; i++) {
        const struct score_gap_row row = score_gap_row(&t.ranked[i], &t.gaps, i);
        json_array_append_new(items, record_json(&score_gap_record, &row));
    }
    const struct scores reply = {.made_by = model_rows_sources(c, &t),
                                 .gaps = t.has_gaps ? gap_data_about(&t.gaps) : NULL,
                                 .items = items,
                                 .original = side_name(c, &t.sets[SIDE_ORIGINAL]),
                                 .fresh = side_name(c, &t.sets[SIDE_NEW]),
                                 .subset = t.subset.name,
                                 .new_subset = t.fresh_subset.name,
                                 .labels = t.subset.labels.name,
                                 .new_labels = t.fresh_subset.labels.name,
                                 .top = t.query.top,
                                 .new_top = model_query_top(&t.query, SIDE_NEW),
                                 .total = t.n_ranked,
                                 .level = *model_query_level(&t.query),
                                 .summary = score_summarise(t.ranked, t.n_ranked)};
    return reply_json(c, 200, record_json(&scores_record, &reply));
}

/* A parameter that is 1 or not there. */
static enum err_code read_flag(struct ctx *c, const char *name, bool *out)
{
    struct sv value = request_query(c->req, name);
    *out = sv_is(value, "1");
    return value.n == 0 || *out ? OK
                                : err_rule(&c->err, ERR_INPUT, "scores-flag",
                                           "%s must be 1, or not be there. common=1: with the gap on common classes and intervals; "
                                           "summary=1: only the best, the median and the worst model.",
                                           name);
}

/* ?original=&new=&top=&new_top=&subset=&new_subset=&labels=&new_labels=&level=&common=&summary= */
static enum err_code reply_sheet(struct ctx *c, const struct score_format *format)
{
    struct model_table t;
    bool common, summary;
    if (read_flag(c, "common", &common) != OK || read_flag(c, "summary", &summary) != OK || read_table(c, &t) != OK ||
        (common && model_table_gaps(c, &t, true) != OK)) {
        return c->err.code;
    }
    const char *original = side_name(c, &t.sets[SIDE_ORIGINAL]), *fresh = side_name(c, &t.sets[SIDE_NEW]);
    const struct score_sheet sheet = {.original = original ? original : "no originals",
                                      .fresh = fresh ? fresh : "no new set",
                                      .right = score_right_words(t.query.top, t.query.new_top, c->arena),
                                      .part = subset_title(&t.subset, &t.fresh_subset, c->arena),
                                      .level = model_query_level(&t.query),
                                      .lines = t.ranked,
                                      .n = t.n_ranked,
                                      .gaps = t.has_gaps ? &t.gaps : NULL,
                                      .summary = summary};
    score_sheet_write(&sheet, format->as, &c->res->body);
    return reply_table_file(c, arena_printf(c->arena, "scores-top%d.%s", t.query.top, format->ending), format->content_type);
}

/* GET /api/v1/scores.csv, .markdown, .latex */
enum err_code api_scores_csv(struct ctx *c)
{
    return reply_sheet(c, &score_formats[0]);
}

enum err_code api_scores_markdown(struct ctx *c)
{
    return reply_sheet(c, &score_formats[1]);
}

enum err_code api_scores_latex(struct ctx *c)
{
    return reply_sheet(c, &score_formats[2]);
}
