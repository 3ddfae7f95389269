/* admin.c - accounts and their roles, invites, API tokens.
 * Rows in routes.c (all need the role admin); templates/admin/index.
 *
 * A new link or token is shown once, by the page that follows: it travels there in a cookie that
 * lives for a minute, so that the writer thread renders nothing and a reload makes nothing new. */
#include <string.h>

#include "base/clock.h"
#include "json/object.h"
#include "store/operate/settings.h"
#include "store/people/invites.h"
#include "store/people/tokens.h"
#include "study/credential.h"
#include "web/core/pages_account.h"
#include "web/core/reply.h"
#include "web/core/signed_in.h"
#include "web/parts/account_form.h"

enum {
    SHOWN = 200, /* rows of each list; the command line has the rest */
    INVITE_DAYS_MOST = 365
};

static json_t *text(struct sv s)
{
    return json_stringn(s.p ? s.p : "", s.n);
}

/* The roles to choose from; `selected` is the one that a form starts with. */
static json_t *roles_json(enum role selected)
{
    json_t *list = json_array();
    for (int r = ROLE_WORKER; r <= ROLE_ADMIN; r++) {
        object_add(list, field_text("name", role_name((enum role)r)),
                   field_bool("selected", r == (int)selected));
    }
    return list;
}

static enum err_code add_accounts(struct ctx *c, json_t *page)
{
    struct account *accounts;
    size_t n;
    enum err_code rc = accounts_list(c->db, SHOWN, c->arena, &accounts, &n, &c->err);
    if (rc != OK) {
        return rc;
    }
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct account *a = &accounts[i];
        object_add(list, field_int("id", a->id),
                   field_json("login", a->login.n ? text(a->login) : json_string("(forgotten)")),
                   field_json("role", text(a->role)), field_bool("disabled", a->disabled),
                   field_bool("self", a->id == c->user.account),
                   field_json("created", account_day(a->created_at)),
                   field_json("roles", roles_json(role_parse(a->role))));
    }
    json_object_set_new(page, "accounts", list);
    return OK;
}

static const char *invite_state(const struct invite *v, int64_t now)
{
    return v->account ? "used" : v->used_at ? "revoked" : v->expires_at <= now ? "over" : "open";
}

static enum err_code add_invites(struct ctx *c, json_t *page)
{
    struct invite *invites;
    size_t n;
    enum err_code rc = invites_list(c->db, SHOWN, c->arena, &invites, &n, &c->err);
    if (rc != OK) {
        return rc;
    }
    int64_t now = clock_wall_ms();
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct invite *v = &invites[i];
        const char *state = invite_state(v, now);
        object_add(list, field_int("id", v->id), field_json("role", text(v->role)),
                   field_json("note", text(v->note)),
                   field_json("created", account_day(v->created_at)),
                   field_json("expires", account_day(v->expires_at)), field_text("state", state),
                   field_bool("open", sv_is(sv_of(state), "open")));
    }
    json_object_set_new(page, "invites", list);
    return OK;
}

static enum err_code add_tokens(struct ctx *c, json_t *page)
{
    struct api_token *tokens;
    size_t n;
    enum err_code rc = tokens_list(c->db, 0, 0, SHOWN, c->arena, &tokens, &n, &c->err);
    if (rc != OK) {
        return rc;
    }
    int64_t now = clock_wall_ms();
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct api_token *t = &tokens[i];
        bool active = !t->revoked_at && t->expires_at > now;
        const char *state = active ? "active" : t->revoked_at ? "revoked" : "over";
        object_add(list, field_int("id", t->id), field_json("login", text(t->login)),
                   field_json("name", text(t->name)), field_json("role", text(t->role)),
                   field_json("created", account_day(t->created_at)),
                   field_json("expires", account_day(t->expires_at)), field_text("state", state),
                   field_bool("active", active));
    }
    json_object_set_new(page, "tokens", list);
    return OK;
}

#define ONCE_COOKIE "holdout_once"

/* Keeps a secret for the next page; `value` is "invite." or "token." and base64url. */
static void once_set(struct ctx *c, const char *value)
{
    cookie_set(c, ONCE_COOKIE, value, 60);
}

