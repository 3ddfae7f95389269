/* by_revision.c - a fold of the models that are asked for over each revision, thrown away once it is counted; the counts
 * are kept by revision, model and subset, with what they were made of. */
#include "measures/votes/by_revision.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/xalloc.h"
#include "domain/sampling/revision_diff.h"
#include "measures/scores/model_scores_private.h"
#include "store/sets/seals.h"

enum { KEPT_MOST = 16384 };

struct kept { /* of one model on one revision */
    int64_t revision, model;
    uint64_t subset;          /* a hash of which images */
    struct score_pin pin;
    int64_t block, stamp;     /* the model's newest block, seals_stamp */
    struct model_score score;
};
struct change {
    size_t added, removed;
};
struct by_revision {
    pthread_mutex_t lock;     /* held while one thread makes what is missing: who waited finds it */
    struct map_u64 at;        /* hash of revision, model and subset -> place */
    struct kept *kept;
    size_t n, cap;
    struct map_u64 change_at; /* revision -> place: lists never change */
    struct change *changes;
    size_t n_changes, cap_changes;
};

struct by_revision *by_revision_new(void)
{
    struct by_revision *b = xcalloc(1, sizeof *b);
    BUG_IF(pthread_mutex_init(&b->lock, NULL) != 0);
    map_u64_init(&b->at);
    map_u64_init(&b->change_at);
    return b;
}

void by_revision_free(struct by_revision *b)
{
    if (!b) {
        return;
    }
    map_u64_release(&b->at);
    map_u64_release(&b->change_at);
    free(b->kept);
    free(b->changes);
    pthread_mutex_destroy(&b->lock);
    free(b);
}

struct making {
    struct by_revision *b;
    struct db *db;
    const struct revision_ask *ask;
    uint64_t subset;
    int64_t stamp, *blocks; /* blocks: by model asked */
    const struct revision_row *list;
    size_t n;
    struct revision_member **members; /* by revision, in `scratch`; NULL: not read yet */
    struct arena scratch;
};

/* ---- what changed ---- */

static size_t find_revision(const struct making *m, int64_t id)
{
    size_t i = 0;
    while (i < m->n && m->list[i].id != id) {
        i++;
    }
    return i;
}

/* revision_diff needs no more of classes than that they differ. */
static enum err_code read_members(struct making *m, size_t at, struct err *err)
{
    struct revision_image *images;
    struct arena a;
    size_t n = 0;
    if (m->members[at]) {
        return OK;
    }
    arena_init(&a, (size_t)1 << 28);
    enum err_code rc = revisions_images(m->db, m->list[at].id, &a, &images, &n, err);
    m->members[at] = arena_calloc(&m->scratch, n + 1, sizeof **m->members);
    for (size_t i = 0; i < n && rc == OK; i++) {
        m->members[at][i] = (struct revision_member){images[i].class_id, images[i].image};
    }
    arena_release(&a);
    return rc;
}

static enum err_code find_change(struct making *m, size_t at, size_t parent, struct change *out, struct err *err)
{
    struct by_revision *b = m->b;
    uint64_t key = (uint64_t)m->list[at].id;
    uint32_t place = map_u64_get(&b->change_at, key);
    if (place != MAP_NONE) {
        *out = b->changes[place];
        return OK;
    }
    struct revision_diff diff;
    enum err_code rc = read_members(m, at, err);
    rc = rc == OK ? read_members(m, parent, err) : rc;
    if (rc == OK) {
        revision_diff(m->members[parent], (size_t)m->list[parent].images, m->members[at],
                      (size_t)m->list[at].images, &m->scratch, &diff);
        *out = (struct change){diff.n_added, diff.n_removed};
        xgrow(&b->changes, &b->cap_changes, b->n_changes + 1, sizeof *b->changes);
        map_u64_put(&b->change_at, key, (uint32_t)b->n_changes);
        b->changes[b->n_changes++] = *out;
    }
    return rc;
}

/* ---- counts ---- */

static uint64_t key_of(const struct making *m, int64_t revision, int64_t model)
{
    return hash_u64(hash_u64(hash_u64((uint64_t)revision) ^ (uint64_t)model) ^ m->subset);
}

static bool same_pin(const struct score_pin *a, const struct score_pin *b)
{
    return a->frozen == b->frozen && a->newest == b->newest && a->block == b->block && a->decision == b->decision;
}

static bool is_of(const struct kept *k, int64_t revision, int64_t model, uint64_t subset)
{
    return k->revision == revision && k->model == model && k->subset == subset;
}

/* What is kept and still right; NULL. */
static const struct kept *find_kept(const struct making *m, int64_t revision, size_t model, const struct score_pin *pin)
{
    int64_t id = m->ask->models[model];
    uint32_t place = map_u64_get(&m->b->at, key_of(m, revision, id));
    const struct kept *k = place == MAP_NONE ? NULL : &m->b->kept[place];
    bool right = k && is_of(k, revision, id, m->subset) && same_pin(&k->pin, pin) && k->block == m->blocks[model] &&
                 k->stamp == m->stamp;
    return right ? k : NULL;
}

