/* assets.h - the files built into the program: templates/, static/, migrations/.
 * Made by tools/assets.sh; names are paths from the project's root ("static/css/tokens.css"). */
#ifndef BASE_ASSETS_H
#define BASE_ASSETS_H

#include <stddef.h>

struct asset {
    const char *name;
    const unsigned char *data; /* followed by a NUL that is not counted */
    size_t n;
};

extern const struct asset assets[]; /* sorted by name */
extern const size_t assets_count;

/* NULL when there is none. */
const struct asset *asset_find(const char *name);

#endif
