/* charts_views.h - charts of a vote view's page; rows of the table in charts.c. */
#ifndef WEB_CHARTS_VIEWS_H
#define WEB_CHARTS_VIEWS_H

#include "web/charts.h"

/* Means of originals, candidates and negative controls with no filter, with each and with all of
 * them. Asks for `view`. See chart_builder. */
enum err_code chart_view_means(struct ctx *c, const struct chart_ask *ask, struct chart **out);

#endif
