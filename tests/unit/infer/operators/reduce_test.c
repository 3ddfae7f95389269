/* reduce_test.c - mean, sum, largest and smallest over every choice of axes, kept or left out.
 */
#include "infer/one_op.h"

#include <math.h>

TESTS_DRAW(11)
static const int64_t WHOLE[] = {3, 18, 5, 4};

static double reference(const struct one_op *o, int x, int y, int64_t at)
{
    const struct value *v = &o->graph.values[y];
    int64_t wanted[TENSOR_RANK], index[TENSOR_RANK], count = 0;
    double sum = 0, high = -INFINITY, low = INFINITY;
    one_op_index(o, y, at, wanted);
    for (int64_t i = 0; i < one_op_size(o, x); i++) {
        bool mine = true;
        one_op_index(o, x, i, index);
        for (uint32_t k = 0, w = 0; k < 4; k++) {
            bool gone = o->node->axes >> k & 1;
            mine &= gone || wanted[w] == index[k];
            w += !gone || v->rank == 4;
        }
        if (mine) {
            double value = (double)o->values[x][i];
            sum += value;
            high = fmax(high, value);
            low = fmin(low, value);
            count++;
        }
    }
    return o->node->u.reduce == REDUCE_MEAN  ? sum / (double)count
           : o->node->u.reduce == REDUCE_SUM ? sum
           : o->node->u.reduce == REDUCE_MAX ? high
                                             : low;
}

static void check(uint32_t axes, enum lies lies, enum reduce kind, bool keep)
{
    int64_t dims[TENSOR_RANK], rank = 0;
    struct one_op o;
    one_op_init(&o, OP_REDUCE, &rng);
    o.node->u.reduce = kind;
    o.node->axes = axes;
    int x = one_op_given(&o, lies, DIMS(3, 18, 5, 4));
    for (int i = 0; i < 4; i++) {
        if (keep || !(axes >> i & 1)) {
            dims[rank++] = axes >> i & 1 ? 1 : WHOLE[i];
        }
    }
    dims[rank] = -1;
    int y = one_op_output(&o, dims);
    one_op_run(&o);
    for (int64_t i = 0; i < one_op_size(&o, y); i++) {
        one_op_near(&o, 0, i, reference(&o, x, y, i), 1e-5);
    }
    one_op_free(&o);
}

TEST(axes)
{
    for (uint32_t axes = 1; axes < 16; axes++) {
        for (int lies = 0; lies < LIES_WAYS; lies++) {
            check(axes, (enum lies)lies, (enum reduce)((axes + (uint32_t)lies) % 4), axes % 3 == 0);
        }
    }
}
