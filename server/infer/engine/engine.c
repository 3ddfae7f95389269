/* engine.c - opening a model: what it takes, what it gives, whether all of it can run. */
#include <dnnl.h>
#include <dnnl_debug.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/xalloc.h"
#include "infer/engine/private.h"
#include "infer/graph/estimate.h"
#include "infer/kernels/kernel.h"
#include "infer/plan/dnn.h"

enum { ENGINE_VERSION = 1, ENGINE_ARENA = 1 << 30, CUT_BATCH = 16 };

enum err_code engine_shapes(const struct engine *e, int64_t batch, struct arena *a,
                            struct graph **out, struct err *err)
{
    return graph_shapes(e->graph, batch, e->side, a, out, err);
}

/* ------------------------------------------------------------------ what goes in and out */

static const char *text(struct engine *e, struct sv s)
{
    return arena_cstr(&e->arena, s);
}

static void describe_port(struct engine *e, const struct value *v, struct engine_port *port)
{
    port->name = text(e, v->name);
    port->rank = v->rank;
    memcpy(port->dims, v->dims, v->rank * sizeof *v->dims);
    if (!e->fixed && v->rank > 0) {
        port->dims[0] = -1;
    }
}

static enum err_code check_input(struct engine *e, struct err *err)
{
    const struct onnx_model *m = onnx_model(e->file);
    if (e->graph->n_inputs != 1) {
        return err_rule(err, ERR_INPUT, "model-input",
                        "The model has %zu inputs; the engine can only give it one, the images.",
                        e->graph->n_inputs);
    }
    const struct value *v = &e->graph->values[e->graph->inputs[0]];
    if (v->type != TYPE_F32) {
        return err_rule(err, ERR_INPUT, "model-input", "The model's input \"%.*s\" is not float32.",
                        (int)v->name.n, v->name.p);
    }
    if (e->graph->n_outputs == 0 || e->graph->n_outputs > ENGINE_OUTPUTS) {
        return err_rule(err, ERR_INPUT, "model-output",
                        "The model has %zu outputs; the engine takes 1 to %d. Name the ones you want.",
                        e->graph->n_outputs, ENGINE_OUTPUTS);
    }
    const struct onnx_port *port = m->n_inputs > 0 ? &m->inputs[0] : NULL;
    bool open = !port || (port->rank > 0 && port->dims[0] < 0);
    e->fixed = open ? 0 : port->rank > 0 ? port->dims[0] : 1;
    return OK;
}

/* In a batch that the file fixes, results may be other than one per image (operator tests): then
 * the whole batch counts as one. */
static enum err_code check_outputs(struct engine *e, const struct graph *g, int64_t batch,
                                   struct err *err)
{
    bool per_image = g->values[g->inputs[0]].rank > 0;
    for (size_t o = 0; o < g->n_outputs; o++) {
        const struct value *v = &g->values[g->outputs[o]];
        if (v->type != TYPE_F32) {
            return err_rule(err, ERR_INPUT, "model-output",
                            "The model's output \"%.*s\" is not float32.", (int)v->name.n,
                            v->name.p);
        }
        per_image = per_image && v->rank > 0 && v->dims[0] == batch;
    }
    if (!per_image && !e->fixed) {
        return err_rule(err, ERR_INPUT, "model-output",
                        "The model's output is not one result per image.");
    }
    e->unit = per_image && e->fixed ? e->fixed : 1;
    return OK;
}

/* A file may leave the batch open and still have it in its nodes (Reshape to 1,1000): then one
 * image at a time. */
static enum err_code check_batch(struct engine *e, const struct graph *g, struct err *err)
{
    struct arena once;
    struct graph *two;
    struct err why = {0}; /* nobody asks */
    enum err_code rc = OK;
    if (e->fixed) {
        return check_outputs(e, g, e->fixed, err);
    }
    arena_init(&once, ENGINE_ARENA);
    if (engine_shapes(e, 2, &once, &two, &why) == OK) {
        rc = check_outputs(e, two, 2, err);
    } else {
        e->fixed = 1;
        rc = check_outputs(e, g, 1, err);
    }
    arena_release(&once);
    return rc;
}

static void fill_facts(struct engine *e, const struct graph *g)
{
    struct engine_facts *f = &e->facts;
    const struct onnx_model *m = onnx_model(e->file);
    const char *const *parts;
    describe_port(e, &g->values[g->inputs[0]], &f->input);
    int64_t images = e->fixed ? e->unit : 1;
    e->input_size = (size_t)(value_elements(&g->values[g->inputs[0]]) / images);
    f->n_outputs = g->n_outputs;
    for (size_t o = 0; o < g->n_outputs; o++) {
        describe_port(e, &g->values[g->outputs[o]], &f->outputs[o]);
        e->output_size[o] = (size_t)(value_elements(&g->values[g->outputs[o]]) / images);
    }
    f->opset = m->opset;
    f->producer = text(e, m->producer);
    for (size_t i = 0; i < g->n_nodes; i++) {
        f->nodes += g->nodes[i].op != OP_NONE;
    }
    for (size_t i = 0; i < m->n_initializers; i++) {
        uint64_t one = tensor_type_size(m->initializers[i].type);
        f->parameters += one > 0 ? m->initializers[i].bytes / one : 0;
    }
    for (size_t i = 0, n = onnx_parts(e->file, &parts); i < n; i++) {
        int64_t bytes = fs_size(parts[i]);
        f->bytes += bytes > 0 ? (uint64_t)bytes : 0;
    }
}

