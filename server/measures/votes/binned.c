/* binned.c - puts a revision's images into bins once, then counts each model's ranks over them. */
#include "measures/votes/binned.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "measures/scores/mean_share.h"
#include "measures/scores/model_scores_private.h"

enum { NO_BIN = HISTOGRAM_BINS };

struct binned_image {
    uint32_t at;                       /* its position in the revision */
    uint32_t bin;
    uint32_t predicted, right1, right5; /* models that have predicted it; that are right about it */
};
struct binning {
    const struct revision_scores *r;
    struct binned_image *images; /* those that are in a bin, in the revision's order */
    uint32_t n;
};

/* ---- which bin ---- */

/* By position; NO_BIN without votes. On the heap. */
static unsigned char *bins_of(const struct revision_scores *r, const struct view_counts *v)
{
    struct positions at = score_positions(r);
    unsigned char *bin = xmalloc((size_t)r->n + 1);
    memset(bin, NO_BIN, (size_t)r->n + 1);
    for (size_t i = 0; i < v->n; i++) {
        uint32_t to = v->shown[i] ? score_position(&at, v->image[i]) : NO_POSITION;
        if (to != NO_POSITION && r->class_id[to] == v->class_id[i]) {
            bin[to] = (unsigned char)histogram_bin(v->selected[i], v->shown[i]);
        }
    }
    free(at.of);
    return bin;
}

static void bin_images(struct binning *b, const struct binned_ask *ask, struct binned *out)
{
    const struct revision_scores *r = b->r;
    unsigned char *bin = bins_of(r, ask->votes);
    b->images = xcalloc((size_t)r->n + 1, sizeof *b->images);
    for (uint32_t i = 0; i < r->n; i++) {
        if (!score_fold_means(r, ask->subset, i)) {
            continue;
        }
        if (r->sealed[i]) {
            out->sealed++;
        } else if (bin[i] == NO_BIN) {
            out->unanswered++;
        } else {
            out->images[bin[i]]++;
            b->images[b->n++] = (struct binned_image){.at = i, .bin = bin[i]};
        }
    }
    free(bin);
}

/* ---- the models ---- */

static void count_ranks(const struct binning *b, const unsigned char *rank, struct binned_count *bins)
{
    for (uint32_t i = 0; i < b->n; i++) {
        struct binned_image *m = &b->images[i];
        unsigned char is = rank[m->at];
        bool known = is != NO_RECORD, first = is == 1, listed = known && is != 0;
        struct binned_count *c = &bins[m->bin];
        c->n += known;
        c->top1 += first;
        c->top5 += listed;
        m->predicted += known;
        m->right1 += first;
        m->right5 += listed;
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
    static const struct mean_share nothing;
    struct mean_share top1[HISTOGRAM_BINS] = {0}, top5[HISTOGRAM_BINS] = {0};
    bool deep = all_deep(out);
    for (uint32_t i = 0; i < b->n; i++) {
        const struct binned_image *m = &b->images[i];
        if (n_models && m->predicted == n_models) {
            mean_share_add(&top1[m->bin], m->right1 / (double)n_models);
            mean_share_add(&top5[m->bin], m->right5 / (double)n_models);
        }
    }
    for (int k = 0; k < HISTOGRAM_BINS; k++) {
        out->mean_n[k] = top1[k].n;
        out->mean1[k] = mean_share_of(&top1[k], n_models == 1);
        out->mean5[k] = mean_share_of(deep ? &top5[k] : &nothing, n_models == 1);
    }
}

/* ---- all ---- */

static void count(const struct revision_scores *r, const struct binned_ask *ask, struct binned *out)
{
    struct binning b = {.r = r};
    bin_images(&b, ask, out);
    count_models(&b, ask, out);
    take_means(&b, ask->n_models, out);
    free(b.images);
}

enum err_code binned_make(struct model_scores *s, struct db *db, const struct binned_ask *ask, struct arena *a,
                          struct binned *out, struct err *err)
{
    struct revision_scores *r;
    *out = (struct binned){.n_models = ask->n_models};
    out->models = arena_calloc(a, ask->n_models + 1, sizeof *out->models);
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, ask->revision, model_scores_labels(ask->subset), &r, err);
    if (rc == OK) {
        count(r, ask, out);
    }
    pthread_mutex_unlock(&s->lock);
    return rc;
}
