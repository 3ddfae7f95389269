/* sorted.c - the one search by halving, and sorting by what may not be known. */
#include "base/sorted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The keys lie where the items have them, 8 bytes each when they are wide, else 4. */
static inline size_t first_not_below(const void *items, size_t n, size_t size, size_t offset, bool wide, int64_t key)
{
    const char *keys = (const char *)items + offset;
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        int64_t at;
        if (wide) {
            memcpy(&at, keys + mid * size, sizeof at);
        } else {
            uint32_t narrow;
            memcpy(&narrow, keys + mid * size, sizeof narrow);
            at = narrow;
        }
        if (at < key) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

size_t sorted_i64(const void *items, size_t n, size_t size, size_t offset, int64_t key)
{
    return first_not_below(items, n, size, offset, true, key);
}

size_t sorted_u32(const void *items, size_t n, size_t size, size_t offset, uint32_t key)
{
    return first_not_below(items, n, size, offset, false, key);
}

bool sorted_has_i64(const int64_t *list, size_t n, int64_t key)
{
    size_t at = sorted_i64(list, n, sizeof *list, 0, key);
    return at < n && list[at] == key;
}

bool sorted_has_u32(const uint32_t *list, size_t n, uint32_t key)
{
    size_t at = sorted_u32(list, n, sizeof *list, 0, key);
    return at < n && list[at] == key;
}

static int compare(const struct sorted_key *a, const struct sorted_key *b, int rising)
{
    if (isnan(a->key) != isnan(b->key)) {
        return isnan(a->key) ? 1 : -1;
    }
    if (!isnan(a->key) && a->key != b->key) {
        return a->key < b->key ? -rising : rising;
    }
    return (a->at > b->at) - (a->at < b->at);
}

static int by_rising(const void *a, const void *b)
{
    return compare(a, b, 1);
}

static int by_falling(const void *a, const void *b)
{
    return compare(a, b, -1);
}

void sorted_keys(struct sorted_key *list, size_t n, bool falling)
{
    if (n) {
        qsort(list, n, sizeof *list, falling ? by_falling : by_rising);
    }
}
