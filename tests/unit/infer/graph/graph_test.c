/* graph_test.c - from a file's nodes to a graph: what is refused and how it is said; what
 * exporters' models become. */
#include "infer/made.h"

#include <string.h>

static void begin(struct made *m)
{
    made_begin(m);
    made_input(m, "x", DIMS(0, 3, 8, 8));
    made_output(m, "y");
}

TEST(unknown_operators_are_all_named)
{
    struct made m;
    begin(&m);
    made_node(&m, "Whirl", "x", "a", "");
    made_node(&m, "Relu", "a", "b", "");
    made_node(&m, "Whirl", "b", "c", "");
    made_node(&m, "NonMaxSuppression", "c", "y", "");
    made_refused(
        &m, "onnx-operator",
        "2 operators that the engine does not have: Whirl (node a), NonMaxSuppression (node y)");
    made_end(&m);
}

TEST(other_domains_are_refused)
{
    struct made m;
    struct str node;
    begin(&m);
    str_init(&node, MADE_BYTES);
    proto_text(&node, 1, "x");
    proto_text(&node, 2, "y");
    proto_text(&node, 4, "Relu");
    proto_text(&node, 7, "com.example");
    proto_bytes(&m.graph, 1, node.p, node.n);
    str_release(&node);
    made_refused(&m, "onnx-operator", "com.example.Relu (node y)");
    made_end(&m);
}

TEST(cycles_and_wrong_orders_are_refused)
{
    struct made m;
    begin(&m);
    made_node(&m, "Add", "x b", "a", "");
    made_node(&m, "Relu", "a", "b", "");
    made_node(&m, "Relu", "b", "y", "");
    made_refused(&m, "onnx-cycle", "node a (Add): it needs b");
    made_end(&m);
    begin(&m);
    made_node(&m, "Relu", "y", "y", "");
    made_refused(&m, "onnx-cycle", "node y (Relu): it needs y");
    made_end(&m);
}

TEST(names_are_defined_once)
{
    struct made m;
    begin(&m);
    made_node(&m, "Relu", "nothing", "y", "");
    made_refused(&m, "onnx-name",
                 "node y (Relu): it needs nothing, which nothing in the model produces");
    made_end(&m);
    begin(&m);
    made_node(&m, "Relu", "x", "x", "");
    made_refused(&m, "onnx-name", "the name x of a node's output is already taken");
    made_end(&m);
    begin(&m);
    made_node(&m, "Relu", "x", "y", "");
    made_node(&m, "Tanh", "x", "y", "");
    made_refused(&m, "onnx-name", "the name y");
    made_end(&m);
    begin(&m);
    made_floats(&m, "w", DIMS(1), NULL);
    made_floats(&m, "w", DIMS(1), NULL);
    made_node(&m, "Relu", "x", "y", "");
    made_refused(&m, "onnx-name", "the name w of a tensor");
    made_end(&m);
}

/* What a node has beyond the outputs that the engine makes is only a name. */
static const struct {
    const char *op, *inputs, *attributes, *second;
    int64_t opset;
} seconds[] = {
    {"MaxPool", "x", "kernel_shape=1,1", "indices", 13},
    {"Dropout", "x", "", "mask", 13},
    {"BatchNormalization", "x c c c c", "", "mean_out", 14},
    {"LayerNormalization", "x w", "", "Mean", 17},
    {"Identity", "x", "", "more", 13},
    {"Relu", "x", "", "more", 13},
    {"Cast", "x", "to=1", "more", 13},
};

static void begin_second(struct made *m, size_t i)
{
    char outputs[64];
    begin(m);
    m->opset = seconds[i].opset;
    made_floats(m, "c", DIMS(3), NULL);
    made_floats(m, "w", DIMS(8), NULL);
    snprintf(outputs, sizeof outputs, "a %s last", seconds[i].second);
    made_node(m, seconds[i].op, seconds[i].inputs, outputs, seconds[i].attributes);
}

TEST(second_results_are_only_names)
{
    char text[160];
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
        struct made m;
        begin_second(&m, i);
        made_node(&m, "Tanh", "a", "y", "");
        assert_dims(graph_value(made_graph(&m), "y"), DIMS(2, 3, 8, 8));
        made_end(&m);
        begin_second(&m, i);
        made_node(&m, "Relu", seconds[i].second, "y", "");
        snprintf(text, sizeof text,
                 "node a (%s): the engine does not compute its output 2, %s, which is needed by node y",
                 seconds[i].op, seconds[i].second);
        made_refused(&m, "onnx-operator", text);
        made_end(&m);
        begin_second(&m, i);
        made_node(&m, "Tanh", "a", "y", "");
        made_output(&m, "last");
        snprintf(text, sizeof text,
                 "node a (%s): the engine does not compute its output 3, last, which is an output of "
                 "the model",
                 seconds[i].op);
        made_refused(&m, "onnx-operator", text);
        made_end(&m);
    }
}

