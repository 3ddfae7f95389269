/* review_queue.c - labels and verdicts of one image after the other. */
#include "experts/review_queue.h"

#include <stdlib.h>

#include "live/labels/review_books.h"
#include "store/images/images.h"

#define OF(member) RECORD_OF(struct review_queue_row, member)
RECORD(review_queue_record, struct review_queue_row, "review_queue", "What models say of an image of a label review.",
       {"image", OF(image), .about = "The image's name."},
       {"position", OF(position), .about = "Its place in the list, from 0."},
       {"n_unique", OF(unique), .about = "Different labels that models say first."},
       {"queue", OF(queue), .about = "Each as CLASS:MODELS:STATE, with + between them, what most models say first; by class number."});
#undef OF

static int most_models_first(const void *a, const void *b)
{
    const struct label_asked *x = a, *y = b;
    return x->models != y->models ? (x->models < y->models) - (x->models > y->models) : (x->cid > y->cid) - (x->cid < y->cid);
}

static const char *state_of(const struct label_book *book, int64_t position, int64_t class_id)
{
    const struct label_image *image = (size_t)position < book->n ? &book->images[position] : NULL;
    for (uint32_t k = 0; image && k < image->n; k++) {
        if (book->labels[image->first + k].class_id == (uint32_t)class_id) {
            return label_verdict_word((enum label_verdict)book->labels[image->first + k].verdict);
        }
    }
    return "unreviewed";
}

/* `book`: what holds so far. */
static enum err_code fill(struct db *db, const struct label_review_row *r, const struct label_book *book, struct arena *a,
                          struct review_queue_row *row, struct err *err)
{
    struct label_asked *asked;
    size_t n = 0;
    const char *queue = "";
    enum err_code rc = label_review_labels(db, r->id, row->position, false, a, &asked, &n, err);
    if (n) {
        qsort(asked, n, sizeof *asked, most_models_first);
    }
    for (size_t i = 0; i < n && rc == OK && asked[i].models; i++) {
        queue = arena_printf(a, "%s%s%lld:%lld:%s", queue, i ? "+" : "", (long long)asked[i].cid, (long long)asked[i].models,
                             state_of(book, row->position, asked[i].class_id));
        row->unique++;
    }
    row->queue = sv_of(queue);
    return rc;
}

enum err_code review_queue_list(struct db *db, const struct label_review_row *r, struct arena *a,
                                struct review_queue_row **out, size_t *n, struct err *err)
{
    uint32_t *images;
    struct label_book book = {.n = 0};
    enum err_code rc = label_review_images(db, r->id, a, &images, n, err);
    rc = rc == OK && r->last ? review_book_copy(db, r->last, &book, err) : rc;
    *out = arena_calloc(a, *n + 1, sizeof **out);
    for (size_t i = 0; i < *n && rc == OK; i++) {
        struct image_row image;
        rc = images_get(db, images[i], a, &image, err);
        (*out)[i] = (struct review_queue_row){.position = (int64_t)i, .image = image.name};
        rc = rc == OK ? fill(db, r, &book, a, &(*out)[i], err) : rc;
    }
    label_book_release(&book);
    return rc;
}
