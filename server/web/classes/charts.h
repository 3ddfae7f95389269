/* charts.h - charts of classes; rows of the table in charts.c. */
#ifndef WEB_CLASSES_CHARTS_H
#define WEB_CLASSES_CHARTS_H

#include "web/core/charts.h"

/* See chart_builder. Images of a class by selection frequency, candidates beside originals; asks for
 * `wnid` and `view`. */
enum err_code chart_class_histogram(struct ctx *c, const struct chart_ask *ask,
                                    struct chart **out);
/* Every class: frequency of its originals against that of its candidates; asks for `view`. */
enum err_code chart_classes_scatter(struct ctx *c, const struct chart_ask *ask,
                                    struct chart **out);

#endif