/* Old files hand the statistics of a batch norm on under the names of its inputs. */
TEST(second_results_in_place)
{
    struct made m;
    begin(&m);
    m.opset = 6;
    made_floats(&m, "c", DIMS(3), NULL);
    made_floats(&m, "mean", DIMS(3), NULL);
    made_node(&m, "BatchNormalization", "x c c mean c", "a mean c", "is_test=1");
    made_node(&m, "BatchNormalization", "a c c mean c", "y", "is_test=1");
    assert_int_equal(made_graph(&m)->n_outputs, 1);
    made_end(&m);
    begin(&m);
    made_node(&m, "Dropout", "x", "a mask", "");
    made_node(&m, "Relu", "a", "mask", "");
    made_refused(&m, "onnx-name", "the name mask");
    made_end(&m);
}

static void add_flag(struct made *m, const char *name, unsigned char value)
{
    struct str tensor;
    str_init(&tensor, MADE_BYTES);
    proto_tensor(&tensor, name, 9, NO_DIMS, &value, 1);
    proto_bytes(&m->graph, 5, tensor.p, tensor.n);
    str_release(&tensor);
}

TEST(dropout_that_trains_is_refused)
{
    struct made m;
    for (int training = 0; training < 2; training++) {
        begin(&m);
        add_flag(&m, "training", (unsigned char)training);
        made_node(&m, "Dropout", "x - training", "a", "");
        made_node(&m, "Tanh", "a", "y", "");
        if (training) {
            made_refused(&m, "onnx-operator", "node a (Dropout): it is in training mode");
        } else {
            assert_int_equal(made_graph(&m)->n_nodes, 1);
        }
        made_end(&m);
        begin(&m); /* calculated from constants */
        add_flag(&m, "flag", (unsigned char)!training);
        made_node(&m, "Not", "flag", "training", "");
        made_node(&m, "Dropout", "x - training", "a", "");
        made_node(&m, "Tanh", "a", "y", "");
        if (training) {
            made_refused(&m, "onnx-operator", "node a (Dropout): it is in training mode");
        } else {
            assert_int_equal(made_graph(&m)->n_nodes, 1);
        }
        made_end(&m);
        begin(&m); /* before operator set 7 */
        m.opset = 6;
        made_node(&m, "Dropout", "x", "a mask", training ? "ratio:0.5" : "is_test=1");
        made_node(&m, "Tanh", "a", "y", "");
        if (training) {
            made_refused(&m, "onnx-operator", "node a (Dropout): it is in training mode");
        } else {
            assert_int_equal(made_graph(&m)->n_nodes, 1);
        }
        made_end(&m);
    }
    begin(&m);
    made_node(&m, "Dropout", "x - x", "y", "");
    made_refused(&m, "onnx-operator", "node y (Dropout): its training_mode is not a single constant");
    made_end(&m);
    begin(&m);
    m.opset = 6;
    made_floats(&m, "c", DIMS(3), NULL);
    made_node(&m, "BatchNormalization", "x c c c c", "y", "");
    made_refused(&m, "onnx-operator", "node y (BatchNormalization): it is the form for training");
    made_end(&m);
}

/* Later ones say by them that they use the statistics of each batch; names that are left out say nothing. */
TEST(batch_norm_that_trains_is_refused)
{
    struct made m;
    for (int opset = 7; opset < 15; opset++) {
        begin(&m);
        m.opset = opset;
        made_floats(&m, "c", DIMS(3), NULL);
        made_node(&m, "BatchNormalization", "x c c c c", "y mean variance", "");
        if (opset < 14) {
            made_refused(&m, "onnx-operator", "node y (BatchNormalization): it has outputs for statistics");
        } else {
            assert_int_equal(made_graph(&m)->n_outputs, 1);
        }
        made_end(&m);
    }
    begin(&m);
    m.opset = 9;
    made_floats(&m, "c", DIMS(3), NULL);
    made_node(&m, "BatchNormalization", "x c c c c", "y - -", "");
    assert_int_equal(made_graph(&m)->n_outputs, 1);
    made_end(&m);
}

