/* share_scale.h - scales on which shares (accuracies, frequencies) are compared: Recht et al. 2019 fit lines on the first
 * two, Taori et al. 2020 on all three. Pure functions. */
#ifndef STATS_SHARE_SCALE_H
#define STATS_SHARE_SCALE_H

#include <stdbool.h>

#include "base/sv.h"

enum share_scale {
    SHARE_LINEAR, /* percent */
    SHARE_PROBIT, /* the normal distribution's quantile of the share */
    SHARE_LOGIT,  /* ln(p / (1 - p)) */
};

/* "linear", "probit", "logit". */
const char *share_scale_word(enum share_scale scale);
bool share_scale_read(struct sv word, enum share_scale *out);

/* Whether a share, 0 to 1, has a place: 0 and 1 are infinitely far away but for SHARE_LINEAR. */
bool share_scale_takes(enum share_scale scale, double share);
/* Its place, and the share that has a place. */
double share_scale_at(enum share_scale scale, double share);
double share_scale_inverse(enum share_scale scale, double at);

#endif
