/* backup_target.c - generations of backups in a folder. */
#include "transfer/backup/backup_target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/xalloc.h"
#include "transfer/backup/backup_files.h"

#define UNFINISHED_FOLDER ".unfinished"
#define REMOVED_FOLDER ".removed"

/* ---- looking ---- */

struct reading {
    struct backup_target *out;
    struct arena *a;
    void (*unreadable)(void *arg, const char *why);
    void *arg;
    size_t cap, cap_leftovers;
};

static bool is_folder(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The project that the file `unfinished` names, "" when it names none. */
static const char *unfinished_id(const char *folder, struct arena *a)
{
    struct str text;
    int fd;
    const char *id = "";
    str_init(&text, 4096);
    if (fs_open_below(folder, BACKUP_UNFINISHED, &fd, NULL) == OK) {
        if (fs_read_fd(fd, folder, &text, NULL) == OK) {
            struct sv all = str_sv(&text);
            id = arena_cstr(a, sv_cut(&all, '\n'));
        }
        close(fd);
    }
    str_release(&text);
    return id;
}

static void add_generation(struct reading *r, const char *path, const char *stamp, bool flat)
{
    struct backup_target *t = r->out;
    struct backup_manifest m;
    struct err why = {0};
    enum err_code rc = backup_manifest_read(path, r->a, &m, &why);
    if (rc == OK) {
        xgrow(&t->list, &r->cap, t->n + 1, sizeof *t->list);
        t->list[t->n++] = (struct backup_generation){
            .path = path, .stamp = flat ? backup_stamp_of(&m, r->a) : stamp, .flat = flat, .m = m};
    } else if (rc != ERR_NOT_FOUND) {
        t->unreadable++;
        r->unreadable(r->arg, why.msg);
    } else if (!flat) {
        t->other = stamp;
    }
}

static void add_leftover(struct reading *r, struct backup_leftover l)
{
    struct backup_target *t = r->out;
    xgrow(&t->leftovers, &r->cap_leftovers, t->n_leftovers + 1, sizeof *t->leftovers);
    t->leftovers[t->n_leftovers++] = l;
}

/* A folder that says whose it is, or that was killed before it could or after all else was gone. */
static void look_at_leftover(struct reading *r, const char *path, const char *name, bool removed)
{
    struct backup_manifest m;
    const char *what = NULL, *id = unfinished_id(path, r->a);
    if (!*id && backup_manifest_read(path, r->a, &m, NULL) == OK) {
        id = m.id;
    }
    if (*id || (backup_folder_empty(path, r->a, &what, NULL) == OK && !what)) {
        add_leftover(r, (struct backup_leftover){path, id, removed, false});
    } else {
        r->out->other = name;
    }
}

static void look_at(struct reading *r, const char *name)
{
    static const char *const beside[] = {".", "..", BACKUP_LOCK, "lost+found"};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        if (strcmp(name, beside[i]) == 0) {
            return;
        }
    }
    const char *path = fs_join(r->a, r->out->path, name), *end = backup_stamp_end(name);
    bool folder = end && is_folder(path);
    name = arena_strdup(r->a, name);
    if (folder && *end == '\0') {
        add_generation(r, path, name, false);
    } else if (folder && strcmp(end, UNFINISHED_FOLDER) == 0) {
        look_at_leftover(r, path, name, false);
    } else if (folder && strcmp(end, REMOVED_FOLDER) == 0) {
        look_at_leftover(r, path, name, true);
    } else if (!backup_is_temporary(name)) {
        r->out->other = name;
    }
}

static int by_stamp(const void *a, const void *b)
{
    return strcmp(((const struct backup_generation *)a)->stamp,
                  ((const struct backup_generation *)b)->stamp);
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct backup_leftover *)a)->path,
                  ((const struct backup_leftover *)b)->path);
}

/* Sorted, and from the heap into the arena. */
static void settle(struct reading *r)
{
    struct backup_target *t = r->out;
    struct backup_generation *list = arena_calloc(r->a, t->n + 1, sizeof *list);
    struct backup_leftover *leftovers = arena_calloc(r->a, t->n_leftovers + 1, sizeof *leftovers);
    if (t->n) {
        memcpy(list, t->list, t->n * sizeof *list);
        qsort(list, t->n, sizeof *list, by_stamp);
    }
    if (t->n_leftovers) {
        memcpy(leftovers, t->leftovers, t->n_leftovers * sizeof *leftovers);
        qsort(leftovers, t->n_leftovers, sizeof *leftovers, by_path);
    }
    free(t->list);
    free(t->leftovers);
    t->list = list;
    t->leftovers = leftovers;
}

