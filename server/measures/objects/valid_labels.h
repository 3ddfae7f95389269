/* valid_labels.h - images by how many labels people find in them as often as the set's (Tsipras et al. 2020, figures 7a and
 * 22a), at thresholds from 0.5 to 1: of what a file says, or of the votes about a set's images. */
#ifndef MEASURES_VALID_LABELS_H
#define MEASURES_VALID_LABELS_H

#include "live/votes/view_count.h"
#include "measures/objects/candidate_rows.h"
#include "measures/scores/model_scores.h"

enum valid_group { VALID_ALL, VALID_SINGLE, VALID_MULTI, VALID_GROUPS };
enum { VALID_FIRST = 500, VALID_STEP = 100, VALID_THRESHOLDS = 6 /* in thousandths */ };

struct valid_counts { /* large: in an arena */
    uint32_t images[VALID_THRESHOLDS][VALID_GROUPS][CANDIDATE_LABELS + 1]; /* by number of labels */
};
/* Counts an image; `group`: of how many objects it is, VALID_ALL: not known. `relative` as labels_valid (domain/labels/candidates.h). */
void valid_count(struct valid_counts *c, const struct candidates_ask *ask, enum valid_group group, bool relative);
/* By threshold, group (all alone unless `groups`) and number of labels; in the arena. */
struct valid_row *valid_rows(const struct valid_counts *c, bool groups, struct arena *a, size_t *n);

struct valid_ask {
    const struct revision_row *revision;
    const struct subset *subset; /* its label source says how many objects images have; the set's own labels: not known */
    const struct view_counts *votes;
    bool absolute;
};
struct valid_found { /* in the caller's arena */
    struct valid_row *rows;
    size_t n;
    uint32_t images, several, unasked, sealed; /* with votes about a label; about several; without any, and those that a sealed
                                                  revision has, which are left out */
};
/* ERR_DENIED (rule "set-sealed") for a revision on which models may not be scored. */
enum err_code valid_labels_make(struct model_scores *s, struct db *db, const struct valid_ask *ask, struct arena *a,
                                struct valid_found *out, struct err *err);

#endif
