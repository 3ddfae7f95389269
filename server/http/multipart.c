/* multipart.c - multipart/form-data bodies (RFC 7578), read strictly: no preamble, no folded
 * lines, CRLF everywhere, every part a form-data part with one name. What a browser, curl or our
 * own scripts send passes; anything else is refused rather than guessed at.
 *
 * One forward pass: every byte is looked at a constant number of times, however the body is built.
 * Parts borrow the body; only names with escapes are copied. */
#include "http/form.h"

#include <string.h>

enum {
    BOUNDARY_MAX = 70,   /* RFC 2046 */
    PART_HEADERS = 4096, /* bytes of one part's headers */
    PART_LINES = 16
};

struct delimiter {
    char text[4 + BOUNDARY_MAX]; /* CRLF "--" boundary */
    size_t n;
};

static enum err_code malformed(struct err *err, const char *what)
{
    return err_rule(err, ERR_INPUT, "form", "the multipart form is malformed: %s", what);
}

static bool is_alnum(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Memchr with the NUL taken out: strchr would find the terminator. */
static bool one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static bool is_token_char(char c)
{
    return is_alnum(c) || one_of(c, "!#$%&'*+-.^_`|~");
}

static bool is_token(struct sv s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (!is_token_char(s.p[i])) {
            return false;
        }
    }
    return s.n > 0;
}

static void skip(struct sv *s, size_t n)
{
    s->p += n;
    s->n -= n;
}

static void skip_blanks(struct sv *s)
{
    while (s->n && (s->p[0] == ' ' || s->p[0] == '\t')) {
        skip(s, 1);
    }
}

/* The text without the backslashes before quotes and backslashes. */
static struct sv unescape(struct arena *a, struct sv text)
{
    char *p = arena_alloc(a, text.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '\\' && i + 1 < text.n && one_of(text.p[i + 1], "\"\\")) {
            i++;
        }
        p[n++] = text.p[i];
    }
    p[n] = '\0';
    return sv_make(p, n);
}

/* A quoted string at the start of *s. A backslash before anything but a quote or a backslash is
 * itself: browsers once sent whole Windows paths as file names. */
static bool take_quoted(struct arena *a, struct sv *s, struct sv *out)
{
    bool escapes = false;
    size_t i = 1;
    while (i < s->n && s->p[i] != '"') {
        if (s->p[i] == '\\' && i + 1 < s->n && one_of(s->p[i + 1], "\"\\")) {
            escapes = true;
            i++;
        }
        i++;
    }
    if (i >= s->n) {
        return false;
    }
    struct sv inside = sv_make(s->p + 1, i - 1);
    *out = escapes ? unescape(a, inside) : inside;
    skip(s, i + 1);
    return true;
}

/* The next `; name=value` of a header's parameters. False at the end, and with *bad set when it
 * is malformed. */
static bool take_parameter(struct arena *a, struct sv *rest, struct sv *name, struct sv *value,
                           bool *bad)
{
    skip_blanks(rest);
    if (rest->n == 0) {
        return false;
    }
    *bad = true;
    if (rest->p[0] != ';') {
        return false;
    }
    skip(rest, 1);
    skip_blanks(rest);
    const char *equals = rest->n ? memchr(rest->p, '=', rest->n) : NULL;
    if (!equals) {
        return false;
    }
    *name = sv_make(rest->p, (size_t)(equals - rest->p));
    skip(rest, name->n + 1);
    if (!is_token(*name)) {
        return false;
    }
    if (rest->n && rest->p[0] == '"') {
        if (!take_quoted(a, rest, value)) {
            return false;
        }
    } else {
        size_t n = 0;
        while (n < rest->n && is_token_char(rest->p[n])) {
            n++;
        }
        *value = sv_make(rest->p, n);
        skip(rest, n);
        if (n == 0) {
            return false;
        }
    }
    *bad = false;
    return true;
}

static bool legal_boundary(struct sv b)
{
    if (b.n == 0 || b.n > BOUNDARY_MAX || b.p[b.n - 1] == ' ') {
        return false;
    }
    for (size_t i = 0; i < b.n; i++) {
        if (!is_alnum(b.p[i]) && !one_of(b.p[i], "'()+_,-./:=? ")) {
            return false;
        }
    }
    return true;
}

static enum err_code read_boundary(struct arena *a, struct sv type, struct delimiter *out,
                                   struct err *err)
{
    struct sv rest = type;
    struct sv media = sv_trim(sv_cut(&rest, ';'));
    if (!sv_eq_nocase(media, "multipart/form-data")) {
        return err_rule(err, ERR_INPUT, "content-type", "the form is not multipart/form-data");
    }
    if (rest.p) { /* give the semicolon back */
        rest = sv_make(rest.p - 1, rest.n + 1);
    }
    struct sv name, value, boundary = {0};
    bool bad = false, seen = false;
    while (take_parameter(a, &rest, &name, &value, &bad)) {
        if (sv_eq_nocase(name, "boundary")) {
            bad = bad || seen;
            seen = true;
            boundary = value;
        }
        if (bad) {
            break;
        }
    }
    if (bad || !legal_boundary(boundary)) {
        return malformed(err, "its Content-Type names no valid boundary");
    }
    memcpy(out->text, "\r\n--", 4);
    memcpy(out->text + 4, boundary.p, boundary.n);
    out->n = 4 + boundary.n;
    return OK;
}

/* What the headers of one part say. */
struct part {
    struct form_field field;
    bool disposition, typed, file;
};

