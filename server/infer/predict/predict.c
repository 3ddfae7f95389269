/* predict.c - the threads of predict.h. A block of images is a unit of work: one thread reads,
 * decodes and infers it into one of a few result slots. Blocks are handed in in order, by whichever
 * thread finds the next one finished; a thread waits only when it is so far ahead that no slot is
 * free. */
#include "infer/predict/predict.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/thread.h"
#include "base/xalloc.h"

enum { FILE_MOST = 256 << 20, THREADS_MOST = 256, SLOTS_PER_THREAD = 2 };

/* Results of one block until they are handed in. */
struct slot {
    bool ready;
    size_t n;                       /* images */
    struct err *why;                /* of each */
    float *outputs[ENGINE_OUTPUTS]; /* of those without failure, one after the other */
};

struct shared {
    const struct predict_run *run;
    size_t batch, n_outputs, sizes[ENGINE_OUTPUTS], blocks, n_slots;
    struct slot *slots;   /* block b uses slot b % n_slots */
    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t freed; /* a slot was handed in, or it is over */
    size_t next, handed;  /* blocks: taken by a thread, handed in */
    size_t finished;      /* images handed in */
    bool handing, stopped;
    struct err err; /* what ended the run */
};

struct worker {
    struct shared *shared;
    pthread_t thread;
    struct session *session;
    struct preprocess_room room;
    unsigned char *file;
    size_t file_cap;
    float *input;
};

/* ---- one image ---- */

static enum err_code read_fd(struct worker *w, int fd, size_t size, const char *path, size_t *n,
                             struct err *err)
{
    xgrow(&w->file, &w->file_cap, size + 1, 1);
    for (*n = 0; *n < size;) {
        ssize_t got = read(fd, w->file + *n, size - *n);
        if (got < 0) {
            return err_errno(err, errno, "cannot read %s", path);
        }
        if (got == 0) {
            return err_rule(err, ERR_INPUT, "file-changed", "%s became shorter while it was read",
                            path);
        }
        *n += (size_t)got;
    }
    return OK;
}

static enum err_code read_file(struct worker *w, const char *path, size_t *n, struct err *err)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return errno == ENOENT ? err_set(err, ERR_NOT_FOUND, "%s: no such file", path)
                               : err_errno(err, errno, "cannot open %s", path);
    }
    enum err_code rc = OK;
    if (fstat(fd, &st) != 0) {
        rc = err_errno(err, errno, "cannot read %s", path);
    } else if (!S_ISREG(st.st_mode) || st.st_size > FILE_MOST) {
        rc = err_set(err, ERR_INPUT, "%s is not a file of at most 256 MiB", path);
    } else {
        rc = read_fd(w, fd, (size_t)st.st_size, path, n, err);
    }
    close(fd);
    return rc;
}

static enum err_code load(struct worker *w, size_t i, float *out, struct err *err)
{
    const struct predict_run *run = w->shared->run;
    size_t n = 0;
    enum err_code rc = read_file(w, run->path(run->arg, i), &n, err);
    if (rc == OK && run->check) {
        rc = run->check(run->arg, i, w->file, n, err);
    }
    return rc == OK ? preprocess_planes(w->file, n, &run->recipe->preprocess, &run->limits,
                                        &w->room, out, err)
                    : rc;
}

/* ---- one block ---- */

static enum err_code infer_block(struct worker *w, size_t block, struct slot *slot, struct err *err)
{
    struct shared *s = w->shared;
    size_t first = block * s->batch, size = engine_input_size(s->run->engine), good = 0;
    slot->n = s->run->n - first < s->batch ? s->run->n - first : s->batch;
    for (size_t i = 0; i < slot->n; i++) {
        slot->why[i] = (struct err){.code = OK};
        if (load(w, first + i, w->input + good * size, &slot->why[i]) == OK) {
            good++;
        }
    }
    return good ? session_run(w->session, w->input, (int64_t)good, slot->outputs, err) : OK;
}

