/* sv.c - borrowed text. */
#include "base/sv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct sv sv_of(const char *s)
{
    return (struct sv){s ? s : "", s ? strlen(s) : 0};
}

struct sv sv_make(const char *p, size_t n)
{
    return (struct sv){p, n};
}

bool sv_eq(struct sv a, struct sv b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

bool sv_is(struct sv a, const char *b)
{
    return sv_eq(a, sv_of(b));
}

bool sv_eq_nocase(struct sv a, const char *b)
{
    return a.n == strlen(b) && (a.n == 0 || strncasecmp(a.p, b, a.n) == 0);
}

bool sv_starts(struct sv a, const char *prefix)
{
    size_t n = strlen(prefix);
    return a.n >= n && (n == 0 || memcmp(a.p, prefix, n) == 0);
}

bool sv_ends(struct sv a, const char *suffix)
{
    size_t n = strlen(suffix);
    return a.n >= n && (n == 0 || memcmp(a.p + a.n - n, suffix, n) == 0);
}

bool sv_is_word(struct sv a, const char *also)
{
    bool word = a.n > 0;
    for (size_t i = 0; i < a.n && word; i++) {
        char c = a.p[i];
        word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr(also, c));
    }
    return word;
}

int sv_cmp(struct sv a, struct sv b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int c = n ? memcmp(a.p, b.p, n) : 0;
    return c ? c : (a.n > b.n) - (a.n < b.n);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct sv sv_trim(struct sv a)
{
    while (a.n && is_space(a.p[0])) {
        a.p++;
        a.n--;
    }
    while (a.n && is_space(a.p[a.n - 1])) {
        a.n--;
    }
    return a;
}

struct sv sv_unmarked(struct sv a)
{
    static const char mark[] = "\xef\xbb\xbf";
    return sv_starts(a, mark) ? sv_make(a.p + strlen(mark), a.n - strlen(mark)) : a;
}

struct sv sv_cut(struct sv *rest, char sep)
{
    struct sv all = *rest;
    const char *at = all.n ? memchr(all.p, sep, all.n) : NULL;
    if (!at) {
        *rest = (struct sv){NULL, 0};
        return all;
    }
    size_t n = (size_t)(at - all.p);
    *rest = (struct sv){at + 1, all.n - n - 1};
    return (struct sv){all.p, n};
}

bool sv_i64(struct sv a, int64_t *out)
{
    bool minus = a.n && a.p[0] == '-';
    size_t i = a.n && (a.p[0] == '-' || a.p[0] == '+') ? 1 : 0;
    if (i == a.n) {
        return false;
    }
    int64_t v = 0;
    for (; i < a.n; i++) {
        if (a.p[i] < '0' || a.p[i] > '9') {
            return false;
        }
        int digit = a.p[i] - '0';
        if (__builtin_mul_overflow(v, 10, &v) ||
            __builtin_add_overflow(v, minus ? -digit : digit, &v)) {
            return false;
        }
    }
    *out = v;
    return true;
}

bool sv_f64(struct sv a, double *out)
{
    char buf[64];
    if (a.n == 0 || a.n >= sizeof buf || !strchr("+-.0123456789", a.p[0])) {
        return false;
    }
    memcpy(buf, a.p, a.n);
    buf[a.n] = '\0';
    if (strpbrk(buf, "xXnNiI")) {
        return false;
    }
    char *end;
    double v = strtod(buf, &end);
    if (end != buf + a.n || !isfinite(v)) {
        return false;
    }
    *out = v;
    return true;
}

bool sv_hex64(struct sv a, uint64_t *out)
{
    if (a.n == 0 || a.n > 16) {
        return false;
    }
    uint64_t v = 0;
    for (size_t i = 0; i < a.n; i++) {
        char c = a.p[i];
        unsigned d;
        if (c >= '0' && c <= '9') {
            d = (unsigned)(c - '0');
        } else if (c >= 'a' && c <= 'f') {
            d = (unsigned)(c - 'a' + 10);
        } else if (c >= 'A' && c <= 'F') {
            d = (unsigned)(c - 'A' + 10);
        } else {
            return false;
        }
        v = v << 4 | d;
    }
    *out = v;
    return true;
}

/* Length of the UTF-8 sequence at p, 0 if it is not valid (RFC 3629 table). */
static size_t utf8_step(const unsigned char *p, size_t n)
{
    if (p[0] < 0x80) {
        return p[0] ? 1 : 0;
    }
    size_t len = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || len > n) {
        return 0;
    }
    for (size_t i = 1; i < len; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
        (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f)) {
        return 0;
    }
    return len;
}

size_t sv_utf8_first(struct sv a)
{
    return a.n ? utf8_step((const unsigned char *)a.p, a.n) : 0;
}

struct sv sv_utf8_whole(struct sv a)
{
    for (size_t i = 0; i < a.n;) {
        if (a.p[i] > 0) { /* ASCII, as nearly everything is */
            i++;
            continue;
        }
        size_t step = sv_utf8_first(sv_make(a.p + i, a.n - i));
        if (step == 0) {
            return sv_make(a.p, i);
        }
        i += step;
    }
    return a;
}

bool sv_utf8(struct sv a)
{
    return sv_utf8_whole(a).n == a.n;
}
