/* new_folder.c - flushes a folder and renames it into place. Whoever sees the target sees all of it. */
#include "base/new_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"

enum { TREE_FILES = 16 };

/* ---- the target ---- */

static const char *rule_of(const struct new_folder *f, const char *which)
{
    return arena_printf(f->arena, "%s-%s", f->words->what, which);
}

static enum err_code refuse_target(const struct new_folder *f, const char *why, struct err *err)
{
    return err_rule(err, ERR_CONFLICT, rule_of(f, "target"), "%s %s. Nothing was %s; choose a folder that is new or empty.", f->target,
                    why, f->words->done);
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
static enum err_code check_target(const struct new_folder *f, struct err *err)
{
    struct stat st;
    size_t n = 0;
    if (lstat(f->target, &st) != 0) {
        return errno == ENOENT ? OK : err_errno(err, errno, "cannot look at %s", f->target);
    }
    if (!S_ISDIR(st.st_mode)) {
        return refuse_target(f, "is not a folder", err);
    }
    enum err_code rc = count_entries(f->target, &n, err);
    return rc == OK && n ? refuse_target(f, "is not empty", err) : rc;
}

/* ---- what is not finished ---- */

static const char *mark_of(const struct new_folder *f, const char *folder)
{
    return fs_join(f->arena, folder, arena_printf(f->arena, ".%s", f->words->mark));
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    if (at->level == 0 || (at->level == 1 && path[at->base] == '.')) {
        return 0; /* they go last: nothing but the mark begins with a dot */
    }
    return type == FTW_DP ? rmdir(path) : unlink(path);
}

/* What says that the folder is ours goes last: if this is killed too, the next must know it for what it is, by the mark or
 * because it is empty. */
static enum err_code remove_tree(const struct new_folder *f, struct err *err)
{
    bool gone = nftw(f->temp, remove_one, TREE_FILES, FTW_DEPTH | FTW_PHYS) == 0 &&
                (unlink(mark_of(f, f->temp)) == 0 || errno == ENOENT) && rmdir(f->temp) == 0;
    return gone ? OK : err_errno(err, errno, "cannot remove %s", f->temp);
}

/* It has the mark, or is empty, because its maker was killed before it could make the mark or after it had removed all
 * else. */
static enum err_code is_ours(const struct new_folder *f, const struct stat *st, bool *ours, struct err *err)
{
    size_t n = 0;
    *ours = false;
    if (!S_ISDIR(st->st_mode)) {
        return OK;
    }
    *ours = fs_exists(mark_of(f, f->temp));
    enum err_code rc = *ours ? OK : count_entries(f->temp, &n, err);
    *ours = *ours || (rc == OK && n == 0);
    return rc;
}

/* What stands where we are to write is removed if one left it that runs no more. */
static enum err_code clear_temp(const struct new_folder *f, struct err *err)
{
    struct stat st;
    bool ours = false;
    if (lstat(f->temp, &st) != 0) {
        return errno == ENOENT ? OK : err_errno(err, errno, "cannot look at %s", f->temp);
    }
    enum err_code rc = is_ours(f, &st, &ours, err);
    if (rc != OK || !ours) {
        return rc == OK ? err_rule(err, ERR_CONFLICT, rule_of(f, "target"),
                                   "%s is in the way and does not come from %s. Nothing was %s; rename it.", f->temp,
                                   f->words->a_what, f->words->done)
                        : rc;
    }
    int lock = open(f->temp, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    rc = lock >= 0 ? OK : err_errno(err, errno, "cannot open %s", f->temp);
    if (rc == OK && flock(lock, LOCK_EX | LOCK_NB) != 0) {
        rc = err_rule(err, ERR_BUSY, rule_of(f, "busy"),
                      "Another %s is already writing to %s. Nothing was %s; wait for it, or choose another folder.", f->words->what,
                      f->target, f->words->done);
    }
    rc = rc == OK ? remove_tree(f, err) : rc;
    if (lock >= 0) {
        close(lock);
    }
    return rc;
}

enum err_code new_folder_check(struct new_folder *f, struct err *err)
{
    enum err_code rc = check_target(f, err);
    return rc == OK ? clear_temp(f, err) : rc;
}

/* ---- from beginning to end ---- */

struct new_folder new_folder_of(struct arena *a, const struct new_folder_words *words, const char *target)
{
    struct new_folder f = {.words = words, .arena = a, .lock = -1};
    size_t n = strlen(target);
    while (n > 1 && target[n - 1] == '/') {
        n--;
    }
    f.target = arena_cstr(a, sv_make(target, n));
    const char *slash = strrchr(f.target, '/');
    f.temp = arena_printf(a, "%s.partial", f.target);
    f.above = !slash              ? "."
              : slash == f.target ? "/"
                                  : arena_cstr(a, sv_make(f.target, (size_t)(slash - f.target)));
    return f;
}

static enum err_code began_just_now(const struct new_folder *f, struct err *err)
{
    return err_rule(err, ERR_BUSY, rule_of(f, "busy"), "Another %s has just begun to write to %s. Nothing was %s; try again.",
                    f->words->what, f->target, f->words->done);
}

/* Until it is locked the new folder is nobody's: another process may take it for what a killed one left. Then the folder
 * of that name is another than the one that was opened. */
static enum err_code lock_temp(struct new_folder *f, struct err *err)
{
    struct stat opened, named;
    int lock = open(f->temp, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool mine = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0 && fstat(lock, &opened) == 0 && lstat(f->temp, &named) == 0 &&
                opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
    if (!mine && lock >= 0) {
        close(lock);
    }
    f->lock = mine ? lock : -1;
    return mine ? OK : began_just_now(f, err);
}

enum err_code new_folder_open(struct new_folder *f, struct err *err)
{
    enum err_code rc = fs_mkdirs(f->above, err);
    if (rc == OK && mkdir(f->temp, 0755) != 0) {
        rc = errno == EEXIST ? began_just_now(f, err) : err_errno(err, errno, "cannot create folder %s", f->temp);
    }
    rc = rc == OK ? lock_temp(f, err) : rc;
    return rc == OK ? fs_write_new(mark_of(f, f->temp), "", 0, err) : rc;
}

/* The name is the last thing that comes to be, and with it all of it. */
static enum err_code finish(const struct new_folder *f, struct err *err)
{
    enum err_code rc = fs_sync_all(f->temp, err);
    if (rc == OK && rename(f->temp, f->target) != 0) {
        rc = errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR
                 ? refuse_target(f, "was created by somebody else meanwhile", err)
                 : err_errno(err, errno, "cannot rename %s to %s", f->temp, f->target);
    }
    if (rc == OK && unlink(mark_of(f, f->target)) != 0) {
        rc = err_errno(err, errno, "cannot finish %s", f->target);
    }
    return rc == OK ? fs_sync_dir(f->above, err) : rc;
}

enum err_code new_folder_close(struct new_folder *f, enum err_code rc, struct err *err)
{
    rc = rc == OK ? finish(f, err) : rc;
    if (rc != OK && f->lock >= 0 && fs_exists(f->temp)) {
        struct err later = {0}; /* what failed first is what people must know */
        remove_tree(f, &later);
    }
    if (f->lock >= 0) {
        close(f->lock);
    }
    f->lock = -1;
    return rc;
}
