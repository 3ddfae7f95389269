/* one_op.c - plans and runs one operator of the engine on random values.
 *
 * All that is given comes in as one long row; nodes before the operator cut it into pieces and give
 * each its dimensions and its place in memory: a piece with its channels last, then turned by a
 * transposition that moves nothing. */
#include "one_op.h"

#include <math.h>
#include <string.h>

enum { WIDER = 3 };

void one_op_init(struct one_op *o, enum op op, struct rng *rng)
{
    memset(o, 0, sizeof *o);
    arena_init(&o->arena, 1 << 28);
    o->graph.values = arena_calloc(&o->arena, ONE_VALUES, sizeof *o->graph.values);
    o->graph.nodes = arena_calloc(&o->arena, ONE_NODES, sizeof *o->graph.nodes);
    o->graph.n_values = 1; /* the long row */
    o->node = arena_calloc(&o->arena, 1, sizeof *o->node);
    o->node->op = op;
    o->node->residual = -1;
    o->node->inputs = arena_calloc(&o->arena, ONE_INPUTS, sizeof(int));
    o->node->outputs = arena_calloc(&o->arena, ONE_OUTPUTS, sizeof(int));
    o->rng = rng;
    o->low = -2;
    o->high = 2;
}

static int add_value(struct one_op *o, const int64_t *dims)
{
    assert_true(o->graph.n_values < ONE_VALUES);
    struct value *v = &o->graph.values[o->graph.n_values];
    v->type = TYPE_F32;
    v->producer = -1;
    while (dims[v->rank] >= 0) {
        v->dims[v->rank] = dims[v->rank];
        v->rank++;
    }
    return (int)o->graph.n_values++;
}

static float *random_floats(struct one_op *o, int64_t n)
{
    float *x = arena_calloc(&o->arena, (size_t)n + 1, sizeof *x);
    for (int64_t i = 0; i < n; i++) {
        x[i] = o->low + (o->high - o->low) * (float)rng_unit(o->rng);
    }
    return x;
}

int one_op_given(struct one_op *o, enum lies lies, const int64_t *dims)
{
    int v = add_value(o, dims);
    o->values[v] = random_floats(o, one_op_size(o, v));
    o->lies[v] = o->graph.values[v].rank == 4 ? lies : LIES_ROWS;
    o->given[o->n_given++] = v;
    o->node->inputs[o->node->n_inputs++] = v;
    return v;
}

int one_op_constant(struct one_op *o, const int64_t *dims)
{
    int v = add_value(o, dims);
    o->graph.values[v].data = o->values[v] = random_floats(o, one_op_size(o, v));
    o->node->inputs[o->node->n_inputs++] = v;
    return v;
}

int one_op_indices(struct one_op *o, const int64_t *dims, const int64_t *at)
{
    int v = add_value(o, dims);
    o->graph.values[v].type = TYPE_I64;
    o->graph.values[v].data = at;
    o->node->inputs[o->node->n_inputs++] = v;
    return v;
}

int one_op_left_out(struct one_op *o)
{
    return o->node->inputs[o->node->n_inputs++] = -1;
}

int one_op_output(struct one_op *o, const int64_t *dims)
{
    int v = add_value(o, dims);
    o->graph.values[v].output = true;
    o->node->outputs[o->node->n_outputs++] = v;
    return v;
}

int64_t one_op_size(const struct one_op *o, int value)
{
    return value_elements(&o->graph.values[value]);
}

const int64_t *one_op_dims(const struct one_op *o, int value)
{
    return o->graph.values[value].dims;
}

static struct node *add_node(struct one_op *o, enum op op, int input, int output)
{
    struct node *n = &o->graph.nodes[o->graph.n_nodes++];
    n->op = op;
    n->residual = -1;
    n->inputs = arena_calloc(&o->arena, 1, sizeof(int));
    n->inputs[0] = input;
    n->n_inputs = 1;
    n->outputs = arena_calloc(&o->arena, ONE_VALUES, sizeof(int));
    if (output >= 0) {
        n->outputs[n->n_outputs++] = output;
    }
    return n;
}

/* `piece` of the row becomes value v: reshaped, and when it lies with channels last, cut and
 * turned. */
static void add_pieces(struct one_op *o, int piece, int v)
{
    const int64_t *d = one_op_dims(o, v);
    if (o->lies[v] == LIES_ROWS) {
        add_node(o, OP_RESHAPE, piece, v);
        return;
    }
    int64_t wide = d[1] + (o->lies[v] == LIES_IN_WIDER ? WIDER : 0);
    int whole = add_value(o, DIMS(d[0], d[2], d[3], wide)),
        cut = add_value(o, DIMS(d[0], d[2], d[3], d[1]));
    add_node(o, OP_RESHAPE, piece, whole);
    struct node *slice = add_node(o, OP_SLICE, whole, cut);
    slice->at[3] = wide - d[1];
    slice->by[0] = slice->by[1] = slice->by[2] = slice->by[3] = 1;
    struct node *turn = add_node(o, OP_TRANSPOSE, cut, v);
    memcpy(turn->at, (const int64_t[]){0, 3, 1, 2}, 4 * sizeof(int64_t));
}

