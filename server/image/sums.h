/* sums.h - weighted sums of rows, the inner loop of resize.c. Private to this folder.
 *
 * Weights are 14-bit fractions. Samples between the passes of a resize keep 6 bits below the
 * point; as the weights' magnitudes add up to less than 1.6, they fit in 16 bits with a sign. */
#ifndef IMAGE_SUMS_H
#define IMAGE_SUMS_H

#include <stddef.h>
#include <stdint.h>

enum { WEIGHT_BITS = 14, SAMPLE_BITS = 6, SUMS_BLOCK = 16 };

/* SUMS_BLOCK sums over `count` rows that are `stride` elements apart. w[count] is there and 0. */
void sums_of_bytes(const unsigned char *p, size_t stride, const int16_t *w, uint32_t count,
                   int16_t *out);
void sums_of_samples(const int16_t *p, size_t stride, const int16_t *w, uint32_t count,
                     unsigned char *out);

/* As sums_of_bytes for the n < SUMS_BLOCK bytes at the end of a row, reading nothing behind it. */
void sums_of_tail(const unsigned char *p, size_t n, size_t stride, const int16_t *w, uint32_t count,
                  int16_t *out);

#endif
