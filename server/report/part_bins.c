/* part_bins.c - of a part: accuracy by selection frequency. */
#include "figures/figures.h"
#include "measures/votes/binned_rows.h"
#include "report/part.h"

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

enum err_code part_bins(const struct part_run *t)
{
    struct bins_run b = {.t = t, .name = {t->original, t->fresh}};
    enum err_code rc = count_bins(&b, 0, &t->p->original.r);
    rc = rc == OK ? count_bins(&b, 1, &t->p->fresh.r) : rc;
    rc = rc == OK ? add_bin_chart(&b) : rc;
    return rc == OK ? add_bin_tables(&b) : rc;
}
