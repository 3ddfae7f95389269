/* ranges.h - sets of numbers as ascending ranges: a search of all images that were imported together is one of them,
 * however many they are. Knows nothing of what the numbers mean. */
#ifndef BASE_RANGES_H
#define BASE_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/sv.h"

#define RANGES_NONE UINT32_MAX

struct range {
    uint32_t first, count; /* at least one */
    uint32_t before;       /* numbers of the ranges before it */
};
struct ranges {
    struct range *at; /* ascending, never touching */
    size_t n;
    uint32_t numbers; /* of all ranges */
};
/* Adds a number greater than all that are there; the ranges grow in the arena. Begin with zeroes. */
struct ranges_build {
    struct ranges ranges;
    size_t cap;
};
void ranges_add(struct ranges_build *b, struct arena *a, uint32_t number);

/* The place of a number among all of them, from 0; RANGES_NONE: it is not there. */
uint32_t ranges_place(const struct ranges *r, uint32_t number);
bool ranges_has(const struct ranges *r, uint32_t number);
/* How many of them are less than a number. */
uint32_t ranges_below(const struct ranges *r, uint32_t number);
/* The number at a place below `numbers`. */
uint32_t ranges_at(const struct ranges *r, uint32_t place);

/* As bytes: u32 first, u32 count of each range, little-endian; in the arena. */
struct sv ranges_bytes(const struct ranges *r, struct arena *a);
/* Reads them; false where they are not what ranges_bytes writes. */
bool ranges_read(struct sv bytes, struct arena *a, struct ranges *out);

#endif