/* The text behind `prefix` in the cookie: a token of ours and nothing else, or NULL. */
static const char *once_of(struct ctx *c, const char *prefix, const char *before_random)
{
    unsigned char raw[CRYPTO_TOKEN];
    struct sv value = request_cookie(c->req, cookie_name(c, ONCE_COOKIE));
    size_t n = strlen(prefix), m = strlen(before_random);
    if (!sv_starts(value, prefix)) {
        return NULL;
    }
    struct sv text = sv_make(value.p + n, value.n - n);
    bool ours = sv_starts(text, before_random) &&
                crypto_unbase64url(sv_make(text.p + m, text.n - m), raw, sizeof raw);
    return ours ? arena_cstr(c->arena, text) : NULL;
}

/* What stands before "/invite/..." in a link: the public address if one is configured, else the
 * one that the administrator's browser used. */
static const char *site(struct ctx *c)
{
    struct sv url = sv_of(c->config->public_url);
    if (url.n) {
        return arena_cstr(c->arena, sv_make(url.p, url.n - sv_ends(url, "/")));
    }
    struct sv host = request_header(c->req, "Host");
    return arena_printf(c->arena, "%s://" SV_FMT, c->req->secure ? "https" : "http",
                        SV_ARG(host));
}

static void add_secrets(struct ctx *c, json_t *page)
{
    const char *invite = once_of(c, "invite.", ""), *token = once_of(c, "token.", API_TOKEN_PREFIX);
    if (invite) {
        invite = arena_printf(c->arena, "%s/invite/%s", site(c), invite);
    }
    json_object_set_new(page, "invite_link", invite ? json_string(invite) : json_null());
    json_object_set_new(page, "token_text", token ? json_string(token) : json_null());
    if (invite || token) {
        once_set(c, "");
        response_header(c->res, "Cache-Control", "no-store");
    }
}

static enum err_code add_proxy(struct ctx *c, json_t *page)
{
    char address[HTTP_ADDRESS];
    enum err_code rc = settings_proxy(c->db, clock_wall_ms(), address, sizeof address, &c->err);
    const char *text = arena_printf(
        c->arena,
        "Requests from %s name the client they come from (X-Forwarded-For), but that address is not in "
        "server.trusted_proxies. If it is your proxy, name it there: until then all people count as "
        "one address, for limits and for the log.",
        address);
    json_object_set_new(page, "proxy", *address ? json_string(text) : json_null());
    return rc;
}

enum err_code page_admin(struct ctx *c)
{
    json_t *page = object(field_json("roles", roles_json(ROLE_WORKER)),
                          field_int("invite_days", c->config->invite_days),
                          field_int("token_days", c->config->token_days));
    enum err_code rc = add_accounts(c, page);
    rc = rc == OK ? add_invites(c, page) : rc;
    rc = rc == OK ? add_tokens(c, page) : rc;
    rc = rc == OK ? add_proxy(c, page) : rc;
    if (rc != OK) {
        json_decref(page);
        return rc;
    }
    add_secrets(c, page);
    return reply_page(c, 200, "admin/index", "Administration", page);
}

/* `said`: what was done; NULL where the page itself shows it. */
static enum err_code back(struct ctx *c, enum err_code rc, const char *said)
{
    return rc != OK ? rc : said ? reply_did(c, "/admin", NULL, "%s", said) : reply_redirect(c, "/admin");
}

/* Who gets rights, by a role, an invite or a token, is confirmed with the administrator's own password:
 * an open browser is not enough. */
enum err_code page_admin_check(struct ctx *c)
{
    struct account *self = arena_calloc(c->arena, 1, sizeof *self);
    c->state = self;
    enum err_code rc = account_need_session(c);
    return rc == OK ? account_prove(c, "password", self) : rc;
}

/* The id in the path, for somebody who signed in. */
static enum err_code target(struct ctx *c, int64_t *id)
{
    enum err_code rc = account_need_session(c);
    if (rc == OK && !sv_i64(c->req->params[0], id)) {
        rc = err_set(&c->err, ERR_NOT_FOUND, "There is nothing at this address.");
    }
    return rc;
}

/* The same after page_admin_check; a password that was changed since proves nothing. */
static enum err_code confirmed_target(struct ctx *c, int64_t *id)
{
    enum err_code rc = target(c, id);
    return rc == OK ? account_still(c, c->state) : rc;
}

