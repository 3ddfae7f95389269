/* class_cells.h - two classes, or two groups of classes, counted against each other over the images of a set: which are
 * taken for which by models, and which come together in images (Tsipras et al. 2020, section 4.2 and figure 10). Images that a
 * sealed revision has are not counted.
 *
 * Confused: the row is the group of the set's label, the column that of what a model says first and is wrong with; a column that
 * is its row is another class of the same group. What is wrong is by the subset's labels.
 * Together: the row is the same, the column a group of which the label source says that the image shows a class, by its rule,
 * besides the object that has the set's label; each image counts once in a column. */
#ifndef MEASURES_CLASS_CELLS_H
#define MEASURES_CLASS_CELLS_H

#include "measures/core/class_groups.h"
#include "measures/images/image_answers.h"

enum class_cells_what { CELLS_CONFUSED, CELLS_TOGETHER };
struct class_cells_ask {
    enum class_cells_what what;
    const struct revision_row *revision;
    const struct subset *subset; /* with a label source: by its labels; CELLS_TOGETHER needs one */
    const int64_t *models;       /* of CELLS_CONFUSED */
    size_t n_models;
    const struct class_groups *groups;
};
struct class_cell {
    uint32_t row, column;     /* groups; a column of CLASS_GROUP_NONE: a class that the project has not, or in no group */
    uint32_t answers, images; /* answers of models that say so; images about which one does, or that show it */
};
struct class_cells {          /* in the caller's arena */
    struct class_cell *list;  /* the most answers first (together: images), then by row and column */
    size_t n;
    uint32_t *of;             /* by group: answers (together: images) of its row, whatever they say */
    uint32_t n_groups, sealed;
    uint32_t left_out;        /* images whose label is in no group */
};

/* ERR_DENIED (rule "set-sealed"); ERR_INPUT (rule "labels-one") for classes together by labels of which an image has one. */
enum err_code class_cells_make(struct model_scores *s, struct db *db, const struct class_cells_ask *ask, struct arena *a,
                               struct class_cells *out, struct err *err);
/* Stands for all that the result depends on: another one when predictions come or something is sealed or opened. */
enum err_code class_cells_key(struct model_scores *s, struct db *db, const struct class_cells_ask *ask, uint64_t *out, struct err *err);
void class_cells_copy(const struct class_cells *from, struct arena *a, struct class_cells *out);

#endif
