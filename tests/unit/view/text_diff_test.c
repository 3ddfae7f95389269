/* text_diff_test.c - view/text_diff.h: lines that changed. */
#include "unit.h"

#include "view/text_diff.h"

static void is(struct sv old, struct sv fresh, const char *expected)
{
    size_t n;
    char text[256] = "";
    const struct text_diff_line *lines = text_diff(old, fresh, &unit_arena, &n);
    for (size_t i = 0; i < n; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%c" SV_FMT "|", " -+"[lines[i].kind], SV_ARG(lines[i].text));
    }
    assert_string_equal(text, expected);
}

ARENA_TEST(lines)
{
    is(SV(""), SV(""), "");
    is(SV(""), SV("a\nb\n"), "+a|+b|");
    is(SV("a\nb\nc"), SV("a\nB\nc\n"), " a|-b|+B| c|");
    is(SV("a\nb\nc\nd\ne"), SV("a\nc\nx\nd\ny\ne"), " a|-b| c|+x| d|+y| e|");
    is(SV("a\na"), SV("a"), " a|-a|");
}

ARENA_TEST(very_different_texts)
{
    static char old[12000], fresh[12000];
    size_t n;
    for (size_t i = 0; i < sizeof old / 2; i++) {
        old[2 * i] = (char)('a' + i % 7);
        fresh[2 * i] = (char)('a' + i % 5);
        old[2 * i + 1] = fresh[2 * i + 1] = '\n';
    }
    const struct text_diff_line *lines = text_diff(sv_make(old, sizeof old), sv_make(fresh, sizeof fresh), &unit_arena, &n);
    size_t old_lines = 0, new_lines = 0;
    for (size_t i = 0; i < n; i++) {
        old_lines += lines[i].kind != DIFF_NEW;
        new_lines += lines[i].kind != DIFF_OLD;
    }
    assert_int_equal(old_lines, sizeof old / 2);
    assert_int_equal(new_lines, sizeof fresh / 2);
}
