/* part.c - one part of a report: the drop of accuracy, the line through models, accuracy by selection frequency and by
 * revision, each as tables and charts. */
#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "figures/figures.h"
#include "json/object.h"
#include "measures/votes/binned_rows.h"
#include "measures/votes/by_revision_rows.h"
#include "measures/scores/score_csv.h"
#include "measures/scores/score_sheet.h"
#include "measures/fits/set_fit.h"
#include "report/run.h"
#include "store/models/model_facts.h"
#include "view/data.h"

enum { LINES_MOST = 6 /* models that a chart has a line of each for */, SCALES = 3 };

struct part_run {
    struct report_run *r;
    struct report_part *p;
    const char *original, *fresh; /* "SET/NUMBER" */
    int top;
    struct pair_table table;      /* at that top */
};

static const char *title_of(struct report_run *r, const struct revision_row *v)
{
    return arena_printf(r->a, SV_FMT "/%lld", SV_ARG(v->set), (long long)v->number);
}

static const char *number(struct report_run *r, double v, int digits)
{
    return isfinite(v) ? data_minus(r->a, arena_printf(r->a, "%.*f", digits, v)) : "\xe2\x80\x93";
}

static void add_tile(const struct part_run *t, const char *label, const char *value, const char *unit, const char *note)
{
    object_add(t->p->tiles, field_text("label", label), field_text("value", value), field_text("unit", unit), field_text("note", note));
}

/* Of the models that the table at this top lacks; NULL: none. */
static const char *lacking(const struct part_run *t)
{
    struct arena *a = t->r->a;
    const char *text = NULL;
    for (size_t i = 0; i < t->table.n_left; i++) {
        const struct pair_left *left = &t->table.left[i];
        text = arena_printf(a, "%s " SV_FMT " (%s)", text ? arena_printf(a, "%s,", text) : "Left out:", SV_ARG(left->model->name), left->why);
    }
    return text ? arena_printf(a, "%s.", text) : NULL;
}

/* ---- the drop ---- */

static const struct report_column same_columns[] = {
    {"orig_rank", "Orig. rank", -2, 0, NULL, NULL},
    {"model", "Model", -1, 0, NULL, NULL},
    {"orig_acc", "Orig. accuracy", 1, 0, "orig_lo", "orig_hi"},
    {"new_acc", "New accuracy", 1, 0, "new_lo", "new_hi"},
    {"gap", "Gap", 1, 0, "gap_lo", "gap_hi"},
    {"new_rank", "New rank", -2, 0, NULL, NULL},
    {"delta_rank", "\xce\x94 rank", -2, 0, NULL, NULL},
    {0}};
static const struct report_column common_columns[] = {
    {"orig_rank", "Orig. rank", -2, 0, NULL, NULL},
    {"model", "Model", -1, 0, NULL, NULL},
    {"orig_acc", "Orig. accuracy", 1, 0, "orig_lo", "orig_hi"},
    {"new_acc", "New accuracy", 1, 0, "new_lo", "new_hi"},
    {"common_gap", "Gap, common classes", 1, 0, "common_gap_lo", "common_gap_hi"},
    {"gap", "Raw gap", 1, 0, "gap_lo", "gap_hi"},
    {"new_rank", "New rank", -2, 0, NULL, NULL},
    {"delta_rank", "\xce\x94 rank", -2, 0, NULL, NULL},
    {0}};

static const char *drop_note(const struct part_run *t, const struct model_gaps_found *gaps)
{
    struct report_run *r = t->r;
    const struct gap_classes *k = &gaps->classes;
    const char *left = lacking(t);
    const char *classes =
        k->same ? arena_printf(r->a, "Both sets have the same %u classes in the same shares.", k->common)
        : gap_told(k)
            ? arena_printf(r->a, "The first gap is over the %u classes that both sets have, weighted by the originals' class shares.", k->common)
            : "There is no gap on common classes to tell.";
    return arena_printf(r->a,
                        "Accuracy in percent with %s Clopper-Pearson intervals; gaps in points, original minus new, and ranks with %s intervals "
                        "(%s, %u resamples, seed %llu). %s%s%s",
                        r->level->label, r->level->label, gap_method, gaps->level->resamples, (unsigned long long)gaps->seed, classes,
                        left ? " " : "", left ? left : "");
}

