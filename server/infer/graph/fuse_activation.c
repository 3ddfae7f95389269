/* fuse_activation.c - activations that exporters write as several nodes, and those that the node
 * before can apply to its own result. */
#include <math.h>

#include "infer/graph/fuse.h"

static void become_unary(struct node *n, int input, struct activation act)
{
    n->op = OP_UNARY;
    n->u.fn = act.fn;
    n->act = act;
    n->inputs[0] = input;
    n->n_inputs = 1;
}

/* x * sigmoid(x), x * hard_sigmoid(x) with the slope 1/6 */
enum err_code fuse_sigmoid_product(struct graph_work *w, struct node *n, struct err *err)
{
    (void)err;
    for (uint32_t i = 0; i < 2 && fuse_is_binary(n, BIN_MUL); i++) {
        struct node *s = fuse_above(w->g, n, i, OP_UNARY);
        if (!s || s->inputs[0] != n->inputs[1 - i]) {
            continue;
        }
        bool hard =
            s->u.fn == FN_HARD_SIGMOID && fuse_near(s->act.a, 1.0 / 6) && fuse_near(s->act.b, 0.5);
        if (hard || s->u.fn == FN_SIGMOID) {
            become_unary(n, s->inputs[0],
                         (struct activation){hard ? FN_HARD_SWISH : FN_SWISH, 0, 0});
            fuse_gone(s);
        }
    }
    return OK;
}

/* The bounds 0 and 6 of x + 3, as above input i of n: x, or -1. */
static int clipped_sum(const struct graph *g, const struct node *n, uint32_t i, struct node **clip,
                       struct node **sum)
{
    float three = 0;
    *clip = fuse_unary_above(g, n, i, FN_CLIP);
    if (!*clip || (*clip)->act.a != 0 || (*clip)->act.b != 6) {
        return -1;
    }
    /* The sum may hold the bounds as its own activation only after fuse_activation, which runs
     * last. */
    *sum = fuse_binary_above(g, *clip, 0, BIN_ADD);
    int side = *sum ? fuse_number_beside(g, *sum, &three) : -1;
    return side >= 0 && three == 3 ? (*sum)->inputs[side] : -1;
}

/* n divides by 6 or multiplies by 1/6: the other side, or -1. */
static int by_six(const struct graph *g, const struct node *n)
{
    float number = 0;
    bool div = fuse_is_binary(n, BIN_DIV), mul = fuse_is_binary(n, BIN_MUL);
    int side = div || mul ? fuse_number_beside(g, n, &number) : -1;
    return (div && side == 0 && number == 6) || (mul && side >= 0 && fuse_near(number, 1.0 / 6))
               ? side
               : -1;
}

/* clip(x + 3, 0, 6) / 6 */
enum err_code fuse_hard_sigmoid(struct graph_work *w, struct node *n, struct err *err)
{
    struct node *clip, *sum;
    (void)err;
    int side = by_six(w->g, n);
    int x = side >= 0 ? clipped_sum(w->g, n, (uint32_t)side, &clip, &sum) : -1;
    if (x >= 0) {
        become_unary(n, x, (struct activation){FN_HARD_SIGMOID, 1.0F / 6, 0.5F});
        fuse_gone(clip);
        fuse_gone(sum);
    }
    return OK;
}

/* x * clip(x + 3, 0, 6) / 6, multiplied first */
enum err_code fuse_hard_swish(struct graph_work *w, struct node *n, struct err *err)
{
    struct node *clip, *sum;
    (void)err;
    int side = by_six(w->g, n);
    struct node *product = side >= 0 ? fuse_binary_above(w->g, n, (uint32_t)side, BIN_MUL) : NULL;
    for (uint32_t i = 0; i < 2 && product; i++) {
        int x = clipped_sum(w->g, product, i, &clip, &sum);
        if (x >= 0 && x == product->inputs[1 - i]) {
            become_unary(n, x, (struct activation){FN_HARD_SWISH, 0, 0});
            fuse_gone(clip);
            fuse_gone(sum);
            fuse_gone(product);
            return OK;
        }
    }
    return OK;
}

