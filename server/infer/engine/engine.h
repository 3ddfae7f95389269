/* engine.h - a model that runs: the door of infer/ for everybody else.
 *
 *   engine_open(path, ...)            reads, checks, fuses; weights stay in the mapped file
 *   engine_session(engine, batch)     plans for a batch: one per thread, everything allocated here
 *   session_run(session, in, n, out)  no allocation; n <= batch images
 *
 * Results do not depend on the number of threads or on which images share a batch; predict always uses
 * engine_best_batch, and so a resumed run gives the same numbers. Inputs and outputs are float32, row-major,
 * in ONNX's order (N, C, H, W). */
#ifndef INFER_ENGINE_ENGINE_H
#define INFER_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { ENGINE_OUTPUTS = 4, ENGINE_RANK = 8, ENGINE_BATCH = 256 };

struct engine;
struct session;
struct engine_port {
    const char *name;
    uint32_t rank;
    int64_t dims[ENGINE_RANK]; /* [0] is the batch: -1 when it is free */
};
struct engine_facts {
    struct engine_port input;
    struct engine_port outputs[ENGINE_OUTPUTS];
    size_t n_outputs;
    int64_t opset;
    uint64_t parameters, bytes;
    uint64_t flops;                    /* operations of one image, multiply and add counted as two: graph/estimate.c */
    uint64_t weight_bytes;             /* memory for constants and graph, once for all threads */
    uint64_t run_bytes;                /* memory of each thread, in batches of engine_best_batch */
    size_t nodes;                      /* after fusion */
    const char *producer;
};

/* What a model may cost. Memory is that of one thread with the weights: weight_bytes and run_bytes. */
struct engine_limits {
    uint64_t flops, bytes;
};
/* `outputs`: names of the values wanted (n of them, at most ENGINE_OUTPUTS), NULL: the file's outputs. `side`
 * stands in for open height and width (0: the file must say them). Plans once, so that a model that cannot run
 * is refused here: before anything of its size is allocated or calculated. Beyond `limits` (NULL: none): ERR_LIMIT
 * (rules "model-operations", "model-memory") with the number and the limit. */
enum err_code engine_open(const char *path, const char *const *outputs, size_t n, int64_t side,
                          const struct engine_limits *limits, struct engine **out, struct err *err);
const struct engine_facts *engine_facts(const struct engine *e);
void engine_close(struct engine *e); /* after its sessions */

/* Floats of one image of the input, of output o. */
size_t engine_input_size(const struct engine *e);
size_t engine_output_size(const struct engine *e, size_t o);

/* The batch that is fast for this model; what predict uses. */
int64_t engine_best_batch(const struct engine *e);
enum err_code engine_session(struct engine *e, int64_t batch, struct session **out, struct err *err);
/* in: n images; out[o]: room for n results of output o, NULL: not wanted. */
enum err_code session_run(struct session *s, const float *in, int64_t n, float *const *out, struct err *err);
void session_close(struct session *s);
/* Where a session's time went, when it was asked for (session_profile) before it ran. */
struct session_step {
    const char *what;    /* how it is done: "brgconv:avx512_core" */
    const char *op;      /* ONNX's name, and the node's; NULL: an output is put in order */
    size_t op_n, name_n; /* neither ends with NUL */
    const char *name;
    double seconds;      /* in a run of a whole batch, at its fastest */
};
void session_profile(struct session *s);
size_t session_steps(const struct session *s);
void session_step(const struct session *s, size_t i, struct session_step *out);

/* Sessions for `threads` threads, for who runs again and again. */
struct engine_team;
enum err_code engine_team_open(struct engine *e, int64_t batch, unsigned threads, struct engine_team **out,
                               struct err *err);
struct session *engine_team_session(const struct engine_team *team, unsigned i);
enum err_code engine_team_run(struct engine_team *team, const float *in, int64_t n, float *const *out,
                              struct err *err);
void engine_team_close(struct engine_team *team);

/* "holdout-engine 1, oneDNN 2.6.3, avx512_core_bf16, ...": everything that can change a bit of a result. Lives
 * for ever. */
const char *engine_fingerprint(void);

#endif
