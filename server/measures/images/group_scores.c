/* group_scores.c - adds every model's ranks up image by image, then the images group by group. */
#include "measures/images/group_scores.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "measures/scores/model_scores_private.h"

struct image_count {
    uint32_t at, group;        /* its position in the revision */
    uint32_t predicted, right; /* models that have predicted it; that are right about it */
};
struct grouping {
    struct image_count *images; /* those of a group */
    uint32_t n;
};

static void group_images(const struct revision_scores *r, const struct group_ask *ask, struct grouping *g,
                         struct group_scores *out)
{
    g->images = xcalloc((size_t)r->n + 1, sizeof *g->images);
    for (uint32_t i = 0; i < r->n; i++) {
        if (!score_fold_means(r, ask->subset, i)) {
            continue;
        }
        uint32_t group = r->sealed[i] ? NO_GROUP : ask->group(ask->arg, r->image[i], r->class_id[i]);
        out->sealed += r->sealed[i];
        out->outside += !r->sealed[i] && group == NO_GROUP;
        if (group != NO_GROUP) {
            out->groups[group].images++;
            g->images[g->n++] = (struct image_count){.at = i, .group = group};
        }
    }
}

static void count_model(const struct model_ranks *m, int top, struct grouping *g)
{
    for (uint32_t i = 0; i < g->n; i++) {
        struct image_count *c = &g->images[i];
        unsigned char rank = m->rank[c->at];
        c->predicted += rank != NO_RECORD;
        c->right += rank >= 1 && rank <= (top == 1 ? 1 : PREDICTION_K);
    }
}

static void count(const struct revision_scores *r, const struct group_ask *ask, struct group_scores *out)
{
    struct grouping g = {.n = 0};
    group_images(r, ask, &g, out);
    for (size_t m = 0; m < ask->n_models; m++) {
        const struct model_ranks *ranks = model_scores_find(r, ask->models[m]);
        if (ranks) {
            count_model(ranks, ask->top, &g);
        }
    }
    for (uint32_t i = 0; i < g.n && ask->n_models; i++) {
        const struct image_count *c = &g.images[i];
        if (c->predicted == ask->n_models) {
            mean_share_add(&out->groups[c->group].mean, c->right / (double)ask->n_models);
        }
    }
    free(g.images);
}

enum err_code group_scores_make(struct model_scores *s, struct db *db, const struct group_ask *ask, struct arena *a,
                                struct group_scores *out, struct err *err)
{
    struct revision_scores *r;
    *out = (struct group_scores){.groups = arena_calloc(a, ask->n_groups + 1, sizeof *out->groups)};
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, ask->revision, model_scores_labels(ask->subset), &r, err);
    if (rc == OK) {
        count(r, ask, out);
    }
    pthread_mutex_unlock(&s->lock);
    return rc;
}
