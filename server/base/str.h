/* str.h - a growing text buffer with a maximum given at init.
 * Writing past the maximum sets `over` and drops the rest: the writer checks once at the end
 * (str_check) instead of after every piece. Always NUL-terminated once something was added. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sv.h"

struct str {
    char *p;
    size_t n, cap, max;
    bool over;
};

void str_init(struct str *s, size_t max);  /* no allocation */
void str_release(struct str *s);           /* frees; may be used again with the same maximum */
void str_clear(struct str *s);             /* keeps the memory */
void str_cut(struct str *s, size_t n);     /* only the first n bytes stay, of no fewer */
void str_add(struct str *s, const void *p, size_t n);
void str_addz(struct str *s, const char *z);
void str_addsv(struct str *s, struct sv v);
void str_addc(struct str *s, char c);
void str_addi(struct str *s, int64_t v);   /* decimal */
void str_printf(struct str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
struct sv str_sv(const struct str *s);     /* borrowed; gone with the next change */

/* Hands the bytes to the caller, who frees them; *n gets the length. The buffer is empty after. */
char *str_take(struct str *s, size_t *n);

/* ERR_LIMIT when something was dropped; `what` names the thing. */
enum err_code str_check(const struct str *s, const char *what, struct err *err);

#endif
