/* review_images.c - what holds of each image beside the label of its set. */
#include "experts/review_images.h"

#include "base/map.h"
#include "base/sorted.h"
#include "live/labels/review_books.h"
#include "store/classes/classes.h"
#include "store/images/images.h"

#define OF(member) RECORD_OF(struct review_image, member)
RECORD(review_image_record, struct review_image, "label_review_image", "An image of a label review.",
       {"position", OF(position), .about = "Its place in the list, from 0."}, {"image", OF(image), .about = "Its name."},
       {"wnid", OF(wnid), .about = "The label that the set gives it."}, {"synset", OF(synset), .about = "Its words, joined by |."},
       {"state", OF(state_word), .about = "open (fewer people than should have reviewed it), dispute, problematic or done."},
       {"people", OF(people), .about = "People who reviewed it."}, {"disputed", OF(disputed), .about = "Labels about which they disagree."});
#undef OF

#define OF(member) RECORD_OF(struct review_image_class, member)
RECORD(review_image_class_record, struct review_image_class, "label_review_class", "The images of a label review to which the set gives one label.",
       {"wnid", OF(wnid), .about = "The class."}, {"synset", OF(synset), .about = "Its words, joined by |."},
       {"images", OF(images), .about = "Images."}, {"open", OF(states[REVIEW_IMAGE_OPEN]), .about = "Of these, fewer people than should have reviewed."},
       {"dispute", OF(states[REVIEW_IMAGE_DISPUTED]), .about = "Reviewers disagree about."},
       {"problematic", OF(states[REVIEW_IMAGE_PROBLEMATIC]), .about = "No label can be right of."},
       {"done", OF(states[REVIEW_IMAGE_DONE]), .about = "Are reviewed."});
#undef OF

static const char *const states[REVIEW_IMAGE_STATES] = {"open", "dispute", "problematic", "done"};

const char *review_image_state_word(enum review_image_state s)
{
    return states[s];
}

enum err_code review_image_state_find(struct sv word, enum review_image_state *out, struct err *err)
{
    int i = 0;
    while (i < REVIEW_IMAGE_STATES && word.n && !sv_is(word, states[i])) {
        i++;
    }
    *out = word.n ? (enum review_image_state)i : REVIEW_IMAGE_STATES;
    return word.n == 0 || i < REVIEW_IMAGE_STATES
               ? OK
               : err_rule(err, ERR_INPUT, "label-review-state", "Unknown state " SV_FMT ". Choose one of: open, dispute, problematic, done.", SV_ARG(word));
}

/* ---- how far each is ---- */

static enum review_image_state state_of(const struct label_review_row *r, const struct label_image_state *s, const struct label_image *i)
{
    return s->people < (uint32_t)r->reviewers ? REVIEW_IMAGE_OPEN
           : s->disputed || s->problem        ? REVIEW_IMAGE_DISPUTED
           : i->problematic                   ? REVIEW_IMAGE_PROBLEMATIC
                                              : REVIEW_IMAGE_DONE;
}

/* By position; what nobody has looked at is open. */
static enum err_code read_states(struct db *db, const struct label_review_row *r, struct review_image *all, size_t n, struct err *err)
{
    struct review_book b;
    enum err_code rc = r->last ? review_book_look(db, r->last, &b, err) : OK;
    if (rc != OK || r->last == 0) {
        return rc;
    }
    for (size_t i = 0; i < n && i < b.book->n; i++) {
        all[i].people = b.states[i].people;
        all[i].disputed = b.states[i].disputed;
        all[i].state = state_of(r, &b.states[i], &b.book->images[i]);
    }
    review_book_let_go(&b);
    return OK;
}

/* ---- their classes ---- */

struct reading {
    struct review_image *all; /* by position */
    size_t n;
    struct class_info *classes;
    struct map_u64 of; /* class id -> index */
};

