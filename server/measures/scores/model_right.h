/* model_right.h - which images models are right about, one by one, for what needs more than the counts of
 * model_scores.h, which refuses the same revisions. */
#ifndef MEASURES_MODEL_RIGHT_H
#define MEASURES_MODEL_RIGHT_H

#include "measures/scores/model_scores.h"

/* Changes whenever predictions about the revision came, or something was sealed or opened; no two
 * revisions, and no two label sources of one (subset->labels), ever have the same. */
enum err_code model_right_version(struct model_scores *s, struct db *db, const struct revision_row *r,
                                  const struct subset *subset, uint64_t *out, struct err *err);
struct model_right { /* in the order of the revision's list, on the heap */
    uint64_t version;
    uint32_t n, *image, *class_id;
    bool *sealed;                 /* a sealed revision has the image */
    unsigned char *right;         /* [model * n + i]: 1 right at top-`top`; 0 wrong, or no prediction */
};
/* Of a subset's images alone; NULL: of all. */
enum err_code model_right_of(struct model_scores *s, struct db *db, const struct revision_row *r,
                             const struct subset *subset, int top, const int64_t *models, size_t n_models,
                             struct model_right *out, struct err *err);
void model_right_release(struct model_right *r);

#endif