static void tell_drop(const struct part_run *t, const struct model_gaps_found *gaps)
{
    struct report_run *r = t->r;
    double sum = 0, common = 0;
    for (size_t i = 0; i < t->table.n; i++) {
        sum += t->table.lines[i].gap;
        common += gaps->lines[i].gap;
    }
    bool raw = gaps->classes.same || !gap_told(&gaps->classes);
    add_tile(t, arena_printf(r->a, "Mean gap, top-%d", t->top), number(r, (raw ? sum : common) / (double)t->table.n, 1), "points",
             arena_printf(r->a, "%zu models, %s", t->table.n, raw ? "all images" : "common classes"));
}

static enum err_code add_drop(const struct part_run *t)
{
    struct report_run *r = t->r;
    const struct model_gaps_ask ask = {.original = &t->p->original.r,
                                       .fresh = &t->p->fresh.r,
                                       .subset = &t->p->subset,
                                       .top = t->top,
                                       .models = t->table.models,
                                       .n = t->table.n,
                                       .level = r->level,
                                       .seed = r->s.gap_seed,
                                       .wait = true};
    struct model_gaps_found found;
    struct str csv;
    struct model_gaps *gaps = model_gaps_new();
    enum err_code rc = model_gaps_of(gaps, r->scores, r->db, &ask, r->a, &found, r->err);
    model_gaps_free(gaps);
    if (rc != OK) {
        return rc;
    }
    tell_drop(t, &found);
    str_init(&csv, REPORT_TEXT_MOST);
    score_csv(t->table.lines, &found, NULL, t->table.n, &csv);
    const struct report_table table = {.name = arena_printf(r->a, "scores-top%d", t->top),
                                       .title = arena_printf(r->a, "Top-%d accuracy on %s and %s", t->top, t->original, t->fresh),
                                       .note = drop_note(t, &found),
                                       .columns = found.classes.same || !gap_told(&found.classes) ? same_columns : common_columns};
    return report_add_table(r, t->p, &table, &csv);
}

/* ---- the line ---- */

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
    add_tile(t, arena_printf(r->a, "Slope, %s, top-%d", share_scale_word(f->scale), t->top), number(r, f->line.slope, 3), NULL,
             isfinite(f->range.slope.lo) ? arena_printf(r->a, "%s to %s, 95 %% over %s", number(r, f->range.slope.lo, 3),
                                                        number(r, f->range.slope.hi, 3), fit_over_word(f->over))
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

static enum err_code add_lines(const struct part_run *t)
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

/* ---- by selection frequency ---- */

struct mean_row {
    const char *dataset;
    struct binned_mean_row mean;
};
#define OF(member) RECORD_OF(struct mean_row, member)
static RECORD(mean_record, struct mean_row, "mean_in_bin_of", "The mean over models in one bin of a set.",
              {"dataset", OF(dataset)},
              {NULL, RECORD_PART(struct mean_row, mean), RECORD_BESIDE, .of = &binned_mean_record});
#undef OF

static const struct report_column mean_columns[] = {{"dataset", "Set", -1, 0, NULL, NULL},
                                                    {"from", "From", 1, 0, NULL, NULL},
                                                    {"to", "To", 1, 0, NULL, NULL},
                                                    {"images", "Images", -2, 0, NULL, NULL},
                                                    {"top1", "Mean top-1 accuracy", 1, 100, "top1_lo", "top1_hi"},
                                                    {"top5", "Mean top-5 accuracy", 1, 100, "top5_lo", "top5_hi"},
                                                    {0}};
static const struct report_column bin_columns[] = {{"dataset", "Set", -1, 0, NULL, NULL},
                                                   {"model", "Model", -1, 0, NULL, NULL},
                                                   {"bin", "Bin", -2, 0, NULL, NULL},
                                                   {"n", "Images", -2, 0, NULL, NULL},
                                                   {"top1_correct", "Right at top-1", -2, 0, NULL, NULL},
                                                   {"top5_correct", "Right at top-5", -2, 0, NULL, NULL},
                                                   {0}};

struct bins_run {
    const struct part_run *t;
    struct binned found[2];
    struct binned_set set[2];
    const char *name[2];
};

static enum err_code count_bins(struct bins_run *b, int side, const struct revision_row *v)
{
    struct report_run *r = b->t->r;
    int64_t *models = arena_calloc(r->a, r->n_models + 1, sizeof *models);
    struct sv *names = arena_calloc(r->a, r->n_models + 1, sizeof *names);
    for (size_t i = 0; i < r->n_models; i++) {
        models[i] = r->models[i].id;
        names[i] = r->models[i].name;
    }
    const struct binned_ask ask = {
        .revision = v, .subset = &b->t->p->subset, .votes = &r->votes, .models = models, .n_models = r->n_models};
    enum err_code rc = binned_make(r->scores, r->db, &ask, r->a, &b->found[side], r->err);
    if (rc == OK) {
        b->set[side] = binned_set(&b->found[side], sv_of(b->name[side]), sv_of(b->name[side]), names, r->a);
    }
    return rc;
}

static enum err_code add_bin_tables(const struct bins_run *b)
{
    struct report_run *r = b->t->r;
    struct str means, rows;
    str_init(&means, REPORT_TEXT_MOST);
    str_init(&rows, REPORT_TEXT_MOST);
    record_csv_names(&mean_record, &means);
    record_csv_names(&binned_row_record, &rows);
    str_addc(&means, '\n');
    str_addc(&rows, '\n');
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < b->set[side].n_means; i++) {
            const struct mean_row row = {b->name[side], b->set[side].means[i]};
            record_csv_cells(&mean_record, &row, &means);
            str_addc(&means, '\n');
        }
        for (size_t i = 0; i < b->set[side].n_rows; i++) {
            record_csv_cells(&binned_row_record, &b->set[side].rows[i], &rows);
            str_addc(&rows, '\n');
        }
    }
    const struct report_table mean = {.name = "bins",
                                      .title = "Accuracy by selection frequency",
                                      .note = arena_printf(r->a,
                                                           "Mean over %zu models in percent, with 95 %% intervals over images, under the vote view " SV_FMT
                                                           ". In no bin: %u of %s and %u of %s without answers.",
                                                           r->n_models, SV_ARG(r->view.name), b->set[0].unanswered, b->name[0], b->set[1].unanswered,
                                                           b->name[1]),
                                      .columns = mean_columns};
    const struct report_table each = {.name = "bins-models",
                                      .title = "Each model by selection frequency",
                                      .note = "Images of each bin, from 0 (selected least) to 4, and how many of them are right.",
                                      .columns = bin_columns};
    enum err_code rc = report_add_table(r, b->t->p, &mean, &means);
    if (rc != OK) {
        str_release(&rows);
        return rc;
    }
    return report_add_table(r, b->t->p, &each, &rows);
}

