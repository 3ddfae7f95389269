/* adjusted_pass.c - one pass: images counted by their answers, the spreads of both sides, the ratio
 * of their densities, and what models are right about. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "measures/votes/adjusted_private.h"

enum { NO_CELL = UINT32_MAX };

/* ---- images by their answers ---- */

/* Counts the images of one side of a class into the cells of its spread. */
static void count_class(const struct adjusted_run *r, struct adjusted_counter *k, int side, uint32_t c)
{
    struct counted_side *s = &k->side[side];
    size_t key = (size_t)2 * c + (side == ADJUSTED_ORIGINAL), n = s->from[c];
    for (uint32_t i = r->by_class.from[key]; i < r->by_class.from[key + 1]; i++) {
        uint32_t image = r->by_class.order[i];
        const struct bias_image *b = &r->in->images[image];
        const struct spread_cell one = {k->shown[image], k->selected[image], k->times[image],
                                        b->original ? SPREAD_UNSEEN : b->review};
        if (r->kind[image] == KIND_OUT || one.count <= 0) {
            continue;
        }
        size_t had = n, at = spread_count(k->kinds, one, s->found, &n);
        if (n > had) {
            s->times[at] = 0;
        }
        if (at != SIZE_MAX && (b->original || b->in_set)) {
            s->times[at] += one.count;
        }
    }
    spread_counter_forget(k->kinds, s->found, s->from[c], n);
    s->from[c + 1] = n;
}

/* The cell of weighted images with these answers, made when there is none. */
static uint32_t cell_of(struct counted_side *s, uint32_t shown, uint32_t selected, unsigned points)
{
    uint32_t kind = spread_kind(shown, selected), *cell = &s->cell_of_kind[kind];
    if (*cell == NO_CELL) {
        *cell = (uint32_t)s->n_cells;
        s->kind_of_cell[s->n_cells] = kind;
        s->weight[s->n_cells] = 0;
        memset(s->density + s->n_cells * points, 0, points * sizeof *s->density);
        s->n_cells++;
    }
    return *cell;
}

/* Densities of the weighted images by their answers, over classes: what is left of a class in the
 * images that share answers is their mean. */
static void add_densities(const struct adjusted_run *r, struct counted_side *s, struct spread *of,
                          const double *class_weight, unsigned points)
{
    double w[ADJUSTED_POINTS];
    for (size_t i = 0; i < s->n_cells; i++) {
        s->cell_of_kind[s->kind_of_cell[i]] = NO_CELL;
    }
    s->n_cells = 0;
    for (uint32_t c = 0; c < r->in->n_classes; c++) {
        if (s->from[c] < s->from[c + 1]) {
            spread_of_class(of, c);
        }
        for (size_t i = s->from[c]; i < s->from[c + 1]; i++) {
            if (s->times[i] <= 0) {
                continue;
            }
            uint32_t cell = cell_of(s, s->found[i].shown, s->found[i].selected, points);
            double weight = s->times[i] * class_weight[c];
            spread_image_weights(of, &s->found[i], w);
            s->weight[cell] += weight;
            for (unsigned j = 0; j < points; j++) {
                s->density[cell * points + j] += weight * w[j];
            }
        }
    }
}

/* The densities of cells become means, and p that of all. */
static void take_means(struct counted_side *s, unsigned points)
{
    double sum = 0;
    memset(s->p, 0, sizeof s->p);
    for (size_t i = 0; i < s->n_cells; i++) {
        sum += s->weight[i];
        for (unsigned j = 0; j < points; j++) {
            s->p[j] += s->density[i * points + j];
            s->density[i * points + j] /= s->weight[i];
        }
    }
    for (unsigned j = 0; j < points; j++) {
        s->p[j] /= sum > 0 ? sum : 1;
    }
}

static void take_ratio(struct adjusted_counter *k, unsigned points)
{
    const double *original = k->side[ADJUSTED_ORIGINAL].p, *fresh = k->side[ADJUSTED_NEW].p;
    for (unsigned j = 0; j < points; j++) {
        k->ratio[j] = fresh[j] > 1e-12 ? original[j] / fresh[j] : 0;
    }
}

/* ---- right answers ---- */

/* What accuracies are shares of. */
struct counted_all {
    double side[ADJUSTED_SIDES], seen[ADJUSTED_SIDES][HISTOGRAM_BINS];
};

/* Adds an image to the accuracies of its side and of the bin of its frequency, and to its cell. */
static void add_image(const struct adjusted_run *r, struct adjusted_counter *k, size_t image,
                      double *figures, struct counted_all *all)
{
    const struct bias_image *b = &r->in->images[image];
    const unsigned char *right = r->in->right + image;
    int side = adjusted_side(b), bin = r->seen_bin[image];
    struct counted_side *s = &k->side[side];
    double times = k->times[image],
           weight = times * r->class_weight[side][b->class_index],
           in_side = b->original ? times : weight; /* originals without votes stand for themselves */
    bool voted = r->kind[image] != KIND_ORIGINAL;
    uint32_t shown = k->shown[image], selected = k->selected[image];
    spread_few(&shown, &selected);
    uint32_t cell = shown ? s->cell_of_kind[spread_kind(shown, selected)] : NO_CELL;
    all->side[side] += in_side;
    all->seen[side][bin] += voted ? weight : 0;
    for (size_t m = 0; m < r->in->n_models; m++) {
        if (right[m * r->in->n_images]) {
            double *f = figures + m * FIGURES;
            f[b->original ? FIGURE_ORIGINAL : FIGURE_FRESH] += in_side;
            f[figure_in(FIGURE_SEEN, side, bin)] += voted ? weight : 0;
            if (cell != NO_CELL) {
                s->right[m * s->room + cell] += weight;
            }
        }
    }
}

