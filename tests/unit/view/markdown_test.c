/* markdown_test.c - view/markdown.h: CommonMark as HTML, and nothing that acts. */
#include "unit.h"

#include "view/markdown.h"

#include <stdlib.h>

static const char *image(void *arg, struct sv name)
{
    (void)arg;
    return sv_is(name, "fin") ? "/guide/picture/7\"onload=\"x" : NULL;
}

static const char *page(void *arg, struct sv wnid)
{
    (void)arg;
    return sv_is(wnid, "n01494475") ? "/guide/n01494475" : NULL;
}

static const struct markdown_ways ways = {image, page, NULL};

static void is(const char *text, const char *html)
{
    struct str out;
    struct err err = {OK, "", ""};
    str_init(&out, MARKDOWN_HTML);
    assert_int_equal(markdown_html(sv_of(text), &ways, &out, &err), OK);
    struct sv got = sv_trim(str_sv(&out));
    assert_sv(got, html);
    str_release(&out);
}

TEST(what_people_write)
{
    is("", "");
    is("# Fins\n\nlong *and* **wide**\n", "<h3>Fins</h3><p>long <em>and</em> <strong>wide</strong></p>");
    is("###### six", "<h6>six</h6>");
    is("- a\n- b", "<ul><li>a</li><li>b</li></ul>");
    is("3. a\n\n4. b", "<ol start=\"3\"><li><p>a</p></li><li><p>b</p></li></ol>");
    is("> so\n\n---\n`a<b`", "<blockquote><p>so</p></blockquote><hr><p><code>a&lt;b</code></p>");
    is("[its cousin](guide:n01494475)", "<p><a href=\"/guide/n01494475\">its cousin</a></p>");
    is("<https://example.org/?a=1&b=2>",
       "<p><a href=\"https://example.org/?a=1&amp;b=2\" target=\"_blank\" rel=\"noreferrer noopener nofollow\">https://example.org/?a=1&amp;b=2</a></p>");
    is("![a *long* \"fin\"](image:fin)",
       "<p><img class=\"guide-image\" loading=\"lazy\" src=\"/guide/picture/7&quot;onload=&quot;x\" alt=\"a long &quot;fin&quot;\"></p>");
}

TEST(nothing_acts)
{
    is("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>");
    is("a <b onclick=alert(1)>b</b>", "<p>a &lt;b onclick=alert(1)&gt;b&lt;/b&gt;</p>");
    is("[x](javascript:alert(1)) [y](JaVaScript&#58;alert(1)) [z](data:text/html,1) [w](vbscript:x) [v](/admin) [u](guide:none)",
       "<p>x y z w v u</p>");
    is("[x](java\tscript:alert) ![p](javascript:alert(1)) ![q](https://example.org/a.png) ![r](image:other)",
       "<p>[x](java\tscript:alert) <span class=\"muted\">[p: this picture is not shown]</span> <span class=\"muted\">[q: this picture is not "
       "shown]</span> <span class=\"muted\">[r: this picture is not shown]</span></p>");
    is("[a\"b](https://e.org/\"onmouseover=\"x)", "<p><a href=\"https://e.org/&quot;onmouseover=&quot;x\" target=\"_blank\" rel=\"noreferrer "
                                                  "noopener nofollow\">a&quot;b</a></p>");
    is("![a ![<b>](image:fin) <i>](image:none)", "<p><span class=\"muted\">[a &lt;b&gt; &lt;i&gt;: this picture is not shown]</span></p>");
    is("[![<u>](image:none)](https://e.org)", "<p><a href=\"https://e.org\" target=\"_blank\" rel=\"noreferrer noopener nofollow\"><span "
                                              "class=\"muted\">[&lt;u&gt;: this picture is not shown]</span></a></p>");
    is("&lt;script&gt; &#60;", "<p>&lt;script&gt; &lt;</p>");
}

static void refused(char c, const char *piece, size_t times)
{
    struct err err = {OK, "", ""};
    struct str out;
    str_init(&out, MARKDOWN_HTML);
    size_t n = piece ? strlen(piece) : 1;
    char *text = malloc(n * times + 1);
    for (size_t i = 0; i < times; i++) {
        memcpy(text + i * n, piece ? piece : &c, n);
    }
    assert_int_equal(markdown_html(sv_make(text, n * times), &ways, &out, &err), ERR_INPUT);
    assert_string_equal(err.rule, "markdown");
    str_release(&out);
    free(text);
}

TEST(limits)
{
    refused('a', NULL, MARKDOWN_BYTES + 1);
    refused('\xff', NULL, 3);
    refused(0, "> ", 200);
    refused(0, "![](image:fin) ", MARKDOWN_IMAGES + 1);
    refused(0, "+ ", 100);
    is("> > > deep enough", "<blockquote><blockquote><blockquote><p>deep enough</p></blockquote></blockquote></blockquote>");
}
