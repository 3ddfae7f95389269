/* keepwal.c - LD_PRELOAD: keeps copies of the database and its write-ahead log as they were at
 * their last successful flush, that is, what a power cut would leave at worst.
 *
 * For every file opened whose name ends in ".db" or "-wal" there is a copy of the same name in
 * HOLDOUT_KEEP_DIR. Writes and truncations of the file are only noted; when fsync or fdatasync of
 * it has succeeded, the noted ranges are carried over to the copy before the call returns. So what
 * was written but not flushed is not in the copy, and what a flush promised is. A kill in the
 * middle of carrying over leaves what a power cut in the middle of a flush leaves: some of the
 * writes. A file that a process opens first is copied whole then: what it finds is its truth.
 *
 * SQLite resets its log by writing from the start again, and truncates it by ftruncate: both are
 * just ranges here. It must not map the database (mmap_size 0); its -shm file is no part of what
 * survives. One process at a time may write with this shim. Used by tests/http/durability.test.mjs;
 * knows nothing of SQLite's formats. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 16, FDS = 4096, RANGES = 4096 };

struct range { /* bytes from..to-1 were written since the last flush */
    off_t from, to;
};

struct kept {
    bool used;
    dev_t device;
    ino_t inode;
    int copy;  /* file descriptor of the copy */
    off_t cut; /* smallest length by ftruncate since the last flush, -1: none */
    size_t n;
    struct range ranges[RANGES];
};

/* The real functions. open is variadic, so it is called with its mode always: the kernel ignores
 * it without O_CREAT. */
static struct {
    int (*open)(const char *, int, ...);
    int (*openat)(int, const char *, int, ...);
    int (*close)(int);
    int (*fsync)(int);
    int (*fdatasync)(int);
    int (*ftruncate)(int, off_t);
    ssize_t (*pwrite)(int, const void *, size_t, off_t);
    ssize_t (*write)(int, const void *, size_t);
} real;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* everything below */
static struct kept files[FILES];
static signed char file_of[FDS]; /* 1 + index into files; 0: not ours */
static const char *keep_dir;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void die(const char *what)
{
    fprintf(stderr, "keepwal: %s: %s\n", what, strerror(errno));
    abort();
}

static void find(void *function, const char *name)
{
    void *p = dlsym(RTLD_NEXT, name);
    if (!p) {
        die(name);
    }
    memcpy(function, &p, sizeof p);
}

static void set_up(void)
{
    find(&real.open, "open64");
    find(&real.openat, "openat64");
    find(&real.close, "close");
    find(&real.fsync, "fsync");
    find(&real.fdatasync, "fdatasync");
    find(&real.ftruncate, "ftruncate64");
    find(&real.pwrite, "pwrite64");
    find(&real.write, "write");
    keep_dir = getenv("HOLDOUT_KEEP_DIR");
}

static void start(void)
{
    pthread_once(&once, set_up);
}

/* ------------------------------------------------------------ copies */

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && memcmp(text + n - m, end, m) == 0;
}

/* Copies bytes from..to-1; the file may be shorter meanwhile. */
static void copy_range(int from_fd, int to_fd, off_t from, off_t to)
{
    char buf[65536];
    while (from < to) {
        size_t want = to - from < (off_t)sizeof buf ? (size_t)(to - from) : sizeof buf;
        ssize_t n = pread(from_fd, buf, want, from);
        if (n == 0) {
            return;
        }
        if (n < 0 || real.pwrite(to_fd, buf, (size_t)n, from) != n) {
            die("cannot copy");
        }
        from += n;
    }
}

