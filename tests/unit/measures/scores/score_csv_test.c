/* score_csv_test.c - measures/scores/score_csv.h: the cells of a line, and those that are empty where nothing is known. */
#include "unit.h"

#include <string.h>

#include "measures/scores/score_csv.h"

/* Plain bounds, so that the table's arithmetic is seen by itself. */
static void bounds(uint32_t k, uint32_t n, double alpha, double *lo, double *hi)
{
    (void)alpha;
    *lo = k / 2.0 / n;
    *hi = (k + n) / 2.0 / n;
}

static const struct score_counts counts[] = {{"m", 41429, 50000, 7219, 10000}};

/* As published: 100 * (k / n) in doubles; 100 * k / n would print another last digit here and there. */
TEST(text)
{
    struct str out;
    struct score_line l[1];
    str_init(&out, 4096);
    score_table(counts, 1, bounds, 0.05, l);
    score_csv(l, NULL, NULL, 1, &out);
    const char *line = strchr(out.p, '\n') + 1;
    assert_memory_equal(line, "1,m,41429,50000,82.858,41.429,91.429,7219,10000,72.19,", 54);
    assert_non_null(strstr(line, ",10.668000000000006,1,0,82.9,41.4,91.4,72.2,36.1,86.1,10.7\n"));
    str_release(&out);
}

TEST(common)
{
    struct str out;
    struct score_line l[1];
    struct gap_line gap = {.original_acc = 87, .fresh_acc = 80.5, .gap = 6.5, .raw = {true, 6, 7.25}, .change = {true, -1, 2}};
    struct model_gaps_found found = {
        .classes = {.original = 10, .fresh = 8, .common = 7}, .lines = &gap, .level = &score_levels[1], .seed = 1};
    str_init(&out, 8192);
    score_table(counts, 1, bounds, 0.05, l);
    score_csv(l, &found, NULL, 1, &out);
    assert_non_null(strstr(out.p, ",10.7,10,8,7,no,87.0,80.5,6.5,,,6.0,7.25,,,,,-1,2,"));
    found.classes.withheld = true;
    str_clear(&out);
    score_csv(l, &found, NULL, 1, &out);
    assert_non_null(strstr(out.p, ",10.7,10,8,7,no,,,,,,6.0,7.25,,,,,-1,2,"));
    str_release(&out);
}
