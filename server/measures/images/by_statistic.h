/* by_statistic.h - accuracy and gap by a statistic of the picture (sharpness, pixels, saturation ...): whether a new set is
 * harder because its images are smaller or more blurred. Bins are the fifths of the originals' images by that statistic (of
 * the only set's, without originals), so that both sets are compared among images that look alike; what lies beyond is in the
 * first or last bin, and equal values are in one bin, the lower. Images without the statistic and those that a sealed
 * revision has are in none. */
#ifndef MEASURES_BY_STATISTIC_H
#define MEASURES_BY_STATISTIC_H

#include "measures/images/group_scores.h"
#include "record/record.h"
#include "store/images/statistic.h"

enum { STATISTIC_SETS = 2, STATISTIC_BINS = 5 };

struct by_statistic_ask {
    const struct revision_row *sets[STATISTIC_SETS]; /* originals, new; NULL: there is none; at least one is there */
    const struct subset *subset;
    const int64_t *models;
    size_t n_models;
    int top;
    enum image_statistic which;
};
struct statistic_side {
    uint32_t images, n;      /* in the bin; of them those that all models have predicted */
    struct proportion share; /* mean over the models, 95 % (mean_share.h: Clopper and Pearson of one model); NAN without images */
};
struct statistic_bin {       /* values above `from` (of the first bin: from it) up to `to` */
    uint32_t bin;
    double from, to;
    struct statistic_side original, fresh;
    struct proportion gap;   /* original minus new in points, 95 % by Newcombe 1998 of both intervals; NAN: a side has none */
};
struct by_statistic {        /* in the caller's arena */
    struct statistic_bin *bins;
    size_t n;                /* at most STATISTIC_BINS; 0: nothing is measured */
    uint32_t unmeasured[STATISTIC_SETS], sealed[STATISTIC_SETS];
};
/* ERR_DENIED (rule "set-sealed"). */
enum err_code by_statistic_make(struct model_scores *s, struct db *db, const struct by_statistic_ask *ask, struct arena *a,
                                struct by_statistic *out, struct err *err);
/* Rows are struct statistic_bin. */
extern const struct record statistic_bin_record;

#endif
