/* clock.h - the one place that asks for the time.
 * Wall time is stored and shown, monotonic time measures and sets deadlines. Builds with
 * FAULT_HOOKS add fault_clock_ms() (base/fault.h) to both, so that tests let leases expire
 * without sleeping. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

int64_t clock_wall_ms(void); /* milliseconds since 1970-01-01 UTC */
int64_t clock_mono_ns(void); /* nanoseconds since some fixed moment; never goes back */
/* The same, which no test moves: for how long a socket has been silent. */
int64_t clock_socket_ns(void);

/* From now on wall time is so much later (negative: earlier) than it is, in the whole process; 0: as
 * it is. Only the demo does so, while it writes what happened in the days before it was made. */
void clock_shift_wall(int64_t ms);

enum { CLOCK_ISO_SIZE = 25 };
/* "2026-11-20T10:00:00.123Z" into buf (CLOCK_ISO_SIZE bytes). Returns buf. */
char *clock_iso(int64_t wall_ms, char *buf);

#endif
