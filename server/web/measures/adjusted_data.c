/* adjusted_data.c - adjusted gaps of the pair that an address names, and the chart of how true frequencies are spread. */
#include "web/measures/adjusted_data.h"

#include "web/core/page_data.h"
#include "web/measures/charts.h"
#include "web/measures/parts.h"
#include "web/scoring/adjusted_kept.h"

enum err_code measures_adjusted_of(struct ctx *c, const struct measures *m, struct set_adjusted *out)
{
    const struct adjusted_asked ask = {m->t.sets[SIDE_ORIGINAL].r, m->t.sets[SIDE_NEW].r, m->query.top, m->query.models,
                                       &m->t.subset, &m->t.fresh_subset};
    return adjusted_get(c, &ask, out);
}

enum err_code measures_adjusted_make(struct ctx *c, const struct measures_query *q, struct measures_adjusted *out)
{
    *out = (struct measures_adjusted){.pair = false};
    enum err_code rc = measures_make(c, q, &out->m);
    out->pair = rc == OK && out->m.t.sets[SIDE_ORIGINAL].r && out->m.t.sets[SIDE_NEW].r;
    return out->pair ? measures_adjusted_of(c, &out->m, &out->s) : rc;
}

/* ---- the chart ---- */

/* The share of images with at most each frequency. */
static void add_shares(struct chart *chart, const char *name, const struct adjusted_gap *g, const double *density)
{
    double y[SPREAD_POINTS_MOST], sum = 0;
    for (unsigned j = 0; j < g->points; j++) {
        sum += density[j];
        y[j] = sum;
    }
    chart_line(chart, name, g->points, g->at, y);
}

enum err_code chart_measures_adjusted(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct measures_query q;
    struct measures_adjusted of;
    if (measures_query_of(c, ask, &q) != OK || measures_adjusted_make(c, &q, &of) != OK) {
        return c->err.code;
    }
    const struct adjusted_gap *g = of.pair ? set_adjusted_leading(&of.s) : NULL;
    bool any = g && g->silence == ADJUSTED_SPEAKS;
    const struct chart_options o = {
        .title = "True selection frequencies",
        .description = "Share of images whose true frequency is at most so large, as estimated from all votes: what many more answers "
                       "would say. Where the lines part, weights make up for it.",
        .empty = any ? NULL : of.pair ? set_adjusted_why(&of.s) : "There is no pair of sets to compare.",
        .x = {.label = "True selection frequency", .form = CHART_SHARE, .lo = 0, .hi = 1},
        .y = {.label = "Share of images", .form = CHART_PERCENT, .lo = 0, .hi = 1}};
    *out = chart_new(c->arena, &o);
    if (any) {
        add_shares(*out, arena_cstr(c->arena, measures_title(c, &of.m, SIDE_ORIGINAL)), g, g->p_original);
        add_shares(*out, arena_cstr(c->arena, measures_title(c, &of.m, SIDE_NEW)), g, g->p_new);
    }
    return OK;
}
