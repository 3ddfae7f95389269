/* request.c - what a handler asks a request: headers, cookies, query parameters. Asked on whichever
 * thread holds the request. */
#include "http/conn.h"
#include "http/cookie.h"
#include "http/form.h"
#include "http/request.h"

#include <string.h>

const char *http_method_name(enum http_method m)
{
    static const char *const names[] = {
        [HTTP_GET] = "GET",     [HTTP_HEAD] = "HEAD",   [HTTP_POST] = "POST",
        [HTTP_PUT] = "PUT",     [HTTP_PATCH] = "PATCH", [HTTP_DELETE] = "DELETE",
        [HTTP_OTHER] = "OTHER",
    };
    BUG_IF((size_t)m >= sizeof names / sizeof names[0]);
    return names[m];
}

enum http_method request_method(const char *word)
{
    enum http_method m = HTTP_GET;
    while (m < HTTP_OTHER && strcmp(word, http_method_name(m)) != 0) {
        m++;
    }
    return m;
}

/* What follows the host in "http://host/path"; other targets are returned as they are. */
static struct sv without_origin(struct sv target)
{
    if (!sv_starts(target, "http://") && !sv_starts(target, "https://")) {
        return target;
    }
    struct sv rest = target;
    sv_cut(&rest, '/');
    sv_cut(&rest, '/');
    sv_cut(&rest, '/'); /* behind the host */
    return rest.p ? sv_make(rest.p - 1, rest.n + 1) : SV("/");
}

void request_set_uri(struct request *req, const char *uri)
{
    struct sv query = sv_of(uri);
    struct sv path = without_origin(sv_cut(&query, '?'));
    bool good = form_decode(&req->arena, path, false, &req->path) && sv_utf8(req->path) &&
                sv_starts(req->path, "/");
    if (!good) {
        req->path = SV("");
    }
    req->query = query.p ? query : SV("");
}

struct sv request_header(const struct request *req, const char *name)
{
    return conn_header(req->conn, name);
}

struct sv request_cookie(const struct request *req, const char *name)
{
    return cookie_find(request_header(req, "Cookie"), name);
}

/* The next value of the name in what is left of the query; false at the end. */
static bool next_value(struct request *req, struct sv *rest, const char *name, struct sv *out)
{
    struct sv decoded;
    while (rest->p && rest->n) {
        struct sv value = sv_cut(rest, '&');
        struct sv key = sv_cut(&value, '=');
        if (form_decode(&req->arena, key, true, &decoded) && sv_is(decoded, name)) {
            bool good = form_decode(&req->arena, value, true, &decoded) && sv_utf8(decoded);
            *out = good ? decoded : SV("");
            return true;
        }
    }
    return false;
}

struct sv request_query(struct request *req, const char *name)
{
    struct sv rest = req->query, value = SV("");
    next_value(req, &rest, name, &value);
    return value;
}

struct sv request_query_all(struct request *req, const char *name)
{
    enum { LONGEST = 8192 };
    struct sv rest = req->query, value;
    struct str all;
    bool first = true;
    str_init(&all, LONGEST);
    while (next_value(req, &rest, name, &value)) {
        if (all.n + value.n + 1 >= LONGEST) {
            str_clear(&all);
            break;
        }
        str_addz(&all, first ? "" : ",");
        str_add(&all, value.p, value.n);
        first = false;
    }
    struct sv text = arena_sv(&req->arena, str_sv(&all));
    str_release(&all);
    return text;
}
