/* binned.c - puts a revision's images into bins once, then counts each model's ranks over them. */
#include "measures/binned.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "measures/model_scores_private.h"
#include "stats/cluster.h"

static const double ALPHA = 0.05;
enum { NO_BIN = HISTOGRAM_BINS };

struct binning { /* by position in the revision */
    const struct revision_scores *r;
    unsigned char *bin;
    uint32_t *predicted, *right1, *right5; /* models that have predicted the image; that are right about it */
};

/* ---- which bin ---- */

/* Every image that may be in one waits for its votes; the others are counted where they belong. */
static void bin_images(struct binning *b, const struct binned_ask *ask, struct binned *out)
{
    const struct revision_scores *r = b->r;
    const struct view_counts *v = ask->votes;
    struct positions at = score_positions(r);
    for (uint32_t i = 0; i < r->n; i++) {
        b->bin[i] = NO_BIN;
    }
    for (size_t i = 0; i < v->n; i++) {
        uint32_t to = v->shown[i] ? score_position(&at, v->image[i]) : NO_POSITION;
        if (to != NO_POSITION && r->class_id[to] == v->class_id[i]) {
            b->bin[to] = (unsigned char)histogram_bin(v->selected[i], v->shown[i]);
        }
    }
    for (uint32_t i = 0; i < r->n; i++) {
        bool wanted = subset_is_all(ask->subset) || subset_has(ask->subset, r->image[i], r->class_id[i]);
        bool binned = wanted && !r->sealed[i] && b->bin[i] != NO_BIN;
        out->sealed += wanted && r->sealed[i];
        out->unanswered += wanted && !r->sealed[i] && b->bin[i] == NO_BIN;
        b->bin[i] = binned ? b->bin[i] : NO_BIN;
        if (binned) {
            out->images[b->bin[i]]++;
        }
    }
    free(at.of);
}

/* ---- the models ---- */

static void count_ranks(const struct binning *b, const unsigned char *rank, struct binned_count *bins)
{
    for (uint32_t i = 0; i < b->r->n; i++) {
        if (b->bin[i] != NO_BIN && rank[i] != NO_RECORD) {
            bool first = rank[i] == 1, listed = rank[i] != 0;
            struct binned_count *c = &bins[b->bin[i]];
            c->n++;
            c->top1 += first;
            c->top5 += listed;
            b->predicted[i]++;
            b->right1[i] += first;
            b->right5[i] += listed;
        }
    }
}

static void count_models(const struct binning *b, const struct binned_ask *ask, struct binned *out)
{
    for (size_t m = 0; m < ask->n_models; m++) {
        const struct model_ranks *ranks = model_scores_find(b->r, ask->models[m]);
        out->models[m].model = ask->models[m];
        if (ranks) {
            out->models[m].k = model_scores_depth(ranks);
            count_ranks(b, ranks->rank, out->models[m].bins);
        }
    }
}

/* ---- their mean ---- */

struct moments {
    uint32_t n;
    double sum, squares;
};

static struct proportion mean_of(const struct moments *m)
{
    struct proportion p = {(double)NAN, (double)NAN, (double)NAN};
    double n = m->n;
    if (m->n) {
        p.value = m->sum / n;
    }
    if (m->n > 1) {
        double variance = fmax(0, m->squares - n * p.value * p.value) / (n - 1);
        double half = student_quantile(n - 1, 1 - ALPHA / 2) * sqrt(variance / n);
        p.lo = fmax(0, p.value - half);
        p.hi = fmin(1, p.value + half);
    }
    return p;
}

static void add_share(struct moments *m, double share)
{
    m->n++;
    m->sum += share;
    m->squares += share * share;
}

/* Whether every model's predictions go down to the fifth. */
static bool all_deep(const struct binned *b)
{
    bool deep = true;
    for (size_t m = 0; m < b->n_models; m++) {
        deep = deep && b->models[m].k >= 5;
    }
    return deep;
}

static void take_means(const struct binning *b, size_t n_models, struct binned *out)
{
    static const struct moments nothing;
    struct moments top1[HISTOGRAM_BINS] = {0}, top5[HISTOGRAM_BINS] = {0};
    bool deep = all_deep(out);
    for (uint32_t i = 0; i < b->r->n; i++) {
        if (b->bin[i] != NO_BIN && n_models && b->predicted[i] == n_models) {
            add_share(&top1[b->bin[i]], b->right1[i] / (double)n_models);
            add_share(&top5[b->bin[i]], b->right5[i] / (double)n_models);
        }
    }
    for (int k = 0; k < HISTOGRAM_BINS; k++) {
        out->mean_n[k] = top1[k].n;
        out->mean1[k] = mean_of(&top1[k]);
        out->mean5[k] = mean_of(deep ? &top5[k] : &nothing);
    }
}

/* ---- all ---- */

static void count(const struct revision_scores *r, const struct binned_ask *ask, struct binned *out)
{
    struct binning b = {.r = r, .bin = xmalloc((size_t)r->n + 1)};
    b.predicted = xcalloc(3 * ((size_t)r->n + 1), sizeof *b.predicted);
    b.right1 = b.predicted + r->n + 1;
    b.right5 = b.right1 + r->n + 1;
    bin_images(&b, ask, out);
    count_models(&b, ask, out);
    take_means(&b, ask->n_models, out);
    free(b.bin);
    free(b.predicted);
}

enum err_code binned_make(struct model_scores *s, struct db *db, const struct binned_ask *ask, struct arena *a,
                          struct binned *out, struct err *err)
{
    struct revision_scores *r;
    *out = (struct binned){.n_models = ask->n_models};
    out->models = arena_calloc(a, ask->n_models + 1, sizeof *out->models);
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, ask->revision, &r, err);
    if (rc == OK) {
        count(r, ask, out);
    }
    pthread_mutex_unlock(&s->lock);
    return rc;
}
