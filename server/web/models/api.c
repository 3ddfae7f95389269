/* api.c - models, their predictions and the table of scores for scripts. What is sealed is
 * refused here as it is on the pages. Rows in routes.c. */
#include "base/map.h"
#include "crypto/crypto.h"
#include "json/object.h"
#include "measures/gap.h"
#include "measures/score_csv.h"
#include "store/sets/images.h"
#include "store/sets/seals.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/parts/model_data.h"
#include "web/parts/model_jobs.h"
#include "web/parts/model_rows.h"
#include "web/parts/model_table.h"
#include "web/parts/set_data.h"

enum { LIMIT_DEFAULT = 100, LIMIT_MOST = 1000 };

/* ---- models ---- */

static json_t *parsed(struct sv text)
{
    json_t *v = text.n ? json_loadb(text.p, text.n, 0, NULL) : NULL;
    return v ? v : json_null();
}

static json_t *model_json(struct ctx *c, const struct model_row *m, const struct model_on *on,
                          size_t n, const struct model_jobs *jobs)
{
    char hash[2 * MODEL_HASH + 1];
    crypto_hex(m->hash, MODEL_HASH, hash);
    bool file = m->file.n > 0;
    int64_t parameters = model_parameters(m);
    return object(field_sv("name", m->name),
                  field_text("url", arena_printf(c->arena, "/models/" SV_FMT, SV_ARG(m->name))),
                  field_sv("kind", m->kind),
                  field_json("file", file ? data_text(m->file) : json_null()),
                  field_json("bytes", file ? json_integer(m->bytes) : json_null()),
                  field_text("hash", file ? hash : NULL),
                  field_json("parameters", parameters ? json_integer(parameters) : json_null()),
                  field_sv("note", m->note), field_bool("removed", m->removed),
                  field_int("added_ms", m->at), field_json("scores", model_data_scores(c, on, n)),
                  field_json("job", model_jobs_json(c, jobs, m->name)));
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
        if (set_scoreable(&list[i]) && model_set_of(c, &list[i], &out->sets[out->n++]) != OK) {
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

/* GET /api/v1/models */
enum err_code api_models(struct ctx *c)
{
    struct model_row *models;
    struct model_jobs jobs;
    struct all_sets all;
    size_t n;
    if (models_list(c->db, false, c->arena, &models, &n, &c->err) != OK ||
        model_jobs_open(c, &jobs) != OK || scored_sets(c, &all) != OK) {
        return c->err.code;
    }
    struct model_on *on = arena_calloc(c->arena, all.n + 1, sizeof *on);
    json_t *items = json_array();
    for (size_t i = 0; i < n; i++) {
        size_t n_on = on_of(&all, models[i].id, on);
        json_array_append_new(items, model_json(c, &models[i], on, n_on, &jobs));
    }
    return reply_json(c, 200, object(field_json("items", items), field_count("total", n)));
}

/* GET /api/v1/models/:model */
enum err_code api_model(struct ctx *c)
{
    struct model_row m;
    struct model_jobs jobs;
    struct model_on *on;
    size_t n;
    if (models_find(c->db, c->req->params[0], c->arena, &m, &c->err) != OK ||
        model_jobs_open(c, &jobs) != OK || model_data_on(c, &m, &on, &n) != OK) {
        return c->err.code;
    }
    json_t *sources = model_data_sources(c, &m);
    json_t *features = sources ? model_data_features(c, &m) : NULL;
    if (!features) {
        json_decref(sources);
        return c->err.code;
    }
    json_t *body = model_json(c, &m, on, n, &jobs);
    json_object_set_new(body, "mixed", model_data_mixed(c, sources));
    json_object_set_new(body, "sources", sources);
    json_object_set_new(body, "features", features);
    json_object_set_new(body, "facts", parsed(m.facts));
    json_object_set_new(body, "recipe", parsed(m.recipe));
    return reply_json(c, 200, body);
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
        object_add(items, field_int("position", image->position), field_sv("image", image->name),
                   field_sv("label", image->wnid),
                   field_json("labels", f ? labels_json(p, &by_cid, f) : json_null()),
                   field_json("scores", f ? scores_json(f) : json_null()),
                   field_json("source", f ? json_integer(f->source) : json_null()),
                   field_bool("sealed", map_u64_get(&open, (uint64_t)image->image) == MAP_NONE));
    }
    map_u64_release(&open);
    map_u64_release(&by_cid);
    return items;
}

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
    int64_t next = p.n ? p.images[p.n - 1].position + 1 : 0;
    const char *url = arena_printf(c->arena,
                                   "/api/v1/models/" SV_FMT "/predictions?set=%s&after=%lld"
                                   "&limit=%zu",
                                   SV_ARG(p.model.name), set_title(c->arena, &p.r), (long long)next,
                                   p.at.limit);
    return reply_json(
        c, 200,
        object(field_sv("model", p.model.name), field_text("set", set_title(c->arena, &p.r)),
               field_json("items", predictions_json(&p)), field_int("total", p.r.images),
               field_json("next", p.more ? json_integer(next) : json_null()),
               field_text("next_url", p.more ? url : NULL)));
}

