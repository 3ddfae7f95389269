/* cards.h - what the final review of one class shows: the images that stand under it in the
 * revision, and originals beside them. Frequencies, which images are new, and ways to pages that tell
 * either are there for reviewers who asked for them (store/review/shown.h); in a blind round
 * originals are mixed in besides. */
#ifndef WEB_REVIEW_CARDS_H
#define WEB_REVIEW_CARDS_H

#include "sets/pool/class_facts.h"
#include "store/classes/classes.h"
#include "store/sets/images.h"
#include "web/review/way.h"

enum { REVIEW_ORIGINALS = 10, REVIEW_IMAGES_MOST = 500 };

struct review_mix {           /* what a blind turn shows, in order */
    struct review_mark *marks; /* nothing rejected yet */
    size_t n;
    int64_t drawn_from;       /* images and originals that could be shown: another number is another mix */
};
struct review_class_asked {
    struct review_way way;
    struct class_info k;
    size_t at;                /* the turn asked for; n_turns: none (an `again` that there is none of) */
    bool again, blind;        /* blind: this reviewer is not through with the turn */
    bool shown;               /* this reviewer asked for frequencies; never in a blind turn */
    bool cut;                 /* there are more images than the REVIEW_IMAGES_MOST below */
    struct set_image *images;
    size_t n_images;
    struct review_mix mix;    /* of a blind turn */
    struct class_facts *facts; /* loaded with the first cards */
};
/* The class of the address (set, revision, wnid) and ?again=1. ERR_NOT_FOUND (rules "set", "no-class",
 * "review-class": the revision has no image of it). */
enum err_code review_class_asked(struct ctx *c, bool again, struct review_class_asked *out);

/* Cards of the images in the set, the earliest taken first: {id, number, name, url, thumb_url, large_url,
 * date, frequency, is_new, reason, label, note, set, was, banned, hidden, reasons}; url and frequency are
 * null and is_new false unless they are shown. New reference; NULL with c->err set. */
json_t *review_cards_json(struct ctx *c, struct review_class_asked *q);
/* Cards of some of its originals: the same without what is decided. `page` 0, 1, ... shows others. */
json_t *review_originals_json(struct ctx *c, struct review_class_asked *q, int64_t page);
/* Cards of a blind turn: {id: the place, number, thumb_url, large_url, reasons}, whose addresses are those of the
 * places. NULL with c->err set. */
json_t *review_blind_json(struct ctx *c, const struct review_class_asked *q);

#endif
