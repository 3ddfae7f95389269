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
/* One of many generators that belong to one seed, for pieces of work that any thread may do: piece `number` always
 * draws the same. Seeded with the first number of rng_seed(seed) plus `number`; below 2^60 no two share a word of
 * their state. */
void rng_stream(struct rng *r, uint64_t seed, uint64_t number);
uint64_t rng_u64(struct rng *r);
/* Uniform in [0, n), without bias (Lemire's rejection); n > 0. */
uint64_t rng_below(struct rng *r, uint64_t n);
/* n numbers, uniform in [0, below), without bias (Lemire's rejection on 32 bits): from the lower half of a number, then
 * from its upper half; what is left of the last one is not used. below > 0. Several times as fast as rng_below. */
void rng_fill_below(struct rng *r, uint32_t below, uint32_t *out, size_t n);
double rng_unit(struct rng *r); /* uniform in [0, 1), 53 bits */
/* Fisher-Yates from the last element down. */
void rng_shuffle_u32(struct rng *r, uint32_t *items, size_t n);
/* A fresh seed from the kernel in [0, 2^53), so that JSON keeps it exactly. */
uint64_t rng_fresh_seed(void);

#endif
