/* part_line.c - of a part: the line through models on all scales, what it says of each, and what explains it. */
#include <math.h>

#include "base/parallel.h"
#include "figures/figures.h"
#include "measures/fits/set_fit.h"
#include "report/part.h"
#include "store/models/model_facts.h"

enum { SCALES = 3 };

static const struct report_column fit_columns[] = {{"scale", "Scale", -1, 0, NULL, NULL},
                                                   {"n_models", "Models", -2, 0, NULL, NULL},
                                                   {"slope", "Slope", 3, 0, "slope_lo", "slope_hi"},
                                                   {"offset", "Offset", 2, 0, "offset_lo", "offset_hi"},
                                                   {"r2", "R\xc2\xb2", 3, 0, NULL, NULL},
                                                   {"bend", "Bend", 4, 0, "bend_lo", "bend_hi"},
                                                   {"per_year", "Residual per year", 3, 0, "per_year_lo", "per_year_hi"},
                                                   {"kendall", "Kendall", 3, 0, NULL, NULL},
                                                   {0}};
static const struct report_column residual_columns[] = {{"model", "Model", -1, 0, NULL, NULL},
                                                        {"x", "On the originals", 1, 0, NULL, NULL},
                                                        {"y", "On the new set", 1, 0, NULL, NULL},
                                                        {"fitted", "On the line", 1, 0, "fitted_lo", "fitted_hi"},
                                                        {"residual", "Residual", 3, 0, NULL, NULL},
                                                        {"effective_robustness", "Effective robustness", 1, 0, NULL, NULL},
                                                        {"used", "Fitted to it", -1, 0, NULL, NULL},
                                                        {0}};

static bool in_report(const struct report_run *r, struct sv model)
{
    size_t i = 0;
    while (i < r->n_models && !sv_eq(r->models[i].name, model)) {
        i++;
    }
    return i < r->n_models;
}

/* Every model that the line is not fitted to: those asked for, and those that the report is not about. */
static enum err_code list_without(const struct part_run *t, struct sv **out, size_t *n)
{
    struct report_run *r = t->r;
    struct model_row *all;
    size_t n_all = 0;
    enum err_code rc = models_list(r->db, false, r->a, &all, &n_all, r->err);
    *n = 0;
    if (rc != OK) {
        return rc;
    }
    *out = arena_calloc(r->a, n_all + r->s.without.n + 1, sizeof **out);
    for (size_t i = 0; i < r->s.without.n; i++) {
        (*out)[(*n)++] = r->s.without.items[i];
    }
    for (size_t i = 0; i < n_all; i++) {
        if (!in_report(r, all[i].name)) {
            (*out)[(*n)++] = all[i].name;
        }
    }
    return OK;
}

static void resamples_done(void *arg, uint64_t done, uint64_t total)
{
    const struct report_run *r = arg;
    if (r->ask->progress) {
        r->ask->progress(r->ask->arg, "resamples", done, total);
    }
}

/* `why` says what a line wants when there is none, which fails nothing. */
static enum err_code find_line(const struct part_run *t, enum share_scale scale, struct fit_found *out, const char **why)
{
    struct report_run *r = t->r;
    struct sv *without = NULL;
    struct set_fit_ask ask = {.original = &t->p->original,
                              .fresh = &t->p->fresh,
                              .subset = &t->p->subset,
                              .top = t->top,
                              .fresh_top = t->top,
                              .fit = {.scale = scale,
                                      .bootstrap = {.resamples = (uint32_t)r->s.resamples,
                                                    .seed = r->s.fit_seed,
                                                    .threads = parallel_cores(),
                                                    .progress = resamples_done,
                                                    .arg = r}}};
    enum err_code rc = list_without(t, &without, &ask.n_without);
    fit_over_read(r->s.over, &ask.fit.over);
    ask.without = without;
    rc = rc == OK ? set_fit(r->scores, r->db, &ask, r->a, out, r->err) : rc;
    *why = NULL;
    if (rc == ERR_INPUT) {
        *why = arena_strdup(r->a, r->err->msg);
        err_clear(r->err);
        rc = OK;
    }
    return rc;
}

static enum err_code add_residuals(const struct part_run *t, const struct fit_found *found)
{
    struct report_run *r = t->r;
    size_t n;
    struct str csv;
    const struct fit_residual *list = fit_residuals(found, r->a, &n);
    str_init(&csv, REPORT_TEXT_MOST);
    record_csv_names(&fit_residual_record, &csv);
    str_addc(&csv, '\n');
    for (size_t i = 0; i < n; i++) {
        if (in_report(r, list[i].model)) {
            record_csv_cells(&fit_residual_record, &list[i], &csv);
            str_addc(&csv, '\n');
        }
    }
    const char *scale = share_scale_word(found->scale);
    const struct report_table table = {
        .name = arena_printf(r->a, "residuals-top%d", t->top),
        .title = arena_printf(r->a, "What the %s line says of each model, top-%d", scale, t->top),
        .note = "Percent; the residual is on the scale of the line, effective robustness is accuracy on the new set minus that on the line, in points.",
        .columns = residual_columns};
    return report_add_table(r, t->p, &table, &csv);
}

static const struct fit_point *point_of(const struct fit_found *found, struct sv model)
{
    size_t i = 0;
    while (i < found->n_points && !sv_eq(found->points[i].model, model)) {
        i++;
    }
    return i < found->n_points ? &found->points[i] : NULL;
}