/* What models are right about: accuracies of both sides, by frequency seen, and by cell. */
static void count_right(const struct adjusted_run *r, struct adjusted_counter *k, double *figures)
{
    struct counted_all all = {{0}, {{0}}};
    size_t models = r->in->n_models;
    memset(figures, 0, (models + 1) * FIGURES * sizeof *figures);
    for (int side = 0; side < ADJUSTED_SIDES; side++) {
        struct counted_side *s = &k->side[side];
        for (size_t m = 0; m < models; m++) {
            memset(s->right + m * s->room, 0, s->n_cells * sizeof *s->right);
        }
    }
    for (size_t i = 0; i < r->in->n_images; i++) {
        if (k->times[i] > 0 && r->kind[i] != KIND_OUT && r->kind[i] != KIND_POOL) {
            add_image(r, k, i, figures, &all);
        }
    }
    for (size_t m = 0; m < models; m++) {
        double *f = figures + m * FIGURES;
        f[FIGURE_ORIGINAL] /= all.side[ADJUSTED_ORIGINAL];
        f[FIGURE_FRESH] /= all.side[ADJUSTED_NEW];
        for (int i = 0; i < ADJUSTED_SIDES * HISTOGRAM_BINS; i++) {
            double of = all.seen[i / HISTOGRAM_BINS][i % HISTOGRAM_BINS];
            f[FIGURE_SEEN + i] = of > 0 ? f[FIGURE_SEEN + i] / of : (double)NAN;
        }
    }
}

/* ---- all ---- */

bool adjusted_pass(struct adjusted_run *r, struct adjusted_counter *k, bool whole, double *figures)
{
    const double *at;
    unsigned points = spread_points(r->spread[ADJUSTED_NEW], &at);
    for (int side = 0; side < ADJUSTED_SIDES; side++) {
        struct counted_side *s = &k->side[side];
        for (uint32_t c = 0; c < r->in->n_classes; c++) {
            count_class(r, k, side, c);
        }
        const struct spread_cells found = {s->found, s->from};
        if (!whole) {
            spread_step(s->spread, r->spread[side], &found);
        } else if (!spread_fit(r->spread[side], &found)) {
            return false;
        }
        add_densities(r, s, whole ? r->spread[side] : s->spread, r->class_weight[side], points);
        take_means(s, points);
    }
    take_ratio(k, points);
    count_right(r, k, figures);
    adjusted_weigh(r, k, whole, figures);
    return true;
}

/* ---- a thread's ---- */

/* Ways to answer at most so many times. */
static size_t ways(uint32_t answers)
{
    return ((size_t)answers + 1) * ((size_t)answers + 2) / 2;
}

static void make_side(const struct adjusted_run *r, struct counted_side *s, uint32_t weighted,
                      uint32_t answers)
{
    size_t images = r->in->n_images + 1;
    const double *at;
    s->room = weighted < ways(answers) ? weighted + 1 : ways(answers);
    s->found = xcalloc(images, sizeof *s->found);
    s->from = xcalloc((size_t)r->in->n_classes + 1, sizeof *s->from);
    s->times = xcalloc(images, sizeof *s->times);
    s->spread = spread_new(r->in->n_classes, answers);
    s->cell_of_kind = xmalloc(SPREAD_KINDS * sizeof *s->cell_of_kind);
    memset(s->cell_of_kind, 0xff, SPREAD_KINDS * sizeof *s->cell_of_kind);
    s->kind_of_cell = xcalloc(s->room, sizeof *s->kind_of_cell);
    s->weight = xcalloc(s->room, sizeof *s->weight);
    s->density = xcalloc(s->room * spread_points(s->spread, &at), sizeof *s->density);
    s->right = xcalloc(s->room * (r->in->n_models + 1), sizeof *s->right);
    s->share = xcalloc(s->room, sizeof *s->share);
}

static void free_side(struct counted_side *s)
{
    free(s->found);
    free(s->from);
    free(s->times);
    spread_free(s->spread);
    free(s->cell_of_kind);
    free(s->kind_of_cell);
    free(s->weight);
    free(s->density);
    free(s->right);
    free(s->share);
}

void adjusted_counter_make(const struct adjusted_run *r, struct adjusted_counter *k,
                           uint32_t answers)
{
    size_t images = r->in->n_images + 1;
    k->shown = xcalloc(images, sizeof *k->shown);
    k->selected = xcalloc(images, sizeof *k->selected);
    k->times = xcalloc(images, sizeof *k->times);
    k->kinds = spread_counter_new();
    for (int side = 0; side < ADJUSTED_SIDES; side++) {
        make_side(r, &k->side[side], r->weighted[side], answers);
    }
}

void adjusted_counter_free(struct adjusted_counter *k)
{
    free(k->shown);
    free(k->selected);
    free(k->times);
    spread_counter_free(k->kinds);
    for (int side = 0; side < ADJUSTED_SIDES; side++) {
        free_side(&k->side[side]);
    }
}
