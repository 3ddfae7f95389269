/* le.h - numbers as bytes, least significant first: how blobs of the database hold them on every machine. Header only.
 * Knows nothing of what they count. */
#ifndef BASE_LE_H
#define BASE_LE_H

#include <stdint.h>
#include <string.h>

static inline void le_put_u32(unsigned char *to, uint32_t v)
{
    for (int i = 0; i < 4; i++) {
        to[i] = (unsigned char)(v >> 8 * i);
    }
}

static inline uint32_t le_u32(const unsigned char *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void le_put_f64(unsigned char *to, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    le_put_u32(to, (uint32_t)bits);
    le_put_u32(to + 4, (uint32_t)(bits >> 32));
}

static inline double le_f64(const unsigned char *p)
{
    uint64_t bits = le_u32(p) | (uint64_t)le_u32(p + 4) << 32;
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

#endif
