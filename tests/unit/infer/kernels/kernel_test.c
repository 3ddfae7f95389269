/* kernel_test.c - the kernels of every instruction set of this processor against plain loops:
 * values, bounds of the errors that infer/kernels/math.h states, no float touched beyond the rows, the
 * same bits wherever a row lies. */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "infer/kernels/kernel.h"
#include "infer/naive.h"

enum { GUARD = 24 };
static const float GUARD_VALUE = 12345.5f;
static const int64_t COLUMNS[] = {1,  2,  3,  4,  5,  7,  8,  15,  16, 17,
                                  24, 31, 33, 40, 63, 64, 65, 116, 200};
enum { N_COLUMNS = sizeof COLUMNS / sizeof *COLUMNS };

static const struct kernels *const *list;
static size_t n_list;
static struct rng rng;

static float random_float(float low, float high)
{
    return low + (high - low) * (float)rng_unit(&rng);
}

/* n random floats; the caller frees. */
static float *random_floats(int64_t n, float low, float high)
{
    float *x = malloc((size_t)(n + 1) * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++) {
        x[i] = random_float(low, high);
    }
    return x;
}

/* Room for n floats between guards. */
static float *guarded(int64_t n)
{
    float *x = malloc((size_t)(n + 2 * GUARD) * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n + 2 * GUARD; i++) {
        x[i] = GUARD_VALUE;
    }
    return x + GUARD;
}

static void free_guarded(float *x, int64_t n)
{
    for (int64_t i = 0; i < GUARD; i++) {
        assert_true(x[-1 - i] == GUARD_VALUE && x[n + i] == GUARD_VALUE);
    }
    free(x - GUARD);
}

static void assert_near(double got, double want, double tolerance, const char *what)
{
    if (!(fabs(got - want) <= tolerance)) {
        fail_msg("%s: got %.9g, want %.9g within %g", what, got, want, tolerance);
    }
}

/* ------------------------------------------------------------------ functions */

static double truth(const struct activation *act, double x)
{
    switch (act->fn) {
    case FN_NONE: return x;
    case FN_RELU: return x > 0 ? x : 0;
    case FN_CLIP:
        return x < (double)act->a ? (double)act->a : x > (double)act->b ? (double)act->b : x;
    case FN_SIGMOID: return 1 / (1 + exp(-x));
    case FN_TANH: return tanh(x);
    case FN_SWISH: return x / (1 + exp(-x));
    case FN_HARD_SIGMOID: return fmin(1, fmax(0, (double)act->a * x + (double)act->b));
    case FN_HARD_SWISH: return x * fmin(1, fmax(0, x / 6 + 0.5));
    case FN_GELU: return 0.5 * x * (1 + erf(x / sqrt(2)));
    case FN_ELU: return x < 0 ? (double)act->a * expm1(x) : x;
    case FN_LEAKY_RELU: return x < 0 ? (double)act->a * x : x;
    case FN_SELU: return 1.0507009873554805 * (x < 0 ? 1.6732632423543772 * expm1(x) : x);
    case FN_SOFTPLUS: return x > 30 ? x : log1p(exp(x));
    case FN_SOFTSIGN: return x / (1 + fabs(x));
    case FN_EXP: return exp(x);
    case FN_LOG: return log(x);
    case FN_SQRT: return sqrt(x);
    case FN_ABS: return fabs(x);
    case FN_NEG: return -x;
    case FN_ERF: return erf(x);
    case FN_RECIPROCAL: return 1 / x;
    case FN_FLOOR: return floor(x);
    case FN_CEIL: return ceil(x);
    case FN_POW: return pow(x, (double)act->a);
    }
    return NAN;
}

static double units(double got, double want)
{
    double least = ldexp(1, -149),
           unit = want == 0 ? least : fmax(ldexp(1, ilogb(want) - 23), least);
    return fabs(got - want) / unit;
}

