/* score_table_test.c - domain/scores/score_table.h: ranks, ties, gaps. */
#include "unit.h"

#include "domain/scores/score_table.h"

/* Plain bounds, so that the table's arithmetic is seen by itself. */
static void bounds(uint32_t k, uint32_t n, double alpha, double *lo, double *hi)
{
    (void)alpha;
    *lo = k / 2.0 / n;
    *hi = (k + n) / 2.0 / n;
}

TEST(ranks)
{
    static const struct score_counts counts[] = {
        {"c", 6, 10, 9, 20}, {"b", 8, 10, 5, 20}, {"a", 6, 10, 9, 20}, {"d", 1, 10, 20, 20}};
    struct score_line l[4];
    score_table(counts, 4, bounds, 0.05, l);
    static const struct {
        const char *model;
        uint32_t orig, fresh;
        int32_t delta;
    } want[] = {{"b", 1, 4, -3}, {"a", 2, 2, 0}, {"c", 3, 3, 0}, {"d", 4, 1, 3}};
    for (int i = 0; i < 4; i++) {
        assert_string_equal(l[i].counts.model, want[i].model);
        assert_int_equal(l[i].orig_rank, want[i].orig);
        assert_int_equal(l[i].new_rank, want[i].fresh);
        assert_int_equal(l[i].delta_rank, want[i].delta);
    }
    assert_true(l[0].orig_acc == 80 && l[0].new_acc == 25 && l[0].gap == 55);
    assert_true(l[0].orig_lo == 40 && l[0].orig_hi == 90);
    score_table(counts, 0, bounds, 0.05, l);
}
