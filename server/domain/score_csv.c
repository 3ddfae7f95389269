/* score_csv.c - the table of scores as CSV. Model names need no quotes: store/models.h says what
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
    str_printf(out, ",%u,%d,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f\n", l->new_rank, l->delta_rank,
               l->orig_acc, l->orig_lo, l->orig_hi, l->new_acc, l->new_lo, l->new_hi, l->gap);
}

void score_csv(const struct score_line *lines, size_t n, struct str *out)
{
    str_addz(out, "orig_rank,model,orig_correct,orig_n,orig_acc,orig_lo,orig_hi,new_correct,new_n,"
                  "new_acc,new_lo,new_hi,gap,new_rank,delta_rank,p_orig,p_orig_lo,p_orig_hi,p_new,"
                  "p_new_lo,p_new_hi,p_gap\n");
    for (size_t i = 0; i < n; i++) {
        add_line(out, &lines[i]);
    }
}
