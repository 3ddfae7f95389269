/* features.c - `holdout features`: writes what a model computes inside, a row of float32 an
 * image, into DIR/features/<source>.f32. Rows are on the disk before the index names them; what
 * lies behind the index was being written when somebody pulled the plug, and is cut off. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/xalloc.h"
#include "cli/core/commands.h"
#include "cli/models/image_run.h"
#include "cli/models/origin.h"
#include "db/bulk.h"
#include "store/models/features.h"

struct features_command {
    struct image_run run;
    struct feature_source source;
    int fd;
    const char *path;
    size_t dim, rows_most; /* rows in `rows` */
    float *rows;
    uint32_t images[FEATURE_BLOCK];
    size_t n; /* waiting rows */
};

enum { ROWS_BYTES = 16 << 20 };

/* ---- storing ---- */

static enum err_code write_rows(struct features_command *f, struct err *err)
{
    const char *p = (const char *)f->rows;
    size_t row = f->dim * sizeof *f->rows, left = f->n * row;
    off_t at = (off_t)(f->source.rows * (int64_t)row);
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

static enum err_code append_step(struct db *db, void *arg, bool *more, struct err *err)
{
    const struct features_command *f = arg;
    *more = false;
    return features_append(db, f->source.id, f->source.rows, f->images, f->n, err);
}

static enum err_code flush_rows(void *arg, struct err *err)
{
    struct features_command *f = arg;
    struct cli *cli = f->run.cli;
    if (f->n == 0) {
        return OK;
    }
    enum err_code rc = write_rows(f, err);
    rc = rc == OK ? bulk_write(cli->db, cli->alone, append_step, f, err) : rc;
    if (rc == OK) {
        f->source.rows += (int64_t)f->n;
        f->n = 0;
    }
    return rc;
}

static enum err_code take(void *arg, const struct work_content *c, const float *const *outputs,
                          struct err *err)
{
    struct features_command *f = arg;
    enum err_code rc = OK;
    for (uint32_t at = WORK_NONE;
         rc == OK && (at = image_work_next(&f->run.work, c, at)) != WORK_NONE;) {
        memcpy(f->rows + f->n * f->dim, outputs[0], f->dim * sizeof *f->rows);
        f->images[f->n++] = f->run.work.images[at].id;
        f->run.computed++;
        rc = f->n == f->rows_most ? flush_rows(f, err) : OK;
    }
    return rc;
}

/* ---- opening ---- */

static enum err_code mark_done(void *arg, int64_t row, uint32_t image, struct err *err)
{
    (void)row;
    (void)err;
    image_work_done(arg, image);
    return OK;
}

static enum err_code open_source(struct features_command *f)
{
    struct cli *cli = f->run.cli;
    const struct model_use *m = &f->run.model;
    const char *output = engine_facts(m->engine)->outputs[0].name;
    f->dim = m->scores;
    if (f->dim == 0 || f->dim > FEATURE_DIM) {
        return err_rule(&cli->err, ERR_INPUT, "model-features",
                        "\"%.60s\" has %zu numbers per image; 1 to %d are possible", output, f->dim,
                        FEATURE_DIM);
    }
    struct model_origin origin;
    enum err_code rc = model_origin(cli, m, arena_printf(&cli->arena, "features %s", output), &origin);
    if (rc != OK) {
        return rc;
    }
    f->source = (struct feature_source){.model = m->row.id,
                                        .dim = (int64_t)f->dim,
                                        .output = sv_of(output),
                                        .engine = sv_of(origin.engine),
                                        .recipe = sv_of(m->recipe.canonical)};
    memcpy(f->source.digest, origin.digest, sizeof origin.digest);
    return cli->dry_run ? OK : features_source(cli->db, &f->source, 0, clock_wall_ms(), &cli->err);
}

static enum err_code create_file(struct features_command *f)
{
    struct cli *cli = f->run.cli;
    const char *folder = project_path(&cli->arena, cli->dir, "features");
    f->path = path_features(&cli->arena, cli->dir, f->source.id);
    enum err_code rc = fs_mkdirs(folder, &cli->err);
    if (rc != OK) {
        return rc;
    }
    f->fd = open(f->path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (f->fd < 0) {
        return err_errno(&cli->err, errno, "cannot write %s", f->path);
    }
    rc = fs_sync_dir(folder, &cli->err);
    return rc == OK ? image_run_lock(&f->run, f->path) : rc;
}

/* Makes the file as long as the index says, which is read again under the lock. A file that is
 * shorter has lost rows: nobody may compute with it. */
static enum err_code open_file(struct features_command *f)
{
    struct cli *cli = f->run.cli;
    enum err_code rc = create_file(f);
    rc = rc == OK ? features_source(cli->db, &f->source, 0, clock_wall_ms(), &cli->err) : rc;
    if (rc != OK) {
        return rc;
    }
    int64_t have = fs_size(f->path), want = f->source.rows * (int64_t)(f->dim * sizeof(float));
    if (have < want) {
        return err_rule(&cli->err, ERR_IO, "features-short",
                        "%s has %lld bytes and the index names %lld: put the file "
                        "back from a backup",
                        f->path, (long long)have, (long long)want);
    }
    if (ftruncate(f->fd, (off_t)want) != 0) {
        return err_errno(&cli->err, errno, "cannot write %s", f->path);
    }
    size_t most = ROWS_BYTES / (f->dim * sizeof(float));
    f->rows_most = most < 1 ? 1 : most > FEATURE_BLOCK ? FEATURE_BLOCK : most;
    f->rows = xcalloc(f->rows_most * f->dim, sizeof *f->rows);
    return OK;
}

static enum err_code features(struct features_command *f)
{
    struct cli *cli = f->run.cli;
    const char *output = cli_opt(cli, "output");
    enum err_code rc =
        model_use_stored(cli, cli_opt(cli, "model"), output ? output : "", &f->run.model);
    rc = rc == OK ? open_source(f) : rc;
    rc = rc != OK || cli->dry_run ? rc : open_file(f);
    rc = rc == OK ? image_work_open(cli, 0, 1, &f->run.work) : rc;
    rc = rc == OK ? features_each(cli->db, f->source.id, mark_done, &f->run.work, &cli->err) : rc;
    if (rc == OK) {
        image_work_queue(&f->run.work, NULL, NULL);
    }
    if (rc == OK && !cli->dry_run) {
        rc = image_run_images(&f->run);
    }
    return rc == OK ? image_run_tell(&f->run) : rc;
}

enum err_code cmd_features(struct cli *cli)
{
    struct features_command *f = arena_calloc(&cli->arena, 1, sizeof *f);
    if (!cli_opt(cli, "model")) {
        return cli_usage(cli, "--model is missing");
    }
    f->fd = -1;
    enum err_code rc = image_run_begin(&f->run, cli, "computing features");
    f->run.take = take;
    f->run.flush = flush_rows;
    f->run.arg = f;
    rc = rc == OK ? features(f) : rc;
    if (f->fd >= 0) {
        close(f->fd);
    }
    free(f->rows);
    image_run_end(&f->run);
    return rc;
}
