/* charts.h - charts of a vote view's page; rows of the table in charts.c. */
#ifndef WEB_VIEWS_CHARTS_H
#define WEB_VIEWS_CHARTS_H

#include "web/core/charts.h"

/* Means of originals, candidates and negative controls with no filter, with each and with all of
 * them. Asks for `view`. See chart_builder. */
enum err_code chart_view_means(struct ctx *c, const struct chart_ask *ask, struct chart **out);

#endif
