/* worker_groups.h - votes counted by image, and again without each of several equally large groups
 * of workers with all their votes: what the delete-a-group jackknife (stats/jackknife.h) is made
 * of. Pure computation on arrays. */
#ifndef MEASURES_WORKER_GROUPS_H
#define MEASURES_WORKER_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct bias_vote {   /* one answer about one image under its own class */
    uint32_t image;  /* index */
    uint32_t worker; /* from 0 */
    bool selected;
};
struct worker_groups_ask {
    const struct bias_vote *votes;
    size_t n_votes, n_images;
    uint32_t n_workers;
    unsigned groups; /* 0: the usual 50; at most WORKER_GROUPS_MOST. Fewer workers than that: one by
                        one */
    uint64_t seed;   /* who is in which group */
};
enum { WORKER_GROUPS_USUAL = 50, WORKER_GROUPS_MOST = 1000 };
struct worker_groups {
    size_t n_images;
    uint32_t *shown, *selected; /* by image, all votes */
    uint32_t *ballots;          /* image << 1 | selected, by group */
    size_t *from;               /* those of group g are [from[g], from[g + 1]) */
    unsigned groups, workers;   /* workers who voted */
};
/* In the arena. Images are fewer than 2^31. */
void worker_groups_make(const struct worker_groups_ask *ask, struct arena *a,
                        struct worker_groups *out);
/* Fills shown[n_images] and selected[n_images] with the votes of all but the group; `group` out of
 * range: of all. */
void worker_groups_without(const struct worker_groups *w, size_t group, uint32_t *shown,
                           uint32_t *selected);

#endif
