/* pace.h - how fast answers come and when the last one will, from the kept statistics. Statistics may
 * be older than the look at them (nothing happened since): minutes are counted from the look. Knows
 * nothing of SQL or HTTP. */
#ifndef WEB_PARTS_PACE_H
#define WEB_PARTS_PACE_H

#include "base/arena.h"
#include "live/votes/stats.h"

enum { PACE_MINUTES = 10, PACE_HOUR = 60 };

struct pace {
    uint32_t answers;    /* in the present minute and the PACE_MINUTES - 1 before it */
    double minutes;      /* how long that is: PACE_MINUTES - 1 and what passed of this one */
    double per_minute;   /* answers / minutes */
    uint32_t hour, day;  /* answers in the present minute and the 59, or 1439, before it */
};
/* The moment that pages reckon from: when the statistics were made, or the start of the present minute
 * when that is later. So a page stays the same, byte by byte, while nothing happens in a minute. */
int64_t pace_now(const struct stats *s, int64_t wall_ms);
/* Answers that came `ago` minutes before the present one (0). `k` NULL: of all campaigns. */
uint32_t pace_minute(const struct stats *s, const struct stats_campaign *k, int64_t now_ms,
                     unsigned ago);
void pace_of(const struct stats *s, const struct stats_campaign *k, int64_t now_ms,
             struct pace *out);
/* Minutes until `left` answers have come at this pace; negative when none come or none are left. */
double pace_finish(const struct pace *p, int64_t left);
/* People whose newest answer is at most PACE_MINUTES old. */
uint32_t pace_people(const struct stats *s, int64_t now_ms);

/* "under a minute", "25 min", "3 h 20 min", "12 days"; in the arena. */
const char *pace_span(struct arena *a, double minutes);

#endif
