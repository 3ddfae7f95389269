/* model_scores.c - a fold of prediction blocks over the labels of a revision: for each model a byte
 * per image, the place of the image's label among the model's answers. New blocks are folded on
 * top, the later record of an image replacing the earlier, so that a look costs what came since the
 * last one.
 *
 * Of a few revisions at once: those looked at last, within CACHE_BYTES. One lock over all: a first
 * look at 60,000 images and 67 models takes some tenths of a second, every later one next to
 * nothing. */
#include "live/model_scores_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/xalloc.h"
#include "store/classes.h"
#include "store/seals.h"

enum { NO_POSITION = UINT32_MAX >> 1 };
#define CACHE_BYTES ((size_t)96 << 20)

struct model_scores *model_scores_new(void)
{
    struct model_scores *s = xcalloc(1, sizeof *s);
    BUG_IF(pthread_mutex_init(&s->lock, NULL) != 0);
    return s;
}

static void free_revision(struct revision_scores *r)
{
    if (!r) {
        return;
    }
    for (size_t i = 0; i < r->n_models; i++) {
        free(r->models[i].rank);
        free(r->models[i].source);
        free(r->models[i].sources);
    }
    free(r->models);
    free(r->image);
    free(r->class_id);
    free(r->cid);
    free(r->sealed);
    free(r);
}

