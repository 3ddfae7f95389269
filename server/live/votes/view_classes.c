/* view_classes.c - classes under a named view: pairs from its counts, intervals from the ledger. */
#include "live/votes/view_classes.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/sorted.h"
#include "base/xalloc.h"
#include "domain/votes/histogram.h"
#include "stats/cluster.h"

enum { ROLES = 4 };
static const double ALPHA = 0.05;

void view_class_add(struct stats_class *k, const struct tally_pair *p, uint32_t shown,
                    uint32_t selected)
{
    unsigned role = p->role;
    if (!tally_of_class(p, shown)) {
        return;
    }
    k->images[role]++;
    k->shown[role] += shown;
    k->selected[role] += tally_right(p, shown, selected);
    if (shown < STATS_LEAST_ANSWERS) {
        return;
    }
    unsigned bin = histogram_bin(selected, shown);
    if (role == CELL_POSITIVE) {
        k->covered++;
        k->originals[bin]++;
    } else if (role == CELL_CANDIDATE) {
        k->candidates[bin]++;
    }
}

/* ---- which answers ---- */

/* One answer of the view; the array is sorted by class, then person. */
struct vote_of {
    uint32_t class_id, person;
    uint32_t answer;          /* index into the ledger */
    uint32_t k[ROLES], n[ROLES];
    bool out;
};
struct votes_of {
    struct vote_of *list;
    size_t n, cap;
};

/* A grid's cells by the role of their pair, looked up when its first answer is met. */
struct grid_roles {
    uint64_t cells[ROLES], other; /* other: see struct walk_grid */
    bool known;
};

static void look_up(const struct tally *t, const struct tally_grid *g, struct grid_roles *r)
{
    size_t n;
    const struct tally_cell *cells = tally_cells(t, &n) + g->first;
    const struct tally_pair *pairs = tally_pairs(t, &n);
    for (unsigned i = 0; i < g->n; i++) {
        r->cells[pairs[cells[i].pair].role] |= (uint64_t)1 << i;
        r->other |= (uint64_t)pairs[cells[i].pair].other << i;
    }
    r->known = true;
}

/* Answers that the view's filters let through; whether they were out at its end comes later. */
static void collect(const struct tally *t, const struct view_ask *ask,
                    const struct view_counts *counts, int64_t class_id, struct votes_of *to)
{
    const struct ledger *l = tally_ledger(t);
    size_t n;
    const struct tally_grid *grids = tally_grids(t, &n);
    struct grid_roles *roles = xcalloc(n + 1, sizeof *roles);
    for (size_t i = 0, end = ledger_until(l, counts->cursor); i < end; i++) {
        const struct ledger_answer *a = &l->answers[i];
        const struct tally_grid *g = &grids[a->grid];
        if (a->surplus || !view_has_grid(ask, g) || (class_id && g->class != class_id) ||
            sorted_has_u32(counts->dropped, counts->n_dropped, a->id)) {
            continue;
        }
        xgrow(&to->list, &to->cap, to->n + 1, sizeof *to->list);
        struct vote_of *v = &to->list[to->n++];
        *v = (struct vote_of){g->class, a->person, (uint32_t)i, {0}, {0}, a->out};
        if (!roles[a->grid].known) {
            look_up(t, g, &roles[a->grid]);
        }
        for (int r = 0; r < ROLES; r++) {
            v->n[r] = (unsigned)__builtin_popcountll(roles[a->grid].cells[r]);
            v->k[r] = (unsigned)__builtin_popcountll(roles[a->grid].cells[r] &
                                                     (a->mask ^ roles[a->grid].other));
        }
    }
    free(roles);
}

/* Decisions after the view's end are taken back, the newest first. */
static void take_back(const struct ledger *l, int64_t as_of, struct votes_of *votes)
{
    for (size_t i = l->n_flips; i > 0 && l->flips[i - 1].id > as_of; i--) {
        const struct ledger_flip *f = &l->flips[i - 1];
        size_t at = sorted_u32(votes->list, votes->n, sizeof *votes->list,
                               offsetof(struct vote_of, answer), f->answer);
        if (at < votes->n && votes->list[at].answer == f->answer) {
            votes->list[at].out = !f->out;
        }
    }
}