static enum err_code hand_in(struct shared *s, size_t block, const struct slot *slot, size_t *taken,
                             struct err *err)
{
    const float *outputs[ENGINE_OUTPUTS];
    size_t good = 0;
    enum err_code rc = OK;
    for (*taken = 0; *taken < slot->n && rc == OK; ++*taken) {
        struct predict_result r = {.index = block * s->batch + *taken,
                                   .failed = slot->why[*taken].code,
                                   .why = slot->why[*taken],
                                   .outputs = outputs};
        for (size_t o = 0; o < s->n_outputs; o++) {
            outputs[o] = slot->outputs[o] + good * s->sizes[o];
        }
        good += r.failed == OK;
        rc = s->run->take(s->run->arg, &r, err);
        if (rc != OK) {
            break;
        }
    }
    return rc;
}

/* Hands in every block whose turn it is; called with the lock, which is open while one is taken. */
static void hand_in_ready(struct shared *s)
{
    while (!s->handing && s->err.code == OK && s->handed < s->next &&
           s->slots[s->handed % s->n_slots].ready) {
        size_t block = s->handed, taken;
        struct slot *slot = &s->slots[block % s->n_slots];
        struct err err = {.code = OK};
        s->handing = true;
        pthread_mutex_unlock(&s->lock);
        enum err_code rc = hand_in(s, block, slot, &taken, &err);
        bool stop = s->run->stop && s->run->stop(s->run->arg);
        pthread_mutex_lock(&s->lock);
        s->handing = false;
        s->stopped = s->stopped || stop;
        s->finished += taken;
        slot->ready = false;
        if (rc != OK) {
            s->err = err;
            s->err.code = rc;
        }
        s->handed++;
        pthread_cond_broadcast(&s->freed);
    }
}

/* The next block with a slot for it; false: there is none, or it is over. */
static bool next_block(struct shared *s, size_t *block)
{
    while (s->err.code == OK && !s->stopped && s->next < s->blocks &&
           s->next - s->handed >= s->n_slots) {
        pthread_cond_wait(&s->freed, &s->lock);
    }
    if (s->err.code != OK || s->stopped || s->next == s->blocks) {
        return false;
    }
    *block = s->next++;
    return true;
}

