/* form.c - application/x-www-form-urlencoded bodies and what both kinds of form share. Knows nothing of requests. */
#include "http/form.h"

#include <string.h>

#include "base/hash.h"

enum {
    FORM_FIRST = 8,   /* fields allocated at first; doubled when full */
    FORM_INDEXED = 64 /* so many and more are found by their names' hashes */
};

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return -1;
}

/* Whether the text stands for itself: most paths do. */
static bool is_plain(struct sv text, bool plus)
{
    return !memchr(text.p, '%', text.n) && !(plus && memchr(text.p, '+', text.n));
}

bool form_decode(struct arena *a, struct sv text, bool plus, struct sv *out)
{
    if (text.n && is_plain(text, plus)) {
        *out = arena_sv(a, text);
        return true;
    }
    char *p = arena_alloc(a, text.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '%') {
            bool whole = text.n - i > 2;
            int high = whole ? hex_digit(text.p[i + 1]) : -1;
            int low = whole ? hex_digit(text.p[i + 2]) : -1;
            if (high < 0 || low < 0) {
                return false;
            }
            c = (char)(high * 16 + low);
            i += 2;
        } else if (c == '+' && plus) {
            c = ' ';
        }
        p[n++] = c;
    }
    p[n] = '\0';
    *out = sv_make(p, n);
    return true;
}

/* The slot of the name: of its first field, or the free one where that belongs. */
static uint32_t *slot_of(const struct form *f, struct sv name)
{
    size_t i = hash_bytes(name.p, name.n) & (f->n_slots - 1);
    while (f->slots[i] && !sv_eq(f->fields[f->slots[i] - 1].name, name)) {
        i = (i + 1) & (f->n_slots - 1);
    }
    return &f->slots[i];
}

static void index_field(struct form *f, size_t at)
{
    uint32_t *slot = slot_of(f, f->fields[at].name);
    *slot = *slot ? *slot : (uint32_t)at + 1;
}

/* What it leaves behind in the arena is less than what it grows to. */
static void grow(struct arena *a, struct form *f)
{
    size_t cap = f->n == 0 ? FORM_FIRST : f->n * 2;
    struct form_field *more = arena_calloc(a, cap, sizeof *more);
    if (f->n) {
        memcpy(more, f->fields, f->n * sizeof *more);
    }
    f->fields = more;
    if (cap < FORM_INDEXED) {
        return;
    }
    f->n_slots = cap * 2;
    f->slots = arena_calloc(a, f->n_slots, sizeof *f->slots);
    for (size_t i = 0; i < f->n; i++) {
        index_field(f, i);
    }
}

enum err_code form_append(struct arena *a, struct form *f, struct form_field field, struct err *err)
{
    if (f->n == FORM_FIELDS) {
        return err_set(err, ERR_LIMIT, "the form has more than %d fields", FORM_FIELDS);
    }
    /* The array is full whenever n is a power of two from FORM_FIRST on. */
    if (f->n == 0 || (f->n >= FORM_FIRST && (f->n & (f->n - 1)) == 0)) {
        grow(a, f);
    }
    f->fields[f->n++] = field;
    if (f->slots) {
        index_field(f, f->n - 1);
    }
    return OK;
}

static enum err_code decode_text(struct arena *a, struct sv text, struct sv *out, struct err *err)
{
    if (!form_decode(a, text, true, out)) {
        return err_rule(err, ERR_INPUT, "form", "the form contains a broken percent escape");
    }
    if (!sv_utf8(*out)) {
        return err_rule(err, ERR_INPUT, "form", "the form contains text that is not valid UTF-8");
    }
    return OK;
}

enum err_code form_urlencoded(struct arena *a, struct sv body, struct form *out, struct err *err)
{
    *out = (struct form){0};
    struct sv rest = body;
    while (rest.p) {
        struct sv value = sv_cut(&rest, '&');
        if (value.n == 0) {
            continue;
        }
        struct form_field field = {0};
        enum err_code rc = decode_text(a, sv_cut(&value, '='), &field.name, err);
        rc = rc == OK ? decode_text(a, value, &field.value, err) : rc;
        rc = rc == OK ? form_append(a, out, field, err) : rc;
        if (rc != OK) {
            return rc;
        }
    }
    return OK;
}

enum err_code form_parse(struct arena *a, struct sv type, struct sv body, struct form *out,
                         struct err *err)
{
    struct sv parameters = type;
    struct sv media = sv_trim(sv_cut(&parameters, ';'));
    if (sv_eq_nocase(media, "application/x-www-form-urlencoded")) {
        return form_urlencoded(a, body, out, err);
    }
    if (sv_eq_nocase(media, "multipart/form-data")) {
        return form_multipart(a, type, body, out, err);
    }
    return err_rule(err, ERR_INPUT, "content-type",
                    "a form is sent as application/x-www-form-urlencoded or multipart/form-data");
}

static const struct form_field *find(const struct form *f, const char *name)
{
    if (f->slots) {
        uint32_t at = *slot_of(f, sv_of(name));
        return at ? &f->fields[at - 1] : NULL;
    }
    for (size_t i = 0; i < f->n; i++) {
        if (sv_is(f->fields[i].name, name)) {
            return &f->fields[i];
        }
    }
    return NULL;
}

struct sv form_get(const struct form *f, const char *name)
{
    const struct form_field *field = find(f, name);
    return field ? field->value : SV("");
}

bool form_has(const struct form *f, const char *name)
{
    return find(f, name) != NULL;
}

struct sv form_all(const struct form *f, const char *name, struct arena *a)
{
    struct sv all = SV("");
    for (size_t i = 0; i < f->n; i++) {
        struct sv value = sv_trim(f->fields[i].value);
        if (sv_is(f->fields[i].name, name) && value.n) {
            all = sv_of(arena_printf(a, SV_FMT "%s" SV_FMT, SV_ARG(all), all.n ? "," : "", SV_ARG(value)));
        }
    }
    return all;
}

bool form_ticked(const struct form *f, const char *name, struct sv value)
{
    for (size_t i = 0; i < f->n; i++) {
        if (sv_is(f->fields[i].name, name) && sv_eq(f->fields[i].value, value)) {
            return true;
        }
    }
    return false;
}
