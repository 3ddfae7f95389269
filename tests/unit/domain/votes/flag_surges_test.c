/* flag_surges_test.c - so many flags within an hour are a surge; the same flags by person. */
#include "unit.h"

#include "domain/votes/flag_surges.h"

TESTS_SHARE(unit_arena_open, unit_arena_close)

enum { MINUTE = 60 * 1000, MOST = 64 };

static size_t make(struct flag_point *p, size_t n, size_t from, int64_t at, int64_t step)
{
    for (size_t i = 0; i < n; i++) {
        p[from + i] = (struct flag_point){.id = (int64_t)(from + i + 1),
                                          .at = at + (int64_t)i * step,
                                          .image = (int64_t)(i % 4),
                                          .person = (int64_t)(i % 3),
                                          .counts = i % 2 == 0,
                                          .hidden = i % 4 == 0};
    }
    return from + n;
}

TEST(surges)
{
    struct flag_point p[MOST];
    struct flag_sum *s;
    size_t n_s, n = make(p, 9, 0, 0, 10 * MINUTE); /* six or seven within an hour */
    flag_surges(p, n, 8, &unit_arena, &s, &n_s);
    assert_int_equal(n_s, 0);
    n = make(p, 8, n, 600 * MINUTE, MINUTE);
    n = make(p, 3, n, 900 * MINUTE, 50 * MINUTE);
    n = make(p, 12, n, 2000 * MINUTE, 7 * MINUTE);
    flag_surges(p, n, 8, &unit_arena, &s, &n_s);
    assert_int_equal(n_s, 2);
    assert_int_equal(s[0].first, 21); /* the newest first, all twelve although they last longer */
    assert_int_equal(s[0].last, 32);
    assert_int_equal(s[1].first, 10);
    assert_int_equal(s[1].last, 17);
    assert_int_equal(s[1].flags, 8);
    assert_int_equal(s[1].images, 4);
    assert_int_equal(s[1].people, 3);
    assert_int_equal(s[1].hidden, 1);
    assert_int_equal(s[1].uncounted, 4);
    assert_int_equal(s[1].first_at, 600 * MINUTE);
    assert_int_equal(s[1].last_at, 607 * MINUTE);
    flag_surges(p, 0, 8, &unit_arena, &s, &n_s);
    assert_int_equal(n_s, 0);
}

TEST(by_person)
{
    struct flag_point p[MOST];
    struct flag_sum *s;
    size_t n_s, n = make(p, 7, 0, 0, MINUTE);
    p[6].person = 9;
    p[5].image = p[2].image;
    flags_by_person(p, n, &unit_arena, &s, &n_s);
    assert_int_equal(n_s, 4);
    assert_int_equal(s[0].person, 0); /* two images; the first flag comes first */
    assert_int_equal(s[1].person, 1);
    assert_int_equal(s[0].images, 2);
    assert_int_equal(s[2].images, 1);
    assert_int_equal(s[2].flags, 2);
    flags_by_person(p, 0, &unit_arena, &s, &n_s);
    assert_int_equal(n_s, 0);
}