/* The largest error in units of the last place over floats from low to high, evenly spaced. */
static double worst(const struct kernels *k, struct activation act, float low, float high)
{
    enum { N = 20011 };
    float *x = random_floats(N, 0, 1), *y = random_floats(N, 0, 1);
    double most = 0;
    for (int i = 0; i < N; i++) {
        x[i] = low + (high - low) * (float)i / (N - 1);
    }
    k->activate(1, N, x, N, y, N, &act);
    for (int i = 0; i < N; i++) {
        most = fmax(most, units((double)y[i], truth(&act, (double)x[i])));
    }
    free(x);
    free(y);
    return most;
}

TEST(errors)
{
    static const struct {
        const char *name;
        enum function fn;
        float low, high;
        double units;
    } stated[] = {{"exp", FN_EXP, -87, 88.7f, 2},           {"exp near 0", FN_EXP, -1, 1, 2},
                  {"exp, subnormal", FN_EXP, -103, -87, 2}, {"sigmoid", FN_SIGMOID, -87, 87, 3},
                  {"sigmoid near 0", FN_SIGMOID, -4, 4, 3}, {"swish", FN_SWISH, -80, 80, 4},
                  {"swish near 0", FN_SWISH, -4, 4, 4},     {"tanh", FN_TANH, -20, 20, 3},
                  {"tanh near 0", FN_TANH, -1, 1, 3},       {"erf", FN_ERF, -6, 6, 3},
                  {"erf near 0", FN_ERF, -1.5f, 1.5f, 3}};
    for (size_t i = 0; i < n_list; i++) {
        for (size_t f = 0; f < sizeof stated / sizeof *stated; f++) {
            double error = worst(list[i], (struct activation){stated[f].fn, 0, 0}, stated[f].low,
                                 stated[f].high);
            print_message("%-7s %-15s %.2f units\n", list[i]->name, stated[f].name, error);
            assert_true(error <= stated[f].units);
        }
    }
}

TEST(functions)
{
    for (size_t i = 0; i < n_list; i++) {
        for (int fn = FN_NONE; fn <= FN_POW; fn++) {
            struct activation act = {(enum function)fn,
                                     fn == FN_CLIP  ? -0.5f
                                     : fn == FN_POW ? 2.5f
                                                    : 0.2f,
                                     0.5f};
            bool positive = fn == FN_LOG || fn == FN_SQRT || fn == FN_POW || fn == FN_RECIPROCAL;
            for (int c = 0; c < N_COLUMNS; c++) {
                int64_t columns = COLUMNS[c], rows = 3, x_row = columns + 5, y_row = columns + 2;
                float *x = random_floats(rows * x_row, positive ? 0.1f : -9, 9),
                      *y = guarded(rows * y_row);
                list[i]->activate(rows, columns, x, x_row, y, y_row, &act);
                for (int64_t k = 0; k < rows * y_row; k++) {
                    int64_t row = k / y_row, column = k % y_row;
                    double want = column < columns ? truth(&act, (double)x[row * x_row + column])
                                                   : GUARD_VALUE;
                    assert_near((double)y[k], want, 2e-6 * fmax(1, fabs(want)), list[i]->name);
                }
                free_guarded(y, rows * y_row);
                free(x);
            }
        }
    }
}

TEST(strange_values)
{
    const float strange[] = {NAN, INFINITY, -INFINITY, 0, -0.0f, 1e30f, -1e30f, 1e-40f, 200, -200};
    enum { N = sizeof strange / sizeof *strange };
    static const enum function all[] = {FN_NONE, FN_RELU, FN_CLIP, FN_SIGMOID,
                                        FN_TANH, FN_EXP,  FN_ERF,  FN_ELU};
    float y[N];
    for (size_t i = 0; i < n_list; i++) {
        for (size_t f = 0; f < sizeof all / sizeof *all; f++) {
            struct activation act = {all[f], -1, 1};
            list[i]->activate(1, N, strange, N, y, N, &act);
            for (int k = 0; k < N; k++) {
                double want = truth(&act, (double)strange[k]);
                if (strange[k] != strange[k]) {
                    assert_true(y[k] != y[k]); /* not a number stays so, in every function */
                } else if (isinf(want) || fabs(want) > 3.4e38) {
                    assert_true(isinf(y[k]) && (y[k] > 0) == (want > 0));
                } else {
                    assert_near((double)y[k], want, 1e-6 * fmax(1, fabs(want)), list[i]->name);
                }
            }
        }
    }
}

