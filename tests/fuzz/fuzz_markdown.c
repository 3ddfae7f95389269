/* fuzz_markdown.c - any text as the guide's: what comes of it has no tags but those that view/markdown.h writes, no attributes but
 * theirs, and links that lead where they may. */
#include <stdint.h>
#include <string.h>

#include "view/html_tags.h"
#include "view/markdown.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const char *image(void *arg, struct sv name)
{
    (void)arg;
    return name.n % 2 ? "/guide/picture/7" : NULL;
}

static const char *page(void *arg, struct sv wnid)
{
    (void)arg;
    return wnid.n % 2 ? "/guide/n00000001" : NULL;
}

static void check_tag(const struct tag *t)
{
    static const char *const names[] = {"h3", "h4", "h5", "h6", "p", "em", "strong", "a", "img", "span", "ul", "ol", "li", "blockquote",
                                        "pre", "code", "br", "hr"};
    struct sv value = SV("");
    bool known = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        known = known || sv_is(t->name, names[i]);
    }
    BUG_IF(!known);
    BUG_IF(memchr(t->all.p, '<', t->all.n) != t->all.p || t->all.p[t->all.n - 1] != '>');
    if (tag_attr(t, "href", &value, NULL)) {
        BUG_IF(!sv_is(t->name, "a") || !(sv_eq_nocase(sv_make(value.p, value.n < 4 ? value.n : 4), "http") || sv_is(value, "/guide/n00000001")));
    }
    if (tag_attr(t, "src", &value, NULL)) {
        BUG_IF(!sv_is(t->name, "img") || !sv_is(value, "/guide/picture/7"));
    }
    BUG_IF(tag_has(t, "onload") || tag_has(t, "onerror") || tag_has(t, "onclick") || tag_has(t, "style"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const struct markdown_ways ways = {image, page, NULL};
    const struct sv text = sv_make((const char *)data, n);
    struct str out;
    struct err err = {OK, "", ""};
    str_init(&out, MARKDOWN_HTML);
    enum err_code rc = markdown_html(text, &ways, &out, &err);
    BUG_IF(rc != err.code || (rc != OK && err.msg[0] == '\0'));
    struct tag t;
    for (size_t at = 0; rc == OK && tags_next(str_sv(&out), &at, &t);) {
        check_tag(&t);
    }
    str_release(&out);
    return 0;
}
