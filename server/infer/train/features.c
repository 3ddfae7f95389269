/* features.c - features of all training images by the engine itself: what a model is trained
 * on is what it will see. The rows live in a file without a name, so that a large project does not
 * need the memory. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/parallel.h"
#include "base/xalloc.h"
#include "infer/engine/engine.h"
#include "infer/train/private.h"

/* Columns that one piece of work goes through. */
enum { COLUMNS = 64 };

/* ------------------------------------------------------------------ room */

static enum err_code room_error(size_t bytes, struct err *err)
{
    return err_errno(err, errno, "cannot make room for %zu MB of features beside the model",
                     bytes >> 20);
}

/* A file in the folder that `beside` is in; all of it is allocated now, so that writing cannot fail
 * later. */
static enum err_code open_room(const char *beside, size_t bytes, float **out, struct err *err)
{
    char *name = xmalloc(strlen(beside) + 16);
    memcpy(name, beside, strlen(beside) + 1);
    memcpy(name + strlen(beside), ".rows-XXXXXX", 13);
    int fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0) {
        unlink(name);
    }
    free(name);
    errno = fd < 0 ? errno : posix_fallocate(fd, 0, (off_t)bytes);
    if (fd < 0 || errno != 0) {
        enum err_code rc = room_error(bytes, err);
        if (fd >= 0) {
            close(fd);
        }
        return rc;
    }
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    enum err_code rc = p == MAP_FAILED ? room_error(bytes, err) : OK;
    close(fd);
    *out = rc == OK ? p : NULL;
    return rc;
}

void train_rows_release(struct train_rows *r)
{
    if (r->at) {
        munmap(r->at, r->bytes);
    }
    free(r->mean);
    free(r->deviation);
    *r = (struct train_rows){0};
}

/* ------------------------------------------------------------------ the engine */

struct extraction {
    const struct train_images *s;
    const uint32_t *order;
    const struct train_watch *watch;
    struct train_rows *rows;
    struct session *sessions[PARALLEL_THREADS];
    float *inputs[PARALLEL_THREADS];
    struct err errors[PARALLEL_THREADS];
    size_t batch;
};

static void fill_input(const struct extraction *e, size_t first, size_t n, float *out)
{
    size_t size = (size_t)3 * e->s->side * e->s->side;
    for (size_t i = 0; i < n; i++) {
        const unsigned char *pixels = e->s->pixels + e->order[first + i] * size;
        for (size_t k = 0; k < size; k++) {
            out[i * size + k] = (float)pixels[k] / 255;
        }
    }
}

static void extract_batch(void *arg, unsigned worker, size_t i)
{
    struct extraction *e = arg;
    struct err *err = &e->errors[worker];
    size_t first = i * e->batch, n = e->rows->n - first < e->batch ? e->rows->n - first : e->batch;
    float *out = e->rows->at + first * e->rows->width;
    if (worker == 0) {
        train_say(e->watch, "computing features", first, e->rows->n);
    }
    if (err->code == OK && (worker > 0 || train_stopped(e->watch, err) == OK)) {
        fill_input(e, first, n, e->inputs[worker]);
        session_run(e->sessions[worker], e->inputs[worker], (int64_t)n, &out, err);
    }
}

static enum err_code extract_all(struct extraction *e, struct engine *engine, unsigned threads,
                                 struct err *err)
{
    enum err_code rc = OK;
    unsigned started = 0;
    threads = threads > PARALLEL_THREADS ? PARALLEL_THREADS : threads < 1 ? 1 : threads;
    e->batch = (size_t)engine_best_batch(engine);
    for (; started < threads && rc == OK; started++) {
        e->inputs[started] = xmalloc(e->batch * engine_input_size(engine) * sizeof(float));
        rc = engine_session(engine, (int64_t)e->batch, &e->sessions[started], err);
    }
    if (rc == OK) {
        parallel_for(threads, (e->rows->n + e->batch - 1) / e->batch, extract_batch, e);
    }
    for (unsigned i = 0; i < started; i++) {
        if (rc == OK && e->errors[i].code != OK) {
            *err = e->errors[i];
            rc = err->code;
        }
        session_close(e->sessions[i]);
        free(e->inputs[i]);
    }
    return rc;
}

enum err_code train_rows_make(const struct train_images *s, const uint32_t *order,
                              const char *model, unsigned threads, const struct train_watch *watch,
                              struct train_rows *out, struct err *err)
{
    struct engine *engine = NULL;
    struct extraction *e = xcalloc(1, sizeof *e);
    *out = (struct train_rows){0};
    *e = (struct extraction){.s = s, .order = order, .watch = watch, .rows = out};
    enum err_code rc = engine_open(model, NULL, 0, 0, NULL, &engine, err);
    if (rc == OK) {
        size_t width = engine_output_size(engine, 0);
        BUG_IF(engine_input_size(engine) != (size_t)3 * s->side * s->side);
        *out = (struct train_rows){.n = s->n,
                                   .width = width,
                                   .bytes = s->n * width * sizeof(float),
                                   .mean = xcalloc(width, sizeof(double)),
                                   .deviation = xcalloc(width, sizeof(double))};
        rc = open_room(model, out->bytes, &out->at, err);
    }
    rc = rc == OK ? extract_all(e, engine, threads, err) : rc;
    if (engine) {
        engine_close(engine);
    }
    free(e);
    if (rc != OK) {
        train_rows_release(out);
    }
    return rc;
}

/* ------------------------------------------------------------------ one scale for all */

/* Sums go down the rows in order, whoever does it. A column whose spread is only rounding becomes
 * zeros. */
static void standardise_columns(void *arg, unsigned worker, size_t piece)
{
    struct train_rows *r = arg;
    size_t first = piece * COLUMNS, end = first + COLUMNS < r->width ? first + COLUMNS : r->width;
    (void)worker;
    for (size_t i = 0; i < r->n; i++) {
        for (size_t k = first; k < end; k++) {
            r->mean[k] += (double)r->at[i * r->width + k] / (double)r->n;
        }
    }
    for (size_t i = 0; i < r->n; i++) {
        for (size_t k = first; k < end; k++) {
            double d = (double)r->at[i * r->width + k] - r->mean[k];
            r->deviation[k] += d * d / (double)r->n;
        }
    }
    for (size_t k = first; k < end; k++) {
        r->deviation[k] = sqrt(r->deviation[k]);
        if (!(r->deviation[k] > 1e-6 * (1 + fabs(r->mean[k])))) {
            r->deviation[k] = INFINITY;
        }
    }
    for (size_t i = 0; i < r->n; i++) {
        for (size_t k = first; k < end; k++) {
            float *at = &r->at[i * r->width + k];
            *at = (float)(((double)*at - r->mean[k]) / r->deviation[k]);
        }
    }
}

void train_rows_standardise(struct train_rows *r, unsigned threads)
{
    parallel_for(threads, (r->width + COLUMNS - 1) / COLUMNS, standardise_columns, r);
}
