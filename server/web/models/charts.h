/* charts.h - charts of models: on a pair of sets, and of one model class by class. Rows of charts.c. */
#ifndef WEB_MODELS_CHARTS_H
#define WEB_MODELS_CHARTS_H

#include "web/core/charts.h"

/* original, new, top, subset, labels, new_labels, group, family, scale (linear, probit, logit). */
enum err_code chart_models_scatter(struct ctx *c, const struct chart_ask *ask, struct chart **out);
/* original, new, top. */
enum err_code chart_models_accuracy(struct ctx *c, const struct chart_ask *ask, struct chart **out);
/* model, set, top. */
enum err_code chart_model_classes(struct ctx *c, const struct chart_ask *ask, struct chart **out);

#endif
