/* files.c - the images of an export: copied, hard-linked or cloned by a few threads,
 * each looked at before it is called exported. */
#include "sets/export/export_private.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/parallel.h"
#include "base/xalloc.h"
#include "crypto/crypto.h"
#include "store/images/paths.h"

enum { PATHS_ARENA = 1 << 20, COPY_THREADS = 4, AT_ONCE = 64 };

struct copying {
    struct set_export *e;
    struct arena paths[COPY_THREADS];
    pthread_mutex_t lock; /* of `err` */
    struct err err;
    bool failed; /* atomic, as is `done` */
    size_t done; /* rows */
};

static enum err_code bad_file(const struct export_row *r, const char *path, const char *what,
                              struct err *err)
{
    return err_rule(err, ERR_CONFLICT, "export-file",
                    "The bytes of image " SV_FMT
                    " %s (%s). Nothing was exported; `holdout check --hash` lists all "
                    "such files.",
                    SV_ARG(r->name), what, path);
}

/* The bytes must be those that were imported: as many at least, and the same ones where somebody
 * else keeps them. */
static enum err_code look_at(const struct set_export *e, const struct export_row *r,
                             const char *from, struct err *err)
{
    unsigned char hash[CRYPTO_HASH];
    int64_t size = fs_size(from);
    if (size != r->bytes) {
        return bad_file(r, from, size < 0 ? "are missing" : "are not as many as were imported",
                        err);
    }
    if (!e->ask->verify && !r->reference) {
        return OK;
    }
    enum err_code rc = crypto_sha256_file(from, hash, err);
    return rc == OK && memcmp(hash, r->sha256, sizeof hash) != 0
               ? bad_file(r, from, "are not those that were imported", err)
               : rc;
}

static enum err_code cannot_share(const struct set_export *e, int why, const char *from,
                                  struct err *err)
{
    if (why == ENOSPC || why == EIO || why == EDQUOT) {
        return err_errno(err, why, "cannot write into %s", e->temp);
    }
    return err_rule(err, ERR_CONFLICT, "export-link",
                    "%s cannot be %s into %s (%s). Nothing was exported; leave out --%s to copy the files "
                    "instead.",
                    from, e->ask->how == EXPORT_LINK ? "hard-linked" : "cloned", e->temp,
                    why == EXDEV ? "they are on different file systems" : strerror(why),
                    e->ask->how == EXPORT_LINK ? "link" : "reflink");
}

/* A file that shares its blocks with the other; 0, or what went wrong. */
static int clone_file(const char *from, const char *to)
{
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    int why = out < 0 || ioctl(out, FICLONE, in) != 0 ? errno : 0;
    if (out >= 0 && close(out) != 0 && why == 0) {
        why = errno;
    }
    if (in >= 0) {
        close(in);
    }
    return why;
}

