/* charts.c - accuracy by selection frequency as bars, by revision as lines. */
#include "web/measures/charts.h"

#include <math.h>
#include <string.h>

#include "figures/figures.h"
#include "web/core/page_data.h"
#include "web/measures/parts.h"
#include "web/parts/set_data.h"

static const char no_votes[] = "No image of these sets has counted answers: open a campaign, import votes or choose another view.";
static const char no_models[] = "No model has predicted all images yet.";

static enum err_code read_measures(struct ctx *c, const struct chart_ask *ask, struct measures *m)
{
    struct measures_query q;
    enum err_code rc = measures_query_of(c, ask, &q);
    return rc == OK ? measures_make(c, &q, m) : rc;
}

static const char *view_words(struct ctx *c, const struct measures *m)
{
    return sv_is(m->view, "default") ? "" : arena_printf(c->arena, ", view " SV_FMT, SV_ARG(m->view));
}

static const char *subset_words(struct ctx *c, const struct measures *m)
{
    const char *title = subset_title(&m->t.subset, &m->t.fresh_subset, c->arena);
    return title ? arena_printf(c->arena, " (%s)", title) : "";
}

static const char *set_name(struct ctx *c, const struct measures *m, int side)
{
    return set_title(c->arena, m->t.sets[side].r);
}

/* ---- by frequency ---- */

static size_t binned_images(const struct binned *b)
{
    size_t n = 0;
    for (int k = 0; k < HISTOGRAM_BINS; k++) {
        n += b->images[k];
    }
    return n;
}

static struct figure_bars bars_of(const char *name, const struct proportion p[HISTOGRAM_BINS])
{
    struct figure_bars bars = {.name = name};
    memcpy(bars.at, p, sizeof bars.at);
    return bars;
}

/* "9,701 of 10,000 images of fresh/2 are in a bin (190, 722, 1,497, 2,168, 5,124)", and why the others are not. */
static const char *binned_words(struct ctx *c, const struct measures *m, int side, const struct binned *b)
{
    struct arena *a = c->arena;
    const char *each = "", *sealed = "";
    size_t n = binned_images(b);
    for (int k = 0; k < HISTOGRAM_BINS; k++) {
        each = arena_printf(a, "%s%s%s", each, k ? ", " : "", data_count(a, b->images[k]));
    }
    if (b->sealed) {
        sealed = arena_printf(a, "; %s are in a sealed set too", data_count(a, b->sealed));
    }
    return arena_printf(a, " Of %s, %s of %s images are in a bin (%s)%s.", set_name(c, m, side),
                        data_count(a, (int64_t)n), data_count(a, (int64_t)(n + b->unanswered + b->sealed)), each, sealed);
}

enum err_code chart_measures_bins(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct measures m;
    struct binned b[SIDES];
    size_t images = 0;
    const char *binned = "";
    if (read_measures(c, ask, &m) != OK) {
        return c->err.code;
    }
    for (int side = 0; side < SIDES; side++) {
        if (m.t.sets[side].r) {
            if (measures_bins(c, &m, (enum model_side)side, &b[side]) != OK) {
                return c->err.code;
            }
            images += binned_images(&b[side]);
            binned = arena_printf(c->arena, "%s%s", binned, binned_words(c, &m, side, &b[side]));
        }
    }
    const struct figure_text text = {
        .title = arena_printf(c->arena, "Top-%d accuracy by selection frequency", m.query.top),
        .description = arena_printf(c->arena, "%s on images that so many selected%s%s, with 95 %% intervals over images.%s",
                                    measures_models_words(c, &m), view_words(c, &m), subset_words(c, &m), binned),
        .empty = m.n == 0 ? no_models : images == 0 ? no_votes : NULL};
    struct figure_bars bars[SIDES];
    size_t n = 0;
    for (int side = 0; side < SIDES; side++) {
        if (m.t.sets[side].r) {
            bars[n++] = bars_of(set_name(c, &m, side), m.query.top == 5 ? b[side].mean5 : b[side].mean1);
        }
    }
    *out = figure_bins(c->arena, &text, bars, n);
    return OK;
}

enum err_code chart_measures_model_bins(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct measures m;
    struct binned b;
    enum model_side side = SIDE_ORIGINAL;
    if (read_measures(c, ask, &m) != OK || measures_side_of(c, &m, ask->set, &side) != OK ||
        measures_bins(c, &m, side, &b) != OK) {
        return c->err.code;
    }
    size_t images = binned_images(&b);
    const struct figure_text text = {
        .title = arena_printf(c->arena, "By model on %s", set_name(c, &m, side)),
        .description = arena_printf(c->arena, "Top-%d accuracy by selection frequency%s%s, with 95 %% Clopper-Pearson intervals.",
                                    m.query.top, view_words(c, &m), subset_words(c, &m)),
        .empty = m.n == 0 ? no_models : images == 0 ? no_votes : NULL};
    struct figure_bars bars[MEASURES_LINES];
    size_t n = m.n < MEASURES_LINES ? m.n : MEASURES_LINES;
    for (size_t i = 0; i < n; i++) {
        struct proportion p[HISTOGRAM_BINS];
        for (int k = 0; k < HISTOGRAM_BINS; k++) {
            const struct binned_count *count = &b.models[i].bins[k];
            p[k] = binomial_proportion(m.query.top == 5 ? count->top5 : count->top1, count->n);
        }
        bars[i] = bars_of(arena_cstr(c->arena, m.names[i]), p);
    }
    *out = figure_bins(c->arena, &text, bars, n);
    return OK;
}

