/* estimate_test.c - what models cost by numbers worked out on paper: convolutions with groups,
 * strides and padding, products, pools, functions; dimensions whose products do not fit into 64
 * bits; and that nothing beyond the limits is opened. */
#include "infer/made.h"

#include <string.h>

#include "infer/engine/engine.h"
#include "infer/graph/estimate.h"

static struct made m;

static void begin(const int64_t *input)
{
    made_begin(&m);
    made_input(&m, "x", input);
    made_output(&m, "y");
}

/* For a batch of one. */
static struct estimate estimate(void)
{
    struct graph *g;
    if (made_shapes(&m, 1, 0, &g) != OK) {
        fail_msg("%s: %s", m.err.rule, m.err.msg);
    }
    return estimate_graph(g);
}

static void costs(uint64_t operations)
{
    assert_int_equal(estimate().operations, operations);
    made_end(&m);
}

TEST(convolutions)
{
    begin(DIMS(0, 3, 224, 224)); /* the first layer of ResNet: 118,013,952 multiply-adds */
    made_floats(&m, "w", DIMS(64, 3, 7, 7), NULL);
    made_node(&m, "Conv", "x w", "y", "strides=2,2 pads=3,3,3,3");
    costs(2 * UINT64_C(118013952));

    begin(
        DIMS(0, 8, 10, 12)); /* two groups: each of 6 outputs looks at 4 channels; 8 x 10 places */
    made_floats(&m, "w", DIMS(6, 4, 3, 3), NULL);
    made_node(&m, "Conv", "x w", "y", "group=2");
    costs(2 * 6 * 4 * 9 * 8 * 10);

    begin(DIMS(0, 32, 112, 112)); /* depthwise, as MobileNet has it: 3,612,672 multiply-adds */
    made_floats(&m, "w", DIMS(32, 1, 3, 3), NULL);
    made_node(&m, "Conv", "x w", "y", "group=32 pads=1,1,1,1");
    costs(2 * UINT64_C(3612672));

    begin(DIMS(0, 4, 9, 9)); /* stride and dilation: 3 x 3 places; an activation for each result */
    made_floats(&m, "w", DIMS(5, 4, 3, 3), NULL);
    made_node(&m, "Conv", "x w", "c", "strides=2,2 dilations=2,2");
    made_node(&m, "Relu", "c", "y", "");
    costs(2 * 5 * 9 * 4 * 9 + 5 * 9);
}

TEST(products)
{
    begin(DIMS(0, 2048)); /* ResNet's last layer */
    made_floats(&m, "w", DIMS(1000, 2048), NULL);
    made_node(&m, "Gemm", "x w", "y", "transB=1");
    costs(2 * 2048 * 1000);

    begin(DIMS(0, 4, 7, 5)); /* 4 matrices, times one */
    made_floats(&m, "w", DIMS(5, 6), NULL);
    made_node(&m, "MatMul", "x w", "y", "");
    costs(2 * 4 * 7 * 5 * 6);

    begin(DIMS(0, 4, 7, 7)); /* attention: matrices that depend on the image */
    made_node(&m, "MatMul", "x x", "s", "");
    made_node(&m, "Softmax", "s", "y", "axis=3");
    costs(2 * 4 * 7 * 7 * 7 + 8 * 4 * 7 * 7);
}

TEST(everything_else)
{
    begin(DIMS(0, 4, 8, 8));
    made_node(&m, "MaxPool", "x", "y", "kernel_shape=2,2 strides=2,2");
    costs(4 * 4 * 4 * 4);
    begin(DIMS(0, 4, 8, 8));
    made_node(&m, "GlobalAveragePool", "x", "y", "");
    costs(4 * 64 + 4);
    begin(DIMS(0, 4, 8, 8));
    made_node(&m, "Sigmoid", "x", "y", "");
    costs(8 * 256);
    begin(DIMS(0, 4, 8, 8));
    made_node(&m, "Add", "x x", "y", "");
    costs(256);
    begin(DIMS(0, 4, 8, 8)); /* a view */
    made_node(&m, "Flatten", "x", "y", "axis=1");
    costs(0);
    begin(DIMS(0, 4, 8, 8)); /* four taps in each of two axes, on 4 x 16 x 16 */
    made_floats(&m, "s", DIMS(4), (const float[]){1, 1, 2, 2});
    made_node(&m, "Resize", "x - s", "y", "mode'cubic'");
    costs(4 * 256 * 2 * 8);
}

