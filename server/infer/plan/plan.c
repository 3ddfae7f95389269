/* plan.c - values become tensors, nodes become steps, buffers get a place. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "infer/plan/dnn.h"
#include "infer/plan/ops.h"
#include "infer/plan/private.h"
#include "infer/plan/room.h"

enum { PLAN_ARENA = 1 << 28, CACHE_LINE = 64 };

struct arena *plan_arena(struct plan *p)
{
    return &p->arena;
}

const struct graph *plan_graph(const struct plan *p)
{
    return p->graph;
}

struct weights *plan_weights(struct plan *p)
{
    return p->weights;
}

const struct value *plan_value(const struct plan *p, const struct node *n, uint32_t i)
{
    return i < n->n_inputs && n->inputs[i] >= 0 ? &p->graph->values[n->inputs[i]] : NULL;
}

const struct value *plan_result(const struct plan *p, const struct node *n, uint32_t o)
{
    return &p->graph->values[n->outputs[o]];
}

/* ------------------------------------------------------------------ buffers */

static int add_buffer(struct plan *p, int64_t floats, int read_until)
{
    xgrow(&p->buffers, &p->cap_buffers, p->n_buffers + 1, sizeof *p->buffers);
    p->buffers[p->n_buffers] = (struct buffer){floats, 0, -1, -1, read_until};
    return (int)p->n_buffers++;
}

static struct tensor *new_tensor(struct plan *p, const struct value *v, int buffer,
                                 enum layout layout)
{
    struct tensor *t = arena_calloc(&p->arena, 1, sizeof *t);
    t->rank = v->rank;
    memcpy(t->dims, v->dims, sizeof t->dims);
    t->buffer = buffer;
    t->data = v->data;
    tensor_set_strides(t, layout);
    return t;
}

struct tensor *plan_buffer(struct plan *p, const struct value *v, enum layout layout)
{
    return new_tensor(p, v, add_buffer(p, value_elements(v), -1), layout);
}

void plan_needs(struct plan *p, const struct weight *w)
{
    xgrow(&p->needed, &p->cap_needed, p->n_needed + 1, sizeof *p->needed);
    p->needed[p->n_needed++] = w;
}

struct tensor *plan_scratch(struct plan *p, int64_t floats)
{
    const struct value flat = {.rank = 1, .dims = {floats}};
    struct tensor *t = plan_buffer(p, &flat, LAYOUT_ROWS);
    BUG_IF(p->n_scratch == sizeof p->scratch / sizeof *p->scratch);
    p->scratch[p->n_scratch++] = t->buffer;
    return t;
}

void plan_put(struct plan *p, int v, struct tensor *t)
{
    p->values[v] = t;
    if (t->buffer > BUFFER_INPUT && p->buffers[t->buffer].read_until < p->last_reader[v]) {
        p->buffers[t->buffer].read_until = p->last_reader[v];
    }
}

/* ------------------------------------------------------------------ inputs */

static const struct tensor *tensor_of(struct plan *p, int v)
{
    if (v >= 0 && !p->values[v]) {
        const struct value *value = &p->graph->values[v];
        BUG_IF(!value->data &&
               value_elements(value) > 0); /* nodes come in an order in which they can run */
        p->values[v] = new_tensor(p, value, BUFFER_CONSTANT, LAYOUT_ROWS);
    }
    return v < 0 ? NULL : p->values[v];
}

const struct tensor *plan_lies(struct plan *p, const struct node *n, uint32_t i)
{
    return tensor_of(p, i < n->n_inputs ? n->inputs[i] : i == n->n_inputs ? n->residual : -1);
}

static const struct tensor *unblocked(struct plan *p, const struct tensor *t)
{
    return t && t->block ? plan_as(p, t, LAYOUT_CHANNELS_LAST) : t;
}

const struct tensor *plan_input(struct plan *p, const struct node *n, uint32_t i)
{
    return i < n->n_inputs ? unblocked(p, tensor_of(p, n->inputs[i])) : NULL;
}

const struct tensor *plan_residual(struct plan *p, const struct node *n)
{
    return unblocked(p, tensor_of(p, n->residual));
}

const struct tensor *plan_as(struct plan *p, const struct tensor *t, enum layout layout)
{
    if (tensor_is(t, layout)) {
        return t;
    }
    for (size_t i = 0; i < p->n_copied; i++) {
        if (p->copied[i].from == t && p->copied[i].layout == layout) {
            return p->copied[i].to;
        }
    }
    struct tensor *to = arena_alloc(&p->arena, sizeof *to);
    *to = *t;
    to->offset = 0;
    to->buffer = add_buffer(p, tensor_elements(t),
                            t->buffer > BUFFER_INPUT ? p->buffers[t->buffer].read_until : INT_MAX);
    tensor_set_strides(to, layout);
    plan_copy(p, t, to);
    xgrow(&p->copied, &p->cap_copied, p->n_copied + 1, sizeof *p->copied);
    p->copied[p->n_copied++] = (struct plan_copied){t, to, layout};
    return to;
}

