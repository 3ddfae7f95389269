/* page_admin.c - accounts and their roles, invites, API tokens.
 * Rows in routes.c (all need the role admin); templates/admin/index. A refused change comes back
 * with the page and its reason; secrets are shown once, in the reply that made them. */
#include "base/clock.h"
#include "store/invites.h"
#include "store/tokens.h"
#include "web/account_form.h"
#include "web/credential.h"
#include "web/pages_account.h"
#include "web/reply.h"

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
        json_array_append_new(list, json_pack("{s:s, s:b}", "name", role_name((enum role)r),
                                              "selected", r == (int)selected));
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
        json_array_append_new(
            list, json_pack("{s:I, s:o, s:o, s:b, s:b, s:o}", "id", (json_int_t)a->id, "login",
                            a->login.n ? text(a->login) : json_string("(forgotten)"), "role",
                            text(a->role), "disabled", (int)a->disabled, "self",
                            (int)(a->id == c->user.account), "created",
                            account_day(a->created_at)));
    }
    json_object_set_new(page, "accounts", list);
    return OK;
}

static const char *invite_state(const struct invite *v, int64_t now)
{
    return v->account ? "used" : v->used_at ? "revoked" : v->expires_at <= now ? "expired" : "open";
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
        json_array_append_new(
            list, json_pack("{s:I, s:o, s:o, s:o, s:o, s:s, s:b}", "id", (json_int_t)v->id, "role",
                            text(v->role), "note", text(v->note), "made_by", text(v->made_by),
                            "expires", account_day(v->expires_at), "state", state, "open",
                            (int)sv_is(sv_of(state), "open")));
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
        bool open = !t->revoked_at && t->expires_at > now;
        const char *state = open ? "open" : t->revoked_at ? "revoked" : "expired";
        json_array_append_new(
            list,
            json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:s, s:b}", "id", (json_int_t)t->id, "login",
                      text(t->login), "name", text(t->name), "role", text(t->role), "created",
                      account_day(t->created_at), "expires", account_day(t->expires_at), "state",
                      state, "open", (int)open));
    }
    json_object_set_new(page, "tokens", list);
    return OK;
}

/* What the page says besides its lists; every member may be NULL. */
struct notice {
    const char *message, *error;
    const char *new_invite, *new_token; /* shown this once */
};

static enum err_code admin_page(struct ctx *c, int status, const struct notice *notice)
{
    json_t *page = json_pack("{s:s?, s:s?, s:s?, s:s?, s:o}", "message", notice->message, "error",
                             notice->error, "new_invite", notice->new_invite, "new_token",
                             notice->new_token, "roles", roles_json(ROLE_WORKER));
    enum err_code rc = add_accounts(c, page);
    if (rc == OK) {
        rc = add_invites(c, page);
    }
    if (rc == OK) {
        rc = add_tokens(c, page);
    }
    if (rc != OK) {
        json_decref(page);
        return rc;
    }
    if (notice->new_invite || notice->new_token) {
        response_header(c->res, "Cache-Control", "no-store");
    }
    return reply_page(c, status, "admin/index", "Administration", page);
}

enum err_code page_admin(struct ctx *c)
{
    struct sv done = request_query(c->req, "done");
    struct notice notice = {0};
    notice.message = sv_is(done, "role")       ? "The role is changed; their sessions are ended."
                     : sv_is(done, "disable")  ? "The account is disabled; its sessions are ended."
                     : sv_is(done, "enable")   ? "The account is enabled again."
                     : sv_is(done, "revoke")   ? "It is revoked."
                                               : NULL;
    return admin_page(c, 200, &notice);
}

/* Back to the page when `rc` is OK. A rule that refused did so before anything was written, so the
 * page may come back with the reason; other failures are the error page's. */
