/* rows.h - sums, largest values, softmax and layer norm of rows, and transposition.
 *
 * Part of the bodies that avx512.c, avx2.c and base.c compile. */
#ifndef INFER_KERNELS_ROWS_H
#define INFER_KERNELS_ROWS_H

#include <math.h>

#include "infer/kernels/kernel.h"
#include "infer/kernels/math.h"

enum { SUM_BLOCK = 128, COPY_BLOCK = 32 };

/* n floats one after the other: lanes within blocks, then the blocks. */
KERNEL static float sum_line(int64_t n, const float *x)
{
    vf total = {0}, block = {0};
    int64_t i = 0;
    for (; i + VN <= n; i += VN) {
        block += v_load(x + i);
        if ((i / VN) % SUM_BLOCK == SUM_BLOCK - 1) {
            total += block;
            block = v_all(0.0f);
        }
    }
    if (i < n) {
        block += v_load_part(x + i, n - i, v_all(0.0f));
    }
    return v_sum(total + block);
}

/* WIDE vectors of columns at once: their additions do not wait for each other. */
KERNEL_INLINE void sum_wide(const int wide, int64_t rows, const float *x, int64_t x_row,
                            float scale, float *y)
{
    vf total[4] = {{0}};
    for (int64_t r = 0; r < rows;) {
        vf block[4] = {{0}};
        int64_t end = rows - r > SUM_BLOCK ? r + SUM_BLOCK : rows;
        for (; r < end; r++) {
            for (int i = 0; i < wide; i++) {
                block[i] += v_load(x + r * x_row + i * VN);
            }
        }
        for (int i = 0; i < wide; i++) {
            total[i] += block[i];
        }
    }
    for (int i = 0; i < wide; i++) {
        v_store(y + i * VN, total[i] * scale);
    }
}

KERNEL static void sum_rows(int64_t rows, int64_t columns, const float *x, int64_t x_row,
                            float scale, float *y)
{
    if (columns == 1 && x_row == 1) {
        *y = sum_line(rows, x) * scale;
        return;
    }
    int64_t c = 0, n = columns % VN;
    for (; c + 4 * VN <= columns; c += 4 * VN) {
        sum_wide(4, rows, x + c, x_row, scale, y + c);
    }
    for (; c + VN <= columns; c += VN) {
        sum_wide(1, rows, x + c, x_row, scale, y + c);
    }
    if (n) {
        vf total = {0}, block = {0};
        for (int64_t r = 0; r < rows; r++) {
            block += v_load_part(x + r * x_row + c, n, v_all(0.0f));
            if (r % SUM_BLOCK == SUM_BLOCK - 1) {
                total += block;
                block = v_all(0.0f);
            }
        }
        v_store_part(y + c, n, (total + block) * scale);
    }
}

/* The larger (smaller) one; a NaN in either stays. */
KERNEL_INLINE vf v_extreme(bool largest, vf a, vf b)
{
    return v_pick(a != a, a, largest ? v_max(a, b) : v_min(a, b));
}

KERNEL_INLINE void extreme_rows(bool largest, int64_t rows, int64_t columns, const float *x,
                                int64_t x_row, float *y)
{
    int64_t c = 0, n = columns % VN;
    for (; c + VN <= columns; c += VN) {
        vf v = v_load(x + c);
        for (int64_t r = 1; r < rows; r++) {
            v = v_extreme(largest, v, v_load(x + r * x_row + c));
        }
        v_store(y + c, v);
    }
    if (n) {
        vf v = v_load_part(x + c, n, v_all(0.0f));
        for (int64_t r = 1; r < rows; r++) {
            v = v_extreme(largest, v, v_load_part(x + r * x_row + c, n, v_all(0.0f)));
        }
        v_store_part(y + c, n, v);
    }
}

KERNEL static void max_rows(int64_t rows, int64_t columns, const float *x, int64_t x_row, float *y)
{
    extreme_rows(true, rows, columns, x, x_row, y);
}

KERNEL static void min_rows(int64_t rows, int64_t columns, const float *x, int64_t x_row, float *y)
{
    extreme_rows(false, rows, columns, x, x_row, y);
}

/* The largest of n; whether a NaN is among them does not matter here. */
KERNEL_INLINE float largest_of(int64_t n, const float *x)
{
    vf a = v_all(-INFINITY), b = a;
    int64_t i = 0;
    for (; i + 2 * VN <= n; i += 2 * VN) { /* two, so that they do not wait for each other */
        a = v_max(a, v_load(x + i));
        b = v_max(b, v_load(x + i + VN));
    }
    for (; i < n; i += VN) {
        a = v_max(a, n - i >= VN ? v_load(x + i) : v_load_part(x + i, n - i, a));
    }
    return v_largest(v_max(a, b));
}

/* y = e^(x - base); returns the sum. */
KERNEL_INLINE float exp_line(int64_t n, const float *x, float base, float *y, bool keep)
{
    vf sum = {0};
    int64_t i = 0;
    for (; i + VN <= n; i += VN) {
        vf e = v_exp(v_load(x + i) - base);
        sum += e;
        if (keep) {
            v_store(y + i, e);
        }
    }
    if (i < n) {
        vf e = v_exp(v_load_part(x + i, n - i, v_all(-INFINITY)) - base);
        sum += e;
        if (keep) {
            v_store_part(y + i, n - i, e);
        }
    }
    return v_sum(sum);
}

KERNEL static void softmax(int64_t rows, int64_t columns, const float *x, int64_t x_row, float *y,
                           int64_t y_row)
{
    for (int64_t r = 0; r < rows; r++, x += x_row, y += y_row) {
        float share = 1 / exp_line(columns, x, largest_of(columns, x), y, true);
        int64_t c = 0, n = columns % VN;
        for (; c + VN <= columns; c += VN) {
            v_store(y + c, v_load(y + c) * share);
        }
        if (n) {
            v_store_part(y + c, n, v_load_part(y + c, n, v_all(0.0f)) * share);
        }
    }
}

