/* class_scores.h - how a model does on a set class by class, sorted; and how all models do on one class. */
#ifndef WEB_MODELS_CLASS_SCORES_H
#define WEB_MODELS_CLASS_SCORES_H

#include "measures/model_scores.h"
#include "stats/binomial.h"
#include "store/classes/classes.h"
#include "web/core/app.h"

enum class_score_sort { CLASS_SCORE_WORST, CLASS_SCORE_BEST, CLASS_SCORE_NAME, CLASS_SCORE_CID, CLASS_SCORE_SORTS };
extern const char *const class_score_words[CLASS_SCORE_SORTS]; /* of ?sort= */
extern const char *const class_score_labels[CLASS_SCORE_SORTS];

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
                                enum class_score_sort sort, struct class_scores *out);

#endif
