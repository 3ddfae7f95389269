/* review_item.c - rows are shuffled by the list's seed, the image and the person. */
#include "experts/review_item.h"

#include "base/hash.h"
#include "base/rng.h"
#include "live/labels/review_books.h"
#include "store/sets/seals.h"

static void shuffle(struct review_item *item, int64_t account)
{
    struct rng r;
    rng_seed(&r, hash_u64((uint64_t)item->review.seed ^ hash_u64((uint64_t)item->position << 20 ^ (uint64_t)account)));
    for (size_t i = item->n; i > 1; i--) {
        size_t k = (size_t)rng_below(&r, i);
        struct review_label was = item->labels[i - 1];
        item->labels[i - 1] = item->labels[k];
        item->labels[k] = was;
    }
}

static void take_own(struct review_item *item, int64_t account, bool again)
{
    for (size_t i = 0; i < item->n_looks; i++) {
        const struct label_look_row *k = &item->looks[i];
        if (k->account == account && sv_is(k->part, "review")) {
            item->saved = true;
            item->look = k->id;
            item->problematic = again ? SV("") : k->problematic;
            item->comment = again ? SV("") : k->comment;
        }
    }
}

static bool is_review(const struct review_item *item, int64_t look)
{
    for (size_t i = 0; i < item->n_looks; i++) {
        if (item->looks[i].id == look) {
            return sv_is(item->looks[i].part, "review");
        }
    }
    return false;
}

/* The newest words of the account about a label. */
static unsigned char own_verdict(const struct review_item *item, int64_t account, int64_t class_id)
{
    unsigned char own = LABEL_UNREVIEWED;
    for (size_t i = 0; i < item->n_said; i++) {
        const struct look_said *s = &item->said[i];
        own = s->account == account && s->class_id == class_id && is_review(item, s->look) ? (unsigned char)s->verdict : own;
    }
    return own;
}

static enum err_code read_seal(struct db *db, struct review_item *item, struct arena *a, struct err *err)
{
    struct sv by = SV("");
    enum err_code rc = seals_of_image(db, item->image, a, &by, err);
    item->sealed = by.n > 0;
    item->shows = rc == OK && item->saved && !item->sealed;
    return rc;
}

enum err_code review_item_read(struct db *db, const struct label_review_row *r, int64_t position, int64_t account, bool again,
                               struct arena *a, struct review_item *out, struct err *err)
{
    struct label_asked *asked;
    double p;
    int64_t suggested = 0;
    *out = (struct review_item){.review = *r, .position = position, .problematic = SV(""), .comment = SV("")};
    enum err_code rc = label_review_image(db, r->id, position, &out->image, &p, err);
    rc = rc == OK ? label_review_labels(db, r->id, position, true, a, &asked, &out->n, err) : rc;
    rc = rc == OK ? label_looks_list(db, r->id, position, a, &out->looks, &out->n_looks, err) : rc;
    rc = rc == OK ? label_looks_said(db, r->id, position, a, &out->said, &out->n_said, err) : rc;
    rc = rc == OK ? label_stands_list(db, r->id, position, a, &out->stands, &out->n_stands, err) : rc;
    rc = rc == OK && r->suggests ? label_suggestion_shown(db, r->id, position, &suggested, err) : rc;
    if (rc != OK) {
        return rc;
    }
    take_own(out, account, again);
    out->labels = arena_calloc(a, out->n + 1, sizeof *out->labels);
    for (size_t i = 0; i < out->n; i++) {
        out->labels[i] = (struct review_label){asked[i], again ? LABEL_UNREVIEWED : own_verdict(out, account, asked[i].class_id),
                                               asked[i].origins == ORIGIN_ADDED,
                                               suggested && asked[i].class_id == suggested};
    }
    shuffle(out, account);
    return read_seal(db, out, a, err);
}

const struct label_asked *review_item_said(const struct review_item *item, size_t i, int64_t look)
{
    size_t k = 0;
    while (k < item->n && item->labels[k].asked.class_id != item->said[i].class_id) {
        k++;
    }
    return item->said[i].look == look && k < item->n ? &item->labels[k].asked : NULL;
}

enum err_code review_item_repeats(struct db *db, const struct label_review_row *r, int64_t position, int64_t account, bool *out,
                                  struct err *err)
{
    struct label_next next;
    enum err_code rc = label_review_next(db, r, account, -1, &next, err);
    *out = next.repeat && next.position == position;
    return rc;
}

enum err_code review_next(struct db *db, const struct label_review_row *r, int64_t account, struct label_next *out, struct err *err)
{
    int64_t open;
    enum err_code rc = review_first_open(db, r, &open, err);
    return rc == OK ? label_review_next(db, r, account, open, out, err) : rc;
}

enum err_code review_ahead(struct db *db, const struct label_review_row *r, int64_t account, int64_t position, int64_t *out,
                           struct err *err)
{
    int64_t open;
    enum err_code rc = review_first_open(db, r, &open, err);
    return rc == OK ? label_review_ahead(db, r, account, position, open, out, err) : rc;
}
