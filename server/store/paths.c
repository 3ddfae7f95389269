/* paths.c - names of image files. */
#include "store/paths.h"

char *path_rendition(struct arena *a, const char *dir, const unsigned char sha256[32],
                     enum rendition_kind kind)
{
    static const char *const suffix[] = {"source", "view", "grid"};
    char hex[65];
    for (int i = 0; i < 32; i++) {
        snprintf(hex + 2 * i, 3, "%02x", sha256[i]);
    }
    return arena_printf(a, "%s/images/%.2s/%s.%s", dir, hex, hex, suffix[kind]);
}

const char *rendition_type(unsigned char first)
{
    return first == 0x89 ? "image/png" : "image/jpeg";
}
