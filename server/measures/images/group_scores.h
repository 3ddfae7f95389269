/* group_scores.h - how models do on a set group by group: each image in one group (a class, a bin of a statistic) or in
 * none. Images that a sealed revision has are in none, for groups of one's own choice would tell one of them by
 * subtraction (measures/core/subset.h); they are counted instead. One pass over the kept fold. */
#ifndef MEASURES_GROUP_SCORES_H
#define MEASURES_GROUP_SCORES_H

#include "measures/scores/mean_share.h"
#include "measures/scores/model_scores.h"

#define NO_GROUP UINT32_MAX
struct group_ask {
    const struct revision_row *revision;
    const struct subset *subset; /* of its images; NULL: all */
    const int64_t *models;
    size_t n_models;
    int top;                     /* 1 or 5 */
    size_t n_groups;
    uint32_t (*group)(const void *arg, uint32_t image, uint32_t class_id); /* below n_groups, or NO_GROUP */
    const void *arg;
};
struct group_score {
    uint32_t images;
    struct mean_share mean; /* over the images that all models have predicted */
};
struct group_scores {
    struct group_score *groups; /* n_groups of them, in the caller's arena */
    uint32_t outside, sealed;   /* images (of the subset) in no group, but for sealed ones; sealed ones */
};
/* ERR_DENIED (rule "set-sealed"). A model whose predictions do not go down to `top` is right where they do. */
enum err_code group_scores_make(struct model_scores *s, struct db *db, const struct group_ask *ask, struct arena *a,
                                struct group_scores *out, struct err *err);

#endif
