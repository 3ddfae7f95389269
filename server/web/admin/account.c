/* account.c - signing in and out, one's own account, changing one's password.
 * Rows in routes.c; templates/account/. The same-origin check is the gate's. */
#include <string.h>

#include "base/clock.h"
#include "base/outside.h"
#include "json/object.h"
#include "store/people/sessions.h"
#include "store/people/tokens.h"
#include "web/core/pages_account.h"
#include "web/core/reply.h"
#include "web/core/signed_in.h"
#include "web/parts/account_form.h"

/* Where to go after signing in: a path here, never another site. */
static const char *next_path(struct ctx *c, struct sv next)
{
    return next.n < REPLY_NEXT_MOST && outside_own_path(next) ? arena_cstr(c->arena, next) : "/";
}

/* The overview is for experts; others start at their account. */
static const char *first_page(struct ctx *c, struct sv next, enum role role)
{
    const char *path = next_path(c, next);
    return role < ROLE_EXPERT && strcmp(path, "/") == 0 ? "/account" : path;
}

/* `error` may be NULL. */
static enum err_code login_form(struct ctx *c, int status, const char *login, const char *next,
                                const char *error)
{
    return reply_page(
        c, status, "account/login", "Sign in",
        object(field_text("login", login), field_text("next", next), field_text("error", error)));
}

enum err_code page_login_form(struct ctx *c)
{
    struct sv next = request_query(c->req, "next");
    return c->user.account ? reply_redirect(c, first_page(c, next, c->user.role))
                           : login_form(c, 200, "", next_path(c, next), NULL);
}

enum err_code page_login_check(struct ctx *c)
{
    enum err_code rc = account_may_try(c);
    if (rc != OK) {
        return rc;
    }
    struct account *found = arena_calloc(c->arena, 1, sizeof *found);
    struct sv login = account_typed_login(c);
    const char *who;
    rc = account_may_be(c, login, &who);
    if (rc != OK) {
        return rc;
    }
    rc = accounts_find_login(c->db, login, c->arena, found, &c->err);
    if (rc != OK && rc != ERR_NOT_FOUND) {
        return rc;
    }
    /* Unknown and disabled accounts cost the same time as known ones. */
    bool right = crypto_password_verify(form_get(&c->form, "password"),
                                        rc == OK ? found->password_hash.p : NULL);
    right = right && !found->disabled;
    account_tried(c, who, right, rc == OK ? found->id : 0);
    if (!right) {
        return login_form(c, 401, login.p, next_path(c, form_get(&c->form, "next")),
                          "The login name or the password is wrong.");
    }
    c->state = found;
    return OK;
}

enum err_code page_login(struct ctx *c)
{
    const struct account *account = c->state;
    enum err_code rc = account_still(c, account);
    rc = rc == OK ? account_sign_in(c, account->id) : rc;
    if (rc == OK) {
        account_know_browser(c, account_typed_login(c));
    }
    return rc == OK ? reply_redirect(c, first_page(c, form_get(&c->form, "next"),
                                                   role_parse(account->role)))
                    : rc;
}

enum err_code page_logout(struct ctx *c)
{
    enum err_code rc = account_need_session(c);
    rc = rc == OK ? sessions_end(c->db, clock_wall_ms(), c->user.session, &c->err) : rc;
    if (rc != OK) {
        return rc;
    }
    cookie_set_session(c, "", 0);
    return reply_redirect(c, "/login");
}

enum { TOKENS_SHOWN = 100 };

static enum err_code add_tokens(struct ctx *c, json_t *page)
{
    struct api_token *tokens;
    size_t n;
    enum err_code rc = tokens_list(c->db, c->user.account, 0, TOKENS_SHOWN, c->arena, &tokens, &n,
                                   &c->err);
    if (rc != OK) {
        return rc;
    }
    int64_t now = clock_wall_ms();
    json_t *list = json_array();
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        const struct api_token *t = &tokens[i];
        any = any || (!t->revoked_at && t->expires_at > now);
        object_add(list, field_int("id", t->id), field_sv("name", t->name),
                   field_sv("role", t->role), field_json("created", account_day(t->created_at)),
                   field_json("expires", account_day(t->expires_at)),
                   field_bool("revoked", t->revoked_at || t->expires_at <= now));
    }
    json_object_set_new(page, "tokens", list);
    json_object_set_new(page, "any_active", json_boolean(any));
    return OK;
}

enum err_code page_account(struct ctx *c)
{
    int64_t sessions;
    enum err_code rc =
        sessions_count(c->db, c->user.account, clock_wall_ms(), &sessions, &c->err);
    if (rc != OK) {
        return rc;
    }
    json_t *page =
        object(field_int("min_length", CRYPTO_PASSWORD_LEAST), field_int("sessions", sessions));
    rc = add_tokens(c, page);
    if (rc != OK) {
        json_decref(page);
        return rc;
    }
    return reply_page(c, 200, "account/account", "Your account", page);
}

/* From the slow step to the write step of changing the password. */
struct password_change {
    struct account self;
    char hash[CRYPTO_PASSWORD_TEXT];
};

enum err_code page_password_check(struct ctx *c)
{
    struct password_change *change = arena_calloc(c->arena, 1, sizeof *change);
    c->state = change;
    enum err_code rc = account_need_session(c);
    if (rc != OK) {
        return rc;
    }
    rc = account_prove(c, "old_password", &change->self);
    if (rc == OK) {
        rc = crypto_password_hash(form_get(&c->form, "new_password"), change->hash, &c->err);
    }
    return rc;
}

enum err_code page_password(struct ctx *c)
{
    const struct password_change *change = c->state;
    enum err_code rc = account_still(c, &change->self);
    if (rc == OK) {
        rc = accounts_set_password(c->db, clock_wall_ms(), c->user.account, c->user.account,
                                   change->hash, c->user.session, &c->err);
    }
    bool revoke = form_has(&c->form, "revoke_tokens");
    int64_t n;
    if (rc == OK && revoke) {
        rc = tokens_revoke_all(c->db, clock_wall_ms(), c->user.account, c->user.account, &n,
                               &c->err);
    }
    return rc == OK ? reply_did(c, "/account", NULL, "Your password is changed%s; you are signed "
                                "out everywhere else.",
                                revoke ? " and your API tokens are revoked" : "")
                    : rc;
}

enum err_code page_sessions_end(struct ctx *c)
{
    enum err_code rc = account_need_session(c);
    if (rc == OK) {
        rc = sessions_end_others(c->db, clock_wall_ms(), c->user.account, c->user.account,
                                 c->user.session, &c->err);
    }
    return rc == OK ? reply_did(c, "/account", NULL, "You are signed out everywhere else.") : rc;
}

enum err_code page_token_revoke(struct ctx *c)
{
    int64_t id;
    if (!sv_i64(c->req->params[0], &id)) {
        return err_set(&c->err, ERR_NOT_FOUND, "There is no such token.");
    }
    enum err_code rc = tokens_revoke(c->db, clock_wall_ms(), c->user.account, c->user.account, id,
                                     &c->err);
    return rc == OK ? reply_did(c, "/account", NULL, "The token is revoked.") : rc;
}
