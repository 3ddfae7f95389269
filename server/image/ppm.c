/* ppm.c - a head of three numbers with white space and comments between them, then the bytes. */
#include "image/ppm.h"

#include <string.h>

#include "base/xalloc.h"

bool ppm_sniff(const void *p, size_t n)
{
    return n >= 2 && memcmp(p, "P6", 2) == 0;
}

static bool is_space(unsigned char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool read_number(const unsigned char *p, size_t n, size_t *at, uint32_t *out)
{
    bool comment = false;
    size_t begin = *at;
    for (; *at < n && (comment || is_space(p[*at]) || p[*at] == '#'); ++*at) {
        comment = p[*at] == '#' || (comment && p[*at] != '\n');
    }
    size_t digits = *at;
    *out = 0;
    for (; *at < n && p[*at] >= '0' && p[*at] <= '9' && *at - digits < 9; ++*at) {
        *out = *out * 10 + (uint32_t)(p[*at] - '0');
    }
    return digits > begin && *at > digits;
}

enum err_code ppm_decode(const void *data, size_t n, const struct image_limits *lim, struct image *out, struct err *err)
{
    const unsigned char *p = data;
    uint32_t width = 0, height = 0, most = 0;
    size_t at = 2;
    bool good = ppm_sniff(p, n) && read_number(p, n, &at, &width) && read_number(p, n, &at, &height) &&
                read_number(p, n, &at, &most);
    if (!good || most != 255 || width == 0 || height == 0 || at >= n || !is_space(p[at])) {
        return err_set(err, ERR_INPUT, "not a binary PPM of 8 bits (P6 WIDTH HEIGHT 255)");
    }
    if (width > lim->max_side || height > lim->max_side || (uint64_t)width * height > lim->max_pixels) {
        return err_set(err, ERR_LIMIT, "%u x %u pixels are too many", width, height);
    }
    size_t size = (size_t)width * height * 3;
    if (n - at - 1 != size) {
        return err_set(err, ERR_INPUT, "%u x %u pixels are %zu bytes, but %zu follow the head", width, height, size,
                       n - at - 1);
    }
    *out = (struct image){.width = width, .height = height, .data = xmalloc(size)};
    memcpy(out->data, p + at + 1, size);
    return OK;
}