KERNEL static void log_softmax(int64_t rows, int64_t columns, const float *x, int64_t x_row,
                               float *y, int64_t y_row)
{
    for (int64_t r = 0; r < rows; r++, x += x_row, y += y_row) {
        float largest = largest_of(columns, x),
              rest = logf(exp_line(columns, x, largest, y, false));
        int64_t c = 0, n = columns % VN;
        for (; c + VN <= columns; c += VN) {
            v_store(y + c, (v_load(x + c) - largest) - rest);
        }
        if (n) {
            v_store_part(y + c, n, (v_load_part(x + c, n, v_all(0.0f)) - largest) - rest);
        }
    }
}

/* The sum of (x - mean)^2. */
KERNEL_INLINE float squares(int64_t n, const float *x, float mean)
{
    vf sum = {0};
    int64_t i = 0;
    for (; i + VN <= n; i += VN) {
        vf d = v_load(x + i) - mean;
        sum = v_fma(d, d, sum);
    }
    if (i < n) {
        vf d = v_load_part(x + i, n - i, v_all(mean)) - mean;
        sum = v_fma(d, d, sum);
    }
    return v_sum(sum);
}

KERNEL static void layer_norm(int64_t rows, int64_t columns, const float *x, int64_t x_row,
                              const float *scale, const float *shift, float epsilon, float *y,
                              int64_t y_row)
{
    const vf one = v_all(1.0f), none = v_all(0.0f);
    for (int64_t r = 0; r < rows; r++, x += x_row, y += y_row) {
        float mean = sum_line(columns, x) / (float)columns;
        float by = 1 / sqrtf(squares(columns, x, mean) / (float)columns + epsilon);
        int64_t c = 0, n = columns % VN;
        for (; c + VN <= columns; c += VN) {
            vf v = (v_load(x + c) - mean) * by;
            v_store(y + c,
                    v_fma(v, scale ? v_load(scale + c) : one, shift ? v_load(shift + c) : none));
        }
        if (n) {
            vf v = (v_load_part(x + c, n, none) - mean) * by;
            vf s = scale ? v_load_part(scale + c, n, one) : one,
               t = shift ? v_load_part(shift + c, n, none) : none;
            v_store_part(y + c, n, v_fma(v, s, t));
        }
    }
}

typedef float four __attribute__((vector_size(16)));

KERNEL_INLINE void transpose_four(const float *x, int64_t x_row, float *y, int64_t y_row)
{
    four a, b, c, d;
    memcpy(&a, x, sizeof a);
    memcpy(&b, x + x_row, sizeof b);
    memcpy(&c, x + 2 * x_row, sizeof c);
    memcpy(&d, x + 3 * x_row, sizeof d);
    four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5),
         cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    four AB = __builtin_shufflevector(a, b, 2, 6, 3, 7),
         CD = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    a = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    c = __builtin_shufflevector(AB, CD, 0, 1, 4, 5);
    d = __builtin_shufflevector(AB, CD, 2, 3, 6, 7);
    memcpy(y, &a, sizeof a);
    memcpy(y + y_row, &b, sizeof b);
    memcpy(y + 2 * y_row, &c, sizeof c);
    memcpy(y + 3 * y_row, &d, sizeof d);
}

/* A block of at most COPY_BLOCK x COPY_BLOCK, whose lines stay in the first cache on both sides. */
KERNEL_INLINE void transpose_block(int64_t rows, int64_t columns, const float *x, int64_t x_row,
                                   float *y, int64_t y_row)
{
    int64_t r = 0;
    for (; r + 4 <= rows; r += 4) {
        int64_t c = 0;
        for (; c + 4 <= columns; c += 4) {
            transpose_four(x + r * x_row + c, x_row, y + c * y_row + r, y_row);
        }
        for (; c < columns; c++) {
            for (int64_t i = r; i < r + 4; i++) {
                y[c * y_row + i] = x[i * x_row + c];
            }
        }
    }
    for (; r < rows; r++) {
        for (int64_t c = 0; c < columns; c++) {
            y[c * y_row + r] = x[r * x_row + c];
        }
    }
}

/* Two rows into pairs, as a shuffle of two groups of channels does for every pixel. */
KERNEL_INLINE void transpose_pair(int64_t columns, const float *x, int64_t x_row, float *y)
{
    int64_t c = 0;
    for (; c + 4 <= columns; c += 4) {
        four a, b;
        memcpy(&a, x + c, sizeof a);
        memcpy(&b, x + x_row + c, sizeof b);
        four low = __builtin_shufflevector(a, b, 0, 4, 1, 5),
             high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
        memcpy(y + 2 * c, &low, sizeof low);
        memcpy(y + 2 * c + 4, &high, sizeof high);
    }
    for (; c < columns; c++) {
        y[2 * c] = x[c];
        y[2 * c + 1] = x[x_row + c];
    }
}

KERNEL static void transpose(int64_t rows, int64_t columns, const float *x, int64_t x_row, float *y,
                             int64_t y_row)
{
    if (rows == 2 && y_row == 2) {
        transpose_pair(columns, x, x_row, y);
        return;
    }
    for (int64_t r = 0; r < rows; r += COPY_BLOCK) {
        for (int64_t c = 0; c < columns; c += COPY_BLOCK) {
            transpose_block(rows - r < COPY_BLOCK ? rows - r : COPY_BLOCK,
                            columns - c < COPY_BLOCK ? columns - c : COPY_BLOCK, x + r * x_row + c,
                            x_row, y + c * y_row + r, y_row);
        }
    }
}

#endif
