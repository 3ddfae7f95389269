/* matrix.c - products by oneDNN, linear equations by LAPACK. */
#include "linalg/matrix.h"

#include <dnnl.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "linalg/lapack.h"
#include "linalg/one_thread.h"

/* 2^15 x 2^15 doubles are 8 GiB: nothing that is trained here comes near it. */
enum { SOLVER_MOST = 1 << 15 };

/* ------------------------------------------------------------------ products */

static void scale_rows(size_t m, size_t n, float by, float *c, size_t ldc)
{
    for (size_t i = 0; i < m * n; i++) {
        float *at = &c[i / n * ldc + i % n];
        *at = by == 0 ? 0 : *at * by;
    }
}

void matrix_product(bool ta, bool tb, size_t m, size_t n, size_t k, float alpha, const float *a,
                    size_t lda, const float *b, size_t ldb, float beta, float *c, size_t ldc)
{
    if (m == 0 || n == 0) {
        return;
    }
    if (k == 0) { /* oneDNN does nothing then, not even with beta */
        scale_rows(m, n, beta, c, ldc);
        return;
    }
    stay_on_this_thread();
    dnnl_status_t status =
        dnnl_sgemm(ta ? 'T' : 'N', tb ? 'T' : 'N', (dnnl_dim_t)m, (dnnl_dim_t)n, (dnnl_dim_t)k,
                   alpha, a, (dnnl_dim_t)lda, b, (dnnl_dim_t)ldb, beta, c, (dnnl_dim_t)ldc);
    BUG_IF(status != dnnl_success); /* it refuses only arguments that make no sense */
}

/* ------------------------------------------------------------------ equations */

/* A serial OpenBLAS may have been built without locks of its own. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static enum err_code check_size(size_t n, size_t m, struct err *err)
{
    return n <= SOLVER_MOST && m <= SOLVER_MOST
               ? OK
               : err_rule(err, ERR_LIMIT, "matrix-size",
                          "A system of %zu x %zu equations is too large: %d at most.", n, m,
                          SOLVER_MOST);
}

static enum err_code refuse_singular(double lambda, struct err *err)
{
    return err_rule(err, ERR_INPUT, "ridge",
                    "The equations have no unique solution with lambda %g: choose a larger lambda.",
                    lambda);
}

/* A pivot that is only rounding: then every digit of the solution would be. Not a number counts as
 * well. */
static bool is_singular(const double *factor, size_t n, double largest)
{
    double least = largest * (double)n * DBL_EPSILON;
    for (size_t i = 0; i < n; i++) {
        double pivot = factor[i * n + i];
        if (!(pivot * pivot > least) || !isfinite(pivot)) {
            return true;
        }
    }
    return false;
}

static void transpose(const double *from, size_t rows, size_t columns, double *to)
{
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            to[j * rows + i] = from[i * columns + j];
        }
    }
}

/* Our upper triangle in rows is LAPACK's lower triangle in columns. */
static enum err_code factorise(const struct lapack *lapack, double *a, size_t n, double lambda,
                               struct err *err)
{
    double largest = 0;
    int size = (int)n, info = 0;
    for (size_t i = 0; i < n; i++) {
        a[i * n + i] += lambda;
        largest = fmax(largest, fabs(a[i * n + i]));
    }
    pthread_mutex_lock(&one_at_a_time);
    lapack->dpotrf("L", &size, a, &size, &info, 1);
    pthread_mutex_unlock(&one_at_a_time);
    return info != 0 || is_singular(a, n, largest) ? refuse_singular(lambda, err) : OK;
}

enum err_code matrix_solve_ridge(double *a, size_t n, double lambda, double *b, size_t m,
                                 struct err *err)
{
    const struct lapack *lapack;
    enum err_code rc = check_size(n, m, err);
    rc = rc == OK ? lapack_load(&lapack, err) : rc;
    if (rc != OK || n == 0) {
        return rc;
    }
    rc = factorise(lapack, a, n, lambda, err);
    if (rc == OK && m > 0) {
        int size = (int)n, columns = (int)m, info = 0;
        double *turned = xmalloc(n * m * sizeof *turned);
        transpose(b, n, m, turned);
        pthread_mutex_lock(&one_at_a_time);
        lapack->dpotrs("L", &size, &columns, a, &size, turned, &size, &info, 1);
        pthread_mutex_unlock(&one_at_a_time);
        BUG_IF(info != 0);
        transpose(turned, m, n, b);
        free(turned);
    }
    return rc;
}

/* LAPACK leaves the sign of a vector open; a fixed one makes results comparable. */
static void fix_sign(double *row, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++) {
        best = fabs(row[i]) > fabs(row[best]) * (1 + 1e-9) ? i : best;
    }
    double sign = row[best] < 0 ? -1 : 1;
    for (size_t i = 0; i < n; i++) {
        row[i] *= sign;
    }
}

enum err_code matrix_eigen(double *a, size_t n, double *values, struct err *err)
{
    const struct lapack *lapack;
    enum err_code rc = check_size(n, n, err);
    rc = rc == OK ? lapack_load(&lapack, err) : rc;
    if (rc != OK || n == 0) {
        return rc;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n; j++) {
            if (!isfinite(a[i * n + j])) {
                return err_rule(err, ERR_INPUT, "matrix-number",
                                "A matrix contains something that is not a number.");
            }
        }
    }
    int size = (int)n, room = 34 * size, info = 0;
    double *work = xmalloc((size_t)room * sizeof *work);
    pthread_mutex_lock(&one_at_a_time);
    lapack->dsyev("V", "L", &size, a, &size, values, work, &room, &info, 1, 1);
    pthread_mutex_unlock(&one_at_a_time);
    free(work);
    if (info != 0) {
        return err_rule(err, ERR_INPUT, "matrix-eigen",
                        "The eigenvalues of a matrix were not found.");
    }
    for (size_t i = 0; i < n; i++) {
        fix_sign(a + i * n, n);
    }
    return OK;
}

enum err_code matrix_solver_ready(struct err *err)
{
    const struct lapack *lapack;
    return lapack_load(&lapack, err);
}
