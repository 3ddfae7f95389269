/* raters.c - both figures are sums over items of (judgements, agreeing pairs, judgements of each category), so a bootstrap
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

/* One category that people chose for an item. */
struct choice {
    uint16_t category, times;
};
struct rule {
    const struct ratings *r;
    enum raters_figure f;
    unsigned people;       /* the most that judged an item */
    struct choice *chosen; /* item by item */
    size_t *from;          /* [item]: its first; one more at the end */
};

static void take(struct rule *u, size_t at, uint16_t category, size_t *n)
{
    while (at < *n && u->chosen[at].category != category) {
        at++;
    }
    if (at == *n) {
        u->chosen[(*n)++] = (struct choice){category, 0};
    }
    u->chosen[at].times++;
}

static unsigned judges_of(const struct rule *u, size_t item)
{
    unsigned n = 0;
    for (size_t i = u->from[item]; i < u->from[item + 1]; i++) {
        n += u->chosen[i].times;
    }
    return n;
}

static struct rule gather(const struct ratings *r, enum raters_figure f, struct arena *a)
{
    struct rule u = {r, f, 0, arena_alloc(a, (r->items * r->people + 1) * sizeof *u.chosen),
                     arena_calloc(a, r->items + 1, sizeof *u.from)};
    size_t n = 0;
    for (size_t i = 0; i < r->items; i++) {
        for (size_t who = 0; who < r->people; who++) {
            uint16_t said = r->said[i * r->people + who];
            if (said != RATERS_NONE) {
                take(&u, u.from[i], said, &n);
            }
        }
        u.from[i + 1] = n;
        unsigned judges = judges_of(&u, i);
        u.people = judges > u.people ? judges : u.people;
    }
    return u;
}

/* Of an item with n judgements, n_c of category c: sum n_c (n_c - 1) / (n - 1), which is n times the share of pairs that
 * agree. Krippendorff's coincidences on the diagonal are just that. */
static void add_item(const struct rule *u, size_t item, struct totals *t)
{
    unsigned n = judges_of(u, item);
    if (n < 2 || (u->f == RATERS_FLEISS && n != u->people)) {
        return;
    }
    double pairs = 0;
    for (size_t i = u->from[item]; i < u->from[item + 1]; i++) {
        double k = u->chosen[i].times;
        pairs += k * (k - 1);
        t->of[u->chosen[i].category] += k;
    }
    t->alike += pairs / (n - 1);
    t->judgements += n;
    t->items++;
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
    for (size_t i = 0; i < r->items; i++) {
        add_item(&rule, i, &t);
    }
    double value = figure_of(&rule, &t);
    struct raters_agreement out = {t.items, rule.people, {value, (double)NAN, (double)NAN}};
    double *drawn = arena_alloc(a, draws * sizeof *drawn);
    size_t n = 0;
    rng_seed(&rng, seed);
    for (size_t tries = 0; isfinite(value) && n < draws && tries < 100 * draws; tries++) {
        clear(&t, r->categories);
        for (size_t i = 0; i < r->items; i++) {
            add_item(&rule, rng_below(&rng, r->items), &t);
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
