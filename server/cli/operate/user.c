/* user.c - `holdout user list|add|role|password|disable|enable`: accounts from the shell.
 * Rows in commands.c. Whoever can write the project folder may do all of this; what they did is in
 * the event log without an account. */
#include <inttypes.h>
#include <stdio.h>

#include <jansson.h>

#include "base/clock.h"
#include "cli/core/accounts.h"
#include "crypto/crypto.h"
#include "json/object.h"
#include "store/people/accounts.h"

enum { LISTED = 1000000 };

enum err_code account_of(struct cli *cli, const char *login, struct account *out)
{
    enum err_code rc = accounts_find_login(cli->db, sv_of(login), &cli->arena, out, &cli->err);
    return rc == ERR_NOT_FOUND
               ? err_set(&cli->err, ERR_NOT_FOUND,
                         "There is no account %s; `holdout user list` shows all.", login)
               : rc;
}

static void print_json(const struct account *accounts, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct account *a = &accounts[i];
        char created[CLOCK_ISO_SIZE];
        object_add(list, field_int("id", a->id), field_sv("login", a->login),
                   field_sv("role", a->role), field_bool("disabled", a->disabled),
                   field_text("created_at", clock_iso(a->created_at, created)));
    }
    json_dumpf(list, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(list);
}

static void print_table(const struct account *accounts, size_t n)
{
    printf("id\tlogin\trole\tstate\tcreated\n");
    for (size_t i = 0; i < n; i++) {
        const struct account *a = &accounts[i];
        char created[CLOCK_ISO_SIZE];
        printf("%" PRId64 "\t" SV_FMT "\t" SV_FMT "\t%s\t%.10s\n", a->id,
               SV_ARG(a->login.n ? a->login : SV("(forgotten)")), SV_ARG(a->role),
               a->disabled ? "disabled" : "active", clock_iso(a->created_at, created));
    }
}

enum err_code cmd_user_list(struct cli *cli)
{
    struct account *accounts;
    size_t n;
    enum err_code rc =
        accounts_list(cli->db, LISTED, &cli->arena, &accounts, &n, &cli->err);
    if (rc == OK && cli->json) {
        print_json(accounts, n);
    } else if (rc == OK) {
        print_table(accounts, n);
    }
    return rc;
}

/* Asks for the new password and hashes it: before the transaction, since people type slowly. */
static enum err_code new_password(struct cli *cli, char hash[CRYPTO_PASSWORD_TEXT])
{
    struct sv password;
    enum err_code rc = cli_password(cli, "password-file", &password);
    return rc == OK ? crypto_password_hash(password, hash, &cli->err) : rc;
}

enum err_code cmd_user_add(struct cli *cli)
{
    const char *login = cli->args[1];
    const char *role = cli_has(cli, "role") ? cli_opt(cli, "role") : "worker";
    char hash[CRYPTO_PASSWORD_TEXT];
    int64_t id = 0;
    if (!account_login_ok(sv_of(login))) {
        return cli_usage(cli, "%s: a login name must have 2 to 64 characters of a-z, 0-9 and . _ @ + -",
                         login);
    }
    if (!account_role_rank(sv_of(role))) {
        return cli_usage(cli, "%s is not a role: choose worker, expert, lead or admin", role);
    }
    enum err_code rc = new_password(cli, hash);
    rc = rc == OK ? db_tx_begin(cli->db, &cli->err) : rc;
    if (rc != OK) {
        return rc;
    }
    rc = accounts_create(cli->db, clock_wall_ms(), 0, sv_of(login), sv_of(role), hash, &id, &cli->err);
    rc = db_tx_end(cli->db, rc, &cli->err);
    if (rc == OK) {
        cli_note(cli, "%s can sign in as %s.", login, role);
    }
    return rc;
}

enum err_code cmd_user_role(struct cli *cli)
{
    struct account account;
    enum err_code rc = db_tx_begin(cli->db, &cli->err);
    if (rc != OK) {
        return rc;
    }
    rc = account_of(cli, cli->args[1], &account);
    if (rc == OK) {
        rc = accounts_set_role(cli->db, clock_wall_ms(), 0, account.id, sv_of(cli->args[2]), NULL,
                               &cli->err);
    }
    rc = db_tx_end(cli->db, rc, &cli->err);
    if (rc == OK) {
        cli_note(cli, "%s is %s now and must sign in again.", cli->args[1], cli->args[2]);
    }
    return rc;
}

enum err_code cmd_user_password(struct cli *cli)
{
    struct account account;
    char hash[CRYPTO_PASSWORD_TEXT];
    enum err_code rc = account_of(cli, cli->args[1], &account);
    rc = rc == OK ? new_password(cli, hash) : rc;
    rc = rc == OK ? db_tx_begin(cli->db, &cli->err) : rc;
    if (rc != OK) {
        return rc;
    }
    rc = accounts_set_password(cli->db, clock_wall_ms(), 0, account.id, hash, NULL, &cli->err);
    rc = db_tx_end(cli->db, rc, &cli->err);
    if (rc == OK) {
        cli_note(cli, "The password of %s was changed; they must sign in again.", cli->args[1]);
    }
    return rc;
}

static enum err_code set_disabled(struct cli *cli, bool disabled)
{
    struct account account;
    enum err_code rc = db_tx_begin(cli->db, &cli->err);
    if (rc != OK) {
        return rc;
    }
    rc = account_of(cli, cli->args[1], &account);
    if (rc == OK) {
        rc = accounts_set_disabled(cli->db, clock_wall_ms(), 0, account.id, disabled, &cli->err);
    }
    rc = db_tx_end(cli->db, rc, &cli->err);
    if (rc == OK) {
        cli_note(cli, disabled ? "%s is disabled; their sessions have ended." : "%s is enabled.",
                 cli->args[1]);
    }
    return rc;
}

enum err_code cmd_user_disable(struct cli *cli)
{
    return set_disabled(cli, true);
}

enum err_code cmd_user_enable(struct cli *cli)
{
    return set_disabled(cli, false);
}
