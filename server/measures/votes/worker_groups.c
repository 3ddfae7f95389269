/* worker_groups.c - workers dealt out to groups, votes sorted by them. */
#include "measures/votes/worker_groups.h"

#include <string.h>

#include "base/err.h"
#include "base/rng.h"

/* Workers who voted in a drawn order, dealt out to the groups. */
static uint32_t *deal_workers(const struct worker_groups_ask *in, struct worker_groups *w,
                              struct arena *a)
{
    uint32_t *group = arena_calloc(a, in->n_workers + 1, sizeof *group);
    uint32_t *who = arena_calloc(a, in->n_workers + 1, sizeof *who);
    struct rng rng;
    for (size_t i = 0; i < in->n_votes; i++) {
        group[in->votes[i].worker] = 1;
    }
    for (uint32_t i = 0; i < in->n_workers; i++) {
        if (group[i]) {
            who[w->workers++] = i;
        }
    }
    unsigned most = in->groups ? in->groups : WORKER_GROUPS_USUAL;
    most = most < WORKER_GROUPS_MOST ? most : WORKER_GROUPS_MOST;
    w->groups = w->workers < most ? w->workers : most;
    rng_seed(&rng, in->seed);
    rng_shuffle_u32(&rng, who, w->workers);
    for (uint32_t i = 0; i < w->workers; i++) {
        group[who[i]] = i % w->groups;
    }
    return group;
}

void worker_groups_make(const struct worker_groups_ask *in, struct arena *a,
                        struct worker_groups *w)
{
    BUG_IF(in->n_images >> 31);
    *w = (struct worker_groups){.n_images = in->n_images};
    uint32_t *group = deal_workers(in, w, a);
    w->shown = arena_calloc(a, in->n_images + 1, sizeof *w->shown);
    w->selected = arena_calloc(a, in->n_images + 1, sizeof *w->selected);
    w->ballots = arena_calloc(a, in->n_votes + 1, sizeof *w->ballots);
    w->from = arena_calloc(a, w->groups + 2, sizeof *w->from);
    for (size_t i = 0; i < in->n_votes; i++) {
        const struct bias_vote *v = &in->votes[i];
        w->shown[v->image]++;
        w->selected[v->image] += v->selected;
        w->from[group[v->worker] + 2]++;
    }
    for (unsigned g = 2; g <= w->groups; g++) {
        w->from[g] += w->from[g - 1];
    }
    for (size_t i = 0; i < in->n_votes; i++) {
        const struct bias_vote *v = &in->votes[i];
        w->ballots[w->from[group[v->worker] + 1]++] = v->image << 1 | v->selected;
    }
}

void worker_groups_without(const struct worker_groups *w, size_t group, uint32_t *shown,
                           uint32_t *selected)
{
    memcpy(shown, w->shown, w->n_images * sizeof *shown);
    memcpy(selected, w->selected, w->n_images * sizeof *selected);
    for (size_t i = group < w->groups ? w->from[group] : 0;
         group < w->groups && i < w->from[group + 1]; i++) {
        shown[w->ballots[i] >> 1]--;
        selected[w->ballots[i] >> 1] -= w->ballots[i] & 1;
    }
}
