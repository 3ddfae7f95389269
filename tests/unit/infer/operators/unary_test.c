/* unary_test.c - one function of values that lie in every way; a batch gives each picture what
 * it gets alone. */
#include "infer/one_op.h"

#include <math.h>
#include <string.h>

TESTS_DRAW(15)

static void check(enum function fn, enum lies lies, const int64_t *dims)
{
    struct one_op o;
    one_op_init(&o, OP_UNARY, &rng);
    o.node->u.fn = o.node->act.fn = fn;
    int x = one_op_given(&o, lies, dims), y = one_op_output(&o, dims);
    one_op_run(&o);
    for (int64_t i = 0; i < one_op_size(&o, y); i++) {
        double v = (double)o.values[x][i];
        one_op_near(&o, 0, i,
                    fn == FN_SWISH   ? v / (1 + exp(-v))
                    : fn == FN_FLOOR ? floor(v)
                                     : fabs(v),
                    1e-6);
    }
    one_op_free(&o);
}

TEST(lies)
{
    for (int lies = 0; lies < LIES_WAYS; lies++) {
        check(FN_SWISH, (enum lies)lies, DIMS(2, 17, 5, 3));
        check(FN_FLOOR, (enum lies)lies, DIMS(2, 17, 5, 3));
        check(FN_ABS, (enum lies)lies, DIMS(3, 1, 4, 4));
    }
    check(FN_SWISH, LIES_ROWS, DIMS(7));
    check(FN_ABS, LIES_ROWS, DIMS(-1));
}

TEST(batch)
{
    struct one_op all, one;
    one_op_init(&all, OP_UNARY, &rng);
    all.node->act.fn = FN_SWISH;
    int x = one_op_given(&all, LIES_CHANNELS_LAST, DIMS(3, 19, 3, 3));
    one_op_output(&all, DIMS(3, 19, 3, 3));
    one_op_run(&all);
    for (int i = 0; i < 3; i++) {
        one_op_init(&one, OP_UNARY, &rng);
        one.node->act.fn = FN_SWISH;
        int v = one_op_given(&one, LIES_CHANNELS_LAST, DIMS(1, 19, 3, 3));
        memcpy(one.values[v], all.values[x] + i * 171, 171 * sizeof(float));
        one_op_output(&one, DIMS(1, 19, 3, 3));
        one_op_run(&one);
        assert_memory_equal(one.made[0], all.made[0] + i * 171, 171 * sizeof(float));
        one_op_free(&one);
    }
    one_op_free(&all);
}
