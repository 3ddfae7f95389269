/* form_refused.c - refused forms. The page is made by its own GET step, as if it were asked for, and
 * view/refill.h puts back what was typed. */
#include "web/core/form_refused.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/outside.h"
#include "http/router.h"
#include "view/escape.h"
#include "view/refill.h"
#include "web/core/app_internal.h"
#include "web/core/reply.h"

#define PAGE_FIELD "form_page"

enum { PAGE_MOST = 2000, MESSAGE_MOST = 480 };

/* Which fields a rule of the services is about, where the handler says nothing. */
static const struct {
    const char *rule, *fields;
} rules[] = {
    {"blacklist-note", "note"},
    {"contact", "contact"},
    {"days", "days"},
    {"decision-bonus", "bonus"},
    {"decision-choice", "reason"},
    {"decision-date", "before"},
    {"decision-reason", "reason"},
    {"flag-kind", "kind"},
    {"flag-note", "note reason"},
    {"guide-changed", "text"},
    {"guide-picture", "text"},
    {"guide-reason", "reason"},
    {"invite-note", "note"},
    {"job-option", "file wnid"},
    {"job-value", "file wnid"},
    {"label-comment", "comment"},
    {"label-look", "problematic"},
    {"label-or-none", "none"},
    {"labels-most", "label"},
    {"login-form", "login"},
    {"login-taken", "login"},
    {"main-label", "main"},
    {"markdown", "text"},
    {"model-fact", "group family architecture year training_data parameters"},
    {"model-file", "file"},
    {"model-name", "name"},
    {"model-note", "note"},
    {"model-reason", "reason"},
    {"near-duplicate-set", "near"},
    {"no-label", "label"},
    {"note-empty", "text"},
    {"note-text", "text"},
    {"password-long", "new_password password"},
    {"password-missing", "old_password password"},
    {"password-short", "new_password password"},
    {"password-wrong", "old_password password"},
    {"pay-bonus", "bonus"},
    {"pay-reason", "reason"},
    {"pay-state", "decision"},
    {"pick-note", "note"},
    {"pick-target", "size"},
    {"predict-what", "what wnid"},
    {"reason-missing", "reason"},
    {"relation-changed", "kind"},
    {"relation-note", "note"},
    {"relation-self", "class_query"},
    {"role", "role"},
    {"score-reason", "reason"},
    {"set-reason", "reason"},
    {"subset-name", "name"},
    {"subset-note", "note"},
    {"subset-text", "definition"},
    {"text-names-person", "reason text note"},
    {"token-expiry", "days"},
    {"invite-expiry", "days"},
    {"token-name", "name"},
    {"token-role", "role"},
    {"training-choice", "class_query"},
    {"training-classes", "classes"},
    {"training-comment", "comment"},
    {"training-images", "set rows"},
    {"training-models", "models"},
    {"training-name", "name"},
    {"training-size", "span images mark"},
    {"training-suggest", "comment"},
    {"view-as-of", "as_of_event"},
    {"view-campaign", "kind"},
    {"view-default", "name"},
    {"view-filter", "rule"},
    {"view-kind", "kind"},
    {"view-name", "name"},
    {"view-text", "description"},
};

static enum err_code note(struct ctx *c, const char *fields, const char *message)
{
    if (c->n_wrong < WRONG_MOST) {
        c->wrong[c->n_wrong++] =
            (struct wrong){arena_strdup(c->arena, fields), arena_strdup(c->arena, message)};
    }
    return c->err.code;
}

enum err_code form_wrong(struct ctx *c, const char *fields, const char *fmt, ...)
{
    char text[MESSAGE_MOST];
    va_list list;
    va_start(list, fmt);
    vsnprintf(text, sizeof text, fmt, list);
    va_end(list);
    text[sv_utf8_whole(sv_of(text)).n] = '\0'; /* a long one was cut */
    err_rule(&c->err, ERR_INPUT, "form-field", "%s", text);
    return note(c, fields, text);
}

enum err_code form_wrong_field(struct ctx *c, const char *fields)
{
    return c->err.code == OK ? OK : note(c, fields, c->err.msg);
}

