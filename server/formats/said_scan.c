/* said_scan.c - a line of what a model said, read without making JSON values of its candidates: a line has a thousand of them,
 * a file millions. It takes only lines that said.c would take, and reads the same from them; whatever is unusual (escapes, NUL,
 * repeated names, long texts, unknown members) is left to said.c, which says what is wrong. */
#include "formats/said.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { NUMBER_MOST = 64, EXACT_DIGITS = 15, EXACT_POWER = 22, SLOTS = 4 * SAID_CANDIDATES };

struct scan {
    const char *p, *end;
};

static char peek(struct scan *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\t')) {
        s->p++;
    }
    return s->p < s->end ? *s->p : '\0';
}

static bool take(struct scan *s, char c)
{
    bool there = peek(s) == c;
    s->p += there;
    return there;
}

static bool take_null(struct scan *s)
{
    bool there = peek(s) == 'n' && s->end - s->p >= 4 && memcmp(s->p, "null", 4) == 0;
    s->p += there ? 4 : 0;
    return there;
}

static bool take_text(struct scan *s, size_t most, struct sv *out)
{
    if (!take(s, '"')) {
        return false;
    }
    const char *from = s->p;
    while (s->p < s->end && *s->p != '"') {
        if (*s->p == '\\' || (unsigned char)*s->p < ' ') {
            return false;
        }
        s->p++;
    }
    *out = sv_make(from, (size_t)(s->p - from));
    return s->p < s->end && *s->p++ == '"' && out->n <= most;
}

/* ---- numbers ---- */

static size_t digits(struct scan *s, uint64_t *value, size_t *significant)
{
    const char *from = s->p;
    while (s->p < s->end && *s->p >= '0' && *s->p <= '9') {
        *significant += *value > 0 || *s->p != '0';
        *value = *significant <= EXACT_DIGITS ? *value * 10 + (uint64_t)(*s->p - '0') : *value;
        s->p++;
    }
    return (size_t)(s->p - from);
}

static bool take_exponent(struct scan *s)
{
    uint64_t value = 0;
    size_t significant = 0;
    if (s->p == s->end || (*s->p != 'e' && *s->p != 'E')) {
        return true;
    }
    s->p++;
    s->p += s->p < s->end && (*s->p == '+' || *s->p == '-');
    return digits(s, &value, &significant) > 0;
}

/* As strtod has it, of text that ends where the number does. */
static bool slow_number(const char *from, const char *end, double *out)
{
    char text[NUMBER_MOST];
    size_t n = (size_t)(end - from);
    if (n >= sizeof text) {
        return false;
    }
    memcpy(text, from, n);
    text[n] = '\0';
    *out = strtod(text, NULL);
    return isfinite(*out);
}

