/* sampling.c - plans and draws; a strategy with several cells has its own sampling_NAME.c. */
#include "domain/sampling/sampling.h"

#include <stdlib.h>
#include <string.h>

#include "domain/sampling/sampling_private.h"

const char *const sample_strategies[SAMPLE_STRATEGIES] = {"matched", "threshold", "top", "keyword"};
const char *const sample_reasons[SAMPLE_REASONS] = {"blacklisted", "few_assignments",
                                                    "below_threshold", "near_duplicate",
                                                    "unreviewed", "unsearched", "limit", "not_picked", "hidden"};
struct sample_rules sample_rules_usual(enum sample_strategy s)
{
    return (struct sample_rules){.strategy = s,
                                 .size = HISTOGRAM_SAMPLE,
                                 .answers_least = SAMPLE_ANSWERS_LEAST,
                                 .threshold = SAMPLE_THRESHOLD_USUAL,
                                 .original_answers_least = SAMPLE_ANSWERS_LEAST,
                                 .originals_least = SAMPLE_ORIGINALS_LEAST};
}

static bool is_share(double x)
{
    return x >= 0 && x <= 1;
}

enum err_code sample_rules_check(const struct sample_rules *r, struct err *err)
{
    BUG_IF((unsigned)r->strategy >= SAMPLE_STRATEGIES);
    if (r->size < 1 || r->size > SAMPLE_SIZE_MOST) {
        return err_rule(err, ERR_INPUT, "sample-size", "A class can have 1 to %d images, not %u.",
                        SAMPLE_SIZE_MOST, r->size);
    }
    if (!is_share(r->threshold)) {
        return err_rule(err, ERR_INPUT, "sample-threshold", "A threshold must be between 0 and 1.");
    }
    if (r->upward && r->strategy != SAMPLE_MATCHED) {
        return err_rule(err, ERR_INPUT, "sample-upward",
                        "Only matched sampling has bins to sample upward from.");
    }
    return OK;
}

enum sample_reason sample_reason_of(const struct sample_rules *r, const struct sample_image *i,
                                    double own)
{
    double threshold = own < 0 ? r->threshold : own;
    BUG_IF(i->selected > i->shown);
    if (i->blacklisted) {
        return SAMPLE_BLACKLISTED;
    }
    if (i->shown < r->answers_least) {
        return SAMPLE_FEW_ASSIGNMENTS;
    }
    if (r->strategy == SAMPLE_THRESHOLD &&
        (i->shown == 0 || (double)i->selected / i->shown < threshold)) {
        return SAMPLE_BELOW_THRESHOLD;
    }
    return i->near_duplicate ? SAMPLE_NEAR_DUPLICATE
           : i->unreviewed   ? SAMPLE_UNREVIEWED
           : i->unsearched   ? SAMPLE_UNSEARCHED
           : i->limited      ? SAMPLE_LIMIT
           : i->not_picked   ? SAMPLE_NOT_PICKED
           : i->hidden       ? SAMPLE_HIDDEN
                             : SAMPLE_FINE;
}

/* ---- the strategies with a single cell ---- */

/* One cell for each class, of `size` images. */
static void single_cells(struct sample_plan *plan, const struct sample_input *in, struct arena *a)
{
    plan->n_cells = in->n_classes;
    plan->cells = arena_calloc(a, plan->n_cells + 1, sizeof *plan->cells);
    for (uint32_t k = 0; k < in->n_classes; k++) {
        plan->cells[k] = (struct sample_cell){.class_index = k, .target = plan->rules.size};
        plan->classes[k].first = k;
        plan->classes[k].n = 1;
    }
}

static uint32_t single_cell_of(const struct sample_plan *plan, const struct sample_image *i)
{
    (void)plan;
    return i->class_index;
}

bool sample_by_rank(const struct sample_image *a, const struct sample_image *b)
{
    return a->rank != b->rank ? a->rank < b->rank : a->image < b->image;
}

/* Threshold0.7 and its like: any images whose frequency is high enough. That one is not is a reason of exclusion
 * (sample_reason_of). */