static int64_t piece_size(const struct one_op *o, int v)
{
    const int64_t *d = one_op_dims(o, v);
    int64_t n = one_op_size(o, v);
    return o->lies[v] == LIES_IN_WIDER ? n / d[1] * (d[1] + WIDER) : n;
}

/* Value v as its piece lies in the row. */
static void write_piece(const struct one_op *o, int v, float *out)
{
    const int64_t *d = one_op_dims(o, v);
    if (o->lies[v] == LIES_ROWS) {
        memcpy(out, o->values[v], (size_t)one_op_size(o, v) * sizeof *out);
        return;
    }
    int64_t skip = o->lies[v] == LIES_IN_WIDER ? WIDER : 0, wide = d[1] + skip,
            pixels = d[2] * d[3];
    for (int64_t i = 0; i < d[0] * pixels * wide; i++) {
        int64_t c = i % wide - skip, pixel = i / wide % pixels, n = i / wide / pixels;
        out[i] = c < 0 ? 1e9f : o->values[v][(n * d[1] + c) * pixels + pixel];
    }
}

/* The whole graph, and the floats of its input. */
static float *build(struct one_op *o)
{
    int64_t total = 0;
    for (int i = 0; i < o->n_given; i++) {
        total += piece_size(o, o->given[i]);
    }
    o->graph.values[0] =
        (struct value){.type = TYPE_F32, .rank = 1, .dims = {total}, .producer = -1};
    float *row = arena_calloc(&o->arena, (size_t)total + 1, sizeof *row);
    struct node *split = add_node(o, OP_SPLIT, 0, -1);
    int64_t at = 0;
    for (int i = 0; i < o->n_given; i++) {
        int v = o->given[i], piece = add_value(o, DIMS(piece_size(o, v)));
        split->outputs[split->n_outputs++] = piece;
        write_piece(o, v, row + at);
        add_pieces(o, piece, v);
        at += piece_size(o, v);
    }
    o->graph.nodes[o->graph.n_nodes++] = *o->node;
    return row;
}

static enum err_code plan(struct one_op *o, struct plan **p, struct weights **w, struct err *err)
{
    struct plan_part part = {0, o->graph.n_nodes, 0, o->node->outputs, o->node->n_outputs};
    *w = weights_new(&o->graph, NULL);
    return plan_new(&o->graph, *w, &part, p, err);
}

void one_op_run(struct one_op *o)
{
    struct err err = {0};
    struct plan *p;
    struct weights *w;
    float *row = build(o);
    if (plan(o, &p, &w, &err) != OK || plan_bind(p, &err) != OK) {
        fail_msg("%s", err.msg);
    }
    plan_run(p, row, false);
    plan_run(p, row, false); /* a plan may be run any number of times */
    for (uint32_t i = 0; i < o->node->n_outputs; i++) {
        int64_t n = one_op_size(o, o->node->outputs[i]);
        o->made[i] = arena_calloc(&o->arena, (size_t)n + 1, sizeof(float));
        memcpy(o->made[i], plan_output_at(p, i), (size_t)n * sizeof(float));
    }
    plan_free(p);
    weights_free(w);
}

enum err_code one_op_refused(struct one_op *o, struct err *err)
{
    struct plan *p;
    struct weights *w;
    build(o);
    enum err_code rc = plan(o, &p, &w, err);
    plan_free(p);
    weights_free(w);
    return rc;
}

void one_op_free(struct one_op *o)
{
    arena_release(&o->arena);
}

void one_op_index(const struct one_op *o, int value, int64_t at, int64_t *index)
{
    const struct value *v = &o->graph.values[value];
    for (uint32_t i = v->rank; i-- > 0;) {
        index[i] = at % v->dims[i];
        at /= v->dims[i];
    }
}

int64_t one_op_at(const struct one_op *o, int value, const int64_t *index)
{
    const struct value *v = &o->graph.values[value];
    int64_t at = 0;
    for (uint32_t i = 0; i < v->rank; i++) {
        assert_true(index[i] >= 0 && index[i] < v->dims[i]);
        at = at * v->dims[i] + index[i];
    }
    return at;
}

void one_op_near(const struct one_op *o, int output, int64_t at, double want, double tolerance)
{
    double got = (double)o->made[output][at];
    if (!(fabs(got - want) <= tolerance * fmax(1, fabs(want)))) {
        fail_msg("output %d, [%ld]: got %.9g, want %.9g", output, (long)at, got, want);
    }
}
