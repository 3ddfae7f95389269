/* fuse_test.c - each rewrite with what it makes, and what keeps it from being made. That results
 * stay the same is seen by the engine's tests beside PyTorch's and ONNX's own. */
#include "infer/made.h"

#include <math.h>
#include <string.h>

static void begin(struct made *m)
{
    made_begin(m);
    made_input(m, "x", DIMS(0, 4, 6, 6));
    made_output(m, "y");
    made_floats(m, "w", DIMS(4, 4, 3, 3), NULL);
    made_floats(m, "b", DIMS(4), NULL);
    made_floats(m, "c", DIMS(4, 1, 1), NULL);
    for (int i = 0; i < 4; i++) {
        static const char *const names[] = {"scale", "shift", "mean", "variance"};
        made_floats(m, names[i], DIMS(4), NULL);
    }
}

static void number(struct made *m, const char *name, float v)
{
    made_floats(m, name, NO_DIMS, &v);
}

static const struct node *only_node(struct made *m)
{
    struct graph *g = made_graph(m);
    if (g->n_nodes != 1) {
        fail_msg("%zu nodes are left", g->n_nodes);
    }
    return &g->nodes[0];
}

/* The value in the middle leaves the graph as well: nothing may be fused over it. */
static void kept_apart(struct made *m, const char *middle, size_t nodes)
{
    made_output(m, middle);
    assert_int_equal(made_graph(m)->n_nodes, nodes);
}

TEST(conv_batch_norm_bias_activation)
{
    struct made m;
    begin(&m);
    made_node(&m, "Conv", "x w", "a", "pads=1,1,1,1");
    made_node(&m, "Add", "a c", "d", "");
    made_node(&m, "BatchNormalization", "d scale shift mean variance", "e", "epsilon:0");
    made_node(&m, "Relu", "e", "y", "");
    struct graph *g = made_graph(&m);
    assert_int_equal(g->n_nodes, 1);
    const struct node *n = &g->nodes[0];
    assert_true(n->op == OP_CONV && n->act.fn == FN_RELU && n->residual < 0 && n->n_inputs == 3);
    const float *w = g->values[n->inputs[1]].data, *b = g->values[n->inputs[2]].data;
    for (int c = 0; c < 4; c++) {
        /* scale, shift, mean, variance, bias are all (c + 1) / 8 */
        double v = (c + 1) / 8.0, scale = v / sqrt(v);
        assert_true(fabs((double)w[c * 36 + 5] - (c * 36 + 6) / 8.0 * scale) < 1e-5);
        assert_true(fabs((double)b[c] - (v * scale + v - v * scale)) < 1e-6);
    }
    made_end(&m);
}

TEST(nothing_is_fused_over_an_output)
{
    struct made m;
    begin(&m);
    made_node(&m, "Conv", "x w b", "a", "");
    made_node(&m, "Relu", "a", "y", "");
    kept_apart(&m, "a", 2);
    made_end(&m);
    begin(&m);
    made_node(&m, "Conv", "x w b", "a", "");
    made_node(&m, "BatchNormalization", "a scale shift mean variance", "y", "");
    kept_apart(&m, "a", 2);
    made_end(&m);
    begin(&m);
    made_node(&m, "Conv", "x w", "a", "");
    made_node(&m, "Add", "a c", "y", "");
    kept_apart(&m, "a", 2);
    made_end(&m);
}

TEST(nothing_is_fused_over_a_second_use)
{
    struct made m;
    begin(&m);
    made_node(&m, "Conv", "x w b", "a", "");
    made_node(&m, "Relu", "a", "r", "");
    made_node(&m, "Tanh", "a", "t", "");
    made_node(&m, "Concat", "r t", "y", "axis=1");
    assert_int_equal(made_graph(&m)->n_nodes, 4);
    made_end(&m);
}

TEST(batch_norm_alone_is_two_vectors)
{
    struct made m;
    begin(&m);
    made_node(&m, "BatchNormalization", "x scale shift mean variance", "a", "epsilon:0");
    made_node(&m, "Relu", "a", "y", "");
    struct graph *g = made_graph(&m);
    assert_int_equal(g->n_nodes, 1);
    const struct node *n = &g->nodes[0];
    assert_true(n->op == OP_BATCH_NORM && n->act.fn == FN_RELU && n->n_inputs == 3);
    assert_dims(&g->values[n->inputs[1]], DIMS(4));
    assert_true(fabsf(((const float *)g->values[n->inputs[1]].data)[3] - sqrtf(0.5F)) < 1e-6F);
    made_end(&m);
    begin(&m);
    made_node(&m, "BatchNormalization", "x scale shift mean x", "y", "");
    made_refused(&m, "onnx-operator", "are not 4 constant floats");
    made_end(&m);
}

