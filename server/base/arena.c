/* arena.c - a chain of blocks; the newest is filled from its start. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fault.h"
#include "base/xalloc.h"

enum { ARENA_BLOCK = 4096, ARENA_ALIGN = 16 };

struct arena_block {
    struct arena_block *before;
    size_t n, cap;
    _Alignas(ARENA_ALIGN) unsigned char bytes[];
};

static _Thread_local struct arena_budget *budget;

void arena_budget_begin(struct arena_budget *b)
{
    *b = (struct arena_budget){.outer = budget};
    budget = b;
}

void arena_budget_end(struct arena_budget *b)
{
    BUG_IF(budget != b);
    budget = b->outer;
}

bool arena_budget_spent(void)
{
    return budget && budget->spent;
}

/* Looks whether `n` more bytes are within the arena's cap. */
static void charge(const struct arena *a, size_t n)
{
    bool over = n > a->max || a->used > a->max - n;
    if (budget) {
        budget->spent = budget->spent || over || fault_arena();
    } else {
        BUG_IF(over);
    }
}

void arena_init(struct arena *a, size_t max)
{
    *a = (struct arena){.max = max};
}

void arena_release(struct arena *a)
{
    while (a->last) {
        struct arena_block *b = a->last;
        a->last = b->before;
        free(b);
    }
    a->used = 0;
}

void arena_clear(struct arena *a)
{
    struct arena_block *first = a->last;
    while (first && first->before) {
        a->last = first->before;
        free(first);
        first = a->last;
    }
    a->used = 0;
    if (first && first->cap == ARENA_BLOCK - sizeof *first) {
        first->n = 0;
    } else {
        arena_release(a);
    }
}

static struct arena_block *add_block(struct arena *a, size_t cap)
{
    struct arena_block *b = xmalloc(sizeof *b + cap);
    *b = (struct arena_block){.before = a->last, .cap = cap};
    a->last = b;
    return b;
}

void *arena_alloc(struct arena *a, size_t n)
{
    charge(a, n);
#ifdef ARENA_DEBUG
    struct arena_block *b = add_block(a, n);
#else
    n = (n + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
    struct arena_block *b = a->last;
    if (!b || b->cap - b->n < n) {
        b = add_block(a, n > ARENA_BLOCK - sizeof *b ? n : ARENA_BLOCK - sizeof *b);
    }
#endif
    void *p = b->bytes + b->n;
    b->n += n;
    a->used += n;
    return p;
}

void *arena_calloc(struct arena *a, size_t count, size_t size)
{
    BUG_IF(size != 0 && count > SIZE_MAX / size);
    return memset(arena_alloc(a, count * size), 0, count * size);
}

struct sv arena_sv(struct arena *a, struct sv s)
{
    char *p = arena_alloc(a, s.n + 1);
    if (s.n) {
        memcpy(p, s.p, s.n);
    }
    p[s.n] = '\0';
    return (struct sv){p, s.n};
}

char *arena_cstr(struct arena *a, struct sv s)
{
    char *p = arena_alloc(a, s.n + 1);
    if (s.n) {
        memcpy(p, s.p, s.n);
    }
    p[s.n] = '\0';
    return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
    return arena_cstr(a, sv_of(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    BUG_IF(n < 0);
    char *p = arena_alloc(a, (size_t)n + 1);
    vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    return p;
}
