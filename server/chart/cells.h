/* cells.h - heat maps: a row of cells for each category, a column for each series, the darker the more. Only for
 * chart/. */
#ifndef CHART_CELLS_H
#define CHART_CELLS_H

#include "chart/frame.h"

/* Whether the chart is one. */
bool cells_are(const struct chart *c);
/* Where its cells stand; everything around them is in cells_draw too. */
struct frame cells_frame(const struct chart *c, const char *id, struct str *out);
/* Names of rows and columns; then, inside the group of the data, the cells, a group for each row: static/js/chart.js walks
 * along it. */
void cells_names(const struct frame *f);
void cells_draw(const struct frame *f);

#endif
