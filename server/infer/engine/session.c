/* session.c - one thread's way through a model: everything is allocated here, nothing while
 * running. A block of images goes through the first part, block after block; the second part, if
 * the model is cut, sees the whole batch. A block that is not full is filled up with zeros, so that
 * images never depend on their neighbours. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "infer/engine/private.h"
#include "infer/plan/dnn.h"

enum { SESSION_ARENA = 1 << 28 };

/* One plan, and which of the engine's outputs it makes. */
struct part {
    struct graph *graph;
    struct arena arena;
    struct plan *plan;
    int64_t images;
    int values[ENGINE_OUTPUTS + 1];
    int outputs[ENGINE_OUTPUTS +
                1]; /* number of the engine's output; -1: goes into the next part */
    size_t n;
};
struct session {
    struct engine *engine;
    int64_t batch;
    struct part first, second; /* second.plan NULL: the model is not cut */
    struct weights *weights;
    float *padded; /* a block's input */
    float *middle; /* what the second part reads */
    size_t padded_floats, middle_floats;
    size_t middle_size; /* of one image */
    bool profile;
};

/* ------------------------------------------------------------------ making */

/* The engine's outputs that nodes [from, to) make. */
static void choose_outputs(struct part *part, size_t from, size_t to, int cut)
{
    const struct graph *g = part->graph;
    for (size_t o = 0; o < g->n_outputs; o++) {
        int producer = g->values[g->outputs[o]].producer;
        bool early = producer < (int)from;
        if (producer < (int)to && (from == 0 || !early)) {
            part->values[part->n] = g->outputs[o];
            part->outputs[part->n++] = (int)o;
        }
    }
    if (cut >= 0) {
        part->values[part->n] = cut;
        part->outputs[part->n++] = -1;
    }
}

/* Describes the part; nothing is allocated for its values yet. */
static enum err_code plan_part(struct session *s, struct part *part, int64_t images, size_t from,
                               bool rest, struct err *err)
{
    struct engine *e = s->engine;
    part->images = images;
    enum err_code rc =
        engine_shapes(e, e->fixed ? e->fixed : images, &part->arena, &part->graph, err);
    if (rc != OK) {
        return rc;
    }
    size_t to = rest ? part->graph->n_nodes : e->cut_at;
    choose_outputs(part, from, to, rest ? -1 : e->cut);
    const struct plan_part what = {from, to, from > 0 ? e->cut : part->graph->inputs[0],
                                   part->values, part->n};
    return plan_new(part->graph, s->weights, &what, &part->plan, err);
}

static enum err_code plan_parts(struct session *s, struct err *err)
{
    struct engine *e = s->engine;
    int64_t all = engine_whole_rows(s->batch);
    int64_t block = e->fixed ? e->unit : all < e->block ? all : e->block;
    enum err_code rc = plan_part(s, &s->first, block, 0, e->cut_at == 0, err);
    if (rc == OK && e->cut_at > 0) {
        rc = plan_part(s, &s->second, all, e->cut_at, true, err);
    }
    if (rc == OK) {
        s->padded_floats = (size_t)block * e->input_size;
    }
    if (rc == OK && e->cut_at > 0) {
        int64_t room = (all + block - 1) / block * block;
        s->middle_size = (size_t)(value_elements(&s->first.graph->values[e->cut]) / block);
        s->middle_floats = (size_t)room * s->middle_size;
    }
    return rc;
}

static enum err_code bind_parts(struct session *s, struct err *err)
{
    enum err_code rc = plan_bind(s->first.plan, err);
    if (rc == OK && s->second.plan) {
        rc = plan_bind(s->second.plan, err);
    }
    if (rc != OK) {
        return rc;
    }
    s->padded = xcalloc(s->padded_floats + 1, sizeof(float));
    if (s->second.plan) {
        s->middle = xcalloc(s->middle_floats + 1, sizeof(float));
    }
    return OK;
}

/* A batch that the file fixes is never cut: constants may differ from image to image in it. */
int64_t engine_round_batch(const struct engine *e, int64_t batch)
{
    return e->fixed ? (batch + e->unit - 1) / e->unit * e->unit : batch;
}

static struct session *begin(struct engine *e, struct weights *weights, int64_t batch)
{
    struct session *s = xcalloc(1, sizeof *s);
    dnn_use_one_thread();
    s->engine = e;
    s->weights = weights;
    s->batch = engine_round_batch(e, batch);
    arena_init(&s->first.arena, SESSION_ARENA);
    arena_init(&s->second.arena, SESSION_ARENA);
    return s;
}

static size_t plan_bytes(const struct session *s)
{
    int64_t floats = s->first.plan->floats + (s->second.plan ? s->second.plan->floats : 0);
    return (size_t)floats * sizeof(float);
}