static enum err_code add_bin_chart(const struct bins_run *b)
{
    struct report_run *r = b->t->r;
    struct figure_bars bars[2];
    uint32_t images = b->set[0].images + b->set[1].images;
    for (int side = 0; side < 2; side++) {
        bars[side].name = b->name[side];
        for (int k = 0; k < HISTOGRAM_BINS; k++) {
            bars[side].at[k] = b->t->top == 5 ? b->found[side].mean5[k] : b->found[side].mean1[k];
        }
    }
    const struct figure_text text = {.title = arena_printf(r->a, "Top-%d accuracy by selection frequency", b->t->top),
                                     .description = arena_printf(r->a, "Mean of %zu models on images that so many selected, with 95 %% intervals over images.",
                                                                 r->n_models),
                                     .empty = images ? NULL : "No image of these sets has counted answers."};
    return report_add_chart(r, b->t->p, arena_printf(r->a, "bins-top%d", b->t->top), figure_bins(r->a, &text, bars, 2));
}

static enum err_code add_bins(const struct part_run *t)
{
    struct bins_run b = {.t = t, .name = {t->original, t->fresh}};
    enum err_code rc = count_bins(&b, 0, &t->p->original.r);
    rc = rc == OK ? count_bins(&b, 1, &t->p->fresh.r) : rc;
    rc = rc == OK ? add_bin_chart(&b) : rc;
    return rc == OK ? add_bin_tables(&b) : rc;
}

/* ---- by revision ---- */

static const struct report_column revision_columns[] = {{"model", "Model", -1, 0, NULL, NULL},
                                                        {"set", "Revision", -1, 0, NULL, NULL},
                                                        {"n", "Images", -2, 0, NULL, NULL},
                                                        {"added", "Added", -2, 0, NULL, NULL},
                                                        {"removed", "Removed", -2, 0, NULL, NULL},
                                                        {"top1", "Top-1 accuracy", 1, 100, "top1_lo", "top1_hi"},
                                                        {"top5", "Top-5 accuracy", 1, 100, "top5_lo", "top5_hi"},
                                                        {0}};

/* Of a model: its accuracy on each, where it has predicted all images. */
static struct figure_line follow(const struct part_run *t, const struct revision_line *lines, size_t n, size_t model)
{
    struct proportion *at = arena_calloc(t->r->a, n + 1, sizeof *at);
    for (size_t i = 0; i < n; i++) {
        const struct model_score *s = &lines[i].on[model];
        bool whole = s->images > 0 && s->predicted == s->images && model_score_knows(s, t->top);
        at[i] = binomial_proportion(whole ? model_score_right(s, t->top) : 0, whole ? s->predicted : 0);
    }
    return (struct figure_line){t->table.lines[model].counts.model, at};
}

