/* charts.c - accuracy on a new set against the originals, accuracy by model, accuracy of one
 * model class by class. */
#include "web/models/charts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/model_points.h"
#include "stats/binomial.h"
#include "web/core/page_data.h"
#include "web/models/class_scores.h"
#include "web/parts/set_data.h"
#include "web/scoring/model_table.h"

/* More categories than these, and longer ones, are numbered instead of named: names would lie on
 * each other. */
enum { NAMES_MOST = 24, NAME_LONG = 15 };
enum { GROUPS_MOST = 7 }; /* a colour is the line's */

/* ---- what is asked for ---- */

static enum err_code read_scale(struct ctx *c, struct sv scale, enum chart_scale *out)
{
    *out = sv_is(scale, "probit")  ? CHART_PROBIT
           : sv_is(scale, "logit") ? CHART_LOGIT
                                   : CHART_LINEAR;
    return scale.n == 0 || *out != CHART_LINEAR || sv_is(scale, "linear")
               ? OK
               : err_rule(&c->err, ERR_INPUT, "chart-scale",
                          "scale must be linear, probit or logit.");
}

static enum err_code make_table(struct ctx *c, const struct chart_ask *ask, struct model_table *t)
{
    struct model_query q = {.sets = {ask->original, ask->fresh}, .subset = ask->subset, .new_subset = ask->new_subset, .labels = ask->labels,
                            .new_labels = ask->new_labels, .group = ask->group, .family = ask->family,
                            .sort = MODEL_RANK};
    enum err_code rc = model_top_read(c, ask->top, &q.top);
    rc = rc == OK ? model_new_top_read(c, ask->new_top, &q.new_top) : rc;
    return rc == OK ? model_table_make(c, &q, t) : rc;
}

/* "Top-1 accuracy", where it is the same of both sets. */
static const char *accuracy_words(struct ctx *c, const struct model_table *t)
{
    return model_query_top(&t->query, SIDE_NEW) == t->query.top ? arena_printf(c->arena, "Top-%d accuracy", t->query.top) : "Accuracy";
}

/* ---- the pair as points ---- */

struct ends {
    double least, most;
};

/* The models of both sets, and how far their intervals reach. */
static struct model_point *ranked_points(struct ctx *c, const struct model_table *t, struct ends *ends)
{
    struct model_point *p = arena_calloc(c->arena, t->n_ranked + 1, sizeof *p);
    *ends = (struct ends){1, 0};
    for (size_t i = 0; i < t->n_ranked; i++) {
        const struct score_line *l = &t->ranked[i];
        const struct model_facts *facts = model_table_line(t, l)->facts;
        p[i] = (struct model_point){.name = l->counts.model,
                                    .group = facts ? facts->group : SV(""),
                                    .x = l->orig_acc / 100,
                                    .y = l->new_acc / 100,
                                    .lo = l->new_lo / 100,
                                    .hi = l->new_hi / 100};
        ends->least = fmin(ends->least, fmin(p[i].x, p[i].lo));
        ends->most = fmax(ends->most, fmax(p[i].x, p[i].hi));
    }
    return p;
}

