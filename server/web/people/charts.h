/* charts.h - charts of a person's page; rows of the table in charts.c. */
#ifndef WEB_PEOPLE_CHARTS_H
#define WEB_PEOPLE_CHARTS_H

#include "web/core/charts.h"

/* See chart_builder. Asks for `person`, a pseudonym. */
enum err_code chart_person_agreement(struct ctx *c, const struct chart_ask *ask,
                                     struct chart **out);

#endif
