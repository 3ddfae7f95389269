/* gate.c - every request passes here: route, sign-in, role, proof, body, then the route's steps on
 * the threads that its row names. Requests come on HTTP threads; replies may be made on the writer
 * or a helper thread. Knows nothing of what pages show. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/xalloc.h"
#include "store/operate/settings.h"
#include "web/core/app_internal.h"
#include "web/core/form_refused.h"
#include "web/core/reply.h"
#include "web/core/signed_in.h"

size_t gate_begin(void *arg, struct request *req)
{
    struct app *app = arg;
    unsigned allow;
    int i = router_find(app->router, req->method, req->path, req->params, &allow);
    req->route = i >= 0 ? &routes[i] : NULL;
    return i >= 0 ? routes[i].body_max : 0;
}

static enum err_code check_role(struct ctx *c, const struct route *route)
{
    if (c->user.role >= route->role) {
        return route->role == ROLE_EXPERT && !route->desk && c->user.at_desk
                   ? err_rule(&c->err, ERR_DENIED, "desk",
                              "You are at work on a label review or an evaluation, so you see its images as tasks and nothing "
                              "else about images. This opens again when a lead closes it or takes you off it.")
                   : OK;
    }
    if (c->user.account == 0) {
        bool read = c->req->method == HTTP_GET || c->req->method == HTTP_HEAD;
        return err_set(&c->err, ERR_AUTH,
                       read ? "Please sign in first."
                            : "You are not signed in, so nothing was changed.");
    }
    return err_rule(&c->err, ERR_DENIED, "role",
                    "This needs the role %s; you are signed in as %s.", role_name(route->role),
                    role_name(c->user.role));
}

static bool same_text(struct sv a, const char *b)
{
    return a.n == strlen(b) && a.n > 0 && crypto_equal(a.p, b, a.n);
}

/* Whether a browser says that another site's page sent this; a sibling of our host is another one,
 * its people need not be ours. Browsers that do not send Sec-Fetch-Site send Origin with a POST;
 * programs send neither. */
static bool from_elsewhere(const struct ctx *c)
{
    struct sv site = request_header(c->req, "Sec-Fetch-Site");
    struct sv origin = request_header(c->req, "Origin"), rest = origin;
    struct sv host = request_header(c->req, "Host");
    if (site.n || origin.n == 0) {
        return sv_is(site, "cross-site") || sv_is(site, "same-site");
    }
    const char *own = c->config->public_url;
    if (strncmp(own, origin.p, origin.n) == 0 && (own[origin.n] == '\0' || own[origin.n] == '/')) {
        return false;
    }
    sv_cut(&rest, ':');
    return !(rest.p && sv_starts(rest, "//") && sv_eq(sv_make(rest.p + 2, rest.n - 2), host));
}

/* `whole`: the body is there; without it, a token that may still come in a form is not missed. */
static enum err_code check_proof(struct ctx *c, const struct route *route, bool whole)
{
    if (route->proof == PROOF_CSRF && !c->user.by_token) {
        struct sv given = request_header(c->req, "X-CSRF-Token");
        if (given.n == 0 && !whole) {
            return OK;
        }
        if (given.n == 0) {
            given = form_get(&c->form, "csrf");
        }
        if (!c->user.csrf || !same_text(given, c->user.csrf)) {
            return err_rule(&c->err, ERR_DENIED, "csrf",
                            "The form is out of date. Go back, reload the page and send it again; "
                            "nothing was changed.");
        }
    }
    if (route->proof == PROOF_PUBLIC) {
        if (from_elsewhere(c)) {
            return err_rule(&c->err, ERR_DENIED, "cross-site",
                            "This form was sent from another site. Open the page here first.");
        }
    }
    return OK;
}

static enum err_code parse_body(struct ctx *c)
{
    struct request *req = c->req;
    if (req->method == HTTP_GET || req->method == HTTP_HEAD || req->body.n == 0) {
        return OK;
    }
    struct sv type = request_header(req, "Content-Type");
    struct sv whole = type;
    if (!sv_eq_nocase(sv_trim(sv_cut(&type, ';')), "application/json")) {
        return form_parse(c->arena, whole, req->body, &c->form, &c->err);
    }
    json_error_t why;
    c->json = json_loadb(req->body.p, req->body.n, JSON_REJECT_DUPLICATES, &why);
    if (!c->json || !json_is_object(c->json)) {
        return err_rule(&c->err, ERR_INPUT, "json",
                        "The body is not a JSON object: line %d, column %d: %s", why.line,
                        why.column, c->json ? "another kind of value" : why.text);
    }
    return OK;
}

