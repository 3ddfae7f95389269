/* model_gaps.c - a few results by what was asked, and a thread for what takes long. A result is found again by
 * the versions of both sets' predictions; while predictions come that change nothing (of other models, say), by
 * what it was made of. */
#include "measures/scores/model_gaps.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/thread.h"
#include "base/xalloc.h"
#include "measures/scores/model_right.h"

enum { KEPT_MOST = 8, SETS = 2 };
/* Images times resamples times words of models that a page waits for: some hundredths of a second. */
#define AT_ONCE 20000000ULL

struct key { /* what was asked */
    int64_t revision[SETS];
    int top[SETS];
    const struct score_level *level;
    uint64_t seed, models; /* a hash of which and in what order */
    uint64_t subset[SETS]; /* hashes of which images and labels */
};

struct slot {
    bool used;
    struct key key;
    uint64_t version[SETS], content; /* of the predictions; a hash of what the result was made of */
    uint64_t number, looked;         /* of the result; when it was last asked for */
    bool ready;
    struct gap_classes classes;
    struct gap_line *lines;
    struct gap_mean mean;
    size_t n;
};

struct job { /* owns what it computes with */
    uint64_t number; /* of the result that it is for; 0: none */
    struct model_right right[SETS];
    struct gap_classes classes;
    struct gap_line *lines;
    struct gap_mean mean;
    size_t n;
    const struct score_level *level;
    uint64_t seed;
};

struct model_gaps {
    pthread_mutex_t lock;
    pthread_cond_t more;
    pthread_t thread;
    bool started;
    atomic_bool stop;
    struct job waiting; /* the newest; an older one is asked for again by whoever looks again */
    struct slot slots[KEPT_MOST];
    uint64_t numbers, looks, made, at_work; /* at_work: the result that the thread makes */
};

struct model_gaps *model_gaps_new(void)
{
    struct model_gaps *g = xcalloc(1, sizeof *g);
    BUG_IF(pthread_mutex_init(&g->lock, NULL) != 0 || pthread_cond_init(&g->more, NULL) != 0);
    atomic_init(&g->stop, false);
    return g;
}

static void job_release(struct job *j)
{
    model_right_release(&j->right[0]);
    model_right_release(&j->right[1]);
    free(j->lines);
    *j = (struct job){.number = 0};
}

void model_gaps_free(struct model_gaps *g)
{
    if (!g) {
        return;
    }
    pthread_mutex_lock(&g->lock);
    atomic_store(&g->stop, true);
    pthread_cond_broadcast(&g->more);
    pthread_mutex_unlock(&g->lock);
    if (g->started) {
        pthread_join(g->thread, NULL);
    }
    for (int i = 0; i < KEPT_MOST; i++) {
        free(g->slots[i].lines);
    }
    job_release(&g->waiting);
    pthread_cond_destroy(&g->more);
    pthread_mutex_destroy(&g->lock);
    free(g);
}

/* ---- what to compute ---- */

static struct gap_set set_of(const struct model_right *r)
{
    return (struct gap_set){
        .n = r->n, .image = r->image, .class_id = r->class_id, .right = r->right};
}

static struct gap_ask ask_of(const struct job *j, const atomic_bool *stop)
{
    return (struct gap_ask){.original = set_of(&j->right[0]),
                            .fresh = set_of(&j->right[1]),
                            .n_models = j->n,
                            .resamples = j->level->resamples,
                            .tail = j->level->tail,
                            .seed = j->seed,
                            .stop = stop};
}

static bool is_long(const struct job *j)
{
    uint64_t images = (uint64_t)j->right[0].n + j->right[1].n;
    return images * j->level->resamples * (j->n / 8 + 4) > AT_ONCE;
}

static uint64_t content_of(const struct job *j)
{
    uint64_t sum = 0;
    for (int i = 0; i < SETS; i++) {
        const struct model_right *r = &j->right[i];
        sum = hash_u64(sum ^ hash_bytes(r->image, r->n * sizeof *r->image));
        sum = hash_u64(sum ^ hash_bytes(r->class_id, r->n * sizeof *r->class_id));
        sum = hash_u64(sum ^ hash_bytes(r->sealed, r->n * sizeof *r->sealed));
        sum = hash_u64(sum ^ hash_bytes(r->right, r->n * j->n));
    }
    return sum;
}

/* Of a side's images in common classes (or, `common` false, in the others): whether a sealed revision has just one. */
static bool one_sealed(const struct model_right *r, const struct map_u64 *other, bool common)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        n += r->sealed[i] && (map_u64_get(other, r->class_id[i]) != MAP_NONE) == common;
    }
    return n == 1;
}

/* Whether the accuracies on the common classes, or what is left of a whole set's without them, come down to one sealed
 * image: what models say of the others is told. */
static bool withheld(const struct job *j)
{
    bool found = false;
    for (int side = 0; side < SETS; side++) {
        const struct model_right *r = &j->right[side], *other = &j->right[1 - side];
        struct map_u64 classes;
        map_u64_init(&classes);
        for (uint32_t i = 0; i < other->n; i++) {
            map_u64_put(&classes, other->class_id[i], 1);
        }
        found = found || one_sealed(r, &classes, true) || one_sealed(r, &classes, false);
        map_u64_release(&classes);
    }
    return j->classes.common > 0 && found;
}

