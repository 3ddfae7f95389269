/* part_drop.c - of a part: the drop of accuracy, model by model. */
#include "measures/scores/score_csv.h"
#include "measures/scores/score_sheet.h"
#include "report/part.h"

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
    part_tile(t, arena_printf(r->a, "Mean gap, top-%d", t->top), report_number(r, (raw ? sum : common) / (double)t->table.n, 1), "points",
             arena_printf(r->a, "%zu models, %s", t->table.n, raw ? "all images" : "common classes"));
}

enum err_code part_drop(const struct part_run *t)
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
