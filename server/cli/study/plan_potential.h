/* plan_potential.h - what a plan shows that asks about potential labels: grids label by label over the images that could
 * have it, with controls that do not; and whether enough people can be had for it. */
#ifndef CLI_STUDY_PLAN_POTENTIAL_H
#define CLI_STUDY_PLAN_POTENTIAL_H

#include <jansson.h>

#include "cli/core/cli.h"
#include "domain/grids/plan.h"
#include "sets/labels/feasible.h"

struct plan;
struct plan_potential {
    struct label_plan_row row;
    struct label_plan_book book;
    struct label_plan_book others; /* originals that are not in the book, with what the plan's models say of them */
    int64_t *content;              /* of the book's images, by position; 0: unknown */
    uint32_t *seen;                /* people who were shown the image, by position */
    uint32_t *by_class;            /* labels of the book, by class and image */
    uint32_t *position;            /* of each label of the book: its image's */
    uint32_t *answers;             /* of each label of the book: counted so far, in campaigns of the kind */
    size_t hidden;                 /* images of the plan that are hidden after flags */
    size_t pairs, answered;        /* pairs of image and label that can be shown; with enough answers */
    size_t waiting;                /* pairs that other campaigns that are not closed ask about */
    size_t without_negatives;      /* labels whose grids have fewer negative controls than they should */
    struct feasible_terms terms;
    struct feasible_way way;       /* what is planned */
    struct feasible_way instead[PREDICTION_K];
    size_t n_instead;
};
/* --potential, with what the project has of its images. ERR_NOT_FOUND (rule "label-plan"). plan_potential_close releases it,
 * on failure too. */
enum err_code plan_potential_open(struct plan *p, struct plan_potential *out);
void plan_potential_close(struct plan_potential *p);
/* Makes of a class's pools what is asked about it: its candidates are the images that could have it, its negative controls
 * those that could not. False: no image could have it. */
bool plan_potential_pools(struct plan *p, int64_t class_id, struct rng *r, struct arena *a, struct plan_class *pools);
/* Once every class is planned: spreads the grids, and says what they take. ERR_INPUT (rule "plan-people") for what cannot be
 * done with --people. */
enum err_code plan_potential_end(struct plan *p);
/* What is printed of it beside cost: as lines, and as members of the JSON. */
void plan_potential_print(const struct plan *p);
json_t *plan_potential_json(const struct plan *p);

#endif
