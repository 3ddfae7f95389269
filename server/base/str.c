/* str.c - the growing text buffer. */
#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void str_init(struct str *s, size_t max)
{
    *s = (struct str){.max = max};
}

void str_release(struct str *s)
{
    free(s->p);
    str_init(s, s->max);
}

void str_clear(struct str *s)
{
    s->n = 0;
    s->over = false;
    if (s->p) {
        s->p[0] = '\0';
    }
}

void str_cut(struct str *s, size_t n)
{
    BUG_IF(n > s->n);
    s->n = n;
    if (s->p) {
        s->p[n] = '\0';
    }
}

/* Room for n more bytes and the NUL; false (and over) when that passes the maximum. */
static bool room(struct str *s, size_t n)
{
    if (s->over || n > s->max - s->n) {
        s->over = true;
        return false;
    }
    xgrow(&s->p, &s->cap, s->n + n + 1, 1);
    return true;
}

void str_add(struct str *s, const void *p, size_t n)
{
    if (n == 0 || !room(s, n)) {
        return;
    }
    memcpy(s->p + s->n, p, n);
    s->n += n;
    s->p[s->n] = '\0';
}

void str_addz(struct str *s, const char *z)
{
    str_add(s, z, strlen(z));
}

void str_addsv(struct str *s, struct sv v)
{
    str_add(s, v.p, v.n);
}

void str_addc(struct str *s, char c)
{
    str_add(s, &c, 1);
}

void str_addi(struct str *s, int64_t v)
{
    char buf[24];
    char *p = buf + sizeof buf;
    uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    do {
        *--p = (char)('0' + u % 10);
        u /= 10;
    } while (u);
    if (v < 0) {
        *--p = '-';
    }
    str_add(s, p, (size_t)(buf + sizeof buf - p));
}

void str_printf(struct str *s, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    BUG_IF(n < 0);
    if (room(s, (size_t)n)) {
        vsnprintf(s->p + s->n, (size_t)n + 1, fmt, again);
        s->n += (size_t)n;
    }
    va_end(again);
}

struct sv str_sv(const struct str *s)
{
    return (struct sv){s->p ? s->p : "", s->n};
}

char *str_take(struct str *s, size_t *n)
{
    char *p = s->p ? s->p : xcalloc(1, 1);
    *n = s->n;
    str_init(s, s->max);
    return p;
}

enum err_code str_check(const struct str *s, const char *what, struct err *err)
{
    if (s->over) {
        return err_set(err, ERR_LIMIT, "%s is larger than the limit of %zu bytes", what, s->max);
    }
    return OK;
}
