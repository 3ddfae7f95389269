/* fault_test.c - switches count down, stay on when negative, and are gone without FAULT_HOOKS. */
#include "unit_faults.h"

#include <errno.h>

#ifdef FAULT_HOOKS
static void switches_count_down(void **state)
{
    (void)state;
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
static void nothing_is_switched(void **state)
{
    (void)state;
    setenv("HOLDOUT_FAULT_FILE", "/nonexistent", 1);
    assert_int_equal(fault_sync(), 0);
    assert_int_equal(fault_space(), 0);
    assert_int_equal(fault_short(), 0);
    assert_int_equal(fault_clock_ms(), 0);
    unsetenv("HOLDOUT_FAULT_FILE");
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef FAULT_HOOKS
        cmocka_unit_test(switches_count_down),
#else
        cmocka_unit_test(nothing_is_switched),
#endif
    };
    return cmocka_run_group_tests(tests, unit_faults_on, NULL);
}
