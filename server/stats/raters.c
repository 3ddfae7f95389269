/* raters.c - both figures are sums over clusters of (judgements, agreeing pairs, judgements of each category), so a bootstrap
 * sample is a sum of rows. */
#include "stats/raters.h"

#include <math.h>

#include "base/rng.h"
#include "stats/percentile.h"

struct totals {
    double judgements, alike; /* alike: the figure's own sum over items, see add_item */
    size_t items;
    double *of;               /* [category] */
};

/* One category that people chose for an item, or for the items of a cluster. */
struct choice {
    uint16_t category;
    uint32_t times;
};
/* What a cluster adds to the sums. */
struct row {
    size_t from, n, items; /* its choices */
    double judgements, alike;
};
struct rule {
    const struct ratings *r;
    enum raters_figure f;
    unsigned people; /* the most that judged an item */
    struct choice *chosen;
    struct row *rows;
    size_t n_rows;
};

static void take(struct choice *list, size_t *n, uint16_t category, uint32_t times)
{
    size_t at = 0;
    while (at < *n && list[at].category != category) {
        at++;
    }
    if (at == *n) {
        list[(*n)++] = (struct choice){category, 0};
    }
    list[at].times += times;
}

static unsigned judges_of(const struct ratings *r, size_t item)
{
    unsigned n = 0;
    for (size_t who = 0; who < r->people; who++) {
        n += r->said[item * r->people + who] != RATERS_NONE;
    }
    return n;
}

/* Of an item with n judgements, n_c of category c: sum n_c (n_c - 1) / (n - 1), which is n times the share of pairs that
 * agree. Krippendorff's coincidences on the diagonal are just that. */
static void add_item(const struct rule *u, size_t item, struct choice *scratch, struct row *row)
{
    const struct ratings *r = u->r;
    unsigned n = judges_of(r, item);
    size_t n_chosen = 0;
    double pairs = 0;
    if (n < 2 || (u->f == RATERS_FLEISS && n != u->people)) {
        return;
    }
    for (size_t who = 0; who < r->people; who++) {
        uint16_t said = r->said[item * r->people + who];
        if (said != RATERS_NONE) {
            take(scratch, &n_chosen, said, 1);
        }
    }
    for (size_t i = 0; i < n_chosen; i++) {
        double k = scratch[i].times;
        pairs += k * (k - 1);
        take(&u->chosen[row->from], &row->n, scratch[i].category, scratch[i].times);
    }
    row->alike += pairs / (n - 1);
    row->judgements += n;
    row->items++;
}

static struct rule gather(const struct ratings *r, enum raters_figure f, struct arena *a)
{
    const size_t n_rows = r->cluster ? r->clusters : r->items;
    struct rule u = {r, f, 0, arena_alloc(a, (r->items * r->people + 1) * sizeof *u.chosen),
                     arena_calloc(a, n_rows + 1, sizeof *u.rows), n_rows};
    struct choice *scratch = arena_alloc(a, (r->people + 1) * sizeof *scratch);
    size_t from = 0;
    for (size_t i = 0; i < r->items; i++) {
        unsigned judges = judges_of(r, i);
        u.people = judges > u.people ? judges : u.people;
    }
    for (size_t k = 0; k < n_rows; k++) {
        struct row *row = &u.rows[k];
        row->from = from;
        for (size_t i = r->cluster ? r->cluster[k] : k; i < (r->cluster ? r->cluster[k + 1] : k + 1); i++) {
            add_item(&u, i, scratch, row);
        }
        from += row->n;
    }
    return u;
}

static void add_row(const struct rule *u, size_t at, struct totals *t)
{
    const struct row *row = &u->rows[at];
    for (size_t i = row->from; i < row->from + row->n; i++) {
        t->of[u->chosen[i].category] += u->chosen[i].times;
    }
    t->alike += row->alike;
    t->judgements += row->judgements;
    t->items += row->items;
}

/* Observed and chance agreement: Fleiss takes p_c^2, Krippendorff n_c (n_c - 1) / (n (n - 1)). */
static double figure_of(const struct rule *u, const struct totals *t)
{
    double n = t->judgements, chance = 0;
    for (size_t c = 0; c < u->r->categories; c++) {
        chance += u->f == RATERS_FLEISS ? t->of[c] * t->of[c] / (n * n) : t->of[c] * (t->of[c] - 1) / (n * (n - 1));
    }
    return n > 0 && chance < 1 ? (t->alike / n - chance) / (1 - chance) : (double)NAN;
}

static void clear(struct totals *t, size_t categories)
{
    double *of = t->of;
    *t = (struct totals){.of = of};
    for (size_t c = 0; c < categories; c++) {
        of[c] = 0;
    }
}

struct raters_agreement raters_agree(const struct ratings *r, enum raters_figure f, size_t draws, uint64_t seed,
                                     double alpha, struct arena *a)
{
    struct rule rule = gather(r, f, a);
    struct totals t = {.of = arena_calloc(a, r->categories, sizeof *t.of)};
    struct rng rng;
    for (size_t i = 0; i < rule.n_rows; i++) {
        add_row(&rule, i, &t);
    }
    double value = figure_of(&rule, &t);
    struct raters_agreement out = {t.items, rule.people, {value, (double)NAN, (double)NAN}};
    double *drawn = arena_alloc(a, draws * sizeof *drawn);
    size_t n = 0;
    rng_seed(&rng, seed);
    for (size_t tries = 0; isfinite(value) && n < draws && tries < 100 * draws; tries++) {
        clear(&t, r->categories);
        for (size_t i = 0; i < rule.n_rows; i++) {
            add_row(&rule, rng_below(&rng, rule.n_rows), &t);
        }
        drawn[n] = figure_of(&rule, &t);
        n += isfinite(drawn[n]);
    }
    if (n > 0 && n == draws) {
        struct interval i = percentile_interval(drawn, n, alpha);
        out.at = (struct proportion){value, i.lo, i.hi};
    }
    return out;
}
