/* active_ms.c - a page that was left open overnight says nothing about work. */
#include "experts/active_ms.h"

#define DAY_MS INT64_C(86400000)

int64_t active_ms_known(int64_t ms)
{
    return ms > 0 && ms < DAY_MS ? ms : 0;
}
