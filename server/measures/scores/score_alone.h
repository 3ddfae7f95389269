/* score_alone.h - how models do on one set, top-1 beside top-5, as CSV, Markdown and LaTeX. */
#ifndef MEASURES_SCORE_ALONE_H
#define MEASURES_SCORE_ALONE_H

#include "domain/scores/score_level.h"
#include "measures/scores/model_pair.h"
#include "record/record.h"

struct score_share {
    bool known;         /* predictions go so far */
    uint32_t correct;
    double acc, lo, hi; /* percent; Clopper-Pearson */
};
struct score_alone {
    uint32_t rank, n;   /* n: images */
    struct sv model;
    struct score_share top1, top5;
};
/* Of a model that has predicted all of the set. */
struct score_alone score_alone(uint32_t rank, struct sv model, const struct model_score *s, const struct score_level *level);
/* `about` is the caption of printed tables, in which accuracies have one decimal and stand before their intervals. */
void score_alone_write(const struct score_alone *rows, size_t n, const char *about, enum record_table as, struct str *out);

#endif
