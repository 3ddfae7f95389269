/* blocked.c - element by element, batch norm and sums over pictures for pictures that lie in blocks of channels, so
 * that they may stay so between convolutions. Tried before the operator's own way, which sees channels last. */
#include "infer/kernels/kernel.h"
#include "infer/plan/private.h"

struct blocked {
    const struct kernels *kernels;
    struct tensor x, other, y, scale, shift;
    int64_t pixels;
    enum binary binary;
    bool swap, by_channel; /* of binary: x is the second; `other` is one number per channel */
    float factor;
    bool largest;
    struct activation act;
};

/* Calls for image i, block b. */
typedef void block_fn(const struct blocked *s, const struct run *r, int64_t i, int64_t b);

static float *block_of(const struct run *r, const struct tensor *t, int64_t i, int64_t b)
{
    return tensor_at(r, t) + i * t->strides[0] + b * t->strides[1];
}

static void for_blocks(const struct run *r, const struct blocked *s, block_fn *fn)
{
    for (int64_t i = 0; i < s->x.dims[0]; i++) {
        for (int64_t b = 0; b < s->x.dims[1] / CHANNEL_BLOCK; b++) {
            fn(s, r, i, b);
        }
    }
}

static void affine_block(const struct blocked *s, const struct run *r, int64_t i, int64_t b)
{
    s->kernels->affine(s->pixels, CHANNEL_BLOCK, block_of(r, &s->x, i, b), CHANNEL_BLOCK,
                       tensor_at(r, &s->scale) + b * CHANNEL_BLOCK,
                       tensor_at(r, &s->shift) + b * CHANNEL_BLOCK, block_of(r, &s->y, i, b),
                       CHANNEL_BLOCK, &s->act);
}

static void run_affine(const struct run *r, const void *arg)
{
    for_blocks(r, arg, affine_block);
}

static void activate_block(const struct blocked *s, const struct run *r, int64_t i, int64_t b)
{
    int64_t floats = s->pixels * CHANNEL_BLOCK;
    s->kernels->activate(1, floats, block_of(r, &s->x, i, b), floats, block_of(r, &s->y, i, b),
                         floats, &s->act);
}

static void run_activate(const struct run *r, const void *arg)
{
    for_blocks(r, arg, activate_block);
}

static void binary_block(const struct blocked *s, const struct run *r, int64_t i, int64_t b)
{
    struct operand x = {block_of(r, &s->x, i, b), CHANNEL_BLOCK, 1},
                   o = {block_of(r, &s->other, i, b), CHANNEL_BLOCK, 1};
    if (s->by_channel) {
        o = (struct operand){tensor_at(r, &s->other) +
                                 (s->other.dims[0] > 1 ? i : 0) * s->other.strides[0] +
                                 b * CHANNEL_BLOCK,
                             0, 1};
    }
    s->kernels->binary(s->binary, s->pixels, CHANNEL_BLOCK, s->swap ? o : x, s->swap ? x : o,
                       block_of(r, &s->y, i, b), CHANNEL_BLOCK, &s->act);
}

static void run_binary(const struct run *r, const void *arg)
{
    for_blocks(r, arg, binary_block);
}

static void pool_block(const struct blocked *s, const struct run *r, int64_t i, int64_t b)
{
    float *y = tensor_at(r, &s->y) + i * s->x.dims[1] + b * CHANNEL_BLOCK;
    if (s->largest) {
        s->kernels->max_rows(s->pixels, CHANNEL_BLOCK, block_of(r, &s->x, i, b), CHANNEL_BLOCK, y);
    } else {
        s->kernels->sum_rows(s->pixels, CHANNEL_BLOCK, block_of(r, &s->x, i, b), CHANNEL_BLOCK,
                             s->factor, y);
    }
}

static void run_pool(const struct run *r, const void *arg)
{
    for_blocks(r, arg, pool_block);
}

/* ------------------------------------------------------------------ planning */

