/* line_test.c - stats/line.h against Anscombe's data (The American Statistician 27, 1973), worked out to 30 digits. */
#include "unit.h"

#include "near.h"
#include "stats/line.h"

enum { N = 11 };
static const double x[N] = {10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5},
                    straight[N] = {8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68},
                    curved[N] = {9.14, 8.14, 8.74, 8.77, 9.26, 8.10, 6.13, 3.10, 9.13, 7.26, 4.74};

TEST(a_line)
{
    struct line l;
    assert_true(line_fit(x, straight, N, &l));
    assert_int_equal(l.n, N);
    assert_near(l.slope, 0.5000909090909091, 1e-14);
    assert_near(l.offset, 3.0000909090909103, 1e-14);
    assert_near(l.r, 0.8164205163448399, 1e-14);
    assert_near(l.slope_error, 0.11790550059563408, 1e-14);
    assert_near(l.offset_error, 1.1247467908086437, 1e-13);
    assert_near(l.spread, 1.2366033227263211, 1e-13);
    struct interval band = line_band(&l, 14, 0.05);
    assert_near(band.lo, 8.423422265226608, 1e-12);
    assert_near(band.hi, 11.579305007500665, 1e-12);
}

TEST(bends)
{
    struct line l;
    struct line_bend b;
    assert_true(line_fit(x, straight, N, &l) && line_bend(&l, x, straight, 0.05, &b));
    assert_near(b.term, -0.03162004662004714, 1e-13);
    assert_near(b.error, 0.04335983724481939, 1e-13);
    assert_near(b.range.lo, -0.13160801060838029, 1e-12);
    assert_near(b.range.hi, 0.06836791736828615, 1e-12);
    /* The same line, and a parabola but for the rounding of the data. */
    assert_true(line_fit(x, curved, N, &l) && line_bend(&l, x, curved, 0.05, &b));
    assert_near(l.slope, 0.5, 1e-3);
    assert_near(b.term, -0.12671328671328785, 1e-12);
    assert_near(b.error, 5.709766300191839e-05, 1e-12);
}

/* Far from zero, where sums of squares would have lost all their digits. */
TEST(far_away)
{
    double far[N], up[N];
    struct line l;
    for (int i = 0; i < N; i++) {
        far[i] = 1e9 + x[i];
        up[i] = 3 * x[i] - 1e9;
    }
    assert_true(line_fit(far, up, N, &l));
    assert_near(l.slope, 3, 1e-6);
    assert_near(l.r, 1, 1e-9);
}

TEST(too_little_to_tell)
{
    const double two[2] = {1, 2}, same[4] = {5, 5, 5, 5}, rising[4] = {1, 2, 3, 4}, pairs[4] = {1, 1, 2, 2};
    struct line l;
    struct line_bend b;
    assert_false(line_fit(two, two, 0, &l) || line_fit(two, two, 1, &l) || line_fit(same, rising, 4, &l));
    assert_true(line_fit(two, two, 2, &l));
    assert_near(l.slope, 1, 1e-15);
    assert_true(isnan(l.spread) && isnan(l.slope_error) && isnan(l.offset_error));
    assert_true(line_fit(rising, same, 4, &l));
    assert_true(l.slope == 0 && l.offset == 5 && isnan(l.r));
    assert_true(line_fit(rising, rising, 3, &l));
    assert_false(line_bend(&l, rising, rising, 0.05, &b));
    assert_true(line_fit(pairs, rising, 4, &l));
    assert_false(line_bend(&l, pairs, rising, 0.05, &b));
}
