/* sorted.c - the one search by halving. */
#include "base/sorted.h"

#include <string.h>

size_t sorted_i64(const void *items, size_t n, size_t size, size_t offset, int64_t key)
{
    const char *keys = (const char *)items + offset;
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        int64_t at;
        memcpy(&at, keys + mid * size, sizeof at);
        if (at < key) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

size_t sorted_u32(const void *items, size_t n, size_t size, size_t offset, uint32_t key)
{
    const char *keys = (const char *)items + offset;
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        uint32_t at;
        memcpy(&at, keys + mid * size, sizeof at);
        if (at < key) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
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