TEST(sums_become_residuals)
{
    struct made m;
    begin(&m);
    made_node(&m, "Conv", "x w b", "a", "pads=1,1,1,1");
    made_node(&m, "Conv", "x w", "d", "pads=1,1,1,1");
    made_node(&m, "Add", "d a", "e", "");
    made_node(&m, "Relu", "e", "y", "");
    struct graph *g = made_graph(&m);
    assert_int_equal(g->n_nodes, 2);
    const struct node *n = &g->nodes[1];
    assert_true(n->op == OP_CONV && n->act.fn == FN_RELU && n->residual == g->nodes[0].outputs[0]);
    made_end(&m);
    /* with an activation in between, or broadcast, the sum stays */
    begin(&m);
    made_node(&m, "Conv", "x w b", "a", "pads=1,1,1,1");
    made_node(&m, "Relu", "a", "d", "");
    made_node(&m, "Add", "d x", "y", "");
    assert_int_equal(graph_count(made_graph(&m), OP_BINARY), 1);
    made_end(&m);
    begin(&m);
    made_node(&m, "Conv", "x w b", "a", "pads=1,1,1,1");
    made_node(&m, "GlobalAveragePool", "x", "p", "");
    made_node(&m, "Add", "p a", "y", "");
    assert_int_equal(graph_count(made_graph(&m), OP_BINARY), 1);
    made_end(&m);
    begin(&m);
    made_node(&m, "Conv", "x w b", "a", "pads=1,1,1,1");
    made_node(&m, "Add", "a a", "y", "");
    assert_int_equal(graph_count(made_graph(&m), OP_BINARY), 1);
    made_end(&m);
}

TEST(products_take_biases)
{
    struct made m;
    made_begin(&m);
    made_input(&m, "x", DIMS(0, 3, 4));
    made_output(&m, "y");
    made_floats(&m, "w", DIMS(4, 5), NULL);
    made_floats(&m, "b", DIMS(5), NULL);
    made_node(&m, "MatMul", "x w", "a", "");
    made_node(&m, "Add", "b a", "d", "");
    made_node(&m, "Relu", "d", "y", "");
    const struct node *n = only_node(&m);
    assert_true(n->op == OP_MATMUL && n->n_inputs == 3 && n->act.fn == FN_RELU);
    made_end(&m);
    made_begin(&m);
    made_input(&m, "x", DIMS(0, 4));
    made_output(&m, "y");
    made_floats(&m, "w", DIMS(5, 4), NULL);
    made_floats(&m, "b", DIMS(5), NULL);
    made_node(&m, "Gemm", "x w", "a", "transB=1 beta:0.5");
    made_node(&m, "Add", "a b", "y", "");
    assert_int_equal(made_graph(&m)->n_nodes, 2);
    made_end(&m);
    made_begin(&m);
    made_input(&m, "x", DIMS(0, 4));
    made_output(&m, "y");
    made_floats(&m, "w", DIMS(5, 4), NULL);
    made_floats(&m, "b", DIMS(5), NULL);
    made_node(&m, "Gemm", "x w", "a", "transB=1 alpha:2");
    made_node(&m, "Add", "a b", "y", "");
    n = only_node(&m);
    assert_true(n->op == OP_GEMM && n->inputs[2] >= 0 && node_gemm(n).trans_b &&
                node_gemm(n).alpha == 2);
    made_end(&m);
    made_begin(&m);
    made_input(&m, "x", DIMS(0, 4));
    made_output(&m, "y");
    made_floats(&m, "w", DIMS(4, 2), NULL);
    made_floats(&m, "rows", DIMS(2, 1), NULL);
    made_node(&m, "MatMul", "x w", "a", "");
    made_node(&m, "Add", "a rows", "y", "");
    assert_int_equal(made_graph(&m)->n_nodes, 2);
    made_end(&m);
}