/* 1 + erf(x / sqrt(2)), as above input i of n: x, or -1. */
static int one_plus_erf(const struct graph *g, const struct node *n, uint32_t i,
                        struct node *parts[3])
{
    float number = 0;
    parts[0] = fuse_binary_above(g, n, i, BIN_ADD);
    int side = parts[0] ? fuse_number_beside(g, parts[0], &number) : -1;
    parts[1] =
        side >= 0 && number == 1 ? fuse_unary_above(g, parts[0], (uint32_t)side, FN_ERF) : NULL;
    parts[2] = parts[1] ? fuse_above(g, parts[1], 0, OP_BINARY) : NULL;
    side = parts[2] ? fuse_number_beside(g, parts[2], &number) : -1;
    bool scaled = side >= 0 &&
                  ((fuse_is_binary(parts[2], BIN_DIV) && side == 0 && fuse_near(number, sqrt(2))) ||
                   (fuse_is_binary(parts[2], BIN_MUL) && fuse_near(number, sqrt(0.5))));
    return scaled ? parts[2]->inputs[side] : -1;
}

/* The product of one side of n, a multiplication, and a half: *rest is what else is multiplied. */
static bool halved(const struct graph *g, const struct node *n, struct node **inner)
{
    float number = 0;
    int side = fuse_is_binary(n, BIN_MUL) ? fuse_number_beside(g, n, &number) : -1;
    *inner = side >= 0 && number == 0.5F ? fuse_binary_above(g, n, (uint32_t)side, BIN_MUL) : NULL;
    return *inner != NULL;
}

/* (x * (1 + erf(x / sqrt 2))) * 0.5 and (x * 0.5) * (1 + erf(x / sqrt 2)) */
enum err_code fuse_gelu(struct graph_work *w, struct node *n, struct err *err)
{
    struct node *inner, *parts[3];
    (void)err;
    bool after = halved(w->g, n, &inner);
    for (uint32_t i = 0; i < 2 && fuse_is_binary(n, BIN_MUL); i++) {
        struct node *product = after ? inner : n;
        int x = one_plus_erf(w->g, product, i, parts);
        float half = 0;
        struct node *before = x >= 0 && !after ? fuse_binary_above(w->g, n, 1 - i, BIN_MUL) : NULL;
        int side = before ? fuse_number_beside(w->g, before, &half) : -1;
        bool is = x >= 0 && (after ? product->inputs[1 - i] == x
                                   : side >= 0 && half == 0.5F && before->inputs[side] == x);
        if (is) {
            become_unary(n, x, (struct activation){FN_GELU, 0, 0});
            fuse_gone(after ? inner : before);
            for (size_t k = 0; k < 3; k++) {
                fuse_gone(parts[k]);
            }
            return OK;
        }
    }
    return OK;
}

/* A slope for all channels is a leaky ReLU. */
enum err_code fuse_leaky(struct graph_work *w, struct node *n, struct err *err)
{
    (void)err;
    const struct value *slope = fuse_is_binary(n, BIN_PRELU) ? node_input(w->g, n, 1) : NULL;
    if (slope && slope->data && slope->type == TYPE_F32 && value_elements(slope) == 1 &&
        slope->rank <= 1) {
        become_unary(n, n->inputs[0],
                     (struct activation){FN_LEAKY_RELU, *(const float *)slope->data, 0});
    }
    return OK;
}

static bool applies_itself(const struct node *n)
{
    return n->act.fn == FN_NONE && (n->op == OP_CONV || n->op == OP_GEMM || n->op == OP_MATMUL ||
                                    n->op == OP_BINARY || n->op == OP_BATCH_NORM);
}

static bool is_activation(enum function fn)
{
    static const enum function fns[] = {FN_RELU,  FN_CLIP,         FN_SIGMOID,    FN_TANH,
                                        FN_SWISH, FN_HARD_SIGMOID, FN_HARD_SWISH, FN_GELU,
                                        FN_ELU,   FN_LEAKY_RELU};
    for (size_t i = 0; i < sizeof fns / sizeof *fns; i++) {
        if (fns[i] == fn) {
            return true;
        }
    }
    return false;
}

/* An activation that the node before applies to its own result. */
enum err_code fuse_activation(struct graph_work *w, struct node *n, struct err *err)
{
    static const enum op ops[] = {OP_CONV, OP_GEMM, OP_MATMUL, OP_BINARY, OP_BATCH_NORM};
    (void)err;
    for (size_t k = 0; k < sizeof ops / sizeof *ops && n->op == OP_UNARY && is_activation(n->u.fn);
         k++) {
        struct node *above = fuse_above(w->g, n, 0, ops[k]);
        if (above && applies_itself(above)) {
            above->act = n->act;
            fuse_take(n, above);
            return OK;
        }
    }
    return OK;
}
