/* label_errors.c - model after model, what each says of an image is added to a list of the image's labels. */
#include "measures/images/label_errors.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "measures/scores/model_scores_private.h"

enum { ANSWERS_OF_MODEL = 1 << 30, CIDS = PREDICTION_NONE + 1, NO_NODE = UINT32_MAX };

struct node { /* one label of an image */
    uint32_t next, say;
    double p;
    uint16_t cid;
};
struct work {
    const struct label_errors_ask *ask;
    uint32_t n;             /* of the revision */
    uint32_t *image, *class_id;
    uint16_t *cid;          /* of the label */
    bool *means;            /* it is asked for, and not sealed */
    uint32_t *first;        /* node of each image; NO_NODE */
    struct node *nodes;
    size_t n_nodes, cap_nodes;
    double *threshold;      /* by cid: mean probability over images that have it as label; NAN: none has */
    size_t images;
};

/* ---- what is read ---- */

static void copy_fold(struct work *w, const struct revision_scores *r, uint32_t *sealed)
{
    w->n = r->n;
    w->image = xcalloc((size_t)r->n + 1, sizeof *w->image);
    w->class_id = xcalloc((size_t)r->n + 1, sizeof *w->class_id);
    w->cid = xcalloc((size_t)r->n + 1, sizeof *w->cid);
    w->means = xcalloc((size_t)r->n + 1, sizeof *w->means);
    w->first = xcalloc((size_t)r->n + 1, sizeof *w->first);
    for (uint32_t i = 0; i < r->n; i++) {
        bool means = score_fold_means(r, w->ask->subset, i);
        w->image[i] = r->image[i];
        w->class_id[i] = r->class_id[i];
        w->cid[i] = r->cid[i];
        w->means[i] = means && !r->sealed[i];
        w->first[i] = NO_NODE;
        w->images += w->means[i];
        *sealed += means && r->sealed[i];
    }
}

static void note(struct work *w, uint32_t at, uint16_t cid, double p, bool first)
{
    uint32_t k = w->first[at];
    while (k != NO_NODE && w->nodes[k].cid != cid) {
        k = w->nodes[k].next;
    }
    if (k == NO_NODE) {
        xgrow(&w->nodes, &w->cap_nodes, w->n_nodes + 1, sizeof *w->nodes);
        k = (uint32_t)w->n_nodes++;
        w->nodes[k] = (struct node){.next = w->first[at], .cid = cid};
        w->first[at] = k;
    }
    w->nodes[k].p += p;
    w->nodes[k].say += first;
}

static void note_model(struct work *w, const struct model_answer *answers, bool scored)
{
    for (uint32_t at = 0; at < w->n; at++) {
        const struct model_answer *m = &answers[at];
        for (int k = 0; w->means[at] && k < m->k; k++) {
            if (m->p.labels[k] != PREDICTION_NONE && (scored || k == 0)) {
                note(w, at, m->p.labels[k], scored ? (double)m->p.scores[k] : 0, k == 0);
            }
        }
    }
}

/* Whether the model has predicted every image; whether all of that with probabilities. */
static bool covers(const struct work *w, const struct model_answer *answers, bool *scored)
{
    size_t n = 0;
    *scored = true;
    for (uint32_t at = 0; at < w->n; at++) {
        n += w->means[at] && answers[at].source;
        *scored = *scored && (!w->means[at] || answers[at].scored);
    }
    return n == w->images && n > 0;
}

static enum err_code read_models(struct work *w, struct model_scores *s, struct db *db, struct label_errors *out, struct err *err)
{
    struct arena a;
    enum err_code rc = OK;
    for (size_t m = 0; m < w->ask->n_models && rc == OK; m++) {
        struct model_answer *answers;
        size_t n = 0;
        bool scored;
        arena_init(&a, ANSWERS_OF_MODEL);
        rc = model_scores_answers(s, db, w->ask->revision, w->ask->models[m], &a, &answers, &n, err);
        if (rc == OK && n == w->n && covers(w, answers, &scored)) {
            note_model(w, answers, scored);
            out->models++;
            out->scored += scored;
        }
        arena_release(&a);
    }
    return rc;
}

/* ---- what is made of it ---- */

static const struct node *node_of(const struct work *w, uint32_t at, uint16_t cid)
{
    for (uint32_t k = w->first[at]; k != NO_NODE; k = w->nodes[k].next) {
        if (w->nodes[k].cid == cid) {
            return &w->nodes[k];
        }
    }
    return NULL;
}

