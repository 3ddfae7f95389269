/* label_scores.h - everything that a label source says of how models do on a set (domain/labels/multilabel.h), beside the
 * counts by one rule that model_scores.h has. It refuses the same revisions. */
#ifndef MEASURES_LABEL_SCORES_H
#define MEASURES_LABEL_SCORES_H

#include "domain/labels/multilabel.h"
#include "measures/core/class_groups.h"
#include "measures/scores/model_scores.h"

enum { LABEL_NUMBERS = 40 };
struct label_coverage {   /* of a subset's images that no sealed revision has */
    uint32_t images, there; /* the set's; those that the source has */
    uint32_t counted;       /* ... that are neither problematic nor partly reviewed nor, unless reviewed, without labels */
    uint32_t part[LABEL_PARTS]; /* counted ones by their objects */
    uint32_t right[LABEL_NUMBERS + 1]; /* counted ones by how many labels are right by the rule; the last: so many or more */
};
struct label_score {
    int64_t model;
    struct multilabel counts; /* of its first answers about counted images */
};
/* Every model with an answer about a counted image, by id, in the arena. subset->labels must be a source's. */
enum err_code label_scores_of(struct model_scores *s, struct db *db, const struct revision_row *r,
                              const struct subset *subset, struct arena *a, struct label_coverage *coverage,
                              struct label_score **out, size_t *n, struct err *err);

/* The same by groups of classes, of the set's label of an image: images and answers that are right, by a source of reviews strictly and
 * leniently, else by its usual rule both. */
struct label_group_count {
    uint32_t n, right, lenient;
};
struct label_group_score {
    int64_t model;
    uint32_t answers;                /* about counted images, in whatever group */
    struct label_group_count *group; /* by place in the groups */
};
/* Every model with an answer about a counted image, by id. */
enum err_code label_groups_of(struct model_scores *s, struct db *db, const struct revision_row *r, const struct subset *subset,
                              const struct class_groups *groups, struct arena *a, struct label_group_score **out, size_t *n, struct err *err);

#endif
