/* class_order.c - a counting sort. */
#include "measures/votes/class_order.h"

static size_t key_of(const struct bias_image *b)
{
    return (size_t)2 * b->class_index + b->original;
}

struct class_order class_order_make(const struct bias_image *images, size_t n,
                                    uint32_t n_classes, struct arena *a)
{
    size_t keys = (size_t)2 * n_classes;
    struct class_order out = {.order = arena_calloc(a, n + 1, sizeof *out.order),
                                  .from = arena_calloc(a, keys + 2, sizeof *out.from)};
    for (size_t i = 0; i < n; i++) {
        out.from[key_of(&images[i]) + 2]++;
    }
    for (size_t key = 2; key <= keys + 1; key++) {
        out.from[key] += out.from[key - 1];
    }
    /* While images are put down, from[key + 1] is where the next one of the key goes. */
    for (size_t i = 0; i < n; i++) {
        out.order[out.from[key_of(&images[i]) + 1]++] = (uint32_t)i;
    }
    return out;
}
