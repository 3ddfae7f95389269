/* export.c - exports a revision as a folder: reads everything first, writes it beside the
 * target, flushes it and renames it into place. Whoever sees the target sees all of it. */
#include "sets/export/export_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"

/* In the folder as long as it is not finished: only what has it is removed as the rest of a killed
 * export. */
#define UNFINISHED ".holdout-export"
#define EXPORT_ARENA ((size_t)1 << 33)
enum { TREE_FILES = 16 };

struct place {
    const char *target, *temp, *above; /* `above`: the folder that both lie in */
    int lock;                          /* on temp; -1: not ours */
};

/* ---- where it goes ---- */

static enum err_code refuse_target(const char *target, const char *why, struct err *err)
{
    return err_rule(err, ERR_CONFLICT, "export-target",
                    "%s %s. Nothing was exported; choose a folder that is new or empty.", target,
                    why);
}

/* The number of entries of a folder that is there, "." and ".." not among them. */
static enum err_code count_entries(const char *path, size_t *n, struct err *err)
{
    DIR *d = opendir(path);
    const struct dirent *entry;
    *n = 0;
    if (!d) {
        return err_errno(err, errno, "cannot read folder %s", path);
    }
    while ((entry = readdir(d)) != NULL) {
        *n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    closedir(d);
    return OK;
}

/* New or an empty folder. */
static enum err_code check_target(const char *target, struct err *err)
{
    struct stat st;
    size_t n = 0;
    if (lstat(target, &st) != 0) {
        return errno == ENOENT ? OK : err_errno(err, errno, "cannot look at %s", target);
    }
    if (!S_ISDIR(st.st_mode)) {
        return refuse_target(target, "is not a folder", err);
    }
    enum err_code rc = count_entries(target, &n, err);
    return rc == OK && n ? refuse_target(target, "is not empty", err) : rc;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    if (at->level == 0 || (at->level == 1 && strcmp(path + at->base, UNFINISHED) == 0)) {
        return 0; /* they go last */
    }
    return type == FTW_DP ? rmdir(path) : unlink(path);
}

/* What says that the folder is ours goes last: if this is killed too, the next export must know it
 * for what it is, by the mark or because it is empty. */
static enum err_code remove_tree(const char *path, struct err *err)
{
    struct arena a;
    arena_init(&a, 1 << 16);
    bool gone = nftw(path, remove_one, TREE_FILES, FTW_DEPTH | FTW_PHYS) == 0 &&
                (unlink(fs_join(&a, path, UNFINISHED)) == 0 || errno == ENOENT) && rmdir(path) == 0;
    int why = errno;
    arena_release(&a);
    return gone ? OK : err_errno(err, why, "cannot remove %s", path);
}

/* An export made it: it has the mark, or is empty, because the export was killed before it could
 * make the mark or after it had removed all else. */
static enum err_code is_ours(const char *temp, const struct stat *st, bool *ours, struct err *err)
{
    struct arena a;
    size_t n = 0;
    *ours = false;
    if (!S_ISDIR(st->st_mode)) {
        return OK;
    }
    arena_init(&a, 1 << 16);
    *ours = fs_exists(fs_join(&a, temp, UNFINISHED));
    arena_release(&a);
    enum err_code rc = *ours ? OK : count_entries(temp, &n, err);
    *ours = *ours || (rc == OK && n == 0);
    return rc;
}

/* What stands where the export is to be written is removed if an export left it that runs no more.
 */
static enum err_code clear_temp(const struct set_export *e, struct err *err)
{
    struct stat st;
    bool ours = false;
    if (lstat(e->temp, &st) != 0) {
        return errno == ENOENT ? OK : err_errno(err, errno, "cannot look at %s", e->temp);
    }
    enum err_code rc = is_ours(e->temp, &st, &ours, err);
    if (rc != OK || !ours) {
        return rc == OK ? err_rule(err, ERR_CONFLICT, "export-target",
                                   "%s is in the way and does not come from an export. Nothing was exported; "
                                   "rename it.",
                                   e->temp)
                        : rc;
    }
    int lock = open(e->temp, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    rc = lock >= 0 ? OK : err_errno(err, errno, "cannot open %s", e->temp);
    if (rc == OK && flock(lock, LOCK_EX | LOCK_NB) != 0) {
        rc = err_rule(err, ERR_BUSY, "export-busy",
                      "Another export is already writing to %s. Nothing was exported; wait for it, or choose "
                      "another folder.",
                      e->ask->target);
    }
    rc = rc == OK ? remove_tree(e->temp, err) : rc;
    if (lock >= 0) {
        close(lock);
    }
    return rc;
}

static enum err_code began_just_now(const struct place *p, struct err *err)
{
    return err_rule(err, ERR_BUSY, "export-busy",
                    "Another export has just begun to write to %s. Nothing was exported; try again.",
                    p->target);
}

/* Until it is locked the new folder is nobody's: another export may take it for what a killed one
 * left. Then the folder of that name is another than the one that was opened. */
static enum err_code lock_temp(struct place *p, struct err *err)
{
    struct stat opened, named;
    int lock = open(p->temp, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool mine = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0 && fstat(lock, &opened) == 0 &&
                lstat(p->temp, &named) == 0 && opened.st_dev == named.st_dev &&
                opened.st_ino == named.st_ino;
    if (!mine && lock >= 0) {
        close(lock);
    }
    p->lock = mine ? lock : -1;
    return mine ? OK : began_just_now(p, err);
}

static enum err_code make_temp(struct place *p, struct err *err)
{
    struct arena a;
    arena_init(&a, 1 << 16);
    enum err_code rc = fs_mkdirs(p->above, err);
    if (rc == OK && mkdir(p->temp, 0755) != 0) {
        rc = errno == EEXIST ? began_just_now(p, err)
                             : err_errno(err, errno, "cannot create folder %s", p->temp);
    }
    rc = rc == OK ? lock_temp(p, err) : rc;
    rc = rc == OK ? fs_write_new(fs_join(&a, p->temp, UNFINISHED), "", 0, err) : rc;
    arena_release(&a);
    return rc;
}

static struct place place_of(struct set_export *e)
{
    struct place p = {.lock = -1};
    size_t n = strlen(e->ask->target);
    while (n > 1 && e->ask->target[n - 1] == '/') {
        n--;
    }
    char *target = arena_cstr(&e->arena, sv_make(e->ask->target, n));
    const char *slash = strrchr(target, '/');
    p.target = target;
    p.temp = arena_printf(&e->arena, "%s.partial", target);
    p.above = !slash            ? "."
              : slash == target ? "/"
                                : arena_cstr(&e->arena, sv_make(target, (size_t)(slash - target)));
    return p;
}

/* ---- SHA256SUMS ---- */

static enum err_code add_sum(struct export_text *t, const char *file, const unsigned char *hash,
                             struct err *err)
{
    char hex[2 * CRYPTO_HASH + 1];
    crypto_hex(hash, CRYPTO_HASH, hex);
    /* Names with a backslash or a line feed would need escapes; ours have neither. */
    str_printf(&t->buf, "%s  %s\n", hex, file);
    return export_text_flush(t, err);
}

/* The images' hashes are those they were imported with, so that the sums find what this export
 * damaged too. */
static enum err_code write_sums(struct set_export *e, struct err *err)
{
    static const char *const files[] = {"README.md",      "classes.csv",     "frequencies.csv",
                                        "images.csv",     EXPORT_LIST,       EXPORT_MANIFEST,
                                        "metadata.jsonl", EXPORT_TOMBSTONES, "pool.csv"};
    struct export_text t;
    unsigned char hash[CRYPTO_HASH];
    size_t n = sizeof files / sizeof *files - !e->ask->pool;
    enum err_code rc = export_text_open(&t, e, "SHA256SUMS", err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = crypto_sha256_file(fs_join(&e->arena, e->temp, files[i]), hash, err);
        rc = rc == OK ? add_sum(&t, files[i], hash, err) : rc;
    }
    for (size_t i = 0; i < e->n && rc == OK; i++) {
        if (e->rows[i].pixels == EXPORT_FILE) {
            rc = add_sum(&t, e->rows[i].file, e->rows[i].sha256, err);
        }
    }
    return export_text_close(&t, rc, err);
}

/* ---- the whole ---- */

/* The name is the last thing that comes to be, and with it all of it. */
static enum err_code finish(const struct place *p, struct arena *a, struct err *err)
{
    enum err_code rc = fs_sync_all(p->temp, err);
    if (rc == OK && rename(p->temp, p->target) != 0) {
        rc = errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR
                 ? refuse_target(p->target, "was created by somebody else meanwhile", err)
                 : err_errno(err, errno, "cannot rename %s to %s", p->temp, p->target);
    }
    if (rc == OK && unlink(fs_join(a, p->target, UNFINISHED)) != 0) {
        rc = err_errno(err, errno, "cannot finish %s", p->target);
    }
    return rc == OK ? fs_sync_dir(p->above, err) : rc;
}

static enum err_code write_all(struct set_export *e, struct db *db, struct place *p,
                               struct err *err)
{
    enum err_code rc = make_temp(p, err);
    rc = rc == OK ? export_files(e, err) : rc;
    rc = rc == OK ? export_lists(e, err) : rc;
    if (rc == OK && e->ask->pool) {
        rc = export_pool(e, db, err);
    }
    rc = rc == OK ? export_about(e, err) : rc;
    rc = rc == OK ? write_sums(e, err) : rc;
    rc = rc == OK ? finish(p, &e->arena, err) : rc;
    if (rc != OK && p->lock >= 0 && fs_exists(p->temp)) {
        struct err later = {0}; /* what failed first is what people must know */
        remove_tree(p->temp, &later);
    }
    return rc;
}

static void release(struct set_export *e)
{
    if (e->pooled) {
        pool_release(&e->pool);
    }
    free(e->rows);
    free(e->tombstones);
    free(e->interval);
    json_decref(e->parameters);
    map_u64_release(&e->class_at);
    map_u64_release(&e->hidden);
    map_u64_release(&e->intervals);
    map_sv_release(&e->files);
    arena_release(&e->arena);
}

enum err_code set_export_write(struct db *db, struct tally *t, const struct set_export_ask *ask,
                               struct set_export_result *out, struct err *err)
{
    struct set_export e = {.ask = ask};
    arena_init(&e.arena, EXPORT_ARENA);
    map_u64_init(&e.class_at);
    map_u64_init(&e.hidden);
    map_u64_init(&e.intervals);
    map_sv_init(&e.files);
    struct place p = place_of(&e);
    e.temp = p.temp;
    enum err_code rc = check_target(p.target, err);
    rc = rc == OK ? clear_temp(&e, err) : rc;
    rc = rc == OK ? export_read(&e, db, t, err) : rc;
    rc = rc == OK ? write_all(&e, db, &p, err) : rc;
    if (p.lock >= 0) {
        close(p.lock);
    }
    *out = e.result;
    release(&e);
    return rc;
}
