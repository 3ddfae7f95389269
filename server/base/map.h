/* map.h - two hash tables: text -> number and number -> number.
 * Values are uint32_t (an index into the owner's array). Keys are never removed. Not thread-safe.
 * MAP_NONE is returned for a missing key and cannot be stored. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/sv.h"

#define MAP_NONE UINT32_MAX

/* Text keys are copied into the map. */
struct map_sv {
    struct map_sv_slot *slots;
    size_t n, cap;
    struct arena keys;
};
void map_sv_init(struct map_sv *m);
void map_sv_release(struct map_sv *m);
uint32_t map_sv_get(const struct map_sv *m, struct sv key);
/* Stores unless the key is there; returns the value that the key has afterwards. */
uint32_t map_sv_put(struct map_sv *m, struct sv key, uint32_t value);
/* Stores, replacing what was there. */
void map_sv_set(struct map_sv *m, struct sv key, uint32_t value);

/* Number keys; 12 bytes a slot, at most 3/4 full. */
struct map_u64 {
    uint64_t *keys;
    uint32_t *values;
    size_t n, cap;
};
void map_u64_init(struct map_u64 *m);
void map_u64_release(struct map_u64 *m);
uint32_t map_u64_get(const struct map_u64 *m, uint64_t key);
/* Stores unless the key is there; returns the value that the key has afterwards. */
uint32_t map_u64_put(struct map_u64 *m, uint64_t key, uint32_t value);
/* Stores, replacing what was there. */
void map_u64_set(struct map_u64 *m, uint64_t key, uint32_t value);

#endif
