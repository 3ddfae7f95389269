/* hierarchy.h - how near classes are in the hypernym graph. Pure rules on arrays. */
#ifndef DOMAIN_HIERARCHY_H
#define DOMAIN_HIERARCHY_H

#include <stddef.h>
#include <stdint.h>

struct hierarchy;

struct hierarchy *hierarchy_new(void);
void hierarchy_free(struct hierarchy *h);
/* A child's parent; both are any ids. Order does not matter; the same twice is once. */
void hierarchy_add(struct hierarchy *h, uint32_t child, uint32_t parent);

/* For each of n classes the `most` nearest ones, itself first: out[i * most + k] is an index into
 * `classes`, UINT32_MAX where there are fewer. Nearness is the length of the shortest way over a
 * common ancestor, which orders as WordNet's path similarity 1 / (1 + length) does; ties
 * go to the lower index, so pass the classes sorted by wnid. */
void hierarchy_nearest(const struct hierarchy *h, const uint32_t *classes, size_t n, size_t most,
                       uint32_t *out);

#endif
