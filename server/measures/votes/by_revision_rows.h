/* by_revision_rows.h - accuracy by revision as rows: `holdout score --revisions` prints them as tables, its --json and the API
 * as records, under the same names. */
#ifndef MEASURES_BY_REVISION_ROWS_H
#define MEASURES_BY_REVISION_ROWS_H

#include "measures/votes/by_revision.h"
#include "record/record.h"
#include "stats/binomial.h"

struct revision_score_row { /* of one model on one revision */
    struct sv model, name, set, parent; /* name: the published one, else as `set`, which is SET/NUMBER */
    int64_t number, images, added, removed;
    bool changed;             /* it has a parent in the set, which the two are about */
    uint32_t n, top1_correct, top5_correct;
    bool deep;                /* its predictions go down to the fifth */
    struct proportion top1, top5;
};
extern const struct record revision_score_record;

/* Rows by model, then by revision, in the arena. */
struct revision_scores_list {
    struct revision_score_row *rows, *partial; /* of models that have predicted all images of it; some of them */
    size_t n_rows, n_partial, n_sealed;        /* revisions on which models may not be scored */
};
/* `names` are those of the models that the lines are about. */
struct revision_scores_list revision_score_rows(const struct revision_line *lines, size_t n, const struct sv *names,
                                                size_t n_models, struct arena *a);
/* The rows; printed, in percent with intervals and a caption. */
void revision_scores_write(const struct revision_scores_list *list, enum record_table as, struct str *out);

#endif