/* ------------------------------------------------------------------ opening */

enum {
    STEPS_MOST = 1 << 16, /* of a plan: each takes memory, however little it does */
    MADE_MOST = 1 << 29   /* elements */
};
#define MIB 1048576.0

static enum err_code too_large(uint64_t bytes, uint64_t most, struct err *err)
{
    return err_rule(
        err, ERR_LIMIT, "model-memory",
        "The model needs %.1f MiB of memory in one thread; at most %.1f MiB are allowed",
        (double)bytes / MIB, (double)most / MIB);
}

/* Elements of constants that are made from others. */
static uint64_t made_most(const struct engine_limits *limits)
{
    uint64_t most = limits ? limits->bytes / sizeof(float) : MADE_MOST;
    return most < MADE_MOST ? most : MADE_MOST;
}

/* From dimensions alone, so that no plan is made of what is far too large. */
static enum err_code check_estimate(struct engine *e, const struct graph *g,
                                    const struct engine_limits *limits, struct err *err)
{
    struct estimate estimate = estimate_graph(g);
    e->facts.flops = estimate.operations / (e->fixed ? (uint64_t)e->unit : 1);
    if (estimate.steps > STEPS_MOST) {
        return err_rule(err, ERR_INPUT, "onnx-size",
                        "The model has %llu steps; the engine runs models of up to %d.",
                        (unsigned long long)estimate.steps, STEPS_MOST);
    }
    if (limits && e->facts.flops > limits->flops) {
        return err_rule(err, ERR_LIMIT, "model-operations",
                        "The model takes %.1f GFLOP per image (billion operations; a multiply-add counts as "
                        "two); at most %.1f are allowed",
                        (double)e->facts.flops / 1e9, (double)limits->flops / 1e9);
    }
    return limits && estimate.largest > limits->bytes
               ? too_large(estimate.largest, limits->bytes, err)
               : OK;
}

/* Exactly, from the plans that predict will run. */
static enum err_code check_memory(struct engine *e, const struct engine_limits *limits,
                                  struct err *err)
{
    enum err_code rc = engine_measure(e, err);
    uint64_t bytes = e->facts.weight_bytes + e->facts.run_bytes;
    return rc == OK && limits && bytes > limits->bytes ? too_large(bytes, limits->bytes, err) : rc;
}

static enum err_code prepare(struct engine *e, const char *path, const char *const *outputs,
                             size_t n, const struct engine_limits *limits, struct err *err)
{
    struct arena once;
    struct graph *g = NULL;
    enum err_code rc = onnx_open(path, &e->file, err);
    arena_init(&once, ENGINE_ARENA);
    if (rc == OK) {
        rc = graph_build(onnx_model(e->file), outputs, n, made_most(limits), &e->arena, &e->graph, err);
    }
    rc = rc == OK ? check_input(e, err) : rc;
    if (rc == OK) {
        e->weights = weights_new(e->graph, e->file);
        rc = engine_shapes(e, e->fixed ? e->fixed : 1, &once, &g, err);
    }
    rc = rc == OK ? check_batch(e, g, err) : rc;
    rc = rc == OK ? check_estimate(e, g, limits, err) : rc;
    if (rc == OK) {
        fill_facts(e, g);
        engine_find_cut(e, g);
        rc = check_memory(e, limits, err);
    }
    arena_release(&once);
    return rc;
}

enum err_code engine_open(const char *path, const char *const *outputs, size_t n, int64_t side,
                          const struct engine_limits *limits, struct engine **out, struct err *err)
{
    struct engine *e = xcalloc(1, sizeof *e);
    dnn_use_one_thread();
    arena_init(&e->arena, ENGINE_ARENA);
    e->side = side;
    enum err_code rc = dnn_check_processor(err);
    rc = rc == OK ? prepare(e, path, outputs, n, limits, err) : rc;
    if (rc != OK) {
        engine_close(e);
        e = NULL;
    }
    *out = e;
    return rc;
}

void engine_close(struct engine *e)
{
    if (e) {
        weights_free(e->weights);
        if (e->file) {
            onnx_close(e->file);
        }
        arena_release(&e->arena);
        free(e);
    }
}

/* ------------------------------------------------------------------ facts */

const struct engine_facts *engine_facts(const struct engine *e)
{
    return &e->facts;
}

size_t engine_input_size(const struct engine *e)
{
    return e->input_size;
}

size_t engine_output_size(const struct engine *e, size_t o)
{
    return e->output_size[o];
}

int64_t engine_best_batch(const struct engine *e)
{
    return e->fixed ? e->unit : e->cut_at > 0 ? CUT_BATCH : e->block;
}

static char fingerprint[160];

static void write_fingerprint(void)
{
    const dnnl_version_t *v = dnnl_version();
    snprintf(fingerprint, sizeof fingerprint, "holdout-engine %d, oneDNN %d.%d.%d, %s, kernels %s",
             ENGINE_VERSION, v->major, v->minor, v->patch,
             dnnl_cpu_isa2str(dnnl_get_effective_cpu_isa()), kernels()->name);
}

const char *engine_fingerprint(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, write_fingerprint);
    return fingerprint;
}
