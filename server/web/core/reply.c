/* reply.c - pages, JSON and errors as responses. The one map from error codes to HTTP statuses
 * and to what the public is told; details of our own faults go to the log with the request's id. */
#include "web/core/reply.h"

#include <string.h>

#include "base/hash.h"
#include "base/log.h"
#include "http/etag.h"
#include "json/object.h"
#include "view/escape.h"
#include "web/core/app_internal.h"
#include "web/core/form_refused.h"
#include "web/core/image_bytes.h"
#include "web/core/nav.h"
#include "web/core/notice.h"
#include "web/core/records.h"

int reply_status(enum err_code code)
{
    switch (code) {
    case OK: return 200;
    case ERR_INPUT: return 400;
    case ERR_AUTH: return 401;
    case ERR_DENIED: return 403;
    case ERR_NOT_FOUND: return 404;
    case ERR_CONFLICT: return 409;
    case ERR_LIMIT: return 413;
    case ERR_RATE: return 429;
    case ERR_BUSY: return 503;
    case ERR_FULL: return 507;
    case ERR_IO:
    case ERR_BUG: return 500;
    }
    return 500;
}

static const char *status_title(int status)
{
    switch (status) {
    case 400: return "That request was not understood";
    case 401: return "Please sign in";
    case 403: return "Not allowed";
    case 404: return "Not found";
    case 405: return "Wrong method";
    case 409: return "That is no longer possible";
    case 412: return "Somebody else has changed this";
    case 413: return "Too large";
    case 415: return "Wrong kind of content";
    case 429: return "Too many requests";
    case 503: return "Busy at the moment";
    case 507: return "The disk is full";
    default: return "Something went wrong here";
    }
}

static bool out_of_memory(const struct ctx *c)
{
    return strcmp(c->err.rule, "memory") == 0;
}

static const char *error_title(const struct ctx *c, int status)
{
    return out_of_memory(c) ? "Too much for one request" : status_title(status);
}

/* HEAD is GET whose body stays here. */
static bool is_read(const struct ctx *c)
{
    return c->req->method == HTTP_GET || c->req->method == HTTP_HEAD;
}

/* Whether the pages of a route show pseudonyms or panel ids: no cache keeps them after its reader has
 * signed out. */
static bool names_people(const struct route *route)
{
    static const char *const begins[] = {
        "/workers", "/api/v1/workers", "/campaigns/:campaign/participants",
        "/api/v1/campaigns/:campaign/participants", "/campaigns/:campaign/pay",
        "/campaigns/:campaign/assignments", "/campaigns/:campaign/grids/", "/api/v1/grids",
        "/history", "/api/v1/history", "/decisions", "/api/v1/decisions", "/flags",
        "/api/v1/flags", "/api/v1/places", "/api/v1/evaluations"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        if (sv_starts(sv_of(route->pattern), begins[i])) {
            return true;
        }
    }
    return false;
}

/* Adds an ETag of the body and answers 304 when the client has these bytes. Where the address is a
 * capability, and where the handler said so, nothing may keep the page: no-store stands. */
static void add_etag(struct ctx *c)
{
    const struct route *route = c->req->route; /* NULL for an address that is not there */
    bool kept = c->res->status == 200 && is_read(c) && route && route->proof != PROOF_CAPABILITY;
    for (int i = 0; i < c->res->n_headers; i++) {
        kept = kept && strcmp(c->res->headers[i].name, "Cache-Control") != 0;
    }
    if (!kept) {
        return;
    }
    struct sv body = str_sv(&c->res->body);
    char *tag = arena_printf(c->arena, "\"%016llx\"",
                             (unsigned long long)hash_stable(body.p, body.n));
    response_header(c->res, "ETag", tag);
    response_header(c->res, "Cache-Control",
                    names_people(route) ? "no-store" : "private, no-cache");
    if (etag_known(request_header(c->req, "If-None-Match"), tag)) {
        str_clear(&c->res->body);
        c->res->status = 304;
    }
}