TEST(swish)
{
    struct made m;
    begin(&m);
    made_node(&m, "Sigmoid", "x", "s", "");
    made_node(&m, "Mul", "s x", "y", "");
    assert_true(only_node(&m)->u.fn == FN_SWISH);
    kept_apart(&m, "s", 2);
    made_end(&m);
    begin(&m);
    made_node(&m, "Sigmoid", "x", "s", "");
    made_node(&m, "Relu", "x", "r", "");
    made_node(&m, "Mul", "s r", "y", "");
    assert_int_equal(made_graph(&m)->n_nodes, 3);
    made_end(&m);
    begin(&m);
    made_node(&m, "Conv", "x w b", "a", "");
    made_node(&m, "Sigmoid", "a", "s", "");
    made_node(&m, "Mul", "a s", "y", "");
    assert_true(only_node(&m)->act.fn == FN_SWISH);
    made_end(&m);
}

TEST(hard_functions)
{
    static const struct {
        int form;
        enum function fn;
    } forms[] = {{0, FN_HARD_SWISH},
                 {1, FN_HARD_SWISH},
                 {2, FN_HARD_SIGMOID},
                 {3, FN_HARD_SWISH},
                 {4, FN_HARD_SWISH}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct made m;
        begin(&m);
        number(&m, "three", 3);
        number(&m, "six", 6);
        number(&m, "sixth", 1.0F / 6);
        if (forms[i].form < 4) {
            made_node(&m, "Add", "x three", "a", "");
            m.opset = 13;
            number(&m, "zero", 0);
            made_node(&m, "Clip", "a zero six", "d", "");
        }
        switch (forms[i].form) {
        case 0:
            made_node(&m, "Mul", "x d", "e", "");
            made_node(&m, "Div", "e six", "y", "");
            break;
        case 1:
            made_node(&m, "Div", "d six", "e", "");
            made_node(&m, "Mul", "x e", "y", "");
            break;
        case 2:
            made_node(&m, "Mul", "sixth d", "y", "");
            break;
        case 3:
            made_node(&m, "Mul", "d x", "e", "");
            made_node(&m, "Mul", "e sixth", "y", "");
            break;
        default:
            made_node(&m, "HardSigmoid", "x", "e", "alpha:0.16666667 beta:0.5");
            made_node(&m, "Mul", "x e", "y", "");
        }
        const struct node *n = only_node(&m);
        assert_true(n->op == OP_UNARY && n->u.fn == forms[i].fn && n->act.fn == forms[i].fn);
        assert_true(n->act.fn != FN_HARD_SIGMOID ||
                    (fabsf(n->act.a - 1.0F / 6) < 1e-6F && n->act.b == 0.5F));
        made_end(&m);
    }
}

TEST(gelu)
{
    for (int form = 0; form < 4; form++) {
        struct made m;
        begin(&m);
        number(&m, "root", sqrtf(2));
        number(&m, "inverse", sqrtf(0.5F));
        number(&m, "one", form == 3 ? 1.5F : 1);
        number(&m, "half", 0.5F);
        made_node(&m, form == 1 ? "Mul" : "Div", form == 1 ? "inverse x" : "x root", "a", "");
        made_node(&m, "Erf", "a", "d", "");
        made_node(&m, "Add", "d one", "e", "");
        if (form == 2) {
            made_node(&m, "Mul", "x half", "f", "");
            made_node(&m, "Mul", "f e", "y", "");
        } else {
            made_node(&m, "Mul", "x e", "f", "");
            made_node(&m, "Mul", "f half", "y", "");
        }
        if (form == 3) {
            assert_true(made_graph(&m)->n_nodes > 1);
        } else {
            assert_true(only_node(&m)->u.fn == FN_GELU);
            kept_apart(&m, "e", 5);
        }
        made_end(&m);
    }
}

static void layer_norm(struct made *m, const char *axes)
{
    made_begin(m);
    m->opset = 13;
    made_input(m, "x", DIMS(0, 3, 4));
    made_output(m, "y");
    made_floats(m, "scale", DIMS(4), NULL);
    made_floats(m, "bias", DIMS(4), NULL);
    number(m, "two", 2);
    number(m, "epsilon", 1e-6F);
    made_node(m, "ReduceMean", "x", "mean", axes);
    made_node(m, "Sub", "x mean", "d", "");
    made_node(m, "Pow", "d two", "squares", "");
    made_node(m, "ReduceMean", "squares", "variance", axes);
    made_node(m, "Add", "variance epsilon", "v", "");
    made_node(m, "Sqrt", "v", "s", "");
    made_node(m, "Div", "d s", "n", "");
    made_node(m, "Mul", "n scale", "p", "");
    made_node(m, "Add", "p bias", "y", "");
}