static const char *fields_of_rule(const char *rule)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (strcmp(rules[i].rule, rule) == 0) {
            return rules[i].fields;
        }
    }
    return "";
}

struct sv form_page(const struct ctx *c)
{
    struct sv page = form_get(&c->form, PAGE_FIELD);
    return page.n <= PAGE_MOST && outside_own_path(page) ? page : SV("");
}

bool form_refused_wanted(const struct ctx *c, int status)
{
    static const int answered[] = {400, 403, 404, 409, 422};
    bool fits = c->req->method == HTTP_POST && !c->json && !c->user.by_token &&
                !sv_starts(c->req->path, "/api/") && c->req->route;
    /* Another site's form is not filled in for whoever was lured there. */
    bool own = strcmp(c->err.rule, "cross-site") != 0 && !(c->err.code == ERR_DENIED && strcmp(c->err.rule, "role") == 0) &&
               (strcmp(c->err.rule, "csrf") != 0 ||
                sv_is(request_header(c->req, "Sec-Fetch-Site"), "same-origin"));
    for (size_t i = 0; i < sizeof answered / sizeof *answered && fits && own; i++) {
        if (answered[i] == status) {
            return true;
        }
    }
    return false;
}

/* Runs the GET step of an address in place of the form's request, which is as before afterwards. True for
 * a page of HTML in c->res. */
static bool run_page(struct ctx *c, struct sv address)
{
    struct request *req = c->req;
    struct sv params[HTTP_PARAMS] = {{0}}, path, rest = address;
    unsigned allow;
    if (!form_decode(c->arena, sv_cut(&rest, '?'), false, &path)) {
        return false;
    }
    int i = router_find(c->app->router, HTTP_GET, path, params, &allow);
    const struct route *route = i >= 0 ? &routes[i] : NULL;
    step_fn step = !route || route->role > c->user.role ? NULL
                   : route->read                        ? route->read
                                                        : route->slow;
    if (!step) {
        return false;
    }
    const struct ctx was = *c;
    struct request asked = *req;
    memcpy(req->params, params, sizeof params);
    req->method = HTTP_GET;
    req->path = path;
    req->query = rest.p ? rest : SV("");
    req->route = route;
    c->form = (struct form){0};
    c->state = NULL;
    c->refused = &was.form;
    c->refused_at = asked.path;
    response_reset(c->res);
    err_clear(&c->err);
    bool good = step(c) == OK && c->err.code == OK && c->res->status == 200 && c->res->fd < 0 &&
                !c->res->shared && c->res->content_type &&
                sv_starts(sv_of(c->res->content_type), "text/html");
    const char *language = c->language;
    memcpy(req->params, asked.params, sizeof asked.params);
    req->method = asked.method;
    req->path = asked.path;
    req->query = asked.query;
    req->route = asked.route;
    *c = was;
    c->language = language;
    return good;
}

static const char *text_of(struct ctx *c, const char *key, const char *english)
{
    const json_t *t = strings_catalogue(app_view(c->app) ? view_strings(app_view(c->app)) : NULL,
                                        c->language);
    const char *text = json_string_value(json_object_get(t, key));
    return text ? text : english;
}

/* What is wrong, to a worker in their language where there is a text for the rule. */
static const char *message_of(struct ctx *c, bool worker)
{
    char *key = arena_printf(c->arena, "error_%s", c->err.rule);
    for (char *p = key; *p; p++) {
        *p = *p == '-' ? '_' : *p;
    }
    return worker ? text_of(c, key, c->err.msg) : c->err.msg;
}

/* *page becomes the reply's body and is empty then. One that was cut at its limit says so in c->res too. */
static void take_body(struct ctx *c, struct str *page)
{
    str_release(&c->res->body);
    c->res->body = *page;
    str_init(page, HTTP_BODY_OUT);
}

