/* refill_test.c - what was typed comes back into every kind of field, messages stand beside them. */
#include "unit.h"

#include <string.h>

#include "view/refill.h"

static const char page[] =
    "<html><head><title>Shop</title><script type=\"application/json\">{\"a\":\"<form>\"}</script></head>"
    "<body><main class=\"page\" id=\"main\"><!-- <form method=\"post\" action=\"/shop\"> -->"
    "<form method=\"post\" action=\"/other\"><input name=\"name\" value=\"mine\"></form>"
    "<details class=\"menu\"><summary>Change</summary>"
    "<form class=\"form\" method=\"post\" action=\"/shop\">"
    "<input type=\"hidden\" name=\"csrf\" value=\"new\"><input type=\"hidden\" name=\"kind\" value=\"b\">"
    "<label for=\"n\">Name</label><input class=\"input\" id=\"n\" name=\"name\" value=\"old\" autofocus>"
    "<input name=\"name\" aria-describedby=\"hint\">"
    "<input type=\"password\" name=\"password\">"
    "<label><input type=\"checkbox\" name=\"box\" value=\"1\" checked> one</label>"
    "<label><input type=\"checkbox\" name=\"box\" value=\"2\"> two</label>"
    "<fieldset><legend>How</legend><input type=\"radio\" name=\"how\" value=\"x\">"
    "<input type=\"radio\" name=\"how\" value=\"y &amp; z\"></fieldset>"
    "<select name=\"size\"><option selected>small</option><option value=\"L\">large</option></select>"
    "<textarea name=\"note\" required>old</textarea><button>Send</button></form></details>"
    "<input name=\"far\" form=\"f2\"><form id=\"f2\" method=\"post\" action=\"/far\" hidden></form>"
    "</main></body></html>";

#define FIELD(a, b) {{"" a, sizeof(a) - 1}, {"" b, sizeof(b) - 1}}

static char *shown(struct arena *a, const char *action, const struct refill_field *fields, size_t n,
                   const struct refill_wrong *wrong, size_t n_wrong, bool found)
{
    struct str out;
    struct refill r = {
        .action = sv_of(action),
        .page = SV("/shop?a=\"1\""),
        .fields = fields,
        .n_fields = n,
        .wrong = wrong,
        .n_wrong = n_wrong,
        .heading = "Nothing was changed",
        .title_prefix = "Error: ",
    };
    str_init(&out, 1 << 20);
    assert_int_equal(refill_page(a, sv_of(page), &r, &out), found);
    char *text = arena_cstr(a, str_sv(&out));
    str_release(&out);
    return text;
}

#define HAS(text, part) assert_non_null(strstr(text, part))
#define LACKS(text, part) assert_null(strstr(text, part))

TEST(what_was_typed_comes_back)
{
    struct arena a;
    arena_init(&a, 1 << 20);
    static const struct refill_field sent[] = {
        FIELD("csrf", "old"), FIELD("name", "\"><script>"), FIELD("name", "second"),
        FIELD("password", "secret"), FIELD("box", "2"), FIELD("how", "y & z"),
        FIELD("size", "L"), FIELD("note", "</textarea>\nline"),
    };
    static const struct refill_wrong wrong[] = {{"nothing name", "A <name> is needed."}};
    char *text = shown(&a, "/shop", sent, 8, wrong, 1, true);
    HAS(text, "id=\"n\" name=\"name\" value=\"&quot;&gt;&lt;script&gt;\" aria-describedby=\"wrong-1\""
              " aria-invalid=\"true\" autofocus>"
              "<span class=\"field-error\" id=\"wrong-1\">A &lt;name&gt; is needed.</span>");
    HAS(text, "<input name=\"name\" aria-describedby=\"hint\" value=\"second\">");
    HAS(text, "name=\"csrf\" value=\"new\"");
    LACKS(text, "secret");
    HAS(text, "name=\"box\" value=\"1\"> one");
    HAS(text, "name=\"box\" value=\"2\" checked> two");
    HAS(text, "value=\"y &amp; z\" checked>");
    HAS(text, "<option>small</option><option value=\"L\" selected>");
    HAS(text, "<textarea name=\"note\" required>\n&lt;/textarea&gt;\nline</textarea>");
    HAS(text, "<title>Error: Shop</title>");
    HAS(text, "<details class=\"menu\" open>");
    HAS(text, "action=\"/shop\"><div class=\"banner danger form-errors\" role=\"alert\"");
    HAS(text, "data-form-page=\"/shop?a=&quot;1&quot;\"");
    HAS(text, "<li><a href=\"#n\">A &lt;name&gt; is needed.</a></li>");
    HAS(text, "<input name=\"name\" value=\"mine\">");
    arena_release(&a);
}