/* A quotient of two whole numbers that doubles hold is the double nearest to it: what strtod makes of the same digits. */
static bool take_number(struct scan *s, double *out)
{
    static const double powers[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    uint64_t value = 0;
    size_t significant = 0, fraction = 0;
    peek(s);
    const char *from = s->p;
    const bool negative = s->p < s->end && *s->p == '-';
    s->p += negative;
    const char *whole = s->p;
    size_t n = digits(s, &value, &significant);
    if (n == 0 || (n > 1 && *whole == '0')) {
        return false;
    }
    const bool real = s->p < s->end && *s->p == '.';
    s->p += real;
    fraction = real ? digits(s, &value, &significant) : 0;
    const char *mantissa = s->p;
    if ((real && fraction == 0) || !take_exponent(s)) {
        return false;
    }
    if (!real && mantissa == s->p) { /* a whole number: JSON has no -0, and larger ones may not fit */
        *out = negative && value ? -(double)value : (double)value;
        return significant <= EXACT_DIGITS;
    }
    if (mantissa == s->p && significant <= EXACT_DIGITS && fraction <= EXACT_POWER) {
        *out = (negative ? -(double)value : (double)value) / powers[fraction];
        return true;
    }
    return slow_number(from, s->p, out);
}

/* ---- members ---- */

/* Whether no text comes twice. */
static bool all_differ(const struct said_score *list, size_t n)
{
    uint16_t slots[SLOTS] = {0};
    for (size_t i = 0; i < n; i++) {
        size_t at = hash_bytes(list[i].text.p, list[i].text.n) % SLOTS;
        while (slots[at] && !sv_eq(list[slots[at] - 1].text, list[i].text)) {
            at = (at + 1) % SLOTS;
        }
        if (slots[at]) {
            return false;
        }
        slots[at] = (uint16_t)(i + 1);
    }
    return true;
}

static bool take_scores(struct scan *s, struct arena *a, struct said *out)
{
    if (!take(s, '{')) {
        return take_null(s);
    }
    out->scores = arena_alloc(a, SAID_CANDIDATES * sizeof *out->scores);
    do {
        struct said_score *to = &out->scores[out->n];
        if (out->n == SAID_CANDIDATES || !take_text(s, SAID_TEXT, &to->text) || !take(s, ':') || !take_number(s, &to->score)) {
            return false;
        }
        out->n++;
    } while (take(s, ','));
    return take(s, '}') && all_differ(out->scores, out->n);
}

/* To the end of an object, without looking into it. */
static bool skip_object(struct scan *s)
{
    size_t depth = 0;
    bool inside = false;
    do {
        if (s->p == s->end || *s->p == '\\') {
            return false;
        }
        inside = inside != (*s->p == '"');
        depth += !inside && *s->p == '{';
        depth -= !inside && *s->p == '}';
        s->p++;
    } while (depth);
    return true;
}

static bool take_recipe(struct scan *s, struct arena *a, struct said *out)
{
    struct err none = {OK, "", ""};
    struct sv text;
    if (peek(s) == '"') {
        return take_text(s, SAID_RECIPE, &text) && said_recipe(text, a, &out->recipe, &none) == OK;
    }
    const char *from = s->p;
    if (peek(s) != '{' || !skip_object(s)) {
        return take_null(s);
    }
    json_t *v = json_loadb(from, (size_t)(s->p - from), JSON_REJECT_DUPLICATES, NULL);
    bool good = v && said_recipe_of(v, a, &out->recipe, &none) == OK;
    json_decref(v);
    return good;
}

static bool take_member(struct scan *s, struct arena *a, unsigned *seen, struct said *out)
{
    static const char *const names[] = {"image", "text", "prompt", "recipe", "scores"};
    struct sv name;
    unsigned which = 0;
    if (!take_text(s, SAID_TEXT, &name) || !take(s, ':')) {
        return false;
    }
    while (which < 5 && !sv_is(name, names[which])) {
        which++;
    }
    if (which == 5 || *seen >> which & 1) {
        return false;
    }
    *seen |= 1U << which;
    switch (which) {
    case 0: return take_text(s, SAID_TEXT, &out->image);
    case 1: out->has_text = peek(s) == '"'; return out->has_text ? take_text(s, SAID_TEXT, &out->text) : take_null(s);
    case 2: return peek(s) == '"' ? take_text(s, SAID_PROMPT, &out->prompt) : take_null(s);
    case 3: return take_recipe(s, a, out);
    default: return take_scores(s, a, out);
    }
}

bool said_scan(struct sv line, struct arena *a, struct said *out)
{
    struct scan s = {line.p, line.p + line.n};
    unsigned seen = 0;
    *out = (struct said){.n = 0};
    if (!sv_utf8(line) || !take(&s, '{')) {
        return false;
    }
    do {
        if (!take_member(&s, a, &seen, out)) {
            return false;
        }
    } while (take(&s, ','));
    return take(&s, '}') && peek(&s) == '\0' && s.p == s.end && out->image.n && (out->has_text || out->n);
}
