/* depthwise_test.c - a convolution with one kernel per channel through the plan: inputs that lie
 * in every way, batches, and what it must leave to others (more results than channels, groups of
 * two). */
#include "infer/one_op.h"

#include <math.h>
#include <string.h>

TESTS_DRAW(16)

/* Channels x 1 x 3 x 3 with `each` results a channel and `wide` channels a group, padding 1. */
static void check(enum lies lies, int64_t stride, int64_t wide, int64_t each)
{
    enum { CHANNELS = 20, SIDE = 9 };
    int64_t side = (SIDE + 2 - 3) / stride + 1, groups = CHANNELS / wide,
            made = groups * wide * each;
    struct one_op o;
    one_op_init(&o, OP_CONV, &rng);
    for (int i = 0; i < 2; i++) {
        o.node->window.kernel[i] = 3;
        o.node->window.stride[i] = stride;
        o.node->window.dilation[i] = o.node->window.before[i] = o.node->window.after[i] = 1;
    }
    o.node->window.group = groups;
    o.node->act.fn = FN_SWISH;
    int x = one_op_given(&o, lies, DIMS(2, CHANNELS, SIDE, SIDE));
    int w = one_op_constant(&o, DIMS(made, wide, 3, 3)), bias = one_op_constant(&o, DIMS(made));
    int y = one_op_output(&o, DIMS(2, made, side, side));
    one_op_run(&o);
    for (int64_t i = 0; i < one_op_size(&o, y); i++) {
        int64_t at[TENSOR_RANK];
        one_op_index(&o, y, i, at);
        int64_t group = at[1] / (made / groups);
        double sum = (double)o.values[bias][at[1]];
        for (int64_t k = 0; k < wide * 9; k++) {
            int64_t from[] = {at[0], group * wide + k / 9, at[2] * stride + k / 3 % 3 - 1,
                              at[3] * stride + k % 3 - 1};
            if (from[2] >= 0 && from[2] < SIDE && from[3] >= 0 && from[3] < SIDE) {
                sum += (double)o.values[x][one_op_at(&o, x, from)] *
                       (double)o.values[w][at[1] * wide * 9 + k];
            }
        }
        one_op_near(&o, 0, i, sum / (1 + exp(-sum)), 2e-5);
    }
    one_op_free(&o);
}

TEST(forms)
{
    for (int lies = 0; lies < LIES_WAYS; lies++) {
        for (int64_t stride = 1; stride <= 2; stride++) {
            check((enum lies)lies, stride, 1, 1);
            check((enum lies)lies, stride, 1, 2);
            check((enum lies)lies, stride, 2, 1);
        }
    }
}
