/* memory.c - one block for all buffers: where two never live at the same time they share
 * floats. The largest is placed first, each at the lowest offset that is free while it lives. Knows
 * sizes and lives only. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "infer/plan/private.h"

/* Floats: buffers begin at a cache line. */
enum { PLACE_ALIGN = 16, PLACE_MOST = 1 << 16 };

static int64_t padded(const struct buffer *b)
{
    return (b->floats + PLACE_ALIGN - 1) / PLACE_ALIGN * PLACE_ALIGN;
}

static int larger_first(const void *x, const void *y)
{
    const struct buffer *a = *(struct buffer *const *)x, *b = *(struct buffer *const *)y;
    if (a->floats != b->floats) {
        return a->floats > b->floats ? -1 : 1;
    }
    return a < b ? -1 : a > b;
}

static bool live_together(const struct buffer *a, const struct buffer *b)
{
    return a->first <= b->last && b->first <= a->last;
}

/* `placed` is in order of offsets. Returns where b belongs in it. */
static size_t place(struct buffer *b, struct buffer *const *placed, size_t n)
{
    int64_t at = 0;
    for (size_t i = 0; i < n; i++) {
        if (!live_together(placed[i], b)) {
            continue;
        }
        if (placed[i]->offset >= at + padded(b)) {
            break;
        }
        int64_t end = placed[i]->offset + padded(placed[i]);
        at = end > at ? end : at;
    }
    b->offset = at;
    size_t i = n;
    while (i > 0 && placed[i - 1]->offset > at) {
        i--;
    }
    return i;
}

static enum err_code refuse(struct err *err)
{
    return err_rule(err, ERR_LIMIT, "model-memory",
                    "The model needs more than %lld MiB of memory for what lies between its layers, "
                    "or more than %d pieces of it",
                    (long long)(PLAN_MOST * (int64_t)sizeof(float) >> 20), PLACE_MOST);
}

enum err_code plan_memory(struct buffer *buffers, size_t n, int64_t *floats, struct err *err)
{
    struct buffer **order = xcalloc(n + 1, sizeof(struct buffer *)),
                  **placed = xcalloc(n + 1, sizeof(struct buffer *));
    size_t used = 0, done = 0;
    enum err_code rc = OK;
    for (size_t i = 0; i < n; i++) {
        if (buffers[i].first >= 0 && buffers[i].floats > 0) {
            order[used++] = &buffers[i];
        }
    }
    qsort(order, used, sizeof(struct buffer *), larger_first);
    *floats = 0;
    rc = used > PLACE_MOST ? refuse(err) : OK;
    for (; rc == OK && done < used; done++) {
        struct buffer *b = order[done];
        if (b->floats > PLAN_MOST) {
            rc = refuse(err);
            break;
        }
        size_t at = place(b, placed, done);
        for (size_t i = done; i > at; i--) {
            placed[i] = placed[i - 1];
        }
        placed[at] = b;
        int64_t end = b->offset + padded(b);
        *floats = end > *floats ? end : *floats;
        rc = *floats > PLAN_MOST ? refuse(err) : OK;
    }
    free(order);
    free(placed);
    return rc;
}
