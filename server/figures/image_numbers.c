/* image_numbers.c - how many of something images have, as bars with intervals. */
#include "figures/figures.h"

static void add_numbers(struct arena *a, struct chart *chart, const struct figure_numbers *s, size_t most)
{
    double *value = arena_calloc(a, most + 1, sizeof *value), *lo = arena_calloc(a, most + 1, sizeof *lo),
           *hi = arena_calloc(a, most + 1, sizeof *hi);
    int64_t images = 0, at[FIGURE_NUMBERS_MOST + 1] = {0};
    for (size_t i = 0; i < s->n; i++) {
        at[s->rows[i].n < most ? s->rows[i].n : most] += s->rows[i].images;
        images += s->rows[i].images;
    }
    for (size_t i = 0; i <= most; i++) {
        struct proportion p = binomial_proportion(at[i], images);
        value[i] = p.value;
        lo[i] = p.lo;
        hi[i] = p.hi;
    }
    chart_bars(chart, s->name, most + 1, value);
    chart_intervals(chart, most + 1, lo, hi);
}

struct chart *figure_numbers(struct arena *a, const struct figure_text *text, const char *of, const struct figure_numbers *series, size_t n)
{
    size_t most = 0;
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < series[k].n; i++) {
            most = series[k].rows[i].n > most ? series[k].rows[i].n : most;
        }
    }
    bool cut = most > FIGURE_NUMBERS_MOST;
    most = cut ? FIGURE_NUMBERS_MOST : most;
    const char **names = arena_calloc(a, most + 1, sizeof *names);
    for (size_t i = 0; i <= most; i++) {
        names[i] = arena_printf(a, "%zu%s", i, cut && i == most ? " and more" : "");
    }
    const struct chart_options o = {.title = text->title,
                                    .description = text->description,
                                    .empty = text->empty,
                                    .x = {.label = of, .form = CHART_COUNT, .names = names, .n_names = most + 1},
                                    .y = {.label = "Share of images", .form = CHART_PERCENT}};
    struct chart *chart = chart_new(a, &o);
    for (size_t k = 0; k < n && !text->empty; k++) {
        add_numbers(a, chart, &series[k], most);
    }
    return chart;
}
