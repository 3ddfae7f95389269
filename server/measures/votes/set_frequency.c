/* set_frequency.c - the average selection frequency of sets. */
#include "measures/votes/set_frequency.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/sorted.h"
#include "live/core/walk.h"
#include "stats/cluster.h"
#include "stats/jackknife.h"

static const double ALPHA = 0.05;
static const double ALIKE = 1e-18; /* a variance that is rounding alone */

/* A vote about an image of a set: who gave it, and whether it selected. */
struct ballot {
    uint32_t who : 31, selected : 1;
};

struct pass {
    struct walk w;
    const struct view_ask *ask;
    const struct view_counts *counts;
    struct map_u64 slots;   /* image and class, of any set -> a number */
    uint32_t *slot_of;      /* of each pair that was counted; MAP_NONE: of no set */
    size_t *from;           /* ballots of slot s: from[s] to from[s + 1] - 1 */
    struct ballot *ballots;
};

/* ---- ballots by image ---- */

static uint64_t key_of(uint32_t image, uint32_t class_id)
{
    return (uint64_t)class_id << 32 | image;
}

static void find_slots(struct pass *p, const struct set_members *sets, size_t n)
{
    const struct view_counts *v = p->counts;
    for (size_t s = 0; s < n; s++) {
        for (size_t i = 0; i < sets[s].n; i++) {
            const struct revision_image *m = &sets[s].images[i];
            map_u64_put(&p->slots, key_of(m->image, m->class_id), (uint32_t)p->slots.n);
        }
    }
    p->slot_of = scratch_alloc(&p->w.scratch, v->n, sizeof *p->slot_of);
    for (size_t i = 0; i < v->n; i++) {
        p->slot_of[i] = map_u64_get(&p->slots, key_of(v->image[i], v->class_id[i]));
    }
}

static bool counts_answer(const struct pass *p, const struct ledger_answer *a)
{
    return !a->surplus && !a->out &&
           !sorted_has_u32(p->counts->dropped, p->counts->n_dropped, a->id);
}

static uint32_t slot_at(const struct pass *p, const struct tally_grid *g, unsigned j)
{
    uint32_t pair = p->w.cells[g->first + j].pair;
    return pair < p->counts->n ? p->slot_of[pair] : MAP_NONE;
}

/* The cells of a grid that show an image of any set. */
static uint64_t cells_of_sets(const struct pass *p, const struct tally_grid *g)
{
    uint64_t cells = 0;
    for (unsigned j = 0; j < g->n; j++) {
        cells |= (uint64_t)(slot_at(p, g, j) != MAP_NONE) << j;
    }
    return cells;
}

/* Counts the ballots of each slot into next[slot], or with `fill` puts them at next[slot]. */
static void walk_ballots(struct pass *p, size_t *next, bool fill)
{
    for (size_t i = 0; i < p->w.n_grids; i++) {
        const struct tally_grid *g = &p->w.grids[i];
        uint64_t cells = view_has_grid(p->ask, g) ? cells_of_sets(p, g) : 0;
        for (uint32_t k = p->w.grid_from[i]; cells && k < p->w.grid_from[i + 1]; k++) {
            const struct ledger_answer *a = &p->w.ledger.answers[p->w.by_grid[k]];
            for (uint64_t rest = counts_answer(p, a) ? cells : 0; rest; rest &= rest - 1) {
                unsigned j = (unsigned)__builtin_ctzll(rest);
                size_t at = next[slot_at(p, g, j)]++;
                if (fill) {
                    p->ballots[at] =
                        (struct ballot){.who = p->w.who[p->w.by_grid[k]] & INT32_MAX,
                                        .selected = a->mask >> j & 1};
                }
            }
        }
    }
}

static void take_ballots(struct pass *p)
{
    size_t n = p->slots.n;
    size_t *next = scratch_alloc(&p->w.scratch, n + 1, sizeof *next);
    p->from = scratch_alloc(&p->w.scratch, n + 1, sizeof *p->from);
    memset(next, 0, (n + 1) * sizeof *next);
    walk_ballots(p, next, false);
    p->from[0] = 0;
    for (size_t s = 0; s < n; s++) {
        p->from[s + 1] = p->from[s] + next[s];
        next[s] = p->from[s];
    }
    p->ballots = scratch_alloc(&p->w.scratch, p->from[n] + 1, sizeof *p->ballots);
    walk_ballots(p, next, true);
}

/* ---- one set ---- */

struct group {
    uint32_t n, k;  /* of the image that is looked at */
    double change;  /* of the sum of frequencies without the group */
    size_t lost;    /* images that only it voted on */
    bool voted;
};
struct summing {
    const struct pass *p;
    struct set_frequency *out;
    double sum;
    struct group groups[SET_GROUPS];
    uint32_t *k, *n; /* of each person */
};

