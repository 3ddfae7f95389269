/* binned_rows.h - accuracy by selection frequency as rows: `holdout bins` prints them as tables, its --json and the API as
 * records, under the same names. */
#ifndef MEASURES_BINNED_ROWS_H
#define MEASURES_BINNED_ROWS_H

#include "measures/votes/binned.h"
#include "record/record.h"

struct binned_row {
    struct sv dataset, model; /* dataset: the set, as the caller calls it */
    uint32_t bin, n;          /* bin from 0; n: images in it with a prediction */
    double from, to;          /* of the bin's frequencies */
    uint32_t top1_correct, top5_correct;
    bool deep;                /* its predictions go down to the fifth */
    struct proportion top1, top5; /* 0 to 1, 95 % Clopper-Pearson; NAN when n is 0 */
};
/* As columns: dataset, model, bin, n, top1_correct, top5_correct. */
extern const struct record binned_row_record;

/* One bin of a set: its images and the mean over the models. */
struct binned_mean_row {
    uint32_t bin, images, n; /* n: of the images, those that all models have predicted */
    double from, to;
    struct proportion top1, top5;
};
extern const struct record binned_mean_record;

/* A set with all of these. */
struct binned_set {
    struct sv set; /* SET/NUMBER */
    uint32_t images, unanswered, sealed;
    struct binned_mean_row *means; /* HISTOGRAM_BINS */
    size_t n_means;
    struct binned_row *rows; /* HISTOGRAM_BINS for each model that has predicted an image of it, in the order asked */
    size_t n_rows;
};
extern const struct record binned_set_record;
/* In the arena; `names` are the models'. */
struct binned_set binned_set(const struct binned *b, struct sv set, struct sv dataset, const struct sv *names,
                             struct arena *a);
/* The rows of the models as CSV; printed, those of the mean and of the models with intervals, and a caption that names the
 * view. */
void binned_write(const struct binned_set *s, struct sv view, enum record_table as, struct str *out);

#endif