/* The whole file as it is, under another name first so that no half copy is ever seen. */
static int copy_whole(const char *path, off_t size)
{
    char name[PATH_MAX], tmp[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int n = snprintf(name, sizeof name, "%s/%s", keep_dir, slash ? slash + 1 : path);
    int m = snprintf(tmp, sizeof tmp, "%s/%s.tmp", keep_dir, slash ? slash + 1 : path);
    if (n < 0 || m < 0 || (size_t)n >= sizeof name || (size_t)m >= sizeof tmp) {
        die("path too long");
    }
    int from = real.open(path, O_RDONLY | O_CLOEXEC, 0);
    int to = real.open(tmp, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (from < 0 || to < 0) {
        die("cannot open a copy");
    }
    copy_range(from, to, 0, size);
    real.close(from);
    if (rename(tmp, name) != 0) {
        die("cannot rename a copy");
    }
    return to;
}

static int slot_for(const struct stat *st, bool *known)
{
    int unused = -1;
    for (int i = 0; i < FILES; i++) {
        if (files[i].used && files[i].device == st->st_dev && files[i].inode == st->st_ino) {
            *known = true;
            return i;
        }
        if (!files[i].used && unused < 0) {
            unused = i;
        }
    }
    *known = false;
    if (unused < 0) {
        die("too many files");
    }
    return unused;
}

/* A file was opened: ours are remembered, and copied when this process sees them first. An inode
 * that the disk uses again for a new log is caught by its length of 0. */
static void opened(int fd, const char *path)
{
    if (fd < 0 || fd >= FDS) {
        return;
    }
    struct stat st;
    bool known, ours = keep_dir && (ends_with(path, ".db") || ends_with(path, "-wal"));
    pthread_mutex_lock(&lock);
    file_of[fd] = 0;
    if (ours && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        int i = slot_for(&st, &known);
        struct kept *k = &files[i];
        if (known && st.st_size == 0) {
            real.close(k->copy);
            known = false;
        }
        if (!known) {
            *k = (struct kept){.used = true, .device = st.st_dev, .inode = st.st_ino, .cut = -1};
            k->copy = copy_whole(path, st.st_size);
        }
        file_of[fd] = (signed char)(i + 1);
    }
    pthread_mutex_unlock(&lock);
}

static struct kept *kept_of(int fd)
{
    return fd >= 0 && fd < FDS && file_of[fd] ? &files[file_of[fd] - 1] : NULL;
}

/* ------------------------------------------------------------ what was written since */

/* Appends mostly lengthen the last range. When the list is full everything becomes one range: it
 * copies more than was written, but only bytes of the file that the flush covers as well. */
static void note_write(int fd, off_t from, ssize_t n)
{
    if (n <= 0) {
        return;
    }
    off_t to = from + n;
    pthread_mutex_lock(&lock);
    struct kept *k = kept_of(fd);
    if (k && k->n > 0 && from <= k->ranges[k->n - 1].to && to >= k->ranges[k->n - 1].from) {
        struct range *r = &k->ranges[k->n - 1];
        r->from = from < r->from ? from : r->from;
        r->to = to > r->to ? to : r->to;
    } else if (k && k->n < RANGES) {
        k->ranges[k->n++] = (struct range){from, to};
    } else if (k) {
        struct range all = {from, to};
        for (size_t i = 0; i < k->n; i++) {
            all.from = k->ranges[i].from < all.from ? k->ranges[i].from : all.from;
            all.to = k->ranges[i].to > all.to ? k->ranges[i].to : all.to;
        }
        k->ranges[0] = all;
        k->n = 1;
    }
    pthread_mutex_unlock(&lock);
}

static void note_cut(int fd, off_t length)
{
    pthread_mutex_lock(&lock);
    struct kept *k = kept_of(fd);
    if (k && (k->cut < 0 || length < k->cut)) {
        k->cut = length;
    }
    pthread_mutex_unlock(&lock);
}

/* The flush has succeeded: the copy becomes what the file is. */
static void flushed(int fd)
{
    struct stat now, copy;
    pthread_mutex_lock(&lock);
    struct kept *k = kept_of(fd);
    if (k) {
        if (k->cut >= 0 && fstat(k->copy, &copy) == 0 && copy.st_size > k->cut &&
            real.ftruncate(k->copy, k->cut) != 0) {
            die("cannot truncate a copy");
        }
        for (size_t i = 0; i < k->n; i++) {
            copy_range(fd, k->copy, k->ranges[i].from, k->ranges[i].to);
        }
        /* Lengthened by ftruncate, without a write. */
        if (fstat(fd, &now) == 0 && fstat(k->copy, &copy) == 0 && now.st_size > copy.st_size &&
            real.ftruncate(k->copy, now.st_size) != 0) {
            die("cannot lengthen a copy");
        }
        k->n = 0;
        k->cut = -1;
    }
    pthread_mutex_unlock(&lock);
}

/* ------------------------------------------------------------ what the program calls */

int open(const char *path, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(ap, mode_t) : 0;
    va_end(ap);
    start();
    int fd = real.open(path, flags, mode);
    int error = errno;
    opened(fd, path);
    errno = error;
    return fd;
}

int openat(int dir, const char *path, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(ap, mode_t) : 0;
    va_end(ap);
    start();
    int fd = real.openat(dir, path, flags, mode);
    int error = errno;
    opened(fd, path);
    errno = error;
    return fd;
}

int close(int fd)
{
    start();
    pthread_mutex_lock(&lock);
    if (fd >= 0 && fd < FDS) {
        file_of[fd] = 0;
    }
    pthread_mutex_unlock(&lock);
    return real.close(fd);
}

int fsync(int fd)
{
    start();
    int rc = real.fsync(fd);
    if (rc == 0) {
        flushed(fd);
    }
    return rc;
}

int fdatasync(int fd)
{
    start();
    int rc = real.fdatasync(fd);
    if (rc == 0) {
        flushed(fd);
    }
    return rc;
}

int ftruncate(int fd, off_t length)
{
    start();
    int rc = real.ftruncate(fd, length);
    if (rc == 0) {
        note_cut(fd, length);
    }
    return rc;
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
    start();
    ssize_t done = real.pwrite(fd, p, n, at);
    note_write(fd, at, done);
    return done;
}

ssize_t write(int fd, const void *p, size_t n)
{
    start();
    ssize_t done = real.write(fd, p, n);
    pthread_mutex_lock(&lock);
    bool ours = done > 0 && kept_of(fd);
    pthread_mutex_unlock(&lock);
    if (ours) {
        note_write(fd, lseek(fd, 0, SEEK_CUR) - done, done);
    }
    return done;
}

/* On 64-bit Linux the two families are the same functions under two names. */
_Static_assert(sizeof(off_t) == 8, "keepwal needs 64-bit file offsets");
int open64(const char *path, int flags, ...) __attribute__((alias("open")));
int openat64(int dir, const char *path, int flags, ...) __attribute__((alias("openat")));
int ftruncate64(int fd, off_t length) __attribute__((alias("ftruncate")));
ssize_t pwrite64(int fd, const void *p, size_t n, off_t at) __attribute__((alias("pwrite")));
