/* backup_make.c - see backup_make.h: the target is looked at and locked, then the parts in their order, then the name. */
#include "transfer/backup/backup_make.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/fs.h"
#include "check/check.h"
#include "crypto/crypto.h"
#include "db/bulk.h"
#include "db/copy.h"
#include "store/operate/health.h"
#include "store/operate/settings.h"
#include "transfer/backup/backup_target.h"

enum { MISSING_SHOWN = 100, DAMAGE_SHOWN = 20, ROOM_BESIDE = 16 << 20 };

struct making {
    struct transfer *tr;
    const struct backup_ask *ask;
    struct backup_made *out;
    const char *database, *folder;      /* the project's database; folder of this generation */
    char id[BACKUP_ID + 1];
    int lock;
    struct backup_target there;         /* what was there before */
    bool looked;                        /* what cannot be read there was said: it is looked at again */
    const struct backup_generation *earlier; /* the newest of it, NULL: none */
    uint64_t damages;                   /* of the copied database */
    const char *damage;                 /* the first of them */
};

static char *in_folder(struct making *b, const char *name)
{
    return fs_join(b->tr->arena, b->folder, name);
}

static bool stopped(const struct making *b)
{
    return b->ask->stop && b->ask->stop(b->ask->arg);
}

/* ---- may it be written there? ---- */

