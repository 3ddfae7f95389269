/* image_answers.c - a pass over the first answers of all models, image by image, with a counter for each class. */
#include "measures/images/image_answers.h"

#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/xalloc.h"
#include "measures/scores/model_scores_private.h"
#include "store/classes/classes.h"

enum { CIDS = PREDICTION_NONE + 1, BLOCK = 256 /* images whose answers are gathered at once */ };

struct pass {
    const struct revision_scores *r;
    const struct image_answers_ask *ask;
    const struct model_ranks **models;
    size_t n_models;
    bool *asked;       /* by cid, of ask->said; NULL: any */
    double *times_log; /* c log2 c */
    uint32_t *count;   /* by cid; zero between images */
    uint32_t *at;      /* positions that are passed over */
    uint32_t n, sealed;
};
/* The answers about one image. */
struct answers {
    const uint16_t *said; /* n_models of them */
    uint32_t position, right;
};
typedef void (*each_image)(struct pass *p, const struct answers *w, void *arg);

/* Which predictions name a class of the subset. */
static enum err_code read_said(struct pass *p, struct db *db, struct err *err)
{
    struct arena a;
    struct class_info *list;
    size_t n = 0;
    if (!p->ask->said) {
        return OK;
    }
    arena_init(&a, (size_t)1 << 28);
    enum err_code rc = classes_list(db, &a, &list, &n, err);
    p->asked = xcalloc(CIDS, sizeof *p->asked);
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (list[i].cid >= 0 && list[i].cid < PREDICTION_NONE) {
            p->asked[list[i].cid] = subset_has(p->ask->said, 0, list[i].id);
        }
    }
    arena_release(&a);
    return rc;
}

static void begin(struct pass *p)
{
    const struct revision_scores *r = p->r;
    p->models = xcalloc(p->ask->n_models + 1, sizeof *p->models);
    p->times_log = xcalloc(p->ask->n_models + 1, sizeof *p->times_log);
    p->count = xcalloc(CIDS, sizeof *p->count);
    p->at = xcalloc((size_t)r->n + 1, sizeof *p->at);
    for (size_t m = 0; m < p->ask->n_models; m++) {
        const struct model_ranks *ranks = model_scores_find(r, p->ask->models[m]);
        p->times_log[m + 1] = (double)(m + 1) * log2((double)(m + 1));
        if (ranks) {
            p->models[p->n_models++] = ranks;
        }
    }
    for (uint32_t i = 0; i < r->n; i++) {
        if (score_fold_means(r, p->ask->subset, i)) {
            p->sealed += r->sealed[i];
            p->at[p->n] = i;
            p->n += !r->sealed[i];
        }
    }
}

static void end(struct pass *p)
{
    free(p->models);
    free(p->times_log);
    free(p->count);
    free(p->at);
    free(p->asked);
}

static bool wanted(const struct pass *p, const uint16_t *said)
{
    bool any = !p->asked;
    for (size_t m = 0; m < p->n_models && !any; m++) {
        any = p->asked[said[m]];
    }
    return any;
}

/* Model by model within a block of images, for each model's answers lie together. */
static void walk(struct pass *p, each_image each, void *arg)
{
    uint16_t *said = xcalloc((p->n_models + 1) * BLOCK, sizeof *said);
    uint32_t right[BLOCK];
    unsigned char deepest = p->ask->top == 1 ? 1 : PREDICTION_K;
    for (uint32_t from = 0; from < p->n; from += BLOCK) {
        uint32_t n = p->n - from < BLOCK ? p->n - from : BLOCK;
        for (uint32_t i = 0; i < n; i++) {
            right[i] = 0;
        }
        for (size_t m = 0; m < p->n_models; m++) {
            const struct model_ranks *ranks = p->models[m];
            for (uint32_t i = 0; i < n; i++) {
                uint32_t at = p->at[from + i];
                said[i * p->n_models + m] = score_fold_first(ranks, at);
                right[i] += ranks->rank[at] >= 1 && ranks->rank[at] <= deepest;
            }
        }
        for (uint32_t i = 0; i < n; i++) {
            const struct answers w = {said + i * p->n_models, p->at[from + i], right[i]};
            if (wanted(p, w.said)) {
                each(p, &w, arg);
            }
        }
    }
    free(said);
}

static enum err_code pass_over(struct model_scores *s, struct db *db, const struct image_answers_ask *ask, each_image each,
                               void *arg, uint32_t *sealed, struct err *err)
{
    struct revision_scores *r;
    struct pass p = {.ask = ask};
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, ask->revision, model_scores_labels(ask->subset), &r, err);
    rc = rc == OK ? read_said(&p, db, err) : rc;
    if (rc == OK) {
        p.r = r;
        begin(&p);
        walk(&p, each, arg);
    }
    pthread_mutex_unlock(&s->lock);
    *sealed = p.sealed;
    end(&p);
    return rc;
}

/* ---- images ---- */