enum err_code chart_models_scatter(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct model_table t;
    enum chart_scale scale;
    if (read_scale(c, ask->scale, &scale) != OK || make_table(c, ask, &t) != OK ||
        model_table_gaps(c, &t, false) != OK) {
        return c->err.code;
    }
    struct ends reach;
    const struct model_point *p = ranked_points(c, &t, &reach);
    size_t n = t.n_ranked;
    const char *original = model_axis_name(c, &t, SIDE_ORIGINAL, "the originals");
    const char *fresh = model_axis_name(c, &t, SIDE_NEW, "the new set");
    struct chart_options o = {
        .title = arena_printf(c->arena, "%s on %s against %s", accuracy_words(c, &t), fresh, original),
        .description = arena_printf(
            c->arena,
            "A point for each of %zu model%s, with the 95 %% interval of its accuracy on %s. "
            "On the line, a model does as well on both.%s",
            n, n == 1 ? "" : "s", fresh,
            t.has_gaps && !t.gaps.classes.same
                ? " The sets have different classes, or different shares of them: all images of each count."
                : ""),
        .empty = n ? NULL : "No model has predicted all of both sets yet.",
        .x = {.label = arena_printf(c->arena, "On %s", original),
              .form = CHART_PERCENT,
              .scale = scale},
        .y = {.label = arena_printf(c->arena, "On %s", fresh),
              .form = CHART_PERCENT,
              .scale = scale},
        .height = 420,
    };
    *out = chart_new(c->arena, &o);
    if (n) {
        /* The ends of these two scales are infinitely far away. */
        double edge = scale == CHART_LINEAR ? 0 : 0.001;
        double ends[2] = {fmax(reach.least, edge), fmin(reach.most, 1 - edge)};
        model_points_add(c->arena, *out, p, n, GROUPS_MOST, "No group");
        chart_line(*out, "Equally accurate on both", 2, ends, ends);
    }
    return OK;
}

/* ---- accuracy by model ---- */

/* How many bytes all names begin with alike, up to a "_", "-" or "."; such families are common. */
static size_t same_start(const char *const *names, size_t n)
{
    size_t same = n > 1 ? strlen(names[0]) : 0;
    for (size_t i = 1; i < n; i++) {
        size_t at = 0;
        while (at < same && names[i][at] == names[0][at]) {
            at++;
        }
        same = at;
    }
    while (same && !strchr("_-.", names[0][same - 1])) {
        same--;
    }
    return same;
}

/* Whether categories can be named; where they begin alike, by what follows. */
static bool short_names(const char *const *names, size_t n, const char **out, size_t *same)
{
    bool all = n <= NAMES_MOST;
    *same = same_start(names, n);
    for (size_t i = 0; i < n && all; i++) {
        out[i] = names[i] + *same;
        all = out[i][0] && strlen(out[i]) <= NAME_LONG;
    }
    return all;
}

static void add_side(struct ctx *c, struct chart *chart, const struct model_table *t,
                     enum model_side side, const double *x, const char *const *names)
{
    size_t n = t->n_models;
    double *y = arena_calloc(c->arena, n + 1, sizeof *y),
           *lo = arena_calloc(c->arena, n + 1, sizeof *lo),
           *hi = arena_calloc(c->arena, n + 1, sizeof *hi);
    for (size_t i = 0; i < n; i++) {
        const struct model_score *s = t->lines[i].on[side];
        y[i] = lo[i] = hi[i] = NAN;
        int top = model_query_top(&t->query, side);
        if (model_score_knows(s, top)) {
            uint32_t k = model_score_right(s, top);
            struct interval ci = binomial_clopper_pearson(k, s->predicted, 0.05);
            y[i] = (double)k / (double)s->predicted;
            lo[i] = ci.lo;
            hi[i] = ci.hi;
        }
    }
    chart_points(chart, model_axis_name(c, t, side, ""), n, x, y, names);
    chart_intervals(chart, n, lo, hi);
}