static enum err_code add_line_chart(const struct part_run *t, const struct fit_found *found)
{
    struct report_run *r = t->r;
    struct model_facts_row *facts;
    size_t n_facts = 0, n = t->table.n;
    struct figure_model *models = arena_calloc(r->a, n + 1, sizeof *models);
    enum err_code rc = model_facts_list(r->db, r->a, &facts, &n_facts, r->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        const struct score_counts *c = &t->table.lines[i].counts;
        const struct model_facts *f = model_facts_find(facts, n_facts, t->table.models[i]);
        models[i] = (struct figure_model){.point = point_of(found, sv_of(c->model)),
                                          .group = f ? f->group : SV(""),
                                          .ci = binomial_clopper_pearson(c->new_correct, c->new_n, 0.05)};
    }
    const struct figure_fit figure = {.original = t->original,
                                      .fresh = t->fresh,
                                      .top = t->top,
                                      .part = subset_is_all(&t->p->subset) ? NULL : t->p->subset.label,
                                      .nameless = "Group not said",
                                      .scale = found->scale,
                                      .models = models,
                                      .n = n,
                                      .found = found};
    return rc == OK ? report_add_chart(r, t->p, arena_printf(r->a, "line-top%d", t->top), figure_fit(r->a, &figure)) : rc;
}

static void tell_line(const struct part_run *t, const struct fit_found *f)
{
    struct report_run *r = t->r;
    part_tile(t, arena_printf(r->a, "Slope, %s, top-%d", share_scale_word(f->scale), t->top), report_number(r, f->line.slope, 3), NULL,
             isfinite(f->range.slope.lo) ? arena_printf(r->a, "%s to %s, 95 %% over %s", report_number(r, f->range.slope.lo, 3),
                                                        report_number(r, f->range.slope.hi, 3), fit_over_word(f->over))
                                         : "no interval");
}

static const char *lines_note(const struct part_run *t, const char *whys)
{
    struct report_run *r = t->r;
    return arena_printf(r->a,
                        "Ordinary least squares; intervals of slope and offset are 95 %% percentiles of %llu resamples over %s, seed %llu. Models are "
                        "related to each other, and their accuracies on the originals have errors too: the intervals know of neither.%s",
                        (unsigned long long)r->s.resamples, arena_cstr(r->a, r->s.over), (unsigned long long)r->s.fit_seed,
                        whys);
}

enum err_code part_lines(const struct part_run *t)
{
    struct report_run *r = t->r;
    struct fit_found found[SCALES];
    const char *why[SCALES] = {NULL}, *whys = "";
    enum share_scale chosen = SHARE_LINEAR;
    struct str csv;
    enum err_code rc = OK;
    share_scale_read(r->s.scale, &chosen);
    str_init(&csv, REPORT_TEXT_MOST);
    record_csv_names(&fit_record, &csv);
    str_addc(&csv, '\n');
    for (int i = 0; i < SCALES && rc == OK; i++) {
        rc = find_line(t, (enum share_scale)i, &found[i], &why[i]);
        if (rc == OK && !why[i]) {
            const struct fit_record_row row = {.dataset = t->fresh, .top = t->top, .models = r->s.without.n ? "all but some" : "all", .found = &found[i]};
            fit_csv_cells(&row, r->a, &csv);
            str_addc(&csv, '\n');
        } else if (rc == OK) {
            whys = arena_printf(r->a, "%s No %s line: %s", whys, share_scale_word((enum share_scale)i), why[i]);
        }
    }
    if (rc != OK) {
        str_release(&csv);
        return rc;
    }
    const struct report_table table = {.name = arena_printf(r->a, "lines-top%d", t->top),
                                       .title = arena_printf(r->a, "Lines through models, top-%d accuracy on %s against %s", t->top, t->fresh, t->original),
                                       .note = lines_note(t, whys),
                                       .columns = fit_columns};
    rc = report_add_table(r, t->p, &table, &csv);
    if (rc != OK || why[chosen]) {
        return rc;
    }
    tell_line(t, &found[chosen]);
    rc = add_line_chart(t, &found[chosen]);
    return rc == OK ? add_residuals(t, &found[chosen]) : rc;
}

/* ---- what explains it ---- */

static const struct report_column solution_columns[] = {{"spread_original", "Spread of the originals", 1, 0, NULL, NULL},
                                                        {"spread_new", "Spread of the new set", 2, 0, "spread_new_lo", "spread_new_hi"},
                                                        {"shift", "Shift", 2, 0, "shift_lo", "shift_hi"},
                                                        {0}};

/* Nothing without a line. */
enum err_code part_difficulty(const struct part_run *t)
{
    struct report_run *r = t->r;
    struct fit_found found;
    struct difficulty_row rows[DIFFICULTY_ROWS];
    const char *why;
    enum err_code rc = find_line(t, SHARE_PROBIT, &found, &why);
    if (rc != OK || why) {
        return rc;
    }
    difficulty_curve(&found.line, rows);
    const struct figure_text text = {
        .title = arena_printf(r->a, "What explains the line of %s against %s, top-%d", t->fresh, t->original, t->top),
        .description = arena_printf(r->a, "Every spread of the originals with the spread of the new set and the shift that give the same probit line "
                                          "(slope %s, offset %s), with 95 %% bands of the line's errors.",
                                    report_number(r, found.line.slope, 3), report_number(r, found.line.offset, 3))};
    rc = report_add_chart(r, t->p, arena_printf(r->a, "difficulty-top%d", t->top), figure_difficulty(r->a, &text, rows, DIFFICULTY_ROWS, NULL));
    const struct report_table table = {
        .name = arena_printf(r->a, "difficulty-top%d", t->top),
        .title = arena_printf(r->a, "Spreads and shifts of difficulty that explain the line, top-%d", t->top),
        .note = "Recht et al. 2019, section 5.3: two equations, three unknowns. Every row explains the probit line equally well; the data prefer none.",
        .columns = solution_columns};
    return rc == OK ? part_table(t, &table, &difficulty_row_record, rows, DIFFICULTY_ROWS) : rc;
}