void model_scores_free(struct model_scores *s)
{
    if (!s) {
        return;
    }
    for (size_t i = 0; i < s->n; i++) {
        free_revision(s->revisions[i]);
    }
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* ---- the labels ---- */

static enum err_code cids_by_class(struct db *db, struct map_u64 *cids, struct err *err)
{
    struct arena a;
    struct class_info *list;
    size_t n = 0;
    arena_init(&a, (size_t)1 << 28);
    enum err_code rc = classes_list(db, &a, &list, &n, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        bool named = list[i].cid >= 0 && list[i].cid < PREDICTION_NONE - 1;
        map_u64_put(cids, (uint64_t)list[i].id,
                    named ? (uint32_t)list[i].cid : PREDICTION_NONE - 1);
    }
    arena_release(&a);
    return rc;
}

static enum err_code read_labels(struct revision_scores *r, struct db *db, struct err *err)
{
    struct arena a;
    struct map_u64 cids;
    struct revision_image *images = NULL;
    size_t n = 0;
    arena_init(&a, (size_t)1 << 28);
    map_u64_init(&cids);
    enum err_code rc = revisions_images(db, r->revision, &a, &images, &n, err);
    if (rc == OK) {
        rc = cids_by_class(db, &cids, err);
    }
    if (rc == OK) {
        r->n = (uint32_t)n;
        r->image = xcalloc(n + 1, sizeof *r->image);
        r->class_id = xcalloc(n + 1, sizeof *r->class_id);
        r->cid = xcalloc(n + 1, sizeof *r->cid);
        r->sealed = xcalloc(n + 1, sizeof *r->sealed);
        r->stamp = -1;
    }
    for (size_t i = 0; i < n && rc == OK; i++) {
        uint32_t cid = map_u64_get(&cids, images[i].class_id);
        r->image[i] = images[i].image;
        r->class_id[i] = images[i].class_id;
        r->cid[i] = cid == MAP_NONE ? PREDICTION_NONE - 1 : (uint16_t)cid;
    }
    map_u64_release(&cids);
    arena_release(&a);
    return rc;
}

/* Positions by image, for the time of a pass: images of a set have numbers that lie together. */
struct positions {
    uint32_t first, last, *of; /* of[image - first]; NO_POSITION: not in the revision */
};

static struct positions positions_make(const struct revision_scores *r)
{
    struct positions p = {UINT32_MAX, 0, NULL};
    for (uint32_t i = 0; i < r->n; i++) {
        p.first = r->image[i] < p.first ? r->image[i] : p.first;
        p.last = r->image[i] > p.last ? r->image[i] : p.last;
    }
    if (r->n) {
        size_t span = (size_t)(p.last - p.first) + 1;
        p.of = xmalloc(span * sizeof *p.of);
        for (size_t i = 0; i < span; i++) {
            p.of[i] = NO_POSITION;
        }
    }
    for (uint32_t i = 0; i < r->n; i++) {
        p.of[r->image[i] - p.first] = i;
    }
    return p;
}

static uint32_t position_of(const struct positions *p, uint32_t image)
{
    return image < p->first || image > p->last ? NO_POSITION : p->of[image - p->first];
}

/* ---- what is sealed ---- */

struct sealing {
    struct positions at;
    bool *sealed;
};

static void seal_image(void *arg, int64_t image, int64_t sealed)
{
    (void)sealed;
    const struct sealing *s = arg;
    uint32_t at = position_of(&s->at, (uint32_t)image);
    if (at != NO_POSITION) {
        s->sealed[at] = true;
    }
}

static enum err_code look_at_seals(struct revision_scores *r, struct db *db, struct err *err)
{
    int64_t stamp = 0;
    enum err_code rc = seals_stamp(db, &stamp, err);
    if (rc != OK || stamp == r->stamp) {
        return rc;
    }
    struct sealing s = {positions_make(r), r->sealed};
    memset(r->sealed, 0, r->n * sizeof *r->sealed);
    rc = seals_each_image(db, 0, seal_image, &s, err);
    r->stamp = rc == OK ? stamp : -1;
    free(s.at.of);
    return rc;
}

/* ---- the fold ---- */

struct fold {
    struct revision_scores *r;
    struct positions at;
    const struct prediction_source *source; /* of the last record, and where its counts are */
    size_t model;
    uint16_t slot;
};

static size_t model_index(struct revision_scores *r, int64_t model)
{
    for (size_t i = 0; i < r->n_models; i++) {
        if (r->models[i].model == model) {
            return i;
        }
    }
    xgrow(&r->models, &r->cap_models, r->n_models + 1, sizeof *r->models);
    struct model_ranks *m = &r->models[r->n_models];
    *m = (struct model_ranks){.model = model,
                              .rank = xmalloc(r->n + 1),
                              .source = xcalloc((size_t)r->n + 1, sizeof *m->source)};
    memset(m->rank, NO_RECORD, r->n + 1);
    return r->n_models++;
}

/* A model with more sources than a slot can number counts the rest as one. */
static uint16_t source_slot(struct model_ranks *m, const struct prediction_source *s)
{
    for (size_t i = 0; i < m->n_sources; i++) {
        if (m->sources[i].id == s->id || i == UINT16_MAX) {
            return (uint16_t)i;
        }
    }
    xgrow(&m->sources, &m->cap_sources, m->n_sources + 1, sizeof *m->sources);
    m->sources[m->n_sources] = (struct source_use){.id = s->id, .k = s->k, .scored = s->scored};
    return (uint16_t)m->n_sources++;
}

static unsigned char rank_of(const struct prediction *p, int k, uint16_t cid)
{
    for (int i = 0; i < k; i++) {
        if (p->labels[i] == cid) {
            return (unsigned char)(i + 1);
        }
    }
    return 0;
}

static void fold_one(void *arg, const struct prediction_source *s, const struct prediction *p)
{
    struct fold *f = arg;
    uint32_t at = position_of(&f->at, p->image);
    if (at == NO_POSITION) {
        return;
    }
    if (s != f->source) {
        f->source = s;
        f->model = model_index(f->r, s->model);
        f->slot = source_slot(&f->r->models[f->model], s);
    }
    struct model_ranks *m = &f->r->models[f->model];
    if (m->rank[at] != NO_RECORD) {
        m->sources[m->source[at]].records--;
        m->of_rank[m->rank[at]]--;
    }
    m->rank[at] = rank_of(p, s->k, f->r->cid[at]);
    m->of_rank[m->rank[at]]++;
    m->source[at] = f->slot;
    m->sources[f->slot].records++;
}

/* Folds what came since; when it fails half-way, the next look folds the same again on top. */
static enum err_code fold_new(struct revision_scores *r, struct db *db, struct err *err)
{
    int64_t newest = 0, last = 0;
    enum err_code rc = predictions_newest(db, &newest, err);
    if (rc != OK || newest <= r->after) {
        return rc;
    }
    struct fold f = {.r = r, .at = positions_make(r)};
    rc = predictions_each(db, 0, 0, r->after, &last, fold_one, &f, err);
    if (rc == OK) {
        r->after = last;
    }
    free(f.at.of);
    return rc;
}

/* ---- the cache ---- */

static size_t bytes_of(const struct revision_scores *r)
{
    return sizeof *r + (size_t)r->n * (11 + 3 * r->n_models);
}

static void drop(struct model_scores *s, size_t i)
{
    free_revision(s->revisions[i]);
    s->revisions[i] = s->revisions[--s->n];
}

/* Lets go of what was looked at longest ago until there is room; what is asked for now stays. */
static void make_room(struct model_scores *s)
{
    for (;;) {
        size_t bytes = 0, oldest = 0;
        for (size_t i = 0; i < s->n; i++) {
            bytes += bytes_of(s->revisions[i]);
            oldest = s->revisions[i]->looked < s->revisions[oldest]->looked ? i : oldest;
        }
        if (s->n <= 1 || (bytes <= CACHE_BYTES && s->n < REVISIONS_MOST)) {
            return;
        }
        drop(s, oldest);
    }
}

static enum err_code find_or_read(struct model_scores *s, struct db *db, int64_t revision,
                                  struct revision_scores **out, struct err *err)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->revisions[i]->revision == revision) {
            *out = s->revisions[i];
            return OK;
        }
    }
    make_room(s);
    struct revision_scores *r = xcalloc(1, sizeof *r);
    r->revision = revision;
    r->version = ++s->versions;
    enum err_code rc = read_labels(r, db, err);
    if (rc != OK) {
        free_revision(r);
        return rc;
    }
    s->revisions[s->n++] = r;
    *out = r;
    return OK;
}