/* ------------------------------------------------------------------ rows */

TEST(affine)
{
    static const struct activation acts[] = {
        {FN_NONE, 0, 0}, {FN_RELU, 0, 0}, {FN_CLIP, 0, 0.75f}, {FN_SWISH, 0, 0}};
    for (size_t i = 0; i < n_list; i++) {
        for (int c = 0; c < N_COLUMNS * 4; c++) {
            int64_t columns = COLUMNS[c / 4], rows = 5, x_row = columns + 3, y_row = columns + 1;
            const struct activation *act = &acts[c % 4];
            float *x = random_floats(rows * x_row, -2, 2), *y = guarded(rows * y_row);
            float *scale = random_floats(columns, -1, 1), *shift = random_floats(columns, -1, 1);
            list[i]->affine(rows, columns, x, x_row, scale, shift, y, y_row, act);
            for (int64_t k = 0; k < rows * y_row; k++) {
                int64_t column = k % y_row;
                double v = column < columns
                               ? (double)x[k / y_row * x_row + column] * (double)scale[column] +
                                     (double)shift[column]
                               : 0;
                assert_near((double)y[k], column < columns ? truth(act, v) : (double)GUARD_VALUE,
                            2e-6, list[i]->name);
            }
            free_guarded(y, rows * y_row);
            free(x);
            free(scale);
            free(shift);
        }
    }
}

/* Operands that move along rows and columns, along one of them, or not at all. */
static void check_binary(const struct kernels *k, enum binary op, int64_t columns, int form)
{
    const struct activation act = {form % 3 == 0   ? FN_NONE
                                   : form % 3 == 1 ? FN_RELU
                                                   : FN_SIGMOID,
                                   0, 0};
    int64_t rows = form & 1 ? 3 : 70,
            y_row = form & 2 ? columns : columns + 2; /* both ways of joining rows */
    float *a = random_floats(rows * columns, 0.5f, 2), *b = random_floats(rows * columns, 0.5f, 2);
    float *y = guarded(rows * y_row);
    struct operand left = {a, form & 4 ? columns : 0, form & 8 ? 1 : 0};
    struct operand right = {b, form & 16 ? columns : 0, form & 32 ? 1 : 0};
    k->binary(op, rows, columns, left, right, y, y_row, &act);
    for (int64_t i = 0; i < rows * y_row; i++) {
        int64_t r = i / y_row, c = i % y_row;
        double want = c < columns
                          ? truth(&act, naive_binary(op, (double)a[r * left.row + c * left.column],
                                                     (double)b[r * right.row + c * right.column]))
                          : (double)GUARD_VALUE;
        assert_near((double)y[i], want, 2e-6 * fmax(1, fabs(want)), k->name);
    }
    free_guarded(y, rows * y_row);
    free(a);
    free(b);
}

TEST(binary)
{
    for (size_t i = 0; i < n_list; i++) {
        for (int op = BIN_ADD; op <= BIN_PRELU; op++) {
            for (int form = 0; form < 64; form++) {
                check_binary(list[i], (enum binary)op, COLUMNS[(form + op) % N_COLUMNS], form);
            }
            check_binary(list[i], (enum binary)op, 3000, 2 | 4 | 8 | 16 | 32);
        }
    }
}

TEST(nan_of_two)
{
    const struct activation none = {FN_NONE, 0, 0};
    for (size_t i = 0; i < n_list; i++) {
        for (int op = BIN_MIN; op <= BIN_MAX; op++) {
            const float a[] = {NAN, 1, 2, 3}, b[] = {1, NAN, 3, 2};
            float y[4];
            list[i]->binary((enum binary)op, 1, 4, (struct operand){a, 4, 1},
                            (struct operand){b, 4, 1}, y, 4, &none);
            assert_true(y[0] != y[0] && y[1] != y[1] && y[2] == y[3]);
        }
    }
}

