/* by_frequency.c - accuracy by selection frequency as bars with intervals. */
#include "figures/figures.h"

#include <math.h>

static void add_bars(struct chart *chart, const struct figure_bars *bars)
{
    double value[HISTOGRAM_BINS], lo[HISTOGRAM_BINS], hi[HISTOGRAM_BINS];
    for (int k = 0; k < HISTOGRAM_BINS; k++) {
        value[k] = bars->at[k].value;
        lo[k] = bars->at[k].lo;
        hi[k] = bars->at[k].hi;
    }
    chart_bars(chart, bars->name, HISTOGRAM_BINS, value);
    chart_intervals(chart, HISTOGRAM_BINS, lo, hi);
}

struct figure_bars figure_bars_corrected(const char *name, const struct adjusted_gap *g, const struct adjusted_line *of, int side)
{
    struct figure_bars bars = {.name = name};
    const double none = (double)NAN;
    for (int k = 0; k < HISTOGRAM_BINS; k++) {
        const struct adjusted_estimate *e = &of->bins[k].at[side];
        bool known = g->bins[k].known[side], bounded = known && e->interval;
        bars.at[k] = (struct proportion){known ? e->value : none, bounded ? e->lo : none, bounded ? e->hi : none};
    }
    return bars;
}

struct chart *figure_bins(struct arena *a, const struct figure_text *text, const struct figure_bars *bars, size_t n)
{
    const struct chart_options o = {
        .title = text->title,
        .description = text->description,
        .empty = text->empty,
        .x = {.label = "Selection frequency", .form = CHART_COUNT, .names = histogram_bin_words, .n_names = HISTOGRAM_BINS},
        .y = {.label = "Accuracy", .form = CHART_PERCENT, .lo = 0, .hi = 1},
        .height = 340};
    struct chart *chart = chart_new(a, &o);
    for (size_t i = 0; i < n && !text->empty; i++) {
        add_bars(chart, &bars[i]);
    }
    return chart;
}
