/* bytes.c - where the processor adds products of bytes in 32 bits (VNNI) they go to oneDNN as they are. Elsewhere it
 * adds pairs of them in 16 bits first, and 255 * 127 twice does not fit: there products of floats are exact and faster. */
#include "linalg/bytes.h"

#include <dnnl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "linalg/matrix.h"
#include "linalg/one_thread.h"

enum { PIECE = 1024 };

/* Whole numbers and conversions alone: what comes out of the loops is the same, only faster. */
#define VECTORS __attribute__((optimize("O3")))

static void product(size_t m, size_t n, size_t k, const uint8_t *a, size_t lda, const int8_t *b, size_t ldb,
                    int32_t *c)
{
    const int32_t no_offset = 0;
    dnnl_status_t status =
        dnnl_gemm_u8s8s32('N', 'T', 'F', (dnnl_dim_t)m, (dnnl_dim_t)n, (dnnl_dim_t)k, 1, a, (dnnl_dim_t)lda, 0, b,
                          (dnnl_dim_t)ldb, 0, 0, c, (dnnl_dim_t)n, &no_offset);
    BUG_IF(status != dnnl_success); /* it refuses only arguments that make no sense */
}

static bool adds_in_32_bits(void)
{
    unsigned isa = (unsigned)dnnl_get_effective_cpu_isa();
    return (isa & dnnl_cpu_isa_avx512_core_vnni) == dnnl_cpu_isa_avx512_core_vnni;
}

/* Rows of a - 128, one piece after the other. */
VECTORS static void floats_of_a(const uint8_t *restrict a, size_t rows, size_t ld, size_t k, float *restrict out)
{
    for (size_t i = 0; i < rows; i++) {
        for (size_t p = 0; p < k; p++) {
            out[i * k + p] = (float)(a[i * ld + p] - 128);
        }
    }
}

/* Rows of b, and 128 times the sum of each. */
VECTORS static void floats_of_b(const int8_t *restrict b, size_t rows, size_t ld, size_t k, float *restrict out,
                                int32_t *restrict sums)
{
    for (size_t i = 0; i < rows; i++) {
        int32_t sum = 0;
        for (size_t p = 0; p < k; p++) {
            out[i * k + p] = (float)b[i * ld + p];
            sum += b[i * ld + p];
        }
        sums[i] = 128 * sum;
    }
}

VECTORS static void add_up(const float *restrict products, const int32_t *restrict sums, size_t m, size_t n,
                           int32_t *restrict c)
{
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            c[i * n + j] += (int32_t)products[i * n + j] + sums[j];
        }
    }
}

/* Pieces so short that no sum in floats passes 2^24, up to which floats hold every whole number: (a - 128) b + 128 b. */
static void product_in_floats(size_t m, size_t n, size_t k, const uint8_t *a, size_t lda, const int8_t *b, size_t ldb,
                              int32_t *c)
{
    float *fa = xmalloc((m + n) * PIECE * sizeof *fa), *fb = fa + m * PIECE, *products = xmalloc(m * n * sizeof *products);
    int32_t *sums = xmalloc(n * sizeof *sums);
    memset(c, 0, m * n * sizeof *c);
    for (size_t at = 0; at < k; at += PIECE) {
        size_t piece = k - at < PIECE ? k - at : PIECE;
        floats_of_a(a + at, m, lda, piece, fa);
        floats_of_b(b + at, n, ldb, piece, fb, sums);
        matrix_product(false, true, m, n, piece, 1, fa, piece, fb, piece, 0, products, n);
        add_up(products, sums, m, n, c);
    }
    free(fa);
    free(products);
    free(sums);
}

void bytes_product(size_t m, size_t n, size_t k, const uint8_t *a, size_t lda, const int8_t *b, size_t ldb,
                   int32_t *c)
{
    if (m == 0 || n == 0) {
        return;
    }
    stay_on_this_thread();
    if (adds_in_32_bits()) {
        product(m, n, k, a, lda, b, ldb, c);
    } else {
        product_in_floats(m, n, k, a, lda, b, ldb, c);
    }
}