TEST(columns)
{
    for (size_t i = 0; i < n_list; i++) {
        for (int c = 0; c < N_COLUMNS; c++) {
            int64_t columns = COLUMNS[c], rows = c % 2 ? 49 : 300, x_row = columns + (c % 3);
            float *x = random_floats(rows * x_row, -1, 3), *sum = guarded(columns),
                  *most = guarded(columns), *least = guarded(columns);
            list[i]->sum_rows(rows, columns, x, x_row, 0.5f, sum);
            list[i]->max_rows(rows, columns, x, x_row, most);
            list[i]->min_rows(rows, columns, x, x_row, least);
            for (int64_t k = 0; k < columns; k++) {
                double total = 0;
                float high = x[k], low = x[k];
                for (int64_t r = 0; r < rows; r++) {
                    total += (double)x[r * x_row + k];
                    high = fmaxf(high, x[r * x_row + k]);
                    low = fminf(low, x[r * x_row + k]);
                }
                assert_near((double)sum[k], total / 2, 2e-6 * total, list[i]->name);
                assert_true(most[k] == high && least[k] == low);
            }
            free_guarded(sum, columns);
            free_guarded(most, columns);
            free_guarded(least, columns);
            free(x);
        }
    }
}

/* The mean of a million values is as good as that of a thousand: sums go by blocks. */
TEST(long_sum)
{
    enum { N = 1 << 20 };
    float *x = random_floats(N, 0, 1);
    double mean = 0, last = 0;
    for (int k = 0; k < N; k++) {
        mean += (double)x[k] / N;
        last += k % 64 == 63 ? (double)x[k] * 64 / N : 0;
    }
    for (size_t i = 0; i < n_list; i++) {
        float line, wide[64];
        list[i]->sum_rows(N, 1, x, 1, 1.0f / N, &line);
        list[i]->sum_rows(N / 64, 64, x, 64, 64.0f / N, wide);
        assert_near((double)line, mean, 1e-6, list[i]->name);
        assert_near((double)wide[63], last, 1e-6, list[i]->name);
    }
    free(x);
}

static void check_softmax(const struct kernels *k, int64_t columns, const float *x, const float *y,
                          const float *log_y)
{
    double most = -INFINITY, sum = 0;
    for (int64_t c = 0; c < columns; c++) {
        most = fmax(most, (double)x[c]);
    }
    for (int64_t c = 0; c < columns; c++) {
        sum += exp((double)x[c] - most);
    }
    for (int64_t c = 0; c < columns; c++) {
        double want = exp((double)x[c] - most) / sum;
        assert_near((double)y[c], want, 4e-6 * want + 1e-38, k->name); /* x - largest is rounded */
        assert_near((double)log_y[c], log(want), 4e-6, k->name);
    }
}

TEST(softmax)
{
    for (size_t i = 0; i < n_list; i++) {
        for (int c = 0; c < N_COLUMNS; c++) {
            int64_t columns = COLUMNS[c], rows = 3, row = columns + 1;
            float *x = random_floats(rows * row, -20, 20), *y = guarded(rows * row),
                  *log_y = guarded(rows * row);
            list[i]->softmax(rows, columns, x, row, y, row);
            list[i]->log_softmax(rows, columns, x, row, log_y, row);
            for (int64_t r = 0; r < rows; r++) {
                check_softmax(list[i], columns, x + r * row, y + r * row, log_y + r * row);
                assert_true(y[r * row + columns] == GUARD_VALUE &&
                            log_y[r * row + columns] == GUARD_VALUE);
            }
            free_guarded(y, rows * row);
            free_guarded(log_y, rows * row);
            free(x);
        }
    }
}

