/* image_run.c - the common part of predict and features. */
#include "cli/models/image_run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/parallel.h"
#include "crypto/crypto.h"
#include "infer/predict/predict.h"
#include "store/images/paths.h"

enum { THREADS_MOST = 256 };
/* Results are stored at least so often, for the pages that show them and so that little is lost. */
#define FLUSH_NS INT64_C(3000000000)

enum err_code image_run_begin(struct image_run *r, struct cli *cli, const char *what)
{
    int64_t job;
    *r = (struct image_run){.cli = cli, .what = what, .started_ns = clock_mono_ns(), .lock = -1};
    enum err_code rc = cli_opt_int(cli, "job", 1, INT64_MAX, 0, &job);
    return rc == OK ? job_report_begin(&r->report, cli->db, job, &cli->err) : rc;
}

void image_run_end(struct image_run *r)
{
    if (r->lock >= 0) {
        close(r->lock); /* another command of this process may want it: the demo's */
    }
    job_report_end(&r->report);
    image_work_close(&r->work);
    model_use_close(&r->model);
}

enum err_code image_run_lock(struct image_run *r, const char *path)
{
    struct cli *cli = r->cli;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return err_errno(&cli->err, errno, "cannot open %s", path);
    }
    r->lock = fd;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        return err_rule(&cli->err, ERR_BUSY, "model-busy",
                        "Another process is %s with " SV_FMT " right now; try again "
                        "when that is done.",
                        r->what, SV_ARG(r->model.row.name));
    }
    return OK;
}

/* ---- what the threads ask ---- */

static const struct work_content *content_at(const struct image_run *r, size_t i)
{
    return &r->work.contents[r->work.todo[i]];
}

/* Each thread has a buffer of its own for the path that it asked for last. */
static const char *path_of(void *arg, size_t i)
{
    static _Thread_local char path[4096 + PATH_BELOW_IMAGES];
    const struct image_run *r = arg;
    const struct work_content *c = content_at(r, i);
    char below[PATH_BELOW_IMAGES];
    if (c->reference) {
        return c->reference;
    }
    path_below_images(c->sha256, RENDITION_SOURCE, below);
    snprintf(path, sizeof path, "%s/images/%s", r->cli->dir, below);
    return path;
}

/* The project's own files are named by their hash and checked by `check --hash`. Referenced ones
 * are somebody else's: a result that is said to be of some bytes is only made from those. */
static enum err_code check_bytes(void *arg, size_t i, const void *p, size_t n, struct err *err)
{
    const struct work_content *c = content_at(arg, i);
    unsigned char sha[CRYPTO_HASH];
    bool same = (int64_t)n == c->bytes;
    if (same && c->reference) {
        crypto_sha256(p, n, sha);
        same = memcmp(sha, c->sha256, sizeof sha) == 0;
    }
    return same ? OK
                : err_rule(err, ERR_INPUT, "file-changed",
                           "the file is not the one that was imported");
}

static bool asked_to_stop(void *arg)
{
    return job_report_stop(&((const struct image_run *)arg)->report);
}

/* ---- results ---- */

static enum err_code say_failed(struct image_run *r, const struct work_content *c,
                                const struct err *why, struct err *err)
{
    struct arena a;
    struct image_row row;
    enum err_code rc = OK;
    arena_init(&a, 1 << 20);
    cli_progress_end(r->cli);
    for (uint32_t at = WORK_NONE;
         rc == OK && (at = image_work_next(&r->work, c, at)) != WORK_NONE;) {
        rc = images_get(r->cli->db, r->work.images[at].id, &a, &row, err);
        if (rc == OK) {
            fprintf(stderr, "holdout: " SV_FMT ": %s\n", SV_ARG(row.name), why->msg);
            r->failed++;
        }
    }
    arena_release(&a);
    return rc;
}

static enum err_code take_result(void *arg, const struct predict_result *p, struct err *err)
{
    struct image_run *r = arg;
    const struct work_content *c = content_at(r, p->index);
    enum err_code rc = OK;
    if (p->failed) {
        rc = say_failed(r, c, &p->why, err);
    } else {
        rc = r->take(r->arg, c, p->outputs, err);
        r->contents++;
    }
    int64_t now = clock_mono_ns();
    if (rc == OK && now - r->flushed_ns > FLUSH_NS) {
        r->flushed_ns = now;
        rc = r->flush(r->arg, err);
    }
    cli_progress(r->cli, r->what, p->index + 1, r->work.n_todo);
    return rc == OK ? job_report_progress(&r->report, p->index + 1, r->work.n_todo, r->what, err)
                    : rc;
}

enum err_code image_run_images(struct image_run *r)
{
    struct cli *cli = r->cli;
    int64_t threads, cores = parallel_cores();
    size_t finished;
    enum err_code rc = cli_opt_int(cli, "threads", 1, THREADS_MOST, cores, &threads);
    if (rc != OK) {
        return rc;
    }
    struct predict_run run = {
        .engine = r->model.engine,
        .recipe = &r->model.recipe,
        .limits = {.max_side = 65535, .max_pixels = (uint64_t)cli->config.max_megapixels * 1000000},
        .threads = (unsigned)threads,
        .n = r->work.n_todo,
        .path = path_of,
        .check = check_bytes,
        .take = take_result,
        .stop = asked_to_stop,
        .arg = r};
    r->started_ns = r->flushed_ns = clock_mono_ns();
    rc = predict_images(&run, &finished, &cli->err);
    if (rc == OK || rc == ERR_BUSY) {
        enum err_code flushed = r->flush(r->arg, rc == OK ? &cli->err : NULL);
        rc = rc == OK ? flushed : rc;
    }
    cli_progress_end(cli);
    return rc;
}

/* ---- the end ---- */

enum err_code image_run_tell(struct image_run *r)
{
    const struct image_work *w = &r->work;
    struct cli *cli = r->cli;
    double seconds = r->started_ns ? (double)(clock_mono_ns() - r->started_ns) / 1e9 : 0;
    double rate = r->contents ? (double)r->contents / seconds : 0;
    if (cli->json) {
        printf("{\"images\":%zu,\"computed\":%zu,\"already\":%zu,\"without_pixels\":%zu,\"failed\":"
               "%zu,"
               "\"contents\":%zu,\"seconds\":%.3f,\"images_per_second\":%.2f}\n",
               w->wanted, r->computed, w->done, w->without_pixels, r->failed, r->contents, seconds,
               rate);
    } else {
        cli_note(cli,
                 "%zu images: %zu computed in %.1f s (%.1f images/s), %zu were there already, %zu "
                 "without pixels, "
                 "%zu could not be read",
                 w->wanted, r->computed, seconds, rate, w->done, w->without_pixels, r->failed);
    }
    return r->failed == 0
               ? OK
               : err_rule(&cli->err, ERR_INPUT, "images-unread",
                          "%zu images could not be read (named above); everything else is stored",
                          r->failed);
}
