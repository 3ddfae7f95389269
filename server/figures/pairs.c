/* pairs.c - models on pairs of classes that people confuse, by how accurate they are. */
#include "figures/figures.h"

struct chart *figure_pairs(struct arena *a, const struct figure_text *text, const struct confusing_model *models, size_t n)
{
    double *x = arena_calloc(a, n + 1, sizeof *x), *y[2], *lo[2], *hi[2];
    const char **names = arena_calloc(a, n + 1, sizeof *names);
    const struct chart_options o = {.title = text->title,
                                    .description = text->description,
                                    .empty = text->empty,
                                    .x = {.label = "Accuracy on all images", .form = CHART_PERCENT},
                                    .y = {.label = "Accuracy on the pairs", .form = CHART_PERCENT}};
    struct chart *chart = chart_new(a, &o);
    for (int k = 0; k < 2; k++) {
        y[k] = arena_calloc(a, n + 1, sizeof *y[k]);
        lo[k] = arena_calloc(a, n + 1, sizeof *lo[k]);
        hi[k] = arena_calloc(a, n + 1, sizeof *hi[k]);
    }
    for (size_t i = 0; i < n && !text->empty; i++) {
        const struct pair_accuracy_row *r = &models[i].row;
        names[i] = arena_cstr(a, r->model);
        x[i] = models[i].top1;
        y[0][i] = r->accuracy;
        lo[0][i] = r->lo;
        hi[0][i] = r->hi;
        y[1][i] = r->pairwise;
        lo[1][i] = r->pairwise_lo;
        hi[1][i] = r->pairwise_hi;
    }
    for (int k = 0; k < 2 && !text->empty; k++) {
        chart_points(chart, k ? "Of answers that are either class" : "Of all answers", n, x, y[k], names);
        chart_intervals(chart, n, lo[k], hi[k]);
    }
    if (!text->empty) {
        chart_rule(chart, true, 0.5, "chance");
    }
    return chart;
}