TEST(layer_norm)
{
    for (size_t i = 0; i < n_list; i++) {
        for (int c = 0; c < N_COLUMNS * 2; c++) {
            int64_t columns = COLUMNS[c / 2], rows = 3, row = columns + 2;
            float *x = random_floats(rows * row, 5, 9), *y = guarded(rows * row);
            float *scale = random_floats(columns, -1, 1), *shift = random_floats(columns, -1, 1);
            list[i]->layer_norm(rows, columns, x, row, c % 2 ? scale : NULL, c % 2 ? shift : NULL,
                                1e-2f, y, row);
            for (int64_t r = 0; r < rows; r++) {
                double mean = 0, square = 0;
                for (int64_t k = 0; k < columns; k++) {
                    mean += (double)x[r * row + k] / (double)columns;
                }
                for (int64_t k = 0; k < columns; k++) {
                    square += pow((double)x[r * row + k] - mean, 2) / (double)columns;
                }
                for (int64_t k = 0; k < columns; k++) {
                    double v = ((double)x[r * row + k] - mean) / sqrt(square + 1e-2);
                    v = c % 2 ? v * (double)scale[k] + (double)shift[k] : v;
                    assert_near((double)y[r * row + k], v, 1e-5, list[i]->name);
                }
                assert_true(y[r * row + columns] == GUARD_VALUE);
            }
            free_guarded(y, rows * row);
            free(x);
            free(scale);
            free(shift);
        }
    }
}

TEST(transpose)
{
    for (size_t i = 0; i < n_list; i++) {
        for (int c = 0; c < N_COLUMNS * 4; c++) {
            int64_t columns = COLUMNS[c / 4], rows = (const int64_t[]){2, 1, 7, 70}[c % 4];
            int64_t x_row = columns + c % 3, y_row = rows + c % 2;
            float *x = random_floats(rows * x_row, -1, 1), *y = guarded(columns * y_row);
            list[i]->transpose(rows, columns, x, x_row, y, y_row);
            for (int64_t k = 0; k < columns * y_row; k++) {
                int64_t r = k % y_row;
                assert_true(y[k] == (r < rows ? x[r * x_row + k / y_row] : GUARD_VALUE));
            }
            free_guarded(y, columns * y_row);
            free(x);
        }
    }
}

/* The same row gives the same bits alone, as one of many, and at any address. */
TEST(same_bits)
{
    enum { COLUMN = 53, ROWS = 9 };
    for (size_t i = 0; i < n_list; i++) {
        float *x = random_floats(ROWS * COLUMN, -4, 4), *y = random_floats(ROWS * COLUMN, 0, 1);
        float *alone = random_floats(COLUMN + 8, 0, 1), *from = random_floats(COLUMN + 8, 0, 1);
        for (int fn = FN_SIGMOID; fn <= FN_ERF; fn++) {
            struct activation act = {(enum function)fn, 0.2f, 0.5f};
            list[i]->activate(ROWS, COLUMN, x, COLUMN, y, COLUMN, &act);
            for (int at = 0; at < 8; at++) {
                memcpy(from + at, x + 5 * COLUMN, COLUMN * sizeof *x);
                list[i]->activate(1, COLUMN, from + at, COLUMN, alone + at, COLUMN, &act);
                assert_memory_equal(alone + at, y + 5 * COLUMN, COLUMN * sizeof *x);
            }
        }
        list[i]->softmax(ROWS, COLUMN, x, COLUMN, y, COLUMN);
        list[i]->softmax(1, COLUMN, x + 5 * COLUMN, COLUMN, alone + 3, COLUMN);
        assert_memory_equal(alone + 3, y + 5 * COLUMN, COLUMN * sizeof *x);
        free(x);
        free(y);
        free(alone);
        free(from);
    }
}

static int setup(void **state)
{
    (void)state;
    n_list = kernels_all(&list);
    rng_seed(&rng, 5);
    return n_list > 0 && list[0] == kernels() ? 0 : -1;
}

TESTS_SHARE(setup, NULL)
