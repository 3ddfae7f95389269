/* fuse.c - the list of rewrites, and what they share. Those that need no dimensions, which may make
 * new weights, are done once for all batches; the others when dimensions are known. */
#include "infer/graph/fuse.h"

#include <math.h>
#include <string.h>

static const struct {
    fuse_fn *fuse;
    bool build, shaped; /* when it runs */
} rewrites[] = {
    {fuse_no_op, false, true},
    {fuse_reshapes, false, true},
    {fuse_channel_shuffle, false, true},
    {fuse_global_pool, false, true},
    {fuse_pad, false, true},
    {fuse_bias, true, false},
    {fuse_batch_norm, true, false},
    {fuse_layer_norm, true, false},
    {fuse_hard_sigmoid, true, false},
    {fuse_sigmoid_product, true, true},
    {fuse_hard_swish, true, false},
    {fuse_gelu, true, false},
    {fuse_leaky, true, false},
    {fuse_residual, false, true},
    {fuse_activation, true, true},
};

enum err_code fuse_graph(struct graph_work *w, struct err *err)
{
    enum err_code rc = OK;
    graph_sweep(w->g);
    for (size_t r = 0; r < sizeof rewrites / sizeof *rewrites && rc == OK; r++) {
        if (!(w->shaped ? rewrites[r].shaped : rewrites[r].build)) {
            continue;
        }
        for (size_t i = 0; i < w->g->n_nodes && rc == OK; i++) {
            if (w->g->nodes[i].op != OP_NONE) {
                rc = rewrites[r].fuse(w, &w->g->nodes[i], err);
            }
        }
        graph_sweep(w->g);
    }
    return rc;
}

struct node *fuse_above(const struct graph *g, const struct node *n, uint32_t i, enum op op)
{
    const struct value *v = node_input(g, n, i);
    if (!v || v->producer < 0 || v->uses != 1 || v->output) {
        return NULL;
    }
    struct node *above = &g->nodes[v->producer];
    return above->op == op ? above : NULL;
}

bool fuse_is_binary(const struct node *n, enum binary binary)
{
    return n->op == OP_BINARY && n->u.binary == binary && n->act.fn == FN_NONE;
}

struct node *fuse_binary_above(const struct graph *g, const struct node *n, uint32_t i,
                               enum binary binary)
{
    struct node *above = fuse_above(g, n, i, OP_BINARY);
    return above && fuse_is_binary(above, binary) ? above : NULL;
}

struct node *fuse_unary_above(const struct graph *g, const struct node *n, uint32_t i,
                              enum function fn)
{
    struct node *above = fuse_above(g, n, i, OP_UNARY);
    return above && above->u.fn == fn ? above : NULL;
}

int fuse_number_beside(const struct graph *g, const struct node *n, float *number)
{
    for (uint32_t i = 0; i < 2; i++) {
        const struct value *v = node_input(g, n, i);
        if (v->data && v->type == TYPE_F32 && value_elements(v) == 1) {
            *number = *(const float *)v->data;
            return 1 - (int)i;
        }
    }
    return -1;
}

bool fuse_near(float a, double b)
{
    return fabs((double)a - b) <= 1e-5 * fabs(b);
}

void fuse_gone(struct node *n)
{
    n->op = OP_NONE;
}

void fuse_take(struct node *n, struct node *from)
{
    int *outputs = n->outputs;
    uint32_t n_outputs = n->n_outputs;
    *n = *from;
    n->outputs = outputs;
    n->n_outputs = n_outputs;
    fuse_gone(from);
}
