/* api_tokens.c - /api/v1/tokens: one's own API tokens. Rows in routes.c.
 * A token may list and revoke tokens but not make them: a stolen one must not outlive its
 * expiry. */
#include "base/clock.h"
#include "store/people/tokens.h"
#include "study/credential.h"
#include "web/core/lists.h"
#include "web/core/pages_account.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/parts/account_form.h"

enum { LIST_DEFAULT = 100, LIST_MOST = 1000 };
#define DAY_MS (INT64_C(24) * 3600 * 1000)

#define OF(member) RECORD_OF(struct api_token, member)
RECORD(token_record, struct api_token, "token", "An API token, without its text.",
       {"id", OF(id), .about = "The number by which it is revoked."},
       {"name", OF(name), .about = "What it was called when it was made."},
       {"role", OF(role), .about = "What it may do."},
       {"created_at", OF(created_at), RECORD_MOMENT, .about = "When it was made."},
       {"expires_at", OF(expires_at), RECORD_MOMENT, .about = "Until when it is valid."},
       {"revoked_at", OF(revoked_at), RECORD_MOMENT, .maybe = true, .about = "When it was revoked; null: it was not."});
#undef OF

/* GET /api/v1/tokens?after=&limit= */
enum err_code api_tokens(struct ctx *c)
{
    struct cursor at;
    struct api_token *tokens;
    size_t n;
    if (cursor_read(c, "after", LIST_DEFAULT, LIST_MOST, &at) != OK ||
        tokens_list(c->db, c->user.account, at.from, at.limit, c->arena, &tokens, &n, &c->err) != OK) {
        return c->err.code;
    }
    json_t *items = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(items, record_json(&token_record, &tokens[i]));
    }
    return reply_items(c, items, n == at.limit ? tokens[n - 1].id : 0);
}

/* The members of the body; role and days may be left out. */
static enum err_code read_body(struct ctx *c, struct token_new *out, int64_t now)
{
    const char *name = NULL, *role = role_name(c->user.role);
    json_int_t days = c->config->token_days;
    json_error_t why;
    if (json_unpack_ex(c->json, &why, 0, "{s:s, s?s, s?I}", "name", &name, "role", &role, "days",
                       &days) != 0) {
        return err_rule(&c->err, ERR_INPUT, "body",
                        "The body is {\"password\": text, \"name\": text, \"role\": text, \"days\": number}: %s",
                        why.text);
    }
    if (days < 1 || days > c->config->token_days) {
        return err_rule(&c->err, ERR_INPUT, "token-expiry",
                        "A token is valid for 1 to %lld days.", (long long)c->config->token_days);
    }
    *out = (struct token_new){.account = c->user.account,
                              .name = sv_of(name),
                              .role = sv_of(role),
                              .expires_at = now + days * DAY_MS};
    return OK;
}

/* Slow: the password. A session that somebody left open must not become a token that outlives it. */
enum err_code api_token_check(struct ctx *c)
{
    struct account *self = arena_calloc(c->arena, 1, sizeof *self);
    c->state = self;
    enum err_code rc = account_need_session(c);
    rc = rc == OK ? gate_need_json(c) : rc;
    return rc == OK ? account_prove(c, "password", self) : rc;
}

struct token_made {
    struct token_new new;
    int64_t id;
    const char *token;
};

#define OF(member) RECORD_OF(struct token_made, member)
RECORD(token_made_record, struct token_made, "token_made", "A new API token, with its text.",
       {"id", OF(id), .about = "The number by which it is revoked."},
       {"token", OF(token), .about = "Its text, which is shown this once."},
       {"name", OF(new.name), .about = "What it is called."},
       {"role", OF(new.role), .about = "What it may do."},
       {"expires_at", OF(new.expires_at), RECORD_MOMENT, .about = "Until when it is valid."});
#undef OF

enum err_code api_token_create(struct ctx *c)
{
    unsigned char hash[CRYPTO_HASH];
    char token[API_TOKEN_TEXT];
    int64_t now = clock_wall_ms();
    struct token_made made = {.token = token};
    enum err_code rc = account_still(c, c->state);
    rc = rc == OK ? read_body(c, &made.new, now) : rc;
    if (rc == OK) {
        credential_api_token(app_secret(c->app, "session_key"), token, hash);
        made.new.hash = hash;
        rc = tokens_create(c->db, now, c->user.account, &made.new, &made.id, &c->err);
    }
    if (rc != OK) {
        return rc;
    }
    response_header(c->res, "Cache-Control", "no-store");
    return reply_json(c, 201, record_json(&token_made_record, &made));
}

enum err_code api_token_revoke(struct ctx *c)
{
    int64_t id;
    if (!sv_i64(c->req->params[0], &id)) {
        return err_set(&c->err, ERR_NOT_FOUND, "There is no such token.");
    }
    int64_t owner = c->user.role == ROLE_ADMIN ? 0 : c->user.account;
    enum err_code rc =
        tokens_revoke(c->db, clock_wall_ms(), c->user.account, owner, id, &c->err);
    if (rc == OK) {
        c->res->status = 204;
    }
    return rc;
}