static enum err_code bring(const struct set_export *e, const char *from, const char *to,
                           struct err *err)
{
    int why = 0;
    switch (e->ask->how) {
    case EXPORT_COPY:
        return fs_copy_new(from, to, err);
    case EXPORT_LINK:
        why = linkat(AT_FDCWD, from, AT_FDCWD, to, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
        break;
    case EXPORT_REFLINK:
        why = clone_file(from, to);
        break;
    }
    return why ? cannot_share(e, why, from, err) : OK;
}

static enum err_code export_one(struct copying *c, struct arena *a, const struct export_row *r,
                                struct err *err)
{
    const struct set_export *e = c->e;
    const char *from = r->reference
                           ? r->reference
                           : path_rendition(a, e->ask->project, r->sha256, RENDITION_SOURCE);
    const char *to = fs_join(a, e->temp, r->file);
    enum err_code rc = look_at(e, r, from, err);
    rc = rc == OK ? bring(e, from, to, err) : rc;
    arena_clear(a);
    return rc;
}

static void fail(struct copying *c, const struct err *why)
{
    pthread_mutex_lock(&c->lock);
    if (c->err.code == OK) {
        c->err = *why;
    }
    pthread_mutex_unlock(&c->lock);
    __atomic_store_n(&c->failed, true, __ATOMIC_RELAXED);
}

/* The caller's own thread tells how far all are, and asks whether to go on. */
static void tell(struct copying *c, size_t done)
{
    const struct set_export_ask *ask = c->e->ask;
    if (ask->progress) {
        ask->progress(ask->arg, done, c->e->n);
    }
    if (ask->stop && ask->stop(ask->arg)) {
        struct err stopped = {0};
        err_rule(&stopped, ERR_BUSY, "export-stopped",
                 "The export was stopped. Nothing was exported.");
        fail(c, &stopped);
    }
}

/* A few neighbours: threads that take single files would spend their time on each other's folders.
 */
static void export_some(void *arg, unsigned worker, size_t part)
{
    struct copying *c = arg;
    size_t begin = part * AT_ONCE, end = begin + AT_ONCE < c->e->n ? begin + AT_ONCE : c->e->n;
    for (size_t i = begin; i < end; i++) {
        const struct export_row *r = &c->e->rows[i];
        struct err why = {0};
        if (__atomic_load_n(&c->failed, __ATOMIC_RELAXED)) {
            return;
        }
        if (r->pixels == EXPORT_FILE && export_one(c, &c->paths[worker], r, &why) != OK) {
            fail(c, &why);
        }
    }
    size_t done = __atomic_add_fetch(&c->done, end - begin, __ATOMIC_RELAXED);
    if (worker == 0) {
        tell(c, done);
    }
}

static enum err_code make_folders(struct set_export *e, struct err *err)
{
    struct arena a;
    bool *made = xcalloc(e->n_classes + 1, sizeof *made);
    arena_init(&a, PATHS_ARENA);
    enum err_code rc = fs_mkdirs(fs_join(&a, e->temp, "images"), err);
    for (size_t i = 0; i < e->n && rc == OK; i++) {
        const struct export_row *r = &e->rows[i];
        if (r->pixels == EXPORT_FILE && !made[r->class_at]) {
            made[r->class_at] = true;
            const char *folder = arena_printf(&a, "%s/images/" SV_FMT, e->temp, SV_ARG(r->wnid));
            rc = mkdir(folder, 0755) == 0
                     ? OK
                     : err_errno(err, errno, "cannot create folder %s", folder);
            arena_clear(&a);
        }
    }
    arena_release(&a);
    free(made);
    return rc;
}

static void count(struct set_export *e)
{
    struct set_export_result *out = &e->result;
    out->images = e->n;
    out->tombstones = e->n_tombstones;
    for (size_t i = 0; i < e->n; i++) {
        out->files += e->rows[i].pixels == EXPORT_FILE;
        out->without_pixels += e->rows[i].pixels == EXPORT_NO_PIXELS;
        out->bytes += (uint64_t)e->rows[i].bytes;
    }
}

enum err_code export_files(struct set_export *e, struct err *err)
{
    struct copying c = {.e = e};
    unsigned threads = e->ask->threads ? e->ask->threads : parallel_cores();
    enum err_code rc = make_folders(e, err);
    if (rc != OK) {
        return rc;
    }
    threads = threads < COPY_THREADS ? threads : COPY_THREADS;
    pthread_mutex_init(&c.lock, NULL);
    for (unsigned i = 0; i < COPY_THREADS; i++) {
        arena_init(&c.paths[i], PATHS_ARENA);
    }
    parallel_for(threads, (e->n + AT_ONCE - 1) / AT_ONCE, export_some, &c);
    for (unsigned i = 0; i < COPY_THREADS; i++) {
        arena_release(&c.paths[i]);
    }
    pthread_mutex_destroy(&c.lock);
    count(e);
    return c.err.code == OK ? OK : err_rule(err, c.err.code, c.err.rule, "%s", c.err.msg);
}