static const struct sample_ways sample_threshold = {.cells = single_cells,
                                                    .cell_of = single_cell_of,
                                                    .before = sample_by_rank,
                                                    .keeps_parent = true};

static double frequency(const struct sample_image *i)
{
    return i->shown ? (double)i->selected / i->shown : 0;
}

/* The published order, each from high to low: frequency, answers, was in the parent, name. */
static bool before(const struct sample_image *a, const struct sample_image *b)
{
    double x = frequency(a), y = frequency(b);
    if (x > y || y > x) {
        return x > y;
    }
    if (a->shown != b->shown) {
        return a->shown > b->shown;
    }
    return a->in_parent != b->in_parent ? a->in_parent : sample_by_rank(b, a);
}

/* TopImages: the images with the highest frequencies. */
static const struct sample_ways sample_top = {.cells = single_cells,
                                              .cell_of = single_cell_of,
                                              .before = before};

static const struct sample_ways *const ways[SAMPLE_STRATEGIES] = {
    &sample_matched, &sample_threshold, &sample_top, &sample_keyword};

/* ---- planning ---- */

struct order {
    const struct sample_image *images;
    const struct sample_ways *ways;
};

static int compare(const void *a, const void *b, void *order)
{
    const struct order *o = order;
    const struct sample_image *x = &o->images[*(const uint32_t *)a];
    const struct sample_image *y = &o->images[*(const uint32_t *)b];
    if (o->ways->keeps_parent && x->in_parent != y->in_parent) {
        return x->in_parent ? -1 : 1;
    }
    return o->ways->before(x, y) ? -1 : o->ways->before(y, x) ? 1 : 0;
}

/* Every candidate to its cell: excluded ones are counted, the others' cells stand in cell_of[i]. */
static void book(struct sample_plan *plan, const struct sample_input *in, uint32_t *cell_of)
{
    const struct sample_ways *w = ways[plan->rules.strategy];
    for (size_t k = 0; k < in->n_images; k++) {
        const struct sample_image *i = &in->images[k];
        cell_of[k] = SAMPLE_UNKNOWN;
        if (i->original) {
            continue;
        }
        BUG_IF(i->class_index >= in->n_classes);
        uint32_t cell = w->cell_of(plan, i);
        if (cell == SAMPLE_UNKNOWN) {
            plan->classes[i->class_index].outside++;
            continue;
        }
        double own = in->thresholds ? in->thresholds[i->class_index] : -1;
        enum sample_reason reason = sample_reason_of(&plan->rules, i, own);
        if (reason != SAMPLE_FINE) {
            plan->cells[cell].excluded[reason]++;
            continue;
        }
        cell_of[k] = cell;
        plan->cells[cell].available++;
        plan->cells[cell].of_parent += i->in_parent;
        plan->n_fine++;
    }
}

