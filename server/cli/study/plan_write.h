/* plan_write.h - a campaign's plan: its grids class by class (domain/grids/plan.h) from what the project
 * has, then the campaign and its grids written beside a serving process. */
#ifndef CLI_STUDY_PLAN_WRITE_H
#define CLI_STUDY_PLAN_WRITE_H

#include "cli/core/cli.h"
#include "cli/study/plan_again.h"
#include "cli/study/plan_potential.h"
#include "domain/grids/plan.h"
#include "store/campaigns/campaigns.h"
#include "store/campaigns/coverage.h"
#include "store/classes/relations.h"
#include "store/work/grids.h"

struct plan {
    struct cli *cli;
    struct campaign campaign;   /* state: what it will be when all grids are there */
    bool new_terms;             /* the draft that is completed gets other terms too */
    struct plan_again *of_set;  /* the set that is measured again; NULL: none */
    struct plan_potential *potential; /* the potential labels that are asked about; NULL: none */
    size_t planned_pairs;       /* of them: pairs of image and label that lack answers */
    int64_t label_plan;         /* whose labels the campaign asks about; 0: none */
    struct relation_pair *relations; /* of classes, read by plan_open */
    size_t n_relations;
    int64_t *overlapping;       /* of the class that is being planned: classes whose images are no negative controls */
    size_t n_overlapping;
    struct coverage coverage;   /* answers now; `coming` grows with every planned grid */
    struct planned {
        int64_t class_id;
        struct plan_grid grid;
        const struct grid_options *options; /* of a CLASSIFY task, the caller's; NULL: none */
    } *grids;
    size_t n, cap, at;
    size_t special;             /* of the grids */
    size_t planned;             /* different candidates */
    size_t again;               /* cells that show one of them again */
    size_t gold;                /* cells */
    size_t hidden, answered;    /* candidates and originals that are left out; candidates alone */
    size_t short_of_controls;   /* classes */
    size_t without_gold;        /* classes, where gold is wanted */
    size_t drawn_negatives;     /* classes whose nearest class is not known */
};

/* Reads what the plan needs to know: answers given so far, hidden images, how classes relate. */
enum err_code plan_open(struct plan *p);
/* Plans the grids of a class with negative controls from `other` (0: none), and adds them while the
 * plan has fewer than `most`. */
enum err_code plan_class(struct plan *p, int64_t class_id, int64_t other, struct rng *r,
                         size_t most);
/* Adds a grid that something else composed. */
void plan_add(struct plan *p, int64_t class_id, const struct plan_grid *grid, const struct grid_options *options);
/* A draft of the campaign's name was planned before, perhaps by a command that was killed: the same seed plans the same
 * grids, so this run completes it. Of its terms only those change that no grid depends on. ERR_CONFLICT when it is no
 * draft, or of another seed or task. */
enum err_code plan_adopt_draft(struct plan *p);
/* Makes the campaign as a draft unless it has an id (then it is one and is completed), writes the
 * grids in chunks, then gives it its state, so that no grid is handed out before all are there.
 * ERR_CONFLICT (rule "campaign-exists"); for a draft whose grids are others than the planned ones,
 * because the data changed since (rule "grid-differs"), or that measures another set again (rule
 * "remeasurement-differs"). */
enum err_code plan_write(struct plan *p);
void plan_release(struct plan *p);

#endif
