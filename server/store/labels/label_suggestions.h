/* label_suggestions.h - SQL for what a model suggests in a label review, shown for half of its images and hidden for the
 * others, and for what reviewers make of each other's words once they have seen them. */
#ifndef STORE_LABELS_LABEL_SUGGESTIONS_H
#define STORE_LABELS_LABEL_SUGGESTIONS_H

#include "store/labels/label_looks.h"

/* The class whose label is shown as suggested for an image of the list; 0: none is. */
enum err_code label_suggestion_shown(struct db *db, int64_t review, int64_t position, int64_t *class_id, struct err *err);

struct label_agreement { /* images, by whether the suggestion was shown, and how many were agreed with: it was called correct */
    int64_t account, shown, shown_agreed, hidden, hidden_agreed; /* account 0: of every image its first reviewer alone */
    struct sv login;
};
/* By what each person said first of an image and did not take back. All first, then by login; none of a list without
 * suggestions. In the arena. */
enum err_code label_suggestions_agreed(struct db *db, int64_t review, struct arena *a, struct label_agreement **out, size_t *n,
                                       struct err *err);

enum label_stand { STAND_AGREE, STAND_KEEP, STAND_DISCUSS, LABEL_STANDS };
bool label_stand_of(struct sv word, enum label_stand *out); /* "agree", "keep", "discuss" */
/* Inside the caller's transaction, with an event "labels.stand". */
enum err_code label_stand_add(struct db *db, int64_t review, int64_t position, int64_t account, enum label_stand stand, int64_t now,
                              struct err *err);
struct label_stand_row {
    int64_t account;
    enum label_stand stand;
};
/* What each reviewer of an image said last, by account. */
enum err_code label_stands_list(struct db *db, int64_t review, int64_t position, struct arena *a, struct label_stand_row **out,
                                size_t *n, struct err *err);
struct label_stands {
    int64_t position, keep, discuss; /* people */
};
/* Of all images of the list about which somebody keeps or wants to discuss, by position. */
enum err_code label_stands_count(struct db *db, int64_t review, struct arena *a, struct label_stands **out, size_t *n, struct err *err);

#endif
