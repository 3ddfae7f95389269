/* model_gaps.h - the gap on common classes of many models, and the intervals of gaps and ranks (domain/scores/gaps.h),
 * kept until predictions come or something is sealed or opened. What takes longer than a page may is made by a thread of
 * its own, started when there is something for it to do. ERR_DENIED (rule "set-sealed") as in measures/scores/model_scores.h.
 *
 * Where a side has one image of a sealed revision in the common classes, or one in the others, accuracies on the common
 * classes would tell what models say of it (measures/scores/model_scores.h): they are withheld, with their gap. So they are
 * where one side is a subset and the other, which is none, has sealed images: whoever words the subset chooses which classes
 * are common, and could subtract. */
#ifndef MEASURES_MODEL_GAPS_H
#define MEASURES_MODEL_GAPS_H

#include "domain/scores/gaps.h"
#include "domain/scores/score_level.h"
#include "measures/scores/model_scores.h"

struct model_gaps; /* the cache: one per process, from any thread */
struct model_gaps *model_gaps_new(void);
void model_gaps_free(struct model_gaps *g); /* stops what its thread is at; NULL is allowed */

struct model_gaps_ask {
    const struct revision_row *original, *fresh;
    const struct subset *subset; /* of the images of both; NULL: all */
    const struct subset *fresh_subset; /* of the new set's, where they or its labels are others; NULL: as above */
    int top, fresh_top;    /* 1 or 5; of the new set, 0: as top */
    const int64_t *models; /* that have predicted all of both, in the order of the lines wanted */
    size_t n;
    const struct score_level *level; /* of the intervals; NULL: the usual one */
    uint64_t seed;
    bool wait;             /* make everything now, on this thread */
};
struct model_gaps_found {
    struct gap_classes classes;
    struct gap_line *lines; /* in the caller's arena, by model asked */
    size_t n;
    struct gap_mean mean;
    bool ready;             /* false: the ranges are being made */
    const struct score_level *level; /* with its resamples */
    uint64_t seed;
};
enum err_code model_gaps_of(struct model_gaps *g, struct model_scores *s, struct db *db,
                            const struct model_gaps_ask *ask, struct arena *a,
                            struct model_gaps_found *out, struct err *err);
/* How many results the thread has made: when it rises, pages have something new to show. */
uint64_t model_gaps_made(struct model_gaps *g);

#endif
