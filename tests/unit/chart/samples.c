/* samples.c - one chart of each form. */
#include "chart/samples.h"

#include <math.h>

static const char *const bins[] = {"0\xe2\x80\x93"
                                   "0.2",
                                   "0.2\xe2\x80\x93"
                                   "0.4",
                                   "0.4\xe2\x80\x93"
                                   "0.6",
                                   "0.6\xe2\x80\x93"
                                   "0.8",
                                   "0.8\xe2\x80\x93"
                                   "1"};

static struct chart *bars(struct arena *a)
{
    struct chart *c =
        chart_new(a, &(struct chart_options){
                         .title = "Images by selection frequency",
                         .description = "Originals stand to the right, candidates to the left.",
                         .x = {.label = "selection frequency", .names = bins, .n_names = 5},
                         .y = {.label = "images", .form = CHART_COUNT},
                     });
    chart_bars(c, "originals", 5, (double[]){2, 3, 9, 31, 25});
    chart_intervals(c, 5, (double[]){1, 1, NAN, 25, 20}, (double[]){4, 6, 12, 37, 31});
    chart_bars(c, "candidates", 5, (double[]){1200, 640, 210, 0, -0.0});
    chart_rule(c, true, 500, "target");
    return c;
}

static struct chart *times(struct arena *a)
{
    enum { MINUTES = 90 };
    double x[MINUTES], y[MINUTES], z[MINUTES];
    for (int i = 0; i < MINUTES; i++) {
        x[i] = 1714730000000.0 + i * 60000.0;
        y[i] = i * 7 % 13;
        z[i] = i > 30 && i < 40 ? (double)NAN : i * 3 % 5;
    }
    struct chart *c = chart_new(
        a, &(struct chart_options){.title = "Answers per minute",
                                   .description = "Steady, with a gap.",
                                   .x = {.label = "time", .scale = CHART_TIME},
                                   .y = {.label = "answers per minute", .form = CHART_COUNT}});
    chart_line(c, "accepted", MINUTES, x, y);
    chart_line(c, "surplus", MINUTES, x, z);
    chart_rule(c, false, x[45], "paused");
    return c;
}

static struct chart *scatter(struct arena *a, enum chart_scale scale)
{
    enum { MODELS = 12 };
    double x[MODELS], y[MODELS], lo[MODELS], hi[MODELS];
    const char *names[MODELS];
    for (int i = 0; i < MODELS; i++) {
        x[i] = 0.5 + 0.04 * i;
        y[i] = x[i] - 0.1 + 0.01 * (i % 3);
        lo[i] = y[i] - 0.02;
        hi[i] = y[i] + 0.02;
        names[i] = arena_printf(a, "model_%d <\"&'>", i);
    }
    struct chart *c =
        chart_new(a, &(struct chart_options){
                         .title = "Original against new accuracy",
                         .description = "Every model loses about a tenth.",
                         .x = {.label = "original accuracy", .scale = scale, .form = CHART_PERCENT},
                         .y = {.label = "new accuracy", .scale = scale, .form = CHART_PERCENT},
                         .width = 480,
                         .height = 400,
                     });
    chart_band(c, "fit", MODELS, x, lo, hi);
    chart_line(c, "fit", MODELS, x, y);
    chart_points(c, "models", MODELS, x, y, names);
    chart_intervals(c, MODELS, lo, hi);
    return c;
}

static struct chart *linear(struct arena *a)
{
    return scatter(a, CHART_LINEAR);
}

static struct chart *probit(struct arena *a)
{
    return scatter(a, CHART_PROBIT);
}

static struct chart *logit(struct arena *a)
{
    return scatter(a, CHART_LOGIT);
}

static struct chart *logarithmic(struct arena *a)
{
    struct chart *c = chart_new(
        a,
        &(struct chart_options){.title = "Interval against answers",
                                .description = "Narrower with every answer.",
                                .x = {.label = "answers", .scale = CHART_LOG, .form = CHART_COUNT},
                                .y = {.label = "width", .scale = CHART_LOG, .form = CHART_SHARE}});
    chart_line(c, "width", 6, (double[]){0, 1, 10, 100, 1000, 10000},
               (double[]){1, 0.98, 0.6, 0.2, 0.06, 0.02});
    return c;
}

static struct chart *empty(struct arena *a)
{
    return chart_new(
        a, &(struct chart_options){
               .title = "Answers per minute",
               .description = "Nothing yet.",
               .empty = "No answers yet. They appear here as soon as the first worker submits a "
                        "grid.",
               .x = {.label = "time", .scale = CHART_TIME}});
}

static struct chart *cells(struct arena *a)
{
    static const char *const names[] = {"laptop", "notebook <i>", "maillot"};
    static const double columns[3][3] = {{0.5, 0.25, 0}, {0.1, 0.9, (double)NAN}, {0, 0, 1}};
    struct chart *c = chart_new(a, &(struct chart_options){.title = "Most confused classes",
                                                           .description = "A row for each label.",
                                                           .x = {.label = "Label", .names = names, .n_names = 3},
                                                           .y = {.label = "Share", .form = CHART_PERCENT}});
    for (size_t k = 0; k < 3; k++) {
        chart_cells(c, names[k], 3, columns[k]);
    }
    return c;
}

const struct sample samples[] = {
    {"cells", cells},
    {"bars", bars},   {"times", times},     {"scatter", linear}, {"probit", probit},
    {"logit", logit}, {"log", logarithmic}, {"empty", empty},
};
const size_t samples_count = sizeof samples / sizeof *samples;

struct str sample_svg(const struct chart *c, const char *name)
{
    struct str out;
    str_init(&out, 64 << 20);
    struct str id;
    str_init(&id, 128);
    str_printf(&id, "chart-%s", name);
    chart_svg(c, id.p, &out);
    str_release(&id);
    return out;
}
