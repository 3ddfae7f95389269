/* cmd_restore.c - `holdout restore`: a project again from a backup, only where there is nothing.
 *
 * Manifest, database, list and configuration are verified before anything is written. The database
 * comes last: until then the folder is no project, and says that it is being restored. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "cli/backup_files.h"
#include "cli/backup_manifest.h"
#include "cli/commands.h"
#include "db/migrate.h"
#include "store/images.h"

enum { DAMAGED_SHOWN = 100, REFERENCES_SHOWN = 100 };
#define MARKER "unfinished-restore"

struct restore {
    struct cli *cli;
    const char *backup;
    struct backup_manifest m;
    struct backup_counts counts;
    int64_t references, damaged;
};

static char *in_backup(struct restore *r, const char *name)
{
    return fs_join(&r->cli->arena, r->backup, name);
}

static char *in_project(struct restore *r, const char *name)
{
    return project_path(&r->cli->arena, r->cli->dir, name);
}

/* ---- before anything is written ---- */

/* The folder of the project is made when it is missing; nothing else is touched yet. */
static enum err_code refuse_target(struct restore *r)
{
    struct err *err = &r->cli->err;
    const char *dir = r->cli->dir, *what = NULL;
    if (fs_exists(in_project(r, MARKER))) {
        return err_rule(err, ERR_CONFLICT, "restore-unfinished",
                        "%s holds a restore that did not end; delete it and restore again", dir);
    }
    enum err_code rc =
        fs_exists(dir) ? backup_folder_empty(dir, &r->cli->arena, &what, err) : OK;
    if (rc == OK && what) {
        rc = err_rule(err, ERR_CONFLICT, "not-empty",
                      "%s is not empty (%s): a backup is only restored into an empty or a new folder; "
                      "nothing was changed",
                      dir, what);
    }
    return rc;
}

/* A backup that is being written, or a further one, would take the files from under us. The lock
 * cannot be had on a medium that is read only; nobody writes there either. */
static enum err_code lock_backup(struct restore *r, int *fd)
{
    struct err why = {0};
    enum err_code rc = fs_lock(in_backup(r, "lock"), false, fd, &why);
    if (rc == ERR_BUSY) {
        return err_set(&r->cli->err, rc, "%s is being written by a backup; try again when that is "
                       "done", r->backup);
    }
    return OK;
}

static enum err_code verify(struct restore *r)
{
    struct err *err = &r->cli->err;
    enum err_code rc = backup_manifest_read(r->backup, &r->cli->arena, &r->m, err);
    if (rc == OK && r->m.schema > migrate_newest()) {
        rc = err_rule(err, ERR_CONFLICT, "database-newer",
                      "the backup was made by holdout %s, whose database is newer than this "
                      "program's: use that one",
                      r->m.program);
    }
    if (rc == OK) {
        rc = backup_part_check(r->backup, &r->m.database, err);
    }
    if (rc == OK) {
        rc = backup_part_check(r->backup, &r->m.files, err);
    }
    if (rc == OK && r->m.config.file) {
        rc = backup_part_check(r->backup, &r->m.config, err);
    }
    return rc;
}

/* ---- writing ---- */

static enum err_code begin(struct restore *r)
{
    struct err *err = &r->cli->err;
    static const char *const folders[] = {"images", "models", "exports"};
    static const char text[] = "A backup is being restored here; what is there is not a project "
                               "yet.\n";
    enum err_code rc = fs_mkdirs(r->cli->dir, err);
    if (rc == OK) {
        rc = fs_lock(in_project(r, "lock"), true, &r->cli->lock, err);
    }
    if (rc == OK) {
        rc = fs_write_whole(in_project(r, MARKER), text, sizeof text - 1, true, err);
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders && rc == OK; i++) {
        rc = fs_mkdirs(in_project(r, folders[i]), err);
    }
    return rc;
}

static bool file_step(void *arg, const struct backup_counts *c)
{
    struct restore *r = arg;
    cli_progress(r->cli, "image files", (uint64_t)c->files, (uint64_t)r->m.n_files);
    return true;
}

static void file_damaged(void *arg, const char *path, const char *why)
{
    struct restore *r = arg;
    if (r->damaged++ < DAMAGED_SHOWN) {
        printf("damaged: %s: %s\n", path, why);
    }
}

/* Readable by its owner alone, flushed, whole under its name. */
static enum err_code put_secret(struct restore *r, const char *file, const char *name)
{
    struct err *err = &r->cli->err;
    const char *tmp = in_project(r, "incoming.tmp"), *to = in_project(r, name);
    enum err_code rc = fs_copy_new(in_backup(r, file), tmp, err);
    if (rc == OK && chmod(tmp, 0600) != 0) {
        rc = err_errno(err, errno, "cannot protect %s", tmp);
    }
    if (rc == OK) {
        rc = fs_sync_file(tmp, err);
    }
    if (rc == OK && rename(tmp, to) != 0) {
        rc = err_errno(err, errno, "cannot rename to %s", to);
    }
    return rc;
}

