/* account_form.c - shared steps of the pages about accounts. Knows nothing of templates. */
#include "web/account_form.h"

#include "base/clock.h"
#include "store/sessions.h"
#include "web/reply.h"

enum err_code account_need_session(struct ctx *c)
{
    return c->user.by_token ? err_rule(&c->err, ERR_DENIED, "needs-session",
                                       "An API token cannot do this; sign in.")
                            : OK;
}

struct sv account_typed_login(struct ctx *c)
{
    struct sv typed = sv_trim(form_get(&c->form, "login"));
    char *login = arena_cstr(c->arena, typed);
    for (size_t i = 0; i < typed.n; i++) {
        if (login[i] >= 'A' && login[i] <= 'Z') {
            login[i] = (char)(login[i] - 'A' + 'a');
        }
    }
    return sv_make(login, typed.n);
}

enum err_code account_may_try(struct ctx *c)
{
    return app_rate(c->app, RATE_LOGIN, c->req->address, &c->retry_after_s)
               ? OK
               : err_rule(&c->err, ERR_RATE, "logins",
                          "Too many passwords were tried from this address; try again later.");
}

enum err_code account_prove(struct ctx *c, const char *field, struct account *self)
{
    struct sv password = form_get(&c->form, field);
    if (password.n == 0) {
        return err_rule(&c->err, ERR_DENIED, "password-missing",
                        "Type your own password to confirm this; nothing was changed.");
    }
    enum err_code rc = account_may_try(c);
    if (rc == OK) {
        rc = accounts_get(c->db, c->user.account, c->arena, self, &c->err);
    }
    if (rc == OK && !crypto_password_verify(password, self->password_hash.p)) {
        rc = err_rule(&c->err, ERR_DENIED, "password-wrong",
                      "Your password is wrong; nothing was changed.");
    }
    return rc;
}

enum err_code account_still(struct ctx *c, const struct account *seen)
{
    struct account now;
    enum err_code rc = accounts_get(c->db, seen->id, c->arena, &now, &c->err);
    if (rc == OK && (now.disabled || !sv_eq(now.password_hash, seen->password_hash))) {
        rc = err_rule(&c->err, ERR_CONFLICT, "account-changed",
                      "The account changed meanwhile; sign in again.");
    }
    return rc;
}

enum err_code account_sign_in(struct ctx *c, int64_t account)
{
    unsigned char raw[CRYPTO_TOKEN], hash[CRYPTO_HASH];
    char text[CRYPTO_TOKEN_TEXT];
    int64_t now = clock_wall_ms();
    int64_t life_s = c->config->session_hours * 3600;
    enum err_code rc = OK;
    if (c->user.session) {
        rc = sessions_end(c->db, now, c->user.session, &c->err);
    }
    crypto_token(raw, text);
    crypto_keyed(app_secret(c->app, "session_key"), sv_of(text), hash);
    if (rc == OK) {
        rc = sessions_create(c->db, now, hash, account, now + life_s * 1000, &c->err);
    }
    if (rc == OK) {
        gate_set_session(c, arena_strdup(c->arena, text), life_s);
    }
    return rc;
}

json_t *account_day(int64_t wall_ms)
{
    char iso[CLOCK_ISO_SIZE];
    return json_stringn(clock_iso(wall_ms, iso), 10);
}

enum err_code account_typed_days(struct ctx *c, int64_t otherwise, int64_t most, int64_t *out_ms)
{
    int64_t days = otherwise;
    struct sv typed = form_get(&c->form, "days");
    if (typed.n && (!sv_i64(typed, &days) || days < 1 || days > most)) {
        return err_rule(&c->err, ERR_INPUT, "days", "Choose 1 to %lld days.", (long long)most);
    }
    *out_ms = days * 24 * 3600 * 1000;
    return OK;
}
