/* potential.c - who names which labels, put together. */
#include "sets/labels/potential.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/sorted.h"
#include "base/xalloc.h"
#include "domain/grids/plan.h"
#include "json/object.h"
#include "measures/scores/proposals.h"
#include "sets/labels/digest.h"
#include "store/classes/classes.h"
#include "store/images/facts.h"
#include "store/sets/seals.h"
#include "store/work/flags.h"

/* ---- which images ---- */

struct choosing {
    struct potential_image *images;
    size_t n, cap;
    bool *hidden; /* by image id */
    size_t n_ids;
};

static enum err_code hide(void *arg, int64_t image, struct err *err)
{
    struct choosing *c = arg;
    (void)err;
    if ((size_t)image < c->n_ids) {
        c->hidden[image] = true;
    }
    return OK;
}

static enum err_code choose(void *arg, const struct image_facts_row *r, struct err *err)
{
    struct choosing *c = arg;
    (void)err;
    if (sv_is(r->role, "candidate") && (size_t)r->id < c->n_ids && !c->hidden[r->id]) {
        xgrow(&c->images, &c->cap, c->n + 1, sizeof *c->images);
        c->images[c->n++] = (struct potential_image){(uint32_t)r->id, (uint32_t)r->class_id};
    }
    return OK;
}

static enum err_code read_candidates(struct db *db, int64_t flags_to_quarantine, struct arena *a, struct potential_image **out,
                                     size_t *n, struct err *err)
{
    struct choosing c = {0};
    int64_t newest = 0;
    enum err_code rc = image_facts_newest(db, &newest, err);
    c.n_ids = (size_t)newest + 1;
    c.hidden = xcalloc(c.n_ids, sizeof *c.hidden);
    rc = rc == OK ? flags_hidden(db, flags_to_quarantine, hide, &c, err) : rc;
    rc = rc == OK ? image_facts_each(db, choose, &c, err) : rc;
    *out = arena_calloc(a, c.n + 1, sizeof **out);
    if (c.n) {
        memcpy(*out, c.images, c.n * sizeof **out);
    }
    *n = c.n;
    free(c.images);
    free(c.hidden);
    return rc;
}

static int by_image(const void *a, const void *b)
{
    const struct potential_image *x = a, *y = b;
    return (x->image > y->image) - (x->image < y->image);
}

static enum err_code read_revision(struct db *db, const struct revision_row *r, struct arena *a, struct potential_image **out,
                                   size_t *n, struct err *err)
{
    struct revision_image *images;
    enum err_code rc = revisions_images(db, r->id, a, &images, n, err);
    if (rc != OK) {
        return rc;
    }
    *out = arena_calloc(a, *n + 1, sizeof **out);
    for (size_t i = 0; i < *n; i++) {
        (*out)[i] = (struct potential_image){images[i].image, images[i].class_id};
    }
    qsort(*out, *n, sizeof **out, by_image);
    return OK;
}

enum err_code potential_images(struct db *db, const struct revision_row *revision, int64_t flags_to_quarantine, struct arena *a,
                               struct potential_image **out, size_t *n, struct err *err)
{
    enum err_code rc = revision ? read_revision(db, revision, a, out, n, err)
                                : read_candidates(db, flags_to_quarantine, a, out, n, err);
    if (rc == OK && *n == 0) {
        return err_rule(err, ERR_INPUT, "label-plan-empty", "There are no images to plan labels for: %s.",
                        revision ? "the set is empty" : "the project has no candidates that can be shown");
    }
    if (rc == OK && *n > LABEL_PLAN_IMAGES) {
        return err_rule(err, ERR_LIMIT, "label-plan-images", "A plan has at most %d images, these are %zu.", (int)LABEL_PLAN_IMAGES, *n);
    }
    return rc;
}

/* ---- what is sealed ---- */

struct making {
    struct db *db;
    const struct potential_ask *ask;
    struct potential_made *out;
    struct arena *a;
    struct err *err;
    bool *sealed;      /* by position: a sealed revision has the image */
    uint32_t *ids;     /* images by position */
    uint16_t *said;    /* proposals_read */
    size_t at_named;
    uint32_t *of_cid;  /* class id of a class number; 0: there is none */
    size_t n_cids;
    uint32_t *use[PREDICTION_K]; /* by depth: images that have the class, by class number of the list of classes */
    struct map_u64 class_at;     /* class id -> its place in those */
    size_t n_classes;
};

