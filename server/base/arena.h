/* arena.h - memory that lives as long as one request, job or command and is freed at once.
 * What store, form and view return lives in the caller's arena. Not thread-safe: one owner at a
 * time (a request's arena moves with the request from the HTTP thread to the writer and back).
 * Built with ARENA_DEBUG every piece is its own malloc, so that sanitizers see overruns. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/sv.h"

struct arena_block;
struct arena {
    struct arena_block *last;
    size_t used, max;
};

/* No allocation yet; `max` bytes is where the arena aborts (a command that collects more than
 * its cap is a bug: data from outside is capped where it comes in), or where the thread's budget
 * is spent. */
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

/* What a thread does for somebody else must not end the program. Between begin and end, an arena of
 * this thread that would pass its `max` still serves what it was asked for, and the budget is spent:
 * db_step then gives no more rows but ERR_LIMIT (rule "memory"), so that whatever collects rows stops
 * within one of them and everything is let go of in the usual way. Whoever began says what the caller
 * is told. Begun inside another one, it is that one's only until it ends. */
struct arena_budget {
    struct arena_budget *outer;
    bool spent;
};
void arena_budget_begin(struct arena_budget *b);
void arena_budget_end(struct arena_budget *b);
bool arena_budget_spent(void); /* of this thread; false without a budget */

#endif
