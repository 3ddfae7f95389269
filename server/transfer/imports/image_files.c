/* image_files.c - the files of images: temporaries, ways to keep an original, flushes. */
#include "transfer/imports/image_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/xalloc.h"

#define FILE_MOST ((size_t)256 << 20)
enum { PATHS_ARENA = 1 << 16 };

const char *const keep_words[4] = {"copy", "reflink", "link", "reference"};

/* Removes all files of the folder. Only while no other import has some there. */
static enum err_code clean(int folder, const char *name, struct err *err)
{
    int again = dup(folder); /* closedir closes it, and the lock stays */
    DIR *d = again >= 0 ? fdopendir(again) : NULL;
    if (!d) {
        if (again >= 0) {
            close(again);
        }
        return err_errno(err, errno, "cannot read folder %s", name);
    }
    enum err_code rc = OK;
    for (struct dirent *e = readdir(d); e && rc == OK; e = readdir(d)) {
        if (e->d_name[0] != '.' && unlinkat(folder, e->d_name, 0) != 0) {
            rc = err_errno(err, errno, "cannot remove %s/%s", name, e->d_name);
        }
    }
    closedir(d);
    return rc;
}

/* Imports share a lock on the folder. One that gets it alone is the only one, and cleans up. */
static enum err_code enter(struct image_files *f, const char *incoming, struct err *err)
{
    f->lock = open(incoming, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f->lock < 0) {
        return err_errno(err, errno, "cannot open folder %s", incoming);
    }
    enum err_code rc = OK;
    if (flock(f->lock, LOCK_EX | LOCK_NB) == 0) {
        rc = clean(f->lock, incoming, err);
    }
    if (rc == OK && flock(f->lock, LOCK_SH) != 0) {
        rc = err_errno(err, errno, "cannot lock %s", incoming);
    }
    return rc;
}

enum err_code image_files_open(struct image_files *f, const char *dir, struct err *err)
{
    *f = (struct image_files){.dir = dir, .lock = -1};
    arena_init(&f->arena, PATHS_ARENA);
    f->images = fs_join(&f->arena, dir, "images");
    const char *incoming = fs_join(&f->arena, f->images, ".incoming");
    enum err_code rc = fs_mkdirs(incoming, err);
    return rc == OK ? enter(f, incoming, err) : rc;
}

void image_files_close(struct image_files *f)
{
    if (f->images) {
        fs_unlock(f->lock);
        arena_release(&f->arena);
        f->images = NULL;
    }
}

static enum err_code changed(struct err *err)
{
    return err_rule(err, ERR_INPUT, "file-changed", "the file changed while it was being read");
}

/* Reads until the end or one byte more than the file had. */
static enum err_code read_all(struct original *o, const char *path, struct err *err)
{
    size_t size = (size_t)o->stat.st_size;
    xgrow(&o->p, &o->cap, size + 1, 1);
    o->n = 0;
    while (o->n <= size) {
        ssize_t n = read(o->fd, o->p + o->n, size + 1 - o->n);
        if (n < 0) {
            return err_errno(err, errno, "cannot read %s", path);
        }
        if (n == 0) {
            break;
        }
        o->n += (size_t)n;
    }
    return o->n == size ? OK : changed(err);
}

enum err_code original_read(struct original *o, int base, const char *path, struct err *err)
{
    /* A pipe that nobody writes to must not hold up the import. */
    o->fd = openat(base, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (o->fd < 0) {
        return err_errno(err, errno, "cannot be opened");
    }
    if (fstat(o->fd, &o->stat) != 0) {
        return err_errno(err, errno, "cannot be read");
    }
    if (!S_ISREG(o->stat.st_mode)) {
        return err_set(err, ERR_INPUT, "is not a regular file");
    }
    if ((uint64_t)o->stat.st_size > FILE_MOST) {
        return err_set(err, ERR_LIMIT, "the file is larger than %zu bytes", FILE_MOST);
    }
    return read_all(o, path, err);
}

void original_close(struct original *o)
{
    if (o->fd >= 0) {
        close(o->fd);
    }
    o->fd = -1;
}

void original_release(struct original *o)
{
    original_close(o);
    free(o->p);
    *o = (struct original){.fd = -1};
}

static char *new_name(struct image_files *f, struct arena *a)
{
    return arena_printf(a, "%s/.incoming/%ld-%u", f->images, (long)getpid(),
                        __atomic_add_fetch(&f->counter, 1, __ATOMIC_RELAXED));
}

/* Renames a whole file to its place; the folder of 1/256 of the files is made when it is missing.
 * Does nothing but remove the name when both are names of one file (hard links). */
static enum err_code settle(const char *from, const char *to, struct arena *a, struct err *err)
{
    int done = rename(from, to);
    if (done != 0 && errno == ENOENT) {
        char *folder = arena_strdup(a, to);
        *strrchr(folder, '/') = '\0';
        enum err_code rc = fs_mkdirs(folder, err);
        if (rc != OK) {
            unlink(from);
            return rc;
        }
        done = rename(from, to);
    }
    if (done != 0) {
        int why = errno;
        unlink(from);
        return err_errno(err, why, "cannot rename to %s", to);
    }
    unlink(from);
    return OK;
}

enum err_code image_files_put(struct image_files *f, const unsigned char *sha256,
                              enum rendition_kind kind, const void *p, size_t n, struct err *err)
{
    struct arena a;
    arena_init(&a, PATHS_ARENA);
    const char *from = new_name(f, &a), *to = path_rendition(&a, f->dir, sha256, kind);
    enum err_code rc = fs_write_new(from, p, n, err);
    if (rc == OK && kind == RENDITION_GRID && truncate(from, (off_t)n + GRID_TAIL) != 0) {
        rc = err_errno(err, errno, "cannot write %s", from);
        unlink(from);
    }
    rc = rc == OK ? settle(from, to, &a, err) : rc;
    arena_release(&a);
    return rc;
}

/* A file that shares its blocks with the original; *why is 0 or the error. */
static enum err_code clone(const struct original *o, const char *to, int *why, struct err *err)
{
    int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0) {
        return err_errno(err, errno, "cannot create %s", to);
    }
    *why = ioctl(fd, FICLONE, o->fd) == 0 ? 0 : errno;
    close(fd);
    if (*why) {
        unlink(to);
    }
    return OK;
}

