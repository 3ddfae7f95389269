/* difficulty_rows.h - the solutions that a probit line leaves open (stats/difficulty.h) as rows: the curve from no spread of
 * the originals to a wide one, and single solutions with a mark. For pages, commands and figures. */
#ifndef MEASURES_DIFFICULTY_ROWS_H
#define MEASURES_DIFFICULTY_ROWS_H

#include "record/record.h"
#include "stats/difficulty.h"

#define DIFFICULTY_SPREAD_MOST 4 /* of either set, and of the shift, wherever one is chosen */
enum { DIFFICULTY_ROWS = 41 };

struct difficulty_row { /* NAN: there is none; of an upper bound: it is not bounded */
    double spread_original, spread_new, spread_new_lo, spread_new_hi, shift, shift_lo, shift_hi;
    const char *mark; /* what is special about it; empty: one of the curve */
};
struct difficulty_row difficulty_row_of(const struct line *l, double spread_original, const char *mark);
/* Of spreads from 0 to DIFFICULTY_SPREAD_MOST, evenly apart. */
void difficulty_curve(const struct line *l, struct difficulty_row out[DIFFICULTY_ROWS]);
extern const struct record difficulty_row_record;

#endif
