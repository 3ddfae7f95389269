/* charts.c - charts of the first page and of a campaign's page: answers over time, frequencies
 * of candidates beside originals, selection by position in the grid. Rows of the table in core/charts.c. */
#include <math.h>

#include "base/clock.h"
#include "web/campaigns/charts.h"
#include "web/core/charts.h"
#include "web/core/page_data.h"
#include "web/parts/live_data.h"

enum { QUARTERS = STATS_MINUTES / 15, MINUTE_MS = 60000 };

/* One window of the pulse. */
struct window {
    const char *what;  /* "the last hour" */
    unsigned points, minutes; /* of each point */
};
static const struct window hour = {"the last hour", PACE_HOUR, 1};
static const struct window day = {"the last 24 hours", QUARTERS, 15};

/* The campaign that is asked for; NULL (and no error) when it has no grids. */
static enum err_code find_campaign(struct ctx *c, const struct chart_ask *ask,
                                   const struct stats *s, const struct stats_campaign **out,
                                   struct campaign *k)
{
    enum err_code rc = campaigns_find(c->db, ask->campaign, c->arena, k, &c->err);
    *out = rc == OK ? stats_campaign(s, k->id) : NULL;
    return rc;
}

/* Points begin at whole minutes or quarters of an hour, so that they stay what they are; the last is
 * the one that is not over. `k` NULL: of all campaigns. */
static struct chart *pulse(struct ctx *c, const struct stats *s, const struct stats_campaign *k,
                           const struct window *w)
{
    int64_t now = pace_now(s, clock_wall_ms()), minute = now / MINUTE_MS;
    unsigned begun = (unsigned)(minute % w->minutes) + 1; /* minutes of the last point so far */
    double *x = arena_calloc(c->arena, w->points, sizeof *x);
    double *y = arena_calloc(c->arena, w->points, sizeof *y), most = 0;
    uint64_t all = 0;
    for (unsigned i = 0; i < w->points; i++) {
        unsigned back = w->points - 1 - i, length = back ? w->minutes : begun;
        unsigned newest = back ? begun + (back - 1) * w->minutes : 0; /* minutes ago */
        uint32_t sum = 0;
        for (unsigned m = 0; m < length; m++) {
            sum += pace_minute(s, k, now, newest + m);
        }
        all += sum;
        x[i] = (double)(minute - newest - length + 1) * MINUTE_MS;
        y[i] = (double)sum / length;
        most = y[i] > most ? y[i] : most;
    }
    const char *peak = most == floor(most) || most >= 100
                           ? data_count(c->arena, (int64_t)most)
                           : arena_printf(c->arena, "%.1f", most);
    struct chart_options o = {
        .title = arena_printf(c->arena, "Answers per minute, %s", w->what),
        .description =
            all ? arena_printf(c->arena,
                               "%s answer%s, at most %s a minute. The last point is still filling.",
                               data_count(c->arena, (int64_t)all), all == 1 ? "" : "s", peak)
                : arena_printf(c->arena, "Nobody answered in %s.", w->what),
        .empty = "There is nothing to draw yet.",
        .x = {.label = "Time", .scale = CHART_TIME},
        .y = {.label = "Answers per minute", .hi = most > 4 ? 0 : 4},
    };
    struct chart *chart = chart_new(c->arena, &o);
    if (all) {
        chart_line(chart, w->minutes > 1 ? "15-minute mean" : "answers", w->points, x, y);
    }
    return chart;
}

static enum err_code overview_window(struct ctx *c, const struct window *w, struct chart **out)
{
    const struct stats *s = stats_get(app_stats(c->app));
    *out = pulse(c, s, NULL, w);
    stats_put(app_stats(c->app), s);
    return OK;
}

enum err_code chart_overview_pulse(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    (void)ask;
    return overview_window(c, &hour, out);
}

enum err_code chart_overview_day(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    (void)ask;
    return overview_window(c, &day, out);
}

static enum err_code campaign_window(struct ctx *c, const struct chart_ask *ask,
                                     const struct window *w, struct chart **out)
{
    static const struct stats_campaign none = {0};
    const struct stats *s = stats_get(app_stats(c->app));
    const struct stats_campaign *v;
    struct campaign k;
    enum err_code rc = find_campaign(c, ask, s, &v, &k);
    if (rc == OK) {
        *out = pulse(c, s, v ? v : &none, w);
    }
    stats_put(app_stats(c->app), s);
    return rc;
}

enum err_code chart_campaign_pulse(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    return campaign_window(c, ask, &hour, out);
}

enum err_code chart_campaign_day(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    return campaign_window(c, ask, &day, out);
}