/* What the mean loses and gains without each group that voted on the image; leaves the groups' own counts at 0. */
static void add_changes(struct summing *s, const struct ballot *b, size_t n, uint32_t selected)
{
    double f = (double)selected / (double)n;
    for (size_t i = 0; i < n; i++) {
        struct group *g = &s->groups[b[i].who % SET_GROUPS];
        g->n++;
        g->k += b[i].selected;
        g->voted = true;
    }
    for (size_t i = 0; i < n; i++) {
        struct group *g = &s->groups[b[i].who % SET_GROUPS];
        if (g->n == n) {
            g->change -= f;
            g->lost++;
        } else if (g->n) {
            g->change += (double)(selected - g->k) / (double)(n - g->n) - f;
        }
        g->n = g->k = 0;
    }
}

static void add_image(struct summing *s, const struct ballot *b, size_t n)
{
    struct set_frequency *out = s->out;
    uint32_t selected = 0;
    for (size_t i = 0; i < n; i++) {
        selected += b[i].selected;
        s->n[b[i].who]++;
        s->k[b[i].who] += b[i].selected;
    }
    double f = (double)selected / (double)n;
    out->least = out->measured == 0 || f < out->least ? f : out->least;
    out->least_answers =
        out->measured == 0 || n < out->least_answers ? (uint32_t)n : out->least_answers;
    out->shown += n;
    out->selected += selected;
    out->measured++;
    s->sum += f;
    add_changes(s, b, n, selected);
}

static struct interval clustered(const struct summing *s)
{
    struct cluster_sums c = {0};
    for (size_t i = 0; i < s->p->w.n_people; i++) {
        cluster_add(&c, s->k[i], s->n[i]);
    }
    double t = c.m < 2 ? 0 : student_quantile((double)(c.m - 1), 1 - ALPHA / 2);
    return cluster_sums_interval(&c, ALPHA, t);
}

static void make_interval(struct summing *s)
{
    struct set_frequency *out = s->out;
    double without[SET_GROUPS], variance;
    unsigned left = 0;
    for (int g = 0; g < SET_GROUPS; g++) {
        const struct group *k = &s->groups[g];
        out->groups += k->voted;
        if (k->voted && k->lost < out->measured) {
            without[left++] = (s->sum + k->change) / (double)(out->measured - k->lost);
        }
    }
    variance = jackknife_variance(without, left);
    if (left < 2 || variance < ALIKE) {
        out->ci = clustered(s);
        out->ci.lo = out->measured && out->mean < out->ci.lo ? out->mean : out->ci.lo;
        out->ci.hi = out->measured && out->mean > out->ci.hi ? out->mean : out->ci.hi;
        return;
    }
    out->jackknife = true;
    out->ci = jackknife_interval(out->mean, variance, left, ALPHA);
    out->ci.lo = out->ci.lo < 0 ? 0 : out->ci.lo;
    out->ci.hi = out->ci.hi > 1 ? 1 : out->ci.hi;
}

static void sum_set(const struct pass *p, const struct set_members *set, struct summing *s,
                    struct set_frequency *out)
{
    *s = (struct summing){.p = p, .out = out, .k = s->k, .n = s->n};
    *out = (struct set_frequency){0};
    memset(s->k, 0, p->w.n_people * sizeof *s->k);
    memset(s->n, 0, p->w.n_people * sizeof *s->n);
    for (size_t i = 0; i < set->n; i++) {
        const struct revision_image *m = &set->images[i];
        uint32_t slot = map_u64_get(&p->slots, key_of(m->image, m->class_id));
        size_t n = p->from[slot + 1] - p->from[slot];
        if (n) {
            add_image(s, p->ballots + p->from[slot], n);
        }
    }
    out->mean = out->measured ? s->sum / (double)out->measured : 0;
    make_interval(s);
}

void set_frequencies(struct tally *t, const struct view_ask *ask, const struct view_counts *counts,
                     const struct set_members *sets, size_t n, struct set_frequency *out)
{
    struct pass p = {.ask = ask, .counts = counts};
    struct summing s;
    walk_take(&p.w, t);
    walk_back(&p.w, counts->cursor);
    walk_sort(&p.w);
    map_u64_init(&p.slots);
    find_slots(&p, sets, n);
    take_ballots(&p);
    s.k = scratch_alloc(&p.w.scratch, p.w.n_people + 1, sizeof *s.k);
    s.n = scratch_alloc(&p.w.scratch, p.w.n_people + 1, sizeof *s.n);
    for (size_t i = 0; i < n; i++) {
        sum_set(&p, &sets[i], &s, &out[i]);
    }
    map_u64_release(&p.slots);
    walk_release(&p.w);
}
