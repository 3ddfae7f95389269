/* labels.h - charts of label sources. Rows of web/core/charts.c. */
#ifndef WEB_LABELS_LABELS_H
#define WEB_LABELS_LABELS_H

#include "web/core/charts.h"

/* Images of a set by how many labels are right by a source: `set`, subset, labels. */
enum err_code chart_label_source_numbers(struct ctx *c, const struct chart_ask *ask, struct chart **out);

#endif
