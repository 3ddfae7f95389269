/* head.h - whether a request's head is exactly what the standard says, byte by byte.
 *
 * The library forgives much (ends of lines without CR, lines that continue, spaces before a colon,
 * NUL), and who forgives otherwise than a proxy in front lets one client write another's request. It
 * parses in place: it ends names, values and lines with zero bytes and leaves everything where it
 * came. So each piece has to begin where the piece before ends, as far as the head's size says;
 * whatever was skipped, joined or cut short shows as a gap.
 *
 * One thing cannot be seen so: NUL and LF where CR and LF should be. */
#ifndef HTTP_HEAD_H
#define HTTP_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sv.h"

struct head {
    const char *at, *end; /* where the next line should begin; NULL: places are not compared */
    const char *wrong;    /* the first thing that is, in words; NULL when all is right */
    struct sv host;       /* in the address ("http://host/path"); p NULL: none */
    int hosts, lengths, encodings;
    uint64_t length; /* UINT64_MAX when it cannot be read */
    bool chunked, old; /* old: HTTP/1.0 */
};

/* The request line: method and version NUL-terminated in place, a copy of the target and where it
 * came. `size`: of the whole head with its empty line, from the first byte of the method; 0: places
 * are not compared. */
void head_begin(struct head *h, const char *method, const char *uri, const char *uri_at,
                const char *version, size_t size);
/* The header lines in their order. */
void head_line(struct head *h, const char *name, const char *value);
/* After the last one: NULL or what is wrong. */
const char *head_end(struct head *h);

#endif
