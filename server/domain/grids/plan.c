/* plan.c - composing grids. */
#include "domain/grids/plan.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "domain/grids/plan_summary.h"

/* A grid while it is filled. */
struct draft {
    struct plan_grid grid;
    int64_t content[GRID_CELLS];
};

/* A pool in some order, from which any number is drawn without replacement: whatever the order is,
 * every draw is uniform, so it never needs to be put back. */
struct deck {
    const struct plan_image *images;
    uint32_t *order;
    size_t n;
};

/* A pool as a heap by (count, tie): count is how many answers the image has and will have. */
struct entry {
    uint32_t count, tie, index;
};
struct ranking {
    const struct plan_image *images;
    struct entry *entries;
    size_t n;
};

struct planner {
    const struct plan_class *c;
    const struct plan_rules *rules;
    struct rng *r;
    struct deck negatives, gold, other_gold;
    struct deck used;         /* candidates of the chunks so far */
    struct ranking originals;
    uint32_t *times;          /* candidate -> grids that show it */
    uint32_t *open;           /* candidates that need answers, in drawn order */
    size_t n_open;
    struct plan_grid *grids;
    size_t n, cap;
};

static bool fits(const struct draft *d, const struct plan_image *i)
{
    for (unsigned k = 0; k < d->grid.n; k++) {
        if (d->grid.image[k] == i->id || (i->content && d->content[k] == i->content)) {
            return false;
        }
    }
    return d->grid.n < GRID_CELLS;
}

/* False when the image, or its content, is in the grid already. */
static bool place(struct draft *d, const struct plan_image *i, enum cell_role role)
{
    if (!fits(d, i)) {
        return false;
    }
    d->content[d->grid.n] = i->content;
    d->grid.image[d->grid.n] = i->id;
    d->grid.role[d->grid.n++] = role;
    return true;
}

static struct deck deck_of(const struct plan_pool *pool)
{
    struct deck k = {pool->images, xmalloc((pool->n + 1) * sizeof *k.order), pool->n};
    for (size_t i = 0; i < pool->n; i++) {
        k.order[i] = (uint32_t)i;
    }
    return k;
}

/* Places `wanted` images of the deck, fewer where it has no more that fit. `times` counts them by
 * their place in the pool unless it is NULL. */
static unsigned deal(struct deck *k, struct rng *r, struct draft *d, unsigned wanted,
                     enum cell_role role, uint32_t *times)
{
    unsigned placed = 0;
    for (size_t left = k->n; left > 0 && placed < wanted; left--) {
        size_t j = (size_t)rng_below(r, left);
        uint32_t drawn = k->order[j];
        k->order[j] = k->order[left - 1];
        k->order[left - 1] = drawn;
        if (place(d, &k->images[drawn], role)) {
            placed++;
            if (times) {
                times[drawn]++;
            }
        }
    }
    return placed;
}

static bool before(const struct entry *a, const struct entry *b)
{
    return a->count != b->count ? a->count < b->count : a->tie < b->tie;
}

static void sift_down(struct entry *e, size_t n, size_t at)
{
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && before(&e[child + 1], &e[child]);
        if (!before(&e[child], &e[at])) {
            return;
        }
        struct entry t = e[at];
        e[at] = e[child];
        e[child] = t;
    }
}

static void sift_up(struct entry *e, size_t at)
{
    while (at > 0 && before(&e[at], &e[(at - 1) / 2])) {
        struct entry t = e[at];
        e[at] = e[(at - 1) / 2];
        e[(at - 1) / 2] = t;
        at = (at - 1) / 2;
    }
}

static uint32_t tie(struct rng *r)
{
    return (uint32_t)(rng_u64(r) >> 32);
}

/* `times` (may be NULL): grids of the plan that show an image already, `step` answers each. */
static struct ranking ranking_of(const struct plan_pool *pool, const uint32_t *times,
                                 uint32_t step, struct rng *r)
{
    struct ranking k = {pool->images, xmalloc((pool->n + 1) * sizeof *k.entries), pool->n};
    for (size_t i = 0; i < pool->n; i++) {
        uint32_t count = pool->images[i].answers + (times ? times[i] * step : 0);
        k.entries[i] = (struct entry){count, tie(r), (uint32_t)i};
        sift_up(k.entries, i);
    }
    return k;
}