static void *work(void *arg)
{
    struct worker *w = arg;
    struct shared *s = w->shared;
    size_t block;
    pthread_mutex_lock(&s->lock);
    while (next_block(s, &block)) {
        struct slot *slot = &s->slots[block % s->n_slots];
        struct err err = {.code = OK};
        pthread_mutex_unlock(&s->lock);
        enum err_code rc = infer_block(w, block, slot, &err);
        pthread_mutex_lock(&s->lock);
        if (rc != OK && s->err.code == OK) {
            s->err = err;
            s->err.code = rc;
            pthread_cond_broadcast(&s->freed);
        }
        slot->ready = rc == OK;
        hand_in_ready(s);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* ---- the run ---- */

static void make_slots(struct shared *s, unsigned threads)
{
    s->n_slots = (size_t)threads * SLOTS_PER_THREAD;
    s->slots = xcalloc(s->n_slots, sizeof *s->slots);
    for (size_t i = 0; i < s->n_slots; i++) {
        s->slots[i].why = xcalloc(s->batch, sizeof *s->slots[i].why);
        for (size_t o = 0; o < s->n_outputs; o++) {
            s->slots[i].outputs[o] = xcalloc(s->batch * s->sizes[o], sizeof(float));
        }
    }
}

static void free_slots(struct shared *s)
{
    for (size_t i = 0; i < s->n_slots; i++) {
        free(s->slots[i].why);
        for (size_t o = 0; o < s->n_outputs; o++) {
            free(s->slots[i].outputs[o]);
        }
    }
    free(s->slots);
}

static enum err_code worker_open(struct worker *w, struct shared *s, struct err *err)
{
    w->shared = s;
    w->input = xcalloc(s->batch * engine_input_size(s->run->engine), sizeof *w->input);
    return engine_session(s->run->engine, (int64_t)s->batch, &w->session, err);
}

static void worker_close(struct worker *w)
{
    if (w->session) {
        session_close(w->session);
    }
    preprocess_room_release(&w->room);
    free(w->file);
    free(w->input);
}

static enum err_code run_workers(struct worker *w, unsigned n, struct shared *s, struct err *err)
{
    unsigned open = 0, started = 0;
    enum err_code rc = OK;
    for (; open < n && rc == OK; open++) {
        rc = worker_open(&w[open], s, err);
    }
    for (; started < open && rc == OK; started++) {
        rc = thread_start(&w[started].thread, "predict", work, &w[started], err);
    }
    if (rc != OK && started) {
        started--; /* the last one did not start */
        pthread_mutex_lock(&s->lock);
        s->stopped = true;
        pthread_cond_broadcast(&s->freed);
        pthread_mutex_unlock(&s->lock);
    }
    for (unsigned i = 0; i < started; i++) {
        pthread_join(w[i].thread, NULL);
    }
    for (unsigned i = 0; i < open; i++) {
        worker_close(&w[i]);
    }
    return rc;
}

static enum err_code check_sizes(const struct predict_run *run, struct err *err)
{
    size_t crop = run->recipe->preprocess.crop;
    if (engine_input_size(run->engine) != crop * crop * 3) {
        return err_rule(err, ERR_INPUT, "model-input",
                        "the recipe makes images of %zu x %zu, but the model takes another size", crop, crop);
    }
    return OK;
}

enum err_code predict_images(const struct predict_run *run, size_t *finished, struct err *err)
{
    *finished = 0;
    const struct engine_facts *facts = engine_facts(run->engine);
    int64_t batch = run->batch ? run->batch : engine_best_batch(run->engine);
    struct shared s = {.run = run, .batch = (size_t)batch, .n_outputs = facts->n_outputs};
    enum err_code rc = check_sizes(run, err);
    if (rc != OK || run->n == 0) {
        return rc;
    }
    s.blocks = (run->n + s.batch - 1) / s.batch;
    unsigned threads = run->threads < 1              ? 1
                       : run->threads > THREADS_MOST ? THREADS_MOST
                                                     : run->threads;
    threads = s.blocks < threads ? (unsigned)s.blocks : threads;
    for (size_t o = 0; o < s.n_outputs; o++) {
        s.sizes[o] = engine_output_size(run->engine, o);
    }
    make_slots(&s, threads);
    pthread_mutex_init(&s.lock, NULL);
    pthread_cond_init(&s.freed, NULL);
    struct worker *workers = xcalloc(threads, sizeof *workers);
    rc = run_workers(workers, threads, &s, err);
    if (rc == OK && s.err.code != OK) {
        rc = s.err.code;
        *err = s.err;
    }
    if (rc == OK && s.finished < run->n) {
        rc = err_rule(err, ERR_BUSY, "job-stopped",
                      "stopped after %zu of %zu images; these are kept", s.finished, run->n);
    }
    *finished = s.finished;
    free(workers);
    pthread_cond_destroy(&s.freed);
    pthread_mutex_destroy(&s.lock);
    free_slots(&s);
    return rc;
}

/* ---- the best ---- */

/* Insertion into k places: k is 5, and most scores are below all of them. NaN is below everything.
 */
void predict_top(const float *scores, size_t n, bool logits, int k, uint32_t *best, float *p)
{
    int have = 0;
    for (size_t i = 0; i < n; i++) {
        int at = have;
        while (at > 0 && (scores[i] > scores[best[at - 1]] || isnan(scores[best[at - 1]])) &&
               !isnan(scores[i])) {
            at--;
        }
        if (at == k) {
            continue;
        }
        have += have < k;
        for (int j = have - 1; j > at; j--) {
            best[j] = best[j - 1];
        }
        best[at] = (uint32_t)i;
    }
    double total = 0, top = have ? (double)scores[best[0]] : 0;
    for (size_t i = 0; i < n && logits; i++) {
        total += exp((double)scores[i] - top);
    }
    for (int j = 0; j < have; j++) {
        p[j] = logits ? (float)(exp((double)scores[best[j]] - top) / total) : scores[best[j]];
    }
}
