/* bytes.h - products of byte vectors as whole numbers, by oneDNN: exact on every processor. */
#ifndef LINALG_BYTES_H
#define LINALG_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Up to this length no sum of products passes 31 bits, whatever the bytes are. */
enum { BYTES_DEPTH = 65535 };

/* c[i * n + j] = the sum over p of a[i * lda + p] * b[j * ldb + p], for m rows of a and n rows of b of k <= BYTES_DEPTH
 * bytes, on the thread that asks. */
void bytes_product(size_t m, size_t n, size_t k, const uint8_t *a, size_t lda, const int8_t *b, size_t ldb,
                   int32_t *c);

#endif
