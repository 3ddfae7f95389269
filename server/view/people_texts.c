/* people_texts.c - people, time and pay as texts. */
#include "view/people_texts.h"

#include "base/clock.h"
#include "view/data.h"

#define DASH "\xe2\x80\x93"

const char *people_url(struct arena *a, struct sv pseudonym)
{
    return arena_printf(a, "/workers/" SV_FMT, SV_ARG(pseudonym));
}

const char *people_day(struct arena *a, int64_t wall_ms)
{
    char iso[CLOCK_ISO_SIZE];
    return arena_printf(a, "%.10s", clock_iso(wall_ms, iso));
}

const char *people_minute(struct arena *a, int64_t wall_ms)
{
    char iso[CLOCK_ISO_SIZE];
    clock_iso(wall_ms, iso);
    return arena_printf(a, "%.10s %.5s", iso, iso + 11);
}

const char *people_minutes(struct arena *a, int64_t ms)
{
    return ms > 0 ? arena_printf(a, "%.1f min", (double)ms / 60000) : DASH;
}

const char *people_amount(struct arena *a, int64_t cents, struct sv currency)
{
    return arena_printf(a, "%lld.%02lld " SV_FMT, (long long)cents / 100, (long long)cents % 100,
                        SV_ARG(currency));
}

const char *people_rate(struct arena *a, int64_t cents, struct sv currency)
{
    return cents >= 0 ? arena_printf(a, "%s/h", people_amount(a, cents, currency)) : DASH;
}

const char *people_relative(struct arena *a, double x)
{
    return x > -0.005 && x < 0.005 ? "0.00" : data_minus(a, arena_printf(a, "%+.2f", x));
}
