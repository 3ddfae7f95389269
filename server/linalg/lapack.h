/* lapack.h - the few LAPACK routines that training needs, found in OpenBLAS or in the reference library when
 * they are first asked for: the program is not linked with it, since voting servers need the memory. Matrices
 * are LAPACK's: columns one after the other. Private to this folder. */
#ifndef LINALG_LAPACK_H
#define LINALG_LAPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* The last arguments are the lengths of the texts, as Fortran passes them. */
struct lapack {
    void (*dpotrf)(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);
    void (*dpotrs)(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda, double *b,
                   const int *ldb, int *info, size_t);
    void (*dsyev)(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
                  double *work, const int *lwork, int *info, size_t, size_t);
};
/* Loaded once and kept. ERR_NOT_FOUND (rule "lapack") names the package to install. */
enum err_code lapack_load(const struct lapack **out, struct err *err);
/* The same from libraries of these names, the first that is there (for tests). NULL ends the list. */
enum err_code lapack_open(const char *const *names, struct lapack *out, struct err *err);

#endif