static json_t *user_json(const struct user *u)
{
    return object(field_sv("login", u->login), field_text("role", role_name(u->role)),
                  field_bool("is_expert", u->role >= ROLE_EXPERT), field_bool("at_desk", u->at_desk),
                  field_bool("is_lead", u->role >= ROLE_LEAD),
                  field_bool("is_admin", u->role >= ROLE_ADMIN));
}

static json_t *common_json(struct ctx *c, const char *title, json_t *page)
{
    json_t *data = json_object();
    json_object_set_new(data, "project", json_string(app_project(c->app)));
    json_object_set_new(data, "title", json_string(title));
    json_object_set_new(data, "csrf", json_string(c->user.csrf));
    json_object_set(data, "assets", view_assets(c->app->view));
    json_object_set(data, "t",
                    strings_catalogue(view_strings(c->app->view), c->language));
    json_object_set_new(data, "nav", c->user.role >= ROLE_EXPERT ? nav_json(c) : json_array());
    json_object_set_new(data, "user", c->user.account ? user_json(&c->user) : json_false());
    json_object_set_new(data, "page", page);
    return data;
}

static enum err_code render(struct ctx *c, int status, const char *template, const char *title,
                            json_t *page, json_t *notice)
{
    json_t *data = common_json(c, title, page);
    json_object_set_new(data, "notice", notice ? notice : json_null());
    enum err_code rc = view_render(c->app->view, template, data, &c->res->body, &c->err);
    json_decref(data);
    if (rc == OK) {
        c->res->status = status;
        c->res->content_type = "text/html; charset=utf-8";
    }
    return rc;
}

enum err_code reply_page(struct ctx *c, int status, const char *template, const char *title,
                         json_t *page)
{
    enum err_code rc = render(c, status, template, title, page, notice_take(c, status));
    rc = rc == OK ? form_mark_page(c) : rc;
    if (rc == OK) {
        add_etag(c);
    }
    return rc;
}

/* JSON that is in the body already. */
static enum err_code reply_body(struct ctx *c, int status)
{
    str_addc(&c->res->body, '\n');
    c->res->status = status;
    c->res->content_type = "application/json";
    add_etag(c);
    return str_check(&c->res->body, "the reply", &c->err);
}

enum err_code reply_json_text(struct ctx *c, int status, const char *text)
{
    str_addz(&c->res->body, text);
    return reply_body(c, status);
}

enum err_code reply_record(struct ctx *c, int status, const struct record *record, const void *row)
{
    BUG_IF(!record_text(record, row, &c->res->body));
    return reply_body(c, status);
}

enum err_code reply_json(struct ctx *c, int status, json_t *body)
{
    char *text = json_dumps(body, JSON_COMPACT);
    json_decref(body);
    BUG_IF(!text);
    enum err_code rc = reply_json_text(c, status, text);
    free(text);
    return rc;
}

struct cursor_beside {
    int64_t next;
};

RECORD(cursor_record, struct cursor_beside, "cursor", "Where a list goes on.",
       {"next", RECORD_OF(struct cursor_beside, next), .maybe = true,
        .about = "What `after` or `before` must be for the items that follow; null: these are the last."});

enum err_code reply_csv(struct ctx *c, const char *file, const struct record *record, const void *rows, size_t n)
{
    struct str *out = &c->res->body;
    record_csv_names(record, out);
    str_addc(out, '\n');
    for (size_t i = 0; i < n; i++) {
        record_csv_cells(record, (const char *)rows + i * record->size, out);
        str_addc(out, '\n');
    }
    response_header(c->res, "Content-Disposition", arena_printf(c->arena, "attachment; filename=\"%s\"", file));
    response_header(c->res, "Cache-Control", "private, no-cache");
    c->res->status = 200;
    c->res->content_type = "text/csv; charset=utf-8";
    return str_check(out, "the table", &c->err);
}

enum err_code reply_items(struct ctx *c, json_t *items, int64_t next)
{
    const struct cursor_beside beside = {next};
    json_t *list = object(field_json("items", items));
    json_object_update_new(list, record_json(&cursor_record, &beside));
    return reply_json(c, 200, list);
}

