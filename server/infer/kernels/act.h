/* act.h - value by value: activations, scale and shift, two operands.
 *
 * Part of the bodies that avx512.c, avx2.c and base.c compile. Each function
 * is one loop written once and made for every operator by inlining; bounds from both sides (relu,
 * relu6) cost nothing and are part of the loop, other activations follow while the values are in
 * the first cache. */
#ifndef INFER_KERNELS_ACT_H
#define INFER_KERNELS_ACT_H

#include <math.h>
#include <stdbool.h>

#include "infer/kernels/kernel.h"
#include "infer/kernels/math.h"

/* What an activation keeps its argument between; `more`: it does something else. */
struct bounds {
    float low, high;
    bool more;
};

static inline struct bounds bounds_of(const struct activation *act)
{
    bool more = act->fn != FN_NONE && act->fn != FN_RELU && act->fn != FN_CLIP;
    float low = act->fn == FN_RELU ? 0 : act->fn == FN_CLIP ? act->a : -INFINITY;
    return (struct bounds){low, act->fn == FN_CLIP ? act->b : INFINITY, more};
}

KERNEL_INLINE vf v_bound(struct bounds k, vf x)
{
    return v_min(v_all(k.high), v_max(v_all(k.low), x));
}

KERNEL_INLINE vf v_unit(vf x) { return v_min(v_all(1.0f), v_max(v_all(0.0f), x)); }

KERNEL_INLINE vf v_apply(enum function fn, float a, float b, vf x)
{
    const float selu = 1.0507010f, selu_alpha = 1.6732632f;
    switch (fn) {
    case FN_NONE: return x;
    case FN_RELU: return v_max(v_all(0.0f), x);
    case FN_CLIP: return v_min(v_all(b), v_max(v_all(a), x));
    case FN_SIGMOID: return v_sigmoid(x);
    case FN_TANH: return v_tanh(x);
    case FN_SWISH: return v_swish(x);
    case FN_HARD_SIGMOID: return v_unit(v_fma(x, v_all(a), v_all(b)));
    case FN_HARD_SWISH: return x * v_unit(v_fma(x, v_all(1.0f / 6), v_all(0.5f)));
    case FN_GELU: return v_gelu(x);
    case FN_ELU: return v_pick(x < 0.0f, a * (v_exp(x) - 1.0f), x);
    case FN_SELU: return selu * v_pick(x < 0.0f, selu_alpha * (v_exp(x) - 1.0f), x);
    case FN_LEAKY_RELU: return v_pick(x < 0.0f, a * x, x);
    case FN_SOFTSIGN: return x / (1.0f + v_abs(x));
    case FN_EXP: return v_exp(x);
    case FN_ABS: return v_abs(x);
    case FN_NEG: return -x;
    case FN_ERF: return v_erf(x);
    case FN_RECIPROCAL: return 1.0f / x;
    case FN_SOFTPLUS:
    case FN_LOG:
    case FN_SQRT:
    case FN_FLOOR:
    case FN_CEIL:
    case FN_POW: break;
    }
    return x;
}

KERNEL_INLINE void activate_by(enum function fn, int64_t rows, int64_t columns, const float *x,
                               int64_t x_row, float *y, int64_t y_row, const struct activation *act)
{
    const float a = act->a, b = act->b;
    for (int64_t r = 0; r < rows; r++, x += x_row, y += y_row) {
        int64_t c = 0;
        for (; c + VN <= columns; c += VN) {
            v_store(y + c, v_apply(fn, a, b, v_load(x + c)));
        }
        if (c < columns) {
            v_store_part(y + c, columns - c,
                         v_apply(fn, a, b, v_load_part(x + c, columns - c, v_all(1.0f))));
        }
    }
}

KERNEL static void activate_scalars(int64_t rows, int64_t columns, const float *x, int64_t x_row,
                                    float *y, int64_t y_row, const struct activation *act)
{
    for (int64_t r = 0; r < rows; r++) {
        for (int64_t c = 0; c < columns; c++) {
            y[r * y_row + c] = kernel_function(act, x[r * x_row + c]);
        }
    }
}

#define ACTIVATE(fn)                                                                               \
    case fn: activate_by(fn, rows, columns, x, x_row, y, y_row, act); break
KERNEL static void activate(int64_t rows, int64_t columns, const float *x, int64_t x_row, float *y,
                            int64_t y_row, const struct activation *act)
{
    if (x_row == columns && y_row == columns) {
        columns *= rows;
        rows = 1;
    }
    switch (act->fn) {
        ACTIVATE(FN_NONE);
        ACTIVATE(FN_RELU);
        ACTIVATE(FN_CLIP);
        ACTIVATE(FN_SIGMOID);
        ACTIVATE(FN_TANH);
        ACTIVATE(FN_SWISH);
        ACTIVATE(FN_HARD_SIGMOID);
        ACTIVATE(FN_HARD_SWISH);
        ACTIVATE(FN_GELU);
        ACTIVATE(FN_ELU);
        ACTIVATE(FN_SELU);
        ACTIVATE(FN_LEAKY_RELU);
        ACTIVATE(FN_SOFTSIGN);
        ACTIVATE(FN_EXP);
        ACTIVATE(FN_ABS);
        ACTIVATE(FN_NEG);
        ACTIVATE(FN_ERF);
        ACTIVATE(FN_RECIPROCAL);
    case FN_SOFTPLUS:
    case FN_LOG:
    case FN_SQRT:
    case FN_FLOOR:
    case FN_CEIL:
    case FN_POW: activate_scalars(rows, columns, x, x_row, y, y_row, act);
    }
}
#undef ACTIVATE

