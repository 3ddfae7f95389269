/* plan_summary.c - cost and coverage of a plan. */
#include "domain/plan_summary.h"

#include <stdbool.h>

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The share is counted as web/work_flow.c does. Nobody answers a grid twice. */
void plan_cost(const struct plan_terms *t, int64_t grids, struct plan_cost *out)
{
    out->answers = grids * t->answers_per_grid;
    int64_t share = (int64_t)(t->max_share * (double)out->answers);
    out->per_place = smaller(t->grids_per_place, smaller(grids, share > 1 ? share : 1));
    out->places = grids ? (out->answers + out->per_place - 1) / out->per_place : 0;
    out->pay_cents = out->places * t->pay_cents;
    out->hours = (double)out->places * t->expected_minutes / 60;
    out->hourly_cents = (double)t->pay_cents * 60 / t->expected_minutes;
}

void coverage_totals(const struct class_coverage *c, size_t n, int64_t target,
                     struct coverage_totals *out)
{
    *out = (struct coverage_totals){.classes = n};
    for (size_t i = 0; i < n; i++) {
        bool after = c[i].covered_after >= target, possible = c[i].originals >= target;
        out->reached += c[i].covered >= target;
        out->reached_after += after;
        out->below_after += !after && possible;
        out->impossible += !possible;
        out->candidates += c[i].candidates;
        out->open += c[i].open;
        out->open_after += c[i].open_after;
        out->hidden += c[i].hidden;
    }
}

size_t coverage_worst(const struct class_coverage *c, size_t n, int64_t target, size_t most,
                      size_t *out)
{
    size_t found = 0;
    for (size_t i = 0; i < n && most > 0; i++) {
        if (c[i].covered_after >= target) {
            continue;
        }
        /* Insertion into a short list: ties stay in the order of the classes. */
        size_t at = found < most ? found++ : most;
        while (at > 0 && c[out[at - 1]].covered_after > c[i].covered_after) {
            if (at < most) {
                out[at] = out[at - 1];
            }
            at--;
        }
        if (at < most) {
            out[at] = i;
        }
    }
    return found;
}