enum err_code reply_redirect(struct ctx *c, const char *location)
{
    c->res->status = 303;
    response_header(c->res, "Location", location);
    return OK;
}

enum err_code reply_image(struct ctx *c, const struct image_sent *at, bool kept)
{
    if (image_bytes_send(app_image_bytes(c->app), at, c->res, &c->err) != OK) {
        return c->err.code;
    }
    c->res->status = 200;
    response_header(c->res, "Cache-Control",
                    kept ? "private, max-age=86400, immutable" : "no-store");
    return OK;
}

enum err_code reply_text(struct ctx *c, int status, const char *content_type, const struct str *s)
{
    str_addsv(&c->res->body, str_sv(s));
    c->res->status = status;
    c->res->content_type = content_type;
    return str_check(&c->res->body, "the reply", &c->err);
}

enum err_code reply_table_file(struct ctx *c, const char *name, const char *content_type)
{
    response_header(c->res, "Content-Disposition", arena_printf(c->arena, "attachment; filename=\"%s\"", name));
    response_header(c->res, "Cache-Control", "private, no-cache");
    c->res->status = 200;
    c->res->content_type = content_type;
    return str_check(&c->res->body, "the table", &c->err);
}

static void log_failure(const struct ctx *c, const char *what)
{
    const struct route *route = c->req->route;
    log_msg(LOG_ERROR, what, LOG_NUM("req", c->req->id),
            LOG_TEXT("path", sv_of(route ? route->pattern : "-")),
            LOG_TEXT("rule", sv_of(c->err.rule)), LOG_TEXT("detail", sv_of(c->err.msg)),
            LOG_NUM("arena_bytes", c->arena->used));
}

/* What the public is told of our own faults. */
static void hide_detail(struct ctx *c, int status)
{
    log_failure(c, "request failed");
    const char *text =
        status == 507   ? "The disk is full. Nothing was stored; free some space and send it again."
        : status == 503 ? "The server is busy. Nothing was stored; please try again in a moment."
                        : "The server could not do this. Nothing was stored. The log has the reason "
                          "under this request's number.";
    snprintf(c->err.msg, sizeof c->err.msg, "%s", text);
}

static bool is_api(const struct ctx *c)
{
    return sv_starts(c->req->path, "/api/");
}

static void error_headers(struct ctx *c, int status)
{
    if (c->allow) {
        response_header(c->res, "Allow", c->allow);
    }
    if (status == 503 || status == 429) {
        response_header(c->res, "Retry-After",
                        arena_printf(c->arena, "%lld",
                                     (long long)(c->retry_after_s > 0 ? c->retry_after_s : 1)));
    }
    if (status == 401 && is_api(c)) {
        response_header(c->res, "WWW-Authenticate", "Bearer realm=\"holdout\"");
    }
}

struct problem {
    const char *type, *title, *code, *detail;
    int status;
    int64_t request;
};

#define OF(member) RECORD_OF(struct problem, member)
RECORD(problem_record, struct problem, "problem", "Why a request was refused (RFC 9457).",
       {"type", OF(type), .about = "Always about:blank: the status says it all."},
       {"title", OF(title), .about = "What the status means."},
       {"status", OF(status), .about = "The status of the reply."},
       {"code", OF(code), .about = "The rule that refused it, for programs."},
       {"detail", OF(detail), .about = "What happened, what was kept, what to do."},
       {"request", OF(request), .about = "The request's number in the log."});
#undef OF

json_t *reply_problem(struct ctx *c, int status, const char *title, const struct err *why)
{
    const struct problem p = {"about:blank", title, why->rule, why->msg, status, (int64_t)c->req->id};
    return record_json(&problem_record, &p);
}

static void problem_json(struct ctx *c, int status)
{
    json_t *body = reply_problem(c, status, error_title(c, status), &c->err);
    BUG_IF(!body);
    err_clear(&c->err);
    reply_json(c, status, body);
    c->res->content_type = "application/problem+json";
}

