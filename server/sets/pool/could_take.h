/* could_take.h - which candidates a plan could take once their neighbours are searched and reviewed: the ones that are
 * worth a search for near-duplicates. */
#ifndef SETS_POOL_COULD_TAKE_H
#define SETS_POOL_COULD_TAKE_H

#include "sets/pool/pool.h"

/* out[i], for each of the pool's images: image i is a candidate, neither blacklisted nor hidden, and a matched set of
 * `size` images a class has a place for its frequency (without answers: the lowest bin). Where fewer originals
 * of its class are measured than a valid set needs, there may be a place for every frequency. */
void pool_could_take(const struct pool *p, uint32_t size, bool *out);

#endif
