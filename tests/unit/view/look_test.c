/* look_test.c - the colours of static/css/tokens.css and chart.css reach the contrast that WCAG 2.2 AA
 * asks for, in both themes, the dark theme is the same by system and by switch, and a chart's file has
 * the light theme's colours. */
#include "unit.h"

#include <math.h>

#include "base/assets.h"
#include "base/str.h"
#include "base/sv.h"
#include "chart/pen.h"

static const char light[] = ":root{";
static const char dark_by_system[] = ":root:not([data-theme=\"light\"]){";
static const char dark_by_switch[] = ":root[data-theme=\"dark\"]{";

static const char tokens[] = "static/css/tokens.css", charts[] = "static/css/chart.css";

/* What stands between the braces of a rule. */
static struct sv block(const char *file, const char *selector)
{
    const struct asset *a = asset_find(file);
    assert_non_null(a);
    const char *from = strstr((const char *)a->data, selector);
    assert_non_null(from);
    from += strlen(selector);
    const char *to = strchr(from, '}');
    assert_non_null(to);
    return sv_make(from, (size_t)(to - from));
}

/* The colour of a token as 0xRRGGBB. */
static uint64_t colour(const char *selector, const char *token)
{
    struct str name;
    str_init(&name, 64);
    str_printf(&name, "--%s:#", token);
    struct sv text = block(tokens, selector);
    const char *at = memmem(text.p, text.n, name.p, name.n);
    if (!at) {
        text = block(charts, selector);
        at = memmem(text.p, text.n, name.p, name.n);
    }
    if (!at) {
        fail_msg("%s has no colour --%s", selector, token);
        return 0;
    }
    uint64_t value = 0;
    assert_true(sv_hex64(sv_make(at + name.n, 6), &value));
    assert_true(at[name.n + 6] == ';' || at[name.n + 6] == '}');
    str_release(&name);
    return value;
}

static double channel(uint64_t colour_value, unsigned shift)
{
    double c = (double)(colour_value >> shift & 255) / 255;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double luminance(uint64_t c)
{
    return 0.2126 * channel(c, 16) + 0.7152 * channel(c, 8) + 0.0722 * channel(c, 0);
}

static double contrast(uint64_t a, uint64_t b)
{
    double la = luminance(a), lb = luminance(b);
    return (fmax(la, lb) + 0.05) / (fmin(la, lb) + 0.05);
}

struct pair {
    const char *front, *back;
};

static void check(const char *selector, const struct pair *pairs, size_t n, double least)
{
    for (size_t i = 0; i < n; i++) {
        double got = contrast(colour(selector, pairs[i].front), colour(selector, pairs[i].back));
        if (got < least) {
            fail_msg("%s --%s on --%s: %.2f, at least %.1f", selector, pairs[i].front,
                     pairs[i].back, got, least);
        }
    }
}

TEST(the_formula_is_right)
{
    assert_true(fabs(contrast(0x000000, 0xffffff) - 21) < 1e-9);
    assert_true(fabs(contrast(0x777777, 0xffffff) - 4.478) < 1e-3);
}

TEST(text_can_be_read)
{
    static const struct pair pairs[] = {
        {"text", "ground"},          {"text", "surface"},         {"text", "sunken"},
        {"text", "hover"},           {"text", "accent-soft"},     {"text", "success-soft"},
        {"text", "warning-soft"},    {"text", "danger-soft"},     {"text", "info-soft"},
        {"text-2", "ground"},        {"text-2", "surface"},       {"text-2", "sunken"},
        {"text-2", "hover"},         {"text-3", "ground"},        {"text-3", "surface"},
        {"text-3", "sunken"},        {"accent", "ground"},        {"accent", "surface"},
        {"accent-strong", "ground"}, {"on-accent", "accent"},     {"on-accent", "accent-strong"},
        {"success", "success-soft"}, {"warning", "warning-soft"}, {"danger", "danger-soft"},
        {"info", "info-soft"},       {"danger", "surface"},       {"danger", "ground"},
        {"accent", "success-soft"},
    };
    size_t n = sizeof pairs / sizeof pairs[0];
    check(light, pairs, n, 4.5);
    check(dark_by_system, pairs, n, 4.5);
}

TEST(marks_can_be_seen)
{
    static const struct pair pairs[] = {
        {"edge", "ground"},    {"edge", "surface"},  {"edge", "sunken"},    {"accent", "ground"},
        {"accent", "surface"}, {"accent", "sunken"}, {"danger", "surface"},
    };
    size_t n = sizeof pairs / sizeof pairs[0];
    check(light, pairs, n, 3.0);
    check(dark_by_system, pairs, n, 3.0);
}

/* The next byte that is no space. */
static char next_ink(struct sv *s)
{
    while (s->n && strchr(" \n", s->p[0])) {
        *s = sv_make(s->p + 1, s->n - 1);
    }
    if (!s->n) {
        return '\0';
    }
    char c = s->p[0];
    *s = sv_make(s->p + 1, s->n - 1);
    return c;
}

TEST(series_can_be_seen)
{
    static const struct pair pairs[] = {
        {"c1", "surface"}, {"c2", "surface"}, {"c3", "surface"}, {"c4", "surface"},
        {"c5", "surface"}, {"c6", "surface"}, {"c7", "surface"}, {"c8", "surface"},
        {"c1", "ground"},  {"c2", "ground"},  {"c3", "ground"},  {"c4", "ground"},
        {"c5", "ground"},  {"c6", "ground"},  {"c7", "ground"},  {"c8", "ground"},
    };
    check(light, pairs, sizeof pairs / sizeof pairs[0], 3.0);
    check(dark_by_system, pairs, sizeof pairs / sizeof pairs[0], 3.0);
}

static uint64_t hex(const char *text)
{
    uint64_t value = 0;
    assert_true(text[0] == '#' && sv_hex64(sv_of(text + 1), &value));
    return value;
}

TEST(files_have_the_light_theme)
{
    for (unsigned i = 0; i < 8; i++) {
        char series[] = {'c', (char)('1' + i), '\0'};
        assert_int_equal(hex(pen_colour(i)), colour(light, series));
    }
    assert_int_equal(hex(PEN_TEXT), colour(light, "text"));
    assert_int_equal(hex(PEN_TEXT_2), colour(light, "text-2"));
    assert_int_equal(hex(PEN_GRID), colour(light, "line"));
    assert_int_equal(hex(PEN_AXIS), colour(light, "edge"));
    assert_int_equal(hex(PEN_GROUND), colour(light, "surface"));
}

static void same_dark(const char *file)
{
    struct sv a = block(file, dark_by_system), b = block(file, dark_by_switch);
    assert_true(a.n > 100);
    for (char c; (c = next_ink(&a)) != '\0';) {
        if (next_ink(&b) != c) {
            fail_msg("the two dark themes differ before: %.40s", b.p);
        }
    }
    assert_int_equal(next_ink(&b), '\0');
}

TEST(dark_is_dark_either_way)
{
    same_dark(tokens);
    same_dark(charts);
}
