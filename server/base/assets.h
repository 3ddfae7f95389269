/* assets.h - the files built into the program: templates/, static/, migrations/.
 * Made by tools/assets.sh; names are paths from the project's root ("static/css/tokens.css"). */
#ifndef BASE_ASSETS_H
#define BASE_ASSETS_H

#include <stddef.h>

#include "base/str.h"

struct asset {
    const char *name;
    const unsigned char *data; /* followed by a NUL that is not counted */
    size_t n;
};

extern const struct asset assets[]; /* sorted by name */
extern const size_t assets_count;

/* NULL when there is none. */
const struct asset *asset_find(const char *name);

/* Adds the name under which a file of static/ is served: "css/tokens.3f2a91c0.css" for
 * "static/css/tokens.css". The eight digits change with the content, so the name may be cached for
 * ever. Returns the text of `out`. The one place that knows the form of these names. */
const char *asset_public_name(const struct asset *a, struct str *out);

#endif
