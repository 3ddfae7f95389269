/* backup_restore.c - see backup_restore.h. */
#include "transfer/backup/backup_restore.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "store/images/images.h"
#include "transfer/backup/backup_target.h"
#include "transfer/backup/backup_verify.h"

enum { DAMAGED_SHOWN = 100, REFERENCES_SHOWN = 100 };
#define MARKER "unfinished-restore"

struct restoring {
    struct transfer *tr;
    const char *given, *backup; /* what was asked for; the generation's folder */
    void (*damaged)(void *arg, const char *path, const char *why);
    void *arg;
    int64_t n_damaged;
    struct backup_target there;
    const char *unreadable; /* why the manifest of one of them cannot be used, or NULL */
    struct backup_restored *out;
};

static char *in_backup(struct restoring *r, const char *name)
{
    return fs_join(r->tr->arena, r->backup, name);
}

static char *in_project(struct restoring *r, const char *name)
{
    return fs_join(r->tr->arena, r->tr->dir, name);
}

/* ---- before anything is written ---- */

/* The folder of the project is made when it is missing; nothing else is touched yet. */
static enum err_code refuse_target(struct restoring *r)
{
    struct err *err = r->tr->err;
    const char *dir = r->tr->dir, *what = NULL;
    if (fs_exists(in_project(r, MARKER))) {
        return err_rule(err, ERR_CONFLICT, "restore-unfinished",
                        "%s holds an unfinished restore; delete it and restore again", dir);
    }
    enum err_code rc =
        fs_exists(dir) ? backup_folder_empty(dir, r->tr->arena, &what, err) : OK;
    if (rc == OK && what) {
        rc = err_rule(err, ERR_CONFLICT, "not-empty",
                      "%s is not empty (%s): a backup can only be restored into an empty or new folder. "
                      "Nothing was changed",
                      dir, what);
    }
    return rc;
}

static void keep_unreadable(void *arg, const char *why)
{
    struct restoring *r = arg;
    r->unreadable = arena_strdup(r->tr->arena, why);
}

static void note_left_out(struct restoring *r, const struct backup_generation *g, const struct err *why)
{
    char iso[CLOCK_ISO_SIZE];
    transfer_note(r->tr, "The generation %s (%s) is skipped: %s", g->path,
                  clock_iso(g->m.made_ms, iso), why->msg);
}

/* The newest that is whole; when none is, what is wrong with the newest. */
static enum err_code choose(struct restoring *r)
{
    struct err *err = r->tr->err;
    struct err first = {0};
    size_t n = r->there.n;
    enum err_code failed = OK;
    while (n--) {
        const struct backup_generation *g = &r->there.list[n];
        struct err why = {0};
        enum err_code rc = backup_parts_check(g, &why);
        if (rc == OK) {
            r->backup = g->path;
            r->out->m = g->m;
            return OK;
        }
        if (failed == OK) {
            failed = rc;
            first = why;
        }
        if (r->there.n > 1) {
            note_left_out(r, g, &why);
        }
    }
    return failed == OK ? backup_target_none(&r->there, err)
                        : err_rule(err, failed, first.rule, "%s; nothing was restored", first.msg);
}

/* What is wrong with the one manifest that there is is the reason; with one of several, a note. */
static enum err_code find_generation(struct restoring *r)
{
    struct err *err = r->tr->err;
    struct arena *a = r->tr->arena;
    enum err_code rc = backup_target_read(r->given, a, &r->there, keep_unreadable, r, err);
    if (rc == OK && r->there.n == 0 && r->unreadable) {
        rc = err_rule(err, ERR_INPUT, "backup-damaged", "%s", r->unreadable);
    } else if (rc == OK && r->unreadable) {
        transfer_note(r->tr, "%s", r->unreadable);
    }
    return rc == OK ? choose(r) : rc;
}

/* ---- writing ---- */

static enum err_code begin(struct restoring *r)
{
    struct err *err = r->tr->err;
    static const char *const folders[] = {"images", "models", "exports"};
    static const char text[] = "A backup is being restored here; what is there is not a project "
                               "yet.\n";
    enum err_code rc = fs_mkdirs_private(r->tr->dir, err);
    rc = rc == OK ? fs_lock(in_project(r, "lock"), true, &r->out->lock, err) : rc;
    rc = rc == OK ? fs_write_whole(in_project(r, MARKER), text, sizeof text - 1, true, err) : rc;
    for (size_t i = 0; i < sizeof folders / sizeof *folders && rc == OK; i++) {
        rc = fs_mkdirs_private(in_project(r, folders[i]), err);
    }
    return rc;
}

static bool file_step(void *arg, const struct backup_counts *c)
{
    struct restoring *r = arg;
    transfer_progress(r->tr, "image files", (uint64_t)c->files, (uint64_t)r->out->m.n_files);
    return true;
}

