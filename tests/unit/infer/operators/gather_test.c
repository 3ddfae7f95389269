/* gather_test.c - places of an axis by a constant list, evenly spaced or not, and the refusal of
 * a place that is not there. */
#include "infer/one_op.h"

#include <string.h>

TESTS_DRAW(9)

/* Gathers `at` (n of them, as an axis; n 0: one scalar) along `axis` of (3, 17, 5, 4). */
static void check(enum lies lies, int64_t axis, const int64_t *at, int64_t n)
{
    int64_t dims[TENSOR_RANK] = {0}, whole[] = {3, 17, 5, 4}, rank = 0;
    struct one_op o;
    one_op_init(&o, OP_GATHER, &rng);
    o.node->axis = axis;
    int x = one_op_given(&o, lies, DIMS(3, 17, 5, 4));
    one_op_indices(&o, n > 0 ? DIMS(n) : DIMS(-1), at);
    for (int64_t i = 0; i < 4; i++) {
        if (i != axis || n > 0) {
            dims[rank++] = i == axis ? n : whole[i];
        }
    }
    dims[rank] = -1;
    int y = one_op_output(&o, dims);
    one_op_run(&o);
    for (int64_t i = 0; i < one_op_size(&o, y); i++) {
        int64_t index[TENSOR_RANK], from[TENSOR_RANK];
        one_op_index(&o, y, i, index);
        for (int64_t k = 0; k < 4; k++) {
            from[k] = k == axis ? at[n > 0 ? index[k] : 0] : index[k - (n == 0 && k > axis)];
        }
        one_op_near(&o, 0, i, (double)o.values[x][one_op_at(&o, x, from)], 0);
    }
    one_op_free(&o);
}

TEST(places)
{
    for (int lies = 0; lies < LIES_WAYS; lies++) {
        for (int64_t axis = 0; axis < 4; axis++) {
            check((enum lies)lies, axis, (const int64_t[]){1}, 0);
            check((enum lies)lies, axis, (const int64_t[]){2}, 1);
            check((enum lies)lies, axis, (const int64_t[]){0, 2}, 2);
            check((enum lies)lies, axis, (const int64_t[]){2, 1, 0}, 3);
            check((enum lies)lies, axis, (const int64_t[]){2, 2, 0, 1, 1}, 5);
        }
    }
}

TEST(outside)
{
    struct one_op o;
    struct err err = {0};
    one_op_init(&o, OP_GATHER, &rng);
    o.node->axis = 1;
    one_op_given(&o, LIES_ROWS, DIMS(2, 4));
    one_op_indices(&o, DIMS(1), (const int64_t[]){4});
    one_op_output(&o, DIMS(2, 1));
    assert_int_equal(one_op_refused(&o, &err), ERR_INPUT);
    assert_string_equal(err.rule, "model-operator");
    one_op_free(&o);
}