/* ---- intervals ---- */

static int by_class_and_person(const void *a, const void *b)
{
    const struct vote_of *x = a, *y = b;
    return x->class_id != y->class_id ? (x->class_id > y->class_id) - (x->class_id < y->class_id)
           : x->person != y->person   ? (x->person > y->person) - (x->person < y->person)
                                      : (x->answer > y->answer) - (x->answer < y->answer);
}

static double quantile(uint64_t workers)
{
    return workers < 2 ? 0 : student_quantile((double)(workers - 1), 1 - ALPHA / 2);
}

/* The votes of one class, person by person. */
static void set_intervals(const struct vote_of *v, size_t n, struct stats_class *k)
{
    struct cluster_sums sums[ROLES] = {{0}};
    struct cluster_pair pair = {.m = 0};
    for (size_t i = 0; i < n;) {
        uint32_t hits[ROLES] = {0}, all[ROLES] = {0}, person = v[i].person;
        for (; i < n && v[i].person == person; i++) {
            for (int r = 0; r < ROLES && !v[i].out; r++) {
                hits[r] += v[i].k[r];
                all[r] += v[i].n[r];
            }
        }
        for (int r = 0; r < ROLES; r++) {
            cluster_add(&sums[r], hits[r], all[r]);
        }
        cluster_pair_add(&pair, hits[CELL_POSITIVE], all[CELL_POSITIVE], hits[CELL_CANDIDATE],
                         all[CELL_CANDIDATE]);
    }
    for (int r = 0; r < ROLES; r++) {
        k->ci[r] = cluster_sums_interval(&sums[r], ALPHA, quantile(sums[r].m));
    }
    k->difference = cluster_pair_interval(&pair, k->ci[CELL_POSITIVE], k->ci[CELL_CANDIDATE],
                                          quantile(pair.m));
}

static void find_intervals(struct votes_of *votes, struct stats_class *list, size_t n)
{
    if (votes->n) {
        qsort(votes->list, votes->n, sizeof *votes->list, by_class_and_person);
    }
    size_t from = 0;
    for (size_t i = 0; i < n; i++) {
        size_t to = from;
        while (to < votes->n && votes->list[to].class_id == list[i].class_id) {
            to++;
        }
        set_intervals(votes->list + from, to - from, &list[i]);
        from = to;
    }
}

/* ---- sums ---- */

static int by_class(const void *a, const void *b)
{
    const struct stats_class *x = a, *y = b;
    return (x->class_id > y->class_id) - (x->class_id < y->class_id);
}

static void sum_pairs(const struct tally *t, const struct view_counts *c, int64_t class_id,
                      struct stats_class **out, size_t *n)
{
    struct map_u64 at;
    size_t cap = 0, n_pairs;
    const struct tally_pair *pairs = tally_pairs(t, &n_pairs); /* only ever more, or as before */
    *n = 0;
    map_u64_init(&at);
    xgrow(out, &cap, 1, sizeof **out);
    for (size_t i = 0; i < c->n; i++) {
        if (i >= n_pairs || (class_id && c->class_id[i] != class_id)) {
            continue;
        }
        uint32_t k = map_u64_put(&at, c->class_id[i], (uint32_t)*n);
        if (k == *n) {
            xgrow(out, &cap, *n + 1, sizeof **out);
            (*out)[(*n)++] = (struct stats_class){.class_id = c->class_id[i]};
        }
        view_class_add(&(*out)[k], &pairs[i], c->shown[i], c->selected[i]);
    }
    map_u64_release(&at);
    qsort(*out, *n, sizeof **out, by_class);
}

void view_classes(struct tally *t, const struct view_ask *ask, const struct view_counts *counts,
                  int64_t class_id, struct stats_class **out, size_t *n)
{
    struct votes_of votes = {0};
    *out = NULL;
    tally_read_lock(t);
    sum_pairs(t, counts, class_id, out, n);
    collect(t, ask, counts, class_id, &votes);
    take_back(tally_ledger(t), counts->cursor, &votes);
    tally_read_unlock(t);
    find_intervals(&votes, *out, *n);
    free(votes.list);
}
