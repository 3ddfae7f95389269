/* stats_make.c - one pass over a copy of the ledger: grids class by class, so that what belongs to
 * a class is met together, then people and campaigns. */
#include "live/votes/stats_make.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/xalloc.h"
#include "domain/votes/cell_counts.h"
#include "domain/votes/histogram.h"
#include "live/core/walk.h"
#include "stats/cluster.h"
#include "stats/cochran.h"

enum { ROLES = 4, QUANTILES = 4096, DIGITS = 2048, DIGIT_BITS = 11 };
static const double ALPHA = 0.05;

struct role_sums { /* of one person */
    uint32_t k[ROLES], n[ROLES];
};

struct votes {
    uint32_t shown, selected;
};

enum { KINDS = 3 };
struct controls { /* positive, negative and gold cells of one person's answers that are not out */
    uint32_t right[KINDS], of[KINDS];
};
struct answer_controls { /* of one answer; of one that is out, or on a grid that is excluded, nothing */
    uint8_t right[KINDS], of[KINDS];
};

struct make {
    struct walk w;
    struct stats *s;
    uint32_t now_minute;
    struct agreement_answer *asked; /* of one grid: what is compared, and what comes out */
    struct agreement *agreements;
    struct votes *votes;        /* of each pair, in the default view */
    struct role_sums *whole, *of_class; /* of each person */
    uint32_t *touched;          /* people who have sums in of_class */
    size_t n_touched;
    double *quantile;           /* t quantiles by degrees of freedom, 0: not asked for yet */
    struct answer_controls *controls; /* of each answer */
    struct cochran **places;    /* of each campaign with answers in the planned order; NULL: has none */
    struct stats_class *class;  /* whose grids are walked over */
};

void stats_release(struct stats *s)
{
    free(s->people);
    free(s->classes);
    free(s->campaigns);
    *s = (struct stats){0};
}

static double quantile(struct make *m, uint64_t workers)
{
    if (workers < 2 || workers - 1 >= QUANTILES) {
        return workers < 2 ? 0 : student_quantile((double)(workers - 1), 1 - ALPHA / 2);
    }
    double *q = &m->quantile[workers - 1];
    *q = *q > 0 ? *q : student_quantile((double)(workers - 1), 1 - ALPHA / 2);
    return *q;
}

/* The classes, or the campaigns, of the grids. */
struct ids {
    uint32_t *of;  /* of each grid: index of its id */
    uint32_t *ids; /* rising */
    size_t n;
};

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static struct ids ids_of(struct walk *w, bool classes)
{
    struct ids out = {.of = scratch_alloc(&w->scratch, w->n_grids, sizeof *out.of),
                      .ids = scratch_alloc(&w->scratch, w->n_grids, sizeof *out.ids)};
    struct map_u64 at;
    map_u64_init(&at);
    for (size_t g = 0; g < w->n_grids; g++) {
        out.of[g] = classes ? w->grids[g].class : w->grids[g].campaign;
        map_u64_put(&at, out.of[g], 0);
        if (at.n > out.n) {
            out.ids[out.n++] = out.of[g];
        }
    }
    qsort(out.ids, out.n, sizeof *out.ids, by_number);
    for (size_t i = 0; i < out.n; i++) {
        map_u64_set(&at, out.ids[i], (uint32_t)i);
    }
    for (size_t g = 0; g < w->n_grids; g++) {
        out.of[g] = map_u64_get(&at, out.of[g]);
    }
    map_u64_release(&at);
    return out;
}

/* People and campaigns count the same controls. */
#define ADD_CONTROLS(to, s)                                                                        \
    ((to)->pos_right += (s)->pos_right, (to)->pos += (s)->pos, (to)->neg_right += (s)->neg_right,  \
     (to)->neg += (s)->neg, (to)->gold_right += (s)->gold_right, (to)->gold += (s)->gold)

static bool accepted(const struct ledger_answer *a)
{
    return !a->surplus && !a->out;
}

/* What every answer says of its person, measured or not. */
static void meet(struct stats_person *p, const struct ledger_answer *a, bool excluded)
{
    p->answers++;
    p->excluded += excluded;
    p->active_ms += a->active_ms;
    p->first_s = p->first_s && p->first_s < a->at_s ? p->first_s : a->at_s;
    p->last_s = p->last_s > a->at_s ? p->last_s : a->at_s;
}