static void seal(void *arg, int64_t image, int64_t sealed)
{
    struct making *m = arg;
    size_t n = m->ask->n_images, at = sorted_u32(m->ids, n, sizeof *m->ids, 0, (uint32_t)image);
    (void)sealed;
    if (at < n && m->ids[at] == image && !m->sealed[at]) {
        m->sealed[at] = true;
        m->out->sealed++;
    }
}

static enum err_code other_models(const struct making *m, const struct label_plan_row *p)
{
    struct label_plan_book book;
    enum err_code rc = label_plan_read(m->db, p->list, m->a, &book, m->err);
    bool shared = false;
    for (size_t i = 0; i < m->ask->n_images && rc == OK && !shared; i++) {
        shared = m->sealed[i] && label_plan_find(&book, m->ids[i]) < book.n;
    }
    label_plan_release(&book);
    return shared ? err_rule(m->err, ERR_DENIED, "label-plan-same-models",
                             "The plan " SV_FMT "/%lld has sealed images of these with labels of other models (" SV_FMT
                             "): comparing the two would tell what single models say of them. Nothing was made. Choose the same "
                             "models, or freeze the set first.",
                             SV_ARG(p->name), (long long)p->version, SV_ARG(p->models))
                  : rc;
}

static enum err_code check_sealed(const struct making *m)
{
    const struct potential_ask *ask = m->ask;
    struct label_plan_row *plans;
    size_t n = 0;
    if (ask->n_models == 0) {
        return OK;
    }
    if (ask->n_models < LABEL_PLAN_SEALED_MODELS) {
        return err_rule(m->err, ERR_DENIED, "label-plan-models",
                        "%zu of the images are in a sealed set. Labels of fewer than %d models would tell what each says of them, "
                        "and so how good it is. Nothing was made. Choose more models with --models, or freeze the set first.",
                        m->out->sealed, (int)LABEL_PLAN_SEALED_MODELS);
    }
    enum err_code rc = label_plans_sealed(m->db, m->a, &plans, &n, m->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = sv_eq(plans[i].models, m->out->plan.row.models) || sv_is(plans[i].models, "[]") ? OK : other_models(m, &plans[i]);
    }
    return rc;
}

/* ---- labels ---- */

static enum err_code read_classes(struct making *m)
{
    struct class_info *classes;
    enum err_code rc = classes_list(m->db, m->a, &classes, &m->n_classes, m->err);
    for (size_t i = 0; i < m->n_classes && rc == OK; i++) {
        m->n_cids = (size_t)classes[i].cid >= m->n_cids ? (size_t)classes[i].cid + 1 : m->n_cids;
    }
    m->of_cid = arena_calloc(m->a, m->n_cids + 1, sizeof *m->of_cid);
    for (size_t i = 0; i < m->n_classes && rc == OK; i++) {
        m->of_cid[classes[i].cid] = (uint32_t)classes[i].id;
        map_u64_put(&m->class_at, (uint64_t)classes[i].id, (uint32_t)i);
    }
    for (uint32_t d = 0; d < PREDICTION_K; d++) {
        m->use[d] = arena_calloc(m->a, m->n_classes + 1, sizeof *m->use[d]);
    }
    return rc;
}

struct proposal {
    uint32_t class_id, depth; /* depth: of how many answers of a model it needs, 0: it comes anyway */
    unsigned char origin;
    const char *source;
};

static int by_class(const void *a, const void *b)
{
    const struct proposal *x = a, *y = b;
    return x->class_id != y->class_id ? (x->class_id > y->class_id) - (x->class_id < y->class_id)
                                      : (x->depth > y->depth) - (x->depth < y->depth);
}

/* The same class once, with all who name it. */
static size_t merge(struct proposal *list, size_t n)
{
    size_t kept = 0;
    qsort(list, n, sizeof *list, by_class);
    for (size_t i = 0; i < n; i++) {
        if (kept && list[kept - 1].class_id == list[i].class_id) {
            list[kept - 1].origin |= list[i].origin;
            list[kept - 1].source = list[kept - 1].source ? list[kept - 1].source : list[i].source;
        } else {
            list[kept++] = list[i];
        }
    }
    return kept;
}

static size_t propose(struct making *m, size_t at, struct proposal *list)
{
    const struct potential_ask *ask = m->ask;
    size_t width = ask->n_models * ask->top, n = 0;
    list[n++] = (struct proposal){ask->images[at].class_id, 0, NAMED_SET, NULL};
    for (; m->at_named < ask->n_named && ask->named[m->at_named].image == ask->images[at].image; m->at_named++) {
        const struct potential_named *named = &ask->named[m->at_named];
        list[n++] = (struct proposal){named->class_id, 0, NAMED_FILE, named->source};
    }
    size_t others = n;
    for (size_t k = 0; k < width; k++) {
        uint16_t cid = m->said[at * width + k];
        uint32_t class_id = cid < m->n_cids ? m->of_cid[cid] : 0;
        if (class_id) {
            list[n++] = (struct proposal){class_id, (uint32_t)(k % ask->top) + 1, NAMED_MODEL, NULL};
        }
    }
    m->out->unsaid += ask->n_models > 0 && n == others;
    return merge(list, n);
}

