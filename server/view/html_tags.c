/* html_tags.c - tags and attributes of our own pages. Reads only; never fails: what it does not
 * understand it passes over. */
#include "view/html_tags.h"

#include <string.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

/* Where `what` is at or behind `at`; the end when it is not. */
static size_t find(struct sv html, size_t at, const char *what)
{
    const char *hit = at < html.n ? memmem(html.p + at, html.n - at, what, strlen(what)) : NULL;
    return hit ? (size_t)(hit - html.p) : html.n;
}

/* Behind the ">" that ends the tag which begins at `at`. */
static size_t tag_end(struct sv html, size_t at)
{
    char quote = '\0';
    for (size_t i = at; i < html.n; i++) {
        char c = html.p[i];
        if (quote) {
            quote = c == quote ? '\0' : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '>') {
            return i + 1;
        }
    }
    return html.n;
}

static size_t behind_raw(struct sv html, const struct tag *t, size_t at)
{
    return t->closing                    ? at
           : sv_is(t->name, "script") ? find(html, at, "</script")
           : sv_is(t->name, "style")  ? find(html, at, "</style")
                                      : at;
}

bool tags_next(struct sv html, size_t *at, struct tag *out)
{
    for (size_t i = find(html, *at, "<"); i + 1 < html.n; i = find(html, i + 1, "<")) {
        if (html.n - i > 4 && memcmp(html.p + i, "<!--", 4) == 0) {
            i = find(html, i, "-->");
            continue;
        }
        bool closing = html.p[i + 1] == '/';
        size_t from = i + 1 + closing, to = from;
        while (to < html.n && (is_letter(html.p[to]) || (html.p[to] >= '1' && html.p[to] <= '6'))) {
            to++;
        }
        if (to > from) {
            size_t end = tag_end(html, to);
            *out = (struct tag){sv_make(html.p + i, end - i), sv_make(html.p + from, to - from),
                                closing};
            *at = behind_raw(html, out, end);
            return true;
        }
    }
    *at = html.n;
    return false;
}

bool tag_attr(const struct tag *t, const char *name, struct sv *value, struct sv *whole)
{
    const char *end = t->all.p + t->all.n - 1;
    for (const char *p = t->name.p + t->name.n; p < end;) {
        const char *begin = p;
        while (p < end && is_space(*p)) {
            p++;
        }
        const char *word = p;
        while (p < end && !is_space(*p) && *p != '=') {
            p++;
        }
        struct sv key = sv_make(word, (size_t)(p - word)), says = {"", 0};
        if (p < end && *p == '=') {
            char quote = p + 1 < end && (p[1] == '"' || p[1] == '\'') ? p[1] : '\0';
            const char *from = p += quote ? 2 : 1;
            while (p < end && (quote ? *p != quote : !is_space(*p))) {
                p++;
            }
            says = sv_make(from, (size_t)(p - from));
            p += quote && p < end;
        }
        if (sv_is(key, name)) {
            *value = says;
            if (whole) {
                *whole = sv_make(begin, (size_t)(p - begin));
            }
            return true;
        }
    }
    *value = SV("");
    return false;
}

bool tag_has(const struct tag *t, const char *name)
{
    struct sv value;
    return tag_attr(t, name, &value, NULL);
}

/* The character that the text begins with; *n how long it is there. An "&" alone is itself. */
static char entity(struct sv s, size_t *n)
{
    static const struct {
        const char *text;
        char c;
    } known[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
    for (size_t i = 0; s.p[0] == '&' && i < sizeof known / sizeof *known; i++) {
        if (sv_starts(s, known[i].text)) {
            *n = strlen(known[i].text);
            return known[i].c;
        }
    }
    *n = 1;
    return s.p[0];
}

bool tags_same(struct sv escaped, struct sv plain)
{
    size_t at = 0, n;
    for (size_t i = 0; i < escaped.n; i += n, at++) {
        char c = entity(sv_make(escaped.p + i, escaped.n - i), &n);
        if (at >= plain.n || plain.p[at] != c) {
            return false;
        }
    }
    return at == plain.n;
}

const struct tag *tags_all(struct arena *a, struct sv html, size_t *n)
{
    struct tag one;
    size_t count = 0;
    for (size_t at = 0; tags_next(html, &at, &one);) {
        count++;
    }
    struct tag *list = arena_alloc(a, (count + 1) * sizeof *list);
    *n = 0;
    for (size_t at = 0; *n < count && tags_next(html, &at, &one);) {
        list[(*n)++] = one;
    }
    return list;
}
