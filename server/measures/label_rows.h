/* label_rows.h - what label sources say of models, as rows of the tables that `holdout multilabel` and the API have. */
#ifndef MEASURES_LABEL_ROWS_H
#define MEASURES_LABEL_ROWS_H

#include "domain/multilabel.h"
#include "record/record.h"

struct multilabel_row {
    struct sv subset, model; /* subset: which images, in CSV */
    struct multilabel counts;
    uint32_t undecided;      /* dontknow and unreviewed */
    const char *mean_strict, *mean_lenient; /* with ten decimals */
    /* In percent; lo and hi: Clopper-Pearson at 95 %. NAN without answers. */
    double set, strict, strict_lo, strict_hi, lenient, lenient_lo, lenient_hi;
    double strict_most, lenient_most; /* what they would be if all that is undecided were correct */
    double outside;                   /* answers that nobody reviewed */
};
struct multilabel_row multilabel_row(struct sv subset, struct sv model, const struct multilabel *m, struct arena *a);
/* Rows of a source of that kind. CSV of reviews is as golden/multilabel ml_metrics_expected.csv, of objects as
 * model_metrics_expected.csv. */
const struct record *multilabel_record(enum label_kind k);
#endif
