/* escape.c - text into HTML and URLs: copies runs of harmless bytes, replaces the others. Knows
 * nothing of templates. */
#include "view/escape.h"

/* What stands for a byte in HTML text and quoted attributes; NULL when it may stand itself. */
static const char *html_entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void escape_html(struct str *out, struct sv text)
{
    size_t from = 0;
    for (size_t i = 0; i < text.n; i++) {
        const char *entity = html_entity(text.p[i]);
        if (entity) {
            str_add(out, text.p + from, i - from);
            str_addz(out, entity);
            from = i + 1;
        }
    }
    if (from < text.n) {
        str_add(out, text.p + from, text.n - from);
    }
}

static bool is_unreserved(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

void escape_url(struct str *out, struct sv text)
{
    static const char hex[] = "0123456789ABCDEF";
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (is_unreserved(c)) {
            str_addc(out, c);
        } else {
            unsigned char u = (unsigned char)c;
            str_add(out, (char[]){'%', hex[u >> 4], hex[u & 15]}, 3);
        }
    }
}
