/* sampling.h - which candidates become a test set (paper B.1, B.2.9): first a plan that says what there is
 * and what is missing, then a draw from it. Pure rules on arrays: knows no file, no SQL, no page.
 *
 * Cells. A class has one or more cells, and each image of the set is meant for one of them:
 *   matched     the five frequency bins; how many images each should have follows the histogram of the
 *               class's originals with enough answers (domain/votes/histogram.h);
 *   threshold   one: candidates whose frequency is at least the threshold, or the class's own;
 *   top         one: the candidates with the highest frequencies;
 *   keyword     one for each keyword that originals of the class have, or the most common of them; how
 *               many images each should have is in proportion to the originals with the keyword.
 *
 * Excluded is a candidate for the first reason that applies, in the order of enum sample_reason. Under
 * `matched` it is booked in the bin of its frequency, one that was never shown in the lowest.
 *
 * Carry-over. What was in the parent under the same class and is not excluded stays in its cell, a
 * random part of it when the cell should have fewer. `top` has none: being in the parent decides between
 * equal candidates only.
 *
 * Order of draws. One generator (base/rng.h) is seeded with the seed. For every class in order of its
 * index, whether anything is drawn in it or not, it gives one number, which seeds the class's own
 * generator: what one class has does not move the draws of another. In a class the cells are filled in
 * order: from the carried-over images when there are too many, then from the others, in either case by
 * drawing k of n in order of rank without replacement (the i-th draw swaps rng_below(n - i) places up).
 * Then `matched` samples upward: bins in rising order, each missing image from the next higher bin that
 * has one left, from what is left of the parent before anything new, again with one rng_below. At last
 * the first generator shuffles the whole set (rng_shuffle_u32). `top` draws nothing but the shuffle.
 * Candidates are ordered by rank before anything is drawn, so the order of the input means nothing, and
 * the same seed and input give the same set in the same order on every machine. */
#ifndef DOMAIN_SAMPLING_H
#define DOMAIN_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "domain/votes/histogram.h"

enum sample_strategy {
    SAMPLE_MATCHED,
    SAMPLE_THRESHOLD,
    SAMPLE_TOP,
    SAMPLE_KEYWORD,
    SAMPLE_STRATEGIES
};
extern const char *const sample_strategies[SAMPLE_STRATEGIES]; /* "matched", ... */

enum sample_reason {
    SAMPLE_BLACKLISTED,
    SAMPLE_FEW_ASSIGNMENTS, /* fewer answers under its class than asked for, or none */
    SAMPLE_BELOW_THRESHOLD, /* `threshold` only */
    SAMPLE_NEAR_DUPLICATE,  /* domain/images/near_duplicates.h says so */
    SAMPLE_UNREVIEWED,      /* domain/review/review_gate.h does */
    SAMPLE_PUBLISHED,       /* reasons of the published program; the rest are ours */
    SAMPLE_UNSEARCHED = SAMPLE_PUBLISHED, /* an enabled metric never searched it (domain/review/review_gate.h) */
    SAMPLE_LIMIT,           /* enough of that uploader or event (domain/images/upload_limit.h) */
    SAMPLE_NOT_PICKED,      /* sets without votes: nobody picked it, or somebody pruned it */
    SAMPLE_HIDDEN,          /* in quarantine, or taken down */
    SAMPLE_REASONS,
    SAMPLE_FINE = SAMPLE_REASONS /* not excluded */
};
extern const char *const sample_reasons[SAMPLE_REASONS]; /* "blacklisted", ..., "unsearched", "limit", "not_picked", "hidden" */

enum {
    SAMPLE_ANSWERS_LEAST = 10,
    SAMPLE_ORIGINALS_LEAST = 20,
    SAMPLE_SIZE_MOST = 100000 /* images per class */
};
#define SAMPLE_THRESHOLD_USUAL 0.7
#define SAMPLE_UNKNOWN UINT32_MAX

struct sample_image {
    uint32_t image;             /* the caller's number */
    uint32_t class_index;       /* place of its own class among all, in order of wnid */
    uint32_t rank;              /* place of its name among all names, bytewise: settles ties */
    uint32_t shown, selected;   /* answers under its own class */
    uint32_t keyword;           /* `keyword`: a number for each, in order of their texts; SAMPLE_UNKNOWN */
    bool original;              /* measured, never sampled; the flags below are not looked at */
    bool blacklisted, near_duplicate, unreviewed, unsearched, limited, not_picked, hidden;
    bool in_parent;             /* under the same class */
};
struct sample_input {
    const struct sample_image *images;
    size_t n_images;
    uint32_t n_classes;
    const double *thresholds; /* `threshold`: per class, below 0: the general one; NULL: none has its own */
};

