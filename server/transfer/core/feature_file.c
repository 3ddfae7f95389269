/* feature_file.c - one process at a time adds to a file; the index is read again once it has it. */
#include "transfer/core/feature_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/xalloc.h"

enum { ROWS_BYTES = 16 << 20 };

static size_t row_bytes(const struct feature_file *f)
{
    return (size_t)f->source->dim * sizeof *f->rows;
}

/* ------------------------------------------------------------------ opening */

static enum err_code create(struct feature_file *f, const char *dir, struct arena *a, struct err *err)
{
    const char *folder = fs_join(a, dir, "features");
    f->path = path_features(a, dir, f->source->id);
    enum err_code rc = fs_mkdirs(folder, err);
    if (rc != OK) {
        return rc;
    }
    f->fd = open(f->path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    return f->fd < 0 ? err_errno(err, errno, "cannot write %s", f->path) : fs_sync_dir(folder, err);
}

static enum err_code lock(const struct feature_file *f, const char *what, struct sv model, struct err *err)
{
    return flock(f->fd, LOCK_EX | LOCK_NB) == 0
               ? OK
               : err_rule(err, ERR_BUSY, "model-busy",
                          "Another process is %s with " SV_FMT " right now; try again when that is done.", what,
                          SV_ARG(model));
}

/* A file that is shorter has lost rows: nobody may compute with it. */
static enum err_code cut(const struct feature_file *f, struct err *err)
{
    int64_t have = fs_size(f->path), want = f->source->rows * (int64_t)row_bytes(f);
    if (have < want) {
        return err_rule(err, ERR_IO, "features-short",
                        "%s has %lld bytes and the index names %lld: put the file back from a backup", f->path,
                        (long long)have, (long long)want);
    }
    return ftruncate(f->fd, (off_t)want) == 0 ? OK : err_errno(err, errno, "cannot write %s", f->path);
}

enum err_code feature_file_open(struct feature_file *f, struct db *db, const char *dir, struct feature_source *source,
                                const char *what, struct sv model, struct arena *a, struct err *err)
{
    *f = (struct feature_file){.source = source, .fd = -1};
    enum err_code rc = features_source(db, source, 0, clock_wall_ms(), err);
    rc = rc == OK ? create(f, dir, a, err) : rc;
    rc = rc == OK ? lock(f, what, model, err) : rc;
    rc = rc == OK ? features_source(db, source, 0, clock_wall_ms(), err) : rc;
    rc = rc == OK ? cut(f, err) : rc;
    if (rc == OK) {
        size_t most = ROWS_BYTES / row_bytes(f);
        f->most = most < 1 ? 1 : most > FEATURE_BLOCK ? FEATURE_BLOCK : most;
        f->rows = xcalloc(f->most * (size_t)source->dim, sizeof *f->rows);
    }
    return rc;
}

void feature_file_close(struct feature_file *f)
{
    if (f->fd >= 0) {
        close(f->fd);
    }
    free(f->rows);
    *f = (struct feature_file){.fd = -1};
}

/* ------------------------------------------------------------------ rows */

float *feature_file_next(struct feature_file *f)
{
    return f->rows + f->n * (size_t)f->source->dim;
}

enum err_code feature_file_write(struct feature_file *f, struct err *err)
{
    const char *p = (const char *)f->rows;
    size_t left = f->n * row_bytes(f);
    off_t at = (off_t)(f->source->rows * (int64_t)row_bytes(f));
    while (left) {
        ssize_t n = pwrite(f->fd, p, left, at);
        if (n < 0) {
            return err_errno(err, errno, "cannot write %s", f->path);
        }
        p += n;
        at += n;
        left -= (size_t)n;
    }
    return fdatasync(f->fd) == 0 ? OK : err_errno(err, errno, "cannot write %s", f->path);
}

void feature_file_written(struct feature_file *f)
{
    f->source->rows += (int64_t)f->n;
    f->n = 0;
}
