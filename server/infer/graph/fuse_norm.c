/* fuse_norm.c - layer norm as exporters wrote it before operator set 17. */
#include "infer/graph/fuse.h"
#include "infer/onnx/wire.h"

/* n takes the mean over the last axis and keeps it as 1. */
static bool is_mean_of_last(const struct graph *g, const struct node *n)
{
    struct list axes;
    return n->op == OP_REDUCE && n->u.reduce == REDUCE_MEAN &&
           onnx_int(n->onnx, "keepdims", 1) == 1 && node_list(g, n, "axes", 1, &axes, NULL) == OK &&
           axes.n == 1 && axes.at[0] == -1;
}

/* Vectors of floats, one number for each place of the last axis. */
static bool is_vector(const struct value *v)
{
    return v && v->data && v->type == TYPE_F32 && v->rank == 1;
}

/* The parts of (x - mean(x)) / sqrt(mean((x - mean(x))^2) + epsilon), walked up from the quotient.
 */
struct norm {
    struct node *sqrt, *sum, *variance, *square;
    int x;
    float epsilon;
};

static bool is_centered(const struct graph *g, int value, int *x)
{
    const struct value *v = &g->values[value];
    const struct node *sub = v->producer >= 0 ? &g->nodes[v->producer] : NULL;
    if (!sub || !fuse_is_binary(sub, BIN_SUB) || v->output) {
        return false;
    }
    *x = sub->inputs[0];
    const struct value *m = node_input(g, sub, 1);
    const struct node *mean = m->producer >= 0 ? &g->nodes[m->producer] : NULL;
    return mean && !m->output && is_mean_of_last(g, mean) && mean->inputs[0] == *x;
}

static bool find_norm(const struct graph *g, const struct node *div, struct norm *p)
{
    int other = -1;
    p->sqrt = fuse_is_binary(div, BIN_DIV) ? fuse_unary_above(g, div, 1, FN_SQRT) : NULL;
    p->sum = p->sqrt ? fuse_binary_above(g, p->sqrt, 0, BIN_ADD) : NULL;
    int side = p->sum ? fuse_number_beside(g, p->sum, &p->epsilon) : -1;
    p->variance = side >= 0 ? fuse_above(g, p->sum, (uint32_t)side, OP_REDUCE) : NULL;
    p->square = p->variance && is_mean_of_last(g, p->variance)
                    ? fuse_unary_above(g, p->variance, 0, FN_POW)
                    : NULL;
    /* Some exporters take the difference twice. */
    return p->square && p->square->act.a == 2 && is_centered(g, div->inputs[0], &p->x) &&
           is_centered(g, p->square->inputs[0], &other) && other == p->x;
}

/* What is left of the pattern has no other use and goes when the graph is swept. */
static enum err_code become_norm(struct graph_work *w, struct node *n, const struct norm *p,
                                 int scale, int bias, struct err *err)
{
    int *inputs;
    enum err_code rc = onnx_take(w->a, 3, sizeof *inputs, &inputs, err);
    if (rc == OK) {
        inputs[0] = p->x;
        inputs[1] = scale;
        inputs[2] = bias;
        n->op = OP_LAYER_NORM;
        n->inputs = inputs;
        n->n_inputs = 3;
        n->axis = -1;
        n->epsilon = p->epsilon;
    }
    return rc;
}

/* A scale and a bias on the next two nodes are found from below, so that the whole is one node: the
 * quotient alone becomes a norm first, and takes them when their turn comes. */
enum err_code fuse_layer_norm(struct graph_work *w, struct node *n, struct err *err)
{
    struct norm p;
    if (find_norm(w->g, n, &p)) {
        return become_norm(w, n, &p, -1, -1, err);
    }
    uint32_t place = fuse_is_binary(n, BIN_MUL) ? 1 : fuse_is_binary(n, BIN_ADD) ? 2 : 0;
    for (uint32_t i = 0; i < 2 && place; i++) {
        struct node *norm = fuse_above(w->g, n, i, OP_LAYER_NORM);
        if (norm && norm->axis == -1 && norm->inputs[place] < 0 &&
            (place == 2 || norm->inputs[2] < 0) && is_vector(node_input(w->g, n, 1 - i))) {
            norm->inputs[place] = n->inputs[1 - i];
            fuse_take(n, norm);
            return OK;
        }
    }
    return OK;
}
