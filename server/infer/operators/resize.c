/* resize.c - values of another size: each result from the nearest value or from some around it.
 *
 * All of ONNX's ways are separable, so one axis is resized after the other, those that shrink
 * first. Which places of an axis a result is made of, and by which weights, is calculated when the
 * model is planned. Formulas: ONNX's Resize-18. */
#include <math.h>
#include <string.h>

#include "infer/onnx/wire.h"
#include "infer/plan/ops.h"
#include "infer/plan/private.h"

/* What one place of an axis becomes: `n` places from `first` on, whose weights add up to 1. */
struct made_of {
    const float *weights;
    int64_t first;
    uint32_t n; /* 0: it lies outside of what is resized */
};
/* One axis. */
struct axis {
    const struct resize *way;
    int64_t from, to;
    float scale, start, end;
    bool exact; /* the scale is that of the two sizes, and not a number that was rounded down */
};
struct pass {
    struct tensor x, y;
    int64_t outer, inner, from, to;
    const struct made_of *places;
    float outside;
};

/* ------------------------------------------------------------------ which places */

/* i / scale. Where nearest looks for it a place between two is one of them: 14 places made 2 are
 * exactly 7 apart, though 1 / 7 as a float is not. */
static float unscaled(const struct axis *z, float i)
{
    if (!z->exact) {
        return i / z->scale;
    }
    return z->way->mode == RESIZE_NEAREST ? (float)((double)i * (double)z->from / (double)z->to)
                                          : i * ((float)z->from / (float)z->to);
}

/* coordinate_transformation_mode: where result i lies among the places. */
static float source(const struct axis *z, int64_t at)
{
    const float i = (float)at, from = (float)z->from, to = (float)z->to;
    switch (z->way->place) {
    case PLACE_HALF_PIXEL_SYMMETRIC:
        return from / 2 * (1 - to / (z->scale * from)) + unscaled(z, i + 0.5F) - 0.5F;
    case PLACE_PYTORCH_HALF_PIXEL:
        return z->to > 1 ? unscaled(z, i + 0.5F) - 0.5F : 0;
    case PLACE_TF_HALF_PIXEL_FOR_NN:
        return unscaled(z, i + 0.5F);
    case PLACE_ALIGN_CORNERS:
        return z->to > 1 ? i * (from - 1) / (to - 1) : 0;
    case PLACE_ASYMMETRIC:
        return unscaled(z, i);
    case PLACE_TF_CROP_AND_RESIZE:
        return z->to > 1 ? z->start * (from - 1) + i * (z->end - z->start) * (from - 1) / (to - 1)
                         : 0.5F * (z->start + z->end) * (from - 1);
    case PLACE_HALF_PIXEL:
    default:
        return unscaled(z, i + 0.5F) - 0.5F;
    }
}

static double nearest(const struct axis *z, double at)
{
    switch (z->way->round) {
    case ROUND_PREFER_CEIL:
        return floor(at + 0.5);
    case ROUND_FLOOR:
        return floor(at);
    case ROUND_CEIL:
        return ceil(at);
    case ROUND_OLD:
        return z->scale < 1 ? ceil(at) : floor(at);
    case ROUND_PREFER_FLOOR:
    default:
        return ceil(at - 0.5);
    }
}

/* The weight of a place at that distance: a triangle, or Keys' cubic. */
static double weight_at(const struct resize *way, double distance)
{
    double d = fabs(distance), a = (double)way->coefficient;
    if (way->mode == RESIZE_LINEAR) {
        return d < 1 ? 1 - d : 0;
    }
    return d <= 1  ? ((a + 2) * d - (a + 3)) * d * d + 1
           : d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
                   : 0;
}

/* An antialiased filter is as much wider as the axis becomes shorter. */
static double narrowing(const struct axis *z)
{
    return z->way->antialias && z->scale < 1 ? (double)z->scale : 1;
}

static double reach(const struct axis *z)
{
    return z->way->mode == RESIZE_NEAREST  ? 0
           : z->way->mode == RESIZE_LINEAR ? 1 / narrowing(z)
                                           : 2 / narrowing(z);
}