TEST(memory_and_steps)
{
    begin(DIMS(0, 3, 4, 4));
    made_ints(&m, "to", DIMS(4), (const int64_t[]){1, 3, 400, 4});
    made_node(&m, "ReduceMean", "x", "r", "axes=2, keepdims=1");
    made_node(&m, "Expand", "r to", "e", "");
    made_node(&m, "Relu", "e", "y", "");
    struct estimate e = estimate();
    assert_int_equal(e.largest, 3 * 400 * 4 * sizeof(float));
    made_end(&m);
    begin(DIMS(0, 3, 4, 4));
    made_ints(&m, "at", DIMS(5), (const int64_t[]){0, 3, 1, 1, 2});
    made_node(&m, "Gather", "x at", "y", "axis=3");
    e = estimate();
    assert_true(e.steps >= 5);
    made_end(&m);
    for (int edge = 0; edge < 2; edge++) { /* a frame of values: a copy for each of its places */
        begin(DIMS(0, 3, 4, 4));
        made_ints(&m, "pads", DIMS(8), (const int64_t[]){0, 0, 0, 90000, 0, 0, 0, 10000});
        made_node(&m, "Pad", "x pads", "y", edge ? "mode'edge'" : "");
        e = estimate();
        assert_true(edge ? e.steps > 100000 : e.steps < 10);
        made_end(&m);
    }
}

/* Products that are too large for 64 bits stay the largest number, and negative dimensions count as
 * none: graph_shapes lets neither through, but sums must not depend on that. */
TEST(nothing_wraps_around)
{
    struct value values[] = {
        {.rank = 4, .dims = {INT64_C(1) << 31, INT64_C(1) << 31, INT64_C(1) << 31, 4}},
        {.rank = 2, .dims = {4, INT64_MAX}},
        {.rank = 2, .dims = {INT64_MAX, INT64_MAX}},
        {.rank = 2, .dims = {-5, 7}}};
    int inputs[] = {0, 1}, outputs[] = {2}, bad[] = {3};
    struct node nodes[] = {{.op = OP_MATMUL,
                            .inputs = inputs,
                            .outputs = outputs,
                            .n_inputs = 2,
                            .n_outputs = 1,
                            .residual = -1},
                           {.op = OP_UNARY,
                            .inputs = inputs,
                            .outputs = outputs,
                            .n_inputs = 1,
                            .n_outputs = 1,
                            .residual = -1,
                            .act = {.fn = FN_EXP}},
                           {.op = OP_CONCAT,
                            .inputs = inputs,
                            .outputs = bad,
                            .n_inputs = 1,
                            .n_outputs = 1,
                            .residual = -1}};
    struct graph g = {.values = values, .nodes = nodes, .n_values = 4, .n_nodes = 3};
    struct estimate e = estimate_graph(&g);
    assert_true(e.operations == UINT64_MAX && e.largest == UINT64_MAX);
    for (size_t i = 0; i < 3; i++) {
        struct graph one = {.values = values, .nodes = &nodes[i], .n_values = 4, .n_nodes = 1};
        assert_true(estimate_graph(&one).operations == (i < 2 ? UINT64_MAX : 0));
    }
}

/* ------------------------------------------------------------------ limits */

static enum err_code open_within(const struct engine_limits *limits, struct engine_facts *facts,
                                 struct err *err)
{
    char *folder = unit_folder();
    struct arena arena;
    struct engine *e = NULL;
    struct sv file = made_file(&m);
    arena_init(&arena, 1 << 16);
    unit_write(folder, "model.onnx", file.p, file.n);
    enum err_code rc =
        engine_open(fs_join(&arena, folder, "model.onnx"), NULL, 0, 0, limits, &e, err);
    if (rc == OK) {
        *facts = *engine_facts(e);
        facts->producer = NULL;
        engine_close(e);
    }
    unit_remove(folder);
    arena_release(&arena);
    return rc;
}

TEST(a_limit_is_kept)
{
    struct err err = {0};
    struct engine_facts f = {0};
    begin(DIMS(0, 8, 32, 32));
    made_floats(&m, "w", DIMS(16, 8, 3, 3), NULL);
    made_node(&m, "Conv", "x w", "y", "pads=1,1,1,1");
    assert_int_equal(open_within(NULL, &f, &err), OK);
    assert_int_equal(f.flops, 2 * 16 * 1024 * 72);
    assert_true(f.weight_bytes >= 16 * 72 * sizeof(float));
    /* what goes in, what comes out, and the same in the engine's order */
    assert_true(f.run_bytes >= 3 * 8 * 1024 * sizeof(float));
    assert_true(f.run_bytes < (1 << 20));

    const uint64_t bytes = f.weight_bytes + f.run_bytes;
    assert_int_equal(open_within(&(struct engine_limits){f.flops, bytes}, &f, &err), OK);
    assert_int_equal(open_within(&(struct engine_limits){f.flops - 1, bytes}, &f, &err), ERR_LIMIT);
    assert_string_equal(err.rule, "model-operations");
    err_clear(&err);
    assert_int_equal(open_within(&(struct engine_limits){f.flops, bytes - 1}, &f, &err), ERR_LIMIT);
    assert_string_equal(err.rule, "model-memory");
    made_end(&m);
}