/* ---- the table of scores ---- */

static enum err_code read_table(struct ctx *c, struct model_table *t)
{
    struct model_query q;
    enum err_code rc = model_query_read(c, &q);
    return rc == OK ? model_table_make(c, &q, t) : rc;
}

static json_t *side_json(struct ctx *c, const struct model_set *s)
{
    return s->r ? json_string(set_title(c->arena, s->r)) : json_null();
}

/* GET /api/v1/scores?original=&new=&top= */
enum err_code api_scores(struct ctx *c)
{
    struct model_table t;
    if (read_table(c, &t) != OK || model_table_gaps(c, &t, true) != OK) {
        return c->err.code;
    }
    json_t *items = json_array();
    for (size_t i = 0; i < t.n_ranked; i++) {
        json_t *line = record_json(&score_record, &t.ranked[i]);
        gap_data_add(line, &t.gaps, i);
        json_array_append_new(items, line);
    }
    return reply_json(c, 200,
                      object(field_json("made_by", model_rows_sources(c, &t)),
                             field_json("gaps", t.has_gaps ? gap_data_about(&t.gaps) : json_null()),
                             field_json("original", side_json(c, &t.sets[SIDE_ORIGINAL])),
                             field_json("new", side_json(c, &t.sets[SIDE_NEW])),
                             field_int("top", t.query.top), field_json("items", items),
                             field_count("total", t.n_ranked)));
}

/* Whether the columns of common classes and intervals are asked for. */
static enum err_code read_common(struct ctx *c, bool *out)
{
    struct sv common = request_query(c->req, "common");
    *out = sv_is(common, "1");
    return common.n == 0 || *out
               ? OK
               : err_rule(&c->err, ERR_INPUT, "scores-common",
                          "common must be 1: the table with the gap on common classes and "
                          "intervals. Leave it out for the table without.");
}

/* GET /api/v1/scores.csv?original=&new=&top=&common= */
enum err_code api_scores_csv(struct ctx *c)
{
    struct model_table t;
    bool common;
    if (read_common(c, &common) != OK || read_table(c, &t) != OK ||
        (common && model_table_gaps(c, &t, true) != OK)) {
        return c->err.code;
    }
    if (common) {
        score_csv_common(t.ranked, t.gaps.lines, &t.gaps.classes, GAP_RESAMPLES, GAP_SEED,
                         t.n_ranked, &c->res->body);
    } else {
        score_csv(t.ranked, t.n_ranked, &c->res->body);
    }
    response_header(
        c->res, "Content-Disposition",
        arena_printf(c->arena, "attachment; filename=\"scores-top%d.csv\"", t.query.top));
    response_header(c->res, "Cache-Control", "private, no-cache");
    c->res->status = 200;
    c->res->content_type = "text/csv; charset=utf-8";
    return str_check(&c->res->body, "the table", &c->err);
}
