/* upload_limit.h - not too many photos by one person, or of one afternoon: the paper removed series of one event by
 * hand (C.1.1, "the 2012 Olympics"); here a number says how many may stay. Pure rule on arrays.
 *
 * Within a class, of the candidates that could be sampled otherwise:
 *   first, of one author and one day at most event_most stay;
 *   then, of one author at most author_most of what is left.
 * Who has the higher claim stays: where the best images are wanted, that is their frequency. Of equal
 * claims those of the parent revision stay before others, so that a limit does not undo what was reviewed;
 * otherwise the seed decides by each image's own name, so that one image more or less moves no others
 * than those it stands for. An image without an author is under no limit; one without a date is under the
 * author's alone. */
#ifndef DOMAIN_UPLOAD_LIMIT_H
#define DOMAIN_UPLOAD_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/sv.h"

struct upload {
    struct sv name, author, taken_at; /* taken_at: "YYYY-MM-DD", perhaps a time behind it */
    uint32_t class_index;
    bool counts;    /* a candidate that nothing else keeps out: the others neither stay nor leave */
    bool in_parent;
    double claim;   /* 0 for all: only the parent and the seed decide */
};
struct upload_rules {
    uint32_t author_most, event_most; /* 0: no limit */
    uint64_t seed;
};
/* Sets out[i] for those that do not stay, clears it for all others. About 40 bytes an image in the arena. */
void upload_limit(const struct upload *in, size_t n, const struct upload_rules *rules, struct arena *a,
                  bool *out);
/* "YYYY-MM-DD" at the beginning of a text, or the empty text. */
struct sv upload_day(struct sv taken_at);

#endif
