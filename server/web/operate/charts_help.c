/* charts_help.c - charts of the help pages: they explain what a number means and need no data.
 * Rows of the table in charts.c. */
#include "web/operate/charts_help.h"

#include "stats/binomial.h"

enum { STEPS = 10, STEP = 10 }; /* tens of answers, so that seven of ten is a whole number */
static const double alpha = 0.05;

enum err_code chart_help_binomial(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    (void)ask;
    double n[STEPS], value[STEPS], lo[STEPS], hi[STEPS];
    for (int64_t i = 0; i < STEPS; i++) {
        int64_t answers = (i + 1) * STEP, selected = answers * 7 / 10;
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
            .description = "An image that seven of ten people select, after 10 to 100 answers: "
                           "its selection frequency and the 95 % Clopper-Pearson interval. To make "
                           "it half as wide takes four times as many answers.",
            .x = {.label = "answers", .form = CHART_COUNT, .lo = 0, .hi = STEPS * STEP},
            .y = {.label = "selection frequency", .form = CHART_SHARE, .lo = 0, .hi = 1},
        });
    chart_band(chart, "95 % interval", STEPS, n, lo, hi);
    chart_line(chart, "frequency", STEPS, n, value);
    *out = chart;
    return OK;
}