/* The images that are not excluded, cell by cell, each cell in its order. */
static void arrange(struct sample_plan *plan, const struct sample_input *in, struct arena *a,
                    const uint32_t *cell_of)
{
    struct order order = {in->images, ways[plan->rules.strategy]};
    uint32_t *next = arena_alloc(a, (plan->n_cells + 1) * sizeof *next), first = 0;
    plan->fine = arena_alloc(a, (plan->n_fine + 1) * sizeof *plan->fine);
    for (size_t k = 0; k < plan->n_cells; k++) {
        plan->cells[k].first = next[k] = first;
        first += plan->cells[k].available;
    }
    for (size_t k = 0; k < in->n_images; k++) {
        if (cell_of[k] != SAMPLE_UNKNOWN) {
            plan->fine[next[cell_of[k]]++] = (uint32_t)k;
        }
    }
    for (size_t k = 0; k < plan->n_cells; k++) {
        qsort_r(plan->fine + plan->cells[k].first, plan->cells[k].available, sizeof *plan->fine,
                compare, &order);
    }
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void fill(struct sample_plan *plan, const struct sample_input *in, struct sample_cell *c)
{
    uint32_t fine = c->available;
    if (ways[plan->rules.strategy]->keeps_parent) {
        c->carried = least(c->of_parent, c->target);
        c->drawn = least(fine - c->of_parent, c->target - c->carried);
    } else {
        uint32_t taken = least(fine, c->target);
        for (uint32_t k = 0; k < taken; k++) {
            c->carried += in->images[plan->fine[c->first + k]].in_parent;
        }
        c->drawn = taken - c->carried;
        c->of_parent = 0; /* they are not apart */
    }
    c->available = fine - c->carried;
    c->missing = c->target - c->carried - c->drawn;
}

static void add_up(struct sample_plan *plan, struct sample_class *c)
{
    uint32_t target = 0;
    for (uint32_t k = 0; k < c->n; k++) {
        const struct sample_cell *cell = &plan->cells[c->first + k];
        target += cell->target;
        c->chosen += cell->carried + cell->drawn + cell->upward;
        plan->carried += cell->carried;
        plan->upward += cell->upward;
    }
    c->wanted = target > 0 || plan->rules.together ? target : plan->rules.size;
    c->missing = c->wanted - c->chosen;
    plan->wanted += c->wanted;
    plan->chosen += c->chosen;
    plan->missing += c->missing;
    plan->classes_short += c->missing > 0;
    plan->classes_few_originals += c->few_originals;
}

/* ERR_INPUT where no plan can be made: a plan of nothing would only hide why. */
static enum err_code check_input(const struct sample_plan *plan, const struct sample_input *in,
                                 struct err *err)
{
    uint64_t originals = 0;
    size_t candidates = 0;
    for (size_t k = 0; k < plan->n_classes; k++) {
        originals += plan->classes[k].originals;
    }
    for (size_t k = 0; k < in->n_images; k++) {
        candidates += !in->images[k].original;
    }
    if (candidates == 0) {
        return err_rule(err, ERR_INPUT, "sample-candidates",
                        "There are no candidates to sample from: import some first.");
    }
    if (plan->rules.strategy == SAMPLE_MATCHED && originals == 0) {
        return err_rule(err, ERR_INPUT, "sample-originals",
                        "No original has %u answers, so there is no histogram to match.",
                        plan->rules.original_answers_least);
    }
    if (plan->rules.strategy == SAMPLE_KEYWORD && originals == 0) {
        return err_rule(err, ERR_INPUT, "sample-originals",
                        "No original has a keyword, so there are no proportions to keep.");
    }
    for (uint32_t k = 0; in->thresholds && k < in->n_classes; k++) {
        if (in->thresholds[k] >= 0 && !is_share(in->thresholds[k])) {
            return err_rule(err, ERR_INPUT, "sample-threshold", "A threshold must be between 0 and 1.");
        }
    }
    return OK;
}

enum err_code sample_plan(const struct sample_input *in, const struct sample_rules *rules,
                          struct arena *a, struct sample_plan *out, struct err *err)
{
    BUG_IF(in->n_images >= SAMPLE_UNKNOWN);
    *out = (struct sample_plan){.rules = *rules, .n_classes = in->n_classes};
    enum err_code rc = sample_rules_check(rules, err);
    if (rc != OK) {
        return rc;
    }
    if ((uint64_t)rules->size * in->n_classes > UINT32_MAX) {
        return err_rule(err, ERR_INPUT, "sample-size", "%u classes of %u images are too many.",
                        in->n_classes, rules->size);
    }
    out->classes = arena_calloc(a, out->n_classes + 1, sizeof *out->classes);
    ways[rules->strategy]->cells(out, in, a);
    rc = check_input(out, in, err);
    if (rc != OK) {
        return rc;
    }
    uint32_t *cell_of = arena_alloc(a, (in->n_images + 1) * sizeof *cell_of);
    book(out, in, cell_of);
    arrange(out, in, a, cell_of);
    for (size_t k = 0; k < out->n_cells; k++) {
        fill(out, in, &out->cells[k]);
    }
    for (size_t k = 0; k < out->n_classes; k++) {
        if (rules->upward) {
            sample_upward_plan(out, &out->classes[k]);
        }
        add_up(out, &out->classes[k]);
    }
    out->valid = out->missing == 0 && out->classes_few_originals == 0;
    return OK;
}

uint32_t sample_draw_one(struct rng *r, uint32_t *images, uint32_t from, uint32_t to)
{
    uint32_t at = from + (uint32_t)rng_below(r, to - from), drawn = images[at];
    images[at] = images[from];
    images[from] = drawn;
    return drawn;
}

struct drawing {
    const struct sample_plan *plan;
    const struct sample_input *in;
    uint32_t *fine; /* a copy of the plan's, in the order of draws */
    struct sample_pick *picks;
    size_t n;
    uint32_t place;
};

static void pick(struct drawing *d, uint32_t index, uint32_t cell, uint32_t from)
{
    BUG_IF(d->n >= d->plan->chosen);
    d->picks[d->n++] = (struct sample_pick){.index = index,
                                            .cell = cell,
                                            .from = from,
                                            .place = d->place++,
                                            .carried = d->in->images[index].in_parent};
}

/* Fills one cell from its own images; what is left of them goes to *left. */
static void draw_cell(struct drawing *d, uint32_t number, struct rng *r, struct sample_left *left)
{
    const struct sample_cell *c = &d->plan->cells[number];
    *left = (struct sample_left){.images = d->fine + c->first,
                                 .of_parent = c->of_parent,
                                 .n = c->carried + c->available,
                                 .used = c->carried,
                                 .drawn = c->drawn};
    if (!ways[d->plan->rules.strategy]->keeps_parent) {
        for (uint32_t k = 0; k < c->carried + c->drawn; k++) {
            pick(d, left->images[k], number, number);
        }
        return;
    }
    for (uint32_t k = 0; k < c->carried; k++) {
        bool all = c->carried == c->of_parent;
        pick(d, all ? left->images[k] : sample_draw_one(r, left->images, k, c->of_parent), number,
             number);
    }
    for (uint32_t k = 0; k < c->drawn; k++) {
        pick(d, sample_draw_one(r, left->images, c->of_parent + k, left->n), number, number);
    }
}

static void draw_class(struct drawing *d, const struct sample_class *c, struct rng *r)
{
    struct sample_left left[HISTOGRAM_BINS], one;
    bool bins = d->plan->rules.strategy == SAMPLE_MATCHED;
    d->place = 0;
    for (uint32_t k = 0; k < c->n; k++) {
        draw_cell(d, c->first + k, r, bins ? &left[k] : &one);
    }
    for (uint32_t k = 0; k < c->n; k++) {
        for (uint32_t i = 0; i < d->plan->cells[c->first + k].upward; i++) {
            uint32_t from, index = sample_upward_draw(left, k, r, &from);
            pick(d, index, c->first + k, c->first + from);
        }
    }
}

void sample_draw(const struct sample_plan *plan, const struct sample_input *in, struct arena *a,
                 struct sample_pick **out, size_t *n)
{
    struct rng first, own;
    struct drawing d = {.plan = plan, .in = in};
    d.fine = arena_alloc(a, (plan->n_fine + 1) * sizeof *d.fine);
    memcpy(d.fine, plan->fine, plan->n_fine * sizeof *d.fine);
    d.picks = arena_alloc(a, (plan->chosen + 1) * sizeof *d.picks);
    rng_seed(&first, plan->rules.seed);
    for (size_t k = 0; k < plan->n_classes; k++) {
        rng_seed(&own, rng_u64(&first));
        draw_class(&d, &plan->classes[k], &own);
    }
    BUG_IF(d.n != plan->chosen);
    uint32_t *order = arena_alloc(a, (d.n + 1) * sizeof *order);
    for (uint32_t k = 0; k < d.n; k++) {
        order[k] = k;
    }
    rng_shuffle_u32(&first, order, d.n);
    *out = arena_alloc(a, (d.n + 1) * sizeof **out);
    for (size_t k = 0; k < d.n; k++) {
        (*out)[k] = d.picks[order[k]];
    }
    *n = d.n;
}
