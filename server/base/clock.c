/* clock.c - wall and monotonic time. */
#include "base/clock.h"

#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "base/fault.h"

static _Atomic int64_t wall_shift_ms;

void clock_shift_wall(int64_t ms)
{
    atomic_store_explicit(&wall_shift_ms, ms, memory_order_relaxed);
}

int64_t clock_wall_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000 + fault_clock_ms() +
           atomic_load_explicit(&wall_shift_ms, memory_order_relaxed);
}

int64_t clock_socket_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t clock_mono_ns(void)
{
    return clock_socket_ns() + fault_clock_ms() * 1000000;
}

char *clock_iso(int64_t wall_ms, char *buf)
{
    time_t s = (time_t)(wall_ms / 1000 - (wall_ms % 1000 < 0));
    struct tm tm;
    gmtime_r(&s, &tm);
    snprintf(buf, CLOCK_ISO_SIZE, "%04u-%02u-%02uT%02u:%02u:%02u.%03uZ",
             (unsigned)(tm.tm_year + 1900) % 10000u, (unsigned)(tm.tm_mon + 1) % 100u,
             (unsigned)tm.tm_mday % 100u, (unsigned)tm.tm_hour % 100u, (unsigned)tm.tm_min % 100u,
             (unsigned)tm.tm_sec % 100u, (unsigned)(wall_ms - (int64_t)s * 1000) % 1000u);
    return buf;
}