TEST(inputs_and_outputs_are_counted)
{
    static const char *const bad[][3] = {{"Relu", "x x", "y"}, {"Conv", "x", "y"},
                                         {"Add", "x", "y"},    {"Relu", "", "y"},
                                         {"Relu", "x", "-"},   {"Add", "x -", "y"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct made m;
        begin(&m);
        made_node(&m, bad[i][0], bad[i][1], bad[i][2], "");
        made_refused(&m, "onnx-form", "do not match the operator");
        made_end(&m);
    }
}

TEST(only_pictures_of_floats_go_in)
{
    struct made m;
    made_begin(&m);
    made_typed_input(&m, "ids", 7, DIMS(0, 8));
    made_node(&m, "Relu", "ids", "y", "");
    made_output(&m, "y");
    made_refused(&m, "onnx-type", "input ids is not a tensor of floats");
    made_end(&m);
    made_begin(&m);
    made_input(&m, "x", NULL);
    made_node(&m, "Relu", "x", "y", "");
    made_output(&m, "y");
    made_refused(&m, "onnx-type", "with a shape");
    made_end(&m);
}

TEST(outputs_must_depend_on_the_picture)
{
    struct made m;
    begin(&m);
    made_floats(&m, "w", DIMS(2), NULL);
    made_node(&m, "Neg", "w", "y", "");
    made_refused(&m, "onnx-form", "output y is the same for every image");
    made_end(&m);
    begin(&m);
    made_node(&m, "Relu", "x", "z", "");
    struct graph *g;
    assert_int_equal(made_build(&m, &g), ERR_NOT_FOUND);
    assert_non_null(strstr(m.err.msg, "no value named y"));
    made_end(&m);
    made_begin(&m);
    made_input(&m, "x", DIMS(0, 3));
    made_node(&m, "Relu", "x", "y", "");
    made_refused(&m, "onnx-form", "no output");
    made_end(&m);
}

TEST(wrong_ranks_name_node_and_shapes)
{
    struct made m;
    made_begin(&m);
    made_input(&m, "x", DIMS(0, 3, 8));
    made_floats(&m, "w", DIMS(4, 3, 3, 3), NULL);
    made_node(&m, "Conv", "x w", "y", "");
    made_output(&m, "y");
    made_refused(&m, "onnx-shape", "node y (Conv): input 2x3x8 and weights 4x3x3x3");
    made_end(&m);
    begin(&m);
    made_floats(&m, "w", DIMS(4, 2, 3, 3), NULL);
    made_node(&m, "Conv", "x w", "y", "");
    made_refused(&m, "onnx-shape", "input 2x3x8x8, weights 4x2x3x3 and 1 groups do not fit");
    made_end(&m);
    begin(&m);
    made_floats(&m, "w", DIMS(5, 7), NULL);
    made_node(&m, "Flatten", "x", "f", "");
    made_node(&m, "Gemm", "f w", "y", "");
    made_refused(&m, "onnx-shape", "node y (Gemm): 2x192 and 5x7 cannot be multiplied");
    made_end(&m);
    begin(&m);
    made_floats(&m, "b", DIMS(5), NULL);
    made_node(&m, "Add", "x b", "y", "");
    made_refused(&m, "onnx-shape", "node y (Add): 2x3x8x8 and 5 do not fit");
    made_end(&m);
}

TEST(batches_and_sides)
{
    struct made m;
    struct graph *g;
    made_begin(&m);
    made_input(&m, "x", DIMS(1, 3, 0, 0));
    made_node(&m, "Relu", "x", "y", "");
    made_output(&m, "y");
    assert_int_equal(made_shapes(&m, 2, 16, &g), ERR_INPUT);
    assert_string_equal(m.err.rule, "onnx-batch");
    assert_int_equal(made_shapes(&m, 1, 0, &g), ERR_INPUT);
    assert_non_null(strstr(m.err.msg, "input x leaves dimension 2 open"));
    assert_int_equal(made_shapes(&m, 1, 16, &g), OK);
    assert_dims(graph_value(g, "y"), DIMS(1, 3, 16, 16));
    assert_int_equal(made_shapes(&m, 1, INT64_C(1) << 40, &g), ERR_INPUT);
    made_end(&m);
    made_begin(&m);
    made_input(&m, "x", DIMS(0, 3, 4, 4));
    made_node(&m, "Relu", "x", "y", "");
    made_output(&m, "y");
    for (int64_t batch = 1; batch < 20; batch += 6) {
        assert_int_equal(made_shapes(&m, batch, 0, &g), OK);
        assert_dims(graph_value(g, "y"), DIMS(batch, 3, 4, 4));
    }
    made_end(&m);
}

/* Identity and Dropout are names; what leaves the graph keeps its own. */
TEST(copies_are_names)
{
    struct made m;
    begin(&m);
    made_node(&m, "Relu", "x", "a", "");
    made_node(&m, "Identity", "a", "b", "");
    made_node(&m, "Dropout", "b", "c", "");
    made_node(&m, "Cast", "c", "y", "to=1");
    struct graph *g = made_graph(&m);
    assert_int_equal(g->n_nodes, 1);
    assert_true(sv_is(g->values[g->outputs[0]].name, "y"));
    made_end(&m);
    begin(&m);
    made_output(&m, "b");
    made_output(&m, "x");
    made_node(&m, "Relu", "x", "y", "");
    made_node(&m, "Identity", "y", "b", "");
    g = made_graph(&m);
    assert_int_equal(g->n_outputs, 3);
    assert_int_equal(graph_count(g, OP_RESHAPE), 2);
    for (size_t i = 0; i < 3; i++) {
        static const char *const names[] = {"y", "b", "x"};
        assert_true(sv_is(g->values[g->outputs[i]].name, names[i]));
        assert_true(g->values[g->outputs[i]].producer >= 0);
    }
    made_end(&m);
}

TEST(wanted_values_take_the_outputs_place)
{
    struct made m;
    struct graph *g;
    static const char *const keep[] = {"b"}, *const none[] = {"nowhere"};
    begin(&m);
    made_floats(&m, "w", DIMS(4, 3, 1, 1), NULL);
    made_node(&m, "Conv", "x w", "a", "");
    made_node(&m, "Relu", "a", "b", "");
    made_node(&m, "GlobalAveragePool", "b", "y", "");
    assert_int_equal(made_build(&m, &g), OK);
    assert_int_equal(g->n_nodes, 2);
    assert_int_equal(graph_build(onnx_model(m.onnx), keep, 1, MADE_MOST, &m.build, &g, &m.err), OK);
    assert_int_equal(g->n_outputs, 1);
    assert_true(sv_is(g->values[g->outputs[0]].name, "b"));
    assert_int_equal(g->n_nodes, 1);
    assert_int_equal(graph_build(onnx_model(m.onnx), none, 1, MADE_MOST, &m.build, &g, &m.err), ERR_NOT_FOUND);
    made_end(&m);
}

TEST(unused_nodes_are_gone)
{
    struct made m;
    begin(&m);
    made_node(&m, "Relu", "x", "y", "");
    made_node(&m, "Tanh", "x", "a", "");
    made_node(&m, "NonZero", "a", "b", "");
    made_refused(&m, "onnx-operator", "NonZero");
    made_end(&m);
    begin(&m);
    made_node(&m, "Relu", "x", "y", "");
    made_node(&m, "Tanh", "x", "a", "");
    made_node(&m, "Not", "a", "b", "");
    assert_int_equal(made_graph(&m)->n_nodes, 1);
    made_end(&m);
}

/* The same model from operator set 6 (attributes) and 18 (inputs). */
TEST(forms_of_all_operator_sets)
{
    struct made m;
    static const int64_t pads[] = {0, 0, 1, 1, 0, 0, 1, 1}, one[] = {1}, three[] = {3},
                         axes[] = {2, 3};
    static const float zero = 0, six = 6;
    for (int form = 0; form < 2; form++) {
        bool late = form == 1;
        begin(&m);
        m.opset = late ? 18 : 6;
        made_ints(&m, "pads", DIMS(8), pads);
        made_ints(&m, "one", DIMS(1), one);
        made_ints(&m, "three", DIMS(1), three);
        made_ints(&m, "axes", DIMS(2), axes);
        made_floats(&m, "zero", NO_DIMS, &zero);
        made_floats(&m, "six", NO_DIMS, &six);
        made_node(&m, "Pad", late ? "x pads zero" : "x", "a",
                  late ? "mode'edge'" : "mode'edge' pads=0,0,1,1,0,0,1,1");
        made_node(&m, "Clip", late ? "a zero six" : "a", "b", late ? "" : "min:0 max:6");
        made_node(&m, "Slice", late ? "b one three one" : "b", "c",
                  late ? "" : "starts=1, ends=3, axes=1,");
        made_node(&m, "ReduceMean", late ? "c axes" : "c", "d",
                  late ? "keepdims=1" : "axes=2,3 keepdims=1");
        made_node(&m, "Squeeze", late ? "d axes" : "d", "e", late ? "" : "axes=2,3");
        made_node(&m, "Unsqueeze", late ? "e one" : "e", "y", late ? "" : "axes=1,");
        struct graph *g = made_graph(&m);
        assert_dims(graph_value(g, "y"), DIMS(2, 1, 2));
        assert_int_equal(graph_only(g, OP_PAD)->by[2], 1);
        assert_int_equal(graph_only(g, OP_PAD)->u.pad, PAD_EDGE);
        assert_true(graph_only(g, OP_UNARY)->u.fn == FN_CLIP &&
                    graph_only(g, OP_UNARY)->act.b == 6);
        assert_int_equal(graph_only(g, OP_SLICE)->at[1], 1);
        assert_int_equal(graph_only(g, OP_SLICE)->n_inputs, 1);
        assert_int_equal(graph_count(g, OP_GLOBAL_AVERAGE_POOL), 1);
        assert_int_equal(graph_count(g, OP_RESHAPE), 1);
        made_end(&m);
    }
}

/* Before operator set 7 a second operand was laid at an axis. */
TEST(old_broadcasts)
{
    struct made m;
    begin(&m);
    m.opset = 6;
    made_floats(&m, "b", DIMS(3), NULL);
    made_floats(&m, "slope", DIMS(3), NULL);
    made_node(&m, "Mul", "x b", "a", "broadcast=1 axis=1");
    made_node(&m, "PRelu", "a slope", "y", "");
    struct graph *g = made_graph(&m);
    for (size_t i = 0; i < g->n_nodes; i++) {
        assert_dims(&g->values[g->nodes[i].inputs[1]], DIMS(3, 1, 1));
    }
    made_end(&m);
    begin(&m);
    m.opset = 7;
    made_floats(&m, "b", DIMS(3), NULL);
    made_node(&m, "Mul", "x b", "y", "broadcast=1 axis=1");
    made_refused(&m, "onnx-shape", "do not fit");
    made_end(&m);
}

TEST(chains_take_two_at_a_time)
{
    struct made m;
    begin(&m);
    made_node(&m, "Relu", "x", "a", "");
    made_node(&m, "Tanh", "x", "b", "");
    made_node(&m, "Sum", "a b x", "c", "");
    made_node(&m, "Mean", "c a b", "d", "");
    made_node(&m, "Max", "d", "y", "");
    struct graph *g = made_graph(&m);
    assert_int_equal(graph_count(g, OP_BINARY), 5);
    made_end(&m);
}

static void count_models(const char *golden, const char *name, int64_t batch, const size_t *counts)
{
    static const enum op ops[] = {OP_CONV,   OP_GEMM,   OP_BATCH_NORM, OP_UNARY,
                                  OP_BINARY, OP_CONCAT, OP_MAX_POOL};
    char *path = NULL;
    struct onnx_file *f;
    struct arena a;
    struct graph *g, *s;
    struct err err = {0};
    assert_true(asprintf(&path, "%s/onnx/%s.onnx", golden, name) > 0);
    arena_init(&a, 1 << 28);
    assert_int_equal(onnx_open(path, &f, &err), OK);
    assert_int_equal(graph_build(onnx_model(f), NULL, 0, MADE_MOST, &a, &g, &err), OK);
    assert_int_equal(graph_shapes(g, batch, 0, &a, &s, &err), OK);
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        assert_int_equal(graph_count(s, ops[i]), counts[i]);
    }
    onnx_close(f);
    arena_release(&a);
    free(path);
}

TEST(golden_models_become_few_nodes)
{
    const char *golden = getenv("HOLDOUT_GOLDEN");
    if (!golden) {
        print_message("SKIPPED: HOLDOUT_GOLDEN is not set\n");
        skip();
    }
    count_models(golden, "torchvision/squeezenet1_1", 3, (const size_t[]){26, 0, 0, 0, 0, 8, 3});
    count_models(golden, "torchvision/mobilenet_v2", 2, (const size_t[]){52, 1, 0, 0, 0, 0, 0});
    count_models(golden, "light_squeezenet", 1, (const size_t[]){26, 0, 0, 0, 0, 8, 3});
}
