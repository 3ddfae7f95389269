/* by_revision.c - accuracy by revision: a line with its band for each model. */
#include "figures/figures.h"

static void add_line(struct arena *a, struct chart *chart, const struct figure_line *line, size_t n)
{
    double *x = arena_calloc(a, n + 1, sizeof *x), *y = arena_calloc(a, n + 1, sizeof *y),
           *lo = arena_calloc(a, n + 1, sizeof *lo), *hi = arena_calloc(a, n + 1, sizeof *hi);
    for (size_t i = 0; i < n; i++) {
        x[i] = (double)i;
        y[i] = line->at[i].value;
        lo[i] = line->at[i].lo;
        hi[i] = line->at[i].hi;
    }
    chart_band(chart, line->name, n, x, lo, hi);
    chart_line(chart, line->name, n, x, y);
}

struct chart *figure_revisions(struct arena *a, const struct figure_text *text, const char *set, const char *const *numbers,
                               size_t n_revisions, const struct figure_line *lines, size_t n)
{
    const struct chart_options o = {.title = text->title,
                                    .description = text->description,
                                    .empty = text->empty,
                                    .x = {.label = arena_printf(a, "Revision of %s", set),
                                          .form = CHART_COUNT,
                                          .names = numbers,
                                          .n_names = n_revisions},
                                    .y = {.label = "Accuracy", .form = CHART_PERCENT},
                                    .height = 340};
    struct chart *chart = chart_new(a, &o);
    for (size_t i = 0; i < n && !text->empty; i++) {
        add_line(a, chart, &lines[i], n_revisions);
    }
    return chart;
}