static void measure_person(struct stats_person *p, const struct ledger_answer *a,
                           const struct tally_grid *g, const struct agreement *s)
{
    p->surplus += a->surplus;
    p->out += a->out;
    p->classify += g->options > 0;
    p->classify_out += g->options > 0 && a->out;
    p->counted += tally_grid_counted(g) && accepted(a);
    if (s->compared) { /* sums until finish_people divides them */
        p->compared++;
        p->agreement += s->agreement;
        p->relative += s->relative;
    }
    if (!a->out) {
        ADD_CONTROLS(p, s);
        p->cells += g->n; /* the share of CONTAINS cells: options are no cells */
        p->selected += g->options ? 0 : s->selected;
    }
}

static void pulse(struct make *m, struct stats_campaign *k, const struct ledger_answer *a)
{
    uint32_t minute = a->at_s / 60;
    k->answers++;
    k->last_s = k->last_s > a->at_s ? k->last_s : a->at_s;
    if (minute <= m->now_minute && m->now_minute - minute < STATS_MINUTES) {
        k->minute[m->now_minute - minute]++;
    }
}

/* Adds an answer to the sums of its person in this class and in the whole. */
static void cluster(struct make *m, const struct walk_grid *g, const unsigned cells[ROLES],
                    uint32_t answer)
{
    uint32_t who = m->w.who[answer];
    struct role_sums *sums = &m->of_class[who];
    if ((sums->n[0] | sums->n[1] | sums->n[2] | sums->n[3]) == 0) {
        m->touched[m->n_touched++] = who;
    }
    uint64_t right = m->w.ledger.answers[answer].mask ^ g->other;
    for (int r = 0; r < ROLES; r++) {
        if (cells[r]) {
            sums->n[r] += cells[r];
            sums->k[r] += cells_in(right & g->by_role[r]);
        }
    }
}

/* A grid of the default view: frequencies of its pairs, sums of its people. */
static void count_grid(struct make *m, const struct walk_grid *g)
{
    struct cell_counts counts = {0};
    unsigned cells[ROLES];
    uint32_t n = 0;
    for (int r = 0; r < ROLES; r++) {
        cells[r] = cells_in(g->by_role[r]);
    }
    for (size_t i = 0; i < g->n; i++) {
        if (accepted(&m->w.ledger.answers[g->answers[i]])) {
            n++;
            cell_counts_add(&counts, m->w.ledger.answers[g->answers[i]].mask);
            cluster(m, g, cells, g->answers[i]);
        }
    }
    for (unsigned j = 0; j < g->grid->n && n > 0; j++) {
        struct votes *v = &m->votes[g->cells[j].pair];
        v->shown += n;
        v->selected += cell_counts_at(&counts, j);
    }
}

static void compare_grid(struct make *m, const struct walk_grid *g, struct stats_campaign *k)
{
    for (size_t i = 0; i < g->n; i++) {
        const struct ledger_answer *a = &m->w.ledger.answers[g->answers[i]];
        m->asked[i] = (struct agreement_answer){a->mask, accepted(a)};
    }
    agreement_compute(&g->key, m->asked, g->n, m->agreements);
    for (size_t i = 0; i < g->n; i++) {
        const struct ledger_answer *a = &m->w.ledger.answers[g->answers[i]];
        measure_person(&m->s->people[m->w.who[g->answers[i]]], a, g->grid, &m->agreements[i]);
        k->surplus += a->surplus;
        k->out += a->out;
        if (!a->out) {
            const struct agreement *s = &m->agreements[i];
            ADD_CONTROLS(k, s);
            m->controls[g->answers[i]] = (struct answer_controls){
                {(uint8_t)s->pos_right, (uint8_t)s->neg_right, (uint8_t)s->gold_right},
                {(uint8_t)s->pos, (uint8_t)s->neg, (uint8_t)s->gold}};
        }
    }
}

/* What a grid that all saw in one order says about positions: a block of its candidates, with how many
 * answers selected each. */
static void count_in_order(struct make *m, const struct walk_grid *g, struct stats_campaign *k)
{
    struct cell_counts counts = {0};
    double value[COCHRAN_POSITIONS];
    uint32_t n = 0;
    for (size_t i = 0; i < g->n; i++) {
        const struct ledger_answer *a = &m->w.ledger.answers[g->answers[i]];
        if (!a->shuffled && accepted(a)) {
            n++;
            cell_counts_add(&counts, a->mask);
        }
    }
    if (n == 0) {
        return;
    }
    struct cochran **sums = &m->places[k - m->s->campaigns];
    *sums = *sums ? *sums : scratch_alloc(&m->w.scratch, 1, sizeof **sums);
    for (unsigned j = 0; j < tally_bits(g->grid); j++) {
        value[j] = cell_counts_at(&counts, j);
    }
    cochran_block(*sums, g->candidates, value);
    k->in_order++;
}

