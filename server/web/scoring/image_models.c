/* image_models.c - models on one image's page and in the head of a class's page. */
#include "web/scoring/image_models.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "json/object.h"
#include "stats/binomial.h"
#include "store/sets/images.h"
#include "store/sets/seals.h"
#include "web/core/page_data.h"
#include "web/parts/set_data.h"
#include "web/scoring/model_table.h"

enum { CLASSES_SHOWN = 8, ROWS_AT_ONCE = 12 };

/* ---- one image ---- */

/* Why nothing is shown; NULL when it is. A sealed revision that has the image hides it, whatever else does. Otherwise
 * originals are measured openly, and any other image is when a set that has it is. */
static enum err_code refusal(struct ctx *c, const struct image_row *image, const char **out,
                             const char **url)
{
    struct sv sealed;
    int64_t *ids;
    size_t n;
    bool shown = sv_is(image->role, "original");
    if (seals_of_image(c->db, image->id, c->arena, &sealed, &c->err) != OK ||
        set_images_revisions(c->db, image->id, c->arena, &ids, &n, &c->err) != OK) {
        return c->err.code;
    }
    *out = NULL;
    *url = NULL;
    if (sealed.n) {
        *url = arena_printf(c->arena, "/sets/" SV_FMT "#state-head", SV_ARG(sealed));
        *out = arena_printf(c->arena,
                            "What models say about this image is not shown, because " SV_FMT
                            ", which has it, is sealed. Freeze that revision when its images are settled. If a "
                            "later one has taken its place, unseal it and give that as the reason.",
                            SV_ARG(sealed));
        return OK;
    }
    for (size_t i = 0; i < n && !shown; i++) {
        struct revision_row r;
        if (revisions_get(c->db, ids[i], c->arena, &r, &c->err) != OK) {
            return c->err.code;
        }
        shown = set_scoreable(&r);
    }
    if (!shown) {
        *out = "What models say about this image is not shown, because it is not an original and no set that has it "
               "is frozen yet. Freeze the set when its images are settled.";
    }
    return OK;
}

struct names {
    struct class_info *classes;
    size_t n;
    struct map_u64 by_cid;
};

static json_t *said_json(struct ctx *c, const struct names *names, const struct prediction_found *f,
                         int64_t class_id)
{
    json_t *list = json_array();
    for (int i = 0; i < f->k; i++) {
        uint32_t at = map_u64_get(&names->by_cid, f->p.labels[i]);
        const struct class_info *k = at == MAP_NONE ? NULL : &names->classes[at];
        const char *p = f->scored ? arena_printf(c->arena, "%.3f", (double)f->p.scores[i]) : NULL;
        object_add(list,
                   field_text("synset",
                              k ? data_synset(c->arena, k->synset, ", ") : "not in this project"),
                   field_text("url", k ? arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(k->wnid))
                                       : NULL),
                   field_text("probability", p), field_bool("is_label", k && k->id == class_id));
    }
    for (int i = f->k; i < PREDICTION_K; i++) {
        object_add(list, field_text("synset", ""), field_null("url"), field_null("probability"),
                   field_bool("is_label", false));
    }
    return list;
}

/* Removed models are not. */
static bool is_listed(const struct model_row *models, size_t n, int64_t id)
{
    for (size_t i = 0; i < n; i++) {
        if (models[i].id == id) {
            return true;
        }
    }
    return false;
}

/* "file val.npy" or "run 12": what made the source's predictions. */
static const char *source_text(struct arena *a, const struct prediction_source *list, size_t n, int64_t id)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i].id == id && sv_is(list[i].kind, "import")) {
            return arena_printf(a, "file " SV_FMT, SV_ARG(list[i].engine));
        }
    }
    return arena_printf(a, "run %lld", (long long)id);
}

/* A row for each source; by name of the model, as models_list has them. */
static json_t *rows_json(struct ctx *c, const struct names *names, const struct model_row *models,
                         size_t n_models, const struct prediction_source *sources, size_t n_sources,
                         const struct prediction_found *found, size_t n, int64_t class_id)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < n_models; i++) {
        for (size_t j = 0; j < n; j++) {
            if (found[j].model == models[i].id) {
                object_add(rows, field_sv("name", models[i].name),
                           field_text("url", arena_printf(c->arena, "/models/" SV_FMT,
                                                          SV_ARG(models[i].name))),
                           field_text("source",
                                      source_text(c->arena, sources, n_sources, found[j].source)),
                           field_json("said", said_json(c, names, &found[j], class_id)));
            }
        }
    }
    return rows;
}

/* A class that models name, how often. */
struct named {
    const struct class_info *k;
    unsigned first, among;
};

static int by_first(const void *pa, const void *pb)
{
    const struct named *a = pa, *b = pb;
    return a->first != b->first   ? (a->first < b->first) - (a->first > b->first)
           : a->among != b->among ? (a->among < b->among) - (a->among > b->among)
                                  : (a->k->cid > b->k->cid) - (a->k->cid < b->k->cid);
}