/* ------------------------------------------------------------------ outputs */

struct tensor *plan_output(struct plan *p, const struct node *n, uint32_t o, enum layout layout)
{
    struct tensor *t = plan_buffer(p, plan_result(p, n, o), layout);
    plan_put(p, n->outputs[o], t);
    return t;
}

struct tensor *plan_output_pixels(struct plan *p, const struct node *n, uint32_t o)
{
    struct tensor *home = plan_home(p, n->outputs[o]);
    if (!home || home->block) {
        return plan_output(p, n, o, LAYOUT_CHANNELS_LAST);
    }
    plan_put(p, n->outputs[o], home);
    return home;
}

struct tensor *plan_output_blocked(struct plan *p, const struct node *n, uint32_t o)
{
    struct tensor *home = plan_home(p, n->outputs[o]);
    if (!home || !tensor_is(home, LAYOUT_BLOCKED)) {
        return plan_output(p, n, o, LAYOUT_BLOCKED);
    }
    plan_put(p, n->outputs[o], home);
    return home;
}

void plan_output_view(struct plan *p, const struct node *n, uint32_t o, const struct tensor *view)
{
    struct tensor *t = arena_alloc(&p->arena, sizeof *t);
    *t = *view;
    plan_put(p, n->outputs[o], t);
}

static bool same_place(const struct tensor *a, const struct tensor *b)
{
    return a->rank == b->rank && a->block == b->block && a->offset == b->offset &&
           memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0 &&
           memcmp(a->strides, b->strides, a->rank * sizeof *a->strides) == 0;
}

/* Another input that lies in the same memory otherwise than t would be overwritten before it is
 * read. */
static bool read_otherwise(struct plan *p, const struct node *n, const struct tensor *t)
{
    for (uint32_t i = 0; i <= n->n_inputs; i++) {
        const struct tensor *other = plan_lies(p, n, i);
        if (other && other->buffer == t->buffer && !same_place(other, t)) {
            return true;
        }
    }
    return false;
}

struct tensor *plan_output_over(struct plan *p, const struct node *n, uint32_t o,
                                const struct tensor *t)
{
    const struct value *v = plan_result(p, n, o);
    int64_t pixel;
    bool last = tensor_is(t, LAYOUT_CHANNELS_LAST), blocked = tensor_is(t, LAYOUT_BLOCKED);
    bool free = t->buffer > BUFFER_INPUT && p->buffers[t->buffer].read_until <= p->at &&
                (last || blocked || tensor_is(t, LAYOUT_ROWS)) && t->rank == v->rank &&
                memcmp(t->dims, v->dims, v->rank * sizeof *v->dims) == 0 &&
                !read_otherwise(p, n, t);
    if (!free) {
        return plan_output(p, n, o,
                           t->block                              ? LAYOUT_BLOCKED
                           : last || tensor_is_pixels(t, &pixel) ? LAYOUT_CHANNELS_LAST
                                                                 : LAYOUT_ROWS);
    }
    plan_output_view(p, n, o, t);
    return p->values[n->outputs[o]];
}

/* ------------------------------------------------------------------ steps */

static void name_buffer(struct plan *p, int buffer)
{
    if (buffer >= 0) {
        struct buffer *b = &p->buffers[buffer];
        b->first = b->first < 0 ? (int)p->n_steps : b->first;
        b->last = (int)p->n_steps;
    }
}

void plan_step(struct plan *p, const char *what, step_fn *fn, const void *arg,
               const struct tensor *const *reads, const struct tensor *const *writes)
{
    for (; *reads; reads++) {
        name_buffer(p, (*reads)->buffer);
    }
    for (; *writes; writes++) {
        name_buffer(p, (*writes)->buffer);
    }
    while (p->n_scratch > 0) {
        name_buffer(p, p->scratch[--p->n_scratch]);
    }
    xgrow(&p->steps, &p->cap_steps, p->n_steps + 1, sizeof *p->steps);
    p->steps[p->n_steps++] = (struct plan_step){fn, arg, what, p->node, 0};
}

/* ------------------------------------------------------------------ planning */

static void find_readers(struct plan *p)
{
    const struct graph *g = p->graph;
    for (size_t v = 0; v < g->n_values; v++) {
        p->last_reader[v] = -1;
    }
    for (size_t i = p->part.from; i < p->part.to; i++) {
        const struct node *n = &g->nodes[i];
        for (uint32_t k = 0; n->op != OP_NONE && k < n->n_inputs; k++) {
            if (n->inputs[k] >= 0) {
                p->last_reader[n->inputs[k]] = (int)i;
            }
        }
        if (n->op != OP_NONE && n->residual >= 0) {
            p->last_reader[n->residual] = (int)i;
        }
    }
    for (size_t o = 0; o < p->part.n_outputs; o++) {
        p->last_reader[p->part.outputs[o]] = INT_MAX;
    }
}

/* An operator that writes dense memory does not know that its result is a part of a concatenation.
 */
