/* page_invite.c - the page behind an invite link: choose a login name and a password, be signed in.
 * Rows in routes.c; templates/account/invite. The link is the capability: no session is needed. */
#include "base/clock.h"
#include "store/invites.h"
#include "web/account_form.h"
#include "web/pages_account.h"
#include "web/reply.h"

static void link_hash(const struct ctx *c, unsigned char hash[CRYPTO_HASH])
{
    crypto_keyed(app_secret(c->app, "session_key"), c->req->params[0], hash);
}

static enum err_code find(struct ctx *c, struct invite *invite)
{
    unsigned char hash[CRYPTO_HASH];
    link_hash(c, hash);
    return invites_find(c->db, hash, clock_wall_ms(), c->arena, invite, &c->err);
}

/* `error` may be NULL. */
static enum err_code form(struct ctx *c, int status, const struct invite *invite,
                          const char *login, const char *error)
{
    return reply_page(c, status, "account/invite", "Your invitation",
                      json_pack("{s:s, s:s, s:s?, s:i, s:s}", "role",
                                invite->role.p, "login", login, "error", error, "min_length",
                                CRYPTO_PASSWORD_LEAST, "action",
                                arena_printf(c->arena, "/invite/" SV_FMT,
                                             SV_ARG(c->req->params[0]))));
}

enum err_code page_invite_form(struct ctx *c)
{
    struct invite invite;
    enum err_code rc = find(c, &invite);
    return rc == OK ? form(c, 200, &invite, "", NULL) : rc;
}

/* From the slow step to the write step. */
struct joining {
    struct invite invite;
    struct sv login;
    char hash[CRYPTO_PASSWORD_TEXT];
};

/* Mistakes in the form come back with the form. */
static enum err_code form_again(struct ctx *c, const struct joining *joining)
{
    const char *message = arena_strdup(c->arena, c->err.msg);
    int status = reply_status(c->err.code);
    err_clear(&c->err);
    return form(c, status, &joining->invite, joining->login.p, message);
}

enum err_code page_invite_check(struct ctx *c)
{
    struct joining *joining = arena_calloc(c->arena, 1, sizeof *joining);
    c->state = joining;
    /* First: a link that is over must not cost the server a password hash. */
    enum err_code rc = find(c, &joining->invite);
    if (rc != OK) {
        return rc;
    }
    joining->login = account_typed_login(c);
    rc = crypto_password_hash(form_get(&c->form, "new_password"), joining->hash, &c->err);
    return rc == ERR_INPUT ? form_again(c, joining) : rc;
}

enum err_code page_invite(struct ctx *c)
{
    const struct joining *joining = c->state;
    unsigned char hash[CRYPTO_HASH];
    int64_t account = 0;
    link_hash(c, hash);
    enum err_code rc = invites_use(c->db, clock_wall_ms(), hash, joining->login, joining->hash,
                                   &account, &c->err);
    if (rc == ERR_INPUT || rc == ERR_CONFLICT) {
        return form_again(c, joining); /* the login name; nothing was written before that check */
    }
    if (rc == OK) {
        rc = account_sign_in(c, account);
    }
    /* The overview is for experts; others start at their account. */
    bool expert = role_parse(joining->invite.role) >= ROLE_EXPERT;
    return rc == OK ? reply_redirect(c, expert ? "/" : "/account") : rc;
}
