/* training_make.h - a training list made: which images of a set, or of a file, and with which label. Images that a sealed
 * revision has, that are in an open label review or in an evaluation, that are near-duplicates of such, or that are hidden,
 * are left out whatever is asked for. */
#ifndef EXPERTS_TRAINING_MAKE_H
#define EXPERTS_TRAINING_MAKE_H

#include "store/labels/training_lists.h"

struct training_ask {
    struct sv name, unlocks; /* unlocks: the group; empty: the list's name */
    enum training_made made;
    struct sv set;     /* SET[/NUMBER]; unused with MADE_FILE */
    struct sv classes; /* WNIDs with commas or "+". MADE_RELATION: whose relations, empty: all; MADE_GROUP: below which */
    struct sv models;  /* MADE_CONFUSIONS: whose answers, with commas, empty: all models */
    int64_t pairs;     /* MADE_CONFUSIONS: of how many pairs of classes, the most confused ones */
    const struct training_item *items; /* MADE_FILE, with where they come from */
    size_t n;
    const char *file;
    int64_t images;    /* most; 0: all there are, up to TRAINING_IMAGES */
    int64_t mark, span, seed, account; /* span 0: TRAINING_SPAN, or all images if there are fewer */
    int64_t flags_to_quarantine;       /* how many people's flags hide an image */
};
struct training_plan {
    struct training_new list;
    int64_t classes; /* that the images are of */
    int64_t left_out; /* images that may not be shown */
};
/* Reads; nothing is written. In the arena. Errors of the set, the models and classes;
 * ERR_INPUT (rule "training-images") when no image is left, and those of training_list_check. */
enum err_code training_plan(struct db *db, const struct training_ask *ask, struct arena *a, struct training_plan *out,
                            struct err *err);
#endif
