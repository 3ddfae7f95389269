/* fs.c - files and folders. */
#include "base/fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/xalloc.h"

/* `waits`: for somebody who writes into a pipe; who takes files alone does not. */
static enum err_code open_read(const char *path, bool waits, int *fd, struct err *err)
{
    *fd = open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK));
    if (*fd < 0) {
        if (errno == ENOENT || errno == ENOTDIR) {
            return err_set(err, ERR_NOT_FOUND, "%s: no such file", path);
        }
        return err_errno(err, errno, "cannot open %s", path);
    }
    return OK;
}

/* One step down from the folder `at`, which is closed; -1 with errno. */
static int step_below(int at, const char *name, bool last)
{
    int fd = openat(at, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (last ? 0 : O_DIRECTORY));
    int why = errno;
    struct stat st;
    if (fd < 0 && why == ENOTDIR && fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISLNK(st.st_mode)) {
        why = ELOOP;
    }
    close(at);
    errno = why;
    return fd;
}

enum err_code fs_open_below(const char *root, const char *relative, int *fd, struct err *err)
{
    char *names = xstrdup(relative);
    *fd = open(root, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    for (char *name = names; name && *fd >= 0;) {
        char *slash = strchr(name, '/');
        if (slash) {
            *slash = '\0';
        }
        bool up = strcmp(name, "..") == 0;
        *fd = step_below(*fd, up ? "" : name, !slash);
        name = slash ? slash + 1 : NULL;
    }
    int why = errno;
    struct stat st;
    free(names);
    if (*fd >= 0 && fstat(*fd, &st) == 0 && S_ISREG(st.st_mode)) {
        return OK;
    }
    if (*fd >= 0) { /* devices need not end, and pipes not begin */
        close(*fd);
        *fd = -1;
        return err_set(err, ERR_INPUT, "%s/%s is not a regular file", root, relative);
    }
    if (why == ELOOP) {
        return err_rule(err, ERR_INPUT, "link", "%s/%s is a symbolic link or leads through one; links are "
                        "not followed", root, relative);
    }
    return why == ENOENT || why == ENOTDIR
               ? err_set(err, ERR_NOT_FOUND, "%s/%s: no such file", root, relative)
               : err_errno(err, why, "cannot open %s/%s", root, relative);
}

enum err_code fs_read_fd(int fd, const char *path, struct str *out, struct err *err)
{
    char buf[65536];
    ssize_t n;
    while ((n = read(fd, buf, sizeof buf)) > 0 && !out->over) {
        str_add(out, buf, (size_t)n);
    }
    return n < 0 ? err_errno(err, errno, "cannot read %s", path) : str_check(out, path, err);
}

enum err_code fs_read(const char *path, struct str *out, struct err *err)
{
    bool from_stdin = strcmp(path, "-") == 0;
    int fd = STDIN_FILENO;
    enum err_code rc = from_stdin ? OK : open_read(path, true, &fd, err);
    if (rc != OK) {
        return rc;
    }
    rc = fs_read_fd(fd, path, out, err);
    if (!from_stdin) {
        close(fd);
    }
    return rc;
}

enum err_code fs_map(const char *path, struct fs_map *out, struct err *err)
{
    int fd;
    enum err_code rc = open_read(path, false, &fd, err);
    if (rc != OK) {
        return rc;
    }
    struct stat st;
    *out = (struct fs_map){0};
    if (fstat(fd, &st) != 0) {
        rc = err_errno(err, errno, "cannot read %s", path);
    } else if (!S_ISREG(st.st_mode)) {
        rc = err_set(err, ERR_INPUT, "%s is not a regular file", path);
    } else if (st.st_size > 0) {
        void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (p == MAP_FAILED) {
            rc = err_errno(err, errno, "cannot map %s", path);
        } else {
            *out = (struct fs_map){p, (size_t)st.st_size};
        }
    }
    close(fd);
    return rc;
}

void fs_unmap(struct fs_map *m)
{
    if (m->data) {
        union {
            const unsigned char *in;
            void *out;
        } p = {m->data};
        munmap(p.out, m->n);
    }
    *m = (struct fs_map){0};
}

static int flush_fd(int fd)
{
    int fault = fault_sync();
    if (fault) {
        errno = fault;
        return -1;
    }
    return fsync(fd);
}

static int write_fd(int fd, const char *p, size_t n)
{
    while (n) {
        int fault = fault_space();
        if (fault) {
            errno = fault;
            return -1;
        }
        ssize_t w = write(fd, p, fault_short() && n > 1 ? n / 2 : n);
        if (w < 0) {
            return -1;
        }
        p += w;
        n -= (size_t)w;
    }
    return 0;
}

static enum err_code sync_path(const char *path, int flags, struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | flags);
    if (fd < 0) {
        return err_errno(err, errno, "cannot open %s", path);
    }
    enum err_code rc = flush_fd(fd) == 0 ? OK : err_errno(err, errno, "cannot flush %s", path);
    close(fd);
    return rc;
}

