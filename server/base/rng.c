/* rng.c - xoshiro256**. */
#include "base/rng.h"

#include <stdbool.h>
#include <sys/random.h>

#include "base/err.h"

void rng_seed(struct rng *r, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        seed += 0x9e3779b97f4a7c15u;
        uint64_t z = seed;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        r->s[i] = z ^ z >> 31;
    }
}

void rng_stream(struct rng *r, uint64_t seed, uint64_t number)
{
    rng_seed(r, seed);
    rng_seed(r, rng_u64(r) + number);
}

static uint64_t rotl(uint64_t x, int k)
{
    return x << k | x >> (64 - k);
}

static inline uint64_t next(uint64_t s[4])
{
    uint64_t result = rotl(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

uint64_t rng_u64(struct rng *r)
{
    return next(r->s);
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
    BUG_IF(n == 0);
    __extension__ typedef unsigned __int128 u128;
    u128 m = (u128)rng_u64(r) * n;
    if ((uint64_t)m < n) {
        uint64_t least = (0 - n) % n;
        while ((uint64_t)m < least) {
            m = (u128)rng_u64(r) * n;
        }
    }
    return (uint64_t)(m >> 64);
}

void rng_fill_below(struct rng *r, uint32_t below, uint32_t *out, size_t n)
{
    BUG_IF(below == 0);
    /* A product whose lower half is less would make some numbers likelier than others. */
    uint32_t least = (0 - below) % below;
    struct rng own = *r; /* in registers */
    for (size_t i = 0; i < n;) {
        uint64_t bits = next(own.s);
        uint64_t low = (bits & UINT32_MAX) * below, high = (bits >> 32) * below;
        if ((uint32_t)low >= least) {
            out[i++] = (uint32_t)(low >> 32);
        }
        if (i < n && (uint32_t)high >= least) {
            out[i++] = (uint32_t)(high >> 32);
        }
    }
    *r = own;
}

double rng_unit(struct rng *r)
{
    return (double)(rng_u64(r) >> 11) * 0x1p-53;
}

void rng_shuffle_u32(struct rng *r, uint32_t *items, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)rng_below(r, i);
        uint32_t t = items[i - 1];
        items[i - 1] = items[j];
        items[j] = t;
    }
}

uint64_t rng_fresh_seed(void)
{
    uint64_t x;
    BUG_IF(getrandom(&x, sizeof x, 0) != (ssize_t)sizeof x);
    return x >> 11;
}
