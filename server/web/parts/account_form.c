/* account_form.c - shared steps of the pages about accounts. Knows nothing of templates. */
#include "web/parts/account_form.h"

#include "base/clock.h"
#include "base/log.h"
#include "store/people/sessions.h"
#include "web/core/reply.h"
#include "web/core/signed_in.h"

enum err_code account_need_session(struct ctx *c)
{
    return c->user.by_token ? err_rule(&c->err, ERR_DENIED, "needs-session",
                                       "An API token cannot do this. Sign in instead.")
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

/* ---- browsers that signed in before ---- */

#define BROWSER_COOKIE "holdout_browser"
enum { BROWSER_DAYS = 400, PROOF_AT = CRYPTO_TOKEN_TEXT }; /* behind the name and a dot */

/* The text behind the dot: who knows it got it from here, when signing in with that login name. */
static const char *browser_proof(struct ctx *c, struct sv name, struct sv login)
{
    unsigned char hash[CRYPTO_HASH];
    char *text = arena_alloc(c->arena, CRYPTO_TOKEN_TEXT);
    crypto_keyed(app_secret(c->app, "session_key"),
                 sv_of(arena_printf(c->arena, "browser:" SV_FMT ":" SV_FMT, SV_ARG(name),
                                    SV_ARG(login))),
                 hash);
    crypto_base64url(hash, CRYPTO_TOKEN, text);
    return text;
}

/* What the cookie calls the browser, if it signed in with that login name; else empty. */
static struct sv known_browser(struct ctx *c, struct sv login)
{
    struct sv cookie = request_cookie(c->req, cookie_name(c, BROWSER_COOKIE));
    struct sv name = sv_make(cookie.p, CRYPTO_TOKEN_TEXT - 1);
    bool known = cookie.n == PROOF_AT + CRYPTO_TOKEN_TEXT - 1 &&
                 crypto_equal(cookie.p + PROOF_AT, browser_proof(c, name, login),
                              CRYPTO_TOKEN_TEXT - 1);
    return known ? name : SV("");
}

void account_know_browser(struct ctx *c, struct sv login)
{
    unsigned char raw[CRYPTO_TOKEN];
    char name[CRYPTO_TOKEN_TEXT];
    if (known_browser(c, login).n) {
        return;
    }
    crypto_token(raw, name);
    cookie_set(c, BROWSER_COOKIE,
                    arena_printf(c->arena, "%s.%s", name,
                                 browser_proof(c, sv_of(name), login)),
                    INT64_C(86400) * BROWSER_DAYS);
}

enum err_code account_may_be(struct ctx *c, struct sv login, const char **who)
{
    struct sv browser = known_browser(c, login);
    *who = browser.n ? arena_printf(c->arena, "browser " SV_FMT, SV_ARG(browser))
                     : arena_printf(c->arena, "login " SV_FMT, SV_ARG(login));
    return app_rate(c->app, RATE_ACCOUNT, *who, &c->retry_after_s)
               ? OK
               : err_rule(&c->err, ERR_RATE, "account-logins",
                          "Too many wrong passwords were typed for this login name. Try again in "
                          "%lld seconds, or from a browser that you signed in with before.",
                          (long long)c->retry_after_s);
}

struct refusal {
    int64_t account;
    const char *address;
};

static enum err_code note_refusal(struct db *db, void *arg, struct err *err)
{
    const struct refusal *r = arg;
    return accounts_note_refusal(db, clock_wall_ms(), r->account, r->address, err);
}

void account_tried(struct ctx *c, const char *who, bool right, int64_t account)
{
    struct refusal r = {account, c->req->address};
    struct err err = {0};
    if (right) {
        app_rate_return(c->app, RATE_ACCOUNT, who);
    } else if (writer_call(app_writer(c->app), note_refusal, &r, &err) != OK) {
        /* Unknown names are written down too: else the reply would come sooner for them. */
        log_msg(LOG_ERROR, "a wrong password was not recorded", LOG_NUM("account", account),
                LOG_TEXT("why", sv_of(err.msg)));
    }
}

/* ---- one's own password ---- */

static struct sv typed(const struct ctx *c, const char *field)
{
    const char *member = json_string_value(json_object_get(c->json, field));
    return c->json ? sv_of(member ? member : "") : form_get(&c->form, field);
}

enum err_code account_prove(struct ctx *c, const char *field, struct account *self)
{
    struct sv password = typed(c, field);
    const char *who = arena_printf(c->arena, "session of %lld", (long long)c->user.account);
    if (password.n == 0) {
        return err_rule(&c->err, ERR_DENIED, "password-missing",
                        "Nothing was changed. Type your own password to confirm this.");
    }
    enum err_code rc = account_may_try(c);
    rc = rc == OK ? accounts_get(c->db, c->user.account, c->arena, self, &c->err) : rc;
    if (rc == OK && !app_rate(c->app, RATE_ACCOUNT, who, &c->retry_after_s)) {
        rc = err_rule(&c->err, ERR_RATE, "account-logins",
                      "Too many wrong passwords were typed; nothing was changed. Try again in %lld "
                      "seconds.", (long long)c->retry_after_s);
    }
    if (rc != OK) {
        return rc;
    }
    bool right = crypto_password_verify(password, self->password_hash.p);
    account_tried(c, who, right, self->id);
    return right ? OK
                 : err_rule(&c->err, ERR_DENIED, "password-wrong",
                            "Your password is wrong; nothing was changed.");
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
    int64_t most_s = c->config->session_most_hours * 3600;
    int64_t life_s = c->config->session_hours * 3600;
    life_s = life_s < most_s ? life_s : most_s;
    enum err_code rc = OK;
    if (c->user.session) {
        rc = sessions_end(c->db, now, c->user.session, &c->err);
    }
    crypto_token(raw, text);
    crypto_keyed(app_secret(c->app, "session_key"), sv_of(text), hash);
    rc = rc == OK ? sessions_create(c->db, now, hash, account, now + life_s * 1000, &c->err) : rc;
    if (rc == OK) {
        cookie_set_session(c, arena_strdup(c->arena, text), most_s); /* the server ends it */
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
