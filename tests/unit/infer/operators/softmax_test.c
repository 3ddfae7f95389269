/* softmax_test.c - softmax and log softmax over one axis and over several together, however the
 * values lie. */
#include "infer/one_op.h"

#include <math.h>

TESTS_DRAW(12)

/* The sum of e^x over all elements that share the kept axes of element `at`. */
static double total(const struct one_op *o, int x, int64_t at)
{
    int64_t mine[TENSOR_RANK], index[TENSOR_RANK];
    double sum = 0;
    one_op_index(o, x, at, mine);
    for (int64_t i = 0; i < one_op_size(o, x); i++) {
        bool shares = true;
        one_op_index(o, x, i, index);
        for (uint32_t k = 0; k < o->graph.values[x].rank; k++) {
            shares &= (o->node->axes >> k & 1) || index[k] == mine[k];
        }
        sum += shares ? exp((double)o->values[x][i]) : 0;
    }
    return sum;
}

static void check(enum op op, enum lies lies, uint32_t axes, const int64_t *dims)
{
    struct one_op o;
    one_op_init(&o, op, &rng);
    o.low = -6;
    o.high = 6;
    o.node->axes = axes;
    int x = one_op_given(&o, lies, dims), y = one_op_output(&o, dims);
    one_op_run(&o);
    for (int64_t i = 0; i < one_op_size(&o, y); i++) {
        double want = exp((double)o.values[x][i]) / total(&o, x, i);
        one_op_near(&o, 0, i, op == OP_SOFTMAX ? want : log(want), 2e-6);
    }
    one_op_free(&o);
}

TEST(axes)
{
    static const uint32_t picture[] = {1, 2, 4, 8, 14, 12, 6, 9, 15};
    for (size_t i = 0; i < sizeof picture / sizeof *picture; i++) {
        for (int lies = 0; lies < LIES_WAYS; lies++) {
            check(OP_SOFTMAX, (enum lies)lies, picture[i], DIMS(2, 9, 3, 4));
            check(OP_LOG_SOFTMAX, (enum lies)lies, picture[i], DIMS(2, 9, 3, 4));
        }
    }
    check(OP_SOFTMAX, LIES_ROWS, 2, DIMS(3, 40));
    check(OP_SOFTMAX, LIES_ROWS, 2, DIMS(3, 7, 5));
    check(OP_LOG_SOFTMAX, LIES_ROWS, 1, DIMS(17));
}
