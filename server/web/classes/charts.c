/* charts.c - the histogram of one class, all classes as points. */
#include "web/classes/charts.h"

#include "domain/grids/grid.h"
#include "store/classes/classes.h"
#include "web/core/page_data.h"
#include "web/parts/class_numbers.h"

static struct sv view_of(const struct chart_ask *ask)
{
    return ask->view.n ? ask->view : SV("default");
}

static uint64_t sum_of(const uint32_t h[HISTOGRAM_BINS])
{
    uint64_t sum = 0;
    for (int i = 0; i < HISTOGRAM_BINS; i++) {
        sum += h[i];
    }
    return sum;
}

static void add_bars(struct chart *chart, const char *name, const uint32_t h[HISTOGRAM_BINS])
{
    double y[HISTOGRAM_BINS];
    for (int i = 0; i < HISTOGRAM_BINS; i++) {
        y[i] = h[i];
    }
    chart_bars(chart, name, HISTOGRAM_BINS, y);
}

enum err_code chart_class_histogram(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct class_info k;
    struct class_numbers n;
    struct sv view = view_of(ask);
    if (classes_find(c->db, ask->wnid, c->arena, &k, &c->err) != OK ||
        class_numbers_one(c, view, k.id, &n) != OK) {
        return c->err.code;
    }
    uint64_t originals = sum_of(n.s.originals), candidates = sum_of(n.s.candidates);
    struct chart_options o = {
        .title = arena_printf(c->arena, "Images by selection frequency: %s",
                              data_synset(c->arena, k.synset, ", ")),
        .description = arena_printf(
            c->arena, "%s original%s and %s candidate%s with at least %d answers, view " SV_FMT ".",
            data_count(c->arena, (int64_t)originals), originals == 1 ? "" : "s",
            data_count(c->arena, (int64_t)candidates), candidates == 1 ? "" : "s",
            STATS_LEAST_ANSWERS, SV_ARG(view)),
        .empty = originals + candidates
                     ? NULL
                     : arena_printf(c->arena, "No image has %d answers yet.", STATS_LEAST_ANSWERS),
        .x = {.label = "Selection frequency", .names = histogram_bin_words, .n_names = HISTOGRAM_BINS},
        .y = {.label = "Images", .form = CHART_COUNT},
    };
    *out = chart_new(c->arena, &o);
    if (originals + candidates) {
        add_bars(*out, "Originals", n.s.originals);
        add_bars(*out, "Candidates", n.s.candidates);
    }
    return OK;
}

enum err_code chart_classes_scatter(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct class_info *list;
    struct classes_counted all;
    size_t n, points = 0;
    struct sv view = view_of(ask);
    if (classes_list(c->db, c->arena, &list, &n, &c->err) != OK ||
        class_numbers_all(c, view, 0, &all) != OK) {
        return c->err.code;
    }
    double *x = arena_calloc(c->arena, n + 1, sizeof *x), *y = arena_calloc(c->arena, n + 1, sizeof *y);
    const char **names = arena_calloc(c->arena, n + 1, sizeof *names);
    for (size_t i = 0; i < n; i++) {
        struct stats_class s = class_numbers_of(&all, list[i].id).s;
        if (s.shown[CELL_POSITIVE] && s.shown[CELL_CANDIDATE]) {
            x[points] = (double)s.selected[CELL_POSITIVE] / (double)s.shown[CELL_POSITIVE];
            y[points] = (double)s.selected[CELL_CANDIDATE] / (double)s.shown[CELL_CANDIDATE];
            names[points++] = arena_printf(c->arena, SV_FMT " %s", SV_ARG(list[i].wnid),
                                           data_synset(c->arena, list[i].synset, ", "));
        }
    }
    struct chart_options o = {
        .title = "Candidates against originals, class by class",
        .description = arena_printf(
            c->arena, "A point for each of %s class%s with votes on both, view " SV_FMT ". On the "
            "line, candidates are selected as often as originals.",
            data_count(c->arena, (int64_t)points), points == 1 ? "" : "es", SV_ARG(view)),
        .empty = points ? NULL : "No class has votes on originals and on candidates yet.",
        .x = {.label = "Frequency of originals", .form = CHART_SHARE, .lo = 0, .hi = 1},
        .y = {.label = "Frequency of candidates", .form = CHART_SHARE, .lo = 0, .hi = 1},
        .height = 420,
    };
    *out = chart_new(c->arena, &o);
    if (points) {
        chart_points(*out, "Classes", points, x, y, names);
        chart_line(*out, "Equally often", 2, (double[]){0, 1}, (double[]){0, 1});
    }
    return OK;
}
