/* op_resize_test.c - pictures of another size in each of ONNX's ways, against their definitions. */
#include "one_op.h"

#include <math.h>

static struct rng rng;

/* Where output place i lies along an axis. */
static double source(const char *mode, int64_t i, int64_t from, int64_t to)
{
    double step = (double)from / (double)to, half = ((double)i + 0.5) * step - 0.5;
    double at = mode[0] == 'h'   ? half
                : mode[1] == 'l' ? (double)(i * (from - 1)) / (double)(to - 1)
                                 : (double)i * step;
    return fmin(fmax(at, 0), (double)(from - 1));
}

static double pixel(const struct one_op *o, int x, const int64_t *at, double row, double column)
{
    int64_t index[] = {at[0], at[1], (int64_t)row, (int64_t)column};
    return (double)o->values[x][one_op_at(o, x, index)];
}

static double between(const struct one_op *o, int x, const int64_t *at, double row, double column)
{
    double a = floor(row), b = floor(column), c = ceil(row), d = ceil(column);
    double top = pixel(o, x, at, a, b) * (1 - (column - b)) + pixel(o, x, at, a, d) * (column - b);
    double bottom =
        pixel(o, x, at, c, b) * (1 - (column - b)) + pixel(o, x, at, c, d) * (column - b);
    return top * (1 - (row - a)) + bottom * (row - a);
}

static void check(enum resize kind, const char *mode, enum lies lies, int64_t height, int64_t width)
{
    const struct onnx_attribute attribute = {
        .name = SV("coordinate_transformation_mode"), .kind = ATTR_STRING, .s = sv_of(mode)};
    const struct onnx_node node = {.op = SV("Resize"), .attributes = &attribute, .n_attributes = 1};
    struct one_op o;
    one_op_init(&o, OP_RESIZE, &rng);
    o.node->onnx = &node;
    o.node->u.resize = kind;
    int x = one_op_given(&o, lies, DIMS(2, 7, 5, 6)),
        y = one_op_output(&o, DIMS(2, 7, height, width));
    one_op_run(&o);
    for (int64_t i = 0; i < one_op_size(&o, y); i++) {
        int64_t at[TENSOR_RANK];
        one_op_index(&o, y, i, at);
        double row = source(mode, at[2], 5, height), column = source(mode, at[3], 6, width);
        double want = kind == RESIZE_NEAREST ? pixel(&o, x, at, (double)(at[2] * 5 / height),
                                                     (double)(at[3] * 6 / width))
                                             : between(&o, x, at, row, column);
        one_op_near(&o, 0, i, want, 1e-5);
    }
    one_op_free(&o);
}

static void test_modes(void **state)
{
    static const int64_t sizes[][2] = {{10, 12}, {15, 18}, {3, 4}, {8, 5}, {5, 6}};
    (void)state;
    for (int lies = 0; lies < LIES_WAYS; lies++) {
        for (int i = 0; i < 5; i++) {
            check(RESIZE_NEAREST, "asymmetric", (enum lies)lies, sizes[i][0], sizes[i][1]);
            check(RESIZE_LINEAR, "half_pixel", (enum lies)lies, sizes[i][0], sizes[i][1]);
            check(RESIZE_LINEAR, "align_corners", (enum lies)lies, sizes[i][0], sizes[i][1]);
            check(RESIZE_LINEAR, "asymmetric", (enum lies)lies, sizes[i][0], sizes[i][1]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_modes)};
    rng_seed(&rng, 17);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
