/* matrix.h - dense float products and the ridge solver; rows lie one after the other.
 * Products by oneDNN (linked), each on the thread that asks: who wants more cores splits the work.
 * The solver is LAPACK's Cholesky, found in OpenBLAS when it is first needed, since only training
 * needs it and voting servers need the memory. */
#ifndef LINALG_MATRIX_H
#define LINALG_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* c[m x n] = alpha * op(a) op(b) + beta * c; op transposes when asked: a is m x k (k x m), b k x n (n x k). ld*: floats
 * from row to row. */
void matrix_product(bool ta, bool tb, size_t m, size_t n, size_t k, float alpha, const float *a, size_t lda,
                    const float *b, size_t ldb, float beta, float *c, size_t ldc);
/* Solves (A + lambda I) X = B for symmetric positive semidefinite A (n x n, upper triangle read, destroyed) and B
 * (n x m, overwritten by X), in doubles. ERR_INPUT (rule "ridge") when it is not positive definite, ERR_NOT_FOUND
 * (rule "lapack") with the package to install when LAPACK is not there. */
enum err_code matrix_solve_ridge(double *a, size_t n, double lambda, double *b, size_t m, struct err *err);
/* Eigenvalues of a symmetric A (n x n, upper triangle read), ascending; row i of A becomes the unit vector of
 * values[i], with the sign that makes its largest part positive. The same errors. */
enum err_code matrix_eigen(double *a, size_t n, double *values, struct err *err);
/* Whether the solver can be had; what is wrong otherwise, as above. */
enum err_code matrix_solver_ready(struct err *err);

#endif