TEST(layer_norms)
{
    struct made m;
    layer_norm(&m, "axes=-1,");
    const struct node *n = only_node(&m);
    assert_true(n->op == OP_LAYER_NORM && n->axis == 2 && fabsf(n->epsilon - 1e-6F) < 1e-9F);
    assert_true(n->n_inputs == 3 && n->inputs[1] >= 0 && n->inputs[2] >= 0);
    kept_apart(&m, "n", 3);
    made_end(&m);
    layer_norm(&m, "axes=1,");
    assert_int_equal(graph_count(made_graph(&m), OP_LAYER_NORM), 0);
    made_end(&m);
    made_begin(&m);
    m.opset = 17;
    made_input(&m, "x", DIMS(0, 3, 4));
    made_output(&m, "y");
    made_floats(&m, "scale", DIMS(3, 4), NULL);
    made_node(&m, "LayerNormalization", "x scale", "y", "axis=1");
    n = only_node(&m);
    assert_true(n->axis == 1 && n->inputs[2] < 0 && fabsf(n->epsilon - 1e-5F) < 1e-9F);
    made_end(&m);
}

TEST(leaky_slopes)
{
    struct made m;
    begin(&m);
    made_floats(&m, "slope", DIMS(1), (const float[]){0.25F});
    made_node(&m, "PRelu", "x slope", "y", "");
    const struct node *n = only_node(&m);
    assert_true(n->op == OP_UNARY && n->u.fn == FN_LEAKY_RELU && n->act.a == 0.25F &&
                n->n_inputs == 1);
    made_end(&m);
    begin(&m);
    made_node(&m, "PRelu", "x c", "y", "");
    assert_true(only_node(&m)->u.binary == BIN_PRELU);
    made_end(&m);
}