/* ---- the thread ---- */

static struct slot *slot_numbered(struct model_gaps *g, uint64_t number)
{
    for (int i = 0; i < KEPT_MOST; i++) {
        if (g->slots[i].used && g->slots[i].number == number) {
            return &g->slots[i];
        }
    }
    return NULL;
}

static void keep_lines(struct model_gaps *g, const struct job *j)
{
    struct slot *slot = slot_numbered(g, j->number);
    if (slot) {
        memcpy(slot->lines, j->lines, j->n * sizeof *j->lines);
        slot->mean = j->mean;
        slot->ready = true;
    }
}

static void *work(void *arg)
{
    struct model_gaps *g = arg;
    pthread_mutex_lock(&g->lock);
    while (!atomic_load(&g->stop)) {
        if (!g->waiting.number) {
            pthread_cond_wait(&g->more, &g->lock);
            continue;
        }
        struct job j = g->waiting;
        g->waiting = (struct job){.number = 0};
        g->at_work = j.number;
        pthread_mutex_unlock(&g->lock);
        struct gap_ask ask = ask_of(&j, &g->stop);
        bool done = gap_intervals(&ask, &j.classes, j.lines, &j.mean);
        pthread_mutex_lock(&g->lock);
        g->at_work = 0;
        if (done) {
            keep_lines(g, &j);
            g->made++;
        }
        job_release(&j);
    }
    pthread_mutex_unlock(&g->lock);
    return NULL;
}

/* Takes the job over. False: there is no thread for it. */
static bool hand_over(struct model_gaps *g, struct job *j)
{
    g->started = g->started || thread_start(&g->thread, "gaps", work, g, NULL) == OK;
    if (g->started) {
        job_release(&g->waiting);
        g->waiting = *j;
        *j = (struct job){.number = 0};
        pthread_cond_signal(&g->more);
    }
    return g->started;
}

/* ---- what is kept ---- */

static const struct score_level *level_of(const struct model_gaps_ask *ask)
{
    return ask->level ? ask->level : &score_levels[0];
}

static const struct subset *fresh_subset(const struct model_gaps_ask *ask)
{
    return ask->fresh_subset ? ask->fresh_subset : ask->subset;
}

static int fresh_top(const struct model_gaps_ask *ask)
{
    return ask->fresh_top ? ask->fresh_top : ask->top;
}

static struct key key_of(const struct model_gaps_ask *ask)
{
    return (struct key){{ask->original->id, ask->fresh->id},
                        {ask->top, fresh_top(ask)},
                        level_of(ask),
                        ask->seed,
                        hash_bytes(ask->models, ask->n * sizeof *ask->models),
                        {subset_hash(ask->subset), subset_hash(fresh_subset(ask))}};
}

static bool same_key(const struct key *a, const struct key *b)
{
    return a->revision[0] == b->revision[0] && a->revision[1] == b->revision[1] &&
           a->top[0] == b->top[0] && a->top[1] == b->top[1] && a->level == b->level && a->seed == b->seed && a->models == b->models && a->subset[0] == b->subset[0] && a->subset[1] == b->subset[1];
}

static struct slot *find(struct model_gaps *g, const struct key *key, size_t n)
{
    for (int i = 0; i < KEPT_MOST; i++) {
        struct slot *slot = &g->slots[i];
        if (slot->used && slot->n == n && same_key(&slot->key, key)) {
            return slot;
        }
    }
    return NULL;
}

/* An empty one, else the one asked for longest ago. */
static struct slot *free_slot(struct model_gaps *g)
{
    struct slot *oldest = &g->slots[0];
    for (int i = 0; i < KEPT_MOST; i++) {
        oldest = g->slots[i].looked < oldest->looked ? &g->slots[i] : oldest;
    }
    return oldest;
}

static bool is_coming(const struct model_gaps *g, const struct slot *slot)
{
    return g->waiting.number == slot->number || g->at_work == slot->number;
}

static void copy_out(struct model_gaps *g, struct slot *slot, const struct model_gaps_ask *ask,
                     struct arena *a, struct model_gaps_found *out)
{
    slot->looked = ++g->looks;
    *out = (struct model_gaps_found){.classes = slot->classes,
                                     .lines = arena_calloc(a, slot->n + 1, sizeof *out->lines),
                                     .n = slot->n,
                                     .mean = slot->mean,
                                     .ready = slot->ready,
                                     .level = level_of(ask),
                                     .seed = ask->seed};
    memcpy(out->lines, slot->lines, slot->n * sizeof *out->lines);
    out->mean.common.known = out->mean.common.known && !slot->classes.withheld;
    for (size_t i = 0; i < slot->n && slot->classes.withheld; i++) {
        struct gap_line *l = &out->lines[i];
        l->original_acc = l->fresh_acc = l->gap = 0;
        l->common = (struct gap_range){.known = false};
    }
}