enum err_code page_admin_role(struct ctx *c)
{
    int64_t id;
    enum err_code rc = confirmed_target(c, &id);
    if (rc == OK) {
        rc = accounts_set_role(c->db, clock_wall_ms(), c->user.account, id,
                               form_get(&c->form, "role"), c->user.session, &c->err);
    }
    return back(c, rc, "The role is changed, and their sessions are ended.");
}

enum err_code page_admin_disable(struct ctx *c)
{
    int64_t id;
    enum err_code rc = confirmed_target(c, &id);
    if (rc == OK) {
        rc = accounts_set_disabled(c->db, clock_wall_ms(), c->user.account, id, true, &c->err);
    }
    return back(c, rc, "The account is disabled and signed out.");
}

enum err_code page_admin_enable(struct ctx *c)
{
    int64_t id;
    enum err_code rc = confirmed_target(c, &id);
    if (rc == OK) {
        rc = accounts_set_disabled(c->db, clock_wall_ms(), c->user.account, id, false, &c->err);
    }
    return back(c, rc, "The account is enabled again.");
}

enum err_code page_admin_invite(struct ctx *c)
{
    unsigned char raw[CRYPTO_TOKEN], hash[CRYPTO_HASH];
    char token[CRYPTO_TOKEN_TEXT];
    int64_t id, life, now = clock_wall_ms();
    enum err_code rc = account_still(c, c->state);
    rc = rc == OK ? account_typed_days(c, c->config->invite_days, INVITE_DAYS_MOST, &life) : rc;
    if (rc == OK) {
        crypto_token(raw, token);
        crypto_keyed(app_secret(c->app, "session_key"), sv_of(token), hash);
        rc = invites_create(c->db, now, c->user.account, hash, form_get(&c->form, "role"),
                            sv_trim(form_get(&c->form, "note")), now + life, &id, &c->err);
    }
    if (rc == OK) {
        once_set(c, arena_printf(c->arena, "invite.%s", token));
    }
    return back(c, rc, NULL);
}

enum err_code page_admin_invite_revoke(struct ctx *c)
{
    int64_t id;
    enum err_code rc = target(c, &id);
    rc = rc == OK ? invites_revoke(c->db, clock_wall_ms(), c->user.account, id, &c->err) : rc;
    return back(c, rc, "The invite is revoked.");
}

/* The account of the form's field "login"; one's own when it has none. */
static enum err_code typed_account(struct ctx *c, int64_t *id)
{
    *id = c->user.account;
    if (!form_has(&c->form, "login")) {
        return OK;
    }
    struct account account;
    enum err_code rc =
        accounts_find_login(c->db, account_typed_login(c), c->arena, &account, &c->err);
    if (rc == OK) {
        *id = account.id;
    }
    return rc == ERR_NOT_FOUND ? err_rule(&c->err, ERR_INPUT, "login", "There is no such account.")
                               : rc;
}

enum err_code page_admin_token(struct ctx *c)
{
    unsigned char hash[CRYPTO_HASH];
    char token[API_TOKEN_TEXT];
    int64_t id, life, now = clock_wall_ms();
    struct token_new new = {.hash = hash,
                            .name = sv_trim(form_get(&c->form, "name")),
                            .role = form_get(&c->form, "role")};
    enum err_code rc = account_still(c, c->state);
    rc = rc == OK ? typed_account(c, &new.account) : rc;
    rc = rc == OK ? account_typed_days(c, c->config->token_days, c->config->token_days, &life) : rc;
    if (rc == OK) {
        credential_api_token(app_secret(c->app, "session_key"), token, hash);
        new.expires_at = now + life;
        rc = tokens_create(c->db, now, c->user.account, &new, &id, &c->err);
    }
    if (rc == OK) {
        once_set(c, arena_printf(c->arena, "token.%s", token));
    }
    return back(c, rc, NULL);
}

enum err_code page_admin_token_revoke(struct ctx *c)
{
    int64_t id;
    enum err_code rc = target(c, &id);
    rc = rc == OK ? tokens_revoke(c->db, clock_wall_ms(), c->user.account, 0, id, &c->err) : rc;
    return back(c, rc, "The token is revoked.");
}