enum err_code chart_models_accuracy(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct model_table t;
    if (make_table(c, ask, &t) != OK) {
        return c->err.code;
    }
    size_t n = t.n_models, same;
    double *x = arena_calloc(c->arena, n + 1, sizeof *x);
    const char **names = arena_calloc(c->arena, n + 1, sizeof *names);
    const char **brief = arena_calloc(c->arena, n + 1, sizeof *brief);
    for (size_t i = 0; i < n; i++) {
        names[i] = arena_cstr(c->arena, t.lines[i].model->name);
    }
    bool named = short_names(names, n, brief, &same),
         any = t.sets[SIDE_ORIGINAL].n || t.sets[SIDE_NEW].n;
    for (size_t i = 0; i < n; i++) {
        x[i] = (double)i + !named;
    }
    struct chart_options o = {
        .title = arena_printf(c->arena, "%s by model", accuracy_words(c, &t)),
        .description = arena_printf(c->arena,
                                    "%zu model%s in order of accuracy on the originals, with "
                                    "95 %% intervals.",
                                    n, n == 1 ? "" : "s"),
        .empty = any ? NULL : "No model has predicted one of these sets yet.",
        .x = {.label = !named ? "Position in that order"
                       : same ? arena_printf(c->arena, "%.*s\xe2\x80\xa6", (int)same, names[0])
                              : "Model",
              .form = CHART_COUNT,
              .names = named ? brief : NULL,
              .n_names = named ? n : 0},
        .y = {.label = "Accuracy", .form = CHART_PERCENT},
        .height = 420,
    };
    *out = chart_new(c->arena, &o);
    for (int side = 0; side < SIDES && any; side++) {
        if (t.sets[side].n) {
            add_side(c, *out, &t, (enum model_side)side, x, names);
        }
    }
    return OK;
}

/* ---- class by class ---- */

static void add_classes(struct ctx *c, struct chart *chart, const struct class_scores *s,
                        const char *const *names, bool named)
{
    double *x = arena_calloc(c->arena, s->n + 1, sizeof *x),
           *y = arena_calloc(c->arena, s->n + 1, sizeof *y);
    double *lo = arena_calloc(c->arena, s->n + 1, sizeof *lo);
    double *hi = arena_calloc(c->arena, s->n + 1, sizeof *hi);
    for (size_t i = 0; i < s->n; i++) {
        x[i] = (double)i + !named;
        y[i] = s->lines[i].share;
        lo[i] = s->lines[i].ci.lo;
        hi[i] = s->lines[i].ci.hi;
    }
    if (named) {
        chart_points(chart, "Accuracy", s->n, x, y, NULL);
        chart_intervals(chart, s->n, lo, hi);
    } else {
        chart_band(chart, "95 % interval", s->n, x, lo, hi);
        chart_points(chart, "Accuracy", s->n, x, y, names);
    }
}

enum err_code chart_model_classes(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct model_row model;
    struct revision_row r;
    struct class_scores s;
    int top;
    if (model_top_read(c, ask->top, &top) != OK ||
        models_find(c->db, ask->model, c->arena, &model, &c->err) != OK ||
        revisions_find(c->db, ask->set, c->arena, &r, &c->err) != OK ||
        class_scores_make(c, &r, model.id, top, CLASS_SCORE_ACCURACY, false, &s) != OK) {
        return c->err.code;
    }
    const char **names = arena_calloc(c->arena, s.n + 1, sizeof *names);
    for (size_t i = 0; i < s.n; i++) {
        names[i] = data_synset(c->arena, s.lines[i].info->synset, ", ");
    }
    bool named = s.n <= NAMES_MOST;
    struct chart_options o = {
        .title = arena_printf(c->arena, "Top-%d accuracy by class on %s: " SV_FMT, top,
                              set_title(c->arena, &r), SV_ARG(model.name)),
        .description = arena_printf(c->arena,
                                    "%s class%s with predictions, the worst first, with 95 %% "
                                    "intervals.",
                                    data_count(c->arena, (int64_t)s.n), s.n == 1 ? "" : "es"),
        .empty = s.n ? NULL : "The model has not predicted this set yet.",
        .x = {.label = named ? "Class" : "Classes, worst first",
              .form = CHART_COUNT,
              .names = named ? names : NULL,
              .n_names = named ? s.n : 0},
        .y = {.label = "Accuracy", .form = CHART_PERCENT, .lo = 0, .hi = 1},
    };
    *out = chart_new(c->arena, &o);
    if (s.n) {
        add_classes(c, *out, &s, names, named);
    }
    return OK;
}
