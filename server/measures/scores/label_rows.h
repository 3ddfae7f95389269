/* label_rows.h - what label sources say of models, as rows of the tables that `holdout multilabel` and the API have. */
#ifndef MEASURES_LABEL_ROWS_H
#define MEASURES_LABEL_ROWS_H

#include "measures/scores/label_scores.h"
#include "record/record.h"

struct multilabel_row {
    struct sv subset, model; /* subset: which images, in CSV */
    int64_t id;              /* of the model; 0: it is of no project */
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
/* Each of them, for replies that list any. */
extern const struct record review_score_record, object_score_record, label_score_record;
struct multilabel_left_out {
    struct sv model;
    uint32_t answers; /* fewer than count */
};
struct multilabel_table {
    struct label_coverage coverage;
    struct multilabel_row *rows; /* of the models that answered about all images that count, by name */
    size_t n;
    struct multilabel_left_out *left_out;
    size_t n_left_out;
};
/* In the arena; errors as label_scores_of, and "labels-missing" (measures/core/label_pick.h). */
enum err_code multilabel_table_make(struct model_scores *s, struct db *db, const struct revision_row *r,
                                    const struct subset *subset, struct arena *a, struct multilabel_table *out, struct err *err);
/* Replaces the intervals of its rows by those of 1 - alpha. Shankar et al. (2020) draw those of 0.005. */
void multilabel_intervals(struct multilabel_table *t, double alpha);
/* A model on the images whose label is of a group of classes. */
struct label_group_row {
    struct sv model, superclass, synset; /* superclass: wnid or name */
    struct label_group_count counts;
    double right, lo, hi, lenient;       /* in percent; lo and hi as above. NAN without answers */
};
extern const struct record label_group_record;
/* Of the models of the table, by name, each in the order of the groups. */
enum err_code multilabel_groups_make(struct model_scores *s, struct db *db, const struct revision_row *r, const struct subset *subset,
                                     const struct multilabel_table *of, const struct class_groups *groups, struct arena *a,
                                     struct label_group_row **out, size_t *n, struct err *err);
/* Header and rows. */
void multilabel_csv(enum label_kind k, const struct multilabel_row *rows, size_t n, struct str *out);

#endif