static enum err_code answer(struct ctx *c, enum err_code rc, const char *location)
{
    if (rc == OK) {
        return reply_redirect(c, location);
    }
    if (rc != ERR_INPUT && rc != ERR_DENIED && rc != ERR_CONFLICT && rc != ERR_LIMIT) {
        return rc;
    }
    struct notice notice = {.error = arena_strdup(c->arena, c->err.msg)};
    err_clear(&c->err);
    return admin_page(c, rc == ERR_LIMIT ? 409 : reply_status(rc), &notice);
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

enum err_code page_admin_role(struct ctx *c)
{
    int64_t id;
    enum err_code rc = target(c, &id);
    if (rc == OK) {
        rc = accounts_set_role(c->db, clock_wall_ms(), c->user.account, id,
                               form_get(&c->form, "role"), c->user.session, &c->err);
    }
    return answer(c, rc, "/admin?done=role");
}

enum err_code page_admin_disable(struct ctx *c)
{
    int64_t id;
    enum err_code rc = target(c, &id);
    if (rc == OK) {
        rc = accounts_set_disabled(c->db, clock_wall_ms(), c->user.account, id, true, &c->err);
    }
    return answer(c, rc, "/admin?done=disable");
}

enum err_code page_admin_enable(struct ctx *c)
{
    int64_t id;
    enum err_code rc = target(c, &id);
    if (rc == OK) {
        rc = accounts_set_disabled(c->db, clock_wall_ms(), c->user.account, id, false, &c->err);
    }
    return answer(c, rc, "/admin?done=enable");
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

enum err_code page_admin_invite(struct ctx *c)
{
    unsigned char raw[CRYPTO_TOKEN], hash[CRYPTO_HASH];
    char token[CRYPTO_TOKEN_TEXT];
    int64_t id, life, now = clock_wall_ms();
    enum err_code rc = account_need_session(c);
    if (rc == OK) {
        rc = account_typed_days(c, c->config->invite_days, INVITE_DAYS_MOST, &life);
    }
    if (rc == OK) {
        crypto_token(raw, token);
        crypto_keyed(app_secret(c->app, "session_key"), sv_of(token), hash);
        rc = invites_create(c->db, now, c->user.account, hash, form_get(&c->form, "role"),
                            sv_trim(form_get(&c->form, "note")), now + life, &id, &c->err);
    }
    if (rc != OK) {
        return answer(c, rc, "/admin");
    }
    struct notice notice = {.new_invite =
                                arena_printf(c->arena, "%s/invite/%s", site(c), token)};
    return admin_page(c, 201, &notice);
}

enum err_code page_admin_invite_revoke(struct ctx *c)
{
    int64_t id;
    enum err_code rc = target(c, &id);
    if (rc == OK) {
        rc = invites_revoke(c->db, clock_wall_ms(), c->user.account, id, &c->err);
    }
    return answer(c, rc, "/admin?done=revoke");
}

/* The account of the form's field "login". */
static enum err_code typed_account(struct ctx *c, int64_t *id)
{
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
    enum err_code rc = account_need_session(c);
    if (rc == OK) {
        rc = typed_account(c, &new.account);
    }
    if (rc == OK) {
        rc = account_typed_days(c, c->config->token_days, c->config->token_days, &life);
    }
    if (rc == OK) {
        credential_api_token(app_secret(c->app, "session_key"), token, hash);
        new.expires_at = now + life;
        rc = tokens_create(c->db, now, c->user.account, &new, &id, &c->err);
    }
    if (rc != OK) {
        return answer(c, rc, "/admin");
    }
    struct notice notice = {.new_token = token};
    return admin_page(c, 201, &notice);
}

enum err_code page_admin_token_revoke(struct ctx *c)
{
    int64_t id;
    enum err_code rc = target(c, &id);
    if (rc == OK) {
        rc = tokens_revoke(c->db, clock_wall_ms(), c->user.account, 0, id, &c->err);
    }
    return answer(c, rc, "/admin?done=revoke");
}
