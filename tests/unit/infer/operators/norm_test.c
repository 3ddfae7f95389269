/* norm_test.c - batch norm of every rank with an activation, layer norm from any axis on,
 * response normalisation, against their definitions. */
#include "infer/one_op.h"

#include <math.h>

TESTS_DRAW(13)

static void check_batch(enum lies lies, const int64_t *dims, enum function fn)
{
    struct one_op o;
    one_op_init(&o, OP_BATCH_NORM, &rng);
    o.node->act.fn = fn;
    int x = one_op_given(&o, lies, dims);
    int scale = one_op_constant(&o, DIMS(dims[1])), shift = one_op_constant(&o, DIMS(dims[1]));
    int y = one_op_output(&o, dims);
    one_op_run(&o);
    for (int64_t i = 0; i < one_op_size(&o, y); i++) {
        int64_t index[TENSOR_RANK];
        one_op_index(&o, y, i, index);
        double v = (double)o.values[x][i] * (double)o.values[scale][index[1]] +
                   (double)o.values[shift][index[1]];
        one_op_near(&o, 0, i,
                    fn == FN_RELU      ? fmax(v, 0)
                    : fn == FN_SIGMOID ? 1 / (1 + exp(-v))
                                       : v,
                    2e-6);
    }
    one_op_free(&o);
}

TEST(batch)
{
    static const enum function fns[] = {FN_NONE, FN_RELU, FN_SIGMOID};
    for (int i = 0; i < 3 * LIES_WAYS; i++) {
        check_batch((enum lies)(i % LIES_WAYS), DIMS(2, 17, 5, 3), fns[i / LIES_WAYS]);
        check_batch((enum lies)(i % LIES_WAYS), DIMS(3, 1, 4, 4), fns[i / LIES_WAYS]);
    }
    check_batch(LIES_ROWS, DIMS(5, 24), FN_RELU);
    check_batch(LIES_ROWS, DIMS(2, 24, 7), FN_NONE);
    check_batch(LIES_ROWS, DIMS(2, 5, 3, 2, 4), FN_RELU);
}

static void check_layer(enum lies lies, const int64_t *dims, int64_t axis, bool affine)
{
    struct one_op o;
    int64_t rank = 0, columns = 1;
    one_op_init(&o, OP_LAYER_NORM, &rng);
    o.node->axis = axis;
    o.node->epsilon = 1e-3f;
    int x = one_op_given(&o, lies, dims);
    while (dims[rank] >= 0) {
        columns *= rank >= axis ? dims[rank] : 1;
        rank++;
    }
    int scale = affine ? one_op_constant(&o, dims + axis) : one_op_left_out(&o);
    int shift = affine ? one_op_constant(&o, dims + axis) : one_op_left_out(&o);
    int y = one_op_output(&o, dims);
    one_op_run(&o);
    for (int64_t i = 0; i < one_op_size(&o, y); i++) {
        const float *row = o.values[x] + i / columns * columns;
        double mean = 0, square = 0;
        for (int64_t k = 0; k < columns; k++) {
            mean += (double)row[k] / (double)columns;
        }
        for (int64_t k = 0; k < columns; k++) {
            square += pow((double)row[k] - mean, 2) / (double)columns;
        }
        double v = ((double)o.values[x][i] - mean) / sqrt(square + 1e-3);
        v = affine ? v * (double)o.values[scale][i % columns] + (double)o.values[shift][i % columns]
                   : v;
        one_op_near(&o, 0, i, v, 1e-5);
    }
    one_op_free(&o);
}

TEST(layer)
{
    for (int i = 0; i < LIES_WAYS; i++) {
        check_layer((enum lies)i, DIMS(2, 5, 4, 9), 3, true);
        check_layer((enum lies)i, DIMS(2, 17, 4, 3), 1, i % 2);
    }
    check_layer(LIES_ROWS, DIMS(3, 7, 40), 2, true);
    check_layer(LIES_ROWS, DIMS(3, 40), 1, false);
}

static void check_lrn(enum lies lies, int64_t size, float beta)
{
    const struct onnx_attribute attributes[] = {
        {.name = SV("size"), .kind = ATTR_INT, .i = size},
        {.name = SV("alpha"), .kind = ATTR_FLOAT, .f = 0.5f},
        {.name = SV("beta"), .kind = ATTR_FLOAT, .f = beta},
        {.name = SV("bias"), .kind = ATTR_FLOAT, .f = 2}};
    const struct onnx_node node = {.op = SV("LRN"), .attributes = attributes, .n_attributes = 4};
    struct one_op o;
    one_op_init(&o, OP_LRN, &rng);
    o.node->onnx = &node;
    int x = one_op_given(&o, lies, DIMS(2, 17, 3, 4)), y = one_op_output(&o, DIMS(2, 17, 3, 4));
    one_op_run(&o);
    for (int64_t i = 0; i < one_op_size(&o, y); i++) {
        int64_t index[TENSOR_RANK];
        double sum = 0;
        one_op_index(&o, y, i, index);
        int64_t c = index[1], before = (size - 1) / 2, after = size - 1 - before;
        for (int64_t k = c - before; k <= c + after; k++) {
            index[1] = k;
            sum += k >= 0 && k < 17 ? pow((double)o.values[x][one_op_at(&o, x, index)], 2) : 0;
        }
        one_op_near(&o, 0, i,
                    (double)o.values[x][i] / pow(2 + 0.5 / (double)size * sum, (double)beta), 2e-6);
    }
    one_op_free(&o);
}

TEST(lrn)
{
    for (int i = 0; i < LIES_WAYS; i++) {
        check_lrn((enum lies)i, 5, 0.75f);
        check_lrn((enum lies)i, 4, 0.6f);
        check_lrn((enum lies)i, 1, 0.75f);
    }
}
