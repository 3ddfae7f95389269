/* charts_help.h - charts of the help pages; rows of the table in charts.c. */
#ifndef WEB_OPERATE_CHARTS_HELP_H
#define WEB_OPERATE_CHARTS_HELP_H

#include "web/core/charts.h"

/* How sure a frequency of 0.7 is after so many answers; asks for nothing. */
enum err_code chart_help_binomial(struct ctx *c, const struct chart_ask *ask, struct chart **out);

#endif