static bool below(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/* What the backup would copy must not grow by it. The target exists already. */
static enum err_code refuse_inside(struct making *b)
{
    char *project = realpath(b->tr->dir, NULL), *target = realpath(b->ask->target, NULL);
    enum err_code rc = OK;
    if (!project || !target) {
        rc = err_errno(b->tr->err, errno, "cannot find %s", b->ask->target);
    } else if (below(target, project)) {
        rc = err_rule(b->tr->err, ERR_INPUT, "backup-inside",
                      "%s is inside the project itself; choose a folder elsewhere, ideally on another disk",
                      b->ask->target);
    }
    free(project);
    free(target);
    return rc;
}

static enum err_code refuse_other(struct making *b, const char *id)
{
    return strcmp(id, b->id) == 0
               ? OK
               : err_rule(b->tr->err, ERR_CONFLICT, "backup-other",
                          "%s holds a backup of another project. Nothing was changed; use a separate folder "
                          "for each project",
                          b->ask->target);
}

static void note_unreadable(void *arg, const char *why)
{
    const struct making *b = arg;
    if (!b->looked) {
        transfer_note(b->tr, "%s (it is left alone)", why);
    }
}

/* Backups of this project, one that was cut short, or an empty folder. */
static enum err_code look_at_target(struct making *b)
{
    struct err *err = b->tr->err;
    struct backup_target *t = &b->there;
    enum err_code rc =
        backup_target_read(b->ask->target, b->tr->arena, t, note_unreadable, b, err);
    b->looked = true;
    for (size_t i = 0; i < t->n && rc == OK; i++) {
        rc = refuse_other(b, t->list[i].m.id);
    }
    for (size_t i = 0; i < t->n_leftovers && rc == OK; i++) {
        rc = *t->leftovers[i].id ? refuse_other(b, t->leftovers[i].id) : OK;
    }
    if (rc == OK && t->other && !t->n && !t->n_leftovers && !t->unreadable) {
        rc = err_rule(err, ERR_CONFLICT, "not-a-backup",
                      "%s is not empty (%s) and not a backup. Nothing was changed; choose an empty folder or "
                      "the one of an earlier backup",
                      b->ask->target, t->other);
    }
    b->earlier = rc == OK && t->n ? &t->list[t->n - 1] : NULL;
    return rc;
}

/* Of this moment, but behind all that are there, also when the clock was set back: the order of names is
 * the order in which backups were made. */
static enum err_code name_it(struct making *b)
{
    int64_t at = b->out->m.made_ms;
    const char *before = b->earlier ? b->earlier->stamp : "";
    if (b->earlier) {
        int64_t named = *before ? backup_stamp_ms(before) : 0, made = b->earlier->m.made_ms;
        int64_t last = named > made ? named : made;
        at = at > last ? at : last + 1;
    }
    if (at > BACKUP_LATEST_MS || strcmp(backup_stamp(at, b->out->stamp), before) <= 0) {
        return err_rule(b->tr->err, ERR_CONFLICT, "backup-date",
                        "%s is dated so far in the future that no backup can follow it. Nothing was changed; "
                        "check the clock, and move that generation elsewhere",
                        b->earlier ? b->earlier->path : "The new backup");
    }
    b->out->m.made_ms = at;
    return OK;
}

/* Tells projects apart without saying anything about one. */
static enum err_code find_id(struct making *b)
{
    unsigned char key[CRYPTO_HASH], sum[CRYPTO_HASH];
    enum err_code rc = settings_secret(b->tr->db, "person_key", key, sizeof key, b->tr->err);
    if (rc == OK) {
        crypto_keyed(key, SV("backup"), sum);
        crypto_hex(sum, BACKUP_ID / 2, b->id);
    }
    return rc;
}

/* Fails before anything is written rather than half-way. */
static enum err_code find_room(struct making *b)
{
    struct statvfs fs;
    int64_t needed = fs_size(b->database) + db_wal_size(b->database) + ROOM_BESIDE;
    if (statvfs(b->ask->target, &fs) != 0) {
        return err_errno(b->tr->err, errno, "cannot look at the disk of %s", b->ask->target);
    }
    int64_t room = (int64_t)(fs.f_bavail * fs.f_frsize);
    return room >= needed
               ? OK
               : err_rule(b->tr->err, ERR_FULL, "no-room",
                          "the disk of %s has room for %lld MiB, but the database alone needs %lld. Nothing "
                          "was changed; make room, or keep fewer generations",
                          b->ask->target, (long long)(room >> 20), (long long)(needed >> 20));
}

static enum err_code lock_target(struct making *b)
{
    struct err why = {0};
    enum err_code rc = fs_lock(fs_join(b->tr->arena, b->ask->target, BACKUP_LOCK), true, &b->lock, &why);
    if (rc == ERR_BUSY) {
        return err_set(b->tr->err, rc, "%s cannot be locked: another backup or a restore is using it",
                       b->ask->target);
    }
    return rc == OK ? OK : err_rule(b->tr->err, rc, why.rule, "%s", why.msg);
}

/* From here on the generation has a folder, which says that it is unfinished. */
static enum err_code begin(struct making *b)
{
    struct err *err = b->tr->err;
    b->out->m.made_ms = clock_wall_ms();
    enum err_code rc = find_id(b);
    rc = rc == OK ? fs_mkdirs_private(b->ask->target, err) : rc;
    rc = rc == OK ? refuse_inside(b) : rc;
    rc = rc == OK ? look_at_target(b) : rc;
    rc = rc == OK ? lock_target(b) : rc;
    if (rc == OK) {
        rc = look_at_target(b); /* another backup may just have ended */
    }
    rc = rc == OK ? find_room(b) : rc;
    rc = rc == OK ? name_it(b) : rc;
    return rc == OK ? backup_target_begin(&b->there, b->out->stamp, b->id, b->tr->arena, &b->folder, err) : rc;
}

/* ---- the parts ---- */

static bool page_step(void *arg, uint64_t done, uint64_t all)
{
    struct making *b = arg;
    transfer_progress(b->tr, "database pages", done, all);
    return !stopped(b);
}

static bool file_step(void *arg, const struct backup_counts *c)
{
    struct making *b = arg;
    transfer_progress(b->tr, "image files", (uint64_t)c->files, 0);
    return !stopped(b);
}

static void file_missing(void *arg, const char *path)
{
    struct making *b = arg;
    if (b->out->m.missing++ < MISSING_SHOWN) {
        transfer_note(b->tr, "missing: %s is not in the project or cannot be read", path);
    }
}

static enum err_code copy_files(struct making *b, struct db *copy)
{
    struct err *err = b->tr->err;
    const struct backup_generation *e = b->earlier;
    const char *list = arena_printf(b->tr->arena, "files-%s.b2sum", b->out->stamp);
    struct backup_run run = {.dir = b->tr->dir, .target = b->folder, .list = in_folder(b, list),
                             .link = b->ask->link, .verify = b->ask->verify,
                             .step = file_step, .missing = file_missing, .arg = b,
                             .stamp = b->out->stamp, .earlier_stamp = ""};
    if (e && backup_part_check(e->path, &e->m.files, NULL) == OK) {
        run.earlier = e->path;
        run.earlier_list = e->m.files.file;
        run.earlier_stamp = backup_stamp_of(&e->m, b->tr->arena);
    }
    enum err_code rc = backup_files_put(&run, copy, &b->out->counts, err);
    rc = rc == OK ? fs_sync_all(b->ask->target, err) : rc;
    b->out->m.n_files = b->out->counts.files;
    b->out->m.file_bytes = b->out->counts.bytes;
    b->out->m.other_bytes = b->out->counts.other_bytes;
    b->out->m.references = b->out->counts.references;
    return rc == OK ? backup_part_measure(b->folder, list, &b->out->m.files, err) : rc;
}

static void note_damage(void *arg, const char *text)
{
    struct making *b = arg;
    char *line = arena_strdup(b->tr->arena, text);
    for (char *s = strchr(line, '\n'); s; s = strchr(s, '\n')) {
        *s = ' '; /* SQLite's checks have lines of their own */
    }
    if (b->damages++ == 0) {
        b->damage = line;
    }
    if (b->damages <= DAMAGE_SHOWN) {
        transfer_note(b->tr, "%s", line);
    }
}

/* A copy that is not sound goes; it says no more than the project's database does. */
static enum err_code look_at_copy(struct making *b, struct db *copy)
{
    struct err *err = b->tr->err;
    struct check c = {.db = copy, .arena = b->tr->arena, .err = err, .found = note_damage, .arg = b};
    enum err_code rc = check_database(&c);
    if (rc == ERR_FULL || rc == ERR_BUSY || (rc == OK && b->damages == 0)) {
        b->out->m.checked = rc == OK;
        return rc;
    }
    if (rc != OK) {
        note_damage(b, err->msg);
    }
    err_clear(err);
    return err_rule(err, ERR_CONFLICT, "database-damaged",
                    "the database of %s is damaged (%s): nothing was backed up, and %s keeps what it "
                    "had; run `holdout check %s`, and see \"When something is wrong\" in "
                    "docs/operations.md",
                    b->tr->dir, b->damage, b->ask->target, b->tr->dir);
}

/* The copy is closed, and so without a log beside it, before it is hashed. */
static enum err_code copy_database(struct making *b)
{
    struct err *err = b->tr->err;
    struct db *copy = NULL;
    char project[256];
    const char *file = arena_printf(b->tr->arena, "holdout-%s.db", b->out->stamp);
    enum err_code rc = db_copy(b->database, in_folder(b, file), page_step, b, err);
    rc = rc == OK ? db_open(in_folder(b, file), DB_ALONE, &copy, err) : rc;
    rc = rc == OK ? look_at_copy(b, copy) : rc;
    rc = rc == OK ? health_moment(copy, &b->out->m.event, &b->out->m.schema, err) : rc;
    rc = rc == OK ? settings_text(copy, "name", project, sizeof project, err) : rc;
    if (rc == OK) {
        b->out->m.project = arena_strdup(b->tr->arena, project);
        rc = copy_files(b, copy);
    }
    db_close(copy);
    if (b->damages) {
        unlink(in_folder(b, file));
    }
    return rc == OK ? backup_part_measure(b->folder, file, &b->out->m.database, err) : rc;
}

/* It may name keys' files and panel addresses: nobody else's business. */
static enum err_code copy_config(struct making *b)
{
    struct err *err = b->tr->err;
    const char *from = fs_join(b->tr->arena, b->tr->dir, "config.ini");
    const char *file = arena_printf(b->tr->arena, "config-%s.ini", b->out->stamp);
    const char *to = in_folder(b, file);
    if (!fs_exists(from)) {
        return OK;
    }
    enum err_code rc = fs_copy_new(from, to, err);
    if (rc == OK && chmod(to, 0600) != 0) {
        rc = err_errno(err, errno, "cannot protect %s", to);
    }
    rc = rc == OK ? fs_sync_file(to, err) : rc;
    return rc == OK ? backup_part_measure(b->folder, file, &b->out->m.config, err) : rc;
}

/* ---- the end ---- */

static enum err_code remember(struct db *db, void *arg, bool *more, struct err *err)
{
    struct making *b = arg;
    *more = false;
    return settings_put(db, "backup.last", sv_of(arena_printf(b->tr->arena, "%lld",
                                                              (long long)b->out->m.made_ms)), err);
}

/* What goes does so last, when the new generation is on the disk under its name and known to be. */
static enum err_code finish(struct making *b)
{
    struct err *err = b->tr->err;
    struct arena *a = b->tr->arena;
    b->out->m.program = HOLDOUT_VERSION;
    b->out->m.id = arena_strdup(a, b->id);
    enum err_code rc = fs_sync_dir(b->folder, err);
    rc = rc == OK ? backup_manifest_write(b->folder, &b->out->m, err) : rc;
    rc = rc == OK ? backup_target_finish(&b->there, b->out->stamp, a, &b->folder, err) : rc;
    b->out->folder = rc == OK ? b->folder : NULL;
    if (rc == OK) {
        rc = bulk_write(b->tr->db, b->tr->alone, remember, b, err); /* for doctor and metrics */
    }
    rc = rc == OK ? backup_target_read(b->ask->target, a, &b->there, note_unreadable, b, err) : rc;
    if (rc == OK) {
        rc = backup_target_thin(&b->there, (size_t)b->ask->keep, a, &b->out->removed, err);
        b->out->generations = b->there.n - b->out->removed;
    }
    return rc;
}

static enum err_code make_backup(struct making *b)
{
    enum err_code rc = copy_database(b);
    rc = rc == OK ? copy_config(b) : rc;
    rc = rc == OK ? finish(b) : rc;
    if (rc != OK && strcmp(b->tr->err->rule, "stopped") == 0) {
        err_clear(b->tr->err);
        rc = err_rule(b->tr->err, ERR_BUSY, "stopped",
                      "stopped; %s is marked as unfinished%s. Run `holdout backup` again",
                      b->folder, b->earlier ? ", and the earlier generations are unchanged" : "");
    }
    return rc;
}

static enum err_code would_copy(const struct transfer *tr, const char *database, const char *target)
{
    transfer_note(tr, "Would copy %lld MiB of database and the image files that %s lacks.",
                  (long long)((fs_size(database) + db_wal_size(database)) >> 20), target);
    return OK;
}

enum err_code backup_make(struct transfer *tr, const struct backup_ask *ask, struct backup_made *out)
{
    struct making b = {.tr = tr, .ask = ask, .out = out, .lock = -1,
                       .database = fs_join(tr->arena, tr->dir, "holdout.db")};
    *out = (struct backup_made){0};
    if (tr->dry_run) {
        return would_copy(tr, b.database, ask->target);
    }
    enum err_code rc = begin(&b);
    rc = rc == OK ? make_backup(&b) : rc;
    fs_unlock(b.lock);
    if (rc != OK) {
        return rc;
    }
    transfer_progress_end(tr);
    return out->counts.missing == 0
               ? OK
               : err_rule(tr->err, ERR_CONFLICT, "files-missing",
                          "the backup is complete, but %lld files of the project are missing or cannot be "
                          "read: `holdout check` names them",
                          (long long)out->counts.missing);
}
