/* near.h - numbers that should be equal but for rounding. */
#ifndef TESTS_UNIT_STATS_NEAR_H
#define TESTS_UNIT_STATS_NEAR_H

#include <math.h>

#include "unit.h"

static inline void assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) {
        fail_msg("got %.17g, want %.17g within %g", got, want, tolerance);
    }
}

#endif