struct image_list {
    struct image_answer *list;
    size_t n, cap;
};

static void add_image(struct pass *p, const struct answers *w, void *arg)
{
    struct image_list *l = arg;
    struct image_answer out = {.image = p->r->image[w->position], .class_id = p->r->class_id[w->position], .right = w->right,
                               .disagreement = (double)NAN, .most_said = PREDICTION_NONE};
    double sum = 0;
    for (size_t m = 0; m < p->n_models; m++) {
        out.predicted += w->said[m] != PREDICTION_NONE;
        out.named += w->said[m] != PREDICTION_NONE && p->count[w->said[m]] == 0;
        p->count[w->said[m]]++;
    }
    for (size_t m = 0; m < p->n_models; m++) {
        uint16_t cid = w->said[m];
        uint32_t c = cid == PREDICTION_NONE ? 0 : p->count[cid];
        if (c > out.said_by || (c && c == out.said_by && cid < out.most_said)) {
            out.said_by = c;
            out.most_said = cid;
        }
        sum += p->times_log[c];
        p->count[cid] = 0;
    }
    if (out.predicted) {
        out.disagreement = fmax(0, log2(out.predicted) - sum / out.predicted);
    }
    xgrow(&l->list, &l->cap, l->n + 1, sizeof *l->list);
    l->list[l->n++] = out;
}

enum err_code image_answers_make(struct model_scores *s, struct db *db, const struct image_answers_ask *ask,
                                 struct arena *a, struct image_answers *out, struct err *err)
{
    struct image_list found = {.n = 0};
    *out = (struct image_answers){.n = 0};
    enum err_code rc = pass_over(s, db, ask, add_image, &found, &out->sealed, err);
    if (rc == OK) {
        out->list = arena_calloc(a, found.n + 1, sizeof *out->list);
        for (size_t i = 0; i < found.n; i++) {
            out->list[i] = found.list[i];
        }
        out->n = found.n;
    }
    free(found.list);
    return rc;
}

/* ---- classes for classes ---- */

struct pair_counts {
    struct map_u64 at;      /* class and cid -> place in the list */
    struct map_u64 answers; /* class -> answers about its images */
    struct confusion *list;
    size_t n, cap;
};

static void add_pair(struct pair_counts *c, uint32_t class_id, uint16_t said, uint32_t answers)
{
    uint32_t at = map_u64_put(&c->at, (uint64_t)class_id << 16 | said, (uint32_t)c->n);
    if (at == c->n) {
        xgrow(&c->list, &c->cap, c->n + 1, sizeof *c->list);
        c->list[c->n++] = (struct confusion){.class_id = class_id, .said = said};
    }
    c->list[at].answers += answers;
    c->list[at].images++;
}

static void add_confusions(struct pass *p, const struct answers *w, void *arg)
{
    struct pair_counts *c = arg;
    uint32_t class_id = p->r->class_id[w->position], predicted = 0;
    uint16_t label = p->r->cid[w->position];
    for (size_t m = 0; m < p->n_models; m++) {
        predicted += w->said[m] != PREDICTION_NONE;
        p->count[w->said[m]]++;
    }
    for (size_t m = 0; m < p->n_models; m++) {
        uint16_t cid = w->said[m];
        if (p->count[cid] && cid != label && cid != PREDICTION_NONE) {
            add_pair(c, class_id, cid, p->count[cid]);
        }
        p->count[cid] = 0;
    }
    uint32_t before = map_u64_get(&c->answers, class_id);
    map_u64_set(&c->answers, class_id, (before == MAP_NONE ? 0 : before) + predicted);
}

static int most_answers(const void *a, const void *b)
{
    const struct confusion *x = a, *y = b;
    return x->answers != y->answers     ? (x->answers < y->answers) - (x->answers > y->answers)
           : x->class_id != y->class_id ? (x->class_id > y->class_id) - (x->class_id < y->class_id)
                                        : (x->said > y->said) - (x->said < y->said);
}

enum err_code confusions_make(struct model_scores *s, struct db *db, const struct image_answers_ask *ask, size_t most,
                              struct arena *a, struct confusions *out, struct err *err)
{
    struct pair_counts c = {.n = 0};
    *out = (struct confusions){.n = 0};
    map_u64_init(&c.at);
    map_u64_init(&c.answers);
    enum err_code rc = pass_over(s, db, ask, add_confusions, &c, &out->sealed, err);
    if (rc == OK && c.n) {
        qsort(c.list, c.n, sizeof *c.list, most_answers);
    }
    out->pairs = c.n;
    out->n = rc == OK && c.n > most ? most : c.n;
    out->list = arena_calloc(a, out->n + 1, sizeof *out->list);
    for (size_t i = 0; i < out->n; i++) {
        out->list[i] = c.list[i];
        out->list[i].of_answers = map_u64_get(&c.answers, c.list[i].class_id);
    }
    map_u64_release(&c.at);
    map_u64_release(&c.answers);
    free(c.list);
    return rc;
}