static void walk_over(struct make *m, size_t grid, struct stats_campaign *k)
{
    struct walk_grid g;
    walk_grid(&m->w, grid, &g);
    for (size_t i = 0; i < g.n; i++) {
        const struct ledger_answer *a = &m->w.ledger.answers[g.answers[i]];
        meet(&m->s->people[m->w.who[g.answers[i]]], a, g.grid->excluded);
        pulse(m, k, a);
        k->excluded += g.grid->excluded;
    }
    if (!g.grid->excluded) {
        compare_grid(m, &g, k);
        count_in_order(m, &g, k);
    }
    if (tally_grid_counted(g.grid)) {
        count_grid(m, &g);
    }
}

static void finish_class(struct make *m)
{
    struct cluster_sums sums[ROLES] = {{0}};
    struct cluster_pair pair = {.m = 0};
    for (size_t i = 0; i < m->n_touched; i++) {
        struct role_sums *one = &m->of_class[m->touched[i]], *all = &m->whole[m->touched[i]];
        for (int r = 0; r < ROLES; r++) {
            cluster_add(&sums[r], one->k[r], one->n[r]);
            all->k[r] += one->k[r];
            all->n[r] += one->n[r];
        }
        cluster_pair_add(&pair, one->k[CELL_POSITIVE], one->n[CELL_POSITIVE], one->k[CELL_CANDIDATE],
                         one->n[CELL_CANDIDATE]);
        *one = (struct role_sums){0};
    }
    m->n_touched = 0;
    for (int r = 0; r < ROLES; r++) {
        m->class->ci[r] = cluster_sums_interval(&sums[r], ALPHA, quantile(m, sums[r].m));
    }
    m->class->difference =
        cluster_pair_interval(&pair, m->class->ci[CELL_POSITIVE], m->class->ci[CELL_CANDIDATE],
                              quantile(m, pair.m));
}

static void walk_classes(struct make *m, const struct ids *classes, const struct ids *campaigns)
{
    size_t n = m->w.n_grids;
    uint32_t *from = scratch_alloc(&m->w.scratch, classes->n + 1, sizeof *from);
    uint32_t *grids = scratch_alloc(&m->w.scratch, n, sizeof *grids);
    walk_group(classes->of, NULL, n, classes->n, from, grids);
    for (size_t c = 0; c < classes->n; c++) {
        m->class = &m->s->classes[c];
        m->class->class_id = classes->ids[c];
        for (size_t i = from[c]; i < from[c + 1]; i++) {
            walk_over(m, grids[i], &m->s->campaigns[campaigns->of[grids[i]]]);
        }
        finish_class(m);
    }
}

/* Classes that only CLASSIFY tasks are about have no pair: nobody asks whether images contain them. */
static void drop_empty_classes(struct stats *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->n_classes; i++) {
        const uint32_t *images = s->classes[i].images;
        if (images[0] | images[1] | images[2] | images[3]) {
            s->classes[kept++] = s->classes[i];
        }
    }
    s->n_classes = kept;
}

/* Without branches: which pairs have enough answers is as hard to foresee as their bins. */
static void bin_pair(struct stats_class *c, enum cell_role role, bool other, const struct votes *v)
{
    uint32_t enough = v->shown >= STATS_LEAST_ANSWERS;
    uint32_t original = enough & (role == CELL_POSITIVE);
    unsigned bin = v->shown ? histogram_bin(v->selected, v->shown) : 0;
    c->images[role]++;
    c->shown[role] += v->shown;
    c->selected[role] += other ? v->shown - v->selected : v->selected;
    c->covered += original;
    c->originals[bin] += original;
    c->candidates[bin] += enough & (role == CELL_CANDIDATE);
}

/* Each pair once, at its first cell: pairs are numbered in the order of these. Those that only grids about labels show are no
 * images of the class. */
static void bin_pairs(struct make *m, const struct ids *classes)
{
    size_t pair = 0;
    for (size_t g = 0; g < m->w.n_grids; g++) {
        const struct tally_grid *grid = &m->w.grids[g];
        for (unsigned j = 0; j < grid->n; j++) {
            const struct tally_cell *c = &m->w.cells[grid->first + j];
            if (c->pair == pair && !m->w.labels[pair]) {
                bin_pair(&m->s->classes[classes->of[g]], (enum cell_role)m->w.role[pair], m->w.other[pair], &m->votes[pair]);
            }
            pair += c->pair == pair;
        }
    }
}