static bool is_worker(const struct ctx *c)
{
    return sv_starts(c->req->path, "/work/");
}

/* The catalogue's text for a key, in which dashes are underscores; `otherwise` when it has none. */
static const char *in_language(struct ctx *c, char *key, const char *otherwise)
{
    for (char *p = key; *p; p++) {
        *p = *p == '-' ? '_' : *p;
    }
    const json_t *t = strings_catalogue(view_strings(c->app->view), c->language);
    const char *text = json_string_value(json_object_get(t, key));
    return text ? text : otherwise;
}

static const char *problem_title(struct ctx *c, int status)
{
    const char *title = error_title(c, status);
    char *key = out_of_memory(c) ? arena_strdup(c->arena, "status_memory")
                                 : arena_printf(c->arena, "status_%d", status);
    return is_worker(c) ? in_language(c, key, title) : title;
}

/* Workers have no shell to go back to: they are told in the look of their own pages. */
static json_t *worker_problem(struct ctx *c, int status)
{
    return object(
        field_text("heading", problem_title(c, status)),
        field_text("message",
                   in_language(c, arena_printf(c->arena, "error_%s", c->err.rule), c->err.msg)),
        field_int("status", status), field_count("request", c->req->id),
        field_text("link_url", c->onward));
}

static json_t *visitor_problem(struct ctx *c, int status)
{
    return object(field_int("status", status), field_text("title", error_title(c, status)),
                  field_text("message", c->err.msg), field_text("rule", c->err.rule),
                  field_null("remedy"), field_count("request", c->req->id),
                  field_bool("sign_in", status == 401),
                  field_text("back", form_page(c).n ? arena_cstr(c->arena, form_page(c)) : NULL), field_text("onward", c->onward));
}

static void problem_page(struct ctx *c, int status)
{
    bool worker = is_worker(c);
    if (worker && !c->language) {
        c->language = strings_accept(view_strings(c->app->view),
                                     request_header(c->req, "Accept-Language"));
    }
    const char *title = problem_title(c, status);
    json_t *page = worker ? worker_problem(c, status) : visitor_problem(c, status);
    BUG_IF(!page);
    err_clear(&c->err);
    if (render(c, status, worker ? "work/message" : "error", title, page, NULL) != OK) {
        str_clear(&c->res->body); /* headers such as Retry-After stay */
        c->res->status = status;
        c->res->content_type = "text/plain; charset=utf-8";
        str_addz(&c->res->body, status_title(status));
    }
}

int reply_error_status(const struct ctx *c)
{
    const char *rule = c->err.rule;
    return strcmp(rule, "method") == 0          ? 405
           : out_of_memory(c)                   ? 507
           : strcmp(rule, "content-type") == 0  ? 415
           : strcmp(rule, "if-match") == 0      ? 412
           : strcmp(rule, "class-changed") == 0 ? 412
           : strcmp(rule, "guide-changed") == 0 ? 412
                                                : reply_status(c->err.code);
}

void reply_error(struct ctx *c)
{
    if (c->err.code == OK) {
        err_set(&c->err, ERR_BUG, "the handler made no reply");
    }
    int status = reply_error_status(c);
    response_reset(c->res);
    if (out_of_memory(c)) {
        log_failure(c, "a request needed more memory than one may have");
    } else if (status >= 500) {
        hide_detail(c, status);
    }
    if (status == 401 && !is_api(c) && is_read(c)) {
        struct str to;
        str_init(&to, 4 * REPLY_NEXT_MOST);
        str_addz(&to, "/login?next=");
        escape_url(&to, c->req->path);
        if (c->req->query.n && c->req->path.n + c->req->query.n + 1 < REPLY_NEXT_MOST) {
            str_addz(&to, "%3F");
            escape_url(&to, c->req->query);
        }
        err_clear(&c->err);
        reply_redirect(c, arena_cstr(c->arena, str_sv(&to)));
        str_release(&to);
        return;
    }
    error_headers(c, status);
    if (is_api(c)) {
        problem_json(c, status);
    } else {
        problem_page(c, status);
    }
}
