/* plan_summary.c - cost and coverage of a plan. */
#include "domain/grids/plan_summary.h"

#include <math.h>

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t plan_grids_a_person(int64_t grids_per_place, double max_share, int64_t answers, int64_t grids)
{
    int64_t share = (int64_t)(max_share * (double)answers + 1e-9); /* 0.07 x 100 is 7 */
    share = share > 1 ? share : 1;
    int64_t n = answers > 0 ? smaller(grids_per_place, share) : grids_per_place;
    return grids > 0 ? smaller(n, grids) : n;
}

double plan_minutes(double expected_minutes, int64_t grids_per_place, int64_t grids)
{
    return expected_minutes * (double)grids / (double)grids_per_place;
}

/* Less than three quarters of the minutes that a place is paid for. */
static bool short_of_work(int64_t per_place, int64_t grids_per_place)
{
    return 4 * per_place < 3 * grids_per_place;
}

/* What would leave a person as many grids as a place has, or as there are. */
static double fuller_share(const struct plan_terms *t, const struct plan_cost *c, int64_t grids)
{
    int64_t most = smaller(t->grids_per_place, grids);
    double share = ceil(100 * (double)most / (double)c->answers - 1e-9) / 100;
    return most > c->per_place ? share : 0;
}

void plan_cost(const struct plan_terms *t, int64_t grids, struct plan_cost *out)
{
    *out = (struct plan_cost){.answers = grids * t->answers_per_grid};
    out->per_place = plan_grids_a_person(t->grids_per_place, t->max_share, out->answers, grids);
    out->places = (out->answers + out->per_place - 1) / out->per_place;
    out->pay_cents = out->places * t->pay_cents;
    out->minutes = plan_minutes(t->expected_minutes, t->grids_per_place, out->per_place);
    out->hours = plan_minutes(t->expected_minutes, t->grids_per_place, out->answers) / 60;
    out->hourly_cents = (double)t->pay_cents * 60 / out->minutes;
    out->short_of_work = grids > 0 && t->pay_cents > 0 && short_of_work(out->per_place, t->grids_per_place);
    if (out->short_of_work) {
        out->fuller_share = fuller_share(t, out, grids);
        out->fair_cents = (t->pay_cents * out->per_place + t->grids_per_place - 1) / t->grids_per_place;
    }
}

const char *plan_short_said(struct arena *a, const struct plan_terms *t, const struct plan_cost *c,
                            struct sv currency)
{
    if (!c->short_of_work) {
        return NULL;
    }
    return arena_printf(a,
                        "A person can do only %lld of the %lld grids that the pay is for. That is about "
                        "%.3g min of work at %.2f " SV_FMT " an hour, not %g min at %.2f.",
                        (long long)c->per_place, (long long)t->grids_per_place, c->minutes,
                        c->hourly_cents / 100, SV_ARG(currency), t->expected_minutes,
                        (double)t->pay_cents * 60 / t->expected_minutes / 100);
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
