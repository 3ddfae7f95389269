/* hash.c - in-memory hashing. */
#include "base/hash.h"

#include <string.h>
#include <sys/random.h>

#include "base/err.h"
#include "base/thread.h"

static uint64_t seed;
static pthread_once_t seed_once = PTHREAD_ONCE_INIT;

static void draw_seed(void)
{
    BUG_IF(getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed);
}

uint64_t hash_u64(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

uint64_t hash_bytes(const void *p, size_t n)
{
    pthread_once(&seed_once, draw_seed);
    const unsigned char *b = p;
    uint64_t h = seed ^ n * 0x9e3779b97f4a7c15u;
    while (n >= 8) {
        uint64_t w;
        memcpy(&w, b, 8);
        h = hash_u64(h ^ w);
        b += 8;
        n -= 8;
    }
    uint64_t w = 0;
    if (n) {
        memcpy(&w, b, n);
    }
    return hash_u64(h ^ w ^ (uint64_t)n << 56);
}

uint64_t hash_stable(const void *p, size_t n)
{
    const unsigned char *b = p;
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++) {
        h = (h ^ b[i]) * 0x100000001b3u;
    }
    return h;
}
