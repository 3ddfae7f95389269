/* form.h - numbers and times as text: for people, for the ticks of an axis, and as they are.
 * Only for chart/. */
#ifndef CHART_FORM_H
#define CHART_FORM_H

#include "chart/svg.h"

enum { FORM_TEXT = 48 };

/* As people read one value: "0.73", "12,345", "41.2 %", "2024-05-03 14:05". */
void form_value(const struct chart_axis *axis, double v, char out[FORM_TEXT]);
/* As it stands at a tick, with the decimals that the step between ticks needs. */
void form_tick(enum chart_form form, double v, double step, char out[FORM_TEXT]);
/* The shortest decimal number that reads back as the same value; a negative zero is zero. */
void form_raw(double v, char out[FORM_TEXT]);

/* As far as calendars of other programs go: 100,000,000 days around 1970. */
#define FORM_TIME_MOST 8.64e15
/* Calendar of the time axis: proleptic Gregorian, UTC. */
struct form_date {
    int64_t year;
    unsigned month, day, hour, minute, second; /* month and day from 1 */
};
struct form_date form_date_of(double ms);
double form_date_ms(int64_t year, unsigned month, unsigned day);
/* "2024-05-03T14:05:00Z" */
void form_iso(double ms, char out[FORM_TEXT]);
extern const char *const form_months[12];

#endif