enum err_code model_scores_look(struct model_scores *s, struct db *db, int64_t revision,
                                struct revision_scores **out, struct err *err)
{
    enum err_code rc = find_or_read(s, db, revision, out, err);
    if (rc != OK) {
        return rc;
    }
    (*out)->looked = ++s->looks;
    int64_t before = (*out)->after;
    rc = fold_new(*out, db, err);
    (*out)->version = (*out)->after == before ? (*out)->version : ++s->versions;
    rc = rc == OK ? look_at_seals(*out, db, err) : rc;
    make_room(s);
    return rc;
}

/* ---- answers ---- */

static struct model_score count_model(const struct revision_scores *r, const struct model_ranks *m)
{
    struct model_score c = {.model = m->model, .images = r->n, .top1 = m->of_rank[1]};
    for (int i = 1; i <= PREDICTION_K; i++) {
        c.topk += m->of_rank[i];
    }
    c.predicted = c.topk + m->of_rank[0];
    for (size_t i = 0; i < m->n_sources; i++) {
        const struct source_use *u = &m->sources[i];
        if (u->records) {
            c.k = c.sources == 0 || u->k < c.k ? u->k : c.k;
            c.scored = c.scored || u->scored;
            c.sources++;
        }
    }
    return c;
}

static int by_model(const void *a, const void *b)
{
    int64_t x = ((const struct model_score *)a)->model, y = ((const struct model_score *)b)->model;
    return (x > y) - (x < y);
}