/* The page in c->res with what was typed; false when it lacks the form and `needed`. */
static bool refill(struct ctx *c, struct sv page, bool needed)
{
    size_t n = c->n_wrong ? c->n_wrong : 1;
    bool worker = sv_starts(c->req->path, "/work/");
    struct refill_wrong *wrong = arena_calloc(c->arena, n, sizeof *wrong);
    for (size_t i = 0; i < c->n_wrong; i++) {
        wrong[i] = (struct refill_wrong){c->wrong[i].fields, c->wrong[i].message};
    }
    if (c->n_wrong == 0) {
        wrong[0] = (struct refill_wrong){fields_of_rule(c->err.rule), message_of(c, worker)};
    }
    struct refill_field *fields = arena_calloc(c->arena, c->form.n + 1, sizeof *fields);
    size_t n_fields = 0;
    for (size_t i = 0; i < c->form.n; i++) {
        const struct form_field *f = &c->form.fields[i];
        if (f->filename.n == 0 && sv_utf8(f->value)) {
            fields[n_fields++] = (struct refill_field){f->name, f->value};
        }
    }
    struct refill r = {
        .action = c->req->path,
        .page = page,
        .fields = fields,
        .n_fields = n_fields,
        .wrong = wrong,
        .n_wrong = n,
        .heading = worker ? text_of(c, "form_refused", "Nothing was sent") : "Nothing was changed",
        .title_prefix = worker ? text_of(c, "form_refused_title", "Error: ") : "Error: ",
    };
    struct str out;
    str_init(&out, HTTP_BODY_OUT);
    bool found = refill_page(c->arena, str_sv(&c->res->body), &r, &out);
    bool good = (found || !needed) && !out.over;
    if (good) {
        take_body(c, &out);
    }
    str_release(&out);
    return good;
}

/* The reply is this form's alone: no page that may be kept. */
static void headers(struct ctx *c, int status)
{
    int n = 0;
    for (int i = 0; i < c->res->n_headers; i++) {
        const char *name = c->res->headers[i].name;
        if (strcmp(name, "ETag") != 0 && strcmp(name, "Cache-Control") != 0) {
            c->res->headers[n++] = c->res->headers[i];
        }
    }
    c->res->n_headers = n;
    response_header(c->res, "Cache-Control", "no-store");
    c->res->status = status;
}

/* The path without its last segment; empty for the last. */
static struct sv parent(struct sv path)
{
    while (path.n > 0 && path.p[path.n - 1] != '/') {
        path.n--;
    }
    path.n -= path.n > 0;
    return path;
}

static bool shown(struct ctx *c, struct sv page, bool needed, int status)
{
    if (page.n == 0 || !run_page(c, page) || !refill(c, page, needed)) {
        response_reset(c->res);
        return false;
    }
    headers(c, status);
    err_clear(&c->err);
    return true;
}

bool form_refused_page(struct ctx *c, int status)
{
    if (shown(c, form_page(c), false, status)) {
        return true;
    }
    /* A program that left the field out, or a page that is gone: the nearest one that has the form. */
    for (struct sv path = c->req->path; path.n; path = parent(path)) {
        if (shown(c, path, true, status)) {
            return true;
        }
    }
    return false;
}

/* A page that says by itself what is wrong. */
static void focus_wrong(struct ctx *c)
{
    struct str out;
    str_init(&out, HTTP_BODY_OUT);
    refill_focus(str_sv(&c->res->body), &out);
    take_body(c, &out);
}

enum err_code form_mark_page(struct ctx *c)
{
    if (c->res->status >= 400) {
        focus_wrong(c);
    }
    struct str page, out;
    struct sv rest = c->req->path;
    /* The addresses of workers' pages hold panel ids, which go no further. */
    if (sv_starts(rest, "/work/")) {
        return OK;
    }
    str_init(&page, PAGE_MOST);
    sv_cut(&rest, '/');
    do {
        str_addc(&page, '/');
        escape_url(&page, sv_cut(&rest, '/'));
    } while (rest.p);
    if (c->req->query.n) {
        str_addc(&page, '?');
        str_addsv(&page, c->req->query);
    }
    struct sv typed = form_page(c);
    bool read = c->req->method == HTTP_GET || c->req->method == HTTP_HEAD;
    struct sv at = read ? str_sv(&page) : typed;
    if (at.n == 0 || (read && page.over)) {
        str_release(&page);
        return OK;
    }
    str_init(&out, HTTP_BODY_OUT);
    refill_mark(str_sv(&c->res->body), PAGE_FIELD, at, &out);
    take_body(c, &out);
    str_release(&page);
    return str_check(&c->res->body, "the page", &c->err);
}