enum err_code backup_target_read(const char *path, struct arena *a, struct backup_target *out,
                                 void (*unreadable)(void *arg, const char *why), void *arg,
                                 struct err *err)
{
    struct reading r = {.out = out, .a = a, .unreadable = unreadable, .arg = arg};
    *out = (struct backup_target){.path = path};
    DIR *d = opendir(path);
    if (!d && (errno == ENOENT || errno == ENOTDIR)) {
        return err_rule(err, ERR_NOT_FOUND, "no-backup", "%s is not a backup: it has no " BACKUP_MANIFEST,
                        path);
    }
    if (!d) {
        return err_errno(err, errno, "cannot read folder %s", path);
    }
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        look_at(&r, e->d_name);
    }
    closedir(d);
    add_generation(&r, path, NULL, true);
    const char *id = unfinished_id(path, a);
    bool whole = out->n && out->list[out->n - 1].flat;
    if (*id && !whole) {
        add_leftover(&r, (struct backup_leftover){path, id, false, true});
    }
    if (*id || whole) {
        out->other = NULL; /* its parts are no strangers */
    }
    settle(&r);
    return OK;
}

enum err_code backup_target_none(const struct backup_target *t, struct err *err)
{
    return err_rule(err, ERR_NOT_FOUND, "no-backup",
                    t->n_leftovers
                        ? "%s is an unfinished backup: run `holdout backup` once more to complete it"
                        : "%s is not a backup: it has no " BACKUP_MANIFEST,
                    t->path);
}

enum err_code backup_target_lock(const char *path, struct arena *a, int *fd, struct err *err)
{
    char *full = realpath(path, NULL);
    const char *name = full ? strrchr(full, '/') + 1 : "", *end = backup_stamp_end(name);
    const char *lock = fs_join(a, path, BACKUP_LOCK);
    const char *above = fs_join(a, path, "../" BACKUP_LOCK);
    struct err why = {0};
    if (end && fs_exists(above)) {
        lock = above;
    }
    free(full);
    *fd = -1;
    /* It cannot be had on a medium that is read only; nobody writes there either. */
    return fs_exists(path) && fs_lock(lock, false, fd, &why) == ERR_BUSY
               ? err_set(err, ERR_BUSY,
                         "%s is being written by a backup; try again when that is done", path)
               : OK;
}

/* ---- making ---- */

static const char *folder_of(const struct backup_target *t, const char *stamp, const char *end,
                             struct arena *a)
{
    return fs_join(a, t->path, arena_printf(a, "%s%s", stamp, end));
}

enum err_code backup_target_begin(const struct backup_target *t, const char *stamp, const char *id,
                                  struct arena *a, const char **path, struct err *err)
{
    const char *to = folder_of(t, stamp, UNFINISHED_FOLDER, a), *from = NULL;
    for (size_t i = 0; i < t->n_leftovers; i++) {
        const struct backup_leftover *l = &t->leftovers[i];
        from = !l->removed && !l->flat ? l->path : from;
    }
    enum err_code rc = OK;
    if (from ? rename(from, to) != 0 : mkdir(to, 0700) != 0) {
        rc = err_errno(err, errno, "cannot make the folder %s", to);
    }
    const char *text = arena_printf(a, "%s\n"
                                    "A backup was begun here and not finished; `holdout backup` completes "
                                    "it.\n", id);
    if (rc == OK) {
        rc = fs_write_whole(fs_join(a, to, BACKUP_UNFINISHED), text, strlen(text), true, err);
    }
    if (rc == OK && unlink(fs_join(a, to, BACKUP_MANIFEST)) != 0 && errno != ENOENT) {
        rc = err_errno(err, errno, "cannot remove %s/" BACKUP_MANIFEST, to);
    }
    *path = to;
    return rc == OK ? backup_sweep(to, NULL, err) : rc;
}

