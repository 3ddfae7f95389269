/* score_table_test.c - domain/score_table.h and score_csv.h: ranks, ties, gaps, and how numbers are printed. */
#include "unit.h"

#include <string.h>

#include "domain/score_csv.h"

/* Plain bounds, so that the table's arithmetic is seen by itself. */
static void bounds(uint32_t k, uint32_t n, double *lo, double *hi)
{
    *lo = k / 2.0 / n;
    *hi = (k + n) / 2.0 / n;
}

static void test_ranks(void **state)
{
    (void)state;
    static const struct score_counts counts[] = {
        {"c", 6, 10, 9, 20}, {"b", 8, 10, 5, 20}, {"a", 6, 10, 9, 20}, {"d", 1, 10, 20, 20}};
    struct score_line l[4];
    score_table(counts, 4, bounds, l);
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
    score_table(counts, 0, bounds, l);
}

/* As published: 100 * (k / n) in doubles; 100 * k / n would print another last digit here and there. */
static void test_text(void **state)
{
    (void)state;
    struct str out;
    struct score_line l[1];
    static const struct score_counts counts[] = {{"m", 41429, 50000, 7219, 10000}};
    str_init(&out, 4096);
    score_table(counts, 1, bounds, l);
    score_csv(l, 1, &out);
    const char *line = strchr(out.p, '\n') + 1;
    assert_memory_equal(line, "1,m,41429,50000,82.858,41.429,91.429,7219,10000,72.19,", 54);
    assert_non_null(strstr(line, ",10.668000000000006,1,0,82.9,41.4,91.4,72.2,36.1,86.1,10.7\n"));
    str_clear(&out);
    score_csv_number(&out, 87);
    score_csv_number(&out, 0);
    score_csv_number(&out, 100 * (3 / 7.0));
    assert_string_equal(out.p, ",87.0,0.0,42.857142857142854");
    str_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ranks), cmocka_unit_test(test_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