TEST(paddings)
{
    static const struct {
        const char *op, *attributes;
        int64_t pads[8];
        float with;
        size_t nodes;
    } cases[] = {
        {"Conv", "", {0, 0, 1, 2, 0, 0, 3, 0}, 0, 1},
        {"Conv", "", {0, 0, 1, 1, 0, 0, 1, 1}, 2, 2},
        {"Conv", "", {0, 0, -1, 1, 0, 0, 1, 1}, 0, 2},
        {"Conv", "", {1, 0, 1, 1, 0, 0, 1, 1}, 0, 2},
        {"Conv", "pads=1,1,1,1", {0, 0, 0, 0, 0, 0, 4096, 0}, 0, 2}, /* wider than a window's may be */
        {"AveragePool", "kernel_shape=3,3", {0, 0, 1, 1, 0, 0, 1, 1}, 0, 1},
        {"AveragePool", "kernel_shape=3,3 pads=1,1,1,1", {0, 0, 1, 1, 0, 0, 1, 1}, 0, 2},
        {"AveragePool",
         "kernel_shape=3,3 pads=1,1,1,1 count_include_pad=1",
         {0, 0, 1, 1, 0, 0, 1, 1},
         0,
         1},
        {"AveragePool", "kernel_shape=3,3 strides=2,2 ceil_mode=1", {0, 0, 1, 1, 0, 0, 1, 1}, 0, 2},
        {"MaxPool", "kernel_shape=3,3", {0, 0, 1, 1, 0, 0, 1, 1}, 0, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made m;
        begin(&m);
        number(&m, "with", cases[i].with);
        made_ints(&m, "pads", DIMS(8), cases[i].pads);
        made_node(&m, "Pad", "x pads with", "a", "");
        made_node(&m, cases[i].op, strcmp(cases[i].op, "Conv") == 0 ? "a w" : "a", "y",
                  cases[i].attributes);
        struct graph *g = made_graph(&m);
        if (g->n_nodes != cases[i].nodes) {
            fail_msg("%s %s: %zu nodes", cases[i].op, cases[i].attributes, g->n_nodes);
        }
        const struct node *n = &g->nodes[0];
        if (i == 0) {
            assert_true(n->window.before[0] == 1 && n->window.before[1] == 2 &&
                        n->window.after[0] == 3);
        }
        if (i == 5 || i == 7) {
            assert_true(n->window.count_padding && n->window.before[0] == (i == 5 ? 1 : 2));
        }
        made_end(&m);
    }
}

TEST(channel_shuffle)
{
    struct made m;
    for (int wrong = 0; wrong < 2; wrong++) {
        begin(&m);
        made_ints(&m, "five", DIMS(5), (const int64_t[]){2, 2, 2, 6, 6});
        made_ints(&m, "four", DIMS(4), (const int64_t[]){2, 4, 6, 6});
        made_node(&m, "Reshape", "x five", "a", "");
        made_node(&m, "Transpose", "a", "d", wrong ? "perm=0,2,1,4,3" : "perm=0,2,1,3,4");
        made_node(&m, "Reshape", "d four", "y", "");
        struct graph *g = made_graph(&m);
        assert_int_equal(graph_count(g, OP_CHANNEL_SHUFFLE), !wrong);
        assert_int_equal(g->n_nodes, wrong ? 3 : 1);
        assert_true(wrong || g->nodes[0].window.group == 2);
        made_end(&m);
    }
}

TEST(global_pools)
{
    static const struct {
        const char *op, *attributes;
        enum op is;
    } cases[] = {{"ReduceMean", "axes=2,3", OP_GLOBAL_AVERAGE_POOL},
                 {"ReduceMean", "axes=-1,-2 keepdims=0", OP_GLOBAL_AVERAGE_POOL},
                 {"ReduceMax", "axes=2,3", OP_GLOBAL_MAX_POOL},
                 {"ReduceMin", "axes=2,3", OP_REDUCE},
                 {"ReduceMean", "axes=1,2", OP_REDUCE},
                 {"AveragePool", "kernel_shape=6,6", OP_GLOBAL_AVERAGE_POOL},
                 {"AveragePool", "kernel_shape=6,5", OP_AVERAGE_POOL},
                 {"MaxPool", "kernel_shape=6,6 strides=4,4", OP_GLOBAL_MAX_POOL},
                 {"MaxPool", "kernel_shape=6,6 pads=1,1,1,1", OP_MAX_POOL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made m;
        begin(&m);
        made_node(&m, cases[i].op, "x", "y", cases[i].attributes);
        assert_int_equal(only_node(&m)->op, cases[i].is);
        made_end(&m);
    }
}

TEST(nodes_that_move_nothing)
{
    struct made m;
    begin(&m);
    made_ints(&m, "same", DIMS(4), (const int64_t[]){0, 0, 6, -1});
    made_ints(&m, "pads", DIMS(8), (const int64_t[]){0, 0, 0, 0, 0, 0, 0, 0});
    made_node(&m, "Reshape", "x same", "a", "");
    made_node(&m, "Transpose", "a", "d", "perm=0,1,2,3");
    made_node(&m, "Pad", "d pads", "e", "");
    made_node(&m, "Concat", "e", "f", "axis=1");
    made_node(&m, "Flatten", "f", "g", "");
    made_node(&m, "Reshape", "g same2", "h", "");
    made_ints(&m, "same2", DIMS(2), (const int64_t[]){0, -1});
    made_node(&m, "Tanh", "h", "y", "");
    struct graph *g = made_graph(&m);
    assert_int_equal(g->n_nodes, 2);
    assert_int_equal(graph_only(g, OP_RESHAPE)->inputs[0], g->inputs[0]);
    made_end(&m);
    /* what leaves the graph is copied */
    begin(&m);
    made_node(&m, "Transpose", "x", "y", "perm=0,1,2,3");
    assert_int_equal(only_node(&m)->op, OP_TRANSPOSE);
    made_end(&m);
}

/* A fused graph is shared by sessions: dimensions for one batch leave it as it was. */
TEST(the_built_graph_stays)
{
    struct made m;
    struct graph *g, *one, *two;
    begin(&m);
    made_node(&m, "Conv", "x w", "a", "pads=1,1,1,1");
    made_node(&m, "Add", "a x", "d", "");
    made_node(&m, "Relu", "d", "y", "");
    assert_int_equal(made_build(&m, &g), OK);
    size_t nodes = g->n_nodes;
    assert_int_equal(graph_shapes(g, 1, 0, &m.shapes, &one, &m.err), OK);
    assert_int_equal(graph_shapes(g, 5, 0, &m.shapes, &two, &m.err), OK);
    assert_int_equal(g->n_nodes, nodes);
    assert_true(one->n_nodes == 1 && two->n_nodes == 1 && nodes == 2);
    assert_dims(graph_value(one, "y"), DIMS(1, 4, 6, 6));
    assert_dims(graph_value(two, "y"), DIMS(5, 4, 6, 6));
    assert_ptr_equal(one->values[one->nodes[0].inputs[1]].data,
                     two->values[two->nodes[0].inputs[1]].data);
    made_end(&m);
}
