/* token.c - `holdout token create|list|revoke`: API tokens from the shell.
 * Rows in commands.c. The text of a token goes to standard output once and is stored nowhere. */
#include <inttypes.h>
#include <stdio.h>

#include <jansson.h>

#include "base/clock.h"
#include "cli/core/accounts.h"
#include "json/object.h"
#include "store/operate/settings.h"
#include "store/people/accounts.h"
#include "store/people/tokens.h"
#include "study/credential.h"

enum { LISTED = 1000000 };
#define DAY_MS (INT64_C(24) * 3600 * 1000)

static enum err_code create(struct cli *cli, const char *login, struct token_new *new,
                            int64_t *id)
{
    struct account account;
    enum err_code rc = db_tx_begin(cli->db, &cli->err);
    if (rc != OK) {
        return rc;
    }
    rc = account_of(cli, login, &account);
    if (rc == OK) {
        new->account = account.id;
        new->role = cli_has(cli, "role") ? sv_of(cli_opt(cli, "role")) : account.role;
        rc = tokens_create(cli->db, clock_wall_ms(), 0, new, id, &cli->err);
    }
    return db_tx_end(cli->db, rc, &cli->err);
}

enum err_code cmd_token_create(struct cli *cli)
{
    const char *login = cli_opt(cli, "login"), *name = cli_opt(cli, "name");
    unsigned char key[CRYPTO_HASH], hash[CRYPTO_HASH];
    char text[API_TOKEN_TEXT], expires[CLOCK_ISO_SIZE];
    int64_t days, id = 0;
    if (!login || !name) {
        return cli_usage(cli, "a token needs --login and --name");
    }
    enum err_code rc = cli_opt_int(cli, "days", 1, cli->config.token_days, cli->config.token_days,
                                   &days);
    rc = rc == OK ? settings_secret(cli->db, "session_key", key, sizeof key, &cli->err) : rc;
    if (rc != OK) {
        return rc;
    }
    credential_api_token(key, text, hash);
    struct token_new new = {
        .hash = hash, .name = sv_of(name), .expires_at = clock_wall_ms() + days * DAY_MS};
    rc = create(cli, login, &new, &id);
    if (rc != OK) {
        return rc;
    }
    clock_iso(new.expires_at, expires);
    if (cli->json) {
        printf("{\"id\": %" PRId64 ", \"token\": \"%s\", \"expires_at\": \"%s\"}\n", id, text,
               expires);
    } else {
        printf("%s\n", text);
        cli_note(cli, "Token %" PRId64 " of %s, valid until %.10s. It is shown only once.", id,
                 login, expires);
    }
    return OK;
}

static const char *state_of(const struct api_token *t, int64_t now)
{
    return t->revoked_at ? "revoked" : t->expires_at <= now ? "expired" : "open";
}

static void print_json(const struct api_token *tokens, size_t n, int64_t now)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct api_token *t = &tokens[i];
        char created[CLOCK_ISO_SIZE], expires[CLOCK_ISO_SIZE];
        object_add(list, field_int("id", t->id), field_sv("login", t->login),
                   field_sv("name", t->name), field_sv("role", t->role),
                   field_text("state", state_of(t, now)),
                   field_text("created_at", clock_iso(t->created_at, created)),
                   field_text("expires_at", clock_iso(t->expires_at, expires)));
    }
    json_dumpf(list, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(list);
}

static void print_table(const struct api_token *tokens, size_t n, int64_t now)
{
    printf("id\tlogin\trole\tstate\texpires\tname\n");
    for (size_t i = 0; i < n; i++) {
        const struct api_token *t = &tokens[i];
        char expires[CLOCK_ISO_SIZE];
        printf("%" PRId64 "\t" SV_FMT "\t" SV_FMT "\t%s\t%.10s\t" SV_FMT "\n", t->id,
               SV_ARG(t->login.n ? t->login : SV("(forgotten)")), SV_ARG(t->role),
               state_of(t, now), clock_iso(t->expires_at, expires), SV_ARG(t->name));
    }
}

enum err_code cmd_token_list(struct cli *cli)
{
    struct account account = {0};
    struct api_token *tokens;
    size_t n;
    enum err_code rc =
        cli_has(cli, "login") ? account_of(cli, cli_opt(cli, "login"), &account) : OK;
    if (rc == OK) {
        rc = tokens_list(cli->db, account.id, 0, LISTED, &cli->arena, &tokens, &n, &cli->err);
    }
    if (rc != OK) {
        return rc;
    }
    (cli->json ? print_json : print_table)(tokens, n, clock_wall_ms());
    return OK;
}

enum err_code cmd_token_revoke(struct cli *cli)
{
    int64_t id;
    if (!sv_i64(sv_of(cli->args[1]), &id)) {
        return cli_usage(cli, "%s is not the number of a token; `holdout token list` shows the numbers",
                         cli->args[1]);
    }
    enum err_code rc = db_tx_begin(cli->db, &cli->err);
    if (rc != OK) {
        return rc;
    }
    rc = tokens_revoke(cli->db, clock_wall_ms(), 0, 0, id, &cli->err);
    rc = db_tx_end(cli->db, rc, &cli->err);
    if (rc == OK) {
        cli_note(cli, "Token %" PRId64 " is revoked.", id);
    }
    return rc;
}
