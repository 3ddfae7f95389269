/* listing.h - one page of a list of images: filters and an order over a catalogue and its votes. A
 * pass over all of them and a selection, so that the first, the middle and the last page of a
 * million cost the same, about 15 ms. Pure functions over memory. */
#ifndef LIVE_IMAGES_LISTING_H
#define LIVE_IMAGES_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live/images/catalogue.h"

enum listing_sort {
    LISTING_ID,         /* as they came */
    LISTING_NAME,
    LISTING_FREQUENCY,  /* then by answers; without answers last */
    LISTING_ANSWERS,
    LISTING_DATE,
    LISTING_SHARPNESS,
    LISTING_BRIGHTNESS,
    LISTING_SATURATION,
    LISTING_SORTS
};
enum { LISTING_ALL = -1, LISTING_OTHER_CLASS = IMAGE_ROLES, LISTING_UNANSWERED = 5 /* a bin */ };

enum listing_mark { LISTING_BLACKLISTED = 1, LISTING_NEAR_DUPLICATE = 2 };

struct listing_ask {
    enum listing_sort sort;
    bool falling;               /* what is not known comes last either way */
    int64_t class_id;           /* of LISTING_OTHER_CLASS; 0: the list is of all classes */
    int role;                   /* enum image_role of the class, LISTING_OTHER_CLASS, LISTING_ALL */
    unsigned bins;              /* bit i: bin i of 0 to 4, LISTING_UNANSWERED; 0: all */
    bool ranged;                /* frequencies from `least` to `most` alone, both included */
    double least, most;
    int gray;                   /* 0, 1, LISTING_ALL */
    uint32_t least_answers;
    uint32_t from, to;          /* minutes, both included; LISTING_NO_DATE: no limit */
    uint32_t newest;            /* no image with a larger id */
    const uint8_t *marks;       /* of each image of the catalogue, enum listing_mark; NULL: none has any */
    uint8_t with, without;      /* marks that it must have, and must not have */
    const uint32_t *only;       /* these images alone, by id; NULL: all */
    size_t n_only;
};
#define LISTING_NO_DATE UINT32_MAX

struct listing_vote {           /* of an image of the catalogue */
    uint32_t class_id;          /* under which class; the caller's */
    uint32_t shown, selected;
};
struct listing_row {
    uint32_t at;                /* in the catalogue */
    uint32_t shown, selected;
};
struct listing {
    struct listing_row *rows;
    size_t n, total;            /* rows of this page; of the whole list */
};

/* Whether a list must know the votes of every image, or only of those that it shows. */
bool listing_needs_votes(const struct listing_ask *ask);
/* Rows from .. from + most - 1 of the list; none when it ends before. `votes`: of each image of the
 * catalogue; NULL where they are not needed. */
void listing_make(const struct catalogue *c, const struct listing_vote *votes,
                  const struct listing_ask *ask, size_t from, size_t most, struct listing *out);
void listing_release(struct listing *l);

#endif