static void count_depths(const struct making *m, const struct proposal *list, size_t n)
{
    for (uint32_t d = 0; d < m->ask->top; d++) {
        struct potential_depth *depth = &m->out->depths[d];
        uint32_t labels = 0;
        for (size_t i = 0; i < n; i++) {
            bool in = list[i].depth <= d + 1;
            uint32_t at = in ? map_u64_get(&m->class_at, list[i].class_id) : MAP_NONE;
            labels += in;
            m->use[d][at == MAP_NONE ? m->n_classes : at] += in;
        }
        depth->labels += labels;
        depth->most = labels > depth->most ? labels : depth->most;
    }
}

static enum err_code add_images(struct making *m)
{
    const struct potential_ask *ask = m->ask;
    struct label_plan_book *book = &m->out->book;
    struct proposal *list = xmalloc((ask->n_models * ask->top + ask->n_named + 1) * sizeof *list);
    enum err_code rc = OK;
    for (size_t i = 0; i < ask->n_images && rc == OK; i++) {
        size_t n = propose(m, i, list);
        count_depths(m, list, n);
        if (n > CANDIDATE_LABELS || book->n_labels + n > LABEL_PLAN_LABELS) {
            rc = err_rule(m->err, ERR_LIMIT, "label-plan-labels",
                          "A plan has at most %d labels of an image and %d in all. Choose fewer models or answers.",
                          (int)CANDIDATE_LABELS, (int)LABEL_PLAN_LABELS);
            break;
        }
        label_plan_image(book, ask->images[i].image, ask->images[i].class_id);
        for (size_t k = 0; k < n; k++) {
            struct planned_label *l = label_plan_label(book, list[k].class_id);
            l->origin = m->sealed[i] ? list[k].origin & NAMED_SET : list[k].origin;
            l->source = m->sealed[i] ? NULL : list[k].source;
        }
    }
    free(list);
    return rc;
}

static void count_grids(const struct making *m)
{
    for (uint32_t d = 0; d < m->ask->top; d++) {
        m->out->depths[d].top = d + 1;
        for (size_t i = 0; i < m->n_classes; i++) {
            m->out->depths[d].grids += (m->use[d][i] + PLAN_LABEL - 1) / PLAN_LABEL;
        }
    }
}

/* ---- the plan ---- */

static int by_name(const void *a, const void *b)
{
    const struct model_row *x = a, *y = b;
    return sv_cmp(x->name, y->name);
}

static json_t *models_json(const struct potential_ask *ask)
{
    json_t *models = json_array();
    for (size_t i = 0; i < ask->n_models; i++) {
        json_array_append_new(models, json_stringn(ask->models[i].name.p, ask->models[i].name.n));
    }
    return models;
}

static json_t *depths_json(const struct making *m)
{
    json_t *list = json_array();
    for (uint32_t d = 0; d < m->ask->top; d++) {
        const struct potential_depth *p = &m->out->depths[d];
        object_add(list, field_int("top", p->top), field_int("labels", (int64_t)p->labels), field_int("most", p->most),
                   field_int("grids", (int64_t)p->grids));
    }
    return list;
}

static void describe(struct making *m)
{
    const struct potential_ask *ask = m->ask;
    struct label_plan_new *plan = &m->out->plan;
    plan->row.depths = json_compact(depths_json(m), 0, m->a);
    plan->book = &m->out->book;
    label_plan_digest(&m->out->book, plan->row.digest);
    plan->event = json_compact(object(field_sv("name", ask->name), field_json("models", models_json(ask)), field_int("top", ask->top),
                                       field_sv("file", ask->file), field_count("images", m->out->book.n),
                                       field_count("labels", m->out->book.n_labels), field_bool("sealed", m->out->sealed > 0)),
                                    0, m->a);
}

/* Room for all images; nothing is sealed yet. */
static void begin(struct making *m)
{
    size_t n = m->ask->n_images;
    m->out->answered = arena_calloc(m->a, m->ask->n_models + 1, sizeof *m->out->answered);
    m->sealed = xcalloc(n + 1, sizeof *m->sealed);
    m->ids = xmalloc((n + 1) * sizeof *m->ids);
    map_u64_init(&m->class_at);
    for (size_t i = 0; i < n; i++) {
        m->ids[i] = m->ask->images[i].image;
    }
}

