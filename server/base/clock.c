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

/* The last n digits of v, and a sign behind them. Every line of the log begins with a time: no printf. */
static char *put_digits(char *p, unsigned v, int n, char sign)
{
    for (int i = n - 1; i >= 0; i--, v /= 10) {
        p[i] = (char)('0' + v % 10);
    }
    p[n] = sign;
    return p + n + 1;
}

char *clock_iso(int64_t wall_ms, char *buf)
{
    time_t s = (time_t)(wall_ms / 1000 - (wall_ms % 1000 < 0));
    struct tm tm;
    gmtime_r(&s, &tm);
    char *p = put_digits(buf, (unsigned)(tm.tm_year + 1900), 4, '-');
    p = put_digits(p, (unsigned)tm.tm_mon + 1, 2, '-');
    p = put_digits(p, (unsigned)tm.tm_mday, 2, 'T');
    p = put_digits(p, (unsigned)tm.tm_hour, 2, ':');
    p = put_digits(p, (unsigned)tm.tm_min, 2, ':');
    p = put_digits(p, (unsigned)tm.tm_sec, 2, '.');
    p = put_digits(p, (unsigned)(wall_ms - (int64_t)s * 1000), 3, 'Z');
    *p = '\0';
    return buf;
}