static void find_thresholds(struct work *w, uint32_t scored)
{
    uint32_t *n = xcalloc(CIDS, sizeof *n);
    w->threshold = xcalloc(CIDS, sizeof *w->threshold);
    for (uint32_t at = 0; at < w->n && scored; at++) {
        if (w->means[at]) {
            const struct node *own = node_of(w, at, w->cid[at]);
            w->threshold[w->cid[at]] += own ? own->p / scored : 0;
            n[w->cid[at]]++;
        }
    }
    for (size_t cid = 0; cid < CIDS; cid++) {
        w->threshold[cid] = n[cid] ? w->threshold[cid] / n[cid] : (double)NAN;
    }
    free(n);
}

static bool stronger(const struct node *x, const struct node *y)
{
    return !y || (x->p != y->p ? x->p > y->p : x->say != y->say ? x->say > y->say : x->cid < y->cid);
}

static bool is_likely(const struct work *w, uint32_t at, const struct label_errors *all)
{
    const struct node *best = NULL;
    for (uint32_t k = w->first[at]; k != NO_NODE; k = w->nodes[k].next) {
        const struct node *node = &w->nodes[k];
        bool counts = all->scored ? node->p / all->scored >= w->threshold[node->cid] : 2 * (uint64_t)node->say > all->models;
        best = counts && stronger(node, best) ? node : best;
    }
    return best && best->cid != w->cid[at];
}

static struct label_error error_of(const struct work *w, uint32_t at, const struct label_errors *all)
{
    const struct node *own = node_of(w, at, w->cid[at]), *other = NULL;
    for (uint32_t k = w->first[at]; k != NO_NODE; k = w->nodes[k].next) {
        other = w->nodes[k].cid != w->cid[at] && stronger(&w->nodes[k], other) ? &w->nodes[k] : other;
    }
    return (struct label_error){
        .image = w->image[at], .class_id = w->class_id[at],
        .confidence = all->scored ? (own ? own->p / all->scored : 0) : (double)NAN,
        .say = own ? own->say : 0, .other = other ? other->cid : PREDICTION_NONE,
        .other_confidence = all->scored && other ? other->p / all->scored : (double)NAN,
        .other_say = other ? other->say : 0, .likely = is_likely(w, at, all)};
}

/* Below all others where there is none: NAN has no place in an order. */
static double known(double confidence)
{
    return isnan(confidence) ? -1 : confidence;
}

static int rising(double x, double y)
{
    return (x > y) - (x < y);
}

struct placed {
    struct label_error e;
    uint32_t at; /* position in the revision */
};

static int most_doubtful_first(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    int way = rising(known(x->e.confidence), known(y->e.confidence));
    way = way ? way : rising(x->e.say, y->e.say);
    way = way ? way : rising(known(y->e.other_confidence), known(x->e.other_confidence));
    way = way ? way : rising(y->e.other_say, x->e.other_say);
    return way ? way : rising(x->at, y->at);
}

static void make_list(struct work *w, struct arena *a, struct label_errors *out)
{
    struct placed *list = xcalloc(w->images + 1, sizeof *list);
    find_thresholds(w, out->scored);
    for (uint32_t at = 0; at < w->n; at++) {
        if (w->means[at]) {
            list[out->n] = (struct placed){error_of(w, at, out), at};
            out->likely += list[out->n++].e.likely;
        }
    }
    if (out->n) {
        qsort(list, out->n, sizeof *list, most_doubtful_first);
    }
    out->list = arena_alloc(a, (out->n + 1) * sizeof *out->list);
    for (size_t i = 0; i < out->n; i++) {
        out->list[i] = list[i].e;
    }
    free(list);
}

enum err_code label_errors_make(struct model_scores *s, struct db *db, const struct label_errors_ask *ask, struct arena *a,
                                struct label_errors *out, struct err *err)
{
    struct work w = {.ask = ask};
    struct revision_scores *r;
    *out = (struct label_errors){.n = 0};
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, ask->revision, NULL, &r, err);
    if (rc == OK) {
        copy_fold(&w, r, &out->sealed);
    }
    pthread_mutex_unlock(&s->lock);
    rc = rc == OK ? read_models(&w, s, db, out, err) : rc;
    if (rc == OK && out->models) {
        make_list(&w, a, out);
    }
    free(w.image);
    free(w.class_id);
    free(w.cid);
    free(w.means);
    free(w.first);
    free(w.nodes);
    free(w.threshold);
    return rc;
}
