/* fault_test.c - switches count down, stay on when negative, and are gone without FAULT_HOOKS. */
#include "unit_faults.h"

#include <errno.h>

TESTS_SHARE(unit_faults_on, NULL)

#ifdef FAULT_HOOKS
TEST(switches_count_down)
{
    struct fault_switches *s = unit_faults();
    assert_int_equal(fault_sync(), 0);
    s->fail_sync = 2;
    assert_int_equal(fault_sync(), EIO);
    assert_int_equal(fault_sync(), EIO);
    assert_int_equal(fault_sync(), 0);
    s->fail_space = -1;
    for (int i = 0; i < 10; i++) {
        assert_int_equal(fault_space(), ENOSPC);
    }
    s->fail_space = 0;
    assert_int_equal(fault_space(), 0);
    s->short_write = 1;
    assert_int_equal(fault_short(), 1);
    assert_int_equal(fault_short(), 0);
    s->clock_ms = -5;
    assert_int_equal(fault_clock_ms(), -5);
    *s = (struct fault_switches){0};
}
#else
TEST(nothing_is_switched)
{
    setenv("HOLDOUT_FAULT_FILE", "/nonexistent", 1);
    assert_int_equal(fault_sync(), 0);
    assert_int_equal(fault_space(), 0);
    assert_int_equal(fault_short(), 0);
    assert_int_equal(fault_clock_ms(), 0);
    unsetenv("HOLDOUT_FAULT_FILE");
}
#endif
