/* score_csv.c - the table of scores as CSV. Model names need no quotes: store/models/models.h says what
 * they are made of. */
#include "domain/score_csv.h"

#include <stdlib.h>
#include <string.h>

void score_csv_number(struct str *out, double v)
{
    char text[40];
    int digits = 15;
    do {
        snprintf(text, sizeof text, "%.*g", digits, v);
    } while (strtod(text, NULL) != v && ++digits <= 17);
    str_addc(out, ',');
    str_addz(out, text);
    str_addz(out, strpbrk(text, ".e") ? "" : ".0"); /* as the published tables have whole numbers */
}

static void add_line(struct str *out, const struct score_line *l)
{
    const struct score_counts *c = &l->counts;
    str_printf(out, "%u,%s,%u,%u", l->orig_rank, c->model, c->orig_correct, c->orig_n);
    score_csv_number(out, l->orig_acc);
    score_csv_number(out, l->orig_lo);
    score_csv_number(out, l->orig_hi);
    str_printf(out, ",%u,%u", c->new_correct, c->new_n);
    score_csv_number(out, l->new_acc);
    score_csv_number(out, l->new_lo);
    score_csv_number(out, l->new_hi);
    score_csv_number(out, l->gap);
    str_printf(out, ",%u,%d,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f", l->new_rank, l->delta_rank,
               l->orig_acc, l->orig_lo, l->orig_hi, l->new_acc, l->new_lo, l->new_hi, l->gap);
}

#define COLUMNS                                                                                    \
    "orig_rank,model,orig_correct,orig_n,orig_acc,orig_lo,orig_hi,new_correct,new_n,new_acc,"      \
    "new_lo,new_hi,gap,new_rank,delta_rank,p_orig,p_orig_lo,p_orig_hi,p_new,p_new_lo,p_new_hi,p_gap"

void score_csv(const struct score_line *lines, size_t n, struct str *out)
{
    str_addz(out, COLUMNS "\n");
    for (size_t i = 0; i < n; i++) {
        add_line(out, &lines[i]);
        str_addc(out, '\n');
    }
}

static void add_number(struct str *out, bool known, double v)
{
    if (known) {
        score_csv_number(out, v);
    } else {
        str_addc(out, ',');
    }
}

static void add_range(struct str *out, const struct gap_range *r)
{
    add_number(out, r->known, r->lo);
    add_number(out, r->known, r->hi);
}

static void add_ranks(struct str *out, const struct gap_range *r)
{
    if (r->known) {
        str_printf(out, ",%.0f,%.0f", r->lo, r->hi);
    } else {
        str_addz(out, ",,");
    }
}

void score_csv_common(const struct score_line *lines, const struct gap_line *gaps,
                      const struct gap_classes *classes, uint32_t resamples, uint64_t seed, size_t n,
                      struct str *out)
{
    bool any = gap_told(classes);
    str_addz(out, COLUMNS ",orig_classes,new_classes,common_classes,same_shares,common_orig_acc,"
                          "common_new_acc,common_gap,common_gap_lo,common_gap_hi,gap_lo,gap_hi,"
                          "orig_rank_lo,orig_rank_hi,new_rank_lo,new_rank_hi,delta_rank_lo,"
                          "delta_rank_hi,method,resamples,seed\n");
    for (size_t i = 0; i < n; i++) {
        const struct gap_line *g = &gaps[i];
        add_line(out, &lines[i]);
        str_printf(out, ",%u,%u,%u,%s", classes->original, classes->fresh, classes->common,
                   classes->same ? "yes" : "no");
        add_number(out, any, g->original_acc);
        add_number(out, any, g->fresh_acc);
        add_number(out, any, g->gap);
        add_range(out, &g->common);
        add_range(out, &g->raw);
        add_ranks(out, &g->original_rank);
        add_ranks(out, &g->fresh_rank);
        add_ranks(out, &g->change);
        str_printf(out, ",%s,%u,%llu\n", gap_method, resamples, (unsigned long long)seed);
    }
}
