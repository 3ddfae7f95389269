/* head.c - a request's head against RFC 9112. Knows nothing of the library. */
#include "http/head.h"

#include <string.h>

#define LINE_END 2 /* CR and LF, which are zero by now */

static bool token_char(unsigned char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (c && strchr("!#$%&'*+-.^_`|~", c));
}

static bool is_token(const char *text)
{
    const char *p = text;
    while (token_char((unsigned char)*p)) {
        p++;
    }
    return p > text && *p == '\0';
}

/* No control characters but tabs. */
static bool is_value(const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if ((*p < ' ' && *p != '\t') || *p == 0x7f) {
            return false;
        }
    }
    return true;
}

/* A name or an address, which has colons in brackets alone, and perhaps a port. */
static bool is_host(struct sv host)
{
    size_t bracket = host.n && *host.p == '[' ? 0 : host.n;
    while (bracket < host.n && host.p[bracket] != ']') {
        bracket++;
    }
    struct sv port = bracket < host.n ? sv_make(host.p + bracket + 1, host.n - bracket - 1) : host;
    struct sv name = sv_cut(&port, ':');
    bool good = bracket == host.n || name.n == 0;
    for (size_t i = 0; i < port.n; i++) {
        good = good && port.p[i] >= '0' && port.p[i] <= '9';
    }
    for (size_t i = 0; i < host.n; i++) {
        good = good && host.p[i] &&
               strchr("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                      "-._~!$&'()*+;=%:[]", host.p[i]);
    }
    return good;
}

/* What stands behind "http://" in an address, up to the path; p NULL in an address that is a path. */
static struct sv host_of(const char *uri)
{
    struct sv rest = sv_of(uri);
    size_t skip = sv_starts(rest, "http://") ? 7 : sv_starts(rest, "https://") ? 8 : 0;
    return skip ? sv_make(uri + skip, strcspn(uri + skip, "/?#")) : (struct sv){NULL, 0};
}

static void is_wrong(struct head *h, const char *what)
{
    if (!h->wrong) {
        h->wrong = what;
    }
}

void head_begin(struct head *h, const char *method, const char *uri, const char *uri_at,
                const char *version, size_t size)
{
    *h = (struct head){0};
    h->old = strcmp(version, "HTTP/1.0") == 0;
    h->host = host_of(uri);
    if (!is_token(method)) {
        is_wrong(h, "the method is not a word");
    }
    for (const char *p = uri; *p; p++) {
        if ((unsigned char)*p <= ' ' || *p == 0x7f) {
            is_wrong(h, "the address contains spaces or control characters");
        }
    }
    if (size) {
        if (uri_at != method + strlen(method) + 1 || version != uri_at + strlen(uri) + 1) {
            is_wrong(h, "the request line is not three words separated by single spaces");
        }
        h->at = version + strlen(version);
        h->end = method + size;
    }
}

/* The end of the line before, and the beginning of this one. */
static void compare_places(struct head *h, const char *name, const char *value)
{
    if (!h->at || h->wrong) {
        return;
    }
    if (name != h->at + LINE_END || h->at[0] || h->at[1]) {
        is_wrong(h, "a line does not end with CR and LF, continues on the next or contains NUL");
        return;
    }
    const char *p = name + strlen(name) + 1;
    while (p < value && (*p == ' ' || *p == '\t')) {
        p++;
    }
    if (p != value) {
        is_wrong(h, "a header is not a name, a colon and a value");
    }
    h->at = value + strlen(value);
}

static void see_framing(struct head *h, const char *name, const char *value)
{
    int64_t n;
    if (sv_eq_nocase(sv_of(name), "Content-Length")) {
        bool digits = *value && value[strspn(value, "0123456789")] == '\0';
        h->lengths++;
        h->length = digits && sv_i64(sv_of(value), &n) ? (uint64_t)n : UINT64_MAX;
        if (!digits) {
            is_wrong(h, "Content-Length is not a number");
        }
    } else if (sv_eq_nocase(sv_of(name), "Transfer-Encoding")) {
        h->encodings++;
        h->chunked = sv_eq_nocase(sv_of(value), "chunked");
    } else if (sv_eq_nocase(sv_of(name), "Host")) {
        h->hosts++;
        if (!is_host(sv_trim(sv_of(value)))) {
            is_wrong(h, "the Host header does not name a host");
        }
        if (h->host.p && !sv_eq_nocase(h->host, value)) {
            is_wrong(h, "the address names a different host from the Host header");
        }
    }
}

void head_line(struct head *h, const char *name, const char *value)
{
    compare_places(h, name, value);
    if (!is_token(name)) {
        is_wrong(h, "a header's name contains characters that names must not have");
    }
    if (!is_value(value)) {
        is_wrong(h, "a header's value contains control characters");
    }
    see_framing(h, name, value);
}

const char *head_end(struct head *h)
{
    if (h->at && !h->wrong && h->at + 2 * LINE_END != h->end) {
        is_wrong(h, "the head does not end with an empty line of CR and LF");
    }
    if (h->hosts > 1 || (h->hosts == 0 && !h->old)) {
        is_wrong(h, "there is not exactly one Host header");
    }
    if (h->lengths + h->encodings > 1 || (h->encodings && (!h->chunked || h->old))) {
        is_wrong(h, "it says in several ways, or in an unknown way, where the body ends");
    }
    return h->wrong;
}
