/* by_class.c - groups are classes; then shrinkage, tests and discoveries over all of them. */
#include "measures/images/by_class.h"

#include <math.h>

#include "base/map.h"
#include "stats/discovery.h"
#include "stats/normal.h"

struct classes {
    struct class_info *list;
    size_t n;
    struct map_u64 at; /* id -> place in the list */
};

static uint32_t class_of(const void *arg, uint32_t image, uint32_t class_id)
{
    const struct classes *c = arg;
    (void)image;
    uint32_t at = map_u64_get(&c->at, class_id);
    return at == MAP_NONE ? NO_GROUP : at;
}

/* ---- one set ---- */

/* d of the header. */
static double design_effect(const struct group_score *groups, size_t n)
{
    double is = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        const struct mean_share *m = &groups[i].mean;
        double p = m->n ? m->sum / m->n : 0;
        is += mean_share_spread(m);
        most += m->n * p * (1 - p);
    }
    return most > 0 && is > 0 ? is / most : 1;
}

static void take_side(const struct by_class_ask *ask, const struct group_scores *g, size_t n_classes, int side,
                      struct arena *a, struct by_class *out)
{
    struct share_group *shares = arena_calloc(a, n_classes + 1, sizeof *shares);
    double d = design_effect(g->groups, n_classes);
    for (size_t i = 0; i < n_classes; i++) {
        shares[i] = (struct share_group){g->groups[i].mean.sum / d, g->groups[i].mean.n / d};
    }
    struct class_side *s = &out->sides[side];
    *s = (struct class_side){g->sealed, 1 / d, share_spread_of(shares, n_classes)};
    for (size_t i = 0; i < n_classes; i++) {
        const struct mean_share *m = &g->groups[i].mean;
        out->lines[i].on[side] = (struct class_on){g->groups[i].images, m->n, mean_share_of(m, ask->n_models == 1),
                                                   share_spread_of_group(&s->spread, &shares[i])};
    }
}

static enum err_code read_sides(struct model_scores *s, struct db *db, const struct by_class_ask *ask,
                                const struct classes *c, struct arena *a, struct by_class *out, struct err *err)
{
    enum err_code rc = OK;
    for (int side = 0; side < BY_CLASS_SETS && rc == OK; side++) {
        struct group_scores g;
        const struct group_ask one = {.revision = ask->sets[side], .subset = side && ask->fresh_subset ? ask->fresh_subset : ask->subset, .models = ask->models,
                                      .n_models = ask->n_models, .top = ask->top, .n_groups = c->n, .group = class_of, .arg = c};
        rc = ask->sets[side] ? group_scores_make(s, db, &one, a, &g, err) : OK;
        if (rc == OK && ask->sets[side]) {
            take_side(ask, &g, c->n, side, a, out);
        }
    }
    return rc;
}

/* Classes without images in either set are not in the list. */
static void drop_empty(struct by_class *out, const struct classes *c)
{
    for (size_t i = 0; i < c->n; i++) {
        struct class_line line = out->lines[i];
        line.info = &c->list[i];
        line.gap = line.p = line.q = (double)NAN;
        if (line.on[0].images || line.on[1].images) {
            out->lines[out->n++] = line;
        }
    }
}

/* ---- the pair ---- */

static double variance_of(const struct class_on *on, const struct class_side *side)
{
    double p = on->shrunk.value;
    return p * (1 - p) / (on->n * side->images_worth);
}

static double test(const struct by_class *b, const struct class_line *l, double variance)
{
    const struct class_on *o = &l->on[0], *w = &l->on[1];
    if (b->exact) {
        return fisher_exact((uint32_t)lround(o->share.value * o->n), o->n, (uint32_t)lround(w->share.value * w->n), w->n);
    }
    return variance > 0 ? fmin(1, 2 * normal_cdf(-fabs(l->gap) / sqrt(variance))) : 1;
}

static void compare(struct by_class *b, struct arena *a)
{
    struct difference *gaps = arena_calloc(a, b->n + 1, sizeof *gaps);
    double *p = arena_calloc(a, b->n + 1, sizeof *p), *q = arena_calloc(a, b->n + 1, sizeof *q);
    for (size_t i = 0; i < b->n; i++) {
        struct class_line *l = &b->lines[i];
        gaps[i].value = (double)NAN;
        if (l->on[0].n && l->on[1].n) {
            double variance = variance_of(&l->on[0], &b->sides[0]) + variance_of(&l->on[1], &b->sides[1]);
            l->gap = l->on[0].share.value - l->on[1].share.value;
            l->p = test(b, l, variance);
            gaps[i] = (struct difference){l->gap, variance};
        }
        p[i] = l->p;
    }
    b->gaps = difference_spread_of(gaps, b->n);
    false_discovery(p, b->n, arena_alloc(a, (b->n + 1) * sizeof(struct sorted_key)), q);
    for (size_t i = 0; i < b->n; i++) {
        struct class_line *l = &b->lines[i];
        l->shrunk_gap = difference_shrunk(&b->gaps, &gaps[i]);
        l->q = q[i];
        l->stands_out = q[i] <= b->level;
        b->tested += isnan(l->p) ? 0 : 1;
        b->discovered += l->stands_out;
    }
}

enum err_code by_class_make(struct model_scores *s, struct db *db, const struct by_class_ask *ask, struct arena *a,
                            struct by_class *out, struct err *err)
{
    struct classes c = {.n = 0};
    enum err_code rc = classes_list(db, a, &c.list, &c.n, err);
    if (rc != OK) {
        return rc;
    }
    map_u64_init(&c.at);
    for (size_t i = 0; i < c.n; i++) {
        map_u64_put(&c.at, (uint64_t)c.list[i].id, (uint32_t)i);
    }
    *out = (struct by_class){.lines = arena_calloc(a, c.n + 1, sizeof *out->lines), .level = ask->level,
                             .exact = ask->n_models == 1};
    rc = read_sides(s, db, ask, &c, a, out, err);
    if (rc == OK) {
        drop_empty(out, &c);
        compare(out, a);
    }
    map_u64_release(&c.at);
    return rc;
}