static void finish_whole(struct make *m)
{
    for (int r = 0; r < ROLES; r++) {
        struct cluster_sums sums = {0};
        for (size_t i = 0; i < m->s->n_classes; i++) {
            m->s->shown[r] += m->s->classes[i].shown[r];
            m->s->selected[r] += m->s->classes[i].selected[r];
        }
        for (size_t i = 0; i < m->w.n_people; i++) {
            cluster_add(&sums, m->whole[i].k[r], m->whole[i].n[r]);
        }
        m->s->ci[r] = cluster_sums_interval(&sums, ALPHA, quantile(m, sums.m));
    }
}

/* The answers by active time, rising: a round for each 11 bits, so that no times that workers could
 * send make it slow. */
static uint32_t *by_active(struct walk *w)
{
    size_t n = w->ledger.n;
    uint32_t from[DIGITS + 1], *key = scratch_alloc(&w->scratch, n, sizeof *key);
    uint32_t *in = scratch_alloc(&w->scratch, n, sizeof *in);
    uint32_t *out = scratch_alloc(&w->scratch, n, sizeof *out);
    uint32_t all = 1;
    for (unsigned shift = 0; shift < 32 && all >> shift; shift += DIGIT_BITS) {
        for (size_t i = 0; i < n; i++) {
            uint32_t active = w->ledger.answers[i].active_ms;
            key[i] = active >> shift & (DIGITS - 1);
            all |= active;
        }
        walk_group(key, shift ? in : NULL, n, DIGITS, from, out);
        uint32_t *swap = in;
        in = out;
        out = swap;
    }
    return in;
}

/* Of answers by active time; those that do not tell it come first. */
static uint32_t median_active(const struct walk *w, const uint32_t *answers, size_t n)
{
    while (n > 0 && w->ledger.answers[answers[0]].active_ms == 0) {
        answers++;
        n--;
    }
    if (n == 0) {
        return 0;
    }
    uint64_t high = w->ledger.answers[answers[n / 2]].active_ms;
    uint64_t low = w->ledger.answers[answers[(n - 1) / 2]].active_ms;
    return (uint32_t)((low + high) / 2);
}

static void finish_people(struct make *m, const uint32_t *order)
{
    size_t n = m->w.n_people;
    uint32_t *from = scratch_alloc(&m->w.scratch, n + 1, sizeof *from);
    uint32_t *grouped = scratch_alloc(&m->w.scratch, m->w.ledger.n, sizeof *grouped);
    walk_group(m->w.who, order, m->w.ledger.n, n, from, grouped);
    for (size_t i = 0; i < n; i++) {
        struct stats_person *p = &m->s->people[i];
        p->person = m->w.people[i];
        p->agreement = p->compared ? p->agreement / p->compared : 0;
        p->relative = p->compared ? p->relative / p->compared : 0;
        p->median_active_ms = median_active(&m->w, grouped + from[i], from[i + 1] - from[i]);
    }
}

/* `in_order` NULL: every answer was shuffled. */
static struct chi_square test_positions(const struct tally_positions *p,
                                        const struct cochran *in_order)
{
    struct cochran all = in_order ? *in_order : (struct cochran){.excess = {0}};
    const double unit = 1 / (double)(INT64_C(1) << TALLY_POINT);
    double excess[COCHRAN_POSITIONS];
    for (unsigned i = 0; i < COCHRAN_POSITIONS; i++) {
        excess[i] = (double)p->excess[i] * unit;
        cochran_blocks(&all, i + 1, (double)p->squares[i + 1] * unit);
    }
    cochran_excess(&all, excess);
    return cochran_test(&all);
}

static void finish_positions(const struct make *m, struct stats_campaign *k)
{
    k->flat.p = 1; /* nobody has answered */
    for (size_t i = 0; i < m->w.n_positions; i++) {
        const struct tally_positions *p = &m->w.positions[i];
        if (p->campaign == k->campaign) {
            memcpy(k->shown, p->shown, sizeof k->shown);
            memcpy(k->selected, p->selected, sizeof k->selected);
            k->shuffled = p->shuffled;
            k->flat = test_positions(p, m->places[k - m->s->campaigns]);
        }
    }
}

