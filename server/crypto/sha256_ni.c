/* sha256_ni.c - SHA-256's compression function in x86's SHA instructions: about eight times as
 * fast as portable C. Called by crypto.c. Knows nothing of padding and lengths. */
#include "crypto/sha256_ni.h"

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>

/* FIPS 180-4, 4.2.2. */
static const uint32_t constants[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

bool sha256_ni_here(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSSE3) || !(c & bit_SSE4_1)) {
        return false;
    }
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

#define WITH_SHA __attribute__((target("sha,ssse3,sse4.1")))

static inline WITH_SHA __m128i load(const void *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

/* The 64 rounds of one block on the two halves of the state, four at a time. `w` are the last 16
 * words of the message schedule; each group of four rounds replaces the oldest four. */
static inline WITH_SHA void rounds(__m128i *abef, __m128i *cdgh, __m128i w[4])
{
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++) {
        __m128i k = _mm_add_epi32(w[i & 3], load(&constants[4 * i]));
        *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, k);
        *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_shuffle_epi32(k, 0x0e));
        if (i >= 3 && i < 15) {
            __m128i seven_ago = _mm_alignr_epi8(w[i & 3], w[(i + 3) & 3], 4);
            __m128i oldest = _mm_sha256msg1_epu32(w[(i + 1) & 3], w[(i + 2) & 3]);
            w[(i + 1) & 3] = _mm_sha256msg2_epu32(_mm_add_epi32(oldest, seven_ago), w[i & 3]);
        }
    }
}

WITH_SHA void sha256_ni_blocks(uint32_t state[8], const unsigned char *p, size_t blocks)
{
    /* Words are big-endian in the message, and the instructions want a, b, e, f in one register
     * and c, d, g, h in the other. */
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i badc = _mm_shuffle_epi32(load(&state[0]), 0xb1);
    __m128i efgh = _mm_shuffle_epi32(load(&state[4]), 0x1b);
    __m128i abef = _mm_alignr_epi8(badc, efgh, 8);
    __m128i cdgh = _mm_blend_epi16(efgh, badc, 0xf0);
    for (; blocks; blocks--, p += 64) {
        __m128i w[4], abef_before = abef, cdgh_before = cdgh;
        for (int i = 0; i < 4; i++) {
            w[i] = _mm_shuffle_epi8(load(p + 16 * i), swap);
        }
        rounds(&abef, &cdgh, w);
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
    __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)(void *)&state[0], _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(void *)&state[4], _mm_alignr_epi8(dchg, feba, 8));
}
#else
bool sha256_ni_here(void)
{
    return false;
}

void sha256_ni_blocks(uint32_t state[8], const unsigned char *p, size_t blocks)
{
    (void)state;
    (void)p;
    (void)blocks;
}
#endif
