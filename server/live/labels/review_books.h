/* review_books.h - what holds of the images of label reviews (store/labels/label_looks.h), kept in memory: a save changes the
 * image that it is about, and of that alone the looks are read again. 50,000 images with 225,000 verdicts take some 8 MB and
 * half a second when they are first asked for. Knows SQL only through store/. */
#ifndef LIVE_LABELS_REVIEW_BOOKS_H
#define LIVE_LABELS_REVIEW_BOOKS_H

#include "store/labels/label_looks.h"

/* All of that for one project, for whoever asks from any thread. */
struct review_books;
struct review_books *review_books_new(void);
void review_books_free(struct review_books *b); /* NULL is allowed */
/* Now and then: lets go of lists that nobody asked for in a while. */
void review_books_rest(struct review_books *b, int64_t now_ms);

/* A list as label_review_book has it, as of its look `last`, each image with how it states; borrowed until review_book_let_go,
 * which every OK must be followed by. Where connections were lent struct live_lent that is asked, under its lock: be brief;
 * else, and of the past, it is read for this call. */
struct review_book {
    const struct label_book *book;     /* of images alone that are in order of position; their labels lie anywhere */
    const struct label_image_state *states;  /* book->n */
    const uint32_t *set_class;         /* by position, of the random arm: the label that the set gives; 0: it is not of that */
    uint64_t read;                     /* images whose looks were read since the beginning; 0: for this call */
    struct review_books *kept;         /* NULL: the next two are the call's own */
    struct label_book own;
    struct label_image_state *own_states;
    uint32_t *own_set_class;
};
enum err_code review_book_look(struct db *db, int64_t last, struct review_book *out, struct err *err);
void review_book_let_go(struct review_book *b);
/* The same as a book of the caller's, who releases it, on failure too. */
enum err_code review_book_copy(struct db *db, int64_t last, struct label_book *out, struct err *err);

/* As label_review_covers, which is asked of other revisions than the list's. */
enum err_code review_book_covers(struct db *db, int64_t last, int64_t revision, int64_t *has, int64_t *counts, struct err *err);
/* How many labels anything was said about that holds. */
enum err_code review_book_labels(struct db *db, int64_t last, int64_t *out, struct err *err);

/* The first image that fewer people than should have reviewed: for label_review_next. */
enum err_code review_first_open(struct db *db, const struct label_review_row *r, int64_t *out, struct err *err);

/* Images that as many people as should have reviewed; images that at least one has; images about which enough people have said
 * something and disagree, in the arena by position. `last` 0: nothing was said. */
struct review_progress {
    int64_t done, begun;
    struct label_open_item *open;
    size_t n_open;
};
enum err_code review_progress_read(struct db *db, const struct label_review_row *r, struct arena *a, struct review_progress *out,
                                   struct err *err);

#endif
