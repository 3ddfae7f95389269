/* response.c - filling a reply, and the header lines every reply has.
 * Handlers fill it; mhd.c sends it. Knows nothing of connections. */
#include "http/response.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"

/* The security headers, for every reply and in this one place. Photographs come by the dozen and are
 * no documents: theirs are those that say something about them. */
static const struct header_line of_documents[] = {
    {"Content-Security-Policy",
     "default-src 'none'; img-src 'self' data: blob:; style-src 'self'; script-src 'self'; "
     "connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; "
     "frame-ancestors 'none'; manifest-src 'self'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Permissions-Policy",
     "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), "
     "magnetometer=(), microphone=(), midi=(), payment=(), usb=()"},
};
static const struct header_line of_photos[] = {
    {"Content-Security-Policy", "default-src 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
};
#define COUNT(lines) (sizeof(lines) / sizeof(lines)[0])

/* Those above and Content-Type, Cache-Control, X-Request-Id, Strict-Transport-Security. */
_Static_assert(HTTP_HEADERS_OUT + COUNT(of_documents) + 4 <= RESPONSE_LINES,
               "a reply's lines do not fit");

void response_init(struct response *res)
{
    *res = (struct response){.fd = -1};
    str_init(&res->body, HTTP_BODY_OUT);
}

void response_release(struct response *res)
{
    str_release(&res->body);
    http_shared_release(res->shared);
    if (res->fd >= 0) {
        close(res->fd);
    }
    response_init(res);
}

struct http_shared *http_shared_new(size_t n, size_t tail)
{
    struct http_shared *s = xmalloc(sizeof *s + n + tail);
    atomic_init(&s->references, 1);
    s->n = n;
    s->tail = tail;
    memset(s->bytes + n, 0, tail);
    return s;
}

struct http_shared *http_shared_hold(struct http_shared *s)
{
    atomic_fetch_add_explicit(&s->references, 1, memory_order_relaxed);
    return s;
}

void http_shared_release(struct http_shared *s)
{
    if (s && atomic_fetch_sub_explicit(&s->references, 1, memory_order_acq_rel) == 1) {
        free(s);
    }
}

void response_reset(struct response *res)
{
    response_release(res);
}

void response_header(struct response *res, const char *name, const char *value)
{
    BUG_IF(res->n_headers == HTTP_HEADERS_OUT);
    BUG_IF(value[strcspn(value, "\r\n")] != '\0');
    res->headers[res->n_headers].name = name;
    res->headers[res->n_headers].value = value;
    res->n_headers++;
}

void response_own(struct response *res, int status, const char *text)
{
    response_reset(res);
    res->status = status;
    res->content_type = "text/plain; charset=utf-8";
    str_addz(&res->body, text);
}

static bool has_line(const struct header_line *lines, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (sv_eq_nocase(sv_of(lines[i].name), name)) {
            return true;
        }
    }
    return false;
}

/* Adds a line unless the first `own` ones, the handler's, have its name. */
static size_t add_line(struct header_line *out, size_t n, size_t own, const char *name,
                       const char *value)
{
    if (has_line(out, own, name)) {
        return n;
    }
    out[n] = (struct header_line){name, value};
    return n + 1;
}

static size_t add_lines(struct header_line *out, size_t n, size_t own,
                        const struct header_line *lines, size_t n_lines)
{
    for (size_t i = 0; i < n_lines; i++) {
        n = add_line(out, n, own, lines[i].name, lines[i].value);
    }
    return n;
}

size_t response_lines(const struct request *req, const struct response *res, char id[RESPONSE_ID],
                      struct header_line out[RESPONSE_LINES])
{
    size_t own = (size_t)res->n_headers, n = own;
    for (size_t i = 0; i < own; i++) {
        out[i] = (struct header_line){res->headers[i].name, res->headers[i].value};
    }
    if (res->content_type) {
        n = add_line(out, n, own, "Content-Type", res->content_type);
    }
    snprintf(id, RESPONSE_ID, "%llu", (unsigned long long)req->id);
    n = add_line(out, n, own, "Cache-Control", "no-store");
    n = add_line(out, n, own, "X-Request-Id", id);
    if (req->secure) {
        n = add_line(out, n, own, "Strict-Transport-Security", "max-age=31536000");
    }
    bool photo = res->content_type && (strcmp(res->content_type, "image/jpeg") == 0 ||
                                       strcmp(res->content_type, "image/png") == 0);
    return photo ? add_lines(out, n, own, of_photos, COUNT(of_photos))
                 : add_lines(out, n, own, of_documents, COUNT(of_documents));
}
