/* signed_in.c - who asks: the session behind a cookie or the account behind an API token, and how
 * cookies are named and set. Knows nothing of routes and roles. */
#include "web/core/signed_in.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "store/labels/evaluations.h"
#include "store/labels/label_reviews.h"
#include "store/people/sessions.h"
#include "store/people/tokens.h"
#include "web/core/app_internal.h"

enum { CSRF_TEXT = 23 };
#define SESSION_COOKIE "holdout_session"

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

static bool secure_cookies(const struct ctx *c)
{
    return c->req->secure || c->app->secure_cookies;
}

const char *cookie_name(const struct ctx *c, const char *name)
{
    return secure_cookies(c) ? arena_printf(c->arena, "__Host-%s", name) : name;
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
    int64_t most = app->config->session_most_hours * 3600 * 1000;
    enum err_code rc = sessions_find(c->db, hash, now, now - most, c->arena, &s, &c->err);
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
    int64_t until = now + life < s.created_at + most ? now + life : s.created_at + most;
    if (sessions_due(s.expires_at, now, life) && until > s.expires_at) {
        touch_session(app, hash, until);
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

/* Whoever reviews labels or is evaluated must not know what models and others say of the images. Leads see everything
 * anyway. */
static enum err_code at_desk(struct ctx *c, enum err_code rc)
{
    bool *out = &c->user.at_desk;
    if (rc != OK || c->user.role != ROLE_EXPERT) {
        return rc;
    }
    rc = label_reviews_at_desk(c->db, c->user.account, out, &c->err);
    return rc == OK && !*out ? evaluations_at_desk(c->db, c->user.account, out, &c->err) : rc;
}

enum err_code signed_in(struct ctx *c)
{
    struct sv header = request_header(c->req, "Authorization");
    struct sv scheme = sv_cut(&header, ' ');
    if (sv_eq_nocase(scheme, "Bearer") || sv_eq_nocase(scheme, "Token")) {
        return at_desk(c, by_token(c, sv_trim(header)));
    }
    struct sv cookie = request_cookie(c->req, cookie_name(c, SESSION_COOKIE));
    return cookie.n == CRYPTO_TOKEN_TEXT - 1 ? at_desk(c, by_session(c, cookie)) : OK;
}

static void set(struct ctx *c, const char *name, const char *value, const char *path,
                const char *same_site, int64_t max_age_s)
{
    response_header(c->res, "Set-Cookie",
                    arena_printf(c->arena, "%s=%s; Path=%s; HttpOnly; SameSite=%s; Max-Age=%lld%s",
                                 name, value, path, same_site,
                                 (long long)(*value ? max_age_s : 0),
                                 secure_cookies(c) ? "; Secure" : ""));
}

void cookie_set(struct ctx *c, const char *name, const char *value, int64_t max_age_s)
{
    set(c, cookie_name(c, name), value, "/",
        strcmp(name, SESSION_COOKIE) == 0 ? "Lax" : "Strict", max_age_s);
}

void cookie_set_below(struct ctx *c, const char *path, const char *name, const char *value,
                      int64_t max_age_s)
{
    set(c, name, value, path, "Lax", max_age_s);
}

void cookie_set_session(struct ctx *c, const char *token_text, int64_t max_age_s)
{
    cookie_set(c, SESSION_COOKIE, token_text, max_age_s);
    /* One of before the site had TLS is not believed any more: another host could have set it. */
    if (secure_cookies(c) && request_cookie(c->req, SESSION_COOKIE).n) {
        response_header(c->res, "Set-Cookie",
                        SESSION_COOKIE "=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure");
    }
}
