/* xml.c - a strict reader of the XML that charts are; the browser tests ask a whole parser. */
#include "chart/xml.h"

#include <string.h>

#include "base/map.h"
#include "base/str.h"

enum { DEEP = 32, ATTRIBUTES = 24 };

struct reader {
    const char *name;
    struct sv rest;
    struct sv open[DEEP];
    size_t depth, roots;
    struct map_sv ids;
    struct str wanted; /* ids that are referred to, each followed by a space */
    struct xml_facts facts;
};

#define HAS(r, why, cond)                                                                          \
    do {                                                                                           \
        if (!(cond)) {                                                                             \
            fail_msg("%s: %s before \"%.60s\"", (r)->name, why, (r)->rest.p);                      \
        }                                                                                          \
    } while (0)

static struct sv take(struct reader *r, size_t n)
{
    struct sv got = sv_make(r->rest.p, n);
    r->rest = sv_make(r->rest.p + n, r->rest.n - n);
    return got;
}

static bool take_if(struct reader *r, const char *word)
{
    bool is = sv_starts(r->rest, word);
    if (is) {
        take(r, strlen(word));
    }
    return is;
}

static struct sv take_name(struct reader *r)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-:_";
    size_t n = 0;
    while (n < r->rest.n && memchr(letters, r->rest.p[n], sizeof letters - 1)) {
        n++;
    }
    HAS(r, "no name", n > 0 && strchr("0123456789-", r->rest.p[0]) == NULL);
    return take(r, n);
}

/* Text or an attribute's value: valid UTF-8, no control character, entities that XML knows. */
static void check_text(struct reader *r, struct sv text)
{
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    HAS(r, "broken UTF-8", sv_utf8(text));
    HAS(r, "a bare <", !memchr(text.p, '<', text.n));
    for (size_t i = 0; i < text.n; i++) {
        HAS(r, "a control character", (unsigned char)text.p[i] >= 0x20 || text.p[i] == '\n');
        bool known = text.p[i] != '&';
        for (size_t k = 0; !known && k < sizeof entities / sizeof *entities; k++) {
            known = sv_starts(sv_make(text.p + i, text.n - i), entities[k]);
        }
        HAS(r, "an unknown entity", known);
    }
}

static void want_ids(struct reader *r, struct sv attribute, struct sv value)
{
    if (sv_is(attribute, "aria-labelledby")) {
        while (value.n) {
            str_addsv(&r->wanted, sv_cut(&value, ' '));
            str_addc(&r->wanted, ' ');
        }
    } else if (sv_starts(value, "url(#")) {
        HAS(r, "no end of url()", sv_ends(value, ")"));
        str_add(&r->wanted, value.p + 5, value.n - 6);
        str_addc(&r->wanted, ' ');
    }
}

static void attribute(struct reader *r, struct sv *seen, size_t n)
{
    struct sv name = take_name(r);
    for (size_t i = 0; i < n; i++) {
        HAS(r, "an attribute twice", !sv_eq(seen[i], name));
    }
    seen[n] = name;
    HAS(r, "a handler or a style", !sv_starts(name, "on") && !sv_is(name, "style"));
    HAS(r, "no value", take_if(r, "=\""));
    const char *end = memchr(r->rest.p, '"', r->rest.n);
    HAS(r, "no closing quote", end != NULL);
    struct sv value = take(r, (size_t)(end - r->rest.p));
    take(r, 1);
    check_text(r, value);
    want_ids(r, name, value);
    if (sv_is(name, "id")) {
        HAS(r, "an id twice", map_sv_get(&r->ids, value) == MAP_NONE);
        map_sv_put(&r->ids, value, 1);
    }
}

static void open_tag(struct reader *r)
{
    struct sv name = take_name(r), seen[ATTRIBUTES];
    HAS(r, "a script or style sheet", !sv_is(name, "script") && !sv_is(name, "style"));
    r->facts.elements++;
    r->roots += r->depth == 0;
    for (size_t n = 0; take_if(r, " "); n++) {
        HAS(r, "too many attributes", n < ATTRIBUTES);
        attribute(r, seen, n);
    }
    if (take_if(r, "/>")) {
        return;
    }
    HAS(r, "no end of a tag", take_if(r, ">"));
    HAS(r, "too deep", r->depth < DEEP);
    r->open[r->depth++] = name;
}

static void close_tag(struct reader *r)
{
    struct sv name = take_name(r);
    HAS(r, "a tag that was not open", r->depth > 0 && sv_eq(r->open[r->depth - 1], name));
    HAS(r, "no end of a closing tag", take_if(r, ">"));
    r->depth--;
}

static void text(struct reader *r)
{
    const char *end = memchr(r->rest.p, '<', r->rest.n);
    struct sv got = take(r, end ? (size_t)(end - r->rest.p) : r->rest.n);
    check_text(r, got);
    HAS(r, "text outside of the element", r->depth > 0);
    if (sv_is(r->open[r->depth - 1], "title")) {
        r->facts.titles++;
        snprintf(r->facts.last_title, sizeof r->facts.last_title, "%.*s", SV_ARG(got));
    }
}

struct xml_facts xml_check(const char *name, struct sv whole)
{
    struct reader r = {.name = name, .rest = whole};
    map_sv_init(&r.ids);
    str_init(&r.wanted, 1 << 20);
    while (r.rest.n) {
        if (take_if(&r, "</")) {
            close_tag(&r);
        } else if (take_if(&r, "<")) {
            open_tag(&r);
        } else {
            text(&r);
        }
    }
    if (r.depth || r.roots != 1) {
        fail_msg("%s: %zu elements are open, %zu are outermost", name, r.depth, r.roots);
    }
    struct sv wanted = str_sv(&r.wanted);
    while (wanted.n) {
        struct sv id = sv_cut(&wanted, ' ');
        if (id.n && map_sv_get(&r.ids, id) == MAP_NONE) {
            fail_msg("%s: nothing has the id %.*s", name, SV_ARG(id));
        }
    }
    map_sv_release(&r.ids);
    str_release(&r.wanted);
    return r.facts;
}
