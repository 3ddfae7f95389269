/* label_reviews.c - rows of label reviews against each other, and what holds of labels against a recount. */
#include <stdlib.h>

#include "check/parts.h"
#include "store/labels/label_flaws.h"
#include "store/labels/label_looks.h"

/* Images and labels of the book in its order beside those that were counted; how many are not the same. */
struct comparison {
    const struct label_book *book;
    const struct label_held *held;
    const struct label_held_image *images;
    size_t n_held, n_images, at_held, at_image;
    int64_t reviewers, wrong;
};

static void compare_image(struct comparison *c, uint32_t position)
{
    const struct label_image *i = &c->book->images[position];
    const struct label_held_image *said = c->at_image < c->n_images && c->images[c->at_image].position == position ? &c->images[c->at_image++] : NULL;
    size_t from = c->at_held;
    while (c->at_held < c->n_held && c->held[c->at_held].position == position) {
        c->at_held++;
    }
    bool same = i->partial == ((said ? said->people : 0) < c->reviewers) && i->problematic == (said && said->problematic) &&
                i->n == c->at_held - from;
    for (uint32_t k = 0; k < i->n && same; k++) {
        const struct label *l = &c->book->labels[i->first + k];
        const struct label_held *h = &c->held[from + k];
        same = l->class_id == (uint32_t)h->class_id && sv_is(h->verdict, label_verdict_word((enum label_verdict)l->verdict));
    }
    c->wrong += !same;
}

static enum err_code check_source(struct check *c, const struct label_review_row *r)
{
    struct label_book book = {.n = 0};
    struct label_held *held;
    struct label_held_image *images;
    struct label_image_state *states = NULL;
    struct comparison k = {.book = &book, .reviewers = r->reviewers};
    enum err_code rc = label_review_book(c->db, r->last, -1, &book, &states, c->err);
    rc = rc == OK ? label_held_list(c->db, r->id, c->arena, &held, &k.n_held, c->err) : rc;
    rc = rc == OK ? label_held_images(c->db, r->id, c->arena, &images, &k.n_images, c->err) : rc;
    if (rc == OK) {
        k.held = held;
        k.images = images;
        for (uint32_t i = 0; i < book.n; i++) {
            compare_image(&k, i);
        }
        k.wrong += k.at_held < k.n_held;
    }
    if (rc == OK && k.wrong) {
        check_found(c, "label review " SV_FMT ": what holds of %lld images is not what its saves say", SV_ARG(r->name), (long long)k.wrong);
    }
    free(states);
    label_book_release(&book);
    return rc;
}

enum err_code check_label_reviews(struct check *c)
{
    struct flaw *flaws;
    struct label_review_row *rows;
    size_t n = 0, n_rows = 0;
    enum err_code rc = label_flaws_list(c->db, c->arena, &flaws, &n, c->err);
    check_flaws(c, "label review", flaws, n);
    rc = rc == OK ? label_reviews_list(c->db, 0, c->arena, &rows, &n_rows, c->err) : rc;
    for (size_t i = 0; i < n_rows && rc == OK; i++) {
        check_progress(c, "checking label reviews", i, n_rows);
        rc = rows[i].looks ? check_source(c, &rows[i]) : OK;
    }
    return rc;
}
