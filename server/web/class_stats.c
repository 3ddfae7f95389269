/* class_stats.c - sums over the tally. A million pairs are one pass of a few milliseconds. */
#include "web/class_stats.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/xalloc.h"

static int by_class(const void *a, const void *b)
{
    int64_t x = ((const struct class_sum *)a)->class_id;
    int64_t y = ((const struct class_sum *)b)->class_id;
    return (x > y) - (x < y);
}

struct class_sum *class_sums(struct tally *t, struct arena *a, size_t *n)
{
    struct map_u64 at;
    struct class_sum *sums = NULL;
    size_t cap = 0, count = 0, n_pairs;
    map_u64_init(&at);
    tally_read_lock(t);
    const struct tally_pair *pairs = tally_pairs(t, &n_pairs);
    uint32_t last_class = MAP_NONE, last = 0; /* pairs of one grid stand together */
    for (size_t i = 0; i < n_pairs; i++) {
        const struct tally_pair *p = &pairs[i];
        if (p->class != last_class) {
            last_class = p->class;
            last = map_u64_put(&at, p->class, (uint32_t)count);
            if (last == count) {
                xgrow(&sums, &cap, count + 1, sizeof *sums);
                sums[count++] = (struct class_sum){.class_id = p->class};
            }
        }
        sums[last].images[p->role]++;
        sums[last].shown[p->role] += p->shown;
        sums[last].selected[p->role] += p->selected;
    }
    tally_read_unlock(t);
    map_u64_release(&at);
    struct class_sum *out = arena_calloc(a, count, sizeof *out);
    if (count) {
        memcpy(out, sums, count * sizeof *out);
        qsort(out, count, sizeof *out, by_class);
    }
    free(sums);
    *n = count;
    return out;
}

const struct class_sum *class_sum_find(const struct class_sum *sums, size_t n, int64_t class_id)
{
    struct class_sum key = {.class_id = class_id};
    return n ? bsearch(&key, sums, n, sizeof *sums, by_class) : NULL;
}

/* a/b against c/d without division: cross products fit in 64 bits. */
static int by_frequency(const void *x, const void *y)
{
    const struct tally_pair *a = x, *b = y;
    uint64_t left = (uint64_t)a->selected * (b->shown ? b->shown : 1);
    uint64_t right = (uint64_t)b->selected * (a->shown ? a->shown : 1);
    if (left != right) {
        return left < right ? 1 : -1;
    }
    if (a->shown != b->shown) {
        return a->shown < b->shown ? 1 : -1;
    }
    return (a->image > b->image) - (a->image < b->image);
}

struct tally_pair *class_pairs(struct tally *t, int64_t class_id, struct arena *a, size_t *n)
{
    tally_read_lock(t);
    size_t count = 0;
    for (const struct tally_pair *p = tally_class(t, class_id); p; p = tally_at(t, p->next)) {
        count++;
    }
    struct tally_pair *out = arena_calloc(a, count, sizeof *out);
    size_t i = 0;
    for (const struct tally_pair *p = tally_class(t, class_id); p; p = tally_at(t, p->next)) {
        out[i++] = *p;
    }
    tally_read_unlock(t);
    if (count) {
        qsort(out, count, sizeof *out, by_frequency);
    }
    *n = count;
    return out;
}
