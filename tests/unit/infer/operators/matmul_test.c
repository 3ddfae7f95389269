/* matmul_test.c - products of computed matrices: stacks of them, broadcast, vectors, operands
 * that lie transposed, with bias, residual and activation. */
#include "infer/one_op.h"

#include <math.h>

TESTS_DRAW(14)

struct form {
    int64_t a[6], b[6], y[6];
};

/* Element (row or -1, column) of stack `at` of an operand. */
static double element(const struct one_op *o, int v, int y, int64_t at, int64_t row, int64_t column)
{
    const struct value *from = &o->graph.values[v], *to = &o->graph.values[y];
    int64_t index[TENSOR_RANK], place = 0, made[TENSOR_RANK];
    one_op_index(o, y, at, made);
    bool vectors = o->graph.values[o->node->inputs[0]].rank < 2 ||
                   o->graph.values[o->node->inputs[1]].rank < 2;
    uint32_t stacked = vectors ? (from->rank > 2 ? from->rank - 2 : 0) : to->rank - 2,
             own = from->rank - 2;
    for (uint32_t i = 0; from->rank > 2 && i < own; i++) {
        int64_t k = made[i + stacked - own];
        index[i] = from->dims[i] == 1 ? 0 : k;
        place = place * from->dims[i] + index[i];
    }
    if (from->rank == 1) {
        return (double)o->values[v][v == o->node->inputs[0] ? column : row];
    }
    return (double)o->values[v][(place * from->dims[own] + row) * from->dims[own + 1] + column];
}

static double product(const struct one_op *o, int a, int b, int y, int64_t at)
{
    const struct value *left = &o->graph.values[a], *right = &o->graph.values[b],
                       *to = &o->graph.values[y];
    int64_t made[TENSOR_RANK], k = left->dims[left->rank - 1];
    one_op_index(o, y, at, made);
    int64_t column = right->rank > 1 ? made[to->rank - 1] : 0;
    int64_t row = left->rank > 1 ? made[to->rank - (right->rank > 1 ? 2 : 1)] : 0;
    double sum = 0;
    for (int64_t i = 0; i < k; i++) {
        sum += element(o, a, y, at, row, i) * element(o, b, y, at, i, column);
    }
    return sum;
}

static const struct form forms[] = {
    {{2, 3, 7, 5, -1}, {2, 3, 5, 9, -1}, {2, 3, 7, 9, -1}},
    {{2, 1, 7, 5, -1}, {1, 3, 5, 9, -1}, {2, 3, 7, 9, -1}},
    {{7, 5, -1}, {4, 5, 9, -1}, {4, 7, 9, -1}},
    {{4, 7, 5, -1}, {5, 9, -1}, {4, 7, 9, -1}},
    {{7, 5, -1}, {5, 9, -1}, {7, 9, -1}},
    {{1, 5, -1}, {5, 1, -1}, {1, 1, -1}},
    {{5, -1}, {4, 5, 9, -1}, {4, 9, -1}},
    {{4, 7, 5, -1}, {5, -1}, {4, 7, -1}},
    {{2, 3, 1, 5, -1}, {2, 3, 5, 1, -1}, {2, 3, 1, 1, -1}},
    {{2, 3, 7, 1, -1}, {2, 3, 1, 9, -1}, {2, 3, 7, 9, -1}},
};

TEST(forms)
{
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        for (int ways = 0; ways < LIES_WAYS * LIES_WAYS; ways++) {
            struct one_op o;
            one_op_init(&o, OP_MATMUL, &rng);
            int a = one_op_given(&o, (enum lies)(ways % LIES_WAYS), forms[f].a);
            int b = one_op_given(&o, (enum lies)(ways / LIES_WAYS), forms[f].b),
                y = one_op_output(&o, forms[f].y);
            one_op_run(&o);
            for (int64_t i = 0; i < one_op_size(&o, y); i++) {
                one_op_near(&o, 0, i, product(&o, a, b, y, i), 1e-5);
            }
            one_op_free(&o);
        }
    }
}

/* The result, a bias, another tensor, then the function: over that tensor's memory when nobody
 * needs it after. */
TEST(after)
{
    for (int ways = 0; ways < 8; ways++) {
        struct one_op o;
        one_op_init(&o, OP_MATMUL, &rng);
        int a = one_op_given(&o, LIES_ROWS, DIMS(2, 3, 7, 5)),
            b = one_op_given(&o, LIES_ROWS, DIMS(2, 3, 5, 9));
        int bias = ways & 1 ? one_op_constant(&o, DIMS(9)) : -1;
        if (ways & 2) { /* given like an input, read as a residual */
            o.node->residual = one_op_given(&o, LIES_ROWS, DIMS(2, 3, 7, 9));
            o.node->n_inputs--;
        }
        o.node->act.fn = ways & 4 ? FN_TANH : FN_NONE;
        int y = one_op_output(&o, DIMS(2, 3, 7, 9));
        one_op_run(&o);
        for (int64_t i = 0; i < one_op_size(&o, y); i++) {
            double want = product(&o, a, b, y, i) + (ways & 1 ? (double)o.values[bias][i % 9] : 0) +
                          (ways & 2 ? (double)o.values[o.node->residual][i] : 0);
            one_op_near(&o, 0, i, ways & 4 ? tanh(want) : want, 1e-5);
        }
        one_op_free(&o);
    }
}

/* x x': a step of oneDNN whose two operands are both what the caller gave. */
TEST(square)
{
    const struct onnx_attribute attribute = {.name = SV("transB"), .kind = ATTR_INT, .i = 1};
    const struct onnx_node node = {.op = SV("Gemm"), .attributes = &attribute, .n_attributes = 1};
    struct one_op o;
    one_op_init(&o, OP_GEMM, &rng);
    o.node->onnx = &node;
    int x = one_op_given(&o, LIES_ROWS, DIMS(3, 4));
    o.node->inputs[o.node->n_inputs++] = x;
    one_op_output(&o, DIMS(3, 3));
    one_op_run(&o);
    for (int64_t i = 0; i < 9; i++) {
        double want = 0;
        for (int64_t k = 0; k < 4; k++) {
            want += (double)o.values[x][i / 3 * 4 + k] * (double)o.values[x][i % 3 * 4 + k];
        }
        one_op_near(&o, 0, i, want, 1e-5);
    }
    one_op_free(&o);
}