/* Intervals of the controls over the answers of a campaign; `sums` has room for each person, empty. */
static void finish_controls(struct make *m, struct stats_campaign *k, const uint32_t *answers,
                            size_t n, struct controls *sums)
{
    struct cluster_sums all[KINDS] = {{0}};
    struct interval *out[KINDS] = {&k->pos_ci, &k->neg_ci, &k->gold_ci};
    for (size_t i = 0; i < n; i++) {
        struct controls *one = &sums[m->w.who[answers[i]]];
        for (int c = 0; c < KINDS; c++) {
            one->right[c] += m->controls[answers[i]].right[c];
            one->of[c] += m->controls[answers[i]].of[c];
        }
    }
    for (size_t i = 0; i < n; i++) {
        struct controls *one = &sums[m->w.who[answers[i]]];
        for (int c = 0; c < KINDS; c++) {
            cluster_add(&all[c], one->right[c], one->of[c]); /* the second time: nothing */
        }
        *one = (struct controls){{0}, {0}};
    }
    for (int c = 0; c < KINDS; c++) {
        *out[c] = cluster_sums_interval(&all[c], ALPHA, quantile(m, all[c].m));
    }
}

static void finish_campaigns(struct make *m, const struct ids *campaigns, const uint32_t *order)
{
    size_t n = m->w.ledger.n;
    struct scratch *s = &m->w.scratch;
    uint32_t *key = scratch_alloc(s, n, sizeof *key), *grouped = scratch_alloc(s, n, sizeof *key);
    uint32_t *from = scratch_alloc(s, campaigns->n + 1, sizeof *from);
    uint32_t *met = scratch_alloc(s, m->w.n_people, sizeof *met); /* last campaign, from 1 */
    uint32_t *gave = scratch_alloc(s, m->w.n_people, sizeof *gave); /* answers to it */
    struct controls *sums = scratch_alloc(s, m->w.n_people, sizeof *sums);
    for (size_t i = 0; i < n; i++) {
        key[i] = campaigns->of[m->w.ledger.answers[i].grid];
    }
    walk_group(key, order, n, campaigns->n, from, grouped);
    for (uint32_t c = 0; c < campaigns->n; c++) {
        struct stats_campaign *k = &m->s->campaigns[c];
        k->campaign = campaigns->ids[c];
        k->median_active_ms = median_active(&m->w, grouped + from[c], from[c + 1] - from[c]);
        for (size_t i = from[c]; i < from[c + 1]; i++) {
            uint32_t who = m->w.who[grouped[i]];
            bool first = met[who] != c + 1;
            k->people += first;
            met[who] = c + 1;
            gave[who] = first ? 1 : gave[who] + 1;
            k->most = k->most > gave[who] ? k->most : gave[who];
        }
        finish_positions(m, k);
        finish_controls(m, k, grouped + from[c], from[c + 1] - from[c], sums);
    }
}

static void make_rooms(struct make *m, const struct ids *classes, const struct ids *campaigns)
{
    struct stats *s = m->s;
    struct scratch *r = &m->w.scratch;
    m->asked = scratch_alloc(r, m->w.most_answers, sizeof *m->asked);
    m->agreements = scratch_alloc(r, m->w.most_answers, sizeof *m->agreements);
    m->votes = scratch_alloc(r, m->w.n_pairs, sizeof *m->votes);
    m->whole = scratch_alloc(r, m->w.n_people, sizeof *m->whole);
    m->of_class = scratch_alloc(r, m->w.n_people, sizeof *m->of_class);
    m->touched = scratch_alloc(r, m->w.n_people, sizeof *m->touched);
    m->quantile = scratch_alloc(r, QUANTILES, sizeof *m->quantile);
    m->controls = scratch_alloc(r, m->w.ledger.n, sizeof *m->controls);
    m->places = scratch_alloc(r, campaigns->n, sizeof *m->places);
    s->n_people = m->w.n_people;
    s->n_classes = classes->n;
    s->n_campaigns = campaigns->n;
    s->people = xcalloc(s->n_people, sizeof *s->people);
    s->classes = xcalloc(s->n_classes, sizeof *s->classes);
    s->campaigns = xcalloc(s->n_campaigns, sizeof *s->campaigns);
}

void stats_make(struct tally *t, int64_t now_ms, struct stats *out)
{
    struct make m = {.s = out, .now_minute = (uint32_t)(now_ms / 60000)};
    *out = (struct stats){.made_ms = now_ms};
    walk_take(&m.w, t);
    walk_sort(&m.w);
    out->cursor = m.w.cursor;
    struct ids classes = ids_of(&m.w, true), campaigns = ids_of(&m.w, false);
    make_rooms(&m, &classes, &campaigns);
    walk_classes(&m, &classes, &campaigns);
    bin_pairs(&m, &classes);
    drop_empty_classes(out);
    finish_whole(&m);
    const uint32_t *order = by_active(&m.w);
    finish_people(&m, order);
    finish_campaigns(&m, &campaigns, order);
    walk_release(&m.w);
}
