/* score_sheet.h - a pair of sets as one sheet: every model's line, which rows of it are wanted, what they add up to; as
 * CSV (score_csv.h), Markdown and LaTeX, printed as the papers print them. `holdout score` and /api/v1/scores.* both write
 * it here, so that they are the same to the byte.
 *
 * Correlations of ranks are those of right answers on both sets. They have no interval: resampled images tell models that
 * are close apart less well than the images themselves do, so that percentiles would lie below the value. */
#ifndef MEASURES_SCORE_SHEET_H
#define MEASURES_SCORE_SHEET_H

#include "domain/scores/score_level.h"
#include "domain/scores/score_table.h"
#include "measures/scores/model_gaps.h"
#include "record/record.h"

/* As score_table, with intervals by Clopper and Pearson. */
void score_sheet_lines(const struct score_counts *counts, size_t n, const struct score_level *level, struct score_line *lines);

/* Models by rank on the originals: the first, the middle one (of an even number the better of both), the last. */
struct score_summary {
    size_t models; /* 0: the rest means nothing */
    const char *best, *median, *worst;
    double mean_gap;          /* of gap, in points */
    double kendall, spearman; /* tau-b and rho; NAN: fewer than two models, or all of them alike (stats/rank.h) */
};
struct score_summary score_summarise(const struct score_line *lines, size_t n);
extern const struct record score_summary_record; /* rows are struct score_summary */

struct score_sheet {
    const char *original, *fresh; /* SET/NUMBER */
    const char *right;            /* which predictions are right: score_right_words, or "top-1 by the labels of NAME" */
    const char *part;             /* of the images, as in "Images: ..."; NULL: all */
    const struct score_level *level;
    const struct score_line *lines; /* by rank on the originals */
    size_t n;
    const struct model_gaps_found *gaps; /* by line; NULL: the table as published, without intervals of gaps and ranks */
    bool summary;                 /* only the best, the median and the worst line */
};
/* "top-1", or "top-1, on the new set top-5"; `fresh_top` 0: as top. In the arena. */
const char *score_right_words(int top, int fresh_top, struct arena *a);
/* Printed tables have a caption: which sets, which intervals, how ranks agree; in LaTeX as a comment. */
void score_sheet_write(const struct score_sheet *s, enum record_table as, struct str *out);

struct score_format {
    const char *word, *ending, *content_type; /* "markdown", "md", ... */
    enum record_table as;
};
extern const struct score_format score_formats[]; /* CSV first; ends with a row without word */
/* By name; without one (NULL), CSV. Returns NULL for an unknown name. */
const struct score_format *score_format_named(const char *word);

#endif
