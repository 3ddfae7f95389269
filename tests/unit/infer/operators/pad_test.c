/* pad_test.c - frames of a constant, mirrored and of the edge, on every axis, and cutting off.
 */
#include "infer/one_op.h"

#include <string.h>

TESTS_DRAW(10)

/* The place of a row of n that stands for place i outside of it. */
static int64_t inside(enum pad pad, int64_t i, int64_t n)
{
    int64_t mirrored = i < 0 ? -i : i >= n ? 2 * n - 2 - i : i;
    return pad == PAD_REFLECT ? mirrored : i < 0 ? 0 : i >= n ? n - 1 : i;
}

static void check(enum pad pad, enum lies lies, const int64_t *before, const int64_t *after)
{
    const int64_t dims[] = {2, 17, 5, 6};
    struct one_op o;
    one_op_init(&o, OP_PAD, &rng);
    o.node->u.pad = pad;
    o.node->act.a = -7.5f;
    memcpy(o.node->at, before, sizeof dims);
    memcpy(o.node->by, after, sizeof dims);
    int x = one_op_given(&o, lies, DIMS(2, 17, 5, 6));
    int y = one_op_output(&o, DIMS(2 + before[0] + after[0], 17 + before[1] + after[1],
                                   5 + before[2] + after[2], 6 + before[3] + after[3]));
    one_op_run(&o);
    for (int64_t i = 0; i < one_op_size(&o, y); i++) {
        int64_t index[TENSOR_RANK];
        bool outside = false;
        one_op_index(&o, y, i, index);
        for (int k = 0; k < 4; k++) {
            index[k] -= before[k];
            outside |= index[k] < 0 || index[k] >= dims[k];
            index[k] = inside(pad, index[k], dims[k]);
        }
        double want =
            outside && pad == PAD_CONSTANT ? -7.5 : (double)o.values[x][one_op_at(&o, x, index)];
        one_op_near(&o, 0, i, want, 0);
    }
    one_op_free(&o);
}

TEST(frames)
{
    static const int64_t frames[][2][4] = {{{0, 0, 1, 1}, {0, 0, 1, 1}},
                                           {{0, 0, 3, 0}, {0, 0, 2, 4}},
                                           {{1, 2, 1, 1}, {0, 3, 0, 2}},
                                           {{0, 0, 0, 0}, {0, 0, 0, 0}},
                                           {{0, -2, -1, 2}, {0, 0, 1, -3}}};
    for (int lies = 0; lies < LIES_WAYS; lies++) {
        for (int pad = PAD_CONSTANT; pad <= PAD_EDGE; pad++) {
            for (int f = 0; f < (pad == PAD_CONSTANT ? 5 : 4); f++) {
                check((enum pad)pad, (enum lies)lies, frames[f][0], frames[f][1]);
            }
        }
    }
}

TEST(too_wide)
{
    struct one_op o;
    struct err err = {0};
    one_op_init(&o, OP_PAD, &rng);
    o.node->u.pad = PAD_REFLECT;
    o.node->at[1] = 4;
    one_op_given(&o, LIES_ROWS, DIMS(2, 4));
    one_op_output(&o, DIMS(2, 8));
    assert_int_equal(one_op_refused(&o, &err), ERR_INPUT);
    one_op_free(&o);
}
