/* part_revisions.c - of a part: accuracy by revision. */
#include "figures/figures.h"
#include "measures/votes/by_revision_rows.h"
#include "report/part.h"

enum { LINES_MOST = 6 /* models that a chart has a line of each for */ };

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
enum err_code part_revisions(const struct part_run *t)
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