enum err_code fs_sync_file(const char *path, struct err *err)
{
    return sync_path(path, 0, err);
}

enum err_code fs_sync_dir(const char *path, struct err *err)
{
    return sync_path(path, O_DIRECTORY, err);
}

enum err_code fs_sync_all(const char *dir, struct err *err)
{
    int fd = open(dir, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    if (fd < 0) {
        return err_errno(err, errno, "cannot open %s", dir);
    }
    int fault = fault_sync();
    int why = fault ? fault : syncfs(fd) != 0 ? errno : 0;
    close(fd);
    return why ? err_errno(err, why, "cannot flush the files in %s", dir) : OK;
}

static enum err_code sync_parent(const char *path, struct err *err)
{
    struct arena a;
    arena_init(&a, SIZE_MAX / 2); /* a path too long is for the system to refuse */
    char *dir = arena_strdup(&a, path);
    char *slash = strrchr(dir, '/');
    enum err_code rc;
    if (!slash) {
        rc = fs_sync_dir(".", err);
    } else {
        *(slash == dir ? slash + 1 : slash) = '\0';
        rc = fs_sync_dir(dir, err);
    }
    arena_release(&a);
    return rc;
}

static enum err_code write_new(const char *path, const void *p, size_t n, bool flush,
                               struct err *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0) {
        return err_errno(err, errno, "cannot create %s", path);
    }
    enum err_code rc = OK;
    if (write_fd(fd, p, n) != 0 || (flush && flush_fd(fd) != 0)) {
        rc = err_errno(err, errno, "cannot write %s", path);
    }
    if (close(fd) != 0 && rc == OK) {
        rc = err_errno(err, errno, "cannot write %s", path);
    }
    if (rc != OK) {
        unlink(path);
    }
    return rc;
}

enum err_code fs_write_new(const char *path, const void *p, size_t n, struct err *err)
{
    return write_new(path, p, n, false, err);
}

/* The bytes from `at` to `end`, read and written in pieces. */
static int copy_range(int from, int to, off_t at, off_t end)
{
    char buf[65536];
    if (lseek(from, at, SEEK_SET) < 0 || lseek(to, at, SEEK_SET) < 0) {
        return -1;
    }
    while (at < end) {
        size_t want = (size_t)(end - at) < sizeof buf ? (size_t)(end - at) : sizeof buf;
        ssize_t n = read(from, buf, want);
        if (n <= 0 || write_fd(to, buf, (size_t)n) != 0) {
            errno = n == 0 ? EIO : errno; /* it became shorter meanwhile */
            return -1;
        }
        at += n;
    }
    return 0;
}

/* Data and holes of a file of `size` bytes. File systems that know no holes say that all is data. */
static int copy_data(int from, int to, off_t size)
{
    int fault = fault_space();
    if (fault) {
        errno = fault;
        return -1;
    }
    if (ioctl(to, FICLONE, from) == 0) {
        return 0;
    }
    for (off_t at = 0; at < size;) {
        off_t data = lseek(from, at, SEEK_DATA);
        if (data < 0) {
            if (errno == ENXIO) {
                break; /* a hole up to the end */
            }
            return -1;
        }
        off_t end = lseek(from, data, SEEK_HOLE);
        if (end < 0 || copy_range(from, to, data, end) != 0) {
            return -1;
        }
        at = end;
    }
    return ftruncate(to, size);
}

enum err_code fs_copy_fd(int in, const char *from, const char *to, struct err *err)
{
    struct stat st;
    if (fstat(in, &st) != 0 || !S_ISREG(st.st_mode)) {
        return err_set(err, ERR_INPUT, "%s is not a regular file", from);
    }
    int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, st.st_mode & 0777);
    if (out < 0) {
        return err_errno(err, errno, "cannot create %s", to);
    }
    int failed = copy_data(in, out, st.st_size);
    int why = errno;
    if (close(out) != 0 && !failed) {
        failed = -1;
        why = errno;
    }
    if (failed) {
        unlink(to);
        return err_errno(err, why, "cannot copy %s to %s", from, to);
    }
    return OK;
}

enum err_code fs_copy_new(const char *from, const char *to, struct err *err)
{
    int in;
    enum err_code rc = open_read(from, false, &in, err);
    if (rc == OK) {
        rc = fs_copy_fd(in, from, to, err);
        close(in);
    }
    return rc;
}

