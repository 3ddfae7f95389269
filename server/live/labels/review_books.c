/* review_books.c - a book for each of a few lists, as of the newest look that somebody asked for. */
#include "live/labels/review_books.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/list.h"
#include "base/xalloc.h"
#include "live/core/lent.h"

enum { KEPT_MOST = 8, REST_MS = 600000, AGAIN_MOST = 2000, MEMORY = 1 << 24 };

struct kept_book {
    int64_t review, last; /* 0: nothing is kept here */
    struct label_book book;
    struct label_image_state *states;
    uint32_t *set_class;  /* of review_book */
    size_t left;          /* labels that no image has any more */
    int64_t used_ms;
};
struct review_books {
    pthread_mutex_t lock;
    struct kept_book kept[KEPT_MOST];
    uint64_t read;
};

static void drop(struct kept_book *k)
{
    label_book_release(&k->book);
    free(k->states);
    free(k->set_class);
    *k = (struct kept_book){.review = 0};
}

struct review_books *review_books_new(void)
{
    struct review_books *b = xcalloc(1, sizeof *b);
    pthread_mutex_init(&b->lock, NULL);
    return b;
}

void review_books_free(struct review_books *b)
{
    for (size_t i = 0; b && i < KEPT_MOST; i++) {
        drop(&b->kept[i]);
    }
    if (b) {
        pthread_mutex_destroy(&b->lock);
        free(b);
    }
}

void review_books_rest(struct review_books *b, int64_t now_ms)
{
    if (pthread_mutex_trylock(&b->lock) != 0) {
        return;
    }
    for (size_t i = 0; i < KEPT_MOST; i++) {
        if (b->kept[i].review && now_ms - b->kept[i].used_ms > REST_MS) {
            drop(&b->kept[i]);
        }
    }
    pthread_mutex_unlock(&b->lock);
}

/* The list's, else the one that was not asked for the longest. */
static struct kept_book *slot_of(struct review_books *b, int64_t review)
{
    struct kept_book *oldest = &b->kept[0];
    for (size_t i = 0; i < KEPT_MOST; i++) {
        if (b->kept[i].review == review) {
            return &b->kept[i];
        }
        oldest = b->kept[i].used_ms < oldest->used_ms ? &b->kept[i] : oldest;
    }
    drop(oldest);
    return oldest;
}

/* Puts what now holds of an image in the place of what did. Its labels stay where they are unless they are more. */
static void put_image(struct kept_book *k, size_t at, const struct label_book *one, const struct label_image_state *stand)
{
    struct label_image *image = &k->book.images[at];
    const struct label_image *now = &one->images[0];
    uint32_t first = image->first;
    if (now->n > image->n) {
        xgrow(&k->book.labels, &k->book.cap_labels, k->book.n_labels + now->n, sizeof *k->book.labels);
        first = (uint32_t)k->book.n_labels;
        k->book.n_labels += now->n;
    }
    k->left += image->n - (now->n > image->n ? 0 : now->n);
    *image = *now;
    image->first = first;
    for (uint32_t i = 0; i < now->n; i++) {
        k->book.labels[first + i] = one->labels[i];
    }
    k->states[at] = *stand;
}

static enum err_code read_again(struct review_books *b, struct kept_book *k, struct db *db, int64_t position, int64_t last,
                                struct err *err)
{
    struct label_book one;
    struct label_image_state *stand;
    enum err_code rc = label_review_book(db, last, position, &one, &stand, err);
    if (rc == OK && one.n == 1 && (size_t)position < k->book.n) {
        put_image(k, (size_t)position, &one, stand);
        b->read++;
    }
    label_book_release(&one);
    free(stand);
    return rc;
}

/* Which images are of the random arm never changes. */
static enum err_code read_arm(struct db *db, int64_t review, size_t images, uint32_t **out, struct err *err)
{
    struct arena a;
    struct label_arm *arm;
    size_t n = 0;
    arena_init(&a, MEMORY);
    enum err_code rc = label_review_arm(db, review, &a, &arm, &n, err);
    *out = xcalloc(images + 1, sizeof **out);
    for (size_t i = 0; i < n && rc == OK; i++) {
        (*out)[arm[i].position] = arm[i].class_id;
    }
    arena_release(&a);
    return rc;
}

static enum err_code read_all(struct review_books *b, struct kept_book *k, struct db *db, int64_t review, int64_t last, struct err *err)
{
    drop(k);
    enum err_code rc = label_review_book(db, last, -1, &k->book, &k->states, err);
    rc = rc == OK ? read_arm(db, review, k->book.n, &k->set_class, err) : rc;
    if (rc != OK) {
        drop(k);
        return rc;
    }
    k->review = review;
    k->last = last;
    b->read += k->book.n;
    return OK;
}

/* Up to the look: image by image, unless so many changed that all are read sooner. */
static enum err_code follow(struct review_books *b, struct kept_book *k, struct db *db, int64_t last, struct arena *a, struct err *err)
{
    int64_t *positions;
    size_t n = 0;
    enum err_code rc = label_review_changed(db, k->review, k->last, last, a, &positions, &n, err);
    if (rc == OK && (n > AGAIN_MOST || k->left > k->book.n_labels / 2)) {
        return read_all(b, k, db, k->review, last, err);
    }
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = read_again(b, k, db, positions[i], last, err);
    }
    k->last = last;
    if (rc != OK) {
        drop(k);
    }
    return rc;
}