/* Places the `wanted` images with the lowest counts; each counts `step` more from now on. */
static unsigned take_least(struct ranking *k, struct rng *r, struct draft *d, unsigned wanted,
                           enum cell_role role, uint32_t step)
{
    unsigned placed = 0;
    size_t left = k->n;
    while (left > 0 && placed < wanted) {
        struct entry e = k->entries[0];
        k->entries[0] = k->entries[--left];
        sift_down(k->entries, left, 0);
        if (place(d, &k->images[e.index], role)) {
            placed++;
            e.count += step;
            e.tie = tie(r);
        }
        k->entries[left] = e; /* behind the heap until it grows again */
    }
    while (left < k->n) {
        sift_up(k->entries, left++);
    }
    return placed;
}

static void shuffle_cells(struct plan_grid *g, struct rng *r)
{
    for (unsigned i = g->n; i > 1; i--) {
        unsigned j = (unsigned)rng_below(r, i);
        int64_t image = g->image[i - 1];
        enum cell_role role = g->role[i - 1];
        g->image[i - 1] = g->image[j];
        g->role[i - 1] = g->role[j];
        g->image[j] = image;
        g->role[j] = role;
    }
}

static void finish(struct planner *p, struct draft *d)
{
    shuffle_cells(&d->grid, p->r);
    xgrow(&p->grids, &p->cap, p->n + 1, sizeof *p->grids);
    p->grids[p->n++] = d->grid;
}

/* Half from the class, half from the nearest one, the odd one in turn; one side fills up for the
 * other. */
static void add_gold(struct planner *p, struct draft *d)
{
    unsigned wanted = p->rules->gold_per_grid;
    unsigned own = (wanted + (unsigned)(p->n % 2)) / 2;
    unsigned placed = deal(&p->gold, p->r, d, own, CELL_GOLD, NULL);
    placed += deal(&p->other_gold, p->r, d, wanted - placed, CELL_GOLD, NULL);
    deal(&p->gold, p->r, d, wanted - placed, CELL_GOLD, NULL);
}

/* The next open candidates, until the grid has `cells`; those whose content is in it already wait
 * for the next one, in their order. Placed ones stand behind the deck of used ones, `fresh` of them
 * so far, and join it when the grid is done: a grid is not topped up from itself. */
static void add_open(struct planner *p, struct draft *d, unsigned cells, size_t *at,
                     size_t *fresh)
{
    size_t waiting = 0, i = *at;
    for (; i < p->n_open && d->grid.n < cells; i++) {
        uint32_t index = p->open[i];
        if (place(d, &p->c->candidates.images[index], CELL_CANDIDATE)) {
            p->times[index]++;
            p->used.order[p->used.n + (*fresh)++] = index;
        } else {
            p->open[*at + waiting++] = index;
        }
    }
    for (size_t k = waiting; k > 0; k--) { /* up to where the rest begins */
        p->open[i - waiting + k - 1] = p->open[*at + k - 1];
    }
    *at = i - waiting;
}

/* What is left, in as few grids as possible, each of about as many. */
static unsigned even_share(size_t left, unsigned most)
{
    size_t grids = (left + most - 1) / most;
    return (unsigned)((left + grids - 1) / grids);
}

/* Chunks that are not topped up. */
static void plan_once(struct planner *p)
{
    for (size_t at = 0; at < p->n_open;) {
        struct draft d = {0};
        unsigned positive, negative;
        size_t fresh = 0;
        add_open(p, &d, even_share(p->n_open - at, PLAN_LABEL - p->rules->gold_per_grid), &at, &fresh);
        add_gold(p, &d);
        grid_controls(PLAN_LABEL, &positive, &negative);
        take_least(&p->originals, p->r, &d, positive, CELL_POSITIVE, p->rules->answers_per_grid);
        deal(&p->negatives, p->r, &d, negative, CELL_NEGATIVE, NULL);
        finish(p, &d);
    }
}

static void plan_chunks(struct planner *p)
{
    for (size_t at = 0; at < p->n_open;) {
        struct draft d = {0};
        unsigned positive, negative;
        size_t fresh = 0;
        /* Candidates come first, so that gold of the same content cannot keep them out for good;
         * they also take the cells that gold leaves. */
        add_open(p, &d, PLAN_LABEL - p->rules->gold_per_grid, &at, &fresh);
        add_gold(p, &d);
        add_open(p, &d, PLAN_LABEL, &at, &fresh);
        deal(&p->used, p->r, &d, PLAN_LABEL - d.grid.n, CELL_CANDIDATE, p->times);
        p->used.n += fresh;
        grid_controls(d.grid.n, &positive, &negative);
        take_least(&p->originals, p->r, &d, positive, CELL_POSITIVE, p->rules->answers_per_grid);
        deal(&p->negatives, p->r, &d, negative, CELL_NEGATIVE, NULL);
        finish(p, &d);
    }
}

