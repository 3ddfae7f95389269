/* label_reviews.h - SQL for lists of images whose labels experts review: what is asked, whose work it is, what comes next.
 * What they say: label_looks.h. A list is seen once all its rows are there. */
#ifndef STORE_LABELS_LABEL_REVIEWS_H
#define STORE_LABELS_LABEL_REVIEWS_H

#include "base/arena.h"
#include "db/db.h"
#include "domain/labels/label_review.h"

enum { LABEL_REVIEW_IMAGES = 200000 };

struct label_review_row {
    int64_t id, revision, as_of, seed, images, reviewers, repeats, at, account; /* account 0: the command line */
    bool again;          /* images that people reviewed in other lists, or were evaluated on, may be theirs too (label_seen.h) */
    int64_t suggests;    /* whose first predictions are suggested for half of the images, a model; 0: nobody's */
    int64_t looks, last; /* saves, undone ones too; the newest one's event, 0: none */
    struct sv name, set, models, drawn_by, state, login, suggested; /* set: SET/NUMBER; state: open, closed; login: who made it; suggested: the model's name */
    struct sv from; /* as in label_review_new; empty: none */
};
/* ERR_NOT_FOUND (rule "label-review") says which there are. */
enum err_code label_reviews_find(struct db *db, struct sv name, struct arena *a, struct label_review_row *out, struct err *err);
/* By name. `account`: only open ones that are the account's work; 0: all. */
enum err_code label_reviews_list(struct db *db, int64_t account, struct arena *a, struct label_review_row **out, size_t *n,
                                 struct err *err);
/* Whether the account has work on an open list: then it sees tasks and nothing else about images. */
enum err_code label_reviews_at_desk(struct db *db, int64_t account, bool *out, struct err *err);

/* ---- making one ---- */

struct label_review_ask { /* a label that is asked about */
    uint32_t class_id, models;
    unsigned char origins;
};
struct label_review_item {
    uint32_t image;
    double p;           /* of the random arm; 0: it was chosen */
    size_t first, n;    /* of its labels, in label_review_new.asks, by class id */
    uint32_t suggested; /* a class: what the model that suggests says first; 0: nothing */
    bool shown;         /* it is */
    bool ranked;        /* it was chosen by its place among likely label errors */
    int64_t rank;       /* which is that, from 0 */
    double confidence;  /* then: mean probability that models gave the set's label; NAN: none did */
};
struct label_review_new {
    struct sv name, models; /* models: JSON */
    const char *from;       /* JSON: versions of label sources and plans of candidate labels, {"sources", "candidates"}; NULL: none */
    int64_t revision, as_of, account, seed;
    enum review_queue queue;
    int reviewers, repeats;
    bool again;       /* label_seen.h */
    int64_t suggests; /* a model; 0: none */
    int64_t evaluation; /* whose images it has; 0: none's */
    const struct label_review_item *items;
    size_t n;
    const struct label_review_ask *asks;
};
/* ERR_INPUT (rules "label-name", "label-review-size"), ERR_CONFLICT (rule "label-review-name") when a list or a label
 * source has the name. */
enum err_code label_review_name_free(struct db *db, struct sv name, struct err *err);
/* Writes transactions of its own: rows in slices, its state last. What a killed run left under the name is replaced. */
enum err_code label_review_add(struct db *db, bool alone, const struct label_review_new *v, int64_t now, int64_t *id,
                               struct err *err);

/* Inside the caller's transaction; nothing is written when it is so already. */
enum err_code label_review_state(struct db *db, int64_t review, bool open, int64_t by, int64_t now, struct err *err);
enum err_code label_review_assign(struct db *db, int64_t review, int64_t account, bool active, int64_t by, int64_t now,
                                  struct err *err);

/* ---- people ---- */

struct label_reviewer_row {
    int64_t account;
    struct sv login, role;
    bool active;
    int64_t images, repeats, adjudicated; /* images that they reviewed; looks that count */
};
/* The images of the random arm, by position; class_id: the label that the set gives each. */
struct label_arm {
    uint32_t position, class_id;
};
enum err_code label_review_arm(struct db *db, int64_t review, struct arena *a, struct label_arm **out, size_t *n, struct err *err);
/* The same of all images. */
enum err_code label_review_set_labels(struct db *db, int64_t review, struct arena *a, struct label_arm **out, size_t *n, struct err *err);
/* How many those of the random arm are. */
enum err_code label_review_drawn(struct db *db, int64_t review, int64_t *out, struct err *err);
/* Of a list by likely label errors, those that were chosen by that, the most doubtful first. */
enum err_code label_review_ranked(struct db *db, int64_t review, struct arena *a, struct label_arm **out, size_t *n, struct err *err);
/* Everybody who was ever assigned to it or said something in it, by login. */
enum err_code label_reviewers_list(struct db *db, int64_t review, struct arena *a, struct label_reviewer_row **out, size_t *n,
                                   struct err *err);
struct label_reviewed_row {
    int64_t position, people;
};
/* Images that people reviewed whose work the list is not now, and how many did, by position. */
enum err_code label_review_by_others(struct db *db, int64_t review, struct arena *a, struct label_reviewed_row **out, size_t *n,
                                     struct err *err);
/* Whether the account's work is on the list now. */
enum err_code label_reviewer_is(struct db *db, int64_t review, int64_t account, bool *out, struct err *err);

/* ---- items ---- */

/* ERR_NOT_FOUND (rule "label-review-item"). p 0: it was chosen. */
enum err_code label_review_image(struct db *db, int64_t review, int64_t position, int64_t *image, double *p, struct err *err);
/* All of them, by position. */
enum err_code label_review_images(struct db *db, int64_t review, struct arena *a, uint32_t **out, size_t *n, struct err *err);
struct label_asked {
    int64_t class_id, cid, models, origins;
    struct sv wnid, synset, gloss;
};
/* By class number; `added`: those that people added (ORIGIN_ADDED) too. */
enum err_code label_review_labels(struct db *db, int64_t review, int64_t position, bool added, struct arena *a,
                                  struct label_asked **out, size_t *n, struct err *err);

struct label_next {
    int64_t position; /* -1: nothing is left for the account */
    bool repeat;      /* one that they have reviewed is shown again */
    bool back;        /* they have reviewed it, and somebody added a label since */
};
/* What the account looks at next: an image that comes back with an added label, now and then one of their own again, else
 * the first that fewer than `reviewers` people have reviewed; reviewers of a list begin at different images. */
/* `from`: no image before it needs anybody (review_first_open of live/labels/review_books.h; 0: not known); -1: none is looked
 * for that they have not reviewed. */
enum err_code label_review_next(struct db *db, const struct label_review_row *r, int64_t account, int64_t from,
                                struct label_next *out, struct err *err);
/* The new image that would come next if the one at `position` were saved, so that it can be fetched ahead; -1: none. */
enum err_code label_review_ahead(struct db *db, const struct label_review_row *r, int64_t account, int64_t position, int64_t from,
                                 int64_t *out, struct err *err);
/* How many images of it a set has, and how many of these enough people have reviewed, as of an event. */
enum err_code label_review_covers(struct db *db, int64_t last, int64_t revision, int64_t *has, int64_t *counts, struct err *err);

/* Images of any label review or evaluation, whatever its state: ascending, in the arena. */
enum err_code label_reviews_images(struct db *db, struct arena *a, int64_t **out, size_t *n, struct err *err);

#endif
