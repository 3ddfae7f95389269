/* right_counts.h - how many of the images that were drawn each model has right: 128 models to a row of bits, counted side
 * by side. Exact. */
#ifndef STATS_RIGHT_COUNTS_H
#define STATS_RIGHT_COUNTS_H

#include <stddef.h>
#include <stdint.h>

enum { RIGHT_MODELS = 128, RIGHT_STEP = 16, RIGHT_DRAWS = 4096 };

typedef uint64_t right_row __attribute__((vector_size(16)));

/* Adds to counts[m] how often bit m is set in rows[drawn[i]], for m < models <= RIGHT_MODELS and n draws: a multiple of
 * RIGHT_STEP, at most RIGHT_DRAWS. */
void right_counts_add(const right_row *rows, const uint32_t *drawn, size_t n, size_t models, uint32_t *counts);

#endif