static json_t *classes_json(struct ctx *c, const struct names *names, const struct model_row *models,
                            size_t n_models, const struct prediction_found *found, size_t n,
                            int64_t class_id)
{
    struct named *list = arena_calloc(c->arena, names->n + 1, sizeof *list);
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        bool newest = i + 1 == n || found[i + 1].model != found[i].model; /* a model counts once */
        bool listed = newest && is_listed(models, n_models, found[i].model);
        for (int place = 0; listed && place < found[i].k; place++) {
            uint32_t at = map_u64_get(&names->by_cid, found[i].p.labels[place]);
            if (at != MAP_NONE) {
                list[at].first += place == 0;
                list[at].among++;
            }
        }
    }
    for (size_t i = 0; i < names->n; i++) {
        list[i].k = &names->classes[i];
    }
    if (names->n) {
        qsort(list, names->n, sizeof *list, by_first);
    }
    for (size_t i = 0; i < names->n && i < CLASSES_SHOWN && list[i].among; i++) {
        object_add(
            rows, field_text("synset", data_synset(c->arena, list[i].k->synset, ", ")),
            field_text("url", arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(list[i].k->wnid))),
            field_int("first", list[i].first), field_int("among", list[i].among),
            field_bool("is_label", list[i].k->id == class_id));
    }
    return rows;
}

static json_t *shown_json(struct ctx *c, const struct image_row *image)
{
    struct names names;
    struct prediction_found *found;
    struct prediction_source *sources;
    struct model_row *models;
    size_t n, n_models, n_sources;
    uint32_t id = (uint32_t)image->id;
    if (predictions_about(c->db, 0, &id, 1, c->arena, &found, &n, &c->err) != OK ||
        predictions_sources(c->db, 0, c->arena, &sources, &n_sources, &c->err) != OK ||
        models_list(c->db, false, c->arena, &models, &n_models, &c->err) != OK ||
        classes_list(c->db, c->arena, &names.classes, &names.n, &c->err) != OK) {
        return NULL;
    }
    map_u64_init(&names.by_cid);
    for (size_t i = 0; i < names.n; i++) {
        map_u64_put(&names.by_cid, (uint64_t)names.classes[i].cid, (uint32_t)i);
    }
    json_t *rows = rows_json(c, &names, models, n_models, sources, n_sources, found, n, image->class_id);
    json_t *classes = classes_json(c, &names, models, n_models, found, n, image->class_id);
    map_u64_release(&names.by_cid);
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        bool newest = i + 1 == n || found[i + 1].model != found[i].model;
        count += newest && is_listed(models, n_models, found[i].model);
    }
    return object(field_null("sealed"), field_null("sealed_url"), field_bool("any", count > 0),
                  field_bool("many", count > ROWS_AT_ONCE), field_count("count", count),
                  field_json("classes", classes), field_json("rows", rows));
}

json_t *image_models_json(struct ctx *c, const struct image_row *image)
{
    const char *why = NULL, *url = NULL;
    if (refusal(c, image, &why, &url) != OK) {
        return NULL;
    }
    return why ? object(field_text("sealed", why), field_text("sealed_url", url),
                        field_bool("any", false), field_bool("many", false), field_int("count", 0),
                        field_json("classes", json_array()), field_json("rows", json_array()))
               : shown_json(c, image);
}

/* ---- one class ---- */

struct on_class {
    const struct model_row *model;
    struct model_score score;
};

static int by_share(const void *pa, const void *pb)
{
    const struct on_class *a = pa, *b = pb;
    uint64_t x = (uint64_t)a->score.top1 * b->score.predicted;
    uint64_t y = (uint64_t)b->score.top1 * a->score.predicted;
    return x != y ? (x > y) - (x < y) : sv_cmp(a->model->name, b->model->name);
}

/* What each model does on the class, the worst first. */
static enum err_code collect(struct ctx *c, const struct model_table *t, const struct model_set *set,
                             int64_t class_id, struct on_class *out, size_t *n)
{
    struct model_score *scores;
    size_t n_scores;
    *n = 0;
    if (model_scores_on_class(app_model_scores(c->app), c->db, set->r, class_id, c->arena, &scores,
                              &n_scores, &c->err) != OK) {
        return c->err.code;
    }
    for (size_t i = 0; i < t->n_models; i++) {
        const struct model_score *s = set_score_of(scores, n_scores, t->models[i].id);
        if (s && s->predicted) {
            out[(*n)++] = (struct on_class){&t->models[i], *s};
        }
    }
    if (*n) {
        qsort(out, *n, sizeof *out, by_share);
    }
    return OK;
}

static const char *share_text(struct arena *a, const struct on_class *m)
{
    return arena_printf(a, "%.1f by " SV_FMT, 100.0 * m->score.top1 / m->score.predicted,
                        SV_ARG(m->model->name));
}

static json_t *class_row(struct ctx *c, const struct model_set *set, const struct on_class *list, size_t n)
{
    struct arena *a = c->arena;
    const struct model_score *median = &list[(n - 1) / 2].score;
    json_t *row = set_data_cell(a, median->top1, median->predicted, median->images);
    json_object_set_new(row, "set", json_string(set_title(a, set->r)));
    json_object_set_new(row, "url", json_string(set_url(a, set->r)));
    json_object_set_new(row, "models", json_string(data_count(a, (int64_t)n)));
    json_object_set_new(row, "range",
                        json_string(n == 1 ? share_text(a, &list[0])
                                           : arena_printf(a, "%s to %s", share_text(a, &list[0]),
                                                          share_text(a, &list[n - 1]))));
    return row;
}

json_t *class_models_json(struct ctx *c, const struct class_info *k)
{
    const struct model_query q = {.top = 1, .sort = MODEL_RANK};
    struct model_table t;
    if (model_table_make(c, &q, &t) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    struct on_class *list = arena_calloc(c->arena, t.n_models + 1, sizeof *list);
    for (int side = 0; side < SIDES; side++) {
        size_t n = 0;
        if (t.sets[side].n && collect(c, &t, &t.sets[side], k->id, list, &n) != OK) {
            json_decref(rows);
            return NULL;
        }
        if (n) {
            json_array_append_new(rows, class_row(c, &t.sets[side], list, n));
        }
    }
    return rows;
}
