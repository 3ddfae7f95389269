/* charts_help.c - charts of the help pages: they explain what a number means and need no data.
 * Rows of the table in charts.c. */
#include "web/charts_help.h"

#include "stats/binomial.h"

enum { ANSWERS_MOST = 40 };
static const double alpha = 0.05;

enum err_code chart_help_binomial(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    (void)ask;
    double n[ANSWERS_MOST], value[ANSWERS_MOST], lo[ANSWERS_MOST], hi[ANSWERS_MOST];
    for (int64_t i = 0; i < ANSWERS_MOST; i++) {
        int64_t answers = i + 1, selected = (answers * 7 + 5) / 10;
        struct interval ci = binomial_clopper_pearson(selected, answers, alpha);
        n[i] = (double)answers;
        value[i] = (double)selected / (double)answers;
        lo[i] = ci.lo;
        hi[i] = ci.hi;
    }
    struct chart *chart = chart_new(
        c->arena,
        &(struct chart_options){
            .title = "How sure a frequency is",
            .description =
                "An image that seven of ten people select, after 1 to 40 answers: its "
                "selection frequency and the 95 % Clopper-Pearson interval, which narrows "
                "fast to about ten answers and slowly from there on.",
            .x = {.label = "answers", .form = CHART_COUNT, .lo = 0, .hi = ANSWERS_MOST},
            .y = {.label = "selection frequency", .form = CHART_SHARE, .lo = 0, .hi = 1},
        });
    chart_band(chart, "95 % interval", ANSWERS_MOST, n, lo, hi);
    chart_line(chart, "frequency", ANSWERS_MOST, n, value);
    *out = chart;
    return OK;
}
