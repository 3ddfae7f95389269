/* charts.h - charts of the page of duplicates; rows of the table in web/core/charts.c. */
#ifndef WEB_DUPLICATES_CHARTS_H
#define WEB_DUPLICATES_CHARTS_H

#include "web/core/charts.h"

/* How many pairs are within each distance by a metric, with its threshold: what another threshold would leave to review.
 * Asks for `metric`. See chart_builder. */
enum err_code chart_near_pairs(struct ctx *c, const struct chart_ask *ask, struct chart **out);

#endif
