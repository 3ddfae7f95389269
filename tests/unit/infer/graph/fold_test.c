/* fold_test.c - what depends on constants alone is calculated when a model is read; shape
 * arithmetic when the batch is known. */
#include "infer/made.h"

#include <math.h>
#include <string.h>

static void begin(struct made *m)
{
    made_begin(m);
    made_input(m, "x", DIMS(0, 6));
    made_output(m, "y");
}

/* The constant beside x in the one node y = x op constant that is left. */
static const struct value *constant(struct made *m, const char *name)
{
    made_node(m, "Cast", name, "float_of_it", "to=1");
    made_node(m, "Mul", "x float_of_it", "y", "");
    struct graph *g = made_graph(m);
    assert_int_equal(g->n_nodes, 1);
    const struct value *v = &g->values[g->nodes[0].inputs[1]];
    assert_non_null(v->data);
    return v;
}

static void assert_floats(const struct value *v, const float *want, size_t n)
{
    assert_int_equal(v->type, TYPE_F32);
    assert_int_equal(value_elements(v), n);
    for (size_t i = 0; i < n; i++) {
        float got = ((const float *)v->data)[i];
        if (!(fabsf(got - want[i]) <= 1e-6F * fabsf(want[i]))) {
            fail_msg("element %zu is %g, not %g", i, (double)got, (double)want[i]);
        }
    }
}

#define FLOATS(...)                                                                                \
    (const float[]){__VA_ARGS__}, sizeof((const float[]){__VA_ARGS__}) / sizeof(float)

