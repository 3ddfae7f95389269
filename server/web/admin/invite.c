/* invite.c - the page behind an invite link: choose a login name and a password, be signed in.
 * Rows in routes.c; templates/account/invite. The link is the capability: no session is needed. */
#include "base/clock.h"
#include "json/object.h"
#include "store/people/invites.h"
#include "web/core/form_refused.h"
#include "web/core/pages_account.h"
#include "web/core/reply.h"
#include "web/parts/account_form.h"

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

enum err_code page_invite_form(struct ctx *c)
{
    struct invite invite;
    if (find(c, &invite) != OK) {
        return c->err.code;
    }
    return reply_page(
        c, 200, "account/invite", "Your invitation",
        object(field_text("role", invite.role.p), field_int("min_length", CRYPTO_PASSWORD_LEAST),
               field_text("action",
                          arena_printf(c->arena, "/invite/" SV_FMT, SV_ARG(c->req->params[0])))));
}

/* From the slow step to the write step. */
struct joining {
    struct invite invite;
    struct sv login;
    char hash[CRYPTO_PASSWORD_TEXT];
};

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
    if (!joining->login.n) {
        return form_wrong(c, "login", "Choose a login name.");
    }
    return crypto_password_hash(form_get(&c->form, "new_password"), joining->hash, &c->err);
}

enum err_code page_invite(struct ctx *c)
{
    const struct joining *joining = c->state;
    unsigned char hash[CRYPTO_HASH];
    int64_t account = 0;
    link_hash(c, hash);
    enum err_code rc = invites_use(c->db, clock_wall_ms(), hash, joining->login, joining->hash,
                                   &account, &c->err);
    rc = rc == OK ? account_sign_in(c, account) : rc;
    /* The overview is for experts; others start at their account. */
    bool expert = role_parse(joining->invite.role) >= ROLE_EXPERT;
    return rc == OK ? reply_did(c, expert ? "/" : "/account", NULL, "Your account is ready.") : rc;
}
