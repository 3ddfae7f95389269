/* sampling_private.h - what sampling.c and the strategies with several cells (sampling_*.c) share. */
#ifndef DOMAIN_SAMPLING_PRIVATE_H
#define DOMAIN_SAMPLING_PRIVATE_H

#include "base/rng.h"
#include "domain/sampling/sampling.h"

/* Candidates of a cell while a class is drawn: [used, of_parent) and [of_parent + drawn, n) of its
 * stretch are left. */
struct sample_left {
    uint32_t *images;  /* indices; those that were drawn stand in front of their part */
    uint32_t of_parent, n;
    uint32_t used, drawn;
};

struct sample_ways {
    /* Makes plan->cells and the stretches of plan->classes, with targets and originals. */
    void (*cells)(struct sample_plan *plan, const struct sample_input *in, struct arena *a);
    /* The cell of a candidate, SAMPLE_UNKNOWN: of none. */
    uint32_t (*cell_of)(const struct sample_plan *plan, const struct sample_image *i);
    /* Order in a cell, better or earlier first; never equal for different images. */
    bool (*before)(const struct sample_image *a, const struct sample_image *b);
    bool keeps_parent; /* the parent's images come before all others */
};
extern const struct sample_ways sample_matched, sample_keyword;

bool sample_by_rank(const struct sample_image *a, const struct sample_image *b);

/* Moves a random one of images[from .. to) to `from` and gives it back. */
uint32_t sample_draw_one(struct rng *r, uint32_t *images, uint32_t from, uint32_t to);

/* sampling_matched.c, called for every class of a plan with rules.upward: counts what is taken from
 * higher bins. */
void sample_upward_plan(struct sample_plan *plan, const struct sample_class *c);
/* The same as a draw: the cell that an image for the bin comes from, with the image; the bins' rest is
 * in left[0 .. HISTOGRAM_BINS). */
uint32_t sample_upward_draw(struct sample_left *left, uint32_t bin, struct rng *r, uint32_t *from);

#endif
