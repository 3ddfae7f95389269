/* Products against sums written out, the ridge solver against small solutions by hand and by its residual,
 * eigenvectors against what defines them, and what is said when LAPACK is not there. */
#include "unit.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "base/thread.h"
#include "base/xalloc.h"
#include "linalg/lapack.h"
#include "linalg/matrix.h"

static float *random_floats(struct rng *r, size_t n)
{
    float *out = xmalloc(n * sizeof *out);
    for (size_t i = 0; i < n; i++) {
        out[i] = (float)(rng_unit(r) * 2 - 1);
    }
    return out;
}

/* ------------------------------------------------------------------ products */

struct shape {
    size_t m, n, k;
};

static void check_product(struct rng *r, struct shape s, bool ta, bool tb)
{
    size_t lda = (ta ? s.m : s.k) + 3, ldb = (tb ? s.k : s.n) + 1, ldc = s.n + 2;
    float *a = random_floats(r, (ta ? s.k : s.m) * lda), *b = random_floats(r, (tb ? s.n : s.k) * ldb);
    float *c = random_floats(r, s.m * ldc), *before = xmalloc(s.m * ldc * sizeof *c);
    memcpy(before, c, s.m * ldc * sizeof *c);
    matrix_product(ta, tb, s.m, s.n, s.k, 0.5f, a, lda, b, ldb, 2, c, ldc);
    for (size_t i = 0; i < s.m; i++) {
        for (size_t j = 0; j < ldc; j++) {
            double sum = 0;
            for (size_t p = 0; j < s.n && p < s.k; p++) {
                sum += (double)(ta ? a[p * lda + i] : a[i * lda + p]) * (double)(tb ? b[j * ldb + p] : b[p * ldb + j]);
            }
            double want = j < s.n ? 0.5 * sum + 2 * (double)before[i * ldc + j] : (double)before[i * ldc + j];
            assert_true(fabs((double)c[i * ldc + j] - want) <= 1e-5 * (1 + (double)s.k));
        }
    }
    free(a);
    free(b);
    free(c);
    free(before);
}

TEST(products_are_sums)
{
    static const struct shape shapes[] = {{1, 1, 1}, {3, 5, 7}, {17, 64, 108}, {128, 33, 257}, {2, 3, 0}, {64, 64, 64}};
    struct rng r;
    rng_seed(&r, 1);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        for (int t = 0; t < 4; t++) {
            check_product(&r, shapes[i], t & 1, t & 2);
        }
    }
    matrix_product(false, false, 0, 0, 4, 1, NULL, 4, NULL, 1, 0, NULL, 1); /* nothing to do */
}

static unsigned count_threads(void)
{
    char line[256];
    unsigned n = 0;
    FILE *f = fopen("/proc/self/status", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "Threads: %u", &n) == 1) {
            break;
        }
    }
    fclose(f);
    return n;
}

/* a[0] becomes how many threads came. */
static void *multiply(void *arg)
{
    size_t n = 512;
    float *a = arg, *c = xmalloc(n * n * sizeof *c);
    unsigned before = count_threads();
    matrix_product(false, false, n, n, n, 1, a, n, a, n, 0, c, n);
    *a = (float)count_threads() - (float)before;
    free(c);
    return NULL;
}

/* A large product stays on the thread that asked for it. */
TEST(a_product_starts_no_threads)
{
    struct rng r;
    pthread_t t;
    rng_seed(&r, 2);
    float *a = random_floats(&r, 512 * 512);
    assert_int_equal(thread_start(&t, "product", multiply, a, NULL), OK);
    pthread_join(t, NULL);
    assert_true(*a == 0);
    free(a);
}

/* ------------------------------------------------------------------ the solver */

TEST(small_systems_by_hand)
{
    struct err err = {0};
    /* (1 + 1) x = 3 */
    double one[] = {1}, b1[] = {3};
    assert_int_equal(matrix_solve_ridge(one, 1, 1, b1, 1, &err), OK);
    assert_true(fabs(b1[0] - 1.5) < 1e-15);
    /* Only the upper triangle is read: 4x + 2y = 10, 2x + 3y = 9 -> x = 1.5, y = 2; and a second column. */
    double two[] = {4, 2, -999, 3}, b2[] = {10, 4, 9, 2};
    assert_int_equal(matrix_solve_ridge(two, 2, 0, b2, 2, &err), OK);
    assert_true(fabs(b2[0] - 1.5) < 1e-14 && fabs(b2[2] - 2) < 1e-14);
    assert_true(fabs(b2[1] - 1) < 1e-14 && fabs(b2[3]) < 1e-14);
    /* A singular matrix is solvable with lambda: (J + I) x = (3, 3), J all ones -> x = (1, 1). */
    double ones[] = {1, 1, 1, 1}, b3[] = {3, 3};
    assert_int_equal(matrix_solve_ridge(ones, 2, 1, b3, 1, &err), OK);
    assert_true(fabs(b3[0] - 1) < 1e-14 && fabs(b3[1] - 1) < 1e-14);
    assert_int_equal(matrix_solve_ridge(NULL, 0, 1, NULL, 3, &err), OK);
}

static void refuse(double *a, size_t n, double lambda, double *b)
{
    struct err err = {0};
    assert_int_equal(matrix_solve_ridge(a, n, lambda, b, 1, &err), ERR_INPUT);
    assert_string_equal(err.rule, "ridge");
    assert_non_null(strstr(err.msg, "larger lambda"));
}

