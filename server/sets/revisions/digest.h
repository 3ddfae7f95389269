/* digest.h - what names the content of a set: SHA-256 of its "image,wnid" lines, sorted, joined
 * by LF, without a final LF, as the study's own tools have it. */
#ifndef SETS_REVISIONS_DIGEST_H
#define SETS_REVISIONS_DIGEST_H

#include "base/sv.h"
#include "store/sets/sets.h"

struct set_line {
    struct sv image, wnid;
};
/* Sorts the lines. */
void set_digest(struct set_line *lines, size_t n, unsigned char out[SET_DIGEST]);

#endif