enum err_code gate_need_json(struct ctx *c)
{
    return c->json ? OK
                   : err_rule(&c->err, ERR_INPUT, "content-type",
                              "Send a JSON object with Content-Type: application/json.");
}

static bool is_read(const struct exchange *x)
{
    return x->req->method == HTTP_GET || x->req->method == HTTP_HEAD;
}

/* What was read to its end before the memory was spent may be left out as well; what was stored
 * is reported as it is. */
static void end_budget(struct exchange *x, struct arena_budget *b)
{
    struct ctx *c = &x->ctx;
    arena_budget_end(b);
    if (b->spent && (c->err.code != OK || is_read(x))) {
        err_clear(&c->err);
        err_rule(&c->err, ERR_LIMIT, "memory",
                 "This needs more memory than one request may use. Nothing was changed. Ask for less at a "
                 "time, for example with a filter, or use the command line, which has no such limit.");
    }
}

/* Runs one step; an error in c->err is turned into the reply later. */
static void run_step(struct exchange *x, step_fn step, struct db *db)
{
    struct arena_budget budget;
    arena_budget_begin(&budget);
    x->ctx.db = db;
    enum err_code rc = step(&x->ctx);
    x->ctx.db = NULL;
    if (rc != OK && x->ctx.err.code == OK) {
        err_set(&x->ctx.err, rc, "The request could not be carried out.");
    }
    end_budget(x, &budget);
}

/* The reply is complete: makes the error page if there is an error, and lets go of what the
 * exchange held besides the arena. */
static void complete(struct exchange *x)
{
    if (x->ctx.err.code != OK || x->res.status == 0) {
        struct arena_budget budget; /* the error's page is small: it is made whatever is spent */
        arena_budget_begin(&budget);
        reply_error(&x->ctx);
        arena_budget_end(&budget);
    }
    json_decref(x->ctx.json);
    x->ctx.json = NULL;
}

static enum http_flow enqueue_slow(struct exchange *x);

/* Sends the reply from whichever thread came last; touches nothing after. The page of a refused form is
 * made by a helper: the writer has no time for it. */
static enum http_flow finish(struct exchange *x)
{
    if (x->ctx.err.code != OK && !x->refused &&
        form_refused_wanted(&x->ctx, reply_error_status(&x->ctx))) {
        x->refused = true;
        return enqueue_slow(x);
    }
    complete(x);
    if (!x->later) {
        *x->out = x->res; /* the content moves */
        response_init(&x->res);
        return HTTP_REPLY;
    }
    http_reply(x->req, &x->res);
    return HTTP_LATER;
}

static enum err_code write_run(struct db *db, void *arg, struct err *err)
{
    struct exchange *x = arg;
    response_reset(&x->res); /* this may be the second try */
    err_clear(&x->ctx.err);
    x->ctx.n_wrong = 0;
    run_step(x, x->route->write, db);
    if (x->ctx.err.code != OK && err) {
        *err = x->ctx.err;
    }
    return x->ctx.err.code;
}

static void write_done(void *arg, const struct err *err)
{
    struct exchange *x = arg;
    if (err->code != OK) {
        response_reset(&x->res);
        x->ctx.err = *err;
    }
    finish(x);
}

static bool wants_write(const struct exchange *x)
{
    return x->route->write && x->ctx.err.code == OK && x->res.status == 0;
}

static void suspend(struct exchange *x)
{
    if (!x->later) {
        x->later = true;
        http_suspend(x->req);
    }
}

/* Gives the exchange to the writer; the last thing this thread does with it, unless refused. */
static enum http_flow enqueue_write(struct exchange *x)
{
    x->op = (struct write_op){.run = write_run, .done = write_done, .arg = x};
    suspend(x);
    struct err full = {OK, "", ""};
    if (writer_submit(x->app->writer, &x->op, &full) != OK) {
        x->ctx.err = full;
        return finish(x);
    }
    return HTTP_LATER;
}

