/* sampling_matched.c - MatchedFrequency: as many images of each frequency bin as the class's
 * originals suggest, and what is missing from higher bins. */
#include "domain/sampling/sampling_private.h"

static void measure(struct sample_plan *plan, const struct sample_input *in)
{
    for (size_t k = 0; k < in->n_images; k++) {
        const struct sample_image *i = &in->images[k];
        if (i->original && i->shown > 0 && i->shown >= plan->rules.original_answers_least) {
            BUG_IF(i->class_index >= in->n_classes);
            uint32_t first = plan->classes[i->class_index].first;
            plan->cells[first + histogram_bin(i->selected, i->shown)].originals++;
            plan->classes[i->class_index].originals++;
        }
    }
}

static void cells(struct sample_plan *plan, const struct sample_input *in, struct arena *a)
{
    plan->n_cells = (size_t)in->n_classes * HISTOGRAM_BINS;
    plan->cells = arena_calloc(a, plan->n_cells + 1, sizeof *plan->cells);
    for (uint32_t k = 0; k < in->n_classes; k++) {
        plan->classes[k].first = k * HISTOGRAM_BINS;
        plan->classes[k].n = HISTOGRAM_BINS;
    }
    measure(plan, in);
    for (uint32_t k = 0; k < in->n_classes; k++) {
        struct sample_cell *cell = plan->cells + plan->classes[k].first;
        uint32_t h[HISTOGRAM_BINS], target[HISTOGRAM_BINS];
        for (int i = 0; i < HISTOGRAM_BINS; i++) {
            h[i] = cell[i].originals;
        }
        histogram_targets(h, plan->rules.size, target);
        for (uint32_t i = 0; i < HISTOGRAM_BINS; i++) {
            cell[i].class_index = k;
            cell[i].bin = i;
            cell[i].target = target[i];
        }
        plan->classes[k].few_originals = plan->classes[k].originals < plan->rules.originals_least;
    }
}

static uint32_t cell_of(const struct sample_plan *plan, const struct sample_image *i)
{
    uint32_t bin = i->shown ? histogram_bin(i->selected, i->shown) : 0;
    return plan->classes[i->class_index].first + bin;
}

/* Bins in rising order; each missing image from the next higher bin that has one left. Never downward:
 * that would make the set harder than the originals are. */
void sample_upward_plan(struct sample_plan *plan, const struct sample_class *c)
{
    uint32_t left[HISTOGRAM_BINS];
    struct sample_cell *cell = plan->cells + c->first;
    for (uint32_t i = 0; i < HISTOGRAM_BINS; i++) {
        left[i] = cell[i].available - cell[i].drawn;
    }
    for (uint32_t i = 0; i < HISTOGRAM_BINS; i++) {
        for (uint32_t from = i + 1; from < HISTOGRAM_BINS && cell[i].missing > 0; from++) {
            uint32_t taken = left[from] < cell[i].missing ? left[from] : cell[i].missing;
            left[from] -= taken;
            cell[i].upward += taken;
            cell[i].missing -= taken;
        }
    }
}

/* Images that were in the parent are preferred: a set changes no more than it must. */
uint32_t sample_upward_draw(struct sample_left *left, uint32_t bin, struct rng *r, uint32_t *from)
{
    for (uint32_t i = bin + 1; i < HISTOGRAM_BINS; i++) {
        struct sample_left *l = &left[i];
        *from = i;
        if (l->used < l->of_parent) {
            return sample_draw_one(r, l->images, l->used++, l->of_parent);
        }
        if (l->of_parent + l->drawn < l->n) {
            return sample_draw_one(r, l->images, l->of_parent + l->drawn++, l->n);
        }
    }
    BUG_IF(true); /* the plan counted what is there */
    return SAMPLE_UNKNOWN;
}

const struct sample_ways sample_matched = {.cells = cells,
                                           .cell_of = cell_of,
                                           .before = sample_by_rank,
                                           .keeps_parent = true};