/* With the lock held: what is kept answers the question as far as it was asked. */
static bool kept(struct model_gaps *g, const struct slot *slot, bool wait)
{
    return slot && (slot->ready || (!wait && is_coming(g, slot)));
}

/* ---- all ---- */

static enum err_code read_job(struct model_scores *s, struct db *db,
                              const struct model_gaps_ask *ask, struct job *j, struct err *err)
{
    *j = (struct job){.n = ask->n, .level = level_of(ask), .seed = ask->seed};
    enum err_code rc = model_right_of(s, db, ask->original, ask->subset, ask->top, ask->models, ask->n,
                                      &j->right[0], err);
    return rc == OK ? model_right_of(s, db, ask->fresh, fresh_subset(ask), fresh_top(ask), ask->models, ask->n,
                                     &j->right[1], err)
                    : rc;
}

/* With the lock held: makes room for a result of the job, which has its points. */
static struct slot *keep_job(struct model_gaps *g, const struct key *key, uint64_t content,
                             struct job *j, bool ready)
{
    struct slot *slot = find(g, key, j->n);
    slot = slot ? slot : free_slot(g);
    free(slot->lines);
    j->number = ++g->numbers;
    *slot = (struct slot){.used = true,
                          .key = *key,
                          .version = {j->right[0].version, j->right[1].version},
                          .content = content,
                          .number = j->number,
                          .ready = ready,
                          .classes = j->classes,
                          .lines = xcalloc(j->n + 1, sizeof *slot->lines),
                          .mean = j->mean,
                          .n = j->n};
    memcpy(slot->lines, j->lines, j->n * sizeof *slot->lines);
    return slot;
}

/* Whether the words of one side's subset choose which classes of the other, whole side's sealed images are common. */
static bool classes_chosen(const struct model_gaps_ask *ask, const struct job *j)
{
    const struct subset *subsets[SETS] = {ask->subset, fresh_subset(ask)};
    bool found = false;
    for (int side = 0; side < SETS; side++) {
        const struct model_right *r = &j->right[side];
        bool whole = subset_is_all(subsets[side]) && !subset_is_all(subsets[1 - side]);
        for (uint32_t i = 0; i < r->n && whole; i++) {
            found = found || r->sealed[i];
        }
    }
    return found && j->classes.common > 0 && !j->classes.same;
}

/* Makes what is missing. The job's memory is released, or the thread's. */
static void make(struct model_gaps *g, const struct model_gaps_ask *ask, struct job *j,
                 struct arena *a, struct model_gaps_found *out)
{
    struct key key = key_of(ask);
    uint64_t content = content_of(j);
    bool now = ask->wait || !is_long(j);
    pthread_mutex_lock(&g->lock);
    struct slot *slot = find(g, &key, j->n);
    if (slot && slot->content == content && kept(g, slot, ask->wait)) {
        slot->version[0] = j->right[0].version;
        slot->version[1] = j->right[1].version;
        copy_out(g, slot, ask, a, out);
        pthread_mutex_unlock(&g->lock);
        job_release(j);
        return;
    }
    pthread_mutex_unlock(&g->lock);
    struct gap_ask what = ask_of(j, NULL);
    j->lines = xcalloc(j->n + 1, sizeof *j->lines);
    gap_points(&what, &j->classes, j->lines);
    j->classes.withheld = withheld(j) || classes_chosen(ask, j);
    now = now && gap_intervals(&what, &j->classes, j->lines, &j->mean);
    pthread_mutex_lock(&g->lock);
    slot = keep_job(g, &key, content, j, now);
    copy_out(g, slot, ask, a, out);
    if (!now) {
        hand_over(g, j); /* without a thread the next look tries again */
    }
    pthread_mutex_unlock(&g->lock);
    job_release(j);
}

enum err_code model_gaps_of(struct model_gaps *g, struct model_scores *s, struct db *db,
                            const struct model_gaps_ask *ask, struct arena *a,
                            struct model_gaps_found *out, struct err *err)
{
    struct key key = key_of(ask);
    uint64_t original, fresh;
    struct job j;
    enum err_code rc = model_right_version(s, db, ask->original, ask->subset, &original, err);
    rc = rc == OK ? model_right_version(s, db, ask->fresh, fresh_subset(ask), &fresh, err) : rc;
    if (rc != OK) {
        return rc;
    }
    pthread_mutex_lock(&g->lock);
    struct slot *slot = find(g, &key, ask->n);
    bool found = slot && slot->version[0] == original && slot->version[1] == fresh &&
                 kept(g, slot, ask->wait);
    if (found) {
        copy_out(g, slot, ask, a, out);
    }
    pthread_mutex_unlock(&g->lock);
    if (found) {
        return OK;
    }
    rc = read_job(s, db, ask, &j, err);
    if (rc == OK) {
        make(g, ask, &j, a, out);
    } else {
        job_release(&j);
    }
    return rc;
}

uint64_t model_gaps_made(struct model_gaps *g)
{
    pthread_mutex_lock(&g->lock);
    uint64_t made = g->made;
    pthread_mutex_unlock(&g->lock);
    return made;
}
