/* concat.c - concatenations of channels without copies: their parts are written where the
 * whole will be.
 *
 * Backwards over the nodes: a concatenation whose parts all have a place already, one behind the
 * other in the same whole (DenseNet: the first layers of a block), is a view of that; one whose result has a place
 * itself gives its parts places there; every other one becomes a whole. Done before nodes are planned. */
#include <string.h>

#include "infer/plan/private.h"

static bool is_made_here(const struct plan *p, int v)
{
    const struct value *value = &p->graph->values[v];
    return !value->data && value->producer >= (int)p->part.from &&
           value->producer < (int)p->part.to;
}

static bool joins_channels(const struct plan *p, const struct node *n)
{
    const struct value *v = n->op == OP_CONCAT ? &p->graph->values[n->outputs[0]] : NULL;
    return v && v->rank == 4 && n->axis == 1;
}

/* All parts of n stand in one whole already, in order: *home is then where n's result begins. */
static bool stands_already(const struct plan *p, const struct node *n, struct home *home)
{
    *home = p->homes[n->inputs[0]];
    int64_t channel = home->channel;
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        struct home part = p->homes[n->inputs[i]];
        if (part.root < 0 || part.root != home->root || part.channel != channel) {
            return false;
        }
        channel += p->graph->values[n->inputs[i]].dims[1];
    }
    return home->root >= 0;
}

static void place_parts(struct plan *p, const struct node *n, struct home home)
{
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        int v = n->inputs[i];
        if (p->homes[v].root < 0 && is_made_here(p, v)) {
            p->homes[v] = (struct home){home.root, home.channel, false};
        }
        if (p->graph->values[v].dims[1] % CHANNEL_BLOCK != 0) {
            p->homes[home.root].ragged = true;
        }
        home.channel += p->graph->values[v].dims[1];
    }
}

void plan_homes(struct plan *p)
{
    for (size_t v = 0; v < p->graph->n_values; v++) {
        p->homes[v].root = -1;
    }
    for (size_t i = p->part.to; i-- > p->part.from;) {
        const struct node *n = &p->graph->nodes[i];
        struct home home;
        if (!joins_channels(p, n)) {
            continue;
        }
        int result = n->outputs[0];
        if (p->homes[result].root < 0) {
            if (stands_already(p, n, &home)) {
                p->homes[result] = home;
                continue;
            }
            p->homes[result] = (struct home){result, 0, false};
        }
        place_parts(p, n, p->homes[result]);
    }
}

struct tensor *plan_home(struct plan *p, int v)
{
    struct home home = p->homes[v];
    if (home.root < 0) {
        return NULL;
    }
    if (!p->roots[home.root]) {
        enum layout layout =
            p->blocked && !p->homes[home.root].ragged ? LAYOUT_BLOCKED : LAYOUT_CHANNELS_LAST;
        p->roots[home.root] = plan_buffer(p, &p->graph->values[home.root], layout);
        p->buffers[p->roots[home.root]->buffer].read_until = INT_MAX;
    }
    struct tensor *t = arena_alloc(&p->arena, sizeof *t);
    *t = *p->roots[home.root];
    t->dims[1] = p->graph->values[v].dims[1];
    t->offset += t->block ? home.channel / t->block * t->strides[1] : home.channel;
    return t;
}
