/* charts.h - charts of label reviews, for THE table (web/core/charts.c). */
#ifndef WEB_EXPERTS_CHARTS_H
#define WEB_EXPERTS_CHARTS_H

#include "web/core/charts.h"

/* `review`: the list; `suggestions`: which of its images (hidden, all). Each reviewer's agreement with the others, over the images that they reviewed. */
enum err_code chart_review_agreement(struct ctx *c, const struct chart_ask *ask, struct chart **out);

#endif
