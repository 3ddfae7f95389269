/* score_csv.h - the table of scores as CSV, columns as in the published table 15; /api/v1/scores has the same
 * records. Which lines, and printed tables: score_sheet.h. */
#ifndef MEASURES_SCORE_CSV_H
#define MEASURES_SCORE_CSV_H

#include "base/str.h"
#include "domain/scores/score_table.h"
#include "measures/scores/model_gaps.h"
#include "record/record.h"

/* Header and the n rows lines[at[i]] (at NULL: lines[i]); numbers with as many digits as tell them apart, then as they are
 * printed. With gaps also the gap on common classes, the bounds of gaps and ranks, and how they were made: gaps->lines[i]
 * belongs to lines[i]. A cell is empty where there is no common class, or no interval is known. NULL: without. */
void score_csv(const struct score_line *lines, const struct model_gaps_found *gaps, const size_t *at, size_t n, struct str *out);

struct gap_record_row {
    struct gap_line line;
    bool told; /* there is a gap on common classes */
};
/* A model's line in either table. */
struct score_gap_row {
    struct score_line line;
    struct gap_record_row gap;
    struct gap_classes classes;
    const char *method;
    struct score_level level; /* of all intervals */
    uint64_t seed;
};
struct score_gap_row score_gap_row(const struct score_line *line, const struct model_gaps_found *gaps, size_t at);
extern const struct record score_gap_record; /* rows are struct score_gap_row */
extern const struct record gap_record;       /* struct gap_record_row */

#endif
