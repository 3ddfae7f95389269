/* view_votes.c - a pass over the answers of a view. */
#include "live/votes/view_votes.h"

#include "base/sorted.h"
#include "live/core/walk.h"

enum { COPIED_AT_ONCE = 1 << 18 /* images, under the lock */ };

/* A pair keeps its number, so its image may be looked up after the rest was copied. */
static enum err_code copy_images(struct tally *t, struct walk *w, uint32_t **out, struct err *err)
{
    uint32_t *image = scratch_alloc(&w->scratch, w->n_pairs, sizeof *image);
    for (size_t at = 0; at < w->n_pairs; at += COPIED_AT_ONCE) {
        size_t end = w->n_pairs - at < COPIED_AT_ONCE ? w->n_pairs : at + COPIED_AT_ONCE, n;
        tally_read_lock(t);
        const struct tally_pair *pairs = tally_pairs(t, &n);
        for (size_t i = at; i < end && end <= n; i++) {
            image[i] = pairs[i].image;
        }
        tally_read_unlock(t);
        if (end > n) {
            return err_rule(err, ERR_BUSY, "counters-rebuilt",
                            "The counters are being rebuilt. Try again in a moment.");
        }
    }
    *out = image;
    return OK;
}

static void tell_answer(const struct walk *w, const uint32_t *image, const struct tally_grid *g,
                        const struct ledger_answer *a, view_vote_fn each, void *arg)
{
    for (unsigned j = 0; j < g->n; j++) {
        const struct view_vote v = {image[w->cells[g->first + j].pair], g->class, a->person,
                                    a->mask >> j & 1};
        each(arg, &v);
    }
}

/* Which answers the filters leave out: only a count of the whole view says that. */
static enum err_code find_dropped(struct tally *t, const struct view_ask *ask,
                                  struct view_counts *out, struct err *err)
{
    *out = (struct view_counts){0};
    return ask->rules.n ? view_count(t, ask, out, err) : OK;
}

enum err_code view_votes(struct tally *t, const struct view_ask *ask, view_vote_fn each, void *arg,
                         struct err *err)
{
    struct view_counts counts;
    struct walk w;
    uint32_t *image = NULL;
    enum err_code rc = find_dropped(t, ask, &counts, err);
    if (rc != OK) {
        return rc;
    }
    walk_take(&w, t);
    int64_t as_of =
        ask->rules.n ? counts.cursor : ask->as_of; /* answers that came in between are in neither */
    if (as_of > 0) {
        walk_back(&w, as_of);
    }
    rc = copy_images(t, &w, &image, err);
    for (size_t i = 0; i < w.ledger.n && rc == OK; i++) {
        const struct ledger_answer *a = &w.ledger.answers[i];
        const struct tally_grid *g = &w.grids[a->grid];
        if (!a->surplus && !a->out && view_has_grid(ask, g) &&
            !sorted_has_u32(counts.dropped, counts.n_dropped, a->id)) {
            tell_answer(&w, image, g, a, each, arg);
        }
    }
    walk_release(&w);
    view_counts_release(&counts);
    return rc;
}
