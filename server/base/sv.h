/* sv.h - borrowed text: a pointer and a length, not NUL-terminated, never freed.
 * Request fields, SQL columns and CSV cells travel as sv; who keeps one copies it (arena_sv). */
#ifndef BASE_SV_H
#define BASE_SV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sv {
    const char *p;
    size_t n;
};

#define SV(lit) ((struct sv){"" lit, sizeof(lit) - 1})
#define SV_FMT "%.*s"
#define SV_ARG(s) (int)((s).n > 4096 ? 4096 : (s).n), (s).p

struct sv sv_of(const char *s); /* NULL gives the empty text */
struct sv sv_make(const char *p, size_t n);
bool sv_eq(struct sv a, struct sv b);
bool sv_is(struct sv a, const char *b);
bool sv_eq_nocase(struct sv a, const char *b); /* ASCII only */
bool sv_starts(struct sv a, const char *prefix);
bool sv_ends(struct sv a, const char *suffix);
/* ASCII letters, digits and characters of `also` alone, at least one. */
bool sv_is_word(struct sv a, const char *also);
int sv_cmp(struct sv a, struct sv b); /* bytewise, shorter first */
struct sv sv_trim(struct sv a);       /* spaces, tabs, CR, LF at both ends */
struct sv sv_unmarked(struct sv a);   /* a file's text behind the UTF-8 byte order mark that it may begin with */

/* Cuts *rest at the first `sep`: returns what stands before it and leaves what follows. Without
 * a separator all is returned and *rest becomes empty with p NULL, which ends a loop. */
struct sv sv_cut(struct sv *rest, char sep);

/* A whole decimal integer, sign allowed, nothing else around it; false leaves *out alone. */
bool sv_i64(struct sv a, int64_t *out);
/* A whole decimal or exponent number as strtod reads it in the C locale; no nan, no inf. */
bool sv_f64(struct sv a, double *out);
/* 1 to 16 hex digits, no prefix. */
bool sv_hex64(struct sv a, uint64_t *out);

/* Bytes of the valid UTF-8 character that the text begins with; 0 when there is none. */
size_t sv_utf8_first(struct sv a);
/* The text up to its first byte that is not of a whole, valid character: of one that was cut, the whole
 * characters. */
struct sv sv_utf8_whole(struct sv a);
/* True when the bytes are valid UTF-8 (no surrogates, no overlong forms, no NUL). */
bool sv_utf8(struct sv a);

#endif
