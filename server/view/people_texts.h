/* people_texts.h - people, their time and their pay as texts. */
#ifndef VIEW_PEOPLE_TEXTS_H
#define VIEW_PEOPLE_TEXTS_H

#include "base/arena.h"
#include "base/sv.h"

/* All in the arena. */
const char *people_url(struct arena *a, struct sv pseudonym); /* "/workers/p..." */
const char *people_day(struct arena *a, int64_t wall_ms);     /* "2026-11-20" */
const char *people_minute(struct arena *a, int64_t wall_ms);  /* "2026-11-20 10:00", UTC */
const char *people_minutes(struct arena *a, int64_t ms);      /* "12.5 min"; a dash for none */
const char *people_amount(struct arena *a, int64_t cents, struct sv currency); /* "12.50 USD" */
const char *people_rate(struct arena *a, int64_t cents, struct sv currency); /* "12.50 USD/h", dash */
/* A difference from the others: "+0.02", and never "-0.00". */
const char *people_relative(struct arena *a, double x);

#endif
