/* gate.c - every request passes here: route, sign-in, role, proof, body, then the route's steps on
 * the threads that its row names. Called by http/ on HTTP threads; replies may be made on the
 * writer or a helper thread. Knows nothing of what pages show. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/xalloc.h"
#include "store/sessions.h"
#include "store/tokens.h"
#include "web/app_internal.h"
#include "web/reply.h"

enum { CSRF_TEXT = 23 };

size_t gate_begin(void *arg, struct request *req)
{
    struct app *app = arg;
    unsigned allow;
    int i = router_find(app->router, req->method, req->path, req->params, &allow);
    req->route = i >= 0 ? &routes[i] : NULL;
    return i >= 0 ? routes[i].body_max : 0;
}

/* The CSRF token of a session: nothing is stored, whoever knows the session's token and the
 * project's key can compute it. */
static const char *csrf_of(struct app *app, struct arena *a, struct sv session_token)
{
    unsigned char hash[CRYPTO_HASH];
    char *text = arena_alloc(a, CSRF_TEXT);
    crypto_keyed(app->session_key, sv_of(arena_printf(a, "csrf:" SV_FMT, SV_ARG(session_token))),
                 hash);
    crypto_base64url(hash, CRYPTO_TOKEN, text);
    return text;
}

struct touch {
    struct write_op op;
    unsigned char hash[CRYPTO_HASH];
    int64_t until;
};

static enum err_code touch_run(struct db *db, void *arg, struct err *err)
{
    struct touch *t = arg;
    return sessions_touch(db, t->hash, t->until, err);
}

static void touch_done(void *arg, const struct err *err)
{
    (void)err; /* a session that is not prolonged ends an hour earlier */
    free(arg);
}

static void touch_session(struct app *app, const unsigned char *hash, int64_t until)
{
    struct touch *t = xcalloc(1, sizeof *t);
    *t = (struct touch){.op = {touch_run, touch_done, t, NULL, {OK, "", ""}}, .until = until};
    memcpy(t->hash, hash, CRYPTO_HASH);
    if (writer_submit(app->writer, &t->op, NULL) != OK) {
        free(t);
    }
}

static enum err_code by_session(struct ctx *c, struct sv token)
{
    struct app *app = c->app;
    unsigned char *hash = arena_alloc(c->arena, CRYPTO_HASH);
    crypto_keyed(app->session_key, token, hash);
    struct session s;
    int64_t now = clock_wall_ms();
    enum err_code rc = sessions_find(c->db, hash, now, c->arena, &s, &c->err);
    if (rc == ERR_NOT_FOUND) {
        return OK; /* a session that is over: nobody is signed in */
    }
    if (rc != OK) {
        return rc;
    }
    c->user = (struct user){
        .account = s.account,
        .person = s.person,
        .role = role_parse(s.role),
        .login = s.login,
        .session = hash,
        .csrf = csrf_of(app, c->arena, token),
    };
    int64_t life = app->config->session_hours * 3600 * 1000;
    if (sessions_due(s.expires_at, now, life)) {
        touch_session(app, hash, now + life);
    }
    return OK;
}

static enum err_code by_token(struct ctx *c, struct sv token)
{
    unsigned char hash[CRYPTO_HASH];
    crypto_keyed(c->app->session_key, token, hash);
    struct api_token t;
    enum err_code rc = tokens_find(c->db, hash, clock_wall_ms(), c->arena, &t, &c->err);
    if (rc == ERR_NOT_FOUND) {
        return err_rule(&c->err, ERR_AUTH, "token",
                        "This API token is unknown, expired or revoked. Make a new one on the "
                        "admin page or with `holdout token create`.");
    }
    if (rc != OK) {
        return rc;
    }
    c->user = (struct user){
        .account = t.account,
        .person = t.person,
        .role = role_parse(t.role),
        .login = t.login,
        .by_token = true,
        .csrf = "",
    };
    return OK;
}

/* Finds out who asks. Nobody is fine here; a wrong API token is not. */
static enum err_code identify(struct ctx *c)
{
    struct sv header = request_header(c->req, "Authorization");
    struct sv scheme = sv_cut(&header, ' ');
    if (sv_eq_nocase(scheme, "Bearer") || sv_eq_nocase(scheme, "Token")) {
        return by_token(c, sv_trim(header));
    }
    struct sv cookie = request_cookie(c->req, "holdout_session");
    return cookie.n == CRYPTO_TOKEN_TEXT - 1 ? by_session(c, cookie) : OK;
}