enum err_code fs_write_whole(const char *path, const void *p, size_t n, bool flush,
                             struct err *err)
{
    static unsigned counter;
    struct arena a;
    arena_init(&a, SIZE_MAX / 2);
    char *tmp = arena_printf(&a, "%s.tmp-%ld-%u", path, (long)getpid(),
                             __atomic_add_fetch(&counter, 1, __ATOMIC_RELAXED));
    enum err_code rc = write_new(tmp, p, n, flush, err);
    if (rc == OK && rename(tmp, path) != 0) {
        rc = err_errno(err, errno, "cannot rename to %s", path);
        unlink(tmp);
    }
    if (rc == OK && flush) {
        rc = sync_parent(path, err);
    }
    arena_release(&a);
    return rc;
}

enum err_code fs_mkdirs(const char *path, struct err *err)
{
    char *p = xstrdup(path);
    enum err_code rc = OK;
    for (char *at = *p ? p + 1 : p; rc == OK; at++) {
        char c = *at;
        if (c == '/' || c == '\0') {
            *at = '\0';
            if (mkdir(p, 0755) != 0 && !(errno == EEXIST && fs_is_dir(p))) {
                rc = err_errno(err, errno, "cannot create folder %s", p);
            }
            *at = c;
        }
        if (c == '\0') {
            break;
        }
    }
    free(p);
    return rc;
}

enum err_code fs_mkdirs_private(const char *path, struct err *err)
{
    bool there = fs_exists(path);
    enum err_code rc = fs_mkdirs(path, err);
    if (rc == OK && !there && chmod(path, 0700) != 0) {
        rc = err_errno(err, errno, "cannot set the permissions of %s", path);
    }
    return rc;
}

bool fs_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool fs_is_dir(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int64_t fs_size(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (int64_t)st.st_size : -1;
}

char *fs_join(struct arena *a, const char *dir, const char *name)
{
    size_t n = strlen(dir);
    return arena_printf(a, n && dir[n - 1] == '/' ? "%s%s" : "%s/%s", dir, name);
}

enum err_code fs_lock(const char *path, bool exclusive, int *fd, struct err *err)
{
    /* A link could make a file anywhere: a backup from elsewhere may hold one in place of its lock. */
    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (*fd < 0) {
        return err_errno(err, errno, "cannot open the lock file %s", path);
    }
    if (flock(*fd, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0) {
        int why = errno;
        close(*fd);
        *fd = -1;
        if (why == EWOULDBLOCK) {
            return err_set(err, ERR_BUSY, "%s is locked by another process", path);
        }
        return err_errno(err, why, "cannot lock %s", path);
    }
    return OK;
}

void fs_unlock(int fd)
{
    if (fd >= 0) {
        close(fd);
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names in `dir` without dot files, sorted, in the arena. */
static enum err_code list_dir(const char *dir, struct arena *a, char ***out, size_t *n,
                              struct err *err)
{
    DIR *d = opendir(dir);
    if (!d) {
        return err_errno(err, errno, "cannot read folder %s", dir);
    }
    char **names = NULL;
    size_t cap = 0;
    *n = 0;
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        if (e->d_name[0] != '.') {
            xgrow(&names, &cap, *n + 1, sizeof *names);
            names[(*n)++] = arena_strdup(a, e->d_name);
        }
    }
    closedir(d);
    if (*n) {
        qsort(names, *n, sizeof *names, by_name);
    }
    *out = names;
    return OK;
}

struct walk {
    enum err_code (*each)(void *arg, const char *relative, struct err *err);
    void *arg;
    const char *root;
};

enum { WALK_DEPTH = 32 };

static enum err_code walk_dir(const struct walk *w, const char *below, int depth, struct err *err)
{
    if (depth > WALK_DEPTH) {
        return err_set(err, ERR_LIMIT, "%s/%s: folders are nested deeper than %d", w->root, below,
                       WALK_DEPTH);
    }
    struct arena a;
    arena_init(&a, (size_t)1 << 30);
    char **names = NULL;
    size_t n = 0;
    const char *dir = *below ? fs_join(&a, w->root, below) : w->root;
    enum err_code rc = list_dir(dir, &a, &names, &n, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct stat st;
        const char *path = fs_join(&a, dir, names[i]);
        const char *rel = *below ? fs_join(&a, below, names[i]) : names[i];
        if (lstat(path, &st) != 0) {
            continue; /* gone since the listing */
        }
        if (S_ISDIR(st.st_mode)) {
            rc = walk_dir(w, rel, depth + 1, err);
        } else if (fs_size(path) >= 0) {
            rc = w->each(w->arg, rel, err);
        }
    }
    free(names);
    arena_release(&a);
    return rc;
}

enum err_code fs_walk(const char *root,
                      enum err_code (*each)(void *arg, const char *relative, struct err *err),
                      void *arg, struct err *err)
{
    return walk_dir(&(struct walk){each, arg, root}, "", 0, err);
}