/* ---- by revision ---- */

/* Categories of both charts, so that one stands below the other: the numbers of the revisions. */
struct revisions {
    struct measures m;
    struct revision_line *lines;
    size_t n, scored;
    const char **names;
    const char *set;
};

static enum err_code read_revisions(struct ctx *c, const struct chart_ask *ask, struct revisions *r)
{
    *r = (struct revisions){.n = 0};
    if (read_measures(c, ask, &r->m) != OK || measures_revisions(c, &r->m, &r->lines, &r->n) != OK) {
        return c->err.code;
    }
    r->names = arena_calloc(c->arena, r->n + 1, sizeof *r->names);
    r->set = r->n ? arena_cstr(c->arena, r->lines[0].revision->set) : "the set";
    for (size_t i = 0; i < r->n; i++) {
        r->names[i] = arena_printf(c->arena, "%lld", (long long)r->lines[i].revision->number);
        r->scored += r->lines[i].scoreable;
    }
    return OK;
}

static struct figure_line line_of(struct ctx *c, const struct revisions *r, size_t model)
{
    struct proportion *at = arena_calloc(c->arena, r->n + 1, sizeof *at);
    int top = r->m.query.top;
    for (size_t i = 0; i < r->n; i++) {
        const struct model_score *s = &r->lines[i].on[model];
        bool whole = model_score_complete(s, top);
        at[i] = binomial_proportion(whole ? model_score_right(s, top) : 0, whole ? s->predicted : 0);
    }
    return (struct figure_line){arena_cstr(c->arena, r->m.names[model]), at};
}

static const char *one_revision(struct ctx *c, const struct revisions *r)
{
    return arena_printf(c->arena, "There is one revision of %s. What a further one changes is shown here.", r->set);
}

enum err_code chart_measures_revisions(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct revisions r;
    if (read_revisions(c, ask, &r) != OK) {
        return c->err.code;
    }
    size_t models = measures_followed(&r.m);
    const char *sealed =
        r.scored == r.n ? "" : arena_printf(c->arena, " %zu sealed ones are not scored.", r.n - r.scored);
    const struct figure_text text = {
        .title = arena_printf(c->arena, "Top-%d accuracy by revision", r.m.query.top),
        .description = arena_printf(c->arena,
                                    "%zu revision%s of %s, with 95 %% Clopper-Pearson intervals, where all images are predicted%s.%s", r.n,
                                    r.n == 1 ? "" : "s", r.set, subset_words(c, &r.m), sealed),
        .empty = !models ? no_models : r.n < 2 ? one_revision(c, &r) : NULL};
    struct figure_line lines[MEASURES_LINES];
    for (size_t i = 0; i < models; i++) {
        lines[i] = line_of(c, &r, i);
    }
    *out = figure_revisions(c->arena, &text, r.set, r.names, r.n, lines, models);
    return OK;
}

enum err_code chart_measures_changes(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct revisions r;
    if (read_revisions(c, ask, &r) != OK) {
        return c->err.code;
    }
    double *added = arena_calloc(c->arena, r.n + 1, sizeof *added);
    double *removed = arena_calloc(c->arena, r.n + 1, sizeof *removed);
    bool any = false;
    for (size_t i = 0; i < r.n; i++) {
        const struct revision_line *l = &r.lines[i];
        added[i] = l->changed ? (double)l->added : (double)NAN;
        removed[i] = l->changed ? (double)l->removed : (double)NAN;
        any = any || l->changed;
    }
    const struct chart_options o = {.title = "Images changed by revision",
                                    .description = "What each revision added to the one that it was made from, and removed.",
                                    .empty = any ? NULL : "No revision was made from another one.",
                                    .x = {.label = arena_printf(c->arena, "Revision of %s", r.set),
                                          .form = CHART_COUNT,
                                          .names = r.names,
                                          .n_names = r.n},
                                    .y = {.label = "Images", .form = CHART_COUNT},
                                    .height = 340};
    *out = chart_new(c->arena, &o);
    if (any) {
        chart_bars(*out, "Added", r.n, added);
        chart_bars(*out, "Removed", r.n, removed);
    }
    return OK;
}
