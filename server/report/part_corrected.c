/* part_corrected.c - of a part: accuracy by true selection frequency, raw bins corrected for few answers. */
#include "base/parallel.h"
#include "figures/figures.h"
#include "report/part.h"
#include "sets/bias/adjusted_bins.h"

static const struct report_column columns[] = {{"model", "Model", -1, 0, NULL, NULL},
                                               {"from", "From", 1, 0, NULL, NULL},
                                               {"to", "To", 1, 0, NULL, NULL},
                                               {"original_images", "Originals", -2, 0, NULL, NULL},
                                               {"original_raw", "Raw", 1, 0, NULL, NULL},
                                               {"original", "Corrected", 1, 0, "original_lo", "original_hi"},
                                               {"new_images", "New images", -2, 0, NULL, NULL},
                                               {"new_raw", "Raw", 1, 0, NULL, NULL},
                                               {"new", "Corrected", 1, 0, "new_lo", "new_hi"},
                                               {"gap", "Gap, corrected", 1, 0, "gap_lo", "gap_hi"},
                                               {0}};

/* "a,b": the models of the report. */
static struct sv names_of(struct report_run *r)
{
    const char *names = "";
    for (size_t i = 0; i < r->n_models; i++) {
        names = arena_printf(r->a, "%s%s" SV_FMT, names, i ? "," : "", SV_ARG(r->models[i].name));
    }
    return sv_of(names);
}

static enum err_code make(const struct part_run *t, struct set_adjusted *out)
{
    struct report_run *r = t->r;
    const struct set_adjusted_ask ask = {.original = sv_of(t->original),
                                         .fresh = sv_of(t->fresh),
                                         .top = t->top,
                                         .models = names_of(r),
                                         .part = &t->p->subset,
                                         .fresh_part = &t->p->subset,
                                         .threads = parallel_cores(),
                                         .seed = r->s.gap_seed,
                                         .as_of = r->event};
    enum err_code rc = OK;
    if (!r->tally) {
        r->tally = tally_new();
        rc = tally_fold(r->tally, r->db, r->err);
    }
    return rc == OK ? set_adjusted_make(r->db, r->tally, r->scores, &ask, r->a, out, r->err) : rc;
}

static enum err_code add_chart(const struct part_run *t, const struct set_adjusted *s)
{
    struct report_run *r = t->r;
    const struct adjusted_gap *g = set_adjusted_leading(s);
    bool any = g->silence == ADJUSTED_SPEAKS;
    struct figure_bars bars[ADJUSTED_SIDES];
    if (any) {
        bars[0] = figure_bars_corrected(t->original, g, &g->mean, ADJUSTED_ORIGINAL);
        bars[1] = figure_bars_corrected(t->fresh, g, &g->mean, ADJUSTED_NEW);
    }
    const struct figure_text text = {.title = arena_printf(r->a, "Top-%d accuracy by true selection frequency", t->top),
                                     .description = arena_printf(r->a, "Mean of %zu models on images with such a true frequency, %s, with 95 %% intervals over "
                                                                       "people and images.",
                                                                 s->n_models, set_adjusted_how(s)),
                                     .empty = any ? NULL : set_adjusted_why(s)};
    return report_add_chart(r, t->p, arena_printf(r->a, "corrected-top%d", t->top), figure_bins(r->a, &text, bars, any ? ADJUSTED_SIDES : 0));
}

enum err_code part_corrected(const struct part_run *t)
{
    struct report_run *r = t->r;
    struct set_adjusted s;
    struct adjusted_bin_row *rows;
    enum err_code rc = make(t, &s);
    rc = rc == OK ? add_chart(t, &s) : rc;
    if (rc != OK || set_adjusted_leading(&s)->silence != ADJUSTED_SPEAKS) {
        return rc;
    }
    const struct adjusted_gap *g = set_adjusted_leading(&s);
    const char *why = set_adjusted_why(&s), *warning = adjusted_gap_warning(g);
    size_t n = adjusted_bin_rows(&s, r->a, &rows);
    const struct report_table table = {
        .name = arena_printf(r->a, "corrected-top%d", t->top),
        .title = arena_printf(r->a, "Top-%d accuracy by selection frequency, raw and corrected for few answers", t->top),
        .note = arena_printf(r->a, "Percent, %s; without a model: the mean. Corrected: at true frequencies, with 95 %% intervals (%u groups of people left "
                                   "out, %u draws of images, seed %llu). %s%s%s%s%s",
                             set_adjusted_how(&s), g->groups, g->resamples, (unsigned long long)s.seed, adjusted_bins_assume, why ? " " : "",
                             why ? why : "", warning ? " " : "", warning ? warning : ""),
        .columns = columns};
    return part_table(t, &table, &adjusted_bin_record, rows, n);
}