/* A batch that the file fixes is not the way around a limit: only images that come out one by one
 * share what a batch costs. */
TEST(a_fixed_batch_is_whole)
{
    struct err err = {0};
    struct engine_facts f = {0};
    begin(DIMS(64, 4));
    made_floats(&m, "w", DIMS(4, 3), NULL);
    made_node(&m, "MatMul", "x w", "y", "");
    assert_int_equal(open_within(NULL, &f, &err), OK);
    assert_int_equal(f.flops, 24);
    made_end(&m);
    begin(DIMS(64, 4));
    made_floats(&m, "w", DIMS(4, 3), NULL);
    made_node(&m, "MatMul", "x w", "p", "");
    made_node(&m, "ReduceMean", "p", "y", "axes=0, keepdims=1");
    assert_int_equal(open_within(NULL, &f, &err), OK);
    assert_int_equal(f.flops, 64 * 24 + 64 * 3 + 3);
    made_end(&m);
}

/* ------------------------------------------------------------------ constants made of nothing */

static void bomb_by(const char *rule, const char *op, const char *inputs, const char *attributes,
                    const char *text)
{
    made_node(&m, op, inputs, "big", attributes);
    made_node(&m, "ReduceMean", "big", "mean", "keepdims=0");
    made_node(&m, "Add", "x mean", "y", "");
    made_refused(&m, rule, text);
    made_end(&m);
}

static void bomb(const char *op, const char *inputs, const char *attributes, const char *text)
{
    bomb_by("model-memory", op, inputs, attributes, text);
}

TEST(constants_are_bounded)
{
    static const int64_t side[] = {16000, 16000}, large[] = {5000, 5000};
    begin(DIMS(0, 4));
    made_ints(&m, "shape", DIMS(2), side);
    bomb("ConstantOfShape", "shape", "", "256000000 elements");
    begin(DIMS(0, 4));
    made_ints(&m, "shape", DIMS(2), side);
    made_floats(&m, "one", DIMS(1, 1), NULL);
    bomb("Expand", "one shape", "", "256000000 elements");
    begin(DIMS(0, 4));
    made_ints(&m, "times", DIMS(2), (const int64_t[]){4000, 4000});
    made_floats(&m, "four", DIMS(2, 2), NULL);
    bomb("Tile", "four times", "", "64000000 elements");
    begin(DIMS(0, 4)); /* each is small, all together are not */
    made_ints(&m, "shape", DIMS(2), (const int64_t[]){3000, 3000});
    made_node(&m, "ConstantOfShape", "shape", "a", "");
    bomb("ConstantOfShape", "shape", "", "9000000 elements");
    begin(DIMS(0, 4)); /* dimensions that do not fit into 64 bits */
    made_ints(&m, "shape", DIMS(3), (const int64_t[]){INT64_C(1) << 31, INT64_C(1) << 31, 4});
    bomb_by("onnx-size", "ConstantOfShape", "shape", "", "more than");
    begin(DIMS(0, 4));
    made_ints(&m, "shape", DIMS(2), (const int64_t[]){-1, 4});
    bomb_by("onnx-size", "ConstantOfShape", "shape", "", "more than");
    begin(DIMS(0, 4));
    made_ints(&m, "shape", DIMS(2), large);
    made_ints(&m, "empty", DIMS(2), (const int64_t[]){5000, 0});
    made_node(&m, "ConstantOfShape", "empty", "none", "");
    bomb("ConstantOfShape", "shape", "", "25000000 elements");
}

/* Weights that are turned before use are no bombs, whatever their size. */
TEST(weights_may_be_turned)
{
    begin(DIMS(0, 300));
    made_floats(&m, "w", DIMS(1000, 300), NULL);
    made_node(&m, "Transpose", "w", "t", "perm=1,0");
    made_node(&m, "MatMul", "x t", "y", "");
    costs(2 * 300 * 1000);
}