static struct blocked *new_step(struct plan *p, const struct node *n, const struct tensor *x)
{
    struct blocked *s = arena_calloc(&p->arena, 1, sizeof *s);
    s->kernels = kernels();
    s->x = *x;
    s->act = n->act;
    s->pixels = x->dims[2] * x->dims[3];
    return s;
}

static bool plan_affine(struct plan *p, const struct node *n, const struct tensor *x)
{
    struct blocked *s = new_step(p, n, x);
    s->scale = *plan_as(p, plan_input(p, n, 1), LAYOUT_ROWS);
    s->shift = *plan_as(p, plan_input(p, n, 2), LAYOUT_ROWS);
    s->y = *plan_output_blocked(p, n, 0);
    const struct tensor *reads[] = {&s->x, &s->scale, &s->shift, NULL}, *writes[] = {&s->y, NULL};
    plan_step(p, "affine, blocked", run_affine, s, reads, writes);
    return true;
}

static bool plan_unary(struct plan *p, const struct node *n, const struct tensor *x)
{
    struct blocked *s = new_step(p, n, x);
    s->y = *plan_output_over(p, n, 0, x);
    const struct tensor *reads[] = {&s->x, NULL}, *writes[] = {&s->y, NULL};
    plan_step(p, "unary, blocked", run_activate, s, reads, writes);
    return true;
}

static bool same_dims(const struct tensor *a, const struct tensor *b)
{
    for (uint32_t i = 0; i < 4; i++) {
        if (a->dims[i] != b->dims[i]) {
            return false;
        }
    }
    return true;
}

static bool is_per_channel(const struct tensor *x, const struct tensor *o)
{
    return o->rank == 4 && !o->block && o->dims[1] == x->dims[1] && o->dims[2] == 1 &&
           o->dims[3] == 1 && (o->dims[0] == 1 || o->dims[0] == x->dims[0]) &&
           (o->dims[1] == 1 || o->strides[1] == 1);
}

static bool plan_binary(struct plan *p, const struct node *n)
{
    const struct tensor *a = plan_lies(p, n, 0), *b = plan_lies(p, n, 1);
    bool swap = !a->block || (b->block && tensor_elements(b) > tensor_elements(a));
    const struct tensor *x = swap ? b : a, *o = swap ? a : b;
    bool by_channel = is_per_channel(x, o);
    if (!x->block || o->rank != 4 || (!by_channel && !(o->block && same_dims(x, o)))) {
        return false;
    }
    struct blocked *s = new_step(p, n, x);
    s->other = *o;
    s->swap = swap;
    s->by_channel = by_channel;
    s->binary = n->u.binary;
    s->y = *plan_output_over(p, n, 0, x);
    const struct tensor *reads[] = {&s->x, &s->other, NULL}, *writes[] = {&s->y, NULL};
    plan_step(p, "binary, blocked", run_binary, s, reads, writes);
    return true;
}

static bool plan_global_pool(struct plan *p, const struct node *n, const struct tensor *x)
{
    struct blocked *s = new_step(p, n, x);
    s->largest = n->op == OP_GLOBAL_MAX_POOL;
    s->factor = 1 / (float)s->pixels;
    s->y = *plan_output(p, n, 0, LAYOUT_ROWS);
    const struct tensor *reads[] = {&s->x, NULL}, *writes[] = {&s->y, NULL};
    plan_step(p, "global pool, blocked", run_pool, s, reads, writes);
    return true;
}

static bool is_over_pictures(const struct node *n)
{
    return n->op == OP_GLOBAL_AVERAGE_POOL || n->op == OP_GLOBAL_MAX_POOL;
}

bool op_blocked(struct plan *p, const struct node *n)
{
    const struct tensor *x = n->op == OP_BATCH_NORM || n->op == OP_UNARY || is_over_pictures(n)
                                 ? plan_lies(p, n, 0)
                                 : NULL;
    if (n->op == OP_BINARY) {
        return plan_binary(p, n);
    }
    if (!x || !x->block) {
        return false;
    }
    return n->op == OP_BATCH_NORM ? plan_affine(p, n, x)
           : n->op == OP_UNARY    ? plan_unary(p, n, x)
                                  : plan_global_pool(p, n, x);
}
