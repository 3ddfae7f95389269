/* project.c - the project folder: making it, opening it under its lock, closing it.
 *
 * DIR/config.ini, DIR/holdout.db, DIR/images/, DIR/models/, DIR/exports/, and two lock files:
 * `lock` (serve and verbs shared; migrate and restore exclusive) and `serve.lock` (the one
 * serving process). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "cli/core/cli.h"
#include "crypto/crypto.h"
#include "db/migrate.h"
#include "store/operate/settings.h"

char *project_path(struct arena *a, const char *dir, const char *name)
{
    return fs_join(a, dir, name);
}

/* An empty file that only its owner may read, before there is anything in it: the database holds
 * keys, password hashes and who people are. SQLite gives its log the same rights. */
static enum err_code make_private(const char *path, struct err *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) {
        return err_errno(err, errno, "cannot make %s", path);
    }
    close(fd);
    return OK;
}

static enum err_code make_database(const char *path, const char *name, struct err *err)
{
    struct db *db = NULL;
    struct migrate_state state;
    unsigned char key[CRYPTO_HASH];
    enum err_code rc = make_private(path, err);
    rc = rc == OK ? db_open(path, DB_WRITE, &db, err) : rc;
    if (rc != OK) {
        return rc;
    }
    rc = migrate_apply(db, &state, err);
    rc = rc == OK ? db_tx_begin(db, err) : rc;
    static const char *const secrets[] = {"session_key", "person_key"};
    for (size_t i = 0; i < 2 && rc == OK; i++) {
        crypto_random(key, sizeof key);
        rc = settings_put_secret(db, secrets[i], key, sizeof key, err);
    }
    rc = rc == OK ? settings_put(db, "name", sv_of(name), err) : rc;
    rc = db_tx_end(db, rc, err);
    db_close(db);
    return rc;
}

enum err_code project_create(const char *dir, struct err *err)
{
    struct arena a;
    arena_init(&a, 1 << 20);
    static const char *const folders[] = {"", "images", "models", "exports"};
    char *database = project_path(&a, dir, "holdout.db");
    enum err_code rc = OK;
    if (fs_exists(database)) {
        rc = err_rule(err, ERR_CONFLICT, "project-exists",
                      "%s already holds a project. Nothing was changed", dir);
        goto out;
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders && rc == OK; i++) {
        rc = fs_mkdirs_private(project_path(&a, dir, folders[i]), err);
    }
    char *config = project_path(&a, dir, "config.ini");
    if (rc == OK && !fs_exists(config)) {
        struct str text;
        str_init(&text, 1 << 20);
        config_example(&text);
        rc = fs_write_whole(config, text.p, text.n, true, err);
        str_release(&text);
        if (rc == OK && chmod(config, 0600) != 0) {
            rc = err_errno(err, errno, "cannot set the permissions of %s", config);
        }
    }
    if (rc == OK) {
        char *full = realpath(dir, NULL);
        const char *slash = full ? strrchr(full, '/') : NULL;
        rc = make_database(database, slash && slash[1] ? slash + 1 : "holdout", err);
        free(full);
    }
out:
    arena_release(&a);
    return rc;
}

enum err_code project_serve_lock(const char *dir, int *fd, struct err *err)
{
    struct arena a;
    arena_init(&a, 1 << 16);
    enum err_code rc = fs_lock(project_path(&a, dir, "serve.lock"), true, fd, NULL);
    if (rc == ERR_BUSY) {
        err_rule(err, ERR_BUSY, "served",
                 "another process already serves %s; stop it first or use another project", dir);
    } else if (rc != OK) {
        err_set(err, rc, "cannot lock %s/serve.lock", dir);
    }
    arena_release(&a);
    return rc;
}

size_t project_flags(const struct cli *cli, const char *flags[CLI_OPTIONS])
{
    size_t n = 0;
    for (int i = 0; i < cli->n_given; i++) {
        if (strcmp(cli->given[i].name, CLI_SETTING) == 0) {
            flags[n++] = cli->given[i].value;
        }
    }
    return n;
}

static enum err_code load_config(struct cli *cli)
{
    const char *flags[CLI_OPTIONS];
    size_t n = project_flags(cli, flags);
    return config_load(&cli->config, cli->dir, flags, n, &cli->err);
}

enum err_code project_open(struct cli *cli)
{
    struct err *err = &cli->err;
    bool exclusive = cli->command->needs == CLI_EXCLUSIVE;
    char *database = project_path(&cli->arena, cli->dir, "holdout.db");
    if (!fs_exists(database)) {
        return err_set(err, ERR_NOT_FOUND,
                       "%s is not a project: it has no holdout.db (`holdout init %s` makes one)",
                       cli->dir, cli->dir);
    }
    enum err_code rc =
        fs_lock(project_path(&cli->arena, cli->dir, "lock"), exclusive, &cli->lock, NULL);
    if (rc != OK) {
        return err_set(err, rc,
                       exclusive ? "%s is in use: stop the server and other commands first"
                                 : "%s is being migrated or restored; try again when that is done",
                       cli->dir);
    }
    rc = load_config(cli);
    rc = rc == OK ? db_open(database, DB_WRITE, &cli->db, err) : rc;
    struct migrate_state state = {0, 0};
    rc = rc == OK ? migrate_check(cli->db, &state, err) : rc;
    if (rc == OK && !exclusive && state.have < state.want) {
        rc = err_rule(err, ERR_CONFLICT, "database-older",
                      "the database of %s is from an earlier version: run `holdout migrate %s`",
                      cli->dir, cli->dir);
    }
    int serving = -1;
    cli->alone = project_serve_lock(cli->dir, &serving, NULL) == OK;
    fs_unlock(serving);
    return rc;
}

void project_close(struct cli *cli)
{
    db_close(cli->db);
    cli->db = NULL;
    config_release(&cli->config);
    fs_unlock(cli->lock);
    cli->lock = -1;
}
