/* arena.h - memory that lives as long as one request, job or command and is freed at once.
 * What store, form and view return lives in the caller's arena. Not thread-safe: one owner at a
 * time (a request's arena moves with the request from the HTTP thread to the writer and back).
 * Built with ARENA_DEBUG every piece is its own malloc, so that sanitizers see overruns. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#include "base/sv.h"

struct arena_block;
struct arena {
    struct arena_block *last;
    size_t used, max;
};

/* No allocation yet; `max` bytes is where the arena aborts (a handler that collects more than
 * its cap is a bug: data from outside is capped where it comes in). */
void arena_init(struct arena *a, size_t max);
/* Frees everything; the arena may be used again. */
void arena_release(struct arena *a);

/* Forgets everything but keeps a little room, so that the next use need not allocate it. */
void arena_clear(struct arena *a);

void *arena_alloc(struct arena *a, size_t n);                  /* 16-byte aligned, not cleared */
void *arena_calloc(struct arena *a, size_t count, size_t size); /* zeroed */
char *arena_strdup(struct arena *a, const char *s);
struct sv arena_sv(struct arena *a, struct sv s);     /* a copy, NUL-terminated behind its end */
char *arena_cstr(struct arena *a, struct sv s);       /* the same as a C string */
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
