/* map.c - open addressing with linear probing, power-of-two capacity. */
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/xalloc.h"

struct map_sv_slot {
    struct sv key;
    uint32_t value;
    uint32_t tag; /* low hash bits: spares most comparisons */
};

void map_sv_init(struct map_sv *m)
{
    *m = (struct map_sv){0};
    arena_init(&m->keys, SIZE_MAX / 2);
}

void map_sv_release(struct map_sv *m)
{
    free(m->slots);
    arena_release(&m->keys);
    map_sv_init(m);
}

/* The slot that holds the key, or the free one where it belongs. cap > 0. */
static struct map_sv_slot *sv_slot(const struct map_sv *m, struct sv key, uint64_t h)
{
    size_t i = h & (m->cap - 1);
    while (m->slots[i].value != MAP_NONE &&
           !(m->slots[i].tag == (uint32_t)(h >> 32) && sv_eq(m->slots[i].key, key))) {
        i = (i + 1) & (m->cap - 1);
    }
    return &m->slots[i];
}

uint32_t map_sv_get(const struct map_sv *m, struct sv key)
{
    return m->cap ? sv_slot(m, key, hash_bytes(key.p, key.n))->value : MAP_NONE;
}

static void sv_grow(struct map_sv *m)
{
    struct map_sv old = *m;
    m->cap = old.cap ? old.cap * 2 : 64;
    m->slots = xmalloc(m->cap * sizeof *m->slots);
    for (size_t i = 0; i < m->cap; i++) {
        m->slots[i].value = MAP_NONE;
    }
    for (size_t i = 0; i < old.cap; i++) {
        if (old.slots[i].value != MAP_NONE) {
            struct sv key = old.slots[i].key;
            *sv_slot(m, key, hash_bytes(key.p, key.n)) = old.slots[i];
        }
    }
    free(old.slots);
}

uint32_t map_sv_put(struct map_sv *m, struct sv key, uint32_t value)
{
    BUG_IF(value == MAP_NONE);
    if (m->n * 4 >= m->cap * 3) {
        sv_grow(m);
    }
    uint64_t h = hash_bytes(key.p, key.n);
    struct map_sv_slot *slot = sv_slot(m, key, h);
    if (slot->value == MAP_NONE) {
        *slot = (struct map_sv_slot){arena_sv(&m->keys, key), value, (uint32_t)(h >> 32)};
        m->n++;
    }
    return slot->value;
}

void map_sv_set(struct map_sv *m, struct sv key, uint32_t value)
{
    if (map_sv_put(m, key, value) != value) {
        sv_slot(m, key, hash_bytes(key.p, key.n))->value = value;
    }
}

void map_u64_init(struct map_u64 *m)
{
    *m = (struct map_u64){0};
}

void map_u64_release(struct map_u64 *m)
{
    free(m->keys);
    free(m->values);
    map_u64_init(m);
}

static size_t u64_slot(const struct map_u64 *m, uint64_t key)
{
    size_t i = hash_u64(key) & (m->cap - 1);
    while (m->values[i] != MAP_NONE && m->keys[i] != key) {
        i = (i + 1) & (m->cap - 1);
    }
    return i;
}

uint32_t map_u64_get(const struct map_u64 *m, uint64_t key)
{
    return m->cap ? m->values[u64_slot(m, key)] : MAP_NONE;
}

static void u64_grow(struct map_u64 *m)
{
    struct map_u64 old = *m;
    m->cap = old.cap ? old.cap * 2 : 64;
    m->keys = xmalloc(m->cap * sizeof *m->keys);
    m->values = xmalloc(m->cap * sizeof *m->values);
    memset(m->values, 0xff, m->cap * sizeof *m->values);
    for (size_t i = 0; i < old.cap; i++) {
        if (old.values[i] != MAP_NONE) {
            size_t to = u64_slot(m, old.keys[i]);
            m->keys[to] = old.keys[i];
            m->values[to] = old.values[i];
        }
    }
    free(old.keys);
    free(old.values);
}

uint32_t map_u64_put(struct map_u64 *m, uint64_t key, uint32_t value)
{
    BUG_IF(value == MAP_NONE);
    if (m->n * 4 >= m->cap * 3) {
        u64_grow(m);
    }
    size_t i = u64_slot(m, key);
    if (m->values[i] == MAP_NONE) {
        m->keys[i] = key;
        m->values[i] = value;
        m->n++;
    }
    return m->values[i];
}

void map_u64_set(struct map_u64 *m, uint64_t key, uint32_t value)
{
    if (map_u64_put(m, key, value) != value) {
        m->values[u64_slot(m, key)] = value;
    }
}