enum err_code model_scores_of(struct model_scores *s, struct db *db, const struct revision_row *r,
                              struct arena *a, struct model_score **out, size_t *n, struct err *err)
{
    struct revision_scores *rs;
    *n = 0;
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, r->id, &rs, err);
    if (rc == OK) {
        *n = rs->n == 1 && rs->sealed[0] ? 0 : rs->n_models;
        *out = arena_calloc(a, *n + 1, sizeof **out);
        for (size_t i = 0; i < *n; i++) {
            (*out)[i] = count_model(rs, &rs->models[i]);
        }
    }
    if (*n) {
        qsort(*out, *n, sizeof **out, by_model);
    }
    pthread_mutex_unlock(&s->lock);
    return rc;
}

static int by_class(const void *a, const void *b)
{
    uint32_t x = ((const struct class_score *)a)->class_id,
             y = ((const struct class_score *)b)->class_id;
    return (x > y) - (x < y);
}

static void count_classes(const struct revision_scores *r, const struct model_ranks *m,
                          struct arena *a, struct class_score **out, size_t *n)
{
    struct map_u64 index;
    struct class_score *list = NULL;
    size_t cap = 0;
    map_u64_init(&index);
    for (uint32_t i = 0; i < r->n; i++) {
        uint32_t at = map_u64_put(&index, r->class_id[i], (uint32_t)*n);
        if (at == *n) {
            xgrow(&list, &cap, *n + 1, sizeof *list);
            list[(*n)++] = (struct class_score){.class_id = r->class_id[i]};
        }
        unsigned char rank = m ? m->rank[i] : NO_RECORD;
        list[at].images++;
        list[at].predicted += rank != NO_RECORD;
        list[at].top1 += rank == 1;
        list[at].topk += rank >= 1 && rank <= PREDICTION_K;
    }
    for (uint32_t i = 0; i < r->n; i++) {
        struct class_score *c = &list[map_u64_get(&index, r->class_id[i])];
        if (r->sealed[i] && c->images == 1) {
            *c = (struct class_score){.class_id = c->class_id, .images = 1};
        }
    }
    map_u64_release(&index);
    *out = arena_calloc(a, *n + 1, sizeof **out);
    if (*n) {
        qsort(list, *n, sizeof *list, by_class);
        memcpy(*out, list, *n * sizeof *list);
    }
    free(list);
}

/* Of the images of one class, whose places are `at`. */
static struct model_score count_places(const struct model_ranks *m, const uint32_t *at, uint32_t n)
{
    struct model_score c = {.model = m->model, .images = n};
    for (uint32_t i = 0; i < n; i++) {
        unsigned char rank = m->rank[at[i]];
        c.predicted += rank != NO_RECORD;
        c.top1 += rank == 1;
        c.topk += rank >= 1 && rank <= PREDICTION_K;
    }
    return c;
}

enum err_code model_scores_on_class(struct model_scores *s, struct db *db,
                                    const struct revision_row *r, int64_t class_id, struct arena *a,
                                    struct model_score **out, size_t *n, struct err *err)
{
    struct revision_scores *rs;
    *n = 0;
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, r->id, &rs, err);
    if (rc == OK) {
        uint32_t *at = arena_alloc(a, ((size_t)rs->n + 1) * sizeof *at), places = 0;
        for (uint32_t i = 0; i < rs->n; i++) {
            at[places] = i;
            places += rs->class_id[i] == class_id;
        }
        *n = places == 1 && rs->sealed[at[0]] ? 0 : rs->n_models;
        *out = arena_calloc(a, *n + 1, sizeof **out);
        for (size_t i = 0; i < *n; i++) {
            (*out)[i] = count_places(&rs->models[i], at, places);
        }
    }
    if (*n) {
        qsort(*out, *n, sizeof **out, by_model);
    }
    pthread_mutex_unlock(&s->lock);
    return rc;
}

const struct model_ranks *model_scores_find(const struct revision_scores *r, int64_t model)
{
    for (size_t i = 0; i < r->n_models; i++) {
        if (r->models[i].model == model) {
            return &r->models[i];
        }
    }
    return NULL;
}