/* Uncovered ones first, of these the ones nearest to it. */
static int by_need(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    bool done_x = x->count >= PLAN_COVERED, done_y = y->count >= PLAN_COVERED;
    if (done_x != done_y) {
        return done_x ? 1 : -1;
    }
    if (x->count != y->count) {
        return x->count > y->count ? -1 : 1;
    }
    if (x->tie != y->tie) {
        return x->tie < y->tie ? -1 : 1;
    }
    return (x->index > y->index) - (x->index < y->index);
}

static size_t covered(const struct ranking *k)
{
    size_t n = 0;
    for (size_t i = 0; i < k->n; i++) {
        n += k->entries[i].count >= PLAN_COVERED;
    }
    return n;
}

/* Places up to k of the `missing` originals that are nearest to being covered. */
static unsigned add_missing(struct planner *p, struct draft *d, size_t missing, unsigned k)
{
    struct ranking *o = &p->originals;
    unsigned placed = 0;
    qsort(o->entries, o->n, sizeof *o->entries, by_need);
    for (size_t i = 0; i < missing && placed < k; i++) {
        if (place(d, &o->images[o->entries[i].index], CELL_POSITIVE)) {
            o->entries[i].count += p->rules->answers_per_grid;
            placed++;
        }
    }
    return placed;
}

/* Grids until the class has its covered originals; the heap of originals is none afterwards. */
static void plan_special(struct planner *p)
{
    struct ranking candidates =
        ranking_of(&p->c->candidates, p->times, p->rules->answers_per_grid, p->r);
    for (size_t n; (n = covered(&p->originals)) < p->rules->coverage;) {
        struct draft d = {.grid.special = true};
        size_t missing = p->rules->coverage - n;
        size_t grids = (missing + PLAN_SPECIAL_MOST - 1) / PLAN_SPECIAL_MOST;
        unsigned k = add_missing(p, &d, missing, (unsigned)((missing + grids - 1) / grids));
        unsigned label = (GRID_CELLS - k) / 2;
        add_gold(p, &d);
        take_least(&candidates, p->r, &d, label + k - d.grid.n, CELL_CANDIDATE,
                   p->rules->answers_per_grid);
        deal(&p->negatives, p->r, &d, GRID_CELLS - d.grid.n, CELL_NEGATIVE, NULL);
        finish(p, &d);
    }
    free(candidates.entries);
}

/* The candidates with too few answers, in drawn order. */
static void list_open(struct planner *p)
{
    const struct plan_pool *pool = &p->c->candidates;
    p->open = xmalloc((pool->n + 1) * sizeof *p->open);
    for (size_t i = 0; i < pool->n; i++) {
        if (pool->images[i].answers < p->rules->answers_per_grid) {
            p->open[p->n_open++] = (uint32_t)i;
        }
    }
    rng_shuffle_u32(p->r, p->open, p->n_open);
}

void plan_grids(const struct plan_class *c, const struct plan_rules *rules, struct rng *r,
                struct plan_grid **out, size_t *n)
{
    struct planner p = {.c = c, .rules = rules, .r = r};
    p.times = xcalloc(c->candidates.n + 1, sizeof *p.times);
    p.negatives = deck_of(&c->negatives);
    p.gold = deck_of(&c->gold);
    p.other_gold = deck_of(&c->other_gold);
    p.used = deck_of(&c->candidates);
    p.used.n = 0;
    list_open(&p);
    p.originals = ranking_of(&c->originals, NULL, 0, r);
    if (rules->once) {
        plan_once(&p);
    } else {
        plan_chunks(&p);
    }
    if (c->originals.n >= rules->coverage) {
        plan_special(&p);
    }
    free(p.times);
    free(p.open);
    free(p.negatives.order);
    free(p.gold.order);
    free(p.other_gold.order);
    free(p.used.order);
    free(p.originals.entries);
    *out = p.grids;
    *n = p.n;
}