TEST(whole_numbers_are_exact)
{
    static const struct {
        const char *op;
        int64_t a, b;
        float want; /* after taking away the large part */
    } cases[] = {{"Add", 9007199254740993, -9007199254740992, 1},
                 {"Sub", 9007199254740993, 9007199254740992, 1},
                 {"Mul", -3, 7, -21},
                 {"Div", 7, 2, 3},
                 {"Div", -7, 2, -3},
                 {"Mod", -7, 3, 2},
                 {"Mod", 7, -3, -2},
                 {"Pow", 3, 4, 81},
                 {"Min", 3, -4, -4},
                 {"Max", 3, -4, 3},
                 {"Mod", INT64_MIN, -1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made m;
        begin(&m);
        made_ints(&m, "a", DIMS(1), &cases[i].a);
        made_ints(&m, "b", DIMS(1), &cases[i].b);
        made_node(&m, cases[i].op, "a b", "c", "");
        assert_floats(constant(&m, "c"), FLOATS(cases[i].want));
        made_end(&m);
    }
}

TEST(quotients_that_do_not_exist)
{
    static const int64_t pairs[][2] = {{1, 0}, {INT64_MIN, -1}};
    for (size_t i = 0; i < 2; i++) {
        struct made m;
        begin(&m);
        made_ints(&m, "a", DIMS(1), &pairs[i][0]);
        made_ints(&m, "b", DIMS(1), &pairs[i][1]);
        made_node(&m, "Div", "a b", "c", "");
        made_node(&m, "Cast", "c", "d", "to=1");
        made_node(&m, "Mul", "x d", "y", "");
        made_refused(&m, "onnx-form", "no result in whole numbers");
        made_end(&m);
    }
}

TEST(floats_are_calculated)
{
    static const struct {
        const char *op;
        float want;
    } cases[] = {{"Sqrt", 1.5F},
                 {"Neg", -2.25F},
                 {"Exp", 9.487736F},
                 {"Log", 0.81093022F},
                 {"Abs", 2.25F},
                 {"Floor", 2},
                 {"Ceil", 3},
                 {"Relu", 2.25F},
                 {"Erf", 0.99853728F},
                 {"Tanh", 0.97802611F},
                 {"Reciprocal", 0.44444445F},
                 {"Sigmoid", 0.90465054F}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made m;
        begin(&m);
        made_floats(&m, "a", DIMS(1), (const float[]){2.25F});
        made_node(&m, cases[i].op, "a", "c", "");
        assert_floats(constant(&m, "c"), FLOATS(cases[i].want));
        made_end(&m);
    }
}

/* What the engine calculates itself stays a node. */
TEST(other_functions_run)
{
    struct made m;
    begin(&m);
    made_floats(&m, "a", DIMS(6), NULL);
    made_node(&m, "Softplus", "a", "b", "");
    made_node(&m, "Mul", "x b", "y", "");
    assert_int_equal(graph_count(made_graph(&m), OP_UNARY), 1);
    made_end(&m);
}

TEST(constants_are_moved)
{
    struct made m;
    begin(&m);
    m.opset = 9;
    made_floats(&m, "a", DIMS(2, 3), (const float[]){1, 2, 3, 4, 5, 6});
    made_ints(&m, "at", DIMS(2), (const int64_t[]){2, -3});
    made_ints(&m, "wide", DIMS(3), (const int64_t[]){2, 1, 1});
    made_node(&m, "Transpose", "a", "b", "");                      /* 1 4 / 2 5 / 3 6 */
    made_node(&m, "Gather", "b at", "c", "axis=0");                /* 3 6 / 1 4 */
    made_node(&m, "Slice", "c", "d", "starts=1, ends=2, axes=1,"); /* 6 / 4 */
    made_node(&m, "Unsqueeze", "d", "e", "axes=0,");
    made_node(&m, "Expand", "e wide", "f", "");    /* 6 4 / 6 4 */
    made_node(&m, "Concat", "f f", "g", "axis=2"); /* 6 6 4 4 6 6 4 4 */
    made_node(&m, "Flatten", "g", "h", "axis=0");
    made_node(&m, "Slice", "h", "i", "starts=0, ends=6, axes=1,");
    assert_floats(constant(&m, "i"), FLOATS(6, 6, 4, 4, 6, 6));
    made_end(&m);
}

TEST(slices_go_backwards)
{
    struct made m;
    begin(&m);
    made_floats(&m, "a", DIMS(6), (const float[]){1, 2, 3, 4, 5, 6});
    made_ints(&m, "from", DIMS(1), (const int64_t[]){-1});
    made_ints(&m, "to", DIMS(1), (const int64_t[]){INT64_MIN});
    made_ints(&m, "axis", DIMS(1), (const int64_t[]){0});
    made_ints(&m, "step", DIMS(1), (const int64_t[]){-1});
    made_node(&m, "Slice", "a from to axis step", "b", "");
    assert_floats(constant(&m, "b"), FLOATS(6, 5, 4, 3, 2, 1));
    made_end(&m);
}

/* There is no last element to begin with. */
TEST(nothing_goes_backwards)
{
    struct made m;
    begin(&m);
    made_floats(&m, "a", DIMS(0, 3), NULL);
    made_floats(&m, "tail", DIMS(6), NULL);
    made_ints(&m, "from", DIMS(1), (const int64_t[]){-1});
    made_ints(&m, "to", DIMS(1), (const int64_t[]){INT64_MIN});
    made_ints(&m, "axis", DIMS(1), (const int64_t[]){0});
    made_ints(&m, "step", DIMS(1), (const int64_t[]){-1});
    made_ints(&m, "flat", DIMS(1), (const int64_t[]){-1});
    made_node(&m, "Slice", "a from to axis step", "b", "");
    made_node(&m, "Shape", "b", "shape", "");
    made_node(&m, "Cast", "shape", "c", "to=1");
    made_node(&m, "Concat", "c c c", "d", "axis=0");
    assert_floats(constant(&m, "d"), FLOATS(0, 3, 0, 3, 0, 3));
    made_end(&m);
}

TEST(constants_are_reduced)
{
    static const struct {
        const char *op;
        float want[2];
    } cases[] = {{"ReduceMean", {2, 5}},
                 {"ReduceSum", {6, 15}},
                 {"ReduceMax", {3, 6}},
                 {"ReduceMin", {1, 4}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made m;
        begin(&m);
        m.opset = 11;
        made_floats(&m, "a", DIMS(2, 3), (const float[]){1, 2, 3, 4, 5, 6});
        made_node(&m, cases[i].op, "a", "b", "axes=-1, keepdims=0");
        made_node(&m, "Concat", "b b b", "c", "axis=0");
        const float *w = cases[i].want;
        assert_floats(constant(&m, "c"), FLOATS(w[0], w[1], w[0], w[1], w[0], w[1]));
        made_end(&m);
    }
}

TEST(constants_of_every_form)
{
    struct made m;
    struct str t;
    begin(&m);
    str_init(&t, MADE_BYTES);
    proto_tensor(&t, "v", 10, DIMS(2), "\x00\x3c\x00\xc1", 4); /* 1 and -2.5 in half precision */
    made_tensor_node(&m, "Constant", "", "half", "value", &t);
    made_node(&m, "Constant", "", "list", "value_ints=1,2");
    made_node(&m, "Constant", "", "one", "value_int=3");
    made_node(&m, "Constant", "", "number", "value_float:0.5");
    made_node(&m, "Cast", "list", "floats", "to=1");
    made_node(&m, "Cast", "one", "float", "to=1");
    made_node(&m, "Mul", "half floats", "a", "");
    made_node(&m, "Mul", "a float", "b", "");
    made_node(&m, "Mul", "b number", "c", "");
    made_node(&m, "Concat", "c c c", "d", "axis=0");
    assert_floats(constant(&m, "d"), FLOATS(1.5F, -7.5F, 1.5F, -7.5F, 1.5F, -7.5F));
    str_release(&t);
    made_end(&m);
    begin(&m);
    made_node(&m, "Constant", "", "word", "value_string'a'");
    made_node(&m, "Mul", "x word", "y", "");
    made_refused(&m, "onnx-type", "does not consist of numbers");
    made_end(&m);
}

TEST(filled_weights)
{
    struct made m;
    struct str t;
    static const float fill = 0.02F;
    begin(&m);
    str_init(&t, MADE_BYTES);
    proto_tensor(&t, "v", 1, DIMS(1), &fill, sizeof fill);
    made_ints(&m, "shape", DIMS(2), (const int64_t[]){1, 6});
    made_ints(&m, "huge", DIMS(2), (const int64_t[]){1 << 20, 1 << 20});
    made_tensor_node(&m, "ConstantOfShape", "shape", "a", "value", &t);
    assert_floats(constant(&m, "a"), FLOATS(fill, fill, fill, fill, fill, fill));
    made_end(&m);
    begin(&m);
    made_ints(&m, "huge", DIMS(2), (const int64_t[]){1 << 20, 1 << 20});
    made_tensor_node(&m, "ConstantOfShape", "huge", "a", "value", &t);
    made_node(&m, "Mul", "x a", "y", "");
    made_refused(&m, "onnx-size", "more than");
    str_release(&t);
    made_end(&m);
}

TEST(choices)
{
    struct made m;
    begin(&m);
    made_ints(&m, "a", DIMS(3), (const int64_t[]){1, -1, 5});
    made_ints(&m, "b", DIMS(3), (const int64_t[]){7, 8, 5});
    made_ints(&m, "minus", NO_DIMS, (const int64_t[]){-1});
    made_node(&m, "Equal", "a minus", "e", "");
    made_node(&m, "Where", "e b a", "c", "");        /* 1 8 5 */
    made_node(&m, "Less", "a b", "l", "");           /* 1 1 0 */
    made_node(&m, "GreaterOrEqual", "a b", "g", ""); /* 0 0 1 */
    made_node(&m, "Or", "l g", "o", "");
    made_node(&m, "Not", "l", "n", "");
    made_node(&m, "And", "o n", "d", ""); /* 0 0 1 */
    made_node(&m, "Cast", "d", "f", "to=7");
    made_node(&m, "Concat", "c f", "i", "axis=0");
    assert_floats(constant(&m, "i"), FLOATS(1, 8, 5, 0, 0, 1));
    made_end(&m);
}

TEST(ranges)
{
    struct made m;
    begin(&m);
    made_ints(&m, "from", NO_DIMS, (const int64_t[]){10});
    made_ints(&m, "to", NO_DIMS, (const int64_t[]){-1});
    made_ints(&m, "step", NO_DIMS, (const int64_t[]){-2});
    made_node(&m, "Range", "from to step", "r", "");
    assert_floats(constant(&m, "r"), FLOATS(10, 8, 6, 4, 2, 0));
    made_end(&m);
}

TEST(casts_are_saturated)
{
    struct made m;
    begin(&m);
    made_floats(&m, "a", DIMS(3), (const float[]){1e30F, NAN, -2.75F});
    made_node(&m, "Cast", "a", "b", "to=7");
    made_node(&m, "Cast", "b", "c", "to=1");
    made_node(&m, "Cast", "a", "d", "to=9");
    made_node(&m, "Cast", "d", "e", "to=1");
    made_node(&m, "Concat", "c e", "f", "axis=0");
    assert_floats(constant(&m, "f"), FLOATS(9.2233720e18F, 0, -2, 1, 1, 1));
    made_end(&m);
}

/* The forms in which exporters keep the batch open. */
TEST(shape_arithmetic_is_folded)
{
    struct made m;
    made_begin(&m);
    m.opset = 11;
    made_input(&m, "x", DIMS(0, 8, 3, 3));
    made_output(&m, "y");
    made_ints(&m, "zero", NO_DIMS, (const int64_t[]){0});
    made_ints(&m, "one", NO_DIMS, (const int64_t[]){1});
    made_ints(&m, "two", NO_DIMS, (const int64_t[]){2});
    made_ints(&m, "rest", DIMS(1), (const int64_t[]){-1});
    made_node(&m, "Shape", "x", "shape", "");
    made_node(&m, "Gather", "shape zero", "n", "");
    made_node(&m, "Gather", "shape one", "c", "");
    made_node(&m, "Div", "c two", "half", "");
    made_node(&m, "Cast", "half", "h1", "to=1");
    made_node(&m, "Floor", "h1", "h2", "");
    made_node(&m, "Cast", "h2", "h3", "to=7");
    made_node(&m, "Unsqueeze", "n", "n1", "axes=0,");
    made_node(&m, "Unsqueeze", "h3", "c1", "axes=0,");
    made_node(&m, "Concat", "n1 c1 rest", "to", "axis=0");
    made_node(&m, "Reshape", "x to", "r", "");
    made_node(&m, "Tanh", "r", "y", "");
    struct graph *g = made_graph(&m);
    assert_int_equal(g->n_nodes, 2);
    assert_dims(graph_value(g, "y"), DIMS(2, 4, 18));
    assert_int_equal(graph_only(g, OP_RESHAPE)->n_inputs, 1);
    made_end(&m);
}

TEST(numbers_of_the_picture_are_no_shape)
{
    static const char *const nodes[][2] = {{"Not", "it depends on the image"},
                                           {"Cast", "it depends on the image"}};
    struct made m;
    for (size_t i = 0; i < 2; i++) {
        begin(&m);
        made_node(&m, nodes[i][0], "x", "y", i ? "to=7" : "");
        made_refused(&m, "onnx-operator", nodes[i][1]);
        made_end(&m);
    }
    begin(&m);
    made_node(&m, "Reshape", "x x", "y", "");
    made_refused(&m, "onnx-shape", "its list of shape depends on the image");
    made_end(&m);
}

/* Constants in double precision are floats where the engine calculates. */
TEST(doubles_become_floats)
{
    static const double half = 0.5;
    struct made m;
    struct str t;
    begin(&m);
    str_init(&t, MADE_BYTES);
    proto_tensor(&t, "v", 11, NO_DIMS, &half, sizeof half);
    made_tensor_node(&m, "Constant", "", "a", "value", &t);
    made_node(&m, "Mul", "x a", "y", "");
    struct graph *g = made_graph(&m);
    const struct value *v = &g->values[g->nodes[0].inputs[1]];
    assert_floats(v, FLOATS(0.5F));
    str_release(&t);
    made_end(&m);
}
