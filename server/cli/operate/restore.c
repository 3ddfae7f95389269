/* restore.c - `holdout restore`: a project again from a backup (transfer/backup/backup_restore.h), and what `check` says
 * of it. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "cli/core/commands.h"
#include "db/migrate.h"
#include "transfer/backup/backup_restore.h"

static void print_damaged(void *arg, const char *path, const char *why)
{
    (void)arg;
    printf("damaged: %s: %s\n", path, why);
}

static void print_restored(const struct cli *cli, const struct backup_restored *r)
{
    char iso[CLOCK_ISO_SIZE];
    if (strcmp(r->folder, cli->args[0]) != 0) {
        cli_note(cli, "Restored from %s.", r->folder);
    }
    cli_note(cli, "%s is the project %s as of %s (event %lld): %lld image files.", cli->dir,
             r->m.project, clock_iso(r->m.made_ms, iso), (long long)r->m.event,
             (long long)r->counts.files);
    if (r->counts.others) {
        cli_note(cli, "%lld files of models and features came with it.", (long long)r->counts.others);
    }
}

static void print_reference(void *arg, const char *path, bool there)
{
    (void)arg;
    printf("reference: %s is kept outside the project%s\n", path,
           there ? "" : " and is not there: put it back");
}

static void note_mistake(void *arg, const char *text)
{
    const struct cli *cli = arg;
    cli_note(cli, "config: %s", text);
}

/* Under the exclusive lock that came with the project; the command's end closes and unlocks. */
static enum err_code look_at_it(struct cli *cli)
{
    struct migrate_state state;
    size_t mistakes;
    config_check(cli->dir, NULL, 0, note_mistake, cli, &mistakes, NULL);
    enum err_code rc =
        db_open(project_path(&cli->arena, cli->dir, "holdout.db"), DB_WRITE, &cli->db, &cli->err);
    rc = rc == OK ? migrate_check(cli->db, &state, &cli->err) : rc;
    if (rc == OK && state.have < state.want) {
        cli_note(cli, "The database is from an earlier version: run `holdout migrate %s`, then `holdout "
                 "check %s`.", cli->dir, cli->dir);
        return OK;
    }
    rc = rc == OK ? backup_references(cli_transfer(cli), print_reference, NULL) : rc;
    return rc == OK ? check_open_project(cli) : rc;
}

/* What the restore itself says of the backup comes before what the check finds, which may follow from it. */
enum err_code cmd_restore(struct cli *cli)
{
    struct backup_restored r;
    cli->dir = cli->args[1];
    enum err_code rc = backup_restore(cli_transfer(cli), cli->args[0], print_damaged, NULL, &r);
    if (!r.folder) {
        return rc;
    }
    struct err said = cli->err;
    err_clear(&cli->err);
    cli->lock = r.lock;
    print_restored(cli, &r);
    enum err_code found = look_at_it(cli);
    if (rc != OK) {
        cli->err = said;
    }
    return rc == OK ? found : rc;
}
