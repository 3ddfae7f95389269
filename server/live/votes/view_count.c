/* view_count.c - counts votes under a named view. The caller says which campaigns it has and who is
 * blocked; nothing here knows SQL. */
#include "live/votes/view_count.h"

#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "base/xalloc.h"
#include "domain/votes/cell_counts.h"
#include "live/core/walk.h"
#include "stats/cluster.h"

enum {
    ROLES = 4,
    VARIANTS = 2 + 2 * VIEW_FILTERS_MOST,
    PATTERNS = 1 << 5, /* of faults of one person's answers: five rules look at answers */
    COPIED_AT_ONCE = 1 << 18 /* images, under the lock */
};
static const double ALPHA = 0.05;

/* One person's answers with the same faults. */
struct person_sums {
    unsigned faults;
    uint32_t answers, k[ROLES], n[ROLES];
};

struct count {
    struct walk w;
    const struct view_ask *ask;
    struct view_counts *out;
    bool *in;                    /* of each answer: the view has it before any filter */
    uint8_t *faults;             /* of each answer: bit i, filter i leaves it out */
    uint64_t (*by_role)[ROLES];  /* of each grid */
    struct view_person *people;
    double *relative;            /* of each person: sum, over `compared` answers */
    uint32_t *compared;
    struct agreement_answer *asked;
    struct agreement *agreements;
};

static void add_agreement(struct count *c, uint32_t who, const struct agreement *s)
{
    struct view_person *p = &c->people[who];
    p->answers++;
    p->pos_right += s->pos_right;
    p->pos += s->pos;
    p->neg_right += s->neg_right;
    p->neg += s->neg;
    p->gold_right += s->gold_right;
    p->gold += s->gold;
    if (s->compared) {
        c->relative[who] += s->relative;
        c->compared[who]++;
    }
}

/* The view's answers to one grid: which they are, how their people agree. */
static void compare_grid(struct count *c, const struct walk_grid *g)
{
    size_t n = 0;
    for (size_t i = 0; i < g->n; i++) {
        const struct ledger_answer *a = &c->w.ledger.answers[g->answers[i]];
        if (!a->surplus && !a->out) {
            c->in[g->answers[i]] = true;
            c->asked[n++] = (struct agreement_answer){a->mask, true};
        }
    }
    agreement_compute(&g->key, c->asked, n, c->agreements);
    n = 0;
    for (size_t i = 0; i < g->n; i++) {
        if (c->in[g->answers[i]]) {
            add_agreement(c, c->w.who[g->answers[i]], &c->agreements[n++]);
        }
    }
}

bool view_has_grid(const struct view_ask *ask, const struct tally_grid *g)
{
    return !g->excluded && (g->options > 0) == ask->classify &&
           sorted_has_i64(ask->campaigns, ask->n_campaigns, g->campaign);
}

static void compare_grids(struct count *c)
{
    for (size_t i = 0; i < c->w.n_grids; i++) {
        struct walk_grid g;
        const struct tally_grid *grid = &c->w.grids[i];
        if (c->w.grid_from[i] == c->w.grid_from[i + 1] || !view_has_grid(c->ask, grid)) {
            continue;
        }
        walk_grid(&c->w, i, &g);
        memcpy(c->by_role[i], g.by_role, sizeof g.by_role);
        compare_grid(c, &g);
    }
}

static void finish_people(struct count *c)
{
    for (size_t i = 0; i < c->w.n_people; i++) {
        c->people[i].blocked = sorted_has_i64(c->ask->blocked, c->ask->n_blocked, c->w.people[i]);
        c->people[i].compared = c->compared[i] > 0;
        c->people[i].relative = c->compared[i] ? c->relative[i] / c->compared[i] : 0;
    }
}

/* Which filters leave which answers out. */
static void find_faults(struct count *c)
{
    const struct view_rules *rules = &c->ask->rules;
    uint8_t *of_person = scratch_alloc(&c->w.scratch, c->w.n_people, 1);
    for (size_t i = 0; i < c->w.n_people; i++) {
        for (size_t f = 0; f < rules->n; f++) {
            bool bad = view_filter_person(&rules->filters[f], &c->people[i]);
            of_person[i] |= (uint8_t)(bad << f);
        }
    }
    for (size_t i = 0; i < c->w.ledger.n; i++) {
        const struct ledger_answer *a = &c->w.ledger.answers[i];
        unsigned cells = tally_bits(&c->w.grids[a->grid]), selected = cells_in(a->mask);
        c->faults[i] = of_person[c->w.who[i]];
        for (size_t f = 0; f < rules->n; f++) {
            bool bad = view_filter_answer(&rules->filters[f], cells, selected, a->active_ms);
            c->faults[i] |= (uint8_t)(bad << f);
        }
    }
}