enum err_code backup_target_finish(const struct backup_target *t, const char *stamp, struct arena *a,
                                   const char **path, struct err *err)
{
    const char *from = folder_of(t, stamp, UNFINISHED_FOLDER, a), *to = folder_of(t, stamp, "", a);
    if (unlink(fs_join(a, from, BACKUP_UNFINISHED)) != 0) {
        return err_errno(err, errno, "cannot remove %s/" BACKUP_UNFINISHED, from);
    }
    enum err_code rc = fs_sync_dir(from, err);
    if (rc == OK && rename(from, to) != 0) {
        rc = err_errno(err, errno, "cannot rename %s to %s", from, to);
    }
    *path = to;
    return rc == OK ? fs_sync_dir(t->path, err) : rc;
}

/* ---- removing ---- */

/* ENOENT: it is gone already. A folder that holds something of others stays. */
static enum err_code drop(const char *path, bool folder, struct err *err)
{
    int failed = folder ? rmdir(path) : unlink(path);
    bool fine = failed == 0 || errno == ENOENT || (folder && (errno == ENOTEMPTY || errno == EEXIST));
    return fine ? OK : err_errno(err, errno, "cannot remove %s", path);
}

/* The manifest goes last: by it the next run knows whose the rest is. A flat one has no other name to
 * show that it is going, so there the manifest is what goes first, and the mark that is left says the rest. */
static enum err_code remove_parts(const char *path, struct arena *a, struct err *err)
{
    enum err_code rc = backup_sweep(path, NULL, err);
    rc = rc == OK ? backup_files_remove(path, err) : rc;
    rc = rc == OK ? drop(fs_join(a, path, BACKUP_MANIFEST), false, err) : rc;
    return rc == OK ? drop(fs_join(a, path, BACKUP_UNFINISHED), false, err) : rc;
}

static enum err_code remove_folder(const char *path, struct arena *a, struct err *err)
{
    enum err_code rc = remove_parts(path, a, err);
    rc = rc == OK ? drop(fs_join(a, path, BACKUP_LOCK), false, err) : rc;
    return rc == OK ? drop(path, true, err) : rc;
}

static enum err_code remove_flat(const struct backup_generation *g, struct arena *a, struct err *err)
{
    const char *text = arena_printf(a, "%s\n"
                                    "A backup is being removed here; the next `holdout backup` finishes "
                                    "that.\n", g->m.id);
    enum err_code rc =
        fs_write_whole(fs_join(a, g->path, BACKUP_UNFINISHED), text, strlen(text), true, err);
    rc = rc == OK ? drop(fs_join(a, g->path, BACKUP_MANIFEST), false, err) : rc;
    rc = rc == OK ? fs_sync_dir(g->path, err) : rc;
    return rc == OK ? remove_parts(g->path, a, err) : rc;
}

static enum err_code remove_generation(const struct backup_target *t,
                                       const struct backup_generation *g, struct arena *a,
                                       struct err *err)
{
    if (g->flat) {
        return remove_flat(g, a, err);
    }
    const char *to = folder_of(t, g->stamp, REMOVED_FOLDER, a);
    if (rename(g->path, to) != 0) {
        return err_errno(err, errno, "cannot rename %s to %s", g->path, to);
    }
    return remove_folder(to, a, err);
}

enum err_code backup_target_thin(const struct backup_target *t, size_t keep, struct arena *a,
                                 size_t *removed, struct err *err)
{
    enum err_code rc = OK;
    size_t checked = t->n; /* the newest of those whose database was checked */
    *removed = 0;
    for (size_t i = 0; i < t->n_leftovers && rc == OK; i++) {
        const struct backup_leftover *l = &t->leftovers[i];
        rc = l->flat ? remove_parts(l->path, a, err) : remove_folder(l->path, a, err);
    }
    for (size_t i = 0; i < t->n; i++) {
        checked = t->list[i].m.checked ? i : checked;
    }
    for (size_t i = 0; i + 1 < t->n && t->n - *removed > keep && rc == OK; i++) {
        if (i != checked) {
            rc = remove_generation(t, &t->list[i], a, err);
            *removed += rc == OK;
        }
    }
    return rc == OK ? fs_sync_dir(t->path, err) : rc;
}