static enum err_code check_role(struct ctx *c, const struct route *route)
{
    if (c->user.role >= route->role) {
        return OK;
    }
    if (c->user.account == 0) {
        return err_set(&c->err, ERR_AUTH, "Please sign in first.");
    }
    return err_rule(&c->err, ERR_DENIED, "role",
                    "This needs the role %s; you are signed in as %s.", role_name(route->role),
                    role_name(c->user.role));
}

static bool same_text(struct sv a, const char *b)
{
    return a.n == strlen(b) && a.n > 0 && crypto_equal(a.p, b, a.n);
}

/* Whether a browser says that another site's page sent this. Browsers that do not send
 * Sec-Fetch-Site send Origin with a POST; programs send neither. */
static bool from_elsewhere(const struct ctx *c)
{
    struct sv site = request_header(c->req, "Sec-Fetch-Site");
    struct sv origin = request_header(c->req, "Origin"), rest = origin;
    struct sv host = request_header(c->req, "Host");
    if (site.n || origin.n == 0) {
        return sv_is(site, "cross-site");
    }
    const char *own = c->config->public_url;
    if (strncmp(own, origin.p, origin.n) == 0 && (own[origin.n] == '\0' || own[origin.n] == '/')) {
        return false;
    }
    sv_cut(&rest, ':');
    return !(rest.p && sv_starts(rest, "//") && sv_eq(sv_make(rest.p + 2, rest.n - 2), host));
}

static enum err_code check_proof(struct ctx *c, const struct route *route)
{
    if (route->proof == PROOF_CSRF && !c->user.by_token) {
        struct sv given = request_header(c->req, "X-CSRF-Token");
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

/* Runs one step; an error in c->err is turned into the reply later. */
static void run_step(struct exchange *x, step_fn step, struct db *db)
{
    x->ctx.db = db;
    enum err_code rc = step(&x->ctx);
    x->ctx.db = NULL;
    if (rc != OK && x->ctx.err.code == OK) {
        err_set(&x->ctx.err, rc, "The request could not be done.");
    }
}

/* The reply is complete: makes the error page if there is an error, and lets go of what the
 * exchange held besides the arena. */
static void complete(struct exchange *x)
{
    if (x->ctx.err.code != OK || x->res.status == 0) {
        reply_error(&x->ctx);
    }
    json_decref(x->ctx.json);
    x->ctx.json = NULL;
}

/* Sends the reply from whichever thread came last; touches nothing after. */
static enum http_flow finish(struct exchange *x)
{
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

void *gate_helper(void *arg)
{
    struct app *app = arg;
    for (struct exchange *x = next_slow(app); x; x = next_slow(app)) {
        struct db *db = app_reader_take(app);
        run_step(x, x->route->slow, db);
        app_reader_return(app, db);
        if (wants_write(x)) {
            enqueue_write(x);
        } else {
            finish(x);
        }
    }
    return NULL;
}

/* Checks that need the database, and the read step, on this thread's checked-out connection. */
static void run_here(struct exchange *x)
{
    struct ctx *c = &x->ctx;
    const struct route *route = x->route;
    bool looks_up = route->proof != PROOF_CAPABILITY;
    struct db *db = looks_up || route->read ? app_reader_take(x->app) : NULL;
    c->db = db;
    bool good = (!looks_up || identify(c) == OK) && check_role(c, route) == OK &&
                parse_body(c) == OK && check_proof(c, route) == OK;
    if (good && route->read) {
        run_step(x, route->read, db);
    }
    c->db = NULL;
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
    err_rule(&c->err, ERR_INPUT, "method", "This address answers %s only.", list);
}

enum http_flow gate_handle(void *arg, struct request *req, struct response *res, int refused)
{
    struct app *app = arg;
    struct exchange *x = arena_alloc(&req->arena, sizeof *x);
    *x = (struct exchange){
        .app = app,
        .req = req,
        .route = req->route,
        .out = res,
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
    if (!x->route) {
        refuse_unrouted(x);
    } else if (refused) {
        err_rule(&x->ctx.err, ERR_LIMIT, "body-limit",
                 "The request is larger than the %zu bytes that this address accepts.",
                 x->route->body_max);
    } else {
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

void gate_set_session(struct ctx *c, const char *token_text, int64_t max_age_s)
{
    bool secure = c->req->secure || c->app->secure_cookies;
    response_header(c->res, "Set-Cookie",
                    arena_printf(c->arena,
                                 "holdout_session=%s; Path=/; HttpOnly; SameSite=Lax; "
                                 "Max-Age=%lld%s",
                                 token_text, (long long)(*token_text ? max_age_s : 0),
                                 secure ? "; Secure" : ""));
}