static enum err_code no_way(int why, const char *what, const struct image_files *f,
                            struct err *err)
{
    if (why == ENOSPC || why == EIO) {
        return err_errno(err, why, "cannot write into %s", f->images);
    }
    bool across = why == EXDEV;
    return err_rule(err, ERR_CONFLICT, "keep",
                    "%s into %s is not possible here (%s); use --keep copy or --keep reference",
                    what, f->images, across ? "they are on different file systems" : strerror(why));
}

/* A copy that shares its blocks, or one of its own. */
static enum err_code copy_original(struct image_files *f, const struct original *o,
                                   const char *to, enum keep *keep, struct err *err)
{
    int why = ENOTSUP;
    bool must = *keep == KEEP_REFLINK;
    if (must || !__atomic_load_n(&f->no_clones, __ATOMIC_RELAXED)) {
        enum err_code rc = clone(o, to, &why, err);
        if (rc != OK) {
            return rc;
        }
    }
    if (why == 0) {
        *keep = KEEP_REFLINK;
        return OK;
    }
    if (must) {
        return no_way(why, "a reflink", f, err);
    }
    __atomic_store_n(&f->no_clones, true, __ATOMIC_RELAXED);
    return fs_write_new(to, o->p, o->n, err);
}

/* Whether the file is still as it was when it was opened. */
static enum err_code still_same(const struct original *o, struct err *err)
{
    struct stat now;
    if (fstat(o->fd, &now) != 0) {
        return err_errno(err, errno, "cannot be read");
    }
    bool same = now.st_size == o->stat.st_size && now.st_mtim.tv_sec == o->stat.st_mtim.tv_sec &&
                now.st_mtim.tv_nsec == o->stat.st_mtim.tv_nsec;
    return same ? OK : changed(err);
}

/* Links the file that was read, whatever has its name by now. */
static enum err_code link_original(const struct image_files *f, const struct original *o,
                                   const char *to, struct err *err)
{
    char open_file[40];
    snprintf(open_file, sizeof open_file, "/proc/self/fd/%d", o->fd);
    return linkat(AT_FDCWD, open_file, AT_FDCWD, to, AT_SYMLINK_FOLLOW) == 0
               ? OK
               : no_way(errno, "a hard link", f, err);
}

enum err_code image_files_keep(struct image_files *f, const unsigned char *sha256,
                               const struct original *o, enum keep *keep, struct err *err)
{
    if (*keep == KEEP_REFERENCE) {
        return still_same(o, err);
    }
    struct arena a;
    arena_init(&a, PATHS_ARENA);
    const char *from = new_name(f, &a);
    const char *to = path_rendition(&a, f->dir, sha256, RENDITION_SOURCE);
    enum err_code rc = *keep == KEEP_LINK ? link_original(f, o, from, err)
                                          : copy_original(f, o, from, keep, err);
    if (rc == OK) {
        rc = still_same(o, err);
        if (rc != OK) {
            unlink(from);
        }
    }
    rc = rc == OK ? settle(from, to, &a, err) : rc;
    arena_release(&a);
    return rc;
}

enum err_code image_files_flush(const struct image_files *f, struct err *err)
{
    return fs_sync_all(f->images, err);
}

bool image_files_complete(const struct image_files *f, const unsigned char *sha256, int64_t bytes,
                          bool referenced)
{
    struct arena a;
    arena_init(&a, PATHS_ARENA);
    int64_t source = fs_size(path_rendition(&a, f->dir, sha256, RENDITION_SOURCE));
    bool all = (referenced || source == bytes) &&
               fs_size(path_rendition(&a, f->dir, sha256, RENDITION_VIEW)) > 0 &&
               fs_size(path_rendition(&a, f->dir, sha256, RENDITION_GRID)) > 0;
    arena_release(&a);
    return all;
}
