/* charts.c - how a person's answers agree with those of others, over time. */
#include "web/people/charts.h"

#include <math.h>

#include "live/people/person_agreement.h"
#include "store/people/people.h"
#include "web/core/page_data.h"
#include "web/parts/people_data.h"

enum { POINTS_MOST = 500, WINDOW = 20 /* answers of a running mean */ };

struct points {
    size_t n, compared;  /* n: drawn, the newest; compared: of all */
    double *x, *y, *mean;
    double relative;     /* mean of all */
};

static struct points points_of(struct arena *a, const struct person_answer *list, size_t n)
{
    struct points p = {.n = 0};
    double *all = arena_calloc(a, n + 1, sizeof *all), *at = arena_calloc(a, n + 1, sizeof *at);
    for (size_t i = 0; i < n; i++) {
        if (list[i].agreement.compared && !list[i].excluded) {
            at[p.compared] = (double)list[i].at_s * 1000;
            p.relative += list[i].agreement.relative;
            all[p.compared++] = list[i].agreement.relative;
        }
    }
    p.relative = p.compared ? p.relative / (double)p.compared : 0;
    size_t from = p.compared > POINTS_MOST ? p.compared - POINTS_MOST : 0;
    p.n = p.compared - from;
    p.x = at + from;
    p.y = all + from;
    p.mean = arena_calloc(a, p.n + 1, sizeof *p.mean);
    for (size_t i = 0; i < p.n; i++) {
        size_t begin = from + i + 1 > WINDOW ? from + i + 1 - WINDOW : 0;
        for (size_t k = begin; k <= from + i; k++) {
            p.mean[i] += all[k] / (double)(from + i + 1 - begin);
        }
    }
    return p;
}

static const char *describe(struct arena *a, const struct points *p)
{
    if (p->compared == 0) {
        return "Nobody else has answered the same grids yet.";
    }
    return arena_printf(a,
                        "Each point is a grid: agreement with the others minus their mean, %s on "
                        "average over %s grid%s. The line is the mean of the last %d; 0 is the same as everybody "
                        "else.%s",
                        people_relative(a, p->relative), data_count(a, (int64_t)p->compared),
                        p->compared == 1 ? "" : "s", WINDOW,
                        p->n < p->compared ? arena_printf(a, " The newest %d are shown.", POINTS_MOST)
                                           : "");
}

enum err_code chart_person_agreement(struct ctx *c, const struct chart_ask *ask,
                                     struct chart **out)
{
    struct person_answer *list;
    size_t n;
    int64_t person = 0;
    enum err_code rc = people_find_pseudonym(c->db, ask->person, &person, &c->err);
    if (rc != OK) {
        return rc;
    }
    person_agreement(app_tally(c->app), person, c->arena, &list, &n);
    struct points p = points_of(c->arena, list, n);
    struct chart_options o = {
        .title = "Agreement over time",
        .description = describe(c->arena, &p),
        .empty = "Nothing to compare with yet",
        .x = {.label = "answered at", .scale = CHART_TIME},
        .y = {.label = "against the others", .form = CHART_NUMBER},
    };
    *out = chart_new(c->arena, &o);
    chart_points(*out, "grids", p.n, p.x, p.y, NULL);
    chart_line(*out, "running mean", p.n, p.x, p.mean);
    chart_rule(*out, true, 0, "same as everybody else");
    return OK;
}