KERNEL static void affine(int64_t rows, int64_t columns, const float *x, int64_t x_row,
                          const float *scale, const float *shift, float *y, int64_t y_row,
                          const struct activation *act)
{
    const struct bounds k = bounds_of(act);
    for (int64_t r = 0; r < rows; r++, x += x_row, y += y_row) {
        int64_t c = 0, n = columns % VN;
        for (; c + VN <= columns; c += VN) {
            v_store(y + c, v_bound(k, v_fma(v_load(x + c), v_load(scale + c), v_load(shift + c))));
        }
        if (n) {
            const vf none = {0};
            vf v = v_fma(v_load_part(x + c, n, none), v_load_part(scale + c, n, none),
                         v_load_part(shift + c, n, none));
            v_store_part(y + c, n, v_bound(k, v));
        }
        if (k.more) {
            activate(1, columns, y, columns, y, columns, act);
        }
    }
}

KERNEL_INLINE vf v_binary(enum binary op, vf a, vf b)
{
    switch (op) {
    case BIN_ADD: return a + b;
    case BIN_SUB: return a - b;
    case BIN_MUL: return a * b;
    case BIN_DIV: return a / b;
    case BIN_MIN: return v_pick(a != a, a, v_min(a, b));
    case BIN_MAX: return v_pick(a != a, a, v_max(a, b));
    case BIN_PRELU: return v_pick(a < 0.0f, a * b, a);
    case BIN_POW: break;
    }
    return a;
}

/* One row; `vary_a`, `vary_b`: the operand moves along it, else it is one value. */
KERNEL_INLINE void binary_row(enum binary op, bool vary_a, bool vary_b, int64_t columns,
                              const float *a, const float *b, float *y, struct bounds k)
{
    const vf one_a = v_all(*a), one_b = v_all(*b);
    int64_t c = 0, n = columns % VN;
    for (; c + VN <= columns; c += VN) {
        vf v = v_binary(op, vary_a ? v_load(a + c) : one_a, vary_b ? v_load(b + c) : one_b);
        v_store(y + c, v_bound(k, v));
    }
    if (n) {
        vf v = v_binary(op, vary_a ? v_load_part(a + c, n, v_all(1.0f)) : one_a,
                        vary_b ? v_load_part(b + c, n, v_all(1.0f)) : one_b);
        v_store_part(y + c, n, v_bound(k, v));
    }
}

KERNEL_INLINE void binary_rows(enum binary op, bool vary_a, bool vary_b, int64_t rows,
                               int64_t columns, struct operand a, struct operand b, float *y,
                               int64_t y_row, const struct activation *act)
{
    const struct bounds k = bounds_of(act);
    for (int64_t r = 0; r < rows; r++) {
        binary_row(op, vary_a, vary_b, columns, a.p + r * a.row, b.p + r * b.row, y + r * y_row, k);
        if (k.more) {
            activate(1, columns, y + r * y_row, columns, y + r * y_row, columns, act);
        }
    }
}

KERNEL static void power_rows(int64_t rows, int64_t columns, struct operand a, struct operand b,
                              float *y, int64_t y_row)
{
    for (int64_t r = 0; r < rows; r++) {
        for (int64_t c = 0; c < columns; c++) {
            y[r * y_row + c] = powf(a.p[r * a.row + c * a.column], b.p[r * b.row + c * b.column]);
        }
    }
}

/* Long rows are cut so that an activation that follows finds them in the first cache. */
enum { BINARY_COLUMNS = 2048 };

/* One value for all, or as dense as the result: then many rows are one. */
static inline bool joins(struct operand o, int64_t columns)
{
    return o.column == 0 ? o.row == 0 : o.row == columns;
}

#define BINARY(op)                                                                                 \
    case op:                                                                                       \
        if (a.column && b.column) {                                                                \
            binary_rows(op, true, true, rows, columns, a, b, y, y_row, act);                       \
        } else if (a.column) {                                                                     \
            binary_rows(op, true, false, rows, columns, a, b, y, y_row, act);                      \
        } else {                                                                                   \
            binary_rows(op, false, b.column != 0, rows, columns, a, b, y, y_row, act);             \
        }                                                                                          \
        break
KERNEL static void binary(enum binary op, int64_t rows, int64_t columns, struct operand a,
                          struct operand b, float *y, int64_t y_row, const struct activation *act)
{
    if (y_row == columns && joins(a, columns) && joins(b, columns)) {
        int64_t all = rows * columns, wide = all < BINARY_COLUMNS ? all : BINARY_COLUMNS;
        rows = wide ? all / wide : 0;
        columns = y_row = wide;
        a.row = a.column * wide;
        b.row = b.column * wide;
        if (rows * wide < all) {
            int64_t done = rows * wide;
            struct operand rest_a = {a.p + done * a.column, 0, a.column},
                           rest_b = {b.p + done * b.column, 0, b.column};
            binary(op, 1, all - done, rest_a, rest_b, y + done, 0, act);
        }
    }
    switch (op) {
        BINARY(BIN_ADD);
        BINARY(BIN_SUB);
        BINARY(BIN_MUL);
        BINARY(BIN_DIV);
        BINARY(BIN_MIN);
        BINARY(BIN_MAX);
        BINARY(BIN_PRELU);
    case BIN_POW:
        power_rows(rows, columns, a, b, y, y_row);
        activate(rows, columns, y, y_row, y, y_row, act);
    }
}
#undef BINARY

#endif
