/* review_images.h - the images of a label review by class: which label the set gives each, and how far its reviewers are.
 * That is where a label comes from, so it is for leads: nobody whose work the list is must see it. */
#ifndef EXPERTS_REVIEW_IMAGES_H
#define EXPERTS_REVIEW_IMAGES_H

#include "record/record.h"
#include "store/labels/label_reviews.h"

/* The first that holds: fewer people than should have reviewed it; those who did disagree about a label, or whether it is
 * problematic; it is; it is reviewed. */
enum review_image_state { REVIEW_IMAGE_OPEN, REVIEW_IMAGE_DISPUTED, REVIEW_IMAGE_PROBLEMATIC, REVIEW_IMAGE_DONE, REVIEW_IMAGE_STATES };
const char *review_image_state_word(enum review_image_state s); /* "open", "dispute", "problematic", "done" */
/* Empty: REVIEW_IMAGE_STATES, any of them. ERR_INPUT (rule "label-review-state"). */
enum err_code review_image_state_find(struct sv word, enum review_image_state *out, struct err *err);

struct review_image {
    int64_t position, id;
    struct sv image, wnid, synset; /* image: see review_images_name; of the label that the set gives it */
    int64_t cid, people, disputed; /* who reviewed it; labels about which they disagree */
    enum review_image_state state;
    const char *state_word;
};
struct review_image_class {
    struct sv wnid, synset;
    int64_t cid, images, states[REVIEW_IMAGE_STATES];
};
struct review_images_ask {
    struct sv wnid;                /* of this class alone; empty: of all */
    enum review_image_state state; /* REVIEW_IMAGE_STATES: whatever it is */
    bool by_class, falling;        /* in order of class number, then of the list; else in that of the list */
};
struct review_images {
    struct review_image *rows;     /* those asked for */
    struct review_image_class *classes; /* of all images, by class number */
    size_t n, n_classes;
    int64_t states[REVIEW_IMAGE_STATES]; /* of the class */
};
extern const struct record review_image_record, review_image_class_record;
/* In the arena. ERR_NOT_FOUND (rule "no-class"). */
enum err_code review_images_read(struct db *db, const struct label_review_row *r, const struct review_images_ask *ask, struct arena *a,
                                 struct review_images *out, struct err *err);
/* Fills in the names of some of them, which cost a look-up each. */
enum err_code review_images_name(struct db *db, struct review_image *rows, size_t n, struct arena *a, struct err *err);

#endif
