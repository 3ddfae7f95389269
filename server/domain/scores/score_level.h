/* score_level.h - how sure the intervals of tables of scores are: as the papers have them, 95 % (Recht et al., tables 15
 * to 20) or 99.5 % (Shankar et al. plot those). Pure. */
#ifndef DOMAIN_SCORE_LEVEL_H
#define DOMAIN_SCORE_LEVEL_H

#include <stdint.h>

#include "base/sv.h"

struct score_level {
    const char *word, *label; /* in options and addresses; as "95 %" */
    double alpha;             /* of Clopper-Pearson: one minus the level */
    uint32_t tail;            /* of resamples: one in so many is beyond either bound */
    uint32_t resamples;       /* how many make that bound as steady as 1,000 make one of 95 % */
};
/* The usual one first; ends with a row without word. */
extern const struct score_level score_levels[];
/* By name; an empty one is the usual level. "0.95" may be written ".95". Returns NULL for an unknown name. */
const struct score_level *score_level_named(struct sv word);

#endif
