/* times.c - ticks of the time axis: whole minutes, hours, days, months, years in UTC, so many that their labels fit. */
#include <math.h>
#include <stdio.h>

#include "chart/scale.h"

static const double second = 1e3, minute = 60e3, hour = 3600e3, day = 86400e3;

/* "3 May 2024" at the first tick of all, "14:05" in the course of a day, "3 May" where one begins.
 */
static void label(const struct scale *s, struct ticks *out, double v, double step)
{
    if (out->n == SCALE_TICKS || !scale_shows(s, v)) {
        return;
    }
    struct form_date d = form_date_of(v);
    const char *month = form_months[d.month - 1];
    bool midnight = !d.hour && !d.minute && !d.second;
    char *to = out->text[out->n];
    if (step >= 360 * day) {
        snprintf(to, FORM_TEXT, "%lld", (long long)d.year);
    } else if (step >= 28 * day) {
        snprintf(to, FORM_TEXT, "%s %lld", month, (long long)d.year);
    } else if (step >= day && out->n == 0) {
        snprintf(to, FORM_TEXT, "%u %s %lld", d.day, month, (long long)d.year);
    } else if (step >= day || midnight) {
        snprintf(to, FORM_TEXT, "%u %s", d.day, month);
    } else if (out->n == 0) {
        snprintf(to, FORM_TEXT, "%u %s %02u:%02u", d.day, month, d.hour, d.minute);
    } else if (step >= minute) {
        snprintf(to, FORM_TEXT, "%02u:%02u", d.hour, d.minute);
    } else {
        snprintf(to, FORM_TEXT, "%02u:%02u:%02u", d.hour, d.minute, d.second);
    }
    out->at[out->n++] = v;
}

/* Steps of `months` months; years are twelve of them. */
static void month_ticks(const struct scale *s, int64_t months, struct ticks *out)
{
    struct form_date d = form_date_of(s->lo);
    int64_t at = d.year * 12 + (int64_t)d.month - 1;
    at -= ((at % months) + months) % months;
    for (int i = 0; i < 2 * SCALE_TICKS; i++, at += months) {
        int64_t year = (at >= 0 ? at : at - 11) / 12;
        double v = form_date_ms(year, (unsigned)(at - year * 12) + 1, 1);
        if (v > s->hi) {
            break;
        }
        label(s, out, v, (double)months * 30 * day);
    }
}

/* The first months that are at least `least` ms: 1, 2, 3, 6, then years by 1, 2, 5. */
static int64_t months_of(double least)
{
    static const int64_t parts[] = {1, 2, 3, 6};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if ((double)parts[i] * 30 * day >= least) {
            return parts[i];
        }
    }
    int64_t years = 1;
    for (int i = 0; (double)years * 365 * day < least && years < 1000000; i++) {
        years = i % 3 == 1 ? years / 2 * 5 : years * 2;
    }
    return years * 12;
}

void scale_time_ticks(const struct scale *s, double gap, struct ticks *out)
{
    const double steps[] = {second,      2 * second, 5 * second, 15 * second, 30 * second,
                            minute,      2 * minute, 5 * minute, 10 * minute, 15 * minute,
                            30 * minute, hour,       2 * hour,   3 * hour,    6 * hour,
                            12 * hour,   day,        2 * day,    7 * day};
    double least = (s->hi - s->lo) / fmax(2, floor(fabs(s->to - s->from) / gap));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (steps[i] < least) {
            continue;
        }
        /* Weeks begin on Monday; 1970 began on a Thursday. */
        double origin = steps[i] == 7 * day ? 4 * day : 0;
        double first = ceil((s->lo - origin) / steps[i]) * steps[i] + origin;
        for (double v = first; v <= s->hi && out->n < SCALE_TICKS; v += steps[i]) {
            label(s, out, v, steps[i]);
        }
        return;
    }
    month_ticks(s, months_of(least), out);
}