static enum err_code read_disposition(struct arena *a, struct sv value, struct part *part,
                                      struct err *err)
{
    if (part->disposition) {
        return malformed(err, "a part has two Content-Disposition lines");
    }
    part->disposition = true;
    struct sv rest = value;
    struct sv kind = sv_trim(sv_cut(&rest, ';'));
    if (!sv_eq_nocase(kind, "form-data") || !rest.p) {
        return malformed(err, "a part is not form-data with a name");
    }
    rest = sv_make(rest.p - 1, rest.n + 1);
    struct sv name, text;
    bool bad = false, named = false;
    while (take_parameter(a, &rest, &name, &text, &bad)) {
        bool is_name = sv_eq_nocase(name, "name"), is_file = sv_eq_nocase(name, "filename");
        if ((is_name && named) || (is_file && part->file)) {
            return malformed(err, "a part is named twice");
        }
        if (is_name) {
            named = true;
            part->field.name = text;
        } else if (is_file) {
            part->file = true;
            part->field.filename = text;
        } /* filename* is forbidden in forms (RFC 7578) and not looked at, nor is anything else */
    }
    if (bad || !named) {
        return malformed(err, "a part's Content-Disposition cannot be read");
    }
    if (!sv_utf8(part->field.name) || !sv_utf8(part->field.filename)) {
        return malformed(err, "a name is not valid UTF-8");
    }
    return OK;
}

static enum err_code read_line(struct arena *a, struct sv line, struct part *part, struct err *err)
{
    for (size_t i = 0; i < line.n; i++) {
        unsigned char c = (unsigned char)line.p[i];
        if ((c < 0x20 && c != '\t') || c == 0x7f) {
            return malformed(err, "a part's header contains a control character");
        }
    }
    struct sv value = line;
    struct sv name = sv_cut(&value, ':');
    if (!value.p || !is_token(name)) {
        return malformed(err, "a part's header line has no name");
    }
    value = sv_trim(value);
    if (sv_eq_nocase(name, "Content-Disposition")) {
        return read_disposition(a, value, part, err);
    }
    if (sv_eq_nocase(name, "Content-Type")) {
        if (part->typed) {
            return malformed(err, "a part has two Content-Type lines");
        }
        part->typed = true;
        part->field.type = value;
    }
    if (sv_eq_nocase(name, "Content-Transfer-Encoding") && !sv_eq_nocase(value, "binary") &&
        !sv_eq_nocase(value, "8bit") && !sv_eq_nocase(value, "7bit")) {
        return malformed(err, "a part is encoded");
    }
    return OK;
}

/* Reads the header lines at the start of *rest and leaves what follows the empty line. */
static enum err_code read_headers(struct arena *a, struct sv *rest, struct part *part,
                                  struct err *err)
{
    size_t window = rest->n < PART_HEADERS ? rest->n : PART_HEADERS;
    const char *end = window ? memmem(rest->p, window, "\r\n\r\n", 4) : NULL;
    if (!end) {
        return malformed(err, "a part's headers do not end or are too long");
    }
    struct sv lines = sv_make(rest->p, (size_t)(end - rest->p) + 2);
    skip(rest, lines.n + 2);
    for (int count = 0; lines.n; count++) {
        const char *crlf = memmem(lines.p, lines.n, "\r\n", 2);
        struct sv line = sv_make(lines.p, (size_t)(crlf - lines.p));
        enum err_code rc = count == PART_LINES ? malformed(err, "a part has too many header lines")
                                               : read_line(a, line, part, err);
        if (rc != OK) {
            return rc;
        }
        skip(&lines, line.n + 2);
    }
    return part->disposition ? OK : malformed(err, "a part has no Content-Disposition");
}

/* One part: *rest stands behind its delimiter's CRLF and is left behind the next delimiter. */
static enum err_code read_part(struct arena *a, const struct delimiter *d, struct sv *rest,
                               struct form *out, struct err *err)
{
    struct part part = {0};
    enum err_code rc = read_headers(a, rest, &part, err);
    if (rc != OK) {
        return rc;
    }
    const char *end = rest->n ? memmem(rest->p, rest->n, d->text, d->n) : NULL;
    if (!end) {
        return malformed(err, "the last part does not end");
    }
    part.field.value = sv_make(rest->p, (size_t)(end - rest->p));
    skip(rest, part.field.value.n + d->n);
    if (!part.file && !sv_utf8(part.field.value)) {
        return malformed(err, "a value is not valid UTF-8");
    }
    return form_append(a, out, part.field, err);
}

enum err_code form_multipart(struct arena *a, struct sv type, struct sv body, struct form *out,
                             struct err *err)
{
    struct delimiter d = {.n = 0};
    *out = (struct form){0};
    enum err_code rc = read_boundary(a, type, &d, err);
    if (rc != OK) {
        return rc;
    }
    /* The first delimiter has no CRLF before it. */
    if (body.n < d.n - 2 || memcmp(body.p, d.text + 2, d.n - 2) != 0) {
        return malformed(err, "it does not begin with its boundary");
    }
    struct sv rest = body;
    skip(&rest, d.n - 2);
    while (sv_starts(rest, "\r\n")) {
        skip(&rest, 2);
        rc = read_part(a, &d, &rest, out, err);
        if (rc != OK) {
            return rc;
        }
    }
    if (!sv_is(rest, "--") && !sv_is(rest, "--\r\n")) {
        return malformed(err, "something else follows a boundary");
    }
    return OK;
}
