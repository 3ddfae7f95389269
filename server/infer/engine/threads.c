/* threads.c - many images over several threads: each takes the next batch and runs it in a session
 * of its own, so results are those of one thread. */
#include <stdatomic.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "base/xalloc.h"
#include "infer/engine/private.h"

struct engine_team {
    struct engine *engine;
    int64_t batch;
    unsigned threads;
    struct session **sessions;
};

enum err_code engine_team_open(struct engine *e, int64_t batch, unsigned threads,
                               struct engine_team **out, struct err *err)
{
    struct engine_team *t = xcalloc(1, sizeof *t);
    enum err_code rc = OK;
    *out = NULL;
    t->engine = e;
    t->batch = engine_round_batch(e, batch);
    threads = threads < 1 ? 1 : threads > PARALLEL_THREADS ? PARALLEL_THREADS : threads;
    t->sessions = xcalloc(threads, sizeof(struct session *));
    for (; rc == OK && t->threads < threads; t->threads++) {
        rc = engine_session(e, batch, &t->sessions[t->threads], err);
    }
    if (rc != OK) {
        engine_team_close(t);
        t = NULL;
    }
    *out = t;
    return rc;
}

struct session *engine_team_session(const struct engine_team *team, unsigned i)
{
    return i < team->threads ? team->sessions[i] : NULL;
}

void engine_team_close(struct engine_team *t)
{
    if (t) {
        for (unsigned i = 0; i < t->threads; i++) {
            session_close(t->sessions[i]);
        }
        free(t->sessions);
        free(t);
    }
}

struct team_work {
    struct engine_team *team;
    const float *in;
    int64_t n;
    float *const *out;
};

static void run_batch(void *arg, unsigned worker, size_t i)
{
    const struct team_work *w = arg;
    struct engine *e = w->team->engine;
    int64_t at = (int64_t)i * w->team->batch, left = w->n - at;
    float *out[ENGINE_OUTPUTS];
    for (size_t o = 0; o < e->facts.n_outputs; o++) {
        out[o] = w->out[o] ? w->out[o] + (size_t)at * e->output_size[o] : NULL;
    }
    enum err_code rc = session_run(w->team->sessions[worker], w->in + (size_t)at * e->input_size,
                                   left < w->team->batch ? left : w->team->batch, out, NULL);
    BUG_IF(rc != OK); /* it refuses only more images than a batch */
}

enum err_code engine_team_run(struct engine_team *team, const float *in, int64_t n,
                              float *const *out, struct err *err)
{
    struct team_work work = {team, in, n, out};
    if (n < 0) {
        return err_rule(err, ERR_INPUT, "model-batch", "A number of images cannot be negative.");
    }
    parallel_for(team->threads, (size_t)((n + team->batch - 1) / team->batch), run_batch, &work);
    return OK;
}
