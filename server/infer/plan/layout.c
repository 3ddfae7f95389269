/* layout.c - which layout a graph's pictures are kept in.
 *
 * Channels last is the plain one, and oneDNN's convolutions are as fast in it as in blocks of
 * channels. But Winograd's convolutions (3 x 3, a third of the multiplications) exist for blocks
 * only, so a graph that has many of them is kept in blocks as far as possible. The choice depends
 * on shapes alone. */
#include <dnnl.h>

#include "infer/graph/estimate.h"
#include "infer/plan/private.h"

enum { BLOCKS_SHARE = 10 /* percent of the multiplications */ };

static bool is_whole(int64_t channels)
{
    return channels > 0 && channels % CHANNEL_BLOCK == 0;
}

bool plan_is_winograd(const struct plan *p, const struct node *n)
{
    const struct value *x = &p->graph->values[n->inputs[0]], *w = &p->graph->values[n->inputs[1]];
    if (n->op != OP_CONV || x->rank != 4 || n->window.group != 1) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        if (n->window.kernel[i] != 3 || n->window.stride[i] != 1 || n->window.dilation[i] != 1 ||
            n->window.before[i] > 1 || n->window.after[i] > 1) {
            return false;
        }
    }
    return is_whole(w->dims[0]) && is_whole(w->dims[1]);
}

/* Blocks of 16 are those of AVX-512; other instruction sets have theirs of 8, and no Winograd. */
static bool has_wide_blocks(void)
{
    return (dnnl_get_effective_cpu_isa() & dnnl_cpu_isa_avx512_core) == dnnl_cpu_isa_avx512_core;
}

bool plan_wants_blocks(const struct plan *p)
{
    uint64_t all = 0, winograd = 0;
    for (size_t i = p->part.from; i < p->part.to; i++) {
        const struct node *n = &p->graph->nodes[i];
        if (n->op == OP_CONV) {
            uint64_t flops = estimate_products(p->graph, n);
            all += flops;
            winograd += plan_is_winograd(p, n) ? flops : 0;
        }
    }
    return winograd > all / 100 * BLOCKS_SHARE && has_wide_blocks();
}
