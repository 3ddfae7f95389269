/* xalloc.h - allocation that does not fail, for small sizes that we chose ourselves.
 * Sizes that come from outside go through xalloc_checked, which refuses above a cap. */
#ifndef BASE_XALLOC_H
#define BASE_XALLOC_H

#include <stddef.h>

#include "base/err.h"

/* malloc / calloc / realloc that abort with a message when memory is out. Caller frees. */
void *xmalloc(size_t n);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *p, size_t n);
char *xstrdup(const char *s);

/* Allocates count * size bytes, zeroed. ERR_LIMIT when the product is over `max` or overflows,
 * ERR_BUSY when the machine has no memory; `what` names the thing in the message. */
enum err_code xalloc_checked(size_t count, size_t size, size_t max, const char *what, void **out,
                             struct err *err);

void xgrow_more(void *items, size_t *cap, size_t need, size_t size); /* need > *cap */
/* Makes room for at least `need` elements in the array *items of *cap elements of `size` bytes,
 * doubling the capacity; aborts when memory is out. New elements are not initialised. */
static inline void xgrow(void *items, size_t *cap, size_t need, size_t size)
{
    if (need > *cap) { /* here, because millions of records are added one by one */
        xgrow_more(items, cap, need, size);
    }
}

#endif
