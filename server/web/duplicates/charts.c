/* charts.c - the pairs of a metric's searches, counted by their distance. */
#include "web/duplicates/charts.h"

#include <string.h>

#include "store/duplicates/near_metrics.h"
#include "store/duplicates/near_review.h"
#include "store/duplicates/near_space.h"

enum { TO_THRESHOLD = 20, STEPS = TO_THRESHOLD * REVIEW_REACH_PERCENT / 100 }; /* farther pairs are not kept close at hand */

/* Of all pairs, and of those that nobody has judged: up to each step. */
struct counting {
    double step;
    double all[STEPS + 1], open[STEPS + 1];
};

static void count(double *steps, const struct counting *n, double distance)
{
    for (size_t i = 0; i <= STEPS; i++) {
        steps[i] += distance <= (double)i * n->step;
    }
}

static enum err_code take_all(void *arg, double distance, struct err *err)
{
    struct counting *n = arg;
    (void)err;
    count(n->all, n, distance);
    return OK;
}

static enum err_code take_open(void *arg, const struct near_open_pair *p, struct err *err)
{
    struct counting *n = arg;
    (void)err;
    count(n->open, n, p->distance);
    return OK;
}

static struct chart *draw(struct arena *a, const struct review_metric *m, const struct counting *n)
{
    double x[STEPS + 1];
    const struct chart_options o = {
        .title = arena_printf(a, "Pairs by %s", m->name),
        .description = "How many pairs are at most that far apart: what another threshold would leave to review. A pair that "
                       "both its images found counts twice. Pairs beyond one and a half times the threshold are not listed.",
        .empty = "No search of this metric has ended yet.",
        .x = {.label = "Distance", .form = CHART_NUMBER, .lo = 0, .hi = STEPS * n->step},
        .y = {.label = "Pairs up to it", .form = CHART_COUNT},
    };
    struct chart *chart = chart_new(a, &o);
    for (size_t i = 0; i <= STEPS; i++) {
        x[i] = (double)i * n->step;
    }
    if (n->all[STEPS] > 0) {
        chart_line(chart, "All", STEPS + 1, x, n->all);
        chart_line(chart, "Not judged", TO_THRESHOLD + 1, x, n->open);
        chart_rule(chart, false, m->threshold, "threshold");
    }
    return chart;
}

enum err_code chart_near_pairs(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct review_gate gate;
    struct counting *n = arena_calloc(c->arena, 1, sizeof *n);
    enum err_code rc = near_metrics_get(c->db, 0, &gate, &c->err);
    size_t m = rc == OK ? review_gate_find(&gate, ask->metric) : 0;
    if (rc == OK && m == gate.n) {
        return err_rule(&c->err, ERR_NOT_FOUND, "near-metric", "The project has no such metric.");
    }
    struct near_open_ask open = {.metric = &gate.metric[m], .in_play = true};
    n->step = rc == OK ? gate.metric[m].threshold / TO_THRESHOLD : 0;
    rc = rc == OK ? near_space(c->db, &gate.metric[m], 0, c->arena, &open.space, &c->err) : rc;
    rc = rc == OK ? near_distances_each(c->db, open.space, take_all, n, &c->err) : rc;
    rc = rc == OK ? near_open_each(c->db, &open, take_open, n, &c->err) : rc;
    if (rc == OK) {
        *out = draw(c->arena, &gate.metric[m], n);
    }
    return rc;
}
