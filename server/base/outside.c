/* outside.c - what spreadsheets and browsers act on. */
#include "base/outside.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* The text behind the word that it begins with; the whole text when it begins with none of them. */
static struct sv without(struct sv text, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (sv_starts(text, words[i])) {
            size_t k = strlen(words[i]);
            return sv_make(text.p + k, text.n - k);
        }
    }
    return text;
}

/* Characters of UTF-8: `lead`, then one byte of a range. */
struct range {
    const char *lead;
    unsigned char from, to;
};

static bool begins_with(struct sv text, const struct range *ranges, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t k = strlen(ranges[i].lead);
        if (text.n > k && sv_starts(text, ranges[i].lead)) {
            unsigned char last = (unsigned char)text.p[k];
            if (last >= ranges[i].from && last <= ranges[i].to) {
                return true;
            }
        }
    }
    return false;
}

/* Behind a blank that it begins with, whether it can be seen or not. */
static struct sv without_blank(struct sv text)
{
    static const struct range blanks[] = {
        {"", ' ', ' '},         {"\xc2", 0x85, 0x85},     {"\xc2", 0xa0, 0xa0},     {"\xc2", 0xad, 0xad},
        {"\xe1\x9a", 0x80, 0x80}, {"\xe1\xa0", 0x8e, 0x8e}, {"\xe2\x80", 0x80, 0x8f}, {"\xe2\x80", 0xa8, 0xaf},
        {"\xe2\x81", 0x9f, 0xaf}, {"\xe3\x80", 0x80, 0x80}, {"\xef\xbb", 0xbf, 0xbf},
    };
    size_t n = sv_utf8_first(text);
    return n && begins_with(text, blanks, sizeof blanks / sizeof *blanks) ? sv_make(text.p + n, text.n - n) : text;
}

static bool begins_formula(struct sv cell)
{
    static const char *const wide[] = {"\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d",
                                       "\xef\xbc\xa0"};
    size_t before;
    do {
        before = cell.n;
        cell = without_blank(cell);
    } while (cell.n < before);
    return without(cell, wide, sizeof wide / sizeof *wide).n < cell.n ||
           (cell.n && *cell.p && strchr("=+-@\t\r\n", *cell.p));
}

bool outside_formula(struct sv text)
{
    bool runs = false;
    while (text.p && !runs) {
        runs = begins_formula(sv_cut(&text, ';'));
    }
    return runs;
}

bool outside_runs(struct sv text)
{
    bool plain = text.n && *text.p == '-';
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        plain = plain && (isalnum((unsigned char)c) || c == '-' || c == '_');
    }
    return !plain && outside_formula(text);
}

bool outside_controls(struct sv text)
{
    static const struct range controls[] = {
        {"", 0, 0x1f}, {"", 0x7f, 0x7f}, {"\xc2", 0x80, 0x9f}, {"\xe2\x80", 0xa8, 0xae}, {"\xe2\x81", 0xa6, 0xa9},
    };
    for (size_t i = 0; i < text.n; i++) {
        if (begins_with(sv_make(text.p + i, text.n - i), controls, sizeof controls / sizeof *controls)) {
            return true;
        }
    }
    return false;
}

bool outside_web_link(struct sv text)
{
    static const char *const schemes[] = {"http://", "https://"};
    size_t host = 0;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        size_t n = strlen(schemes[i]);
        host = text.n > n && strncasecmp(text.p, schemes[i], n) == 0 ? n : host;
    }
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (c <= ' ' || c == 0x7f || strchr("\"<>\\", c)) {
            return false;
        }
    }
    return host && (isalnum((unsigned char)text.p[host]) || text.p[host] == '[' ||
                    (unsigned char)text.p[host] >= 0x80);
}

bool outside_own_path(struct sv text)
{
    bool own = text.n && *text.p == '/' && !(text.n > 1 && strchr("/\\", text.p[1]));
    for (size_t i = 0; i < text.n; i++) {
        own = own && text.p[i] > ' ' && text.p[i] < 0x7f;
    }
    return own;
}

bool outside_script_link(struct sv text)
{
    static const char *const schemes[] = {"javascript:", "data:", "vbscript:"};
    char head[16];
    size_t n = 0;
    for (size_t i = 0; i < text.n && n < sizeof head; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (c > ' ' && c != 0x7f) {
            head[n++] = (char)tolower(c);
        }
    }
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        if (sv_starts(sv_make(head, n), schemes[i])) {
            return true;
        }
    }
    return false;
}