static void end(struct making *m)
{
    map_u64_release(&m->class_at);
    free(m->sealed);
    free(m->ids);
}

static enum err_code label_all(struct making *m)
{
    const struct potential_ask *ask = m->ask;
    struct proposals_ask said = {ask->revision, m->ids, ask->n_images, ask->models, ask->n_models, ask->top};
    enum err_code rc = read_classes(m);
    m->said = xmalloc((ask->n_images * ask->n_models * ask->top + 1) * sizeof *m->said);
    rc = rc == OK ? proposals_read(m->db, &said, m->said, m->out->answered, m->err) : rc;
    rc = rc == OK ? add_images(m) : rc;
    free(m->said);
    return rc;
}

static enum err_code make(struct making *m)
{
    enum err_code rc = seals_each_image(m->db, 0, seal, m, m->err);
    m->out->plan.row.sealed = m->out->sealed > 0;
    rc = rc == OK && m->out->sealed ? check_sealed(m) : rc;
    rc = rc == OK ? label_all(m) : rc;
    if (rc == OK) {
        count_grids(m);
        describe(m);
    }
    return rc;
}

enum err_code potential_make(struct db *db, const struct potential_ask *ask, struct arena *a, struct potential_made *out,
                             struct err *err)
{
    struct making m = {.db = db, .ask = ask, .out = out, .a = a, .err = err};
    if (ask->n_models) {
        qsort(ask->models, ask->n_models, sizeof *ask->models, by_name);
    }
    *out = (struct potential_made){.sealed = 0};
    out->plan.row = (struct label_plan_row){.kind = LABEL_PLAN_POTENTIAL,
                                            .name = ask->name,
                                            .account = ask->account,
                                            .revision = ask->revision ? ask->revision->id : 0,
                                            .top = ask->top,
                                            .models = json_compact(models_json(ask), 0, a),
                                            .file = ask->file};
    begin(&m);
    enum err_code rc = label_plan_name_check(ask->name, err);
    rc = rc == OK ? make(&m) : rc;
    end(&m);
    return rc;
}

/* Those of the plan's models that the project still has. */
static enum err_code models_of(struct db *db, const struct label_plan_row *p, struct arena *a, struct model_row **out, size_t *n,
                               struct err *err)
{
    struct model_row *all;
    size_t n_all = 0, i;
    json_t *names = json_loadb(p->models.p, p->models.n, 0, NULL);
    const json_t *name;
    enum err_code rc = models_list(db, false, a, &all, &n_all, err);
    *out = arena_calloc(a, n_all + 1, sizeof **out);
    *n = 0;
    for (size_t k = 0; k < n_all && rc == OK; k++) {
        json_array_foreach(names, i, name)
        {
            if (sv_is(all[k].name, json_string_value(name))) {
                (*out)[(*n)++] = all[k];
            }
        }
    }
    json_decref(names);
    return rc;
}

enum err_code potential_of_others(struct db *db, const struct label_plan_row *p, const struct potential_image *images, size_t n,
                                  struct arena *a, struct label_plan_book *out, struct err *err)
{
    struct potential_made made = {.sealed = 0};
    struct potential_ask ask = {.images = images, .n_images = n, .top = (uint32_t)p->top};
    struct making m = {.db = db, .ask = &ask, .out = &made, .a = a, .err = err};
    enum err_code rc = models_of(db, p, a, &ask.models, &ask.n_models, err);
    begin(&m);
    rc = rc == OK ? label_all(&m) : rc;
    end(&m);
    *out = made.book;
    return rc;
}

size_t potential_depths(const struct label_plan_row *p, struct potential_depth out[PREDICTION_K])
{
    json_t *list = json_loadb(p->depths.p, p->depths.n, 0, NULL);
    size_t n = json_array_size(list) < PREDICTION_K ? json_array_size(list) : PREDICTION_K;
    for (size_t i = 0; i < n; i++) {
        const json_t *d = json_array_get(list, i);
        out[i] = (struct potential_depth){(uint32_t)json_integer_value(json_object_get(d, "top")),
                                          (uint32_t)json_integer_value(json_object_get(d, "most")),
                                          (uint64_t)json_integer_value(json_object_get(d, "labels")),
                                          (uint64_t)json_integer_value(json_object_get(d, "grids"))};
    }
    json_decref(list);
    return n;
}