static enum err_code write_project(struct restore *r)
{
    struct err *err = &r->cli->err;
    struct restore_run run = {.backup = r->backup, .dir = r->cli->dir,
                              .list = in_backup(r, r->m.files.file), .step = file_step,
                              .damaged = file_damaged, .arg = r};
    enum err_code rc = begin(r);
    if (rc == OK) {
        rc = backup_files_get(&run, &r->counts, err);
    }
    if (rc == OK) {
        rc = fs_sync_all(r->cli->dir, err);
    }
    if (rc == OK && r->m.config.file) {
        rc = put_secret(r, r->m.config.file, "config.ini");
    }
    if (rc == OK) {
        rc = put_secret(r, r->m.database.file, "holdout.db");
    }
    if (rc == OK && unlink(in_project(r, MARKER)) != 0) {
        rc = err_errno(err, errno, "cannot remove %s/" MARKER, r->cli->dir);
    }
    return rc == OK ? fs_sync_dir(r->cli->dir, err) : rc;
}

/* ---- afterwards ---- */

static enum err_code name_reference(void *arg, const struct source_row *s, struct err *err)
{
    struct restore *r = arg;
    (void)err;
    if (!s->path.n) {
        return OK;
    }
    struct arena a;
    arena_init(&a, 1 << 16);
    bool there = fs_size(arena_cstr(&a, s->path)) == s->bytes;
    if (r->references++ < REFERENCES_SHOWN) {
        printf("reference: " SV_FMT " is kept outside the project%s\n", SV_ARG(s->path),
               there ? "" : " and is not there: put it back");
    }
    arena_release(&a);
    return OK;
}

static void note_mistake(void *arg, const char *text)
{
    const struct restore *r = arg;
    cli_note(r->cli, "config: %s", text);
}

/* Under the exclusive lock that begin took; the command's end closes and unlocks. */
static enum err_code look_at_it(struct restore *r)
{
    struct cli *cli = r->cli;
    struct migrate_state state;
    size_t mistakes;
    config_check(cli->dir, NULL, 0, note_mistake, r, &mistakes, NULL);
    enum err_code rc = db_open(in_project(r, "holdout.db"), DB_WRITE, &cli->db, &cli->err);
    if (rc == OK) {
        rc = migrate_check(cli->db, &state, &cli->err);
    }
    if (rc == OK && state.have < state.want) {
        cli_note(cli, "The database is of an earlier version: run `holdout migrate %s`, then "
                 "`holdout check %s`.", cli->dir, cli->dir);
        return OK;
    }
    if (rc == OK) {
        rc = sources_each(cli->db, name_reference, r, &cli->err);
    }
    return rc == OK ? check_open_project(cli) : rc;
}

static enum err_code restore(struct restore *r)
{
    enum err_code rc = write_project(r);
    if (rc != OK) {
        return rc;
    }
    char iso[CLOCK_ISO_SIZE];
    cli_progress_end(r->cli);
    cli_note(r->cli, "%s is the project %s as of %s (event %lld): %lld image files.", r->cli->dir,
             r->m.project, clock_iso(r->m.made_ms, iso), (long long)r->m.event,
             (long long)r->counts.files);
    if (r->counts.others) {
        cli_note(r->cli, "%lld files of models and features came with it.", (long long)r->counts.others);
    }
    rc = look_at_it(r);
    if (r->counts.missing) {
        err_clear(&r->cli->err);
        rc = err_rule(&r->cli->err, ERR_CONFLICT, "backup-damaged",
                      "%lld files of the backup are damaged and were left out (named above); everything "
                      "else is restored: import those images or add those models again",
                      (long long)r->counts.missing);
    }
    return rc;
}

enum err_code cmd_restore(struct cli *cli)
{
    struct restore r = {.cli = cli, .backup = cli->args[0]};
    int lock = -1;
    cli->dir = cli->args[1];
    enum err_code rc = lock_backup(&r, &lock);
    if (rc == OK) {
        rc = verify(&r);
    }
    if (rc == OK) {
        rc = refuse_target(&r);
    }
    if (rc == OK && cli->dry_run) {
        cli_note(cli, "The backup of %s is whole but for its %lld image files, which are verified as "
                 "they are restored; %s could take it.", r.m.project, (long long)r.m.n_files,
                 cli->dir);
    } else if (rc == OK) {
        rc = restore(&r);
    }
    fs_unlock(lock);
    return rc;
}