enum err_code model_scores_classes(struct model_scores *s, struct db *db,
                                   const struct revision_row *r, int64_t model, struct arena *a,
                                   struct class_score **out, size_t *n, struct err *err)
{
    struct revision_scores *rs;
    *n = 0;
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, r->id, &rs, err);
    if (rc == OK) {
        count_classes(rs, model_scores_find(rs, model), a, out, n);
    }
    pthread_mutex_unlock(&s->lock);
    return rc;
}

/* ---- confident mistakes ---- */

struct answers { /* the newest of each image */
    struct positions at;
    uint16_t *said;
    float *score; /* negative: there is none */
};

static void keep_answer(void *arg, const struct prediction_source *s, const struct prediction *p)
{
    struct answers *w = arg;
    uint32_t at = position_of(&w->at, p->image);
    if (at != NO_POSITION) {
        w->said[at] = p->labels[0];
        w->score[at] = s->scored ? p->scores[0] : -1;
    }
}

static int surest_first(const void *a, const void *b)
{
    const struct confident_mistake *x = a, *y = b;
    return x->score != y->score ? (x->score < y->score) - (x->score > y->score)
                                : (x->image > y->image) - (x->image < y->image);
}

static void pick_mistakes(const struct revision_scores *r, const struct answers *w,
                          int64_t class_id, size_t most, struct arena *a,
                          struct confident_mistake **out, size_t *n, size_t *sealed)
{
    struct confident_mistake *list = xcalloc((size_t)r->n + 1, sizeof *list);
    size_t found = 0;
    *sealed = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        bool asked = class_id == 0 || r->class_id[i] == class_id;
        *sealed += asked && r->sealed[i];
        if (asked && !r->sealed[i] && w->score[i] >= 0 && w->said[i] != r->cid[i] &&
            w->said[i] != PREDICTION_NONE) {
            list[found++] = (struct confident_mistake){.image = r->image[i],
                                                       .class_id = r->class_id[i],
                                                       .said = w->said[i],
                                                       .score = w->score[i]};
        }
    }
    qsort(list, found, sizeof *list, surest_first);
    *n = found < most ? found : most;
    *out = arena_calloc(a, *n + 1, sizeof **out);
    memcpy(*out, list, *n * sizeof *list);
    free(list);
}

static enum err_code mistakes(const struct revision_scores *r, struct db *db, int64_t model,
                              int64_t class_id, size_t most, struct arena *a,
                              struct confident_mistake **out, size_t *n, size_t *sealed, struct err *err)
{
    int64_t last;
    struct answers w = {.at = positions_make(r),
                        .said = xcalloc((size_t)r->n + 1, sizeof *w.said),
                        .score = xcalloc((size_t)r->n + 1, sizeof *w.score)};
    for (uint32_t i = 0; i < r->n; i++) {
        w.score[i] = -1;
    }
    enum err_code rc = predictions_each(db, model, 0, 0, &last, keep_answer, &w, err);
    if (rc == OK) {
        pick_mistakes(r, &w, class_id, most, a, out, n, sealed);
    }
    free(w.at.of);
    free(w.said);
    free(w.score);
    return rc;
}

enum err_code model_scores_mistakes(struct model_scores *s, struct db *db,
                                    const struct revision_row *r, int64_t model, int64_t class_id,
                                    size_t most, struct arena *a, struct confident_mistake **out,
                                    size_t *n, size_t *sealed, struct err *err)
{
    struct revision_scores *rs;
    *n = *sealed = 0;
    pthread_mutex_lock(&s->lock);
    enum err_code rc = find_or_read(s, db, r->id, &rs, err);
    rc = rc == OK ? look_at_seals(rs, db, err) : rc;
    if (rc == OK) {
        rs->looked = ++s->looks;
        rc = mistakes(rs, db, model, class_id, most, a, out, n, sealed, err);
    }
    pthread_mutex_unlock(&s->lock);
    return rc;
}
