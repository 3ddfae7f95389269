/* escape_test.c - every byte value through both escapers. */
#include "unit.h"

#include "view/escape.h"

static void expect(void (*escape)(struct str *, struct sv), struct sv in, const char *want)
{
    struct str out;
    str_init(&out, 4096);
    escape(&out, in);
    assert_false(out.over);
    assert_string_equal(out.n ? out.p : "", want);
    str_release(&out);
}

TEST(html_replaces_the_five)
{
    expect(escape_html, SV("a & b < c > d \" e ' f"), "a &amp; b &lt; c &gt; d &quot; e &#39; f");
    expect(escape_html, SV("''"), "&#39;&#39;");
    expect(escape_html, SV(""), "");
    expect(escape_html, SV("caf\xc3\xa9 \xe2\x80\x93 {{x}} `"), "caf\xc3\xa9 \xe2\x80\x93 {{x}} `");
}

TEST(html_leaves_every_other_byte)
{
    for (unsigned c = 0; c < 256; c++) {
        char byte = (char)c;
        struct str out;
        str_init(&out, 64);
        escape_html(&out, sv_make(&byte, 1));
        bool special = c && strchr("&<>\"'", (int)c);
        assert_int_equal(out.n == 1 && out.p[0] == byte, !special);
        str_release(&out);
    }
}

TEST(url_keeps_unreserved_only)
{
    expect(escape_url, SV("AZaz09-._~"), "AZaz09-._~");
    expect(escape_url, SV("a b/c?d=e&f#g%h+\xc3\xa9"), "a%20b%2Fc%3Fd%3De%26f%23g%25h%2B%C3%A9");
    expect(escape_url, sv_make("\0\x7f\xff", 3), "%00%7F%FF");
}

TEST(a_full_buffer_says_so)
{
    struct str out;
    str_init(&out, 6);
    escape_html(&out, SV("<<"));
    assert_true(out.over);
    str_release(&out);
}
