/* plan_summary.h - what a plan costs and what it covers: the numbers a lead sees before launch.
 * Pure arithmetic; the counts come from store/coverage.h or from the planner. */
#ifndef DOMAIN_PLAN_SUMMARY_H
#define DOMAIN_PLAN_SUMMARY_H

#include <stddef.h>
#include <stdint.h>

/* An original serves the matched sampling from this many answers on (reference/imagenetv2.md 1.9). */
enum { PLAN_COVERED = 10 };

struct plan_terms {
    int64_t answers_per_grid, grids_per_place, pay_cents;
    double max_share;        /* of all answers, by one person */
    double expected_minutes; /* per place */
};

struct plan_cost {
    int64_t answers;     /* wanted: grids x answers per grid */
    int64_t per_place;   /* grids that one person can answer: of a place, of the share, of all */
    int64_t places;      /* needed: answers / per_place, rounded up: never fewer than answers a grid */
    int64_t pay_cents;   /* of these places */
    double hours;        /* of work, by the expected minutes */
    double hourly_cents; /* pay for an hour of it */
};
void plan_cost(const struct plan_terms *t, int64_t grids, struct plan_cost *out);

struct class_coverage {
    int64_t class_id;
    uint32_t originals;              /* that can be shown */
    uint32_t covered, covered_after; /* of them: with PLAN_COVERED answers under their own class */
    uint32_t candidates;             /* that can be shown */
    uint32_t open, open_after;       /* of them: with fewer answers than a grid gets */
    uint32_t hidden;                 /* originals and candidates in quarantine or taken down */
};

struct coverage_totals {
    size_t classes;                  /* with images to show */
    size_t reached, reached_after;   /* have `target` covered originals */
    size_t below_after;              /* could have them and have not */
    size_t impossible;               /* have fewer originals than that */
    uint64_t candidates, open, open_after, hidden;
};
/* `target` 0 (no coverage is wanted): every class has reached it. */
void coverage_totals(const struct class_coverage *c, size_t n, int64_t target,
                     struct coverage_totals *out);
/* The `most` classes that are worst off after the plan, worst first; classes that reach the target
 * are not among them. Returns how many; indices into c go to `out`. */
size_t coverage_worst(const struct class_coverage *c, size_t n, int64_t target, size_t most,
                      size_t *out);

struct plan_summary {
    int64_t grids, special;          /* special ones are among them */
    int64_t planned;                 /* different candidates that they show */
    struct plan_cost cost;
    struct coverage_totals totals;
    struct class_coverage *classes;  /* by class id */
    size_t n_classes;
};

#endif