TEST(each_wrong_field_has_its_message)
{
    struct arena a;
    arena_init(&a, 1 << 20);
    static const struct refill_field sent[] = {FIELD("kind", "b"), FIELD("note", "x")};
    static const struct refill_wrong wrong[] = {
        {"how", "Choose one."}, {"note", "Too short."}, {"note", "And dull."}, {"", "All in all."}};
    char *text = shown(&a, "/shop", sent, 2, wrong, 4, true);
    HAS(text, "<legend>How</legend><span class=\"field-error\" id=\"wrong-1\">Choose one.</span>");
    HAS(text, "</textarea><span class=\"field-error\" id=\"wrong-2\">Too short.</span><button>");
    HAS(text, "<li>And dull.</li><li>All in all.</li>");
    const char *focus = strstr(text, "autofocus");
    assert_non_null(focus);
    assert_null(strstr(focus + 1, "autofocus"));
    arena_release(&a);
}

TEST(a_refusal_without_a_field_has_the_focus_itself)
{
    struct arena a;
    arena_init(&a, 1 << 20);
    static const struct refill_wrong wrong[] = {{"", "Not now."}};
    char *text = shown(&a, "/gone", NULL, 0, wrong, 1, false);
    HAS(text, "id=\"main\"><div class=\"banner danger form-errors\" role=\"alert\" tabindex=\"-1\"");
    HAS(text, "\" autofocus><strong>Nothing was changed</strong><ul><li>Not now.</li></ul></div>");
    text = shown(&a, "/far", NULL, 0, (const struct refill_wrong[]){{"far", "Here."}}, 1, true);
    HAS(text, "id=\"main\"><div class=\"banner danger form-errors\"");
    HAS(text, "<input name=\"far\" form=\"f2\" id=\"wrong-field-1\" aria-describedby=\"wrong-1\"");
    arena_release(&a);
}

TEST(forms_say_where_they_stand)
{
    struct str out;
    str_init(&out, 1 << 20);
    refill_mark(SV("<form method=\"get\"></form><form method=\"post\" action=\"a>b\">x</form>"), "at",
                SV("/a?b&c"), &out);
    str_addc(&out, '\0');
    assert_string_equal(out.p, "<form method=\"get\"></form><form method=\"post\" action=\"a>b\">"
                               "<input type=\"hidden\" name=\"at\" value=\"/a?b&amp;c\">x</form>");
    str_release(&out);
}

TEST(the_first_wrong_field_has_the_focus)
{
    struct str out;
    str_init(&out, 1 << 20);
    refill_focus(SV("<input name=\"a\"><input name=\"b\" aria-invalid=\"true\">"
                    "<input aria-invalid=\"true\">"), &out);
    str_addc(&out, '\0');
    assert_string_equal(out.p, "<input name=\"a\"><input name=\"b\" aria-invalid=\"true\" autofocus>"
                               "<input aria-invalid=\"true\">");
    str_release(&out);
}

TEST(nothing_of_a_long_text_is_lost)
{
    enum { LONG = 300000 };
    struct arena a;
    arena_init(&a, 64 << 20);
    char *quotes = arena_alloc(&a, LONG);
    memset(quotes, '"', LONG);
    const struct refill_field sent[] = {{SV("name"), {quotes, LONG}}, {SV("note"), {quotes, LONG}}};
    struct str out;
    struct refill r = {.action = SV("/shop"), .fields = sent, .n_fields = 2, .heading = "No", .title_prefix = ""};
    str_init(&out, 16 << 20);
    assert_true(refill_page(&a, sv_of(page), &r, &out));
    size_t n = 0;
    /* Not with strstr, which looks through all that follows each time when a sanitizer watches it. */
    for (const char *p = strstr(out.p, "name=\"name\" value=\"&"); p && *p; p++) {
        n += strncmp(p, "&quot;", 6) == 0;
    }
    assert_int_equal(n, 2 * LONG);
    str_release(&out);
    arena_release(&a);
}