/* Beside its plans a thread has the batch that goes in and the results that come out. */
static uint64_t planned_bytes(const struct session *s)
{
    const struct engine *e = s->engine;
    uint64_t floats = e->input_size;
    for (size_t o = 0; o < e->facts.n_outputs; o++) {
        floats += e->output_size[o];
    }
    floats = floats * (uint64_t)s->batch + s->padded_floats + s->middle_floats;
    return floats * sizeof(float) + plan_bytes(s);
}

/* In weights of its own: what the file's become in another batch's order is not kept. */
enum err_code engine_measure(struct engine *e, struct err *err)
{
    struct weights *weights = weights_new(e->graph, NULL);
    struct session *s = begin(e, weights, engine_best_batch(e));
    enum err_code rc = plan_parts(s, err);
    if (rc == OK) {
        e->facts.weight_bytes = weights_planned(weights) + e->arena.used;
        e->facts.run_bytes = planned_bytes(s);
    }
    session_close(s);
    weights_free(weights);
    return rc;
}

enum err_code engine_session(struct engine *e, int64_t batch, struct session **out, struct err *err)
{
    *out = NULL;
    if (batch < 1 || batch > ENGINE_BATCH) {
        return err_rule(err, ERR_INPUT, "model-batch", "A batch must have 1 to %d images.", ENGINE_BATCH);
    }
    struct session *s = begin(e, e->weights, batch);
    enum err_code rc = plan_parts(s, err);
    rc = rc == OK ? bind_parts(s, err) : rc;
    if (rc != OK) {
        session_close(s);
        return rc;
    }
    *out = s;
    return OK;
}

void session_close(struct session *s)
{
    if (s) {
        plan_free(s->first.plan);
        plan_free(s->second.plan);
        arena_release(&s->first.arena);
        arena_release(&s->second.arena);
        free(s->padded);
        free(s->middle);
        free(s);
    }
}

/* ------------------------------------------------------------------ running */

/* Hands out `n` results that begin with image `at` of the batch. */
static void take_results(struct session *s, const struct part *part, int64_t at, int64_t n,
                         float *const *out)
{
    for (size_t i = 0; i < part->n; i++) {
        int o = part->outputs[i];
        size_t size = o < 0 ? s->middle_size : s->engine->output_size[o];
        float *to = o < 0 ? s->middle : out[o];
        if (to) {
            memcpy(to + (size_t)at * size, plan_output_at(part->plan, i),
                   (size_t)n * size * sizeof(float));
        }
    }
}

static void run_block(struct session *s, const float *in, int64_t at, int64_t n, float *const *out)
{
    size_t size = s->engine->input_size;
    const float *images = in + (size_t)at * size;
    if (n < s->first.images) {
        size_t rest = (size_t)(s->first.images - n) * size;
        memcpy(s->padded, images, (size_t)n * size * sizeof(float));
        memset(s->padded + (size_t)n * size, 0, rest * sizeof(float));
        images = s->padded;
    }
    plan_run(s->first.plan, images, s->profile);
    take_results(s, &s->first, at, n, out);
}

enum err_code session_run(struct session *s, const float *in, int64_t n, float *const *out,
                          struct err *err)
{
    if (n < 0 || n > s->batch) {
        return err_rule(err, ERR_INPUT, "model-batch",
                        "The session takes %lld images at most, not %lld.", (long long)s->batch,
                        (long long)n);
    }
    dnn_use_one_thread();
    for (int64_t at = 0; at < n; at += s->first.images) {
        int64_t left = n - at;
        run_block(s, in, at, left < s->first.images ? left : s->first.images, out);
    }
    if (s->second.plan && n > 0) {
        plan_run(s->second.plan, s->middle, s->profile);
        take_results(s, &s->second, 0, n, out);
    }
    return OK;
}

/* ------------------------------------------------------------------ profile */

void session_profile(struct session *s)
{
    s->profile = true;
}

size_t session_steps(const struct session *s)
{
    return s->first.plan->n_steps + (s->second.plan ? s->second.plan->n_steps : 0);
}

void session_step(const struct session *s, size_t i, struct session_step *out)
{
    const struct plan *p = i < s->first.plan->n_steps ? s->first.plan : s->second.plan;
    const struct plan_step *step = &p->steps[p == s->first.plan ? i : i - s->first.plan->n_steps];
    int64_t blocks = p == s->first.plan ? (s->batch + s->first.images - 1) / s->first.images : 1;
    *out = (struct session_step){.what = step->what, .seconds = (double)(step->ns * blocks) * 1e-9};
    if (step->node && step->node->onnx) {
        const struct onnx_node *n = step->node->onnx;
        out->op = n->op.p;
        out->op_n = n->op.n;
        out->name = n->name.p;
        out->name_n = n->name.n;
    }
}
