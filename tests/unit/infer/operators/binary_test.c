/* binary_test.c - two operands and one function: every way of broadcasting and of lying in
 * memory. */
#include "infer/one_op.h"

#include <math.h>
#include <string.h>

#include "infer/naive.h"

TESTS_DRAW(7)

/* The element of value v that place `at` (row-major) of the output meets. */
static double met(const struct one_op *o, int v, int output, int64_t at)
{
    return (double)o->values[v][naive_met(&o->graph.values[v], &o->graph.values[output], at)];
}

struct form {
    int64_t a[6], b[6], y[6];
};
static const struct form forms[] = {
    {{2, 17, 5, 3, -1}, {2, 17, 5, 3, -1}, {2, 17, 5, 3, -1}},
    {{2, 17, 5, 3, -1}, {2, 17, 1, 1, -1}, {2, 17, 5, 3, -1}}, /* squeeze and excitation */
    {{2, 17, 1, 1, -1}, {2, 17, 5, 3, -1}, {2, 17, 5, 3, -1}},
    {{2, 17, 5, 3, -1}, {17, 1, 1, -1}, {2, 17, 5, 3, -1}}, /* per channel */
    {{2, 17, 5, 3, -1}, {1, -1}, {2, 17, 5, 3, -1}},
    {{2, 17, 5, 3, -1}, {-1}, {2, 17, 5, 3, -1}},
    {{2, 17, 5, 3, -1}, {5, 3, -1}, {2, 17, 5, 3, -1}},
    {{2, 17, 5, 3, -1}, {17, 5, 3, -1}, {2, 17, 5, 3, -1}},
    {{2, 17, 5, 3, -1}, {3, -1}, {2, 17, 5, 3, -1}},
    {{2, 17, 5, 1, -1}, {2, 1, 1, 3, -1}, {2, 17, 5, 3, -1}}, /* neither is whole */
    {{1, 40, 4, 4, -1}, {1, 40, 4, 4, -1}, {1, 40, 4, 4, -1}},
    {{3, 1, 4, 4, -1}, {3, 1, 4, 4, -1}, {3, 1, 4, 4, -1}},
    {{7, 24, -1}, {24, -1}, {7, 24, -1}},
    {{7, 1, -1}, {24, -1}, {7, 24, -1}},
    {{2, 3, 4, 5, 6, -1}, {4, 1, 6, -1}, {2, 3, 4, 5, 6, -1}},
};

static void check(const struct form *f, enum binary op, int ways, bool constant)
{
    struct one_op o;
    one_op_init(&o, OP_BINARY, &rng);
    o.low = op == BIN_PRELU ? -2 : 0.5f;
    o.node->u.binary = op;
    o.node->act.fn = ways % 2 ? FN_RELU : ways % 5 == 0 ? FN_TANH : FN_NONE;
    int a = one_op_given(&o, (enum lies)(ways % LIES_WAYS), f->a);
    int b = constant ? one_op_constant(&o, f->b)
                     : one_op_given(&o, (enum lies)(ways / LIES_WAYS), f->b);
    int y = one_op_output(&o, f->y);
    one_op_run(&o);
    for (int64_t i = 0; i < one_op_size(&o, y); i++) {
        double want = naive_binary(op, met(&o, a, y, i), met(&o, b, y, i));
        want = o.node->act.fn == FN_RELU   ? fmax(want, 0)
               : o.node->act.fn == FN_TANH ? tanh(want)
                                           : want;
        one_op_near(&o, 0, i, want, 3e-6);
    }
    one_op_free(&o);
}

TEST(forms)
{
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        for (int ways = 0; ways < LIES_WAYS * LIES_WAYS; ways++) {
            check(&forms[f], (enum binary)((f + (size_t)ways) % (BIN_PRELU + 1)), ways, false);
            check(&forms[f], BIN_SUB, ways, true);
        }
    }
}

/* Every picture of a batch gets what it gets alone, to the bit. */
TEST(batch)
{
    struct one_op o, alone;
    one_op_init(&o, OP_BINARY, &rng);
    o.node->u.binary = BIN_MUL;
    o.node->act.fn = FN_SWISH;
    int a = one_op_given(&o, LIES_CHANNELS_LAST, DIMS(3, 19, 5, 5)),
        b = one_op_given(&o, LIES_ROWS, DIMS(3, 19, 1, 1));
    one_op_output(&o, DIMS(3, 19, 5, 5));
    one_op_run(&o);
    for (int i = 0; i < 3; i++) {
        one_op_init(&alone, OP_BINARY, &rng);
        alone.node->u.binary = BIN_MUL;
        alone.node->act.fn = FN_SWISH;
        int c = one_op_given(&alone, LIES_CHANNELS_LAST, DIMS(1, 19, 5, 5));
        int d = one_op_given(&alone, LIES_ROWS, DIMS(1, 19, 1, 1));
        one_op_output(&alone, DIMS(1, 19, 5, 5));
        memcpy(alone.values[c], o.values[a] + i * 475, 475 * sizeof(float));
        memcpy(alone.values[d], o.values[b] + i * 19, 19 * sizeof(float));
        one_op_run(&alone);
        assert_memory_equal(alone.made[0], o.made[0] + i * 475, 475 * sizeof(float));
        one_op_free(&alone);
    }
    one_op_free(&o);
}

TEST(same_twice)
{
    struct one_op o;
    one_op_init(&o, OP_BINARY, &rng); /* x * x: both operands are one tensor */
    o.node->u.binary = BIN_MUL;
    int a = one_op_given(&o, LIES_CHANNELS_LAST, DIMS(2, 5, 3, 3));
    o.node->inputs[o.node->n_inputs++] = a;
    int y = one_op_output(&o, DIMS(2, 5, 3, 3));
    one_op_run(&o);
    for (int64_t i = 0; i < one_op_size(&o, y); i++) {
        one_op_near(&o, 0, i, pow((double)o.values[a][i], 2), 1e-6);
    }
    one_op_free(&o);
}