/* The share of the images in each bin, with its interval: images are drawn one by one. */
static void add_bins(struct chart *chart, const char *name, const uint64_t n[STATS_BINS])
{
    double share[STATS_BINS], lo[STATS_BINS], hi[STATS_BINS];
    uint64_t all = 0;
    for (unsigned b = 0; b < STATS_BINS; b++) {
        all += n[b];
    }
    for (unsigned b = 0; b < STATS_BINS && all; b++) {
        struct interval ci = binomial_clopper_pearson((int64_t)n[b], (int64_t)all, 0.05);
        share[b] = (double)n[b] / (double)all;
        lo[b] = ci.lo;
        hi[b] = ci.hi;
    }
    if (all) {
        chart_bars(chart, name, STATS_BINS, share);
        chart_intervals(chart, STATS_BINS, lo, hi);
    }
}

enum err_code chart_overview_histogram(struct ctx *c, const struct chart_ask *ask,
                                       struct chart **out)
{
    static const char *const bins[STATS_BINS] = {"0 to 0.2", "0.2 to 0.4", "0.4 to 0.6",
                                                 "0.6 to 0.8", "0.8 to 1"};
    uint64_t n[2][STATS_BINS] = {{0}}, all[2] = {0};
    const struct stats *s = stats_get(app_stats(c->app));
    (void)ask;
    for (size_t i = 0; i < s->n_classes; i++) {
        for (unsigned b = 0; b < STATS_BINS; b++) {
            n[0][b] += s->classes[i].originals[b];
            n[1][b] += s->classes[i].candidates[b];
        }
    }
    stats_put(app_stats(c->app), s);
    for (unsigned b = 0; b < STATS_BINS; b++) {
        all[0] += n[0][b];
        all[1] += n[1][b];
    }
    struct chart_options o = {
        .title = "Selection frequency of images, all classes",
        .description = arena_printf(c->arena,
                                    "%s originals and %s candidates with at least %d answers.",
                                    data_count(c->arena, (int64_t)all[0]),
                                    data_count(c->arena, (int64_t)all[1]), STATS_LEAST_ANSWERS),
        .empty = arena_printf(c->arena, "No image has %d answers yet.", STATS_LEAST_ANSWERS),
        .x = {.label = "Selection frequency", .names = bins, .n_names = STATS_BINS},
        .y = {.label = "Share of images", .form = CHART_PERCENT},
    };
    *out = chart_new(c->arena, &o);
    add_bins(*out, "originals", n[0]);
    add_bins(*out, "candidates", n[1]);
    return OK;
}

static void add_positions(struct chart *chart, const struct stats_campaign *k)
{
    double x[STATS_POSITIONS], y[STATS_POSITIONS], lo[STATS_POSITIONS], hi[STATS_POSITIONS];
    uint64_t shown = 0, selected = 0;
    unsigned n = 0;
    for (unsigned i = 0; i < STATS_POSITIONS; i++) {
        if (k->shown[i] == 0) {
            continue;
        }
        struct interval ci =
            binomial_clopper_pearson((int64_t)k->selected[i], (int64_t)k->shown[i], 0.05);
        x[n] = i + 1;
        y[n] = (double)k->selected[i] / (double)k->shown[i];
        lo[n] = ci.lo;
        hi[n++] = ci.hi;
        shown += k->shown[i];
        selected += k->selected[i];
    }
    if (n) {
        chart_points(chart, "selection rate", n, x, y, NULL);
        chart_intervals(chart, n, lo, hi);
        chart_rule(chart, true, (double)selected / (double)shown, "mean");
    }
}

enum err_code chart_campaign_positions(struct ctx *c, const struct chart_ask *ask,
                                       struct chart **out)
{
    const struct stats *s = stats_get(app_stats(c->app));
    const struct stats_campaign *v;
    struct campaign k;
    enum err_code rc = find_campaign(c, ask, s, &v, &k);
    if (rc == OK) {
        struct chart_options o = {
            .title = "Selection rate by position in the grid",
            .description = "Candidates only, by the position where people saw them, with 95 % intervals. Position 1 "
                           "is the first in the top row.",
            .empty = "Nobody has answered yet.",
            .x = {.label = "Position in the grid", .form = CHART_COUNT, .lo = 1, .hi = STATS_POSITIONS},
            .y = {.label = "Selection rate", .form = CHART_SHARE},
        };
        *out = chart_new(c->arena, &o);
        if (v) {
            add_positions(*out, v);
        }
    }
    stats_put(app_stats(c->app), s);
    return rc;
}
