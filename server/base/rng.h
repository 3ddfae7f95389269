/* rng.h - the one generator behind every random choice that is stored or shown.
 *
 * xoshiro256** (Blackman and Vigna 2018) seeded by splitmix64 from one 64-bit number, which is
 * stored beside the result: the same seed and input give the same output on every machine and
 * thread count. Not for secrets: crypto/ has those. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

struct rng {
    uint64_t s[4];
};

void rng_seed(struct rng *r, uint64_t seed);
uint64_t rng_u64(struct rng *r);
/* Uniform in [0, n), without bias (Lemire's rejection); n > 0. */
uint64_t rng_below(struct rng *r, uint64_t n);
double rng_unit(struct rng *r); /* uniform in [0, 1), 53 bits */
/* Fisher-Yates from the last element down. */
void rng_shuffle_u32(struct rng *r, uint32_t *items, size_t n);
/* A fresh seed from the kernel in [0, 2^53), so that JSON keeps it exactly. */
uint64_t rng_fresh_seed(void);

#endif
