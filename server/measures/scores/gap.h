/* gap.h - gaps on common classes and intervals of gaps and ranks as JSON, beside a line of the
 * table of scores; under the names of the columns of score_csv_common. */
#ifndef MEASURES_GAP_H
#define MEASURES_GAP_H

#include <jansson.h>

#include "measures/scores/model_gaps.h"
#include "record/record.h"

/* What both sets are made of and how the intervals were made. */
extern const struct record gaps_record;
/* The mean over models of the gap on common classes, in points; NAN: there is none to tell. */
double gap_mean_common(const struct model_gaps_found *gaps);
/* Made by that table; new reference. */
json_t *gap_data_about(const struct model_gaps_found *gaps);
/* Adds to a line's object what lines[at] says; null where there is nothing to say. */
void gap_data_add(json_t *line, const struct model_gaps_found *gaps, size_t at);

#endif
