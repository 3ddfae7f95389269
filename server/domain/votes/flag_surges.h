/* flag_surges.h - the rule that finds surges among flags that wait for a decision: so many within
 * an hour that somebody should ask whether they are honest. Plain values; knows no database. */
#ifndef DOMAIN_FLAG_SURGES_H
#define DOMAIN_FLAG_SURGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct flag_point {
    int64_t id, at; /* its event, and when, in ms */
    int64_t image, person;
    bool counts; /* towards quarantine */
    bool hidden; /* its image is hidden now */
};

/* Some of the flags, counted. */
struct flag_sum {
    int64_t first, last;       /* events */
    int64_t first_at, last_at; /* ms */
    int64_t person;            /* of flags_by_person, else 0 */
    int64_t flags, people, images;
    int64_t hidden;    /* images of these that are hidden now */
    int64_t uncounted; /* flags that do not count towards quarantine */
};

/* `p` in the order of `id`. A surge is a run of flags of which each lies in some hour with at least
 * `least` of them. *out in `a`, newest first. */
void flag_surges(const struct flag_point *p, size_t n, int64_t least, struct arena *a,
                 struct flag_sum **out, size_t *n_out);
/* The same flags by person, the one with the most images first. */
void flags_by_person(const struct flag_point *p, size_t n, struct arena *a, struct flag_sum **out,
                     size_t *n_out);

#endif
