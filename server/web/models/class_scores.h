/* class_scores.h - how a model does on a set class by class, sorted; and how all models do on one class. */
#ifndef WEB_MODELS_CLASS_SCORES_H
#define WEB_MODELS_CLASS_SCORES_H

#include "measures/scores/model_scores.h"
#include "stats/binomial.h"
#include "store/classes/classes.h"
#include "web/core/app.h"

/* Of equal accuracies, or equally many that are wrong, the class of more images says more and comes first. */
enum class_score_sort { CLASS_SCORE_ACCURACY, CLASS_SCORE_WRONG, CLASS_SCORE_NAME, CLASS_SCORE_WNID };

struct class_score_line {
    const struct class_info *info;
    struct class_score score;
    double share;       /* of the predicted images, at the place asked for */
    struct interval ci; /* Clopper-Pearson, 95 % */
};
struct class_scores {
    struct class_score_line *lines; /* classes with predictions, in the arena */
    size_t n;
};
/* ERR_DENIED (rule "set-sealed"). */
enum err_code class_scores_make(struct ctx *c, const struct revision_row *r, int64_t model, int top,
                                enum class_score_sort sort, bool falling, struct class_scores *out);

#endif
