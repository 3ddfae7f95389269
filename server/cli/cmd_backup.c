/* cmd_backup.c - `holdout backup`: a copy of the whole project while the server runs.
 *
 * Database first, as of one moment; then the image files that this copy lists, which are never
 * changed; then config.ini; and last the manifest (backup_manifest.h), without which it is none. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/fs.h"
#include "cli/backup_files.h"
#include "cli/backup_manifest.h"
#include "cli/commands.h"
#include "crypto/crypto.h"
#include "db/bulk.h"
#include "db/copy.h"
#include "store/health.h"
#include "store/settings.h"

enum { MISSING_SHOWN = 100, ROOM_BESIDE = 16 << 20 };

struct backup {
    struct cli *cli;
    const char *target, *database;      /* folder; the project's database */
    char stamp[BACKUP_STAMP], id[BACKUP_ID + 1];
    int lock;
    bool had;                           /* an earlier backup is there: `earlier` */
    struct backup_manifest earlier, now;
    struct backup_counts counts;
    int64_t began_ns;
};

/* Set by SIGINT and SIGTERM; the steps of the copies look at it. */
static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
    (void)number;
    stopped = 1;
}

static void listen_for_stop(void)
{
    struct sigaction a = {.sa_handler = on_signal};
    sigaction(SIGINT, &a, NULL);
    sigaction(SIGTERM, &a, NULL);
}

static char *in_target(struct backup *b, const char *name)
{
    return fs_join(&b->cli->arena, b->target, name);
}

/* ---- may it be written there? ---- */

