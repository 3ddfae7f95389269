/* feasible.h - whether people can be asked about every potential label of every image, and what it takes: nobody is shown
 * an image twice, so an image of 16 labels with 9 answers each needs 144 different people, and those who then choose
 * among its candidates (CLASSIFY) are others again. Arithmetic on what plans say of themselves. */
#ifndef SETS_LABELS_FEASIBLE_H
#define SETS_LABELS_FEASIBLE_H

#include "domain/grids/plan_summary.h"
#include "sets/labels/potential.h"

enum { CLASSIFY_ANSWERS = 9, PEOPLE_A_DAY = 100, FEASIBLE_LEAST = 5 /* answers that a candidate needs */ };

struct feasible_terms {
    struct plan_terms terms; /* of the campaign */
    int64_t people;          /* who can be had; 0: any number */
    int64_t a_day;           /* of them come on a day */
    int64_t classify;        /* answers that CLASSIFY will need of each image; 0: it does not follow */
};
struct feasible_way {
    uint32_t top, most;      /* answers of each model; labels of one image */
    int64_t answers;         /* of each pair of image and label */
    uint64_t labels, grids;
    int64_t people_image;    /* different people that the image with the most labels needs, CLASSIFY included */
    int64_t people;          /* that it takes: of the image, or for all the work */
    struct plan_cost cost;
    double days;
    bool possible;           /* with the people who can be had */
};
/* A plan at one of its depths; `seen`: people who were shown the image already. */
struct feasible_way feasible_at(const struct feasible_terms *t, const struct potential_depth *d, int64_t answers, int64_t seen);

/* How many people were shown each image of a book, by all campaigns: nobody is shown one again. By place in the book; out[b->n]. */
enum err_code feasible_seen(struct db *db, const struct label_plan_book *b, uint32_t *out, struct err *err);
/* The most that any image of a book takes when `grids` (by place; NULL: one for each of its labels) ask about it: grids; different
 * people, those who saw it before (`seen`, by place) among them; and the most of these. Images in no grid take nobody. */
struct feasible_most {
    uint32_t grids;
    int64_t people, seen;
};
struct feasible_most feasible_most(const struct label_plan_book *b, const uint32_t *grids, const uint32_t *seen, int64_t answers);
/* A way by what its images take, in place of what feasible_at says of depths alone: CLASSIFY is added. */
void feasible_put(const struct feasible_terms *t, const struct feasible_most *most, struct feasible_way *way);

/* What could be done instead: for every depth from `top` down the most answers up to those of the terms, FEASIBLE_LEAST at
 * least, that the people who can be had allow, other than the plan itself. Returns how many are possible. */
size_t feasible_instead(const struct feasible_terms *t, const struct potential_depth *depths, size_t n_depths, int64_t seen,
                        struct feasible_way out[PREDICTION_K]);
/* ERR_INPUT (rule "plan-people") with what could be done instead, unless the way is possible. */
enum err_code feasible_check(const struct feasible_terms *t, const struct feasible_way *way,
                             const struct feasible_way *instead, size_t n, struct err *err);

#endif
