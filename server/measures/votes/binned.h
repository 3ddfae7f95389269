/* binned.h - accuracy by selection frequency: how models do on the images that few people selected, and on those that
 * nearly everybody did (papers, figures 15 to 17). An image's frequency is that of the votes of a view under the class
 * that it has in the revision; bins are those of domain/votes/histogram.h.
 *
 * Images without such votes are in no bin. Nor are images that a sealed revision has: bins of one's own choice (of view
 * and subset) would tell one of them by subtraction, as measures/core/subset.h says. Both are counted instead. */
#ifndef MEASURES_BINNED_H
#define MEASURES_BINNED_H

#include "domain/votes/histogram.h"
#include "live/votes/view_count.h"
#include "measures/scores/model_scores.h"
#include "stats/binomial.h"

struct binned_ask {
    const struct revision_row *revision;
    const struct subset *subset;     /* of its images; NULL: all */
    const struct view_counts *votes;
    const int64_t *models;
    size_t n_models;
};
struct binned_count { /* of one model and bin: images with a prediction, and of these the right ones */
    uint32_t n, top1, top5;
};
struct binned_model {
    int64_t model;
    int k; /* how far down its predictions go: below 5, `top5` means nothing; 0: it has none */
    struct binned_count bins[HISTOGRAM_BINS];
};
struct binned { /* in the caller's arena */
    uint32_t images[HISTOGRAM_BINS];
    uint32_t unanswered, sealed; /* images that are in no bin, and why; a sealed one is not also unanswered */
    struct binned_model *models; /* as asked */
    size_t n_models;
    /* Mean over the models of their accuracies, 0 to 1; top-1 and top-5 (mean_share.h). NAN: without images that all
     * models have predicted, and of top-5 where a model's predictions do not go so far. */
    struct proportion mean1[HISTOGRAM_BINS], mean5[HISTOGRAM_BINS];
    uint32_t mean_n[HISTOGRAM_BINS]; /* images that all models have predicted */
};
/* ERR_DENIED (rule "set-sealed") for a revision on which models may not be scored. */
enum err_code binned_make(struct model_scores *s, struct db *db, const struct binned_ask *ask, struct arena *a,
                          struct binned *out, struct err *err);

#endif
