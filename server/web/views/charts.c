/* charts.c - what the filters of a vote view do to the means. */
#include "web/views/charts.h"

#include <math.h>
#include <string.h>

#include "web/core/view_choice.h"

enum { GROUPS_MOST = VIEW_FILTERS_MOST + 2 };

/* The readings side by side: no filter, each alone, every filter. */
struct readings {
    const char *names[GROUPS_MOST];
    const struct view_mean *means[GROUPS_MOST];
    size_t n;
};

static void add(struct readings *r, const char *name, const struct view_mean *m)
{
    r->names[r->n] = name;
    r->means[r->n++] = m;
}

/* Short enough to stand below a bar: "answers >= 5"; the table beside the chart has the sentence. */
static const char *short_name(const struct view_filter *f, struct arena *a)
{
    const struct view_rule_info *info = &view_rule_infos[f->rule];
    size_t n = strlen(info->word);
    n -= info->unit[0] && n > strlen("-least") ? strlen("-least") : 0;
    return info->unit[0]
               ? arena_printf(a, "%.*s \xe2\x89\xa5 %g", (int)n, info->word, f->value)
               : info->word;
}

static void add_series(struct chart *chart, const char *name, const struct readings *r,
                       enum cell_role role)
{
    double y[GROUPS_MOST], lo[GROUPS_MOST], hi[GROUPS_MOST];
    for (size_t i = 0; i < r->n; i++) {
        const struct view_mean *m = r->means[i];
        bool any = m->shown[role] > 0;
        y[i] = any ? (double)m->selected[role] / (double)m->shown[role] : NAN;
        lo[i] = any ? m->ci[role].lo : NAN;
        hi[i] = any ? m->ci[role].hi : NAN;
    }
    chart_bars(chart, name, r->n, y);
    chart_intervals(chart, r->n, lo, hi);
}

static struct chart *draw(struct arena *a, const struct counted_view *v)
{
    const struct view_rules *rules = &v->view.rules;
    struct readings r = {.n = 0};
    add(&r, "no filter", &v->counts.all);
    for (size_t i = 0; i < rules->n; i++) {
        add(&r, short_name(&rules->filters[i], a), &v->counts.alone[i]);
    }
    if (rules->n > 1) {
        add(&r, "every filter", &v->counts.with);
    }
    const struct chart_options o = {
        .title = arena_printf(a, "Means under the view " SV_FMT, SV_ARG(v->view.name)),
        .description =
            rules->n ? "Share of votes that selected the image, for originals, candidates and negative controls: "
                       "without filters, with each filter alone, and with all of them. "
                       "Bars have 95 % intervals clustered by person."
                     : "Share of votes that selected the image, for originals, candidates and negative controls. "
                       "The view has no filters. Bars have 95 % intervals clustered by "
                       "person.",
        .empty = "No answers are counted by this view.",
        .x = {.label = "Filter", .names = r.names, .n_names = r.n},
        .y = {.label = "Share selected", .form = CHART_SHARE, .lo = 0, .hi = 1},
    };
    struct chart *chart = chart_new(a, &o);
    if (v->counts.all.answers > 0) {
        add_series(chart, "Originals", &r, CELL_POSITIVE);
        add_series(chart, "Candidates", &r, CELL_CANDIDATE);
        add_series(chart, "Negative controls", &r, CELL_NEGATIVE);
    }
    return chart;
}

enum err_code chart_view_means(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    const struct counted_view *v;
    if (view_choice_get(c, ask->view.n ? ask->view : SV("default"), &v) != OK) {
        return c->err.code;
    }
    *out = draw(c->arena, v); /* copies what it shows */
    view_choice_put(v);
    return OK;
}
