/* score_sheet_test.c - measures/scores/score_sheet.h: which lines, what they add up to, printed tables and their captions. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "measures/scores/score_sheet.h"

enum { MODELS = 4 };
static const struct score_counts counts[MODELS] = {
    {"a_b", 90, 100, 70, 100}, {"c|d", 80, 100, 75, 100}, {"e", 70, 100, 50, 100}, {"f", 10, 100, 5, 100}};

static struct score_sheet sheet_of(struct score_line *lines, size_t n)
{
    score_sheet_lines(counts, n, &score_levels[0], lines);
    return (struct score_sheet){
        .original = "old/0", .fresh = "new/1", .right = "top-1", .level = &score_levels[0], .lines = lines, .n = n};
}

TEST(levels)
{
    struct score_line lines[1];
    assert_ptr_equal(score_level_named(sv_of("")), &score_levels[0]);
    assert_ptr_equal(score_level_named(sv_of(".995")), &score_levels[1]);
    assert_ptr_equal(score_level_named(sv_of("0.995")), &score_levels[1]);
    assert_null(score_level_named(sv_of("0.99")));
    score_sheet_lines(counts, 1, &score_levels[0], lines);
    double lo = lines[0].orig_lo;
    score_sheet_lines(counts, 1, &score_levels[1], lines);
    assert_true(lines[0].orig_lo < lo && lo < 90);
}

/* Pairs of models in either order: one of six is turned. Ranks differ by one twice: 1 - 6 * 2 / (4 * 15). */
TEST(summary)
{
    struct score_line lines[MODELS];
    sheet_of(lines, MODELS);
    struct score_summary s = score_summarise(lines, MODELS);
    assert_string_equal(s.best, "a_b");
    assert_string_equal(s.median, "c|d");
    assert_string_equal(s.worst, "f");
    assert_true(fabs(s.mean_gap - 12.5) < 1e-12);
    assert_true(fabs(s.kendall - 4.0 / 6) < 1e-12 && fabs(s.spearman - 0.8) < 1e-12);
    s = score_summarise(lines, 1);
    assert_string_equal(s.worst, "a_b");
    assert_true(isnan(s.kendall));
    s = score_summarise(lines, 0);
    assert_true(s.models == 0 && !s.best && isnan(s.mean_gap));
}

TEST(printed)
{
    struct str out;
    struct score_line lines[MODELS];
    struct score_sheet s = sheet_of(lines, MODELS);
    str_init(&out, 1 << 14);
    score_sheet_write(&s, RECORD_TABLE_MARKDOWN, &out);
    assert_non_null(strstr(out.p, "| Orig. rank | Model | Orig. accuracy | New accuracy | Gap | New rank | \xce\x94 rank |\n"));
    assert_non_null(strstr(out.p, "\n| 2 | c\\|d | 80.0 [70.8, 87.3] | 75.0 [65.3, 83.1] | 5.0 | 1 | 1 |\n"));
    assert_non_null(strstr(out.p, "old/0 (100 images) and new/1 (100 images), with 95 % Clopper-Pearson intervals."));
    assert_non_null(strstr(out.p, "Kendall's tau-b 0.667, Spearman's rho 0.800.\n"));
    str_clear(&out);
    s.summary = true;
    score_sheet_write(&s, RECORD_TABLE_LATEX, &out);
    assert_memory_equal(out.p, "% \\usepackage{booktabs}\n\\begin{tabular}{rlrrrrr}\n", 48);
    assert_non_null(strstr(out.p, "\n1 & a\\_b & 90.0 [82.4, 95.1] & 70.0 [60.0, 78.8] & 20.0 & 2 & $-$1 \\\\\n2 & c"));
    assert_null(strstr(out.p, "\n3 & "));
    assert_non_null(strstr(out.p, "\n4 & f & "));
    assert_non_null(strstr(out.p, "\n% \\caption{The best, the median and the worst of 4 models by original accuracy. "));
    str_clear(&out);
    score_sheet_write(&s, RECORD_TABLE_CSV, &out);
    assert_non_null(strstr(out.p, "\n2,c|d,"));
    assert_null(strstr(out.p, "\n3,"));
    str_release(&out);
}

/* Sets with other classes have two gaps; what is held back is not printed. */
TEST(gaps)
{
    struct str out;
    struct score_line lines[2];
    struct gap_line gaps[2] = {{.gap = -2.5, .common = {true, -4, 0.5}, .raw = {true, 19, 21}, .change = {true, -1, 0}},
                               {.gap = 1}};
    struct model_gaps_found found = {
        .classes = {.original = 24, .fresh = 19, .common = 19}, .lines = gaps, .level = &score_levels[0], .seed = 7};
    struct score_sheet s = sheet_of(lines, 2);
    s.gaps = &found;
    str_init(&out, 1 << 14);
    score_sheet_write(&s, RECORD_TABLE_MARKDOWN, &out);
    assert_non_null(strstr(out.p, "| Gap, common classes | Raw gap |"));
    assert_non_null(strstr(out.p, "| \xe2\x88\x92" "2.5 [\xe2\x88\x92" "4.0, 0.5] | 20.0 [19.0, 21.0] | 2 | \xe2\x88\x92" "1 [\xe2\x88\x92" "1, 0] |\n"));
    assert_non_null(strstr(out.p, "the 19 classes that both sets have (of 24 and 19)"));
    assert_non_null(strstr(out.p, "1000 resamples, seed 7."));
    found.classes.withheld = true;
    str_clear(&out);
    score_sheet_write(&s, RECORD_TABLE_MARKDOWN, &out);
    assert_null(strstr(out.p, "2.5 ["));
    assert_non_null(strstr(out.p, "held back"));
    found.classes = (struct gap_classes){.original = 3, .fresh = 3, .common = 3, .same = true};
    str_clear(&out);
    score_sheet_write(&s, RECORD_TABLE_LATEX, &out);
    assert_null(strstr(out.p, "common"));
    assert_non_null(strstr(out.p, " & 20.0 [19.0, 21.0] & 2 & $-$1 [$-$1, 0] \\\\\n"));
    str_release(&out);
}
