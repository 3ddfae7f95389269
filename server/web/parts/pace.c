/* pace.c - answers per minute and time to finish. */
#include "web/parts/pace.h"

#include <math.h>

enum { MINUTE_MS = 60000 };

int64_t pace_now(const struct stats *s, int64_t wall_ms)
{
    int64_t minute = wall_ms / MINUTE_MS * MINUTE_MS;
    return s->made_ms > minute ? s->made_ms : minute;
}

uint32_t pace_minute(const struct stats *s, const struct stats_campaign *k, int64_t now_ms,
                     unsigned ago)
{
    int64_t passed = now_ms / MINUTE_MS - s->made_ms / MINUTE_MS;
    int64_t at = (int64_t)ago - (passed > 0 ? passed : 0);
    if (at < 0 || at >= STATS_MINUTES) {
        return 0;
    }
    if (k) {
        return k->minute[at];
    }
    uint32_t sum = 0;
    for (size_t i = 0; i < s->n_campaigns; i++) {
        sum += s->campaigns[i].minute[at];
    }
    return sum;
}

void pace_of(const struct stats *s, const struct stats_campaign *k, int64_t now_ms,
             struct pace *out)
{
    *out = (struct pace){0};
    for (unsigned ago = 0; ago < STATS_MINUTES; ago++) {
        uint32_t n = pace_minute(s, k, now_ms, ago);
        out->day += n;
        out->hour += ago < PACE_HOUR ? n : 0;
        out->answers += ago < PACE_MINUTES ? n : 0;
    }
    out->minutes = PACE_MINUTES - 1 + (double)(now_ms % MINUTE_MS) / MINUTE_MS;
    out->per_minute = (double)out->answers / out->minutes;
}

double pace_finish(const struct pace *p, int64_t left)
{
    return p->per_minute > 0 && left > 0 ? (double)left / p->per_minute : -1;
}

uint32_t pace_people(const struct stats *s, int64_t now_ms)
{
    uint32_t n = 0;
    for (size_t i = 0; i < s->n_people; i++) {
        n += s->people[i].last_s + PACE_MINUTES * INT64_C(60) >= now_ms / 1000;
    }
    return n;
}

const char *pace_span(struct arena *a, double minutes)
{
    if (minutes < 1) {
        return "under a minute";
    }
    if (minutes < 60) {
        return arena_printf(a, "%.0f min", minutes);
    }
    if (minutes < 48 * 60) {
        long m = lround(minutes);
        return m % 60 ? arena_printf(a, "%ld h %ld min", m / 60, m % 60)
                      : arena_printf(a, "%ld h", m / 60);
    }
    return minutes < 365.0 * 24 * 60 ? arena_printf(a, "%.0f days", minutes / (24 * 60))
                                     : "over a year";
}