/* The rules that look at all answers of a grid. */
static void find_grid_faults(struct count *c)
{
    bool *out = scratch_alloc(&c->w.scratch, c->w.most_answers, sizeof *out);
    uint32_t *at = scratch_alloc(&c->w.scratch, c->w.most_answers, sizeof *at);
    for (size_t f = 0; f < c->ask->rules.n; f++) {
        const struct view_filter *filter = &c->ask->rules.filters[f];
        for (size_t i = 0; i < c->w.n_grids && view_filter_of_grid(filter); i++) {
            size_t n = 0;
            for (uint32_t k = c->w.grid_from[i]; k < c->w.grid_from[i + 1]; k++) {
                at[n] = c->w.by_grid[k];
                n += c->in[c->w.by_grid[k]];
            }
            view_filter_grid(filter, c->w.grids[i].id, n, out);
            for (size_t k = 0; k < n; k++) {
                c->faults[at[k]] |= (uint8_t)(out[k] << f);
            }
        }
    }
}

static void list_dropped(struct count *c)
{
    struct view_counts *out = c->out;
    size_t cap = 0, cap_by = 0;
    for (size_t i = 0; i < c->w.ledger.n; i++) {
        if (c->in[i] && c->faults[i]) {
            xgrow(&out->dropped, &cap, out->n_dropped + 1, sizeof *out->dropped);
            xgrow(&out->dropped_by, &cap_by, out->n_dropped + 1, sizeof *out->dropped_by);
            out->dropped[out->n_dropped] = c->w.ledger.answers[i].id;
            out->dropped_by[out->n_dropped++] = (uint8_t)__builtin_ctz(c->faults[i]);
        }
    }
}

/* The sums that the answer belongs to. */
static struct person_sums *sums_of(struct person_sums *list, size_t *n, unsigned faults)
{
    size_t i = 0;
    while (i < *n && list[i].faults != faults) {
        i++;
    }
    if (i == *n) {
        BUG_IF(i == PATTERNS);
        list[(*n)++] = (struct person_sums){.faults = faults};
    }
    return &list[i];
}

static void add_answer(struct person_sums *s, const struct count *c, uint32_t answer)
{
    const struct ledger_answer *a = &c->w.ledger.answers[answer];
    s->answers++;
    for (int r = 0; r < ROLES; r++) {
        uint64_t cells = c->by_role[a->grid][r];
        if (cells) {
            s->n[r] += cells_in(cells);
            s->k[r] += cells_in(cells & a->mask);
        }
    }
}

/* The means, in the order of their filters: none, all, each alone, all but each. */
static struct view_mean *mean_of(struct view_counts *out, size_t variant, size_t filters)
{
    return variant == 0            ? &out->all
           : variant == 1          ? &out->with
           : variant < 2 + filters ? &out->alone[variant - 2]
                                   : &out->without[variant - 2 - filters];
}

/* The filters that hold in a variant, as bits of an answer's faults. */
static unsigned filters_of(size_t variant, size_t filters)
{
    unsigned all = (1U << filters) - 1;
    return variant == 0            ? 0
           : variant == 1          ? all
           : variant < 2 + filters ? 1U << (variant - 2)
                                   : all & ~(1U << (variant - 2 - filters));
}

struct means {
    size_t filters, n; /* variants */
    struct cluster_sums sums[VARIANTS][ROLES];
};

static void add_person(struct means *m, struct count *c, const uint32_t *answers, size_t n)
{
    struct person_sums list[PATTERNS];
    size_t patterns = 0;
    for (size_t i = 0; i < n; i++) {
        if (c->in[answers[i]]) {
            add_answer(sums_of(list, &patterns, c->faults[answers[i]]), c, answers[i]);
        }
    }
    for (size_t v = 0; v < m->n; v++) {
        struct view_mean *mean = mean_of(c->out, v, m->filters);
        struct person_sums sum = {0};
        for (size_t i = 0; i < patterns; i++) {
            for (int r = 0; r < ROLES && !(list[i].faults & filters_of(v, m->filters)); r++) {
                sum.answers += r == 0 ? list[i].answers : 0;
                sum.k[r] += list[i].k[r];
                sum.n[r] += list[i].n[r];
            }
        }
        mean->answers += sum.answers;
        mean->people += sum.answers > 0;
        for (int r = 0; r < ROLES; r++) {
            cluster_add(&m->sums[v][r], sum.k[r], sum.n[r]);
        }
    }
}