struct sample_rules {
    enum sample_strategy strategy;
    uint32_t size;            /* images per class */
    uint32_t answers_least;   /* of a candidate */
    double threshold;
    uint32_t original_answers_least; /* `matched`: of an original that is measured */
    uint32_t originals_least; /* `matched`: so many of these a class needs, or the set is not valid */
    bool upward;              /* `matched`: what a bin lacks is taken from higher ones */
    uint32_t keywords_most;   /* `keyword`: the most common of a class; 0: all */
    bool together;            /* `keyword`: size * classes images are shared out over all keywords of all
                               * classes, so that classes keep their sizes' proportions (paper B.1);
                               * otherwise every class has `size` (B.2.9) */
    uint64_t seed;
};
/* Published values: 10 per class, 10 answers, .7, 20 originals; nothing upward, seed 0. */
struct sample_rules sample_rules_usual(enum sample_strategy s);
/* ERR_INPUT with the rule "sample-size", "sample-threshold" or "sample-upward". */
enum err_code sample_rules_check(const struct sample_rules *r, struct err *err);
/* Why a candidate cannot be sampled, SAMPLE_FINE when it can: also the reason why one of the parent is
 * not in the next revision. `own` is its class's own threshold, below 0: none. */
enum sample_reason sample_reason_of(const struct sample_rules *r, const struct sample_image *i, double own);

struct sample_cell {
    uint32_t class_index;
    uint32_t bin;       /* `matched`: 0 to 4; `keyword`: the keyword; otherwise 0 */
    uint32_t originals; /* behind the target: measured, or with the keyword */
    uint32_t target;
    uint32_t carried;   /* of the parent, in the set */
    uint32_t available; /* not excluded and not carried; what is drawn is among them */
    uint32_t drawn;     /* of the available, for this cell */
    uint32_t upward;    /* taken from higher cells for this one */
    uint32_t missing;   /* target - carried - drawn - upward */
    uint32_t excluded[SAMPLE_REASONS];
    uint32_t first, of_parent; /* into plan->fine: carried + available, those of the parent first, each
                                * part by rank; `top`: best first */
};
struct sample_class {
    uint32_t first, n;  /* cells */
    uint32_t wanted;    /* images: the sum of targets, or `size` where no target can be made */
    uint32_t chosen, missing;
    uint32_t originals; /* `matched`: measured; `keyword`: with a keyword */
    bool few_originals; /* `matched`: fewer than originals_least; `keyword`: none at all */
    uint32_t outside;   /* candidates of no cell: of another keyword */
};
struct sample_plan {
    struct sample_rules rules;
    struct sample_cell *cells;
    struct sample_class *classes;
    uint32_t *fine;      /* indices of images that are not excluded, cell by cell */
    size_t n_cells, n_classes, n_fine;
    uint64_t wanted, chosen, missing, carried, upward;
    uint32_t classes_short, classes_few_originals;
    bool valid;          /* every class is complete and has enough originals */
};

/* The plan; it and everything in it live in the arena (about 8 bytes an image, 64 a cell). ERR_INPUT
 * as sample_rules_check, or with the rule "sample-originals" when the strategy needs originals and no
 * class has a measured one, or "sample-candidates" when there is no candidate at all. */
enum err_code sample_plan(const struct sample_input *in, const struct sample_rules *rules, struct arena *a,
                          struct sample_plan *out, struct err *err);

struct sample_pick {
    uint32_t index;    /* of the image in the input */
    uint32_t cell;     /* of the plan: what it is meant for */
    uint32_t from;     /* the cell it was in; another one: sampled upward */
    uint32_t place;    /* in its class, from 0, before the shuffle; `top`: 0 is the best */
    bool carried;      /* it was in the parent */
};
/* Draws plan->chosen images, in the set's order. `in` is what the plan was made from. */
void sample_draw(const struct sample_plan *plan, const struct sample_input *in, struct arena *a,
                 struct sample_pick **out, size_t *n);

#endif
