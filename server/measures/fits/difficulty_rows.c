/* difficulty_rows.c - solutions of a probit line as rows. */
#include "measures/fits/difficulty_rows.h"

#include <math.h>

#define OF(member) RECORD_OF(struct difficulty_row, member)
RECORD(difficulty_row_record, struct difficulty_row, "difficulty_solution",
       "One of the solutions that explain a probit line equally well: spreads of difficulty in both sets, and the shift between them.",
       {"spread_original", OF(spread_original), .about = "Standard deviation of the difficulty of the originals, in units of the chance's own spread."},
       {"spread_new", OF(spread_new), .maybe = true, .about = "That of the new set; null: no solution has such a spread of the originals."},
       {"spread_new_lo", OF(spread_new_lo), .maybe = true, .about = "Lower bound of what the line's errors leave open: 95 %, delta method, Student's t."},
       {"spread_new_hi", OF(spread_new_hi), .maybe = true, .about = "Upper bound; null: there is none."},
       {"shift", OF(shift), .maybe = true, .about = "Mean difficulty of the new set minus that of the originals; above 0: the new set is harder."},
       {"shift_lo", OF(shift_lo), .maybe = true, .about = "Lower bound of the shift."},
       {"shift_hi", OF(shift_hi), .maybe = true, .about = "Upper bound of the shift."},
       {"mark", OF(mark), .maybe = true, .about = "assumed: of the spread that was chosen; truth: of the simulated world; null: one of the curve."});
#undef OF

struct difficulty_row difficulty_row_of(const struct line *l, double spread_original, const char *mark)
{
    const double none = (double)NAN;
    struct difficulty_solution s;
    if (!difficulty_solve(l, spread_original, &s)) {
        return (struct difficulty_row){spread_original, none, none, none, none, none, none, mark};
    }
    return (struct difficulty_row){spread_original,
                                   s.spread_new,
                                   s.spread_range.lo,
                                   isfinite(s.spread_range.hi) ? s.spread_range.hi : none,
                                   s.shift,
                                   s.shift_range.lo,
                                   s.shift_range.hi,
                                   mark};
}

void difficulty_curve(const struct line *l, struct difficulty_row out[DIFFICULTY_ROWS])
{
    for (int i = 0; i < DIFFICULTY_ROWS; i++) {
        out[i] = difficulty_row_of(l, (double)DIFFICULTY_SPREAD_MOST * i / (DIFFICULTY_ROWS - 1), "");
    }
}
