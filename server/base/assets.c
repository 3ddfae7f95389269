/* assets.c - looking up a built-in file. */
#include "base/assets.h"

#include <string.h>

const struct asset *asset_find(const char *name)
{
    size_t lo = 0, hi = assets_count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        int c = strcmp(name, assets[mid].name);
        if (c == 0) {
            return &assets[mid];
        }
        if (c < 0) {
            hi = mid;
        } else {
            lo = mid + 1;
        }
    }
    return NULL;
}
