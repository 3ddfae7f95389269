/* as_of.c - takes newer answers and decisions back from the counters. */
#include "live/as_of.h"

#include <stdlib.h>

#include "base/xalloc.h"

/* What came after the event, per pair; NULL: nothing did. */
struct since {
    int32_t *shown, *selected;
};

static void add_votes(const struct tally *t, const struct ledger_answer *w, int sign,
                      struct since *s)
{
    size_t n;
    const struct tally_grid *g = &tally_grids(t, &n)[w->grid];
    const struct tally_cell *cells = tally_cells(t, &n) + g->first;
    if (!g->counted || w->surplus) {
        return;
    }
    for (unsigned i = 0; i < g->n; i++) {
        s->shown[cells[i].pair] += sign;
        s->selected[cells[i].pair] += (int)(w->mask >> i & 1) * sign;
    }
}

static size_t first_flip_after(const struct ledger *l, int64_t as_of)
{
    size_t at = l->n_flips;
    while (at > 0 && l->flips[at - 1].id > as_of) {
        at--;
    }
    return at;
}

/* An answer that came since counts now unless it is out; a decision since about an earlier answer
 * turned it. */
static void sum_since(const struct tally *t, size_t answers, size_t flips, struct since *s)
{
    const struct ledger *l = tally_ledger(t);
    size_t n_pairs;
    tally_pairs(t, &n_pairs);
    s->shown = xcalloc(n_pairs + 1, sizeof *s->shown); /* pages that nobody touches cost nothing */
    s->selected = xcalloc(n_pairs + 1, sizeof *s->selected);
    for (size_t i = answers; i < l->n; i++) {
        if (!l->answers[i].out) {
            add_votes(t, &l->answers[i], 1, s);
        }
    }
    for (size_t i = flips; i < l->n_flips; i++) {
        if (l->flips[i].answer < answers) {
            add_votes(t, &l->answers[l->flips[i].answer], l->flips[i].out ? -1 : 1, s);
        }
    }
}

static void pass(const struct tally *t, const struct tally_pair *p, const struct since *s,
                 as_of_fn each, void *arg)
{
    size_t n;
    if (!s->shown) {
        each(arg, p);
        return;
    }
    size_t at = (size_t)(p - tally_pairs(t, &n));
    struct tally_pair then = *p;
    then.shown -= (uint32_t)s->shown[at];
    then.selected -= (uint32_t)s->selected[at];
    each(arg, &then);
}

bool as_of_pairs(struct tally *t, int64_t *as_of, int64_t class_id, as_of_fn each, void *arg)
{
    struct tally_totals now;
    struct since since = {0};
    tally_read_lock(t);
    tally_totals(t, &now);
    if (*as_of <= 0 || *as_of > now.cursor) {
        *as_of = now.cursor;
    }
    const struct ledger *l = tally_ledger(t);
    size_t answers = ledger_until(l, *as_of), flips = first_flip_after(l, *as_of), n;
    size_t behind = l->n - answers + l->n_flips - flips;
    if (behind > AS_OF_MOST) {
        tally_read_unlock(t);
        return false;
    }
    if (behind > 0) {
        sum_since(t, answers, flips, &since);
    }
    if (class_id) {
        const struct tally_pair *p = tally_class(t, class_id);
        for (; p; p = tally_at(t, p->next)) {
            pass(t, p, &since, each, arg);
        }
    } else {
        const struct tally_pair *p = tally_pairs(t, &n);
        for (size_t i = 0; i < n; i++) {
            pass(t, &p[i], &since, each, arg);
        }
    }
    tally_read_unlock(t);
    free(since.shown);
    free(since.selected);
    return true;
}