static void make_means(struct count *c)
{
    struct means m = {.filters = c->ask->rules.n, .n = 2 + 2 * c->ask->rules.n};
    uint32_t *from = scratch_alloc(&c->w.scratch, c->w.n_people + 1, sizeof *from);
    uint32_t *grouped = scratch_alloc(&c->w.scratch, c->w.ledger.n, sizeof *grouped);
    walk_group(c->w.who, NULL, c->w.ledger.n, c->w.n_people, from, grouped);
    for (size_t i = 0; i < c->w.n_people; i++) {
        add_person(&m, c, grouped + from[i], from[i + 1] - from[i]);
    }
    for (size_t v = 0; v < m.n; v++) {
        struct view_mean *mean = mean_of(c->out, v, m.filters);
        for (int r = 0; r < ROLES; r++) {
            const struct cluster_sums *s = &m.sums[v][r];
            double t = s->m < 2 ? 0 : student_quantile((double)(s->m - 1), 1 - ALPHA / 2);
            mean->shown[r] = s->n;
            mean->selected[r] = s->k;
            mean->ci[r] = cluster_sums_interval(s, ALPHA, t);
        }
    }
}

/* Frequencies of the pairs under every filter; of all pairs, those without votes too. */
static void count_pairs(struct count *c)
{
    struct view_counts *out = c->out;
    for (size_t i = 0; i < c->w.n_grids; i++) {
        const struct tally_grid *g = &c->w.grids[i];
        const struct tally_cell *cells = c->w.cells + g->first;
        struct cell_counts counts = {0};
        uint32_t n = 0;
        for (size_t k = c->w.grid_from[i]; k < c->w.grid_from[i + 1]; k++) {
            uint32_t a = c->w.by_grid[k];
            if (c->in[a] && c->faults[a] == 0) {
                n++;
                cell_counts_add(&counts, c->w.ledger.answers[a].mask);
            }
        }
        for (unsigned j = 0; j < g->n; j++) {
            uint32_t pair = cells[j].pair;
            out->class_id[pair] = g->class;
            out->shown[pair] += n;
            out->selected[pair] += n ? cell_counts_at(&counts, j) : 0;
        }
    }
}

/* The pairs' images: a pair keeps its number, so they are copied after the rest, in pieces. */
static enum err_code copy_images(struct tally *t, struct view_counts *out, struct err *err)
{
    for (size_t at = 0; at < out->n; at += COPIED_AT_ONCE) {
        size_t end = out->n - at < COPIED_AT_ONCE ? out->n : at + COPIED_AT_ONCE, n;
        tally_read_lock(t);
        const struct tally_pair *pairs = tally_pairs(t, &n);
        for (size_t i = at; i < end && end <= n; i++) {
            out->image[i] = pairs[i].image;
        }
        tally_read_unlock(t);
        if (end > n) {
            return err_rule(err, ERR_BUSY, "counters-rebuilt",
                            "The counters are being rebuilt. Try again in a moment.");
        }
    }
    return OK;
}

static void make_rooms(struct count *c)
{
    struct view_counts *out = c->out;
    struct scratch *s = &c->w.scratch;
    size_t answers = c->w.ledger.n, people = c->w.n_people;
    c->in = scratch_alloc(s, answers, sizeof *c->in);
    c->faults = scratch_alloc(s, answers, sizeof *c->faults);
    c->by_role = scratch_alloc(s, c->w.n_grids, sizeof *c->by_role);
    c->people = scratch_alloc(s, people, sizeof *c->people);
    c->relative = scratch_alloc(s, people, sizeof *c->relative);
    c->compared = scratch_alloc(s, people, sizeof *c->compared);
    c->asked = scratch_alloc(s, c->w.most_answers, sizeof *c->asked);
    c->agreements = scratch_alloc(s, c->w.most_answers, sizeof *c->agreements);
    out->n = c->w.n_pairs;
    out->image = xcalloc(out->n, sizeof *out->image);
    out->class_id = xcalloc(out->n, sizeof *out->class_id);
    out->shown = xcalloc(out->n, sizeof *out->shown);
    out->selected = xcalloc(out->n, sizeof *out->selected);
    out->role = xmalloc(out->n);
    if (out->n) {
        memcpy(out->role, c->w.role, out->n);
    }
}

enum err_code view_count(struct tally *t, const struct view_ask *ask, struct view_counts *out,
                         struct err *err)
{
    struct count c = {.ask = ask, .out = out};
    BUG_IF(ask->rules.n > VIEW_FILTERS_MOST);
    *out = (struct view_counts){0};
    walk_take(&c.w, t);
    if (ask->as_of > 0) {
        walk_back(&c.w, ask->as_of);
    }
    walk_sort(&c.w);
    out->cursor = c.w.cursor;
    make_rooms(&c);
    compare_grids(&c);
    finish_people(&c);
    find_faults(&c);
    find_grid_faults(&c);
    list_dropped(&c);
    make_means(&c);
    count_pairs(&c);
    enum err_code rc = copy_images(t, out, err);
    walk_release(&c.w);
    if (rc != OK) {
        view_counts_release(out);
    }
    return rc;
}

void view_counts_release(struct view_counts *v)
{
    free(v->image);
    free(v->class_id);
    free(v->shown);
    free(v->selected);
    free(v->role);
    free(v->dropped);
    free(v->dropped_by);
    *v = (struct view_counts){0};
}