TEST(what_has_no_solution_is_refused)
{
    double ones[] = {1, 1, 1, 1}, zero[] = {0}, minus[] = {1, 0, 0, -1}, nothing[] = {NAN, 0, 0, 1};
    double b[] = {1, 1};
    struct rng r;
    refuse(ones, 2, 0, b);
    refuse(zero, 1, 0, b);
    refuse(minus, 2, 0.5, b);
    refuse(nothing, 2, 1, b);
    /* Of rank 20 in 40 dimensions: rounding makes pivots that are not quite 0. */
    enum { N = 40, RANK = 20 };
    double *a = xcalloc(N * N, sizeof *a), *x = xcalloc(N, sizeof *x), row[N];
    rng_seed(&r, 3);
    for (int k = 0; k < RANK; k++) {
        for (int i = 0; i < N; i++) {
            row[i] = rng_unit(&r) - 0.5;
        }
        for (int i = 0; i < N * N; i++) {
            a[i] += row[i / N] * row[i % N];
        }
    }
    refuse(a, N, 0, x);
    free(a);
    free(x);
}

static void check_residual(size_t n, size_t m, double lambda)
{
    struct rng r;
    struct err err = {0};
    double *a = xmalloc(n * n * sizeof *a), *b = xmalloc(n * m * sizeof *b);
    double *kept = xmalloc(n * n * sizeof *a), *x = xmalloc(n * m * sizeof *b);
    rng_seed(&r, n);
    for (size_t i = 0; i < n * n; i++) {
        a[i] = i % n >= i / n ? rng_unit(&r) - 0.5 : NAN; /* below the diagonal: never read */
    }
    for (size_t i = 0; i < n; i++) {
        a[i * n + i] += 0.6 * (double)n; /* dominates its row: positive definite */
    }
    for (size_t i = 0; i < n * m; i++) {
        b[i] = rng_unit(&r) - 0.5;
    }
    memcpy(kept, a, n * n * sizeof *a);
    memcpy(x, b, n * m * sizeof *b);
    assert_int_equal(matrix_solve_ridge(a, n, lambda, x, m, &err), OK);
    size_t step = n > 500 ? 97 : 1;
    for (size_t i = 0; i < n; i += step) {
        for (size_t j = 0; j < m; j++) {
            double sum = lambda * x[i * m + j];
            for (size_t k = 0; k < n; k++) {
                sum += (k >= i ? kept[i * n + k] : kept[k * n + i]) * x[k * m + j];
            }
            assert_true(fabs(sum - b[i * m + j]) < 1e-11);
        }
    }
    free(a);
    free(b);
    free(kept);
    free(x);
}

TEST(random_systems_by_their_residual)
{
    check_residual(2, 1, 0);
    check_residual(3, 5, 0.25);
    check_residual(65, 24, 1e-3);
    check_residual(300, 1000, 2);
    check_residual(2000, 3, 0.1);
}

TEST(more_than_fits_is_refused)
{
    struct err err = {0};
    assert_int_equal(matrix_solve_ridge(NULL, (size_t)1 << 40, 1, NULL, 1, &err), ERR_LIMIT);
    assert_string_equal(err.rule, "matrix-size");
}

TEST(eigenvectors_are_what_they_should_be)
{
    enum { N = 108 };
    struct rng r;
    struct err err = {0};
    double two[] = {2, 1, -999, 2}, values[N];
    assert_int_equal(matrix_eigen(two, 2, values, &err), OK);
    assert_true(fabs(values[0] - 1) < 1e-14 && fabs(values[1] - 3) < 1e-14);
    assert_true(fabs(two[2] - sqrt(0.5)) < 1e-14 && fabs(two[3] - sqrt(0.5)) < 1e-14);
    double *a = xmalloc(N * N * sizeof *a), *v = xmalloc(N * N * sizeof *v);
    rng_seed(&r, 5);
    for (size_t i = 0; i < N * N; i++) {
        a[i] = i / N <= i % N ? rng_unit(&r) - 0.5 : a[i % N * N + i / N];
    }
    memcpy(v, a, N * N * sizeof *a);
    assert_int_equal(matrix_eigen(v, N, values, &err), OK);
    for (size_t i = 0; i < N; i++) {
        assert_true(i == 0 || values[i - 1] <= values[i]);
        for (size_t j = 0; j < N; j++) {
            double product = 0;
            for (size_t k = 0; k < N; k++) {
                product += a[j * N + k] * v[i * N + k];
            }
            assert_true(fabs(product - values[i] * v[i * N + j]) < 1e-12 * N);
        }
    }
    v[0] = INFINITY;
    assert_int_equal(matrix_eigen(v, N, values, &err), ERR_INPUT);
    free(a);
    free(v);
}

TEST(a_missing_lapack_names_its_package)
{
    static const char *const none[] = {"libno-such-thing.so.9", "libm.so.6", NULL};
    struct lapack lapack = {0};
    struct err err = {0};
    assert_int_equal(lapack_open(none, &lapack, &err), ERR_NOT_FOUND);
    assert_string_equal(err.rule, "lapack");
    assert_non_null(strstr(err.msg, "apt-get install libopenblas0-serial"));
    static const char *const second[] = {"libno-such-thing.so.9", "libopenblas.so.0", NULL};
    struct err fine = {0};
    assert_int_equal(lapack_open(second, &lapack, &fine), OK);
    assert_true(lapack.dpotrf && lapack.dpotrs && lapack.dsyev);
    assert_int_equal(matrix_solver_ready(&fine), OK);
}