static bool below(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/* What the backup would copy must not grow by it. The target exists already. */
static enum err_code refuse_inside(struct backup *b)
{
    char *project = realpath(b->cli->dir, NULL), *target = realpath(b->target, NULL);
    enum err_code rc = OK;
    if (!project || !target) {
        rc = err_errno(&b->cli->err, errno, "cannot find %s", b->target);
    } else if (below(target, project)) {
        rc = err_rule(&b->cli->err, ERR_INPUT, "backup-inside",
                      "%s lies in the project itself; give a folder elsewhere, best on another disk",
                      b->target);
    }
    free(project);
    free(target);
    return rc;
}

static enum err_code refuse_other(struct backup *b, const char *id)
{
    return strcmp(id, b->id) == 0
               ? OK
               : err_rule(&b->cli->err, ERR_CONFLICT, "backup-other",
                          "%s holds a backup of another project; nothing was changed, give each "
                          "project a folder of its own",
                          b->target);
}

/* An earlier backup of this project, one that was cut short, or an empty folder. */
static enum err_code look_at_target(struct backup *b)
{
    struct err *err = &b->cli->err, why = {0};
    struct str id;
    b->had = false;
    enum err_code rc = backup_manifest_read(b->target, &b->cli->arena, &b->earlier, &why);
    if (rc == OK) {
        b->had = true;
        return refuse_other(b, b->earlier.id);
    }
    if (rc != ERR_NOT_FOUND) {
        return err_rule(err, rc, why.rule, "%s", why.msg);
    }
    str_init(&id, 4096);
    rc = fs_read(in_target(b, BACKUP_UNFINISHED), &id, &why);
    if (rc == OK) {
        struct sv all = str_sv(&id);
        rc = refuse_other(b, arena_cstr(&b->cli->arena, sv_cut(&all, '\n')));
    } else {
        const char *what;
        rc = backup_folder_empty(b->target, &b->cli->arena, &what, err);
        if (rc == OK && what) {
            rc = err_rule(err, ERR_CONFLICT, "not-a-backup",
                          "%s is not empty (%s) and no backup; nothing was changed, give an empty "
                          "folder or that of an earlier backup",
                          b->target, what);
        }
    }
    str_release(&id);
    return rc;
}

/* Tells projects apart without saying anything about one. */
static enum err_code find_id(struct backup *b)
{
    unsigned char key[CRYPTO_HASH], sum[CRYPTO_HASH];
    enum err_code rc = settings_secret(b->cli->db, "person_key", key, sizeof key, &b->cli->err);
    if (rc == OK) {
        crypto_keyed(key, SV("backup"), sum);
        crypto_hex(sum, BACKUP_ID / 2, b->id);
    }
    return rc;
}

/* Fails before anything is written rather than half-way. */
static enum err_code find_room(struct backup *b)
{
    struct statvfs fs;
    int64_t needed = fs_size(b->database) + db_wal_size(b->database) + ROOM_BESIDE;
    if (statvfs(b->target, &fs) != 0) {
        return err_errno(&b->cli->err, errno, "cannot look at the disk of %s", b->target);
    }
    int64_t room = (int64_t)(fs.f_bavail * fs.f_frsize);
    return room >= needed
               ? OK
               : err_rule(&b->cli->err, ERR_FULL, "no-room",
                          "the disk of %s has room for %lld MiB and the database alone needs %lld; "
                          "nothing was changed",
                          b->target, (long long)(room >> 20), (long long)(needed >> 20));
}

static enum err_code make_target(struct backup *b)
{
    bool there = fs_exists(b->target);
    enum err_code rc = fs_mkdirs(b->target, &b->cli->err);
    if (rc == OK && !there && chmod(b->target, 0700) != 0) {
        rc = err_errno(&b->cli->err, errno, "cannot protect %s", b->target);
    }
    return rc;
}

/* From here on the folder says that it is unfinished. */
static enum err_code begin(struct backup *b)
{
    struct err *err = &b->cli->err;
    b->began_ns = clock_mono_ns();
    b->now.made_ms = clock_wall_ms();
    b->database = project_path(&b->cli->arena, b->cli->dir, "holdout.db");
    backup_stamp(b->now.made_ms, b->stamp);
    enum err_code rc = find_id(b);
    if (rc == OK) {
        rc = make_target(b);
    }
    if (rc == OK) {
        rc = refuse_inside(b);
    }
    if (rc == OK) {
        rc = look_at_target(b);
    }
    if (rc == OK) {
        rc = fs_lock(in_target(b, "lock"), true, &b->lock, NULL);
        if (rc != OK) {
            err_set(err, rc, "%s cannot be locked: another backup or a restore is at work there",
                    b->target);
        }
    }
    if (rc == OK) {
        rc = look_at_target(b); /* another backup may just have ended */
    }
    if (rc == OK) {
        rc = backup_sweep(b->target, b->had ? &b->earlier : NULL, err);
    }
    if (rc == OK) {
        rc = find_room(b);
    }
    const char *text = arena_printf(&b->cli->arena, "%s\nA backup of %s began here and did not "
                                    "end; `holdout backup` completes it.\n", b->id, b->cli->dir);
    return rc == OK ? fs_write_whole(in_target(b, BACKUP_UNFINISHED), text, strlen(text), true, err)
                    : rc;
}

/* ---- the parts ---- */

static bool page_step(void *arg, uint64_t done, uint64_t all)
{
    struct backup *b = arg;
    cli_progress(b->cli, "database pages", done, all);
    return !stopped;
}

static bool file_step(void *arg, const struct backup_counts *c)
{
    struct backup *b = arg;
    cli_progress(b->cli, "image files", (uint64_t)c->files, 0);
    return !stopped;
}

static void file_missing(void *arg, const char *path)
{
    struct backup *b = arg;
    if (b->now.missing++ < MISSING_SHOWN) {
        cli_note(b->cli, "missing: %s is not in the project or cannot be read", path);
    }
}

static enum err_code copy_files(struct backup *b, struct db *copy)
{
    struct err *err = &b->cli->err;
    const char *list = arena_printf(&b->cli->arena, "files-%s.b2sum", b->stamp);
    struct backup_run run = {.dir = b->cli->dir, .target = b->target, .list = in_target(b, list),
                             .link = cli_has(b->cli, "link"), .verify = cli_has(b->cli, "verify"),
                             .step = file_step, .missing = file_missing, .arg = b,
                             .stamp = b->stamp, .earlier_stamp = ""};
    if (b->had && backup_part_check(b->target, &b->earlier.files, NULL) == OK) {
        run.earlier = in_target(b, b->earlier.files.file);
        run.earlier_stamp = backup_stamp_of(&b->earlier, &b->cli->arena);
    }
    enum err_code rc = backup_files_put(&run, copy, &b->counts, err);
    if (rc == OK) {
        rc = fs_sync_file(run.list, err);
    }
    if (rc == OK && (b->counts.copied || b->counts.others)) {
        rc = fs_sync_all(b->target, err);
    }
    b->now.n_files = b->counts.files;
    b->now.file_bytes = b->counts.bytes;
    b->now.references = b->counts.references;
    return rc == OK ? backup_part_measure(b->target, list, &b->now.files, err) : rc;
}

/* The copy is closed, and so without a log beside it, before it is hashed. */
static enum err_code copy_database(struct backup *b)
{
    struct err *err = &b->cli->err;
    struct db *copy = NULL;
    char project[256];
    const char *file = arena_printf(&b->cli->arena, "holdout-%s.db", b->stamp);
    enum err_code rc = db_copy(b->database, in_target(b, file), page_step, b, err);
    if (rc == OK) {
        rc = db_open(in_target(b, file), DB_ALONE, &copy, err);
    }
    if (rc == OK) {
        rc = health_moment(copy, &b->now.event, &b->now.schema, err);
    }
    if (rc == OK) {
        rc = settings_text(copy, "name", project, sizeof project, err);
    }
    if (rc == OK) {
        b->now.project = arena_strdup(&b->cli->arena, project);
        rc = copy_files(b, copy);
    }
    db_close(copy);
    return rc == OK ? backup_part_measure(b->target, file, &b->now.database, err) : rc;
}

/* It may name keys' files and panel addresses: nobody else's business. */
static enum err_code copy_config(struct backup *b)
{
    struct err *err = &b->cli->err;
    const char *from = project_path(&b->cli->arena, b->cli->dir, "config.ini");
    const char *file = arena_printf(&b->cli->arena, "config-%s.ini", b->stamp);
    const char *to = in_target(b, file);
    if (!fs_exists(from)) {
        return OK;
    }
    enum err_code rc = fs_copy_new(from, to, err);
    if (rc == OK && chmod(to, 0600) != 0) {
        rc = err_errno(err, errno, "cannot protect %s", to);
    }
    if (rc == OK) {
        rc = fs_sync_file(to, err);
    }
    return rc == OK ? backup_part_measure(b->target, file, &b->now.config, err) : rc;
}

/* ---- the end ---- */

static enum err_code remember(struct db *db, void *arg, bool *more, struct err *err)
{
    struct backup *b = arg;
    *more = false;
    return settings_put(db, "backup.last", sv_of(arena_printf(&b->cli->arena, "%lld",
                                                              (long long)b->now.made_ms)), err);
}

static enum err_code finish(struct backup *b)
{
    struct err *err = &b->cli->err;
    b->now.program = HOLDOUT_VERSION;
    b->now.id = b->id;
    enum err_code rc = fs_sync_dir(b->target, err);
    if (rc == OK) {
        rc = backup_manifest_write(b->target, &b->now, err);
    }
    if (rc == OK) {
        rc = backup_sweep(b->target, &b->now, err);
    }
    if (rc == OK && unlink(in_target(b, BACKUP_UNFINISHED)) != 0) {
        rc = err_errno(err, errno, "cannot remove %s/" BACKUP_UNFINISHED, b->target);
    }
    if (rc == OK) {
        rc = bulk_write(b->cli->db, b->cli->alone, remember, b, err); /* for doctor and metrics */
    }
    return rc;
}

static void print_result(struct backup *b)
{
    const struct backup_counts *c = &b->counts;
    double seconds = (double)(clock_mono_ns() - b->began_ns) / 1e9;
    char iso[CLOCK_ISO_SIZE];
    cli_progress_end(b->cli);
    if (b->cli->json) {
        printf("{\"made_at\":\"%s\",\"seconds\":%.3f,\"event\":%lld,\"database_bytes\":%lld,"
               "\"image_files\":%lld,\"other_files\":%lld,\"copied\":%lld,\"copied_bytes\":%lld,\"references\":%lld,"
               "\"missing\":%lld}\n",
               clock_iso(b->now.made_ms, iso), seconds, (long long)b->now.event,
               (long long)b->now.database.bytes, (long long)c->files, (long long)c->others,
               (long long)c->copied, (long long)c->copied_bytes, (long long)c->references, (long long)c->missing);
    }
    cli_note(b->cli, "%s is a backup of %s as of event %lld: database %lld MiB, %lld image files, "
             "%lld of models and features, %lld files new, in %.1f s.", b->target, b->cli->dir,
             (long long)b->now.event, (long long)(b->now.database.bytes >> 20), (long long)c->files,
             (long long)c->others, (long long)c->copied, seconds);
    if (c->references) {
        cli_note(b->cli, "%lld originals are kept by reference: only their renditions are in the "
                 "backup, keep the folders they lie in by other means.",
                 (long long)c->references);
    }
}

static enum err_code make_backup(struct backup *b)
{
    enum err_code rc = copy_database(b);
    if (rc == OK) {
        rc = copy_config(b);
    }
    if (rc == OK) {
        rc = finish(b);
    }
    if (rc != OK && strcmp(b->cli->err.rule, "stopped") == 0) {
        err_clear(&b->cli->err);
        rc = err_rule(&b->cli->err, ERR_BUSY, "stopped",
                      "stopped; %s says that it is unfinished%s, run `holdout backup` again",
                      b->target, b->had ? " and still holds the earlier backup" : "");
    }
    return rc;
}

enum err_code cmd_backup(struct cli *cli)
{
    struct backup b = {.cli = cli, .target = cli->args[1], .lock = -1};
    if (cli->dry_run) {
        const char *database = project_path(&cli->arena, cli->dir, "holdout.db");
        cli_note(cli, "Would copy %lld MiB of database and the image files that %s lacks.",
                 (long long)((fs_size(database) + db_wal_size(database)) >> 20), b.target);
        return OK;
    }
    listen_for_stop();
    enum err_code rc = begin(&b);
    if (rc == OK) {
        rc = make_backup(&b);
    }
    if (rc == OK) {
        print_result(&b);
    }
    fs_unlock(b.lock);
    if (rc == OK && b.counts.missing) {
        rc = err_rule(&cli->err, ERR_CONFLICT, "files-missing",
                      "the backup is complete, but %lld files of the project are gone or "
                      "cannot be read: `holdout check` names them",
                      (long long)b.counts.missing);
    }
    return rc;
}