/* *is: what is kept is as of that look; of the past it is not. */
static enum err_code keep(struct review_books *b, struct db *db, int64_t review, int64_t last, struct kept_book **out, bool *is,
                          struct err *err)
{
    struct kept_book *k = *out = slot_of(b, review);
    struct arena a;
    enum err_code rc = OK;
    k->used_ms = clock_wall_ms();
    if (k->review == 0) {
        rc = read_all(b, k, db, review, last, err);
    } else if (k->last < last) {
        arena_init(&a, MEMORY);
        rc = follow(b, k, db, last, &a, err);
        arena_release(&a);
    }
    *is = rc == OK && k->last == last;
    return rc;
}

static enum err_code look_own(struct db *db, int64_t review, int64_t last, struct review_book *out, struct err *err)
{
    *out = (struct review_book){.kept = NULL};
    enum err_code rc = label_review_book(db, last, -1, &out->own, &out->own_states, err);
    rc = rc == OK ? read_arm(db, review, out->own.n, &out->own_set_class, err) : rc;
    out->book = &out->own;
    out->states = out->own_states;
    out->set_class = out->own_set_class;
    if (rc != OK) {
        review_book_let_go(out);
    }
    return rc;
}

enum err_code review_book_look(struct db *db, int64_t last, struct review_book *out, struct err *err)
{
    const struct live_lent *lent = db_lent(db);
    struct kept_book *k;
    int64_t review, revision;
    bool is = false;
    enum err_code rc = label_review_of(db, last, &review, &revision, err);
    if (rc != OK || !lent) {
        return rc == OK ? look_own(db, review, last, out, err) : rc;
    }
    pthread_mutex_lock(&lent->reviews->lock);
    rc = keep(lent->reviews, db, review, last, &k, &is, err);
    if (is) {
        *out = (struct review_book){.book = &k->book, .states = k->states, .set_class = k->set_class, .read = lent->reviews->read,
                                    .kept = lent->reviews};
        return OK;
    }
    pthread_mutex_unlock(&lent->reviews->lock);
    return rc == OK ? look_own(db, review, last, out, err) : rc;
}

void review_book_let_go(struct review_book *b)
{
    if (b->kept) {
        pthread_mutex_unlock(&b->kept->lock);
    }
    label_book_release(&b->own);
    free(b->own_states);
    free(b->own_set_class);
    *b = (struct review_book){.kept = NULL};
}

enum err_code review_book_copy(struct db *db, int64_t last, struct label_book *out, struct err *err)
{
    struct review_book b;
    *out = (struct label_book){.n = 0};
    enum err_code rc = review_book_look(db, last, &b, err);
    if (rc != OK) {
        return rc;
    }
    if (b.kept) {
        *out = (struct label_book){.images = xmalloc((b.book->n + 1) * sizeof *out->images), .n = b.book->n, .cap = b.book->n + 1,
                                   .labels = xmalloc((b.book->n_labels + 1) * sizeof *out->labels), .n_labels = b.book->n_labels,
                                   .cap_labels = b.book->n_labels + 1};
        memcpy(out->images, b.book->images, b.book->n * sizeof *out->images);
        memcpy(out->labels, b.book->labels, b.book->n_labels * sizeof *out->labels);
    } else {
        *out = b.own;
        b.own = (struct label_book){.n = 0};
    }
    review_book_let_go(&b);
    return OK;
}

enum err_code review_book_covers(struct db *db, int64_t last, int64_t revision, int64_t *has, int64_t *counts, struct err *err)
{
    struct review_book b;
    int64_t review, own;
    *has = *counts = 0;
    enum err_code rc = label_review_of(db, last, &review, &own, err);
    if (rc != OK || own != revision) {
        return rc == OK ? label_review_covers(db, last, revision, has, counts, err) : rc;
    }
    rc = review_book_look(db, last, &b, err);
    if (rc == OK) {
        for (size_t i = 0; i < b.book->n; i++) {
            *counts += !b.book->images[i].partial;
        }
        *has = (int64_t)b.book->n;
        review_book_let_go(&b);
    }
    return rc;
}

enum err_code review_book_labels(struct db *db, int64_t last, int64_t *out, struct err *err)
{
    struct review_book b;
    *out = 0;
    enum err_code rc = review_book_look(db, last, &b, err);
    if (rc == OK) {
        for (size_t i = 0; i < b.book->n; i++) {
            *out += b.book->images[i].n;
        }
        review_book_let_go(&b);
    }
    return rc;
}

enum err_code review_first_open(struct db *db, const struct label_review_row *r, int64_t *out, struct err *err)
{
    struct review_book b;
    *out = 0;
    enum err_code rc = r->last ? review_book_look(db, r->last, &b, err) : OK;
    if (rc != OK || r->last == 0) {
        return rc;
    }
    while ((size_t)*out < b.book->n && b.states[*out].people >= (uint32_t)r->reviewers) {
        ++*out;
    }
    review_book_let_go(&b);
    return OK;
}

enum err_code review_progress_read(struct db *db, const struct label_review_row *r, struct arena *a, struct review_progress *out,
                                   struct err *err)
{
    struct review_book b;
    struct list open = {0};
    *out = (struct review_progress){.done = 0};
    enum err_code rc = r->last ? review_book_look(db, r->last, &b, err) : OK;
    if (rc != OK || r->last == 0) {
        return rc;
    }
    for (size_t i = 0; i < b.book->n; i++) {
        const struct label_image_state *s = &b.states[i];
        bool done = s->people >= (uint32_t)r->reviewers;
        out->done += done;
        out->begun += s->people > 0;
        if (done && (s->disputed || s->problem)) {
            *LIST_ADD(&open, a, struct label_open_item) = (struct label_open_item){(int64_t)i, s->disputed, s->people, s->problem, 0, 0};
        }
    }
    out->open = open.items;
    out->n_open = open.n;
    review_book_let_go(&b);
    return OK;
}
