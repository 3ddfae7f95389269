/* gaps.h - accuracy on the originals minus accuracy on a new set, over the same classes with the same
 * weights, and how sure that is. Pure.
 *
 * The gap on common classes. A set's accuracy depends on which classes it has and how many images of each, so
 * that two sets with other classes differ before any model was asked. Over the classes C that both have:
 *   original = sum over C of n_c / N * acc_c(originals),   new = sum over C of n_c / N * acc_c(new set),
 * where n_c is how many originals the class has, N their sum, acc_c right images over images: the originals'
 * class shares weigh both sides. Where the new set has the same shares of C (tested with integers) its side is
 * right images over images, as in score_table.h; if both sets have no other classes, this gap is the very same
 * double as score_line.gap.
 *
 * Intervals. One resample of the images, the same for all models, as often as asked; an image that both sets
 * have is drawn for both at once. Strata: images of one class (in either set) that are in both sets, in the
 * originals alone, in the new set alone. Of n images n - 1 are drawn with replacement, each weighing
 * n / (n - 1) (Rao and Wu 1988): with n draws, spread would come out too small by (n - 1) / n, which matters at
 * ten images a class. A stratum of one image cannot vary: those in both sets are taken as one stratum, and so
 * are those in either alone (a lone one together with the smallest other stratum of its kind), common classes apart
 * from others; there n of n are drawn, every place keeps the weight of its own class, and a constant keeps the mean
 * of all resamples where the gap is. The bounds are percentiles (2.5 % and 97.5 % for a level of 95 %), within -100 to 100.
 *
 * Ranks are by right answers over all images of a set, among the models given, in each resample; models that
 * tie there may have any of the ranks they share, so that a tie widens both intervals. A model whose accuracy on
 * a set is the same in every resample (all right, say) shows no spread, not certainty: its intervals are not
 * known.
 *
 * The same input and seed give the same result everywhere: draws come from base/rng.h in the order of the
 * images given, and sums are integers. */
#ifndef DOMAIN_GAPS_H
#define DOMAIN_GAPS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GAP_SEED = 0 /* unless another is asked for */ };
/* Names the method beside a result; without commas, for CSV. */
extern const char gap_method[];

struct gap_set {
    uint32_t n;
    const uint32_t *image;      /* numbers that mean the same in both sets; each once */
    const uint32_t *class_id;   /* label in this set */
    const unsigned char *right; /* [model * n + i]: 1 right, 0 wrong */
};
struct gap_ask {
    struct gap_set original, fresh;
    size_t n_models;
    uint32_t resamples;       /* at least `tail` for bounds that leave any out */
    uint32_t tail;            /* one in so many is beyond either bound (domain/scores/score_level.h) */
    uint64_t seed;
    const atomic_bool *stop;  /* ends gap_intervals early; NULL: never */
};

struct gap_classes { /* what the two sets are made of */
    uint32_t original, fresh, common;           /* classes */
    uint32_t original_images, fresh_images;     /* of the common ones */
    uint32_t shared;                            /* images in both sets */
    bool same;                                  /* the same classes with the same shares: one gap */
    bool withheld;                              /* the gap on common classes is kept back (measures/scores/model_gaps.h) */
};
/* Whether there is a gap on common classes to tell. */
static inline bool gap_told(const struct gap_classes *c)
{
    return c->common > 0 && !c->withheld;
}

struct gap_range {
    bool known;
    double lo, hi;
};
struct gap_line { /* of one model */
    double original_acc, fresh_acc, gap;        /* percent, on the common classes; 0 without any */
    struct gap_range raw, common;               /* of score_line.gap, of `gap`; percent */
    struct gap_range original_rank, fresh_rank, change; /* change: original rank minus new rank */
};

/* The mean over all models: images vary, models do not. */
struct gap_mean {
    struct gap_range raw, common;               /* of the means of score_line.gap, of gap_line.gap; percent */
};

/* Fills *classes, and accuracies and gap of lines[n_models]; the ranges are not known. */
void gap_points(const struct gap_ask *ask, struct gap_classes *classes, struct gap_line *lines);
/* Fills the ranges of lines that gap_points made, and *mean. False: stopped, and the ranges are as before. About 0.5 s for
 * 67 models on 60,000 images and 1,000 resamples. */
bool gap_intervals(const struct gap_ask *ask, const struct gap_classes *classes, struct gap_line *lines,
                   struct gap_mean *mean);

#endif