static enum err_code read_all(struct db *db, const struct label_review_row *r, struct arena *a, struct reading *out, struct err *err)
{
    uint32_t *images;
    struct label_arm *labels;
    size_t n_classes = 0, n_labels = 0;
    enum err_code rc = label_review_images(db, r->id, a, &images, &out->n, err);
    rc = rc == OK ? label_review_set_labels(db, r->id, a, &labels, &n_labels, err) : rc;
    rc = rc == OK ? classes_list(db, a, &out->classes, &n_classes, err) : rc;
    if (rc != OK) {
        return rc;
    }
    for (size_t i = 0; i < n_classes; i++) {
        map_u64_put(&out->of, (uint64_t)out->classes[i].id, (uint32_t)i);
    }
    out->all = arena_calloc(a, out->n + 1, sizeof *out->all);
    for (size_t i = 0; i < out->n; i++) {
        out->all[i] = (struct review_image){.position = (int64_t)i, .id = images[i], .cid = -1};
    }
    for (size_t i = 0; i < n_labels; i++) {
        const uint32_t k = map_u64_get(&out->of, labels[i].class_id);
        struct review_image *row = labels[i].position < out->n ? &out->all[labels[i].position] : NULL;
        if (row && k != MAP_NONE) {
            row->wnid = out->classes[k].wnid;
            row->synset = out->classes[k].synset;
            row->cid = out->classes[k].cid;
        }
    }
    rc = read_states(db, r, out->all, out->n, err);
    for (size_t i = 0; i < out->n; i++) {
        out->all[i].state_word = states[out->all[i].state];
    }
    return rc;
}

/* Places of the images by class number, of one class in the order of the list. */
static struct sorted_key *by_class(const struct reading *all, bool falling, struct arena *a)
{
    struct sorted_key *keys = arena_alloc(a, (all->n + 1) * sizeof *keys);
    for (size_t i = 0; i < all->n; i++) {
        keys[i] = (struct sorted_key){(double)all->all[i].cid, i};
    }
    sorted_keys(keys, all->n, falling);
    return keys;
}

static void count_classes(const struct reading *all, struct arena *a, struct review_images *out)
{
    const struct sorted_key *keys = by_class(all, false, a);
    out->classes = arena_calloc(a, all->n + 1, sizeof *out->classes);
    for (size_t i = 0; i < all->n; i++) {
        const struct review_image *row = &all->all[keys[i].at];
        struct review_image_class *last = out->n_classes ? &out->classes[out->n_classes - 1] : NULL;
        if (!last || !sv_eq(last->wnid, row->wnid)) {
            last = &out->classes[out->n_classes++];
            *last = (struct review_image_class){.wnid = row->wnid, .synset = row->synset, .cid = row->cid};
        }
        last->images++;
        last->states[row->state]++;
    }
}

static void choose(const struct reading *all, const struct review_images_ask *ask, struct arena *a, struct review_images *out)
{
    const struct sorted_key *keys = ask->by_class ? by_class(all, ask->falling, a) : NULL;
    out->rows = arena_alloc(a, (all->n + 1) * sizeof *out->rows);
    for (size_t i = 0; i < all->n; i++) {
        const struct review_image *row = &all->all[keys ? keys[i].at : ask->falling ? all->n - 1 - i : i];
        if (ask->wnid.n && !sv_eq(ask->wnid, row->wnid)) {
            continue;
        }
        out->states[row->state]++;
        if (ask->state == REVIEW_IMAGE_STATES || ask->state == row->state) {
            out->rows[out->n++] = *row;
        }
    }
}

enum err_code review_images_read(struct db *db, const struct label_review_row *r, const struct review_images_ask *ask, struct arena *a,
                                 struct review_images *out, struct err *err)
{
    struct reading all = {.n = 0};
    struct class_info k;
    *out = (struct review_images){.n = 0};
    map_u64_init(&all.of);
    enum err_code rc = ask->wnid.n ? classes_find(db, ask->wnid, a, &k, err) : OK;
    rc = rc == OK ? read_all(db, r, a, &all, err) : rc;
    if (rc == OK) {
        count_classes(&all, a, out);
        choose(&all, ask, a, out);
    }
    map_u64_release(&all.of);
    return rc;
}

enum err_code review_images_name(struct db *db, struct review_image *rows, size_t n, struct arena *a, struct err *err)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct image_row image;
        rc = images_get(db, rows[i].id, a, &image, err);
        rows[i].image = rc == OK ? image.name : SV("");
    }
    return rc;
}
