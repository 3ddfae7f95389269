/* ranges_test.c - sets of numbers as ranges: places, bytes, and bytes that are none. */
#include "unit.h"

#include <string.h>

#include "base/ranges.h"

static struct ranges made(const uint32_t *numbers, size_t n)
{
    struct ranges_build b = {0};
    for (size_t i = 0; i < n; i++) {
        ranges_add(&b, &unit_arena, numbers[i]);
    }
    return b.ranges;
}

ARENA_TEST(numbers_have_places)
{
    static const uint32_t numbers[] = {3, 4, 5, 9, 11, 12, 4000000000U};
    const size_t n = sizeof numbers / sizeof *numbers;
    struct ranges r = made(numbers, n);
    assert_int_equal(r.n, 4);
    assert_int_equal(r.numbers, n);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(ranges_place(&r, numbers[i]), i);
        assert_int_equal(ranges_at(&r, i), numbers[i]);
    }
    static const uint32_t others[] = {0, 2, 6, 8, 10, 13, 3999999999U, 4000000001U, UINT32_MAX};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_false(ranges_has(&r, others[i]));
    }
    struct ranges none = {0};
    assert_false(ranges_has(&none, 1));
}

ARENA_TEST(many_ranges_grow)
{
    struct ranges_build b = {0};
    for (uint32_t i = 0; i < 1000; i++) {
        ranges_add(&b, &unit_arena, 3 * i);
    }
    assert_int_equal(b.ranges.n, 1000);
    assert_int_equal(ranges_at(&b.ranges, 999), 2997);
    assert_int_equal(ranges_place(&b.ranges, 1500), 500);
    assert_int_equal(ranges_below(&b.ranges, 1500), 500);
    assert_int_equal(ranges_below(&b.ranges, 0), 0);
    assert_int_equal(ranges_below(&b.ranges, UINT32_MAX), b.ranges.numbers);
}

ARENA_TEST(bytes_come_back)
{
    static const uint32_t numbers[] = {1, 2, 258};
    struct ranges r = made(numbers, 3), back;
    struct sv bytes = ranges_bytes(&r, &unit_arena);
    static const unsigned char want[] = {1, 0, 0, 0, 2, 0, 0, 0, 2, 1, 0, 0, 1, 0, 0, 0};
    assert_int_equal(bytes.n, sizeof want);
    assert_memory_equal(bytes.p, want, sizeof want);
    assert_true(ranges_read(bytes, &unit_arena, &back));
    assert_int_equal(back.numbers, 3);
    assert_int_equal(ranges_place(&back, 258), 2);
    assert_true(ranges_read(SV(""), &unit_arena, &back));
    assert_int_equal(back.numbers, 0);
}

ARENA_TEST(what_is_no_ranges_is_refused)
{
    struct ranges r;
    static const unsigned char empty[] = {1, 0, 0, 0, 0, 0, 0, 0};
    static const unsigned char touching[] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0};
    static const unsigned char falling[] = {9, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0};
    static const unsigned char beyond[] = {255, 255, 255, 255, 1, 0, 0, 0};
    assert_false(ranges_read(sv_make((const char *)empty, sizeof empty), &unit_arena, &r));
    assert_false(ranges_read(sv_make((const char *)touching, sizeof touching), &unit_arena, &r));
    assert_false(ranges_read(sv_make((const char *)falling, sizeof falling), &unit_arena, &r));
    assert_false(ranges_read(sv_make((const char *)beyond, sizeof beyond), &unit_arena, &r));
    assert_false(ranges_read(sv_make((const char *)touching, 7), &unit_arena, &r));
}
