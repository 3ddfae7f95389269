/* adjusted_gap.h - the gap that is left when the new images are weighted so that their true
 * selection frequencies are spread as those of the originals: what the accuracies differ by that
 * frequencies do not explain (Engstrom et al. 2020, "Identifying statistical bias in dataset
 * replication"). Pure computation on arrays.
 *
 * What is estimated. With s the true frequency of an image (what many more answers would say),
 * p_original and p_new how it is spread in both sets, and a_new(s) the accuracy on new images of
 * that frequency: adjusted gap = accuracy on the originals - integral of a_new(s) p_original(s) ds,
 * a mean over new images with weights p_original(s) / p_new(s). It is the difference between the
 * sets that a model would see if they were equally easy for people. The assumption: given the true
 * frequency, accuracy is the same in both sets up to the gap of interest: whatever else differs
 * between images of equal frequency belongs to that gap.
 *
 * How. s is not known; k of n answers are. Both sets' spreads are fitted to all answers
 * (stats/spread.h: any smooth shape; of the candidates with what a final review removed), which
 * gives every image a density of its s; p_new is the mean of those of the set's images, p_original
 * that of the originals'. The density ratio is never taken at k / n. The weight of an image is the
 * mean of the ratio over its s, given its answers *and* whether the model is right about it: given
 * the answers alone, images that a model finds easy, which have higher s than their answers say,
 * would get too little weight, and with equal n the result would be that of matching by observed
 * frequencies, whose bias this is to remove. How right answers depend on s is a logistic curve of
 * the angle of s for each model (stats/share_curve.h), which only says how the images with the same
 * answers are divided; the accuracies themselves are counted.
 *
 * Bins. Accuracy at a true frequency within a bin, of each set, is made of the same: images count as
 * much as their s is likely to lie in the bin, given their answers and whether the model is right
 * (Recht et al. 2019, section 5.3 and figures 15 to 17, whose bins are of k / n). Raw bins mix
 * images of neighbouring bins by chance, the more, the fewer answers there are, and the outermost
 * ones most: they make accuracy depend less on frequency than it does. Where the true spread ends
 * within the noise of few answers, the bin beyond may be thought to have some images. A bin that has
 * hardly any says nothing.
 *
 * Classes count as in domain/scores/gaps.h: those with originals and images of the set, both with votes,
 * each with its share of the originals.
 *
 * Variance = that of votes + that of images. Votes: the delete-a-group jackknife over workers
 * (stats/jackknife.h), the spreads moved by a step of Newton's (spread_step). Images: the bootstrap
 * over images with their answers and predictions, the same draw for all models, within classes and
 * kinds (measured originals, other originals, set, other candidates); of n images n - 1 are drawn,
 * each weighing n / (n - 1), as in domain/scores/gaps.h; kinds of one image are taken together over
 * classes. Both are added as they are: the chance in each single answer is in both, so that the sum
 * is too large rather than too small. The interval, 95 %, is the value +- Student's t times its
 * root, with Satterthwaite's degrees of freedom. The same input and seed give the same result on
 * any number of threads. */
#ifndef MEASURES_ADJUSTED_GAP_H
#define MEASURES_ADJUSTED_GAP_H

#include "domain/votes/histogram.h"
#include "measures/votes/matching_bias.h"

struct adjusted_input {
    const struct bias_image
        *images; /* as bias_input has them; originals without votes are in the accuracy */
    size_t n_images;
    const struct bias_vote *votes;
    size_t n_votes;
    uint32_t n_classes, n_workers;
    const unsigned char
        *right; /* [model * n_images + image]: 1 right; of originals and images of the set */
    size_t n_models;
    unsigned groups, threads; /* as bias_input has them */
    unsigned resamples;       /* of images; 0: ADJUSTED_RESAMPLES */
    uint64_t seed;            /* of groups and resamples */
};
enum { ADJUSTED_RESAMPLES = 200, ADJUSTED_RESAMPLES_MOST = 10000 };
struct adjusted_estimate { /* a share, -1 to 1 */
    double value, lo, hi;
    double by_workers, by_images; /* variances */
    bool interval;                /* lo and hi: two workers and two images that differ */
};
enum { ADJUSTED_ORIGINAL, ADJUSTED_NEW, ADJUSTED_SIDES };
struct adjusted_bin_line { /* of one model in one bin; shares, by side */
    double seen[ADJUSTED_SIDES]; /* raw: on the images whose frequency among all votes is in the bin; NAN: none */
    struct adjusted_estimate at[ADJUSTED_SIDES]; /* corrected: at true frequencies in the bin */
    struct adjusted_estimate gap; /* original - new of the corrected ones */
};
struct adjusted_line { /* of one model; shares */
    double original,
        fresh;       /* accuracies on the images that count, classes by the originals' shares */
    double adjusted; /* of the weighted new images */
    struct adjusted_estimate raw,
        gap; /* original - fresh, whose variance is that of images; original - adjusted */
    struct adjusted_bin_line bins[HISTOGRAM_BINS];
};
struct adjusted_bin { /* images with votes, by side; classes as weighted in `expected` */
    size_t seen[ADJUSTED_SIDES];     /* whose frequency is in the bin */
    double expected[ADJUSTED_SIDES]; /* whose true frequency is, as estimated */
    bool known[ADJUSTED_SIDES]; /* ADJUSTED_BIN_LEAST or more are: else the bin has no corrected accuracy,
                                 * and its estimates must not be shown */
};
enum adjusted_silence { /* why there is no figure */
                        ADJUSTED_SPEAKS,
                        ADJUSTED_NO_MODELS,
                        ADJUSTED_NO_VOTES,    /* no class has answers about both sides */
                        ADJUSTED_FEW_ANSWERS, /* fewer than BIAS_ANSWERS_LEAST of the usual image */
                        ADJUSTED_NO_TOP       /* answers that hardly tell images apart */
};
struct adjusted_gap {
    enum adjusted_silence silence; /* else the rest is not known */
    size_t classes, images, originals,
        measured;      /* that count; originals of which votes are there */
    size_t unanswered; /* images of the set without votes, in classes that count */
    unsigned workers, groups, resamples;
    double effective; /* images that weigh as much as the weighted ones: (sum w)^2 / sum w^2 (Kish),
                         of the mean weights */
    double overlap;   /* common area of both densities, 0 to 1 */
    double uncovered; /* share of the originals' density where it is more than ADJUSTED_RATIO_MOST
                         times the new one */
    unsigned points;  /* of the grid, with the densities: weights that sum to 1 */
    double at[SPREAD_POINTS_MOST], p_original[SPREAD_POINTS_MOST], p_new[SPREAD_POINTS_MOST];
    struct adjusted_bin bins[HISTOGRAM_BINS];
    struct adjusted_line mean, *lines; /* over models; [n_models], in the arena */
};
#define ADJUSTED_RATIO_MOST 10.0
#define ADJUSTED_BIN_LEAST 5.0
void adjusted_gap(const struct adjusted_input *in, struct arena *a, struct adjusted_gap *out);

/* Whether the sets are too unlike for the figure to be trusted: the originals have more than a
 * twentieth of their images where new ones hardly are, or the weights leave less than a fifth of
 * the images' worth. A sentence; NULL: no. */
const char *adjusted_gap_warning(const struct adjusted_gap *g);
/* The assumption, in a sentence. */
extern const char adjusted_gap_assumes[];

#endif
