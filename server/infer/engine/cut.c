/* cut.c - how a model is run: how many images at a time, and which layers see the whole
 * batch at once.
 *
 * Activations of a few images stay in the processor's caches; weights of convolutions are small
 * beside them. Large fully connected layers are the other way round: a hundred megabytes are read
 * for one image as for sixteen. So the model is cut before the first of those. */
#include "infer/engine/private.h"
#include "infer/plan/dnn.h"

enum { CUT_WEIGHTS = 4 << 20 /* floats */ };

static bool is_wide(const struct graph *g, const struct node *n)
{
    if (n->op != OP_GEMM && n->op != OP_MATMUL) {
        return false;
    }
    const struct value *w = &g->values[n->inputs[1]], *x = &g->values[n->inputs[0]];
    return w->data && w->rank == 2 && x->rank == 2 && value_elements(w) >= CUT_WEIGHTS;
}

static bool is_before(const struct graph *g, int v, size_t at)
{
    return v >= 0 && !g->values[v].data && g->values[v].producer < (int)at;
}

/* The one value that goes from before node `at` to behind it; -1: there are several. */
static int crossing(const struct graph *g, size_t at)
{
    int found = -1;
    for (size_t i = at; i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];
        for (uint32_t k = 0; n->op != OP_NONE && k <= n->n_inputs; k++) {
            int v = k < n->n_inputs ? n->inputs[k] : n->residual;
            if (is_before(g, v, at) && v != found) {
                if (found >= 0) {
                    return -1;
                }
                found = v;
            }
        }
    }
    return found;
}

/* Images at a time: the more a model's convolutions weigh beside the pictures between them, the
 * more images should pass for one reading of the weights. Measured at 1, 2, 4, 8 and 16 on eight
 * architectures. */
static int64_t choose_block(const struct graph *g)
{
    int64_t weights = 0, pictures = 0;
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];
        if (n->op == OP_CONV) {
            weights += value_elements(&g->values[n->inputs[1]]);
            pictures += value_elements(&g->values[n->outputs[0]]);
        }
    }
    int64_t best = weights >= pictures ? 8 : weights >= pictures / 2 ? 4 : 1, rows = dnn_rows_at_once();
    return best > 1 ? (best + rows / 2) / rows * rows : 1;
}

int64_t engine_whole_rows(int64_t images)
{
    int64_t rows = dnn_rows_at_once();
    return images > 1 ? (images + rows - 1) / rows * rows : images;
}

void engine_find_cut(struct engine *e, const struct graph *g)
{
    e->block = e->fixed > 0 ? e->fixed : choose_block(g);
    for (size_t i = 0; i < g->n_nodes && !e->fixed; i++) {
        if (is_wide(g, &g->nodes[i])) {
            int v = crossing(g, i);
            if (v >= 0 && g->values[v].producer >= 0 && g->values[v].rank > 0 &&
                g->values[v].dims[0] == 1) {
                e->cut_at = i;
                e->cut = v;
            }
            return;
        }
    }
}