static enum http_flow enqueue_slow(struct exchange *x)
{
    struct app *app = x->app;
    pthread_mutex_lock(&app->helpers.lock);
    bool refused = app->helpers.closing || app->helpers.waiting >= APP_HELPER_QUEUE;
    if (!refused) {
        suspend(x);
        x->next = NULL;
        if (app->helpers.last) {
            app->helpers.last->next = x;
        } else {
            app->helpers.first = x;
        }
        app->helpers.last = x;
        app->helpers.waiting++;
        pthread_cond_signal(&app->helpers.more);
    }
    pthread_mutex_unlock(&app->helpers.lock);
    if (refused) {
        err_set(&x->ctx.err, ERR_BUSY, "The server is busy. Nothing was changed; try again soon.");
        return finish(x);
    }
    return HTTP_LATER;
}

/* The next exchange that waits for a helper; NULL when closing and none is left. */
static struct exchange *next_slow(struct app *app)
{
    pthread_mutex_lock(&app->helpers.lock);
    while (!app->helpers.first && !app->helpers.closing) {
        pthread_cond_wait(&app->helpers.more, &app->helpers.lock);
    }
    struct exchange *x = app->helpers.first;
    if (x) {
        app->helpers.first = x->next;
        if (!x->next) {
            app->helpers.last = NULL;
        }
        app->helpers.waiting--;
    }
    pthread_mutex_unlock(&app->helpers.lock);
    return x;
}

static enum err_code show_refused(struct ctx *c)
{
    form_refused_page(c, reply_error_status(c));
    return c->err.code;
}

void *gate_helper(void *arg)
{
    struct app *app = arg;
    for (struct exchange *x = next_slow(app); x; x = next_slow(app)) {
        struct db *db = app_reader_take(app);
        run_step(x, x->refused ? show_refused : x->route->slow, db);
        app_reader_return(app, db);
        if (!x->refused && wants_write(x)) {
            enqueue_write(x);
        } else {
            finish(x);
        }
    }
    return NULL;
}

static bool looks_up(const struct route *route)
{
    return route->proof != PROOF_CAPABILITY;
}

/* Checks that need the database, and the read step, on this thread's checked-out connection. */
static void run_here(struct exchange *x)
{
    struct ctx *c = &x->ctx;
    const struct route *route = x->route;
    bool look = looks_up(route) && !x->admitted;
    struct db *db = look || route->read ? app_reader_take(x->app) : NULL;
    struct arena_budget budget;
    arena_budget_begin(&budget);
    c->db = db;
    bool good = (!look || signed_in(c) == OK) && check_role(c, route) == OK && parse_body(c) == OK &&
                check_proof(c, route, true) == OK;
    if (good && route->read) {
        run_step(x, route->read, db);
    }
    c->db = NULL;
    end_budget(x, &budget);
    if (db) {
        app_reader_return(x->app, db);
    }
}

static void refuse_unrouted(struct exchange *x)
{
    struct ctx *c = &x->ctx;
    struct sv params[HTTP_PARAMS];
    unsigned allow = 0;
    if (x->req->path.n == 0) {
        err_rule(&c->err, ERR_INPUT, "path", "The address is malformed.");
        return;
    }
    if (router_find(x->app->router, x->req->method, x->req->path, params, &allow) != -2) {
        err_set(&c->err, ERR_NOT_FOUND, "There is no page at this address.");
        return;
    }
    char *list = arena_alloc(c->arena, 64);
    list[0] = '\0';
    for (unsigned m = 0; m < HTTP_OTHER; m++) {
        if (allow >> m & 1) {
            size_t n = strlen(list);
            snprintf(list + n, 64 - n, "%s%s", n ? ", " : "",
                     http_method_name((enum http_method)m));
        }
    }
    c->allow = list;
    err_rule(&c->err, ERR_INPUT, "method", "This address only answers %s.", list);
}

/* ---- proxies that are not trusted ---- */

#define PROXY_AGAIN_NS (UINT64_C(3600) * 1000000000)

struct proxy_note {
    struct write_op op;
    char address[HTTP_ADDRESS];
};