static int64_t inside(const struct axis *z, double at)
{
    return at < 0 ? 0 : at < (double)z->from ? (int64_t)at : z->from - 1;
}

/* Weights of the places around `at`. Beyond the ends lies the last value, unless that is excluded;
 * `sums` has room for them. */
static void weigh(const struct axis *z, double at, struct made_of *out, float *sums)
{
    double total = 0, first = floor(at - reach(z)) + 1, last = ceil(at + reach(z)) - 1;
    int64_t low = inside(z, first), high = inside(z, last);
    double weights = 0;
    for (double k = first; k <= last; k++) {
        bool counts = !z->way->exclude_outside || (k >= 0 && k < (double)z->from);
        total += counts ? weight_at(z->way, (k - at) * narrowing(z)) : 0;
    }
    if (!(fabs(total) > 1e-6)) { /* nothing is left to weigh */
        *out = (struct made_of){NULL, inside(z, at), 1};
        return;
    }
    for (double k = first; k <= last; k++) {
        bool beyond = k < 0 || k >= (double)z->from;
        weights +=
            beyond && z->way->exclude_outside ? 0 : weight_at(z->way, (k - at) * narrowing(z));
        if (k == last || inside(z, k + 1) != inside(z, k)) {
            sums[inside(z, k) - low] = (float)(weights / total);
            weights = 0;
        }
    }
    *out = (struct made_of){sums, low, (uint32_t)(high - low + 1)};
}

static void find_place(const struct axis *z, int64_t i, struct made_of *out, float *sums)
{
    double at = (double)source(z, i);
    if (z->way->place == PLACE_TF_CROP_AND_RESIZE && !(at >= 0 && at <= (double)(z->from - 1))) {
        *out = (struct made_of){NULL, 0, 0};
    } else if (z->way->mode == RESIZE_NEAREST) {
        *out = (struct made_of){NULL, inside(z, nearest(z, at)), 1};
    } else {
        weigh(z, at, out, sums);
    }
}

static enum err_code find_places(struct plan *p, const struct axis *z, const struct made_of **out,
                                 struct err *err)
{
    struct made_of *places;
    float *sums;
    double most = fmin(2 * ceil(reach(z)) + 1, (double)z->from);
    enum err_code rc = onnx_take(plan_arena(p), (size_t)z->to, sizeof *places, &places, err);
    rc = rc == OK ? onnx_take(plan_arena(p), (size_t)z->to * (size_t)most, sizeof *sums, &sums, err)
                  : rc;
    for (int64_t i = 0; i < z->to && rc == OK; i++) {
        find_place(z, i, &places[i], sums + (size_t)i * (size_t)most);
        BUG_IF(places[i].n > most);
    }
    *out = rc == OK ? places : NULL;
    return rc;
}

/* ------------------------------------------------------------------ running */

static void make_row(const struct made_of *m, const float *x, int64_t inner, float *y)
{
    const float *w = m->weights;
    if (m->n == 1) {
        memcpy(y, x, (size_t)inner * sizeof *y);
    } else if (m->n == 2) {
        for (int64_t i = 0; i < inner; i++) {
            y[i] = x[i] + (x[inner + i] - x[i]) * w[1];
        }
    } else {
        for (int64_t i = 0; i < inner; i++) {
            y[i] = x[i] * w[0];
        }
        for (uint32_t k = 1; k < m->n; k++) {
            for (int64_t i = 0; i < inner; i++) {
                y[i] += x[k * inner + i] * w[k];
            }
        }
    }
}

static void run_pass(const struct run *r, const void *arg)
{
    const struct pass *z = arg;
    const float *x = tensor_at(r, &z->x);
    float *y = tensor_at(r, &z->y);
    for (int64_t o = 0; o < z->outer; o++, x += z->from * z->inner) {
        for (int64_t i = 0; i < z->to; i++, y += z->inner) {
            const struct made_of *m = &z->places[i];
            for (int64_t k = 0; k < z->inner && m->n == 0; k++) {
                y[k] = z->outside;
            }
            if (m->n) {
                make_row(m, x + m->first * z->inner, z->inner, y);
            }
        }
    }
}