static void file_damaged(void *arg, const char *path, const char *why)
{
    struct restoring *r = arg;
    if (r->n_damaged++ < DAMAGED_SHOWN) {
        r->damaged(r->arg, path, why);
    }
}

/* The backup may lie where others write: what counts is the copy. */
static enum err_code copy_part(struct restoring *r, const struct backup_part *part, const char *to)
{
    struct err *err = r->tr->err;
    int fd;
    enum err_code rc = fs_open_below(r->backup, part->file, &fd, err);
    if (rc != OK) {
        return rc;
    }
    rc = fs_copy_fd(fd, in_backup(r, part->file), to, err);
    close(fd);
    struct backup_part copied = *part;
    copied.file = strrchr(to, '/') + 1;
    return rc == OK ? backup_part_check(r->tr->dir, &copied, err) : rc;
}

/* Readable by its owner alone, flushed, whole under its name. */
static enum err_code put_secret(struct restoring *r, const struct backup_part *part, const char *name)
{
    struct err *err = r->tr->err;
    const char *tmp = in_project(r, "incoming.tmp"), *to = in_project(r, name);
    enum err_code rc = copy_part(r, part, tmp);
    if (rc == OK && chmod(tmp, 0600) != 0) {
        rc = err_errno(err, errno, "cannot protect %s", tmp);
    }
    rc = rc == OK ? fs_sync_file(tmp, err) : rc;
    if (rc == OK && rename(tmp, to) != 0) {
        rc = err_errno(err, errno, "cannot rename to %s", to);
    }
    return rc;
}

static enum err_code write_project(struct restoring *r)
{
    struct err *err = r->tr->err;
    struct restore_run run = {.backup = r->backup, .dir = r->tr->dir,
                              .list = r->out->m.files.file, .file_bytes = r->out->m.file_bytes,
                              .other_bytes = r->out->m.other_bytes, .step = file_step,
                              .damaged = file_damaged, .arg = r};
    enum err_code rc = begin(r);
    rc = rc == OK ? backup_files_get(&run, &r->out->counts, err) : rc;
    rc = rc == OK ? fs_sync_all(r->tr->dir, err) : rc;
    if (rc == OK && r->out->m.config.file) {
        rc = put_secret(r, &r->out->m.config, "config.ini");
    }
    rc = rc == OK ? put_secret(r, &r->out->m.database, "holdout.db") : rc;
    if (rc == OK && unlink(in_project(r, MARKER)) != 0) {
        rc = err_errno(err, errno, "cannot remove %s/" MARKER, r->tr->dir);
    }
    return rc == OK ? fs_sync_dir(r->tr->dir, err) : rc;
}

static enum err_code make_project(struct restoring *r)
{
    struct backup_restored *out = r->out;
    enum err_code rc = write_project(r);
    if (rc != OK) {
        fs_unlock(out->lock);
        out->lock = -1;
        return rc;
    }
    transfer_progress_end(r->tr);
    out->folder = r->backup;
    return out->counts.missing == 0
               ? OK
               : err_rule(r->tr->err, ERR_CONFLICT, "backup-damaged",
                          "%lld files of the backup are damaged and were left out (named above); everything "
                          "else is restored: import those images or add those models again",
                          (long long)out->counts.missing);
}

enum err_code backup_restore(struct transfer *tr, const char *path,
                             void (*damaged)(void *arg, const char *path, const char *why), void *arg,
                             struct backup_restored *out)
{
    struct restoring r = {.tr = tr, .given = path, .damaged = damaged, .arg = arg, .out = out};
    int lock = -1;
    *out = (struct backup_restored){.lock = -1};
    enum err_code rc = backup_target_lock(path, tr->arena, &lock, tr->err);
    rc = rc == OK ? find_generation(&r) : rc;
    rc = rc == OK ? refuse_target(&r) : rc;
    if (rc == OK && tr->dry_run) {
        transfer_note(tr, "The backup %s of %s is intact; its %lld image files are only verified when they are "
                      "restored. It can be restored into %s.", r.backup, out->m.project, (long long)out->m.n_files,
                      tr->dir);
    } else if (rc == OK) {
        rc = make_project(&r);
    }
    fs_unlock(lock);
    return rc;
}

/* ---- what no backup holds ---- */

struct references {
    void (*each)(void *arg, const char *path, bool there);
    void *arg;
    int64_t n;
};

static enum err_code name_reference(void *arg, const struct source_row *s, struct err *err)
{
    struct references *r = arg;
    (void)err;
    if (s->path.n && r->n++ < REFERENCES_SHOWN) {
        struct arena a;
        arena_init(&a, 1 << 16);
        const char *path = arena_cstr(&a, s->path);
        r->each(r->arg, path, fs_size(path) == s->bytes);
        arena_release(&a);
    }
    return OK;
}

enum err_code backup_references(struct transfer *tr, void (*each)(void *arg, const char *path, bool there), void *arg)
{
    struct references r = {.each = each, .arg = arg};
    return sources_each(tr->db, name_reference, &r, tr->err);
}
