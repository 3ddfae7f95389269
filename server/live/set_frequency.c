/* set_frequency.c - the average selection frequency of a set. Called by web/. */
#include "live/set_frequency.h"

#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "domain/cell_counts.h"
#include "live/walk.h"
#include "stats/cluster.h"

static const double ALPHA = 0.05;

struct pass {
    struct walk w;
    const struct view_ask *ask;
    const struct view_counts *counts;
    bool *in_set;    /* of each pair that was counted */
    uint32_t *k, *n; /* of each person */
};

static int by_image(const void *pa, const void *pb)
{
    const struct revision_image *a = pa, *b = pb;
    return a->image != b->image ? (a->image < b->image ? -1 : 1)
                                : (a->class_id > b->class_id) - (a->class_id < b->class_id);
}

/* Which pairs the set has, and what they say one by one. */
static void mark_pairs(struct pass *p, const struct revision_image *images, size_t n,
                       struct set_frequency *out)
{
    const struct view_counts *v = p->counts;
    struct revision_image *sorted = scratch_alloc(&p->w.scratch, n, sizeof *sorted);
    if (n) {
        memcpy(sorted, images, n * sizeof *sorted);
        qsort(sorted, n, sizeof *sorted, by_image);
    }
    for (size_t i = 0; i < v->n; i++) {
        struct revision_image pair = {v->image[i], v->class_id[i]};
        p->in_set[i] = bsearch(&pair, sorted, n, sizeof *sorted, by_image) != NULL;
        if (!p->in_set[i] || v->shown[i] == 0) {
            continue;
        }
        double f = (double)v->selected[i] / v->shown[i];
        out->least = out->measured == 0 || f < out->least ? f : out->least;
        out->least_answers = out->measured == 0 || v->shown[i] < out->least_answers
                                 ? v->shown[i]
                                 : out->least_answers;
        out->mean += f;
        out->measured++;
    }
    out->mean /= out->measured ? (double)out->measured : 1;
}

/* The cells of a grid that show an image of the set. */
static uint64_t cells_of_set(const struct pass *p, const struct tally_grid *g)
{
    uint64_t cells = 0;
    for (unsigned j = 0; j < g->n; j++) {
        uint32_t pair = p->w.cells[g->first + j].pair;
        cells |= (uint64_t)(pair < p->counts->n && p->in_set[pair]) << j;
    }
    return cells;
}

static bool counts_answer(const struct pass *p, const struct ledger_answer *a)
{
    return !a->surplus && !a->out &&
           !sorted_has_u32(p->counts->dropped, p->counts->n_dropped, a->id);
}

static void add_grid(struct pass *p, size_t i)
{
    const struct tally_grid *g = &p->w.grids[i];
    uint64_t cells = cells_of_set(p, g);
    for (uint32_t k = p->w.grid_from[i]; cells && k < p->w.grid_from[i + 1]; k++) {
        const struct ledger_answer *a = &p->w.ledger.answers[p->w.by_grid[k]];
        if (counts_answer(p, a)) {
            uint32_t who = p->w.who[p->w.by_grid[k]];
            p->n[who] += cells_in(cells);
            p->k[who] += cells_in(cells & a->mask);
        }
    }
}

static void add_people(const struct pass *p, struct set_frequency *out)
{
    struct cluster_sums s = {0};
    for (size_t i = 0; i < p->w.n_people; i++) {
        cluster_add(&s, p->k[i], p->n[i]);
    }
    double t = s.m < 2 ? 0 : student_quantile((double)(s.m - 1), 1 - ALPHA / 2);
    out->shown = s.n;
    out->selected = s.k;
    out->ci = cluster_sums_interval(&s, ALPHA, t);
}

void set_frequency(struct tally *t, const struct view_ask *ask, const struct view_counts *counts,
                   const struct revision_image *images, size_t n, struct set_frequency *out)
{
    struct pass p = {.ask = ask, .counts = counts};
    *out = (struct set_frequency){0};
    walk_take(&p.w, t);
    walk_back(&p.w, counts->cursor);
    walk_sort(&p.w);
    p.in_set = scratch_alloc(&p.w.scratch, counts->n, sizeof *p.in_set);
    p.k = scratch_alloc(&p.w.scratch, p.w.n_people, sizeof *p.k);
    p.n = scratch_alloc(&p.w.scratch, p.w.n_people, sizeof *p.n);
    mark_pairs(&p, images, n, out);
    for (size_t i = 0; i < p.w.n_grids; i++) {
        const struct tally_grid *g = &p.w.grids[i];
        if (!g->excluded && sorted_has_i64(ask->campaigns, ask->n_campaigns, g->campaign)) {
            add_grid(&p, i);
        }
    }
    add_people(&p, out);
    walk_release(&p.w);
}
