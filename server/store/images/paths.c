/* paths.c - names of image files. */
#include "store/images/paths.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

void path_below_images(const unsigned char sha256[32], enum rendition_kind kind,
                       char out[PATH_BELOW_IMAGES])
{
    static const char *const suffix[] = {".source", ".view", ".grid"};
    static const char digits[] = "0123456789abcdef";
    char *hex = out + 3;
    for (size_t i = 0; i < 32; i++) {
        hex[2 * i] = digits[sha256[i] >> 4];
        hex[2 * i + 1] = digits[sha256[i] & 15];
    }
    memcpy(out, hex, 2);
    out[2] = '/';
    memcpy(hex + 64, suffix[kind], strlen(suffix[kind]) + 1);
}

char *path_rendition(struct arena *a, const char *dir, const unsigned char sha256[32],
                     enum rendition_kind kind)
{
    char below[PATH_BELOW_IMAGES];
    path_below_images(sha256, kind, below);
    return arena_printf(a, "%s/images/%s", dir, below);
}

size_t rendition_length(int fd, size_t size)
{
    unsigned char last = 1;
    bool tail = size > GRID_TAIL && pread(fd, &last, 1, (off_t)size - 1) == 1 && last == 0;
    return tail ? size - GRID_TAIL : size;
}

const char *rendition_type(unsigned char first)
{
    return first == 0x89 ? "image/png" : "image/jpeg";
}
