/* bytes.c - where the processor adds products of bytes in 32 bits (VNNI) they go to oneDNN as they are. Elsewhere it
 * adds pairs of them in 16 bits first, and 255 * 127 twice does not fit: the upper and lower four bits of the side
 * without sign are multiplied on their own then, and nothing is cut off. */
#include "linalg/bytes.h"

#include <dnnl.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "linalg/one_thread.h"

static void product(size_t m, size_t n, size_t k, const uint8_t *a, size_t lda, const int8_t *b, size_t ldb,
                    float beta, int32_t *c)
{
    const int32_t no_offset = 0;
    dnnl_status_t status =
        dnnl_gemm_u8s8s32('N', 'T', 'F', (dnnl_dim_t)m, (dnnl_dim_t)n, (dnnl_dim_t)k, 1, a, (dnnl_dim_t)lda, 0, b,
                          (dnnl_dim_t)ldb, 0, beta, c, (dnnl_dim_t)n, &no_offset);
    BUG_IF(status != dnnl_success); /* it refuses only arguments that make no sense */
}

static bool adds_in_32_bits(void)
{
    unsigned isa = (unsigned)dnnl_get_effective_cpu_isa();
    return (isa & dnnl_cpu_isa_avx512_core_vnni) == dnnl_cpu_isa_avx512_core_vnni;
}

void bytes_product(size_t m, size_t n, size_t k, const uint8_t *a, size_t lda, const int8_t *b, size_t ldb,
                   int32_t *c)
{
    if (m == 0 || n == 0) {
        return;
    }
    stay_on_this_thread();
    if (adds_in_32_bits()) {
        product(m, n, k, a, lda, b, ldb, 0, c);
        return;
    }
    uint8_t *part = xmalloc(m * k);
    for (int upper = 1; upper >= 0; upper--) {
        for (size_t i = 0; i < m; i++) {
            for (size_t p = 0; p < k; p++) {
                part[i * k + p] = upper ? a[i * lda + p] >> 4 : a[i * lda + p] & 15;
            }
        }
        product(m, n, k, part, k, b, ldb, upper ? 0 : 1, c);
        for (size_t i = 0; upper && i < m * n; i++) {
            c[i] *= 16;
        }
    }
    free(part);
}
