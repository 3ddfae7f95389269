/* held_out.h - what a design with fewer answers would have chosen, measured on the answers that it
 * did not use. Pure computation; called by measures/votes/matching_bias.c.
 *
 * A design keeps n' of an image's n answers, drawn without replacement, bins or ranks the
 * candidates of a class by these and chooses as the set's strategy does; the n - n' others, which
 * had no part in that, say what the chosen are truly like. Nothing is drawn here: how often n' of n
 * answers hold k' ticks is known, so for every image the mean over all draws is taken, and for
 * every bin the mean over all choices. */
#ifndef MEASURES_HELD_OUT_H
#define MEASURES_HELD_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "domain/sampling/sampling.h"
#include "stats/spread.h"

enum { HELD_OUT_BINS = 41, HELD_OUT_DESIGNS = 20 };

struct held_out_rules {
    enum sample_strategy
        strategy; /* not SAMPLE_KEYWORD: that chooses by nothing that was voted on */
    bool upward;
    uint32_t size;                 /* images per class */
    double kept[HELD_OUT_DESIGNS]; /* share of its answers that an image keeps, in (0, 1) */
    unsigned n;
};

/* What thinning an image of so many answers gives, kept for the next image with the same. */
struct held_out;
struct held_out *held_out_new(const struct held_out_rules *r);
void held_out_free(struct held_out *h);

/* One class: its candidates and originals as cells. Images with one answer have none to hold out
 * and are left out. */
struct held_out_class {
    const struct spread_cell *pool, *originals;
    size_t n_pool, n_originals;
    double threshold;     /* `threshold`: of the class */
    double original_mean; /* mean frequency of its originals */
};
/* Sums over the images that a design chooses. */
struct held_out_sums {
    double chosen;   /* how many */
    double kept;     /* their frequencies over the answers that chose them */
    double held;     /* over the others */
    double original; /* mean frequency of the originals of their class */
    double answers;  /* held out of the chosen */
};
/* Adds the class to the sums of each design. */
void held_out_add(struct held_out *h, const struct held_out_class *c, struct held_out_sums *sums);

#endif
