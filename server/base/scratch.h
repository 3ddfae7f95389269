/* scratch.h - much memory for a moment: blocks straight from the kernel, given back to it at once. For
 * passes over millions of things, whose tens of megabytes would otherwise stay in the heap. Not thread-safe. */
#ifndef BASE_SCRATCH_H
#define BASE_SCRATCH_H

#include <stddef.h>

struct scratch_block;
struct scratch { /* {0}: empty */
    struct scratch_block *last;
    size_t used;
};

/* count * size zeroed bytes, 64-byte aligned, whose pages are there already: writing to them under a
 * lock costs no more than writing. Aborts when memory is out. */
void *scratch_alloc(struct scratch *s, size_t count, size_t size);
void scratch_release(struct scratch *s);

#endif