static void copy_home(struct plan *p, const struct node *n)
{
    for (uint32_t o = 0; o < n->n_outputs; o++) {
        int v = n->outputs[o];
        struct tensor *home =
            v >= 0 && p->homes[v].root >= 0 && p->homes[v].root != v ? plan_home(p, v) : NULL;
        if (home && (p->values[v]->buffer != home->buffer || !same_place(p->values[v], home))) {
            plan_copy(p, p->values[v], home);
        }
    }
}

static enum err_code plan_node(struct plan *p, const struct node *n, struct err *err)
{
    const struct plan_op *op = plan_ops;
    while (op->op != n->op && op->op != OP_NONE) {
        op++;
    }
    if (op->op == OP_NONE) {
        return op_refuse(n, "the engine does not run it on values that depend on the image", err);
    }
    enum err_code rc = op_blocked(p, n) ? OK : op->plan(p, n, err);
    if (rc == OK) {
        copy_home(p, n);
    }
    return rc;
}

static enum err_code plan_nodes(struct plan *p, struct err *err)
{
    enum err_code rc = OK;
    for (size_t i = p->part.from; rc == OK && i < p->part.to; i++) {
        p->at = (int)i;
        p->node = &p->graph->nodes[i];
        if (p->node->op != OP_NONE) {
            rc = plan_node(p, p->node, err);
        }
    }
    p->node = NULL;
    p->at = INT_MAX;
    return rc;
}

static void plan_outputs(struct plan *p)
{
    p->outputs = arena_calloc(&p->arena, p->part.n_outputs, sizeof *p->outputs);
    for (size_t o = 0; o < p->part.n_outputs; o++) {
        p->outputs[o] = plan_as(p, tensor_of(p, p->part.outputs[o]), LAYOUT_ROWS);
        if (p->outputs[o]->buffer > BUFFER_INPUT) { /* it is read after the last step */
            p->buffers[p->outputs[o]->buffer].last = INT_MAX;
        }
    }
}

enum err_code plan_new(const struct graph *g, struct weights *weights, const struct plan_part *part,
                       struct plan **out, struct err *err)
{
    struct plan *p = xcalloc(1, sizeof *p);
    arena_init(&p->arena, PLAN_ARENA);
    p->graph = g;
    p->weights = weights;
    p->part = *part;
    p->values = arena_calloc(&p->arena, g->n_values, sizeof(struct tensor *));
    p->roots = arena_calloc(&p->arena, g->n_values, sizeof(struct tensor *));
    p->homes = arena_calloc(&p->arena, g->n_values, sizeof *p->homes);
    p->last_reader = arena_calloc(&p->arena, g->n_values, sizeof *p->last_reader);
    find_readers(p);
    p->blocked = plan_wants_blocks(p);
    plan_homes(p);
    p->values[part->input] =
        new_tensor(p, &g->values[part->input], add_buffer(p, 0, INT_MAX), LAYOUT_ROWS);
    enum err_code rc = plan_nodes(p, err);
    if (rc == OK) {
        plan_outputs(p);
        rc = plan_memory(p->buffers, p->n_buffers, &p->floats, err);
    }
    if (rc != OK) {
        plan_free(p);
        p = NULL;
    }
    *out = p;
    return rc;
}

enum err_code plan_bind(struct plan *p, struct err *err)
{
    void *memory = NULL;
    size_t bytes = (size_t)(p->floats > 0 ? p->floats : CACHE_LINE) * sizeof(float);
    enum err_code rc = room_make(bytes, "the model's memory", &memory, err);
    if (rc != OK) {
        return rc;
    }
    p->memory = memory;
    p->places = xcalloc(p->n_buffers, sizeof *p->places);
    for (size_t i = 1; i < p->n_buffers; i++) {
        p->places[i] = p->memory + p->buffers[i].offset;
    }
    for (size_t i = 0; rc == OK && i < p->n_needed; i++) {
        rc = weights_fill(p->weights, p->needed[i], err);
    }
    return rc == OK ? dnn_bind(p, err) : rc;
}

void plan_run(struct plan *p, const float *in, bool profile)
{
    const struct run run = {p->places};
    p->places[BUFFER_INPUT] = (float *)(uintptr_t)in;
    int64_t before = profile ? clock_mono_ns() : 0;
    for (size_t i = 0; i < p->n_steps; i++) {
        p->steps[i].fn(&run, p->steps[i].arg);
        if (profile) {
            int64_t now = clock_mono_ns(), ns = now - before > 0 ? now - before : 1;
            p->steps[i].ns = p->steps[i].ns == 0 || ns < p->steps[i].ns ? ns : p->steps[i].ns;
            before = now;
        }
    }
}

const float *plan_output_at(const struct plan *p, size_t o)
{
    const struct run run = {p->places};
    return tensor_at(&run, p->outputs[o]);
}

void plan_free(struct plan *p)
{
    if (p) {
        dnn_free(p);
        free(p->memory);
        free(p->places);
        free(p->buffers);
        free(p->steps);
        free(p->copied);
        free(p->needed);
        arena_release(&p->arena);
        free(p);
    }
}
