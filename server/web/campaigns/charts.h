/* charts.h - charts of the first page and of a campaign's page; rows of the table in charts.c. */
#ifndef WEB_CAMPAIGNS_CHARTS_H
#define WEB_CAMPAIGNS_CHARTS_H

#include "web/core/charts.h"

/* See chart_builder. Those of a campaign ask for `campaign`. */
enum err_code chart_overview_pulse(struct ctx *c, const struct chart_ask *ask, struct chart **out);
enum err_code chart_overview_day(struct ctx *c, const struct chart_ask *ask, struct chart **out);
enum err_code chart_overview_histogram(struct ctx *c, const struct chart_ask *ask,
                                       struct chart **out);
enum err_code chart_campaign_pulse(struct ctx *c, const struct chart_ask *ask, struct chart **out);
enum err_code chart_campaign_day(struct ctx *c, const struct chart_ask *ask, struct chart **out);
enum err_code chart_campaign_positions(struct ctx *c, const struct chart_ask *ask,
                                       struct chart **out);

#endif
