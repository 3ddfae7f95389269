/* score_table.h - accuracy on the originals beside accuracy on the new set, as the paper's tables 15 to 20 have it:
 * intervals, gap, ranks, and the text of every printed cell. Pure. */
#ifndef DOMAIN_SCORE_TABLE_H
#define DOMAIN_SCORE_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct score_counts { const char *model; uint32_t orig_correct, orig_n, new_correct, new_n; };
struct score_line {
    struct score_counts counts;
    double orig_acc, orig_lo, orig_hi, new_acc, new_lo, new_hi, gap; /* percent, full precision */
    uint32_t orig_rank, new_rank;
    int32_t delta_rank;  /* orig_rank - new_rank */
};
/* Fills lines[n] ordered by original rank. Rank: position by (-correct, model name). The printed texts are
 * snprintf("%.1f") of these doubles, computed as `100 * ((double)k / n)` and difference of percents. Intervals are
 * the caller's function (measures/scores/score_sheet.h), since domain/ may not include stats/; alpha is handed to it. */
void score_table(const struct score_counts *counts, size_t n,
                 void (*interval)(uint32_t k, uint32_t n, double alpha, double *lo, double *hi), double alpha,
                 struct score_line *lines);

/* An accuracy as the tables have it: 100 * ((double)k / n); 0 for n = 0. */
double score_percent(uint32_t k, uint32_t n);

#endif
