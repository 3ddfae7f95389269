/* fit_chart.c - the chart of the line through models that count. */
#include "figures/figures.h"
#include "web/measures/charts.h"
#include "web/measures/fit_data.h"
#include "web/parts/set_data.h"

static struct sv group_of(struct ctx *c, const struct model_line *l, int by)
{
    return l->facts ? model_facts_get(l->facts, &model_fact_list[by], c->arena) : SV("");
}

static const struct figure_model *models_of(struct ctx *c, const struct measures_fit *f)
{
    const struct measures *m = &f->m;
    struct figure_model *list = arena_calloc(c->arena, m->n + 1, sizeof *list);
    for (size_t i = 0; i < m->n; i++) {
        const struct model_score *on = m->lines[i]->on[SIDE_NEW];
        list[i] = (struct figure_model){
            .point = &f->points[f->at[i]],
            .group = group_of(c, m->lines[i], m->query.by),
            .ci = binomial_clopper_pearson(model_score_right(on, model_query_top(&m->t.query, SIDE_NEW)), on->predicted, 0.05)};
    }
    return list;
}

enum err_code chart_measures_fit(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct measures_query q;
    struct measures_fit f;
    if (measures_query_of(c, ask, &q) != OK || measures_fit_make(c, &q, 0, &f) != OK) {
        return c->err.code;
    }
    bool pair = f.points && f.m.n > 0;
    const struct figure_fit figure = {
        .original = model_axis_name(c, &f.m.t, SIDE_ORIGINAL, "the originals"),
        .fresh = model_axis_name(c, &f.m.t, SIDE_NEW, "the new set"),
        .top = model_query_top(&f.m.t.query, SIDE_NEW) == q.top ? q.top : 0,
        .part = subset_title(&f.m.t.subset, &f.m.t.fresh_subset, c->arena),
        .nameless = arena_printf(c->arena, "%s not said", model_fact_list[q.by].label),
        .scale = (enum share_scale)q.scale,
        .models = pair ? models_of(c, &f) : NULL,
        .n = pair ? f.m.n : 0,
        .found = f.any ? &f.found : NULL};
    *out = figure_fit(c->arena, &figure);
    return OK;
}
