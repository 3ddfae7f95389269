/* cookie.h - reading a Cookie header. */
#ifndef HTTP_COOKIE_H
#define HTTP_COOKIE_H

#include "base/sv.h"

/* The value of the first cookie of that name in "a=1; b=2", without quotes around it; empty when
 * there is none. Borrows `header`. */
struct sv cookie_find(struct sv header, const char *name);

#endif
