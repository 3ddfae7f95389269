/* clock_test.c - ISO text of moments, monotonic time, the shifted clock. */
#include "unit_faults.h"

#include "base/clock.h"

TESTS_SHARE(unit_faults_on, NULL)

TEST(moments_as_text)
{
    static const struct {
        int64_t ms;
        const char *iso;
    } cases[] = {{0, "1970-01-01T00:00:00.000Z"},
                 {-1, "1969-12-31T23:59:59.999Z"},
                 {-1000, "1969-12-31T23:59:59.000Z"},
                 {951782399999, "2000-02-28T23:59:59.999Z"},
                 {951782400000, "2000-02-29T00:00:00.000Z"},
                 {1795168800123, "2026-11-20T10:00:00.123Z"},
                 {253402300799999, "9999-12-31T23:59:59.999Z"}};
    char buf[CLOCK_ISO_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_ptr_equal(clock_iso(cases[i].ms, buf), buf);
        assert_string_equal(buf, cases[i].iso);
    }
}

TEST(time_goes_on)
{
    int64_t mono = clock_mono_ns();
    for (int i = 0; i < 1000; i++) {
        int64_t now = clock_mono_ns();
        assert_true(now >= mono);
        mono = now;
    }
    int64_t off = clock_wall_ms() - (int64_t)time(NULL) * 1000;
    assert_true(off >= -1000 && off <= 2000);
}

#ifdef FAULT_HOOKS
TEST(a_shift_moves_both_clocks)
{
    struct fault_switches *s = unit_faults();
    int64_t wall = clock_wall_ms(), mono = clock_mono_ns();
    s->clock_ms = 3600 * 1000;
    int64_t wall_moved = clock_wall_ms() - wall;
    int64_t mono_moved = (clock_mono_ns() - mono) / 1000000;
    *s = (struct fault_switches){0};
    assert_in_range(wall_moved, 3600 * 1000 - 1000, 3600 * 1000 + 60 * 1000);
    assert_in_range(mono_moved, 3600 * 1000, 3600 * 1000 + 60 * 1000);
}
#endif
