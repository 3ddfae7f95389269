/* fuse_shape.c - what can be said more simply once dimensions are known. */
#include <string.h>

#include "infer/graph/fuse.h"

static bool same_dims(const struct value *a, const struct value *b)
{
    return a->rank == b->rank && memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0;
}

static bool moves_nothing(const struct graph *g, const struct node *n)
{
    const struct value *x = node_input(g, n, 0), *y = node_output(g, n, 0);
    bool still = same_dims(x, y);
    for (uint32_t i = 0; i < x->rank && still; i++) {
        still = n->op == OP_TRANSPOSE ? n->at[i] == i
                : n->op == OP_SLICE   ? n->at[i] == 0 && n->by[i] == 1
                : n->op == OP_PAD     ? n->at[i] == 0 && n->by[i] == 0
                                      : true;
    }
    return still &&
           (n->op == OP_TRANSPOSE || n->op == OP_SLICE || n->op == OP_PAD || n->op == OP_RESHAPE ||
            n->op == OP_EXPAND || (n->op == OP_CONCAT && n->n_inputs == 1));
}

/* What lies below a node that moves nothing; nodes above n have looked through theirs already. */
static int look_through(const struct graph *g, int value)
{
    const struct value *v = value >= 0 ? &g->values[value] : NULL;
    const struct node *above = v && v->producer >= 0 ? &g->nodes[v->producer] : NULL;
    return above && moves_nothing(g, above) ? above->inputs[0] : value;
}

/* Nodes that move nothing are passed by; unless their copy leaves the graph, nobody needs them
 * then. */
enum err_code fuse_no_op(struct graph_work *w, struct node *n, struct err *err)
{
    (void)err;
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        n->inputs[i] = look_through(w->g, n->inputs[i]);
    }
    n->residual = look_through(w->g, n->residual);
    return OK;
}

/* A new shape of a new shape. */
enum err_code fuse_reshapes(struct graph_work *w, struct node *n, struct err *err)
{
    (void)err;
    struct node *above = n->op == OP_RESHAPE ? fuse_above(w->g, n, 0, OP_RESHAPE) : NULL;
    if (above) {
        n->inputs[0] = above->inputs[0];
        fuse_gone(above);
    }
    return OK;
}

/* (N, g, C / g, H, W) with the middle two exchanged, between two reshapes */
enum err_code fuse_channel_shuffle(struct graph_work *w, struct node *n, struct err *err)
{
    static const int64_t order[] = {0, 2, 1, 3, 4};
    (void)err;
    struct node *turn = n->op == OP_RESHAPE ? fuse_above(w->g, n, 0, OP_TRANSPOSE) : NULL;
    struct node *first = turn ? fuse_above(w->g, turn, 0, OP_RESHAPE) : NULL;
    if (!first) {
        return OK;
    }
    const struct value *x = node_input(w->g, first, 0), *y = node_output(w->g, n, 0),
                       *five = node_input(w->g, turn, 0);
    if (x->rank != 4 || five->rank != 5 || !same_dims(x, y) ||
        memcmp(turn->at, order, sizeof order) != 0 || five->dims[0] != x->dims[0] ||
        five->dims[1] * five->dims[2] != x->dims[1] || five->dims[3] != x->dims[2]) {
        return OK;
    }
    n->op = OP_CHANNEL_SHUFFLE;
    n->window.group = five->dims[1];
    n->inputs[0] = first->inputs[0];
    fuse_gone(turn);
    fuse_gone(first);
    return OK;
}

/* The window is the whole picture. */
static bool covers_all(const struct value *x, const struct node *n)
{
    for (uint32_t i = 2; i < x->rank; i++) {
        if (n->window.kernel[i - 2] != x->dims[i] || n->window.before[i - 2] ||
            n->window.after[i - 2] || n->window.dilation[i - 2] != 1) {
            return false;
        }
    }
    return x->rank == 4;
}

/* Pools over all pixels, and means and maxima over both axes of pictures */
enum err_code fuse_global_pool(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    (void)err;
    bool reduce = n->op == OP_REDUCE && x->rank == 4 && n->axes == 0xc &&
                  n->u.reduce <= REDUCE_MAX && n->u.reduce != REDUCE_SUM;
    bool pool = (n->op == OP_AVERAGE_POOL || n->op == OP_MAX_POOL) && covers_all(x, n);
    if (reduce || pool) {
        bool max = reduce ? n->u.reduce == REDUCE_MAX : n->op == OP_MAX_POOL;
        n->op = max ? OP_GLOBAL_MAX_POOL : OP_GLOBAL_AVERAGE_POOL;
    }
    return OK;
}
