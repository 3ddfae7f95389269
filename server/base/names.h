/* names.h - texts numbered in the order in which they come, and the order in which people would list them. */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include "base/map.h"

struct names {
    struct map_sv map;
    struct sv *at; /* the text of each number */
    size_t n, cap;
};
void names_init(struct names *l);
void names_release(struct names *l);
/* The number of a text, which is copied if it is new. */
uint32_t names_put(struct names *l, struct sv text);
/* The same of a text that is there; MAP_NONE. */
uint32_t names_get(const struct names *l, struct sv text);
/* Fills rank[n], of each number: its place when the texts are sorted, as numbers if all of them are whole numbers, else
 * byte by byte. */
void names_rank(const struct names *l, uint32_t *rank);

#endif
