/* charts_models.h - charts of models: on a pair of sets, and of one model class by class. Rows of charts.c. */
#ifndef WEB_CHARTS_MODELS_H
#define WEB_CHARTS_MODELS_H

#include "web/charts.h"

/* original, new, top, scale (linear, probit, logit). */
enum err_code chart_models_scatter(struct ctx *c, const struct chart_ask *ask, struct chart **out);
/* original, new, top. */
enum err_code chart_models_accuracy(struct ctx *c, const struct chart_ask *ask, struct chart **out);
/* model, set, top. */
enum err_code chart_model_classes(struct ctx *c, const struct chart_ask *ask, struct chart **out);

#endif
