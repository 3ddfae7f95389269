/* sampling_keyword.c - MatchedKeyword: sub-classes in the proportions of the originals, as
 * CIFAR-10.1 was made (paper B.1, B.2.9).
 *
 * A class's keywords are those of its originals, or the keywords_most most common of them, ties to the
 * keyword that comes first. Shared out are `size` images over the keywords of a class, or, together,
 * size * classes images over those of all classes: images * originals / sum of originals, rounded down;
 * what is left goes to the largest fractions, one each, ties to the keyword with more originals, then to
 * the one that comes first. In whole numbers, so nothing depends on rounding. */
#include <stdlib.h>

#include "domain/sampling/sampling_private.h"

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static int by_originals(const void *a, const void *b)
{
    const struct sample_cell *x = a, *y = b;
    if (x->originals != y->originals) {
        return x->originals > y->originals ? -1 : 1;
    }
    return x->bin < y->bin ? -1 : x->bin > y->bin;
}

static int by_bin(const void *a, const void *b)
{
    const struct sample_cell *x = a, *y = b;
    return x->bin < y->bin ? -1 : x->bin > y->bin;
}

struct rest {
    uint64_t fraction; /* of the sum of originals */
    uint32_t originals, cell;
};

static int by_fraction(const void *a, const void *b)
{
    const struct rest *x = a, *y = b;
    if (x->fraction != y->fraction) {
        return x->fraction > y->fraction ? -1 : 1;
    }
    if (x->originals != y->originals) {
        return x->originals > y->originals ? -1 : 1;
    }
    return x->cell < y->cell ? -1 : x->cell > y->cell;
}

/* Shares `images` out over n cells. */
static void share_out(struct sample_cell *cells, uint32_t n, uint64_t images, struct rest *rest)
{
    uint64_t sum = 0, given = 0;
    for (uint32_t k = 0; k < n; k++) {
        sum += cells[k].originals;
    }
    for (uint32_t k = 0; k < n; k++) {
        uint64_t exact = images * cells[k].originals;
        cells[k].target = (uint32_t)(exact / sum);
        rest[k] = (struct rest){exact % sum, cells[k].originals, k};
        given += cells[k].target;
    }
    qsort(rest, n, sizeof *rest, by_fraction);
    for (uint32_t k = 0; given < images && k < n; k++, given++) {
        cells[rest[k].cell].target++;
    }
}

/* Cells of every (class, keyword) that originals have, by class and keyword. */
static void count_keywords(struct sample_plan *plan, const struct sample_input *in, struct arena *a)
{
    uint64_t *pairs = arena_alloc(a, (in->n_images + 1) * sizeof *pairs);
    size_t n = 0, different = 0;
    for (size_t k = 0; k < in->n_images; k++) {
        const struct sample_image *i = &in->images[k];
        if (i->original && i->keyword != SAMPLE_UNKNOWN) {
            BUG_IF(i->class_index >= in->n_classes);
            pairs[n++] = (uint64_t)i->class_index << 32 | i->keyword;
        }
    }
    qsort(pairs, n, sizeof *pairs, by_number);
    for (size_t k = 0; k < n; k++) {
        different += k == 0 || pairs[k] != pairs[k - 1];
    }
    plan->cells = arena_calloc(a, different + 1, sizeof *plan->cells);
    for (size_t k = 0; k < n; k++) {
        if (k == 0 || pairs[k] != pairs[k - 1]) {
            plan->cells[plan->n_cells++] = (struct sample_cell){
                .class_index = (uint32_t)(pairs[k] >> 32), .bin = (uint32_t)pairs[k]};
        }
        plan->cells[plan->n_cells - 1].originals++;
    }
}

/* Closes the gaps that the less common keywords leave. */
static void keep_most_common(struct sample_plan *plan)
{
    size_t kept = 0, end;
    for (size_t first = 0; first < plan->n_cells; first = end) {
        struct sample_cell *cells = plan->cells + first;
        for (end = first; end < plan->n_cells && plan->cells[end].class_index == cells->class_index;) {
            end++;
        }
        size_t n = end - first;
        if (plan->rules.keywords_most > 0 && n > plan->rules.keywords_most) {
            qsort(cells, n, sizeof *cells, by_originals);
            n = plan->rules.keywords_most;
            qsort(cells, n, sizeof *cells, by_bin);
        }
        struct sample_class *c = &plan->classes[cells->class_index];
        c->first = (uint32_t)kept;
        c->n = (uint32_t)n;
        for (size_t k = 0; k < n; k++) {
            c->originals += cells[k].originals;
            plan->cells[kept++] = cells[k];
        }
    }
    plan->n_cells = kept;
}

static void cells(struct sample_plan *plan, const struct sample_input *in, struct arena *a)
{
    count_keywords(plan, in, a);
    keep_most_common(plan);
    struct rest *rest = arena_alloc(a, (plan->n_cells + 1) * sizeof *rest);
    uint64_t size = plan->rules.size;
    if (plan->rules.together) {
        share_out(plan->cells, (uint32_t)plan->n_cells, size * in->n_classes, rest);
    }
    for (size_t k = 0; k < plan->n_classes; k++) {
        struct sample_class *c = &plan->classes[k];
        c->few_originals = c->originals == 0;
        if (!plan->rules.together) {
            share_out(plan->cells + c->first, c->n, size, rest);
        }
    }
}

static uint32_t cell_of(const struct sample_plan *plan, const struct sample_image *i)
{
    const struct sample_class *c = &plan->classes[i->class_index];
    uint32_t lo = c->first, hi = c->first + c->n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (plan->cells[mid].bin < i->keyword) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < c->first + c->n && plan->cells[lo].bin == i->keyword ? lo : SAMPLE_UNKNOWN;
}

const struct sample_ways sample_keyword = {.cells = cells,
                                           .cell_of = cell_of,
                                           .before = sample_by_rank,
                                           .keeps_parent = true};
