/* xalloc.c - allocation that aborts or refuses, never returns NULL unseen. */
#include "base/xalloc.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void out_of_memory(size_t n)
{
    fprintf(stderr, "holdout: out of memory (%zu bytes)\n", n);
    abort();
}

void *xmalloc(size_t n)
{
    void *p = malloc(n ? n : 1);
    if (!p) {
        out_of_memory(n);
    }
    return p;
}

void *xcalloc(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (!p) {
        out_of_memory(count);
    }
    return p;
}

void *xrealloc(void *p, size_t n)
{
    void *q = realloc(p, n ? n : 1);
    if (!q) {
        out_of_memory(n);
    }
    return q;
}

char *xstrdup(const char *s)
{
    size_t n = strlen(s) + 1;
    return memcpy(xmalloc(n), s, n);
}

enum err_code xalloc_checked(size_t count, size_t size, size_t max, const char *what, void **out,
                             struct err *err)
{
    if (size != 0 && count > max / size) {
        return err_set(err, ERR_LIMIT, "%s is too large: %zu x %zu bytes, the limit is %zu", what,
                       count, size, max);
    }
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (!p) {
        return err_set(err, ERR_BUSY, "no memory for %s (%zu bytes)", what, count * size);
    }
    *out = p;
    return OK;
}

void xgrow_more(void *items, size_t *cap, size_t need, size_t size)
{
    size_t n = *cap ? *cap : 16;
    while (n < need) {
        n = n > SIZE_MAX / 2 ? need : n * 2;
    }
    if (n > SIZE_MAX / size) {
        out_of_memory(n);
    }
    void *p;
    memcpy(&p, items, sizeof p);
    p = xrealloc(p, n * size);
    memcpy(items, &p, sizeof p);
    *cap = n;
}
