/* shapes_test.c - dimensions of every operator's results, and windows as they are resolved. */
#include "infer/made.h"

#include <string.h>

struct one {
    const char *op, *attributes;
    int64_t x[6], y[6];
};

static void check(const struct one *c, int64_t opset, const int64_t *list, size_t n)
{
    struct made m;
    made_begin(&m);
    m.opset = opset;
    made_input(&m, "x", c->x);
    if (list) {
        made_ints(&m, "list", DIMS((int64_t)n), list);
    }
    made_node(&m, c->op, list ? "x list" : "x", "y", c->attributes);
    made_output(&m, "y");
    struct graph *g = NULL;
    if (made_shapes(&m, c->x[0], 0, &g) != OK) {
        fail_msg("%s %s: %s", c->op, c->attributes, m.err.msg);
    }
    const struct value *v = &g->values[g->outputs[0]];
    for (uint32_t i = 0; i < v->rank; i++) {
        if (v->dims[i] != c->y[i]) {
            fail_msg("%s %s: dimension %u is %lld", c->op, c->attributes, i, (long long)v->dims[i]);
        }
    }
    assert_int_equal(c->y[v->rank], -1);
    made_end(&m);
}

TEST(by_attributes)
{
    static const struct one cases[] = {
        {"MaxPool", "kernel_shape=3,3 strides=2,2", {2, 3, 8, 8, -1}, {2, 3, 3, 3, -1}},
        {"MaxPool",
         "kernel_shape=3,3 strides=2,2 pads=1,1,1,1",
         {2, 3, 8, 8, -1},
         {2, 3, 4, 4, -1}},
        {"MaxPool", "kernel_shape=3,3 strides=2,2 ceil_mode=1", {2, 3, 8, 8, -1}, {2, 3, 4, 4, -1}},
        /* a window that begins in the padding behind the picture is not there */
        {"MaxPool",
         "kernel_shape=2,2 strides=2,2 pads=1,1,1,1 ceil_mode=1",
         {2, 3, 7, 7, -1},
         {2, 3, 4, 4, -1}},
        {"MaxPool", "kernel_shape=2,2 dilations=3,3", {2, 3, 8, 8, -1}, {2, 3, 5, 5, -1}},
        {"AveragePool", "kernel_shape=3, strides=2,", {2, 3, 9, -1}, {2, 3, 4, -1}},
        {"AveragePool", "kernel_shape=2,2,2", {2, 3, 4, 5, 6, -1}, {2, 3, 3, 4, 5, -1}},
        {"AveragePool",
         "kernel_shape=3,3 strides=2,2 auto_pad'SAME_UPPER'",
         {2, 3, 8, 7, -1},
         {2, 3, 4, 4, -1}},
        {"AveragePool", "kernel_shape=3,3 auto_pad'VALID'", {2, 3, 8, 7, -1}, {2, 3, 6, 5, -1}},
        {"GlobalAveragePool", "", {2, 3, 8, 7, -1}, {2, 3, 1, 1, -1}},
        {"GlobalMaxPool", "", {2, 3, 8, -1}, {2, 3, 1, -1}},
        {"Flatten", "", {2, 3, 8, 7, -1}, {2, 168, -1}},
        {"Flatten", "axis=2", {2, 3, 8, 7, -1}, {6, 56, -1}},
        {"Flatten", "axis=0", {2, 3, -1}, {1, 6, -1}},
        {"Flatten", "axis=-1", {2, 3, 4, -1}, {6, 4, -1}},
        {"Transpose", "", {2, 3, 4, -1}, {4, 3, 2, -1}},
        {"Transpose", "perm=0,2,1", {2, 3, 4, -1}, {2, 4, 3, -1}},
        {"ReduceMean", "axes=1, keepdims=0", {2, 3, 4, -1}, {2, 4, -1}},
        {"ReduceMean", "axes=-1,1", {2, 3, 4, -1}, {2, 1, 1, -1}},
        {"ReduceMax", "keepdims=0", {2, 3, 4, -1}, {-1}},
        {"DepthToSpace", "blocksize=2", {1, 8, 3, 4, -1}, {1, 2, 6, 8, -1}},
        {"LRN", "size=3", {1, 8, 3, 4, -1}, {1, 8, 3, 4, -1}},
        {"Softmax", "axis=-1", {1, 8, -1}, {1, 8, -1}},
        {"Concat", "axis=-1", {1, 8, -1}, {1, 8, -1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check(&cases[i], 13, NULL, 0);
    }
    static const struct one old[] = {
        {"Squeeze", "axes=1,", {2, 1, 4, 1, -1}, {2, 4, 1, -1}},
        {"Squeeze", "", {2, 1, 4, 1, -1}, {2, 4, -1}},
        {"Unsqueeze", "axes=0,-1", {2, 4, -1}, {1, 2, 4, 1, -1}},
        {"Slice", "starts=1,-3 ends=9,-1 axes=0,1", {4, 5, -1}, {3, 2, -1}},
        {"Pad", "pads=0,1,0,2", {4, 5, -1}, {4, 8, -1}},
        {"Pad", "pads=0,-1,0,-2", {4, 5, -1}, {4, 2, -1}},
    };
    for (size_t i = 0; i < sizeof old / sizeof *old; i++) {
        check(&old[i], 9, NULL, 0);
    }
}

TEST(by_lists)
{
    static const struct {
        struct one c;
        int64_t list[5];
        size_t n;
    } cases[] = {
        {{"Reshape", "", {2, 3, 4, -1}, {2, 12, -1}}, {0, -1}, 2},
        {{"Reshape", "", {2, 3, 4, -1}, {24, -1}}, {-1}, 1},
        {{"Reshape", "", {2, 3, 4, -1}, {4, 3, 2, 1, -1}}, {4, 3, 2, 1}, 4},
        {{"Expand", "", {2, 1, 4, -1}, {5, 2, 3, 4, -1}}, {5, 1, 3, 1}, 4},
        {{"Tile", "", {2, 3, -1}, {2, 9, -1}}, {1, 3}, 2},
        {{"Unsqueeze", "", {2, 3, -1}, {2, 1, 3, -1}}, {1}, 1},
        {{"Squeeze", "", {2, 1, 3, -1}, {2, 3, -1}}, {-2}, 1},
        {{"Pad", "mode'reflect'", {2, 3, -1}, {2, 7, -1}}, {0, 2, 0, 2}, 4},
        {{"Gather", "axis=1", {2, 5, 3, -1}, {2, 3, 3, -1}}, {0, -1, 4}, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check(&cases[i].c, 13, cases[i].list, cases[i].n);
    }
}

TEST(refusals)
{
    static const struct {
        const char *op, *attributes, *rule, *says;
        int64_t x[6];
    } cases[] = {
        {"MaxPool", "", "onnx-form", "no kernel_shape", {2, 3, 8, 8, -1}},
        {"MaxPool",
         "kernel_shape=3,",
         "onnx-form",
         "kernel_shape has 1 numbers, not 2",
         {2, 3, 8, 8, -1}},
        {"MaxPool",
         "kernel_shape=9,9",
         "onnx-shape",
         "does not fit into 2x3x8x8",
         {2, 3, 8, 8, -1}},
        {"MaxPool",
         "kernel_shape=2,2 pads=2,2,0,0",
         "onnx-shape",
         "as wide as its kernel",
         {2, 3, 8, 8, -1}},
        {"MaxPool",
         "kernel_shape=2,2 strides=0,1",
         "onnx-form",
         "strides has the number 0",
         {2, 3, 8, 8, -1}},
        {"MaxPool",
         "kernel_shape=2,2 pads=-1,0,0,0",
         "onnx-form",
         "pads has the number -1",
         {2, 3, 8, 8, -1}},
        {"MaxPool", "kernel_shape=2,2", "onnx-shape", "not 2x3", {2, 3, -1}},
        {"GlobalAveragePool", "", "onnx-shape", "not 2x3", {2, 3, -1}},
        {"Transpose", "perm=0,0", "onnx-form", "names an axis twice", {2, 3, -1}},
        {"Transpose", "perm=0,1,2", "onnx-shape", "orders 3 axes", {2, 3, -1}},
        {"Softmax", "axis=2", "onnx-shape", "axis 2 of a value of 2", {2, 3, -1}},
        {"Concat", "axis=-3", "onnx-shape", "axis -3", {2, 3, -1}},
        {"DepthToSpace",
         "blocksize=2",
         "onnx-shape",
         "blocks of 2 out of 2x3x4x4",
         {2, 3, 4, 4, -1}},
        {"LRN", "", "onnx-shape", "needs a size", {2, 3, 4, 4, -1}},
        {"Split", "split=1,1 axis=1", "onnx-form", "2 sizes for 1 results", {2, 3, -1}},
        {"Reshape", "", "onnx-form", "not a list of at most 8", {2, 3, -1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made m;
        made_begin(&m);
        made_input(&m, "x", cases[i].x);
        made_node(&m, cases[i].op, "x", "y", cases[i].attributes);
        made_output(&m, "y");
        made_refused(&m, cases[i].rule, cases[i].says);
        made_end(&m);
    }
}

TEST(windows_have_an_end)
{
    static const char *const cases[][2] = {
        {"kernel_shape=2,2 strides=4097,1", "strides has the number 4097"},
        {"kernel_shape=4,4 dilations=4096,1 auto_pad'SAME_LOWER'",
         "pads 6144 and 6144 places; the engine pads up to 4096"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made m;
        made_begin(&m);
        made_input(&m, "x", DIMS(2, 3, 8, 8));
        made_node(&m, "MaxPool", "x", "y", cases[i][0]);
        made_output(&m, "y");
        made_refused(&m, i == 0 ? "onnx-form" : "onnx-shape", cases[i][1]);
        made_end(&m);
    }
}

TEST(lists_that_do_not_fit)
{
    static const struct {
        const char *op;
        int64_t list[4];
        size_t n;
        const char *says;
    } cases[] = {
        {"Reshape", {5, 5}, 2, "does not have the 24 elements of 2x3x4"},
        {"Reshape", {-1, -1}, 2, "cannot be made"},
        {"Reshape", {-1, 5}, 2, "does not have the 24 elements"},
        {"Reshape", {0, 0, 0, 0}, 4, "cannot be made"},
        {"Reshape", {INT64_MAX, INT64_MAX}, 2, "does not have the 24 elements"},
        {"Expand", {2, 2, 4}, 3, "cannot be expanded"},
        {"Expand", {1LL << 40, 2, 3, 4}, 4, "more elements than memory"},
        {"Gather", {7}, 1, "index 7 of an axis of 2"},
        {"Gather", {-3}, 1, "index -3 of an axis of 2"},
        {"Pad", {1, 1}, 2, "2 pads for 2x3x4"},
        {"Squeeze", {1}, 1, "is not 1"},
        {"Unsqueeze", {1, 1}, 2, "names axis 1 twice"},
        {"Unsqueeze", {9}, 1, "axis 9"},
        {"Tile", {1, 0, 1}, 3, "it repeats 0 times"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made m;
        struct graph *g;
        made_begin(&m);
        made_input(&m, "x", DIMS(2, 3, 4));
        made_ints(&m, "list", DIMS((int64_t)cases[i].n), cases[i].list);
        made_node(&m, cases[i].op, "x list", "y", "");
        made_output(&m, "y");
        enum err_code rc = made_shapes(&m, 2, 0, &g);
        if (rc != ERR_INPUT || !strstr(m.err.msg, cases[i].says)) {
            fail_msg("%s: wanted \"%s\", got \"%s\"", cases[i].op, cases[i].says, m.err.msg);
        }
        made_end(&m);
    }
}

/* Whoever names an axis twice says two frames of it, of which the result has room for one. */
TEST(frames_of_an_axis_are_one)
{
    static const int64_t axes[][2] = {{1, 1}, {1, -2}};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
        struct made m;
        struct graph *g;
        made_begin(&m);
        m.opset = 18;
        made_input(&m, "x", DIMS(2, 3, 4));
        made_ints(&m, "pads", DIMS(4), (const int64_t[]){-2, 0, 0, 0});
        made_ints(&m, "axes", DIMS(2), axes[i]);
        made_node(&m, "Pad", "x pads - axes", "y", "");
        made_output(&m, "y");
        assert_int_equal(made_shapes(&m, 2, 0, &g), ERR_INPUT);
        assert_non_null(strstr(m.err.msg, "it names axis 1 twice"));
        made_end(&m);
    }
}

static const struct node *window_of(struct made *m, const char *op, const char *attributes,
                                    int64_t side)
{
    made_begin(m);
    made_input(m, "x", DIMS(0, 4, side, side));
    made_floats(m, "w", DIMS(8, 2, 3, 3), NULL);
    made_node(m, op, strcmp(op, "Conv") == 0 ? "x w" : "x", "y", attributes);
    made_output(m, "y");
    return &made_graph(m)->nodes[0];
}

TEST(windows_are_resolved)
{
    struct made m;
    const struct node *n = window_of(&m, "Conv", "group=2 strides=2,2 auto_pad'SAME_UPPER'", 8);
    assert_true(n->window.group == 2 && n->window.kernel[1] == 3 && n->window.stride[0] == 2);
    assert_true(n->window.before[0] == 0 && n->window.after[0] == 1 && n->window.dilation[1] == 1);
    made_end(&m);
    n = window_of(&m, "Conv", "group=2 strides=2,2 auto_pad'SAME_LOWER'", 8);
    assert_true(n->window.before[0] == 1 && n->window.after[0] == 0);
    made_end(&m);
    n = window_of(&m, "AveragePool", "kernel_shape=3,3 strides=2,2 ceil_mode=1 count_include_pad=1",
                  8);
    assert_true(n->window.after[0] == 1 && n->window.extra[0] == 1 && n->window.count_padding);
    made_end(&m);
    n = window_of(&m, "AveragePool", "kernel_shape=3,3 strides=2,2 ceil_mode=1 pads=1,1,1,1", 8);
    assert_true(n->window.after[0] == 2 && n->window.extra[0] == 1 && !n->window.count_padding);
    made_end(&m);
    n = window_of(&m, "AveragePool", "kernel_shape=3,3 strides=2,2 ceil_mode=1", 9);
    assert_true(n->window.after[0] == 0 && n->window.extra[0] == 0);
    made_end(&m);
}

TEST(slices_are_resolved)
{
    static const struct {
        int64_t start, end, step, first, count;
    } cases[] = {{0, 10, 1, 0, 10},        {2, INT64_MAX, 3, 2, 3},   {-3, 10, 1, 7, 3},
                 {-20, 20, 1, 0, 10},      {9, INT64_MIN, -1, 9, 10}, {-1, -11, -4, 9, 3},
                 {INT64_MAX, 0, -1, 9, 9}, {8, 2, -2, 8, 3},          {0, 10, INT64_MAX, 0, 1},
                 {9, -20, INT64_MIN, 9, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made m;
        made_begin(&m);
        made_input(&m, "x", DIMS(0, 10));
        made_ints(&m, "start", DIMS(1), &cases[i].start);
        made_ints(&m, "end", DIMS(1), &cases[i].end);
        made_ints(&m, "axis", DIMS(1), (const int64_t[]){1});
        made_ints(&m, "step", DIMS(1), &cases[i].step);
        made_node(&m, "Slice", "x start end axis step", "s", "");
        made_node(&m, "Tanh", "s", "y", "");
        made_output(&m, "y");
        struct graph *g = made_graph(&m);
        assert_dims(graph_value(g, "y"), DIMS(2, cases[i].count));
        if (cases[i].count < 10 || cases[i].step != 1) {
            assert_int_equal(graph_only(g, OP_SLICE)->at[1], cases[i].first);
            assert_true(graph_only(g, OP_SLICE)->by[1] == (cases[i].count > 1 ? cases[i].step : 1));
        }
        made_end(&m);
    }
}

TEST(empty_results_are_refused)
{
    struct made m;
    made_begin(&m);
    m.opset = 9;
    made_input(&m, "x", DIMS(0, 10));
    made_node(&m, "Slice", "x", "y", "starts=5, ends=5, axes=1,");
    made_output(&m, "y");
    made_refused(&m, "onnx-shape", "its result is empty, 2x0");
    made_end(&m);
}

TEST(softmax_axes)
{
    for (int64_t opset = 12; opset < 14; opset++) {
        struct made m;
        made_begin(&m);
        m.opset = opset;
        made_input(&m, "x", DIMS(0, 3, 4, 5));
        made_node(&m, "Softmax", "x", "y", "axis=1");
        made_output(&m, "y");
        assert_int_equal(graph_only(made_graph(&m), OP_SOFTMAX)->axes, opset == 12 ? 0xe : 0x2);
        made_end(&m);
    }
}

TEST(products_broadcast)
{
    struct made m;
    made_begin(&m);
    made_input(&m, "x", DIMS(0, 3, 4, 5));
    made_floats(&m, "w", DIMS(5, 6), NULL);
    made_node(&m, "MatMul", "x w", "a", "");
    made_node(&m, "Transpose", "x", "t", "perm=0,1,3,2");
    made_node(&m, "MatMul", "t x", "b", "");
    made_node(&m, "MatMul", "b w", "y", "");
    made_output(&m, "y");
    made_output(&m, "a");
    struct graph *g = made_graph(&m);
    assert_dims(graph_value(g, "a"), DIMS(2, 3, 4, 6));
    assert_dims(graph_value(g, "b"), DIMS(2, 3, 5, 5));
    made_end(&m);
}

TEST(splits_add_up)
{
    struct made m;
    made_begin(&m);
    made_input(&m, "x", DIMS(0, 7));
    made_node(&m, "Split", "x", "a b", "axis=1");
    made_node(&m, "Tanh", "a", "y", "");
    made_output(&m, "y");
    made_output(&m, "b");
    struct graph *g = made_graph(&m);
    assert_dims(graph_value(g, "y"), DIMS(2, 4));
    assert_dims(graph_value(g, "b"), DIMS(2, 3));
    made_end(&m);
    made_begin(&m);
    made_input(&m, "x", DIMS(0, 7));
    made_ints(&m, "sizes", DIMS(2), (const int64_t[]){5, 3});
    made_node(&m, "Split", "x sizes", "y b", "axis=1");
    made_output(&m, "y");
    made_refused(&m, "onnx-shape", "do not add up to 7");
    made_end(&m);
}