static enum err_code add_revision_chart(const struct part_run *t, const struct revision_line *lines, size_t n)
{
    struct report_run *r = t->r;
    const char **numbers = arena_calloc(r->a, n + 1, sizeof *numbers);
    struct figure_line follows[LINES_MOST];
    size_t models = t->table.n < LINES_MOST ? t->table.n : LINES_MOST;
    const char *set = arena_cstr(r->a, r->fresh.set);
    for (size_t i = 0; i < n; i++) {
        numbers[i] = arena_printf(r->a, "%lld", (long long)lines[i].revision->number);
    }
    for (size_t i = 0; i < models; i++) {
        follows[i] = follow(t, lines, n, i);
    }
    const struct figure_text text = {
        .title = arena_printf(r->a, "Top-%d accuracy by revision", t->top),
        .description = arena_printf(r->a, "The %zu most accurate model%s on the originals, with 95 %% Clopper-Pearson intervals, where all images are predicted.",
                                    models, models == 1 ? "" : "s"),
        .empty = n < 2 ? arena_printf(r->a, "There is one revision of %s.", set) : NULL};
    return report_add_chart(r, t->p, arena_printf(r->a, "revisions-top%d", t->top), figure_revisions(r->a, &text, set, numbers, n, follows, models));
}

/* Models in the order of the table. */
static enum err_code add_revisions(const struct part_run *t)
{
    struct report_run *r = t->r;
    struct revision_line *lines;
    size_t n = 0, kept = 0;
    const struct revision_ask ask = {
        .set = r->fresh.image_set, .subset = &t->p->subset, .models = t->table.models, .n_models = t->table.n};
    struct by_revision *counts = by_revision_new();
    enum err_code rc = by_revision_make(counts, r->db, &ask, r->a, &lines, &n, r->err);
    by_revision_free(counts);
    if (rc != OK) {
        return rc;
    }
    while (kept < n && lines[kept].revision->id <= r->event) {
        kept++;
    }
    struct sv *names = arena_calloc(r->a, t->table.n + 1, sizeof *names);
    for (size_t i = 0; i < t->table.n; i++) {
        names[i] = sv_of(t->table.lines[i].counts.model);
    }
    const struct revision_scores_list list = revision_score_rows(lines, kept, names, t->table.n, r->a);
    struct str csv;
    str_init(&csv, REPORT_TEXT_MOST);
    record_csv_names(&revision_score_record, &csv);
    str_addc(&csv, '\n');
    for (size_t i = 0; i < list.n_rows; i++) {
        record_csv_cells(&revision_score_record, &list.rows[i], &csv);
        str_addc(&csv, '\n');
    }
    const struct report_table table = {.name = "revisions",
                                       .title = arena_printf(r->a, "Accuracy on every revision of " SV_FMT, SV_ARG(r->fresh.set)),
                                       .note = list.n_sealed ? arena_printf(r->a, "Percent. %zu sealed revisions are not scored.", list.n_sealed) : "Percent.",
                                       .columns = revision_columns};
    rc = report_add_table(r, t->p, &table, &csv);
    return rc == OK ? add_revision_chart(t, lines, kept) : rc;
}

/* ---- all of it ---- */

static enum err_code at_top(struct part_run *t, int top, bool first)
{
    struct report_run *r = t->r;
    t->top = top;
    pair_table_make(&t->p->original, &t->p->fresh, r->models, r->n_models, top, r->level, r->a, &t->table);
    if (t->table.n == 0) {
        return OK;
    }
    enum err_code rc = analysis_does(&r->s, ANALYSIS_DROP) ? add_drop(t) : OK;
    rc = rc == OK && analysis_does(&r->s, ANALYSIS_FIT) ? add_lines(t) : rc;
    rc = rc == OK && first && analysis_does(&r->s, ANALYSIS_BINS) ? add_bins(t) : rc;
    return rc == OK && first && analysis_does(&r->s, ANALYSIS_REVISIONS) ? add_revisions(t) : rc;
}

enum err_code report_part_make(struct report_run *r, struct report_part *p)
{
    struct part_run t = {.r = r, .p = p, .original = title_of(r, &p->original.r), .fresh = title_of(r, &p->fresh.r)};
    bool first = true;
    enum err_code rc = OK;
    for (int top = 1; top <= 5 && rc == OK; top += 4) {
        if (analysis_has(&r->s.accuracies, top == 1 ? SV("top-1") : SV("top-5"))) {
            rc = at_top(&t, top, first);
            first = false;
        }
    }
    return rc;
}