/* ------------------------------------------------------------------ planning */

/* Which axis lies at that depth in memory, the outermost first. */
static uint32_t axis_at(uint32_t rank, enum layout layout, uint32_t depth)
{
    static const uint32_t channels_last[] = {0, 2, 3, 1};
    BUG_IF(layout == LAYOUT_CHANNELS_LAST && rank != 4);
    return layout == LAYOUT_CHANNELS_LAST ? channels_last[depth] : depth;
}

/* The axis at `depth` of x becomes that of y; the others are equal. */
static enum err_code add_pass(struct plan *p, const struct resize *way, enum layout layout,
                              uint32_t depth, const struct tensor *x, const struct tensor *y,
                              struct err *err)
{
    uint32_t axis = axis_at(x->rank, layout, depth);
    struct pass *z = arena_calloc(plan_arena(p), 1, sizeof *z);
    *z = (struct pass){.x = *x,
                       .y = *y,
                       .outer = 1,
                       .inner = 1,
                       .from = x->dims[axis],
                       .to = y->dims[axis],
                       .outside = way->outside};
    for (uint32_t i = 0; i < x->rank; i++) {
        z->outer *= i < depth ? x->dims[axis_at(x->rank, layout, i)] : 1;
        z->inner *= i > depth ? x->dims[axis_at(x->rank, layout, i)] : 1;
    }
    const struct axis at = {.way = way,
                            .from = z->from,
                            .to = z->to,
                            .scale = way->axes[axis].scale,
                            .start = way->axes[axis].from,
                            .end = way->axes[axis].to,
                            .exact = way->axes[axis].scale == (float)z->to / (float)z->from};
    enum err_code rc = find_places(p, &at, &z->places, err);
    if (rc == OK) {
        const struct tensor *reads[] = {&z->x, NULL}, *writes[] = {&z->y, NULL};
        plan_step(p, "resize", run_pass, z, reads, writes);
    }
    return rc;
}

/* The axes that change, by their depth: those that shrink, then those that grow, of each the
 * innermost first. What lies between two passes is never larger than both ends. */
static uint32_t order_axes(const struct node *n, const struct tensor *x, const struct value *y,
                           enum layout layout, uint32_t *depths)
{
    uint32_t count = 0;
    for (int grows = 0; grows < 2; grows++) {
        for (uint32_t depth = x->rank; depth-- > 0;) {
            uint32_t axis = axis_at(x->rank, layout, depth);
            int64_t from = x->dims[axis], to = y->dims[axis];
            if (!resize_keeps(n->resize, axis, from, to) && (to > from) == (grows == 1)) {
                depths[count++] = depth;
            }
        }
    }
    return count;
}

enum err_code op_resize(struct plan *p, const struct node *n, struct err *err)
{
    const struct value *v = plan_result(p, n, 0);
    enum layout layout = v->rank == 4 ? LAYOUT_CHANNELS_LAST : LAYOUT_ROWS;
    const struct tensor *x = plan_as(p, plan_input(p, n, 0), layout);
    const struct tensor *y = plan_output(p, n, 0, layout);
    struct value part = *v;
    uint32_t depths[TENSOR_RANK], count = order_axes(n, x, v, layout, depths);
    enum err_code rc = OK;
    memcpy(part.dims, x->dims, sizeof part.dims);
    for (uint32_t i = 0; i < count && rc == OK; i++) {
        uint32_t axis = axis_at(v->rank, layout, depths[i]);
        part.dims[axis] = v->dims[axis];
        const struct tensor *to = i + 1 == count ? y : plan_buffer(p, &part, layout);
        rc = add_pass(p, n->resize, layout, depths[i], x, to, err);
        x = to;
    }
    if (count == 0) {
        plan_copy(p, x, y);
    }
    return rc;
}
