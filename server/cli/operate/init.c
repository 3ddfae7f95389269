/* init.c - `holdout init`: a new project with its first administrator. Used by the demo. */
#include "base/clock.h"
#include "cli/core/commands.h"
#include "crypto/crypto.h"
#include "store/people/accounts.h"

static enum err_code make_admin(const char *database, struct sv login, const char *hash,
                                struct err *err)
{
    struct db *db = NULL;
    int64_t id;
    enum err_code rc = db_open(database, DB_WRITE, &db, err);
    if (rc != OK) {
        return rc;
    }
    rc = db_tx_begin(db, err);
    rc = rc == OK ? accounts_create(db, clock_wall_ms(), 0, login, SV("admin"), hash, &id, err) : rc;
    rc = db_tx_end(db, rc, err);
    db_close(db);
    return rc;
}

enum err_code init_project(struct cli *cli, const char *dir, struct sv login, struct sv password)
{
    char hash[CRYPTO_PASSWORD_TEXT];
    if (!account_login_ok(login)) {
        return cli_usage(cli, "a login name must have 2 to 64 characters of a-z 0-9 . _ @ + -");
    }
    /* The password is checked before anything is made, so that a refused one leaves no project. */
    enum err_code rc = crypto_password_hash(password, hash, &cli->err);
    rc = rc == OK ? project_create(dir, &cli->err) : rc;
    if (rc == OK) {
        rc = make_admin(project_path(&cli->arena, dir, "holdout.db"), login, hash, &cli->err);
    }
    return rc;
}

enum err_code cmd_init(struct cli *cli)
{
    struct sv password;
    const char *login = cli_has(cli, "admin") ? cli_opt(cli, "admin") : "admin";
    enum err_code rc = cli_password(cli, "admin-password-file", &password);
    rc = rc == OK ? init_project(cli, cli->args[0], sv_of(login), password) : rc;
    if (rc == OK) {
        cli_note(cli,
                 "%s is a project now. Next: holdout import classes %s classes.csv; "
                 "holdout import images %s FOLDER; holdout grids %s --open; holdout serve %s",
                 cli->args[0], cli->args[0], cli->args[0], cli->args[0], cli->args[0]);
    }
    return rc;
}
