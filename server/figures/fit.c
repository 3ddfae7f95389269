/* fit.c - models on both sets as points, the line through them with its band, and where both sets are alike. */
#include <math.h>

#include "figures/figures.h"
#include "figures/model_points.h"

enum { GROUPS_MOST = 4, STEPS = 41 /* more than those of which a chart marks each */ };
#define EDGE 0.001 /* the ends of probit and logit are infinitely far away */

static const enum chart_scale scales[] = {
    [SHARE_LINEAR] = CHART_LINEAR, [SHARE_PROBIT] = CHART_PROBIT, [SHARE_LOGIT] = CHART_LOGIT};

/* Those the line is fitted to, or the others. */
static struct model_point *points_of(struct arena *a, const struct figure_fit *f, bool used, size_t *n)
{
    struct model_point *list = arena_calloc(a, f->n + 1, sizeof *list);
    *n = 0;
    for (size_t i = 0; i < f->n; i++) {
        const struct figure_model *m = &f->models[i];
        if (!m->point->left_out == used) {
            list[(*n)++] = (struct model_point){.name = arena_cstr(a, m->point->model),
                                                .group = m->group,
                                                .x = m->point->x,
                                                .y = m->point->y,
                                                .lo = m->ci.lo,
                                                .hi = m->ci.hi};
        }
    }
    return list;
}

/* From the least to the most accurate model on the originals that has a place on the scale. */
static struct interval reach_of(const struct figure_fit *f)
{
    struct interval reach = {1, 0};
    for (size_t i = 0; i < f->n; i++) {
        double x = f->models[i].point->x;
        if (share_scale_takes(f->scale, x)) {
            reach.lo = fmin(reach.lo, x);
            reach.hi = fmax(reach.hi, x);
        }
    }
    return reach;
}

static double inside(double share)
{
    return fmin(fmax(share, 0), 1);
}

/* From one place on the scale to another. */
static void add_line(const struct figure_fit *f, struct chart *chart, const char *name, const struct line *line, double from,
                     double to)
{
    double x[STEPS], y[STEPS], lo[STEPS], hi[STEPS];
    for (int i = 0; i < STEPS; i++) {
        double at = from + (to - from) * i / (STEPS - 1);
        struct interval band = line_band(line, at, 0.05);
        x[i] = share_scale_inverse(f->scale, at);
        y[i] = inside(share_scale_inverse(f->scale, line_value(line, at)));
        lo[i] = inside(share_scale_inverse(f->scale, band.lo));
        hi[i] = inside(share_scale_inverse(f->scale, band.hi));
    }
    chart_band(chart, name, STEPS, x, lo, hi);
    chart_line(chart, name, STEPS, x, y);
}

static void add_lines(const struct figure_fit *f, struct chart *chart)
{
    const struct fit_found *found = f->found;
    const struct interval reach = reach_of(f);
    double from = share_scale_at(f->scale, reach.lo), to = share_scale_at(f->scale, reach.hi);
    if (found->n_pieces == 0) {
        add_line(f, chart, "Line", &found->line, from, to);
    } else {
        add_line(f, chart, "Line below", &found->pieces[FIT_BELOW].line, from, found->pivot_at);
        add_line(f, chart, "Line above", &found->pieces[FIT_ABOVE].line, found->pivot_at, to);
    }
}

static void add_same(const struct figure_fit *f, struct chart *chart)
{
    double least = 1, most = 0, edge = f->scale == SHARE_LINEAR ? 0 : EDGE;
    for (size_t i = 0; i < f->n; i++) {
        const struct fit_point *p = f->models[i].point;
        least = fmin(least, fmin(p->x, p->y));
        most = fmax(most, fmax(p->x, p->y));
    }
    double ends[2] = {fmax(least, edge), fmin(most, 1 - edge)};
    chart_line(chart, "Equally accurate on both", 2, ends, ends);
}

static void add_points(struct arena *a, const struct figure_fit *f, struct chart *chart)
{
    size_t n;
    const struct model_point *used = points_of(a, f, true, &n);
    model_points_add(a, chart, used, n, GROUPS_MOST, f->nameless);
    const struct model_point *others = points_of(a, f, false, &n);
    if (n) {
        model_points_one(a, chart, "Left out", others, n);
    }
}

static const char *description(struct arena *a, const struct figure_fit *f)
{
    const char *line = f->found ? arena_printf(a, " The line is fitted to %zu of them on the %s scale, with the 95 %% band of its mean.",
                                               f->found->line.n, share_scale_word(f->scale))
                                : "";
    return arena_printf(a, "A point for each of %zu model%s, with the 95 %% interval of its accuracy on %s%s.%s", f->n, f->n == 1 ? "" : "s",
                        f->fresh, f->part ? arena_printf(a, " (%s)", f->part) : "", line);
}

struct chart *figure_fit(struct arena *a, const struct figure_fit *f)
{
    const struct chart_options o = {
        .title = arena_printf(a, "%s on %s against %s", f->top ? arena_printf(a, "Top-%d accuracy", f->top) : "Accuracy", f->fresh, f->original),
        .description = description(a, f),
        .empty = f->n ? NULL : "No model has predicted all of both sets yet.",
        .x = {.label = arena_printf(a, "On %s", f->original), .form = CHART_PERCENT, .scale = scales[f->scale]},
        .y = {.label = arena_printf(a, "On %s", f->fresh), .form = CHART_PERCENT, .scale = scales[f->scale]},
        .height = 420};
    struct chart *chart = chart_new(a, &o);
    if (f->n) {
        add_points(a, f, chart);
        if (f->found) {
            add_lines(f, chart);
        }
        add_same(f, chart);
    }
    return chart;
}