static void keep(struct making *m, const struct kept *made)
{
    struct by_revision *b = m->b;
    uint64_t key = key_of(m, made->revision, made->model);
    if (b->n == KEPT_MOST && map_u64_get(&b->at, key) == MAP_NONE) {
        map_u64_release(&b->at);
        map_u64_init(&b->at);
        b->n = 0;
    }
    uint32_t place = map_u64_put(&b->at, key, (uint32_t)b->n);
    if (place == b->n) {
        xgrow(&b->kept, &b->cap, b->n + 1, sizeof *b->kept);
        b->n++;
    }
    b->kept[place] = *made;
}

static struct model_score score_in(const struct model_score *list, size_t n, int64_t model, int64_t images)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i].model == model) {
            struct model_score s = list[i];
            s.made_by = SV("");
            return s;
        }
    }
    return (struct model_score){.model = model, .images = (uint32_t)images};
}

/* Folds the models of which nothing right is kept, given by their places in the ask, and fills their scores. */
static enum err_code fold_missing(struct making *m, const struct revision_row *r, const struct score_pin *pin,
                                  const size_t *places, size_t n, struct model_score *on, struct err *err)
{
    int64_t *models = arena_calloc(&m->scratch, n + 1, sizeof *models);
    struct revision_scores *fold = NULL;
    bool changed;
    for (size_t i = 0; i < n; i++) {
        models[i] = m->ask->models[places[i]];
    }
    enum err_code rc = score_fold_some(m->db, r, model_scores_labels(m->ask->subset), models, n, &fold, err);
    rc = rc == OK ? score_fold_more(fold, m->db, err) : rc;
    rc = rc == OK ? model_scores_seal(fold, m->db, &changed, err) : rc;
    if (rc == OK) {
        struct model_score *list;
        size_t counted;
        model_scores_count(fold, m->ask->subset, &m->scratch, &list, &counted);
        for (size_t i = 0; i < n; i++) {
            on[places[i]] = score_in(list, counted, models[i], r->images);
            const struct kept made = {.revision = r->id, .model = models[i], .subset = m->subset, .pin = *pin,
                                      .block = m->blocks[places[i]], .stamp = m->stamp, .score = on[places[i]]};
            keep(m, &made);
        }
    }
    score_fold_free(fold);
    return rc;
}

static enum err_code take_scores(struct making *m, const struct revision_row *r, struct model_score *on, struct err *err)
{
    struct score_pin pin;
    size_t *missing = arena_calloc(&m->scratch, m->ask->n_models + 1, sizeof *missing), n = 0;
    enum err_code rc = score_pin_get(m->db, r->id, &pin, err);
    for (size_t i = 0; i < m->ask->n_models && rc == OK; i++) {
        const struct kept *k = find_kept(m, r->id, i, &pin);
        if (k) {
            on[i] = k->score;
        } else {
            missing[n++] = i;
        }
    }
    return rc == OK && n ? fold_missing(m, r, &pin, missing, n, on, err) : rc;
}

/* ---- all ---- */

static enum err_code take_line(struct making *m, size_t at, struct arena *a, struct revision_line *out, struct err *err)
{
    const struct revision_row *r = &m->list[at];
    size_t parent = find_revision(m, r->parent);
    struct change change = {0};
    out->revision = r;
    out->changed = parent < m->n;
    out->on = arena_calloc(a, m->ask->n_models + 1, sizeof *out->on);
    out->scoreable = revision_may_be_scored(r, NULL) == OK;
    enum err_code rc = out->changed ? find_change(m, at, parent, &change, err) : OK;
    out->added = change.added;
    out->removed = change.removed;
    return rc == OK && out->scoreable ? take_scores(m, r, out->on, err) : rc;
}

static enum err_code take_versions(struct making *m, struct err *err)
{
    enum err_code rc = seals_stamp(m->db, &m->stamp, err);
    m->blocks = arena_calloc(&m->scratch, m->ask->n_models + 1, sizeof *m->blocks);
    for (size_t i = 0; i < m->ask->n_models && rc == OK; i++) {
        rc = predictions_newest_of(m->db, m->ask->models[i], &m->blocks[i], err);
    }
    return rc;
}

enum err_code by_revision_make(struct by_revision *b, struct db *db, const struct revision_ask *ask, struct arena *a,
                               struct revision_line **out, size_t *n, struct err *err)
{
    struct making m = {.b = b, .db = db, .ask = ask, .subset = subset_hash(ask->subset)};
    struct revision_row *list;
    enum err_code rc = revisions_list(db, ask->set, a, &list, &m.n, err);
    if (rc != OK) {
        return rc;
    }
    m.list = list;
    *n = m.n;
    *out = arena_calloc(a, m.n + 1, sizeof **out);
    arena_init(&m.scratch, SIZE_MAX / 2);
    m.members = arena_calloc(&m.scratch, m.n + 1, sizeof *m.members);
    pthread_mutex_lock(&b->lock);
    rc = take_versions(&m, err);
    for (size_t i = 0; i < m.n && rc == OK; i++) {
        rc = take_line(&m, i, a, &(*out)[i], err);
    }
    pthread_mutex_unlock(&b->lock);
    arena_release(&m.scratch);
    return rc;
}
