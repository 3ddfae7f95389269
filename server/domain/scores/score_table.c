/* score_table.c - ranks, intervals and gaps of models on two sets. */
#include "domain/scores/score_table.h"

#include <stdlib.h>
#include <string.h>

double score_percent(uint32_t k, uint32_t n)
{
    return n ? 100 * ((double)k / n) : 0;
}

static int by_rank(uint32_t a_correct, const char *a, uint32_t b_correct, const char *b)
{
    return a_correct != b_correct ? (a_correct < b_correct) - (a_correct > b_correct)
                                  : strcmp(a, b);
}

static int by_original(const void *a, const void *b)
{
    const struct score_counts *x = &((const struct score_line *)a)->counts;
    const struct score_counts *y = &((const struct score_line *)b)->counts;
    return by_rank(x->orig_correct, x->model, y->orig_correct, y->model);
}

static int by_new(const void *a, const void *b)
{
    const struct score_counts *x = &((const struct score_line *)a)->counts;
    const struct score_counts *y = &((const struct score_line *)b)->counts;
    return by_rank(x->new_correct, x->model, y->new_correct, y->model);
}

void score_table(const struct score_counts *counts, size_t n,
                 void (*interval)(uint32_t k, uint32_t n, double alpha, double *lo, double *hi), double alpha,
                 struct score_line *lines)
{
    for (size_t i = 0; i < n; i++) {
        const struct score_counts *c = &counts[i];
        struct score_line *l = &lines[i];
        *l = (struct score_line){.counts = *c,
                                 .orig_acc = score_percent(c->orig_correct, c->orig_n),
                                 .new_acc = score_percent(c->new_correct, c->new_n)};
        l->gap = l->orig_acc - l->new_acc;
        interval(c->orig_correct, c->orig_n, alpha, &l->orig_lo, &l->orig_hi);
        interval(c->new_correct, c->new_n, alpha, &l->new_lo, &l->new_hi);
        l->orig_lo *= 100;
        l->orig_hi *= 100;
        l->new_lo *= 100;
        l->new_hi *= 100;
    }
    if (n) {
        qsort(lines, n, sizeof *lines, by_new);
    }
    for (size_t i = 0; i < n; i++) {
        lines[i].new_rank = (uint32_t)i + 1;
    }
    if (n) {
        qsort(lines, n, sizeof *lines, by_original);
    }
    for (size_t i = 0; i < n; i++) {
        lines[i].orig_rank = (uint32_t)i + 1;
        lines[i].delta_rank = (int32_t)lines[i].orig_rank - (int32_t)lines[i].new_rank;
    }
}