static enum err_code proxy_note_run(struct db *db, void *arg, struct err *err)
{
    const struct proxy_note *n = arg;
    return settings_put_proxy(db, n->address, clock_wall_ms(), err);
}

static void proxy_note_done(void *arg, const struct err *err)
{
    (void)err; /* the log has it too */
    free(arg);
}

/* Behind a proxy that is not named, all people count as its one address. At most once an hour: anybody
 * may send the header. */
static void note_proxy(struct app *app, const struct request *req)
{
    uint64_t now = (uint64_t)clock_mono_ns(), next = atomic_load(&app->next_proxy_ns);
    if (now < next ||
        !atomic_compare_exchange_strong(&app->next_proxy_ns, &next, now + PROXY_AGAIN_NS)) {
        return;
    }
    log_msg(LOG_WARN, "X-Forwarded-For came from an address that is not in server.trusted_proxies",
            LOG_TEXT("from", sv_of(req->address)));
    struct proxy_note *n = xcalloc(1, sizeof *n);
    n->op = (struct write_op){proxy_note_run, proxy_note_done, n, NULL, {OK, "", ""}};
    memcpy(n->address, req->address, sizeof n->address);
    if (writer_submit(app->writer, &n->op, NULL) != OK) {
        free(n);
    }
}

static struct exchange *exchange_of(struct app *app, struct request *req)
{
    if (req->app) { /* gate_admit made it */
        return req->app;
    }
    struct exchange *x = arena_alloc(&req->arena, sizeof *x); /* first: the arena has room */
    *x = (struct exchange){
        .app = app,
        .req = req,
        .route = req->route,
        .ctx = {
            .app = app,
            .config = app->config,
            .req = req,
            .res = &x->res,
            .arena = &req->arena,
            .user.csrf = "",
        },
    };
    response_init(&x->res);
    req->app = x;
    return x;
}

/* Who may not is told so before the body is taken: what people without an account can make the
 * server hold is what the routes for everybody allow. */
bool gate_admit(void *arg, struct request *req)
{
    struct app *app = arg;
    const struct route *route = req->route;
    if (!route) {
        return false;
    }
    if (!looks_up(route)) {
        return true;
    }
    struct exchange *x = exchange_of(app, req);
    struct arena_budget budget;
    arena_budget_begin(&budget);
    x->ctx.db = app_reader_take(app);
    bool good = signed_in(&x->ctx) == OK && check_role(&x->ctx, route) == OK &&
                check_proof(&x->ctx, route, false) == OK;
    app_reader_return(app, x->ctx.db);
    x->ctx.db = NULL;
    x->admitted = true;
    end_budget(x, &budget);
    return good && x->ctx.err.code == OK;
}

enum http_flow gate_handle(void *arg, struct request *req, struct response *res, int refused)
{
    struct app *app = arg;
    struct exchange *x = exchange_of(app, req);
    x->out = res;
    if (req->disbelieved) {
        note_proxy(app, req);
    }
    if (!x->route) {
        refuse_unrouted(x);
    } else if (refused) {
        err_rule(&x->ctx.err, ERR_LIMIT, "body-limit",
                 "The request is larger than the %zu bytes that this address accepts.",
                 x->route->body_max);
    } else if (x->ctx.err.code == OK) { /* otherwise gate_admit refused it */
        run_here(x);
        if (x->ctx.err.code == OK && x->route->slow) {
            return enqueue_slow(x);
        }
        if (wants_write(x)) {
            return enqueue_write(x);
        }
    }
    return finish(x);
}

void gate_finished(void *arg, struct request *req, int status, uint64_t bytes)
{
    struct app *app = arg;
    if (!app->config->access_log) {
        return;
    }
    const struct route *route = req->route;
    const struct exchange *x = req->app;
    log_msg(LOG_INFO, "request", LOG_NUM("req", req->id),
            LOG_TEXT("method", sv_of(http_method_name(req->method))),
            LOG_TEXT("route", sv_of(route ? route->pattern : "-")),
            LOG_NUM("account", x ? x->ctx.user.account : 0), LOG_NUM("status", status),
            LOG_NUM("ms", (clock_mono_ns() - req->started_ns) / 1000000),
            LOG_NUM("bytes", bytes));
}
