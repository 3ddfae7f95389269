/* migrate.c - `holdout migrate`: the database to this program's version, after a copy of it as
 * it was, which takes its place again when something went wrong that nobody foresaw. */
#include <stdio.h>

#include "cli/core/commands.h"
#include "db/copy.h"
#include "db/migrate.h"
#include "transfer/backup/backup_manifest.h"

static bool copy_step(void *arg, uint64_t done, uint64_t all)
{
    cli_progress(arg, "copying the database", done, all);
    return true;
}

/* Beside the database, named after its version and the moment. */
static enum err_code keep_copy(struct cli *cli, int version, const char **out)
{
    char stamp[BACKUP_STAMP];
    const char *from = project_path(&cli->arena, cli->dir, "holdout.db");
    *out = arena_printf(&cli->arena, "%s.version-%d-%s", from, version,
                        backup_stamp(clock_wall_ms(), stamp));
    enum err_code rc = db_copy(from, *out, copy_step, cli, &cli->err);
    cli_progress_end(cli);
    return rc;
}

enum err_code cmd_migrate(struct cli *cli)
{
    struct migrate_state before, after;
    enum err_code rc = migrate_check(cli->db, &before, &cli->err);
    if (rc == OK && cli->dry_run) {
        printf("%d of %d migrations are applied\n", before.have, before.want);
        return OK;
    }
    if (rc == OK && before.have == before.want) {
        cli_note(cli, "%s is at version %d already.", cli->dir, before.have);
        return OK;
    }
    const char *copy;
    rc = rc == OK ? keep_copy(cli, before.have, &copy) : rc;
    if (rc != OK) {
        return rc;
    }
    cli_note(cli, "%s is the database as it was; delete it once you are satisfied.", copy);
    rc = migrate_apply(cli->db, &after, &cli->err);
    if (rc == OK) {
        cli_note(cli, "%s was at version %d and is at %d now.", cli->dir, before.have, after.have);
    }
    return rc;
}
