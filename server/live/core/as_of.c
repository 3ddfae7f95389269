/* as_of.c - takes newer answers and decisions back from the counters. */
#include "live/core/as_of.h"

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
    if (!tally_grid_counted(g) || w->surplus) {
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

/* Whether a grid was excluded or counted again since. Under the lock. */
static bool excluded_since(const struct tally *t, int64_t as_of)
{
    size_t n;
    const struct tally_exclusion *x = tally_exclusions(t, &n);
    return n > 0 && x[n - 1].id > as_of;
}

/* An answer that came since counts now unless it is out; a decision since about an earlier answer
 * turned it. False: too much happened, for an excluded grid may have any number of answers. Under
 * the lock. */
static bool sum_since(const struct tally *t, int64_t as_of, struct since *s)
{
    const struct ledger *l = tally_ledger(t);
    size_t answers = ledger_until(l, as_of), flips = first_flip_after(l, as_of), n_pairs;
    size_t behind = l->n - answers + l->n_flips - flips;
    *s = (struct since){NULL, NULL};
    if (excluded_since(t, as_of)) {
        return false;
    }
    if (behind == 0 || behind > AS_OF_MOST) {
        return behind == 0;
    }
    tally_pairs(t, &n_pairs);
    s->shown = xcalloc(n_pairs + 1, sizeof *s->shown); /* memory that nobody touches costs nothing */
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
    return true;
}

static void since_release(struct since *s)
{
    free(s->shown);
    free(s->selected);
}

static struct tally_pair as_it_was(const struct tally_pair *p, size_t at, const struct since *s)
{
    struct tally_pair then = *p;
    if (s->shown) {
        then.shown -= (uint32_t)s->shown[at];
        then.selected -= (uint32_t)s->selected[at];
    }
    return then;
}

/* Pairs from .. to - 1 as they were; `room` has space for them. */
static void pass_batch(const struct tally_pair *all, size_t from, size_t to, const struct since *s,
                       struct tally_pair *room, as_of_fn each, void *arg)
{
    if (!s->shown) {
        each(arg, all + from, to - from);
        return;
    }
    for (size_t i = from; i < to; i++) {
        room[i - from] = as_it_was(&all[i], i, s);
    }
    each(arg, room, to - from);
}

static bool pass_all(struct tally *t, int64_t as_of, as_of_fn each, void *arg)
{
    struct tally_pair *room = xmalloc(AS_OF_BATCH * sizeof *room);
    bool good = true, more = true;
    for (size_t from = 0; good && more; from += AS_OF_BATCH) {
        struct since since;
        size_t n;
        tally_read_lock(t);
        const struct tally_pair *all = tally_pairs(t, &n);
        good = sum_since(t, as_of, &since);
        more = n > from + AS_OF_BATCH;
        if (good && n > from) {
            pass_batch(all, from, more ? from + AS_OF_BATCH : n, &since, room, each, arg);
        }
        tally_read_unlock(t);
        since_release(&since);
    }
    free(room);
    return good;
}

static bool pass_class(struct tally *t, int64_t as_of, int64_t class_id, as_of_fn each, void *arg)
{
    enum { ROOM = 256 };
    struct tally_pair room[ROOM];
    struct since since;
    size_t n = 0, n_all;
    tally_read_lock(t);
    const struct tally_pair *all = tally_pairs(t, &n_all), *p = tally_class(t, class_id);
    bool good = sum_since(t, as_of, &since);
    for (; good && p; p = tally_at(t, p->next)) {
        room[n++] = as_it_was(p, (size_t)(p - all), &since);
        if (n == ROOM) {
            each(arg, room, n);
            n = 0;
        }
    }
    if (good && n) {
        each(arg, room, n);
    }
    tally_read_unlock(t);
    since_release(&since);
    return good;
}

/* Under the lock. */
static int64_t event_of(const struct tally *t, int64_t as_of)
{
    struct tally_totals now;
    tally_totals(t, &now);
    return as_of <= 0 || as_of > now.cursor ? now.cursor : as_of;
}

bool as_of_find(struct tally *t, int64_t *as_of, struct tally_pair *pairs, size_t n)
{
    struct since since;
    size_t n_all;
    tally_read_lock(t);
    const struct tally_pair *all = tally_pairs(t, &n_all);
    *as_of = event_of(t, *as_of);
    bool good = sum_since(t, *as_of, &since);
    for (size_t i = 0; good && i < n; i++) {
        const struct tally_pair *p = tally_find(t, pairs[i].image, pairs[i].class);
        pairs[i].shown = pairs[i].selected = 0;
        pairs[i] = p ? as_it_was(p, (size_t)(p - all), &since) : pairs[i];
    }
    tally_read_unlock(t);
    since_release(&since);
    return good;
}

bool as_of_pairs(struct tally *t, int64_t *as_of, int64_t class_id, as_of_fn each, void *arg)
{
    tally_read_lock(t);
    *as_of = event_of(t, *as_of);
    tally_read_unlock(t);
    return class_id ? pass_class(t, *as_of, class_id, each, arg) : pass_all(t, *as_of, each, arg);
}

bool as_of_news(struct tally *t, int64_t as_of)
{
    tally_read_lock(t);
    const struct ledger *l = tally_ledger(t);
    bool news = ledger_until(l, as_of) < l->n ||
                (l->n_flips && l->flips[l->n_flips - 1].id > as_of) || excluded_since(t, as_of);
    tally_read_unlock(t);
    return news;
}
