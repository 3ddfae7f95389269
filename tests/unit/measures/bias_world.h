/* bias_world.h - studies whose images' true frequencies are known: votes, a set that is sampled from them, and a final
 * review that sees the images. For tests of measures/votes/matching_bias.h. */
#ifndef TESTS_LIVE_BIAS_WORLD_H
#define TESTS_LIVE_BIAS_WORLD_H

#include "base/rng.h"
#include "measures/votes/matching_bias.h"
#include "stats/binomial.h"

enum bias_shape { /* of true frequencies, in the pool and of the originals */
    SHAPE_BETA,   /* as in the study's own numbers */
    SHAPE_HUMPS,  /* most images are either plain or wrong */
    SHAPE_POINTS, /* four true frequencies, none between */
    SHAPE_CUT,    /* nothing below a quarter, nothing sure */
    SHAPE_SKEWED, /* nearly all poor; nearly all originals good */
    BIAS_SHAPES
};
enum bias_review { /* which images the final review removes when it sees them */
    REVIEW_NONE,
    REVIEW_BELOW_3, /* true frequency below .3 */
    REVIEW_BELOW_4,
    REVIEW_SOFT, /* the poorer, the likelier, and 3 % whatever they show */
    REVIEW_PICKY, /* below .35, and 15 % whatever they show */
    BIAS_REVIEWS
};
struct bias_world {
    uint32_t classes, originals, candidates, answers, workers; /* images per class */
    enum sample_strategy strategy;
    double leaning; /* standard deviation of workers, on the logit scale */
    double spread;  /* of classes */
    double erring; /* share of answers that are the opposite of what was meant */
    enum bias_shape shape;
    enum bias_review review;
    double steps; /* every second class is that much easier, the others harder, on the logit scale */
};
struct bias_made {
    struct bias_input in;
    struct bias_image *images;
    struct bias_vote *votes;
    struct sample_image *sample;
    double *truth, *leaning;
    bool *removed; /* what a review would say */
    double bias;   /* the truth about the set */
    uint32_t removals;
};
struct bias_made bias_world_new(const struct bias_world *w);
void bias_world_free(struct bias_made *m);
/* The study of a seed: images, votes, set, review and what replaces the removed, until all is seen. */
void bias_world_make(struct bias_made *m, const struct bias_world *w, uint64_t seed, struct arena *a);
/* Mean of a function of the true frequency over all originals that such a world could have (400,000 draws). */
double bias_world_mean(const struct bias_world *w, double (*of)(double));

/* What somebody knows who knows how true frequencies are spread in every class and how the review judges, but not the
 * single image: its mean true frequency and their variance, given its answers and that it was kept. Made from 80,000
 * images of such a pool. */
enum { ORACLE_ANSWERS = 40 };
struct bias_oracle {
    double mean[2][ORACLE_ANSWERS + 1], variance[2][ORACLE_ANSWERS + 1]; /* hard and easy classes, ticks */
};
void bias_oracle_make(const struct bias_world *w, struct bias_oracle *out);
/* Its 95 % interval of the bias: the images' variances and that of the originals' votes. */
struct interval bias_oracle_interval(const struct bias_oracle *o, const struct bias_made *m, const struct bias_world *w);

#endif
