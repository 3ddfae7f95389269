/* charts.h - charts of the page of objects; rows of the table in web/core/charts.c. */
#ifndef WEB_OBJECTS_CHARTS_H
#define WEB_OBJECTS_CHARTS_H

#include "web/core/charts.h"

/* How many objects images have, and how many labels anybody ticked in them. Asks for `view`. See chart_builder. */
enum err_code chart_objects_numbers(struct ctx *c, const struct chart_ask *ask, struct chart **out);

#endif
