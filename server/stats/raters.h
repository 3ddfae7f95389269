/* raters.h - how far several people who judged the same items agree, beyond what chance would give. Judgements are
 * names: one is not nearer to another than a third. Pure functions; two people: kappa.h. */
#ifndef STATS_RATERS_H
#define STATS_RATERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "stats/binomial.h"

enum { RATERS_NONE = 0xFFFF };
struct ratings {
    size_t items, people, categories;
    const uint16_t *said; /* [item * people + who]: the category; RATERS_NONE: that person did not judge it */
    const size_t *cluster; /* [clusters + 1]: the first item of each, and the end, for items that belong together (labels of
                              one image): the bootstrap draws whole clusters. NULL: every item is one */
    size_t clusters;
};
enum raters_figure {
    RATERS_FLEISS,      /* Fleiss' kappa (1971), over the items that as many judged as any */
    RATERS_KRIPPENDORFF /* Krippendorff's alpha for names (2011), over the items that at least two judged */
};
struct raters_agreement {
    size_t items;         /* that the figure is about */
    unsigned people;      /* the most that judged an item */
    struct proportion at; /* at most 1; NAN: nothing was judged twice, or everybody always said the same one thing */
};
/* The figure with its interval at 1 - alpha from `draws` bootstrap samples of clusters (stats/percentile.h; a draw without a
 * figure is drawn again, and NAN stands for bounds when a hundred times as many do not give enough). The same seed gives
 * the same interval. A draw takes at most as many steps as there are judgements; scratch from `a`: 8 bytes for each of them
 * and for each draw, 40 for each cluster. */
struct raters_agreement raters_agree(const struct ratings *r, enum raters_figure f, size_t draws, uint64_t seed,
                                     double alpha, struct arena *a);

#endif
