/* fit_chart.c - models on both sets as points, the line through them with its band, and where both sets are alike. */
#include <math.h>

#include "stats/binomial.h"
#include "web/core/page_data.h"
#include "web/measures/charts.h"
#include "web/measures/fit_data.h"
#include "web/parts/model_points.h"
#include "web/parts/set_data.h"

enum { GROUPS_MOST = 5, STEPS = 25 };
#define EDGE 0.001 /* the ends of probit and logit are infinitely far away */

static const enum chart_scale scales[] = {
    [SHARE_LINEAR] = CHART_LINEAR, [SHARE_PROBIT] = CHART_PROBIT, [SHARE_LOGIT] = CHART_LOGIT};

static struct sv group_of(struct ctx *c, const struct model_line *l, int by)
{
    return l->facts ? model_facts_get(l->facts, &model_fact_list[by], c->arena) : SV("");
}

/* Those the line is fitted to, or the others. */
static struct model_point *points_of(struct ctx *c, const struct measures_fit *f, bool used, size_t *n)
{
    const struct measures *m = &f->m;
    struct model_point *list = arena_calloc(c->arena, m->n + 1, sizeof *list);
    *n = 0;
    for (size_t i = 0; i < m->n; i++) {
        const struct fit_point *p = &f->points[f->at[i]];
        const struct model_score *on = m->lines[i]->on[SIDE_NEW];
        struct interval ci = binomial_clopper_pearson(model_score_right(on, m->query.top), on->predicted, 0.05);
        if (!p->left_out == used) {
            list[(*n)++] = (struct model_point){.name = arena_cstr(c->arena, p->model),
                                                .group = group_of(c, m->lines[i], m->query.by),
                                                .x = p->x,
                                                .y = p->y,
                                                .lo = ci.lo,
                                                .hi = ci.hi};
        }
    }
    return list;
}

/* From the least to the most accurate model on the originals that has a place on the scale. */
static struct interval reach_of(const struct measures_fit *f)
{
    struct interval reach = {1, 0};
    for (size_t i = 0; i < f->m.n; i++) {
        if (share_scale_takes(f->found.scale, f->points[i].x)) {
            reach.lo = fmin(reach.lo, f->points[i].x);
            reach.hi = fmax(reach.hi, f->points[i].x);
        }
    }
    return reach;
}

static double inside(double share)
{
    return fmin(fmax(share, 0), 1);
}

static void add_line(const struct measures_fit *f, struct chart *chart)
{
    double x[STEPS], y[STEPS], lo[STEPS], hi[STEPS];
    enum share_scale scale = f->found.scale;
    const struct line *line = &f->found.line;
    const struct interval reach = reach_of(f);
    double from = share_scale_at(scale, reach.lo), to = share_scale_at(scale, reach.hi);
    for (int i = 0; i < STEPS; i++) {
        double at = from + (to - from) * i / (STEPS - 1);
        struct interval band = line_band(line, at, 0.05);
        x[i] = share_scale_inverse(scale, at);
        y[i] = inside(share_scale_inverse(scale, line_value(line, at)));
        lo[i] = inside(share_scale_inverse(scale, band.lo));
        hi[i] = inside(share_scale_inverse(scale, band.hi));
    }
    chart_band(chart, "Line", STEPS, x, lo, hi);
    chart_line(chart, "Line", STEPS, x, y);
}

static void add_same(const struct measures_fit *f, struct chart *chart)
{
    double least = 1, most = 0, edge = f->m.query.scale == SHARE_LINEAR ? 0 : EDGE;
    for (size_t i = 0; i < f->m.n; i++) {
        least = fmin(least, fmin(f->points[i].x, f->points[i].y));
        most = fmax(most, fmax(f->points[i].x, f->points[i].y));
    }
    double ends[2] = {fmax(least, edge), fmin(most, 1 - edge)};
    chart_line(chart, "Equally accurate on both", 2, ends, ends);
}

static void add_points(struct ctx *c, const struct measures_fit *f, struct chart *chart)
{
    size_t n;
    const struct model_point *used = points_of(c, f, true, &n);
    const char *fact = model_fact_list[f->m.query.by].label;
    model_points_add(c->arena, chart, used, n, GROUPS_MOST, arena_printf(c->arena, "%s not said", fact));
    const struct model_point *others = points_of(c, f, false, &n);
    if (n) {
        model_points_one(c->arena, chart, "Left out", others, n);
    }
}

static const char *description(struct ctx *c, const struct measures_fit *f, const char *fresh)
{
    const char *line = f->any ? arena_printf(c->arena, " The line is fitted to %zu of them on the %s scale, with the 95 %% band of its mean.",
                                             f->found.line.n, share_scale_word(f->found.scale))
                              : "";
    const char *part = subset_is_all(&f->m.t.subset) ? "" : arena_printf(c->arena, " (%s)", f->m.t.subset.label);
    return arena_printf(c->arena, "A point for each of %zu model%s, with the 95 %% interval of its accuracy on %s%s.%s", f->m.n,
                        f->m.n == 1 ? "" : "s", fresh, part, line);
}

enum err_code chart_measures_fit(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct measures_query q;
    struct measures_fit f;
    if (measures_query_of(c, ask, &q) != OK || measures_fit_make(c, &q, 0, &f) != OK) {
        return c->err.code;
    }
    bool pair = f.points && f.m.n > 0;
    const char *original = pair ? set_title(c->arena, f.m.t.sets[SIDE_ORIGINAL].r) : "the originals";
    const char *fresh = pair ? set_title(c->arena, f.m.t.sets[SIDE_NEW].r) : "the new set";
    const struct chart_options o = {
        .title = arena_printf(c->arena, "Top-%d accuracy on %s against %s", q.top, fresh, original),
        .description = description(c, &f, fresh),
        .empty = pair ? NULL : "No model has predicted all of both sets yet.",
        .x = {.label = arena_printf(c->arena, "On %s", original), .form = CHART_PERCENT, .scale = scales[q.scale]},
        .y = {.label = arena_printf(c->arena, "On %s", fresh), .form = CHART_PERCENT, .scale = scales[q.scale]},
        .height = 420};
    *out = chart_new(c->arena, &o);
    if (pair) {
        add_points(c, &f, *out);
        if (f.any) {
            add_line(&f, *out);
        }
        add_same(&f, *out);
    }
    return OK;
}
