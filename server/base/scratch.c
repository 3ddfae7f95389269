/* scratch.c - a chain of mapped blocks, filled from their starts. */
#include "base/scratch.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/err.h"

enum { ALIGN = 64, PAGE = 4096, BLOCK = 4 << 20 };

struct scratch_block {
    struct scratch_block *before;
    size_t size;
};

static struct scratch_block *map_block(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        fprintf(stderr, "holdout: out of memory (%zu bytes)\n", size);
        abort();
    }
    return p;
}

/* Finds the pages of a range in one call instead of one fault each, which takes half the time. A
 * kernel before 5.14 refuses; then they come one by one. */
static void populate(char *p, size_t n)
{
    char *first = p - (uintptr_t)p % PAGE;
    madvise(first, n + (size_t)(p - first), MADV_POPULATE_WRITE);
}

void *scratch_alloc(struct scratch *s, size_t count, size_t size)
{
    BUG_IF(size && count > (SIZE_MAX / 2) / size);
    size_t n = (count * size + ALIGN - 1) / ALIGN * ALIGN;
    if (!s->last || s->last->size - s->used < n) {
        size_t need = n + ALIGN > BLOCK ? n + ALIGN : BLOCK;
        struct scratch_block *b = map_block(need);
        *b = (struct scratch_block){s->last, need};
        s->last = b;
        s->used = ALIGN;
    }
    char *p = (char *)s->last + s->used;
    s->used += n;
    if (n >= PAGE) {
        populate(p, n);
    }
    return p;
}

void scratch_release(struct scratch *s)
{
    while (s->last) {
        struct scratch_block *b = s->last;
        s->last = b->before;
        munmap(b, b->size);
    }
    s->used = 0;
}
