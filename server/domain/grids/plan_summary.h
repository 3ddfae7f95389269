/* plan_summary.h - what a plan costs and what it covers: the numbers a lead sees before launch.
 * Pure arithmetic; the counts come from store/campaigns/coverage.h or from the planner. */
#ifndef DOMAIN_PLAN_SUMMARY_H
#define DOMAIN_PLAN_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* An original serves the matched sampling from this many answers on. */
enum { PLAN_COVERED = 10 };

struct plan_terms {
    int64_t answers_per_grid, grids_per_place, pay_cents;
    double max_share;        /* of all answers, by one person */
    double expected_minutes; /* of all grids of a place */
};

/* How many grids one person can answer: those of a place, but no more than the share of all answers (one at
 * least), and none twice. `answers` and `grids` are the campaign's; 0 when they are not known: no limit. */
int64_t plan_grids_a_person(int64_t grids_per_place, double max_share, int64_t answers, int64_t grids);
/* How long `grids` of a place take, by what is expected of all of them. */
double plan_minutes(double expected_minutes, int64_t grids_per_place, int64_t grids);

struct plan_cost {
    int64_t answers;     /* wanted: grids x answers per grid */
    int64_t per_place;   /* grids that one person can answer: of a place, of the share, of all */
    int64_t places;      /* needed: answers / per_place, rounded up: never fewer than answers a grid */
    int64_t pay_cents;   /* of these places */
    double minutes;      /* of work on per_place grids */
    double hours;        /* of work on all answers */
    double hourly_cents; /* pay for an hour of it, of a place with per_place grids */
    bool short_of_work;  /* a place is paid for much more than these minutes: say so before the launch */
    double fuller_share; /* then: the least max_share, in whole hundredths, that leaves a person more grids;
                            0: none does */
    int64_t fair_cents;  /* then: the pay for the real minutes at the rate that was meant */
};
void plan_cost(const struct plan_terms *t, int64_t grids, struct plan_cost *out);
/* What short_of_work comes to, as a sentence: grids a person gets, real minutes and rate. NULL where a place
 * is not short of work. */
const char *plan_short_said(struct arena *a, const struct plan_terms *t, const struct plan_cost *c,
                            struct sv currency);

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
