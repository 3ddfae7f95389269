/* engine_test.c - models made by hand through the whole engine, beside naive loops: convolutions in
 * every form, residual sums, concatenations in place, pools, products. */
#include "infer/engine_model.h"
#include "infer/naive.h"

#include <math.h>
#include <string.h>

#include "infer/onnx/write.h"

/* All outputs for n images. */
static void run(struct model *m, const float *in, int64_t n, int64_t batch, unsigned threads,
                float **out)
{
    struct err err = {0};
    for (size_t o = 0; o < engine_facts(m->engine)->n_outputs; o++) {
        out[o] = calloc((size_t)n * engine_output_size(m->engine, o) + 1, sizeof(float));
        assert_non_null(out[o]);
    }
    assert_int_equal(engine_run(m->engine, in, n, batch, threads, out, &err), OK);
}

/* Five images in batches of one, three and five, over one thread and three, beside what the graph
 * means. */
static void check(struct model *m, const char *what)
{
    enum { IMAGES = 5 };
    struct graph *g;
    model_open(m);
    assert_int_equal(made_build(&m->made, &g), OK);
    int64_t fixed = engine_facts(m->engine)->input.dims[0];
    assert_int_equal(made_shapes(&m->made, fixed < 0 ? IMAGES : fixed, 0, &g), OK);
    int64_t n = value_elements(&g->values[g->inputs[0]]) / (int64_t)engine_input_size(m->engine);
    float *in = floats_random((size_t)n * engine_input_size(m->engine));
    double **want = naive_run(g, in);
    size_t outputs = engine_facts(m->engine)->n_outputs;
    for (int64_t batch = 1; batch <= n; batch += 2) {
        float *one[ENGINE_OUTPUTS], *three[ENGINE_OUTPUTS];
        run(m, in, n, batch, 1, one);
        run(m, in, n, batch, 3, three);
        for (size_t o = 0; o < outputs; o++) {
            size_t floats = (size_t)n * engine_output_size(m->engine, o);
            floats_near(one[o], want[g->outputs[o]], floats, what);
            assert_memory_equal(one[o], three[o], floats * sizeof(float));
        }
        floats_free(one, outputs);
        floats_free(three, outputs);
    }
    naive_free(g, want);
    free(in);
    model_end(m);
}

/* ------------------------------------------------------------------ layers */

struct conv_form {
    int64_t x[6], w[6];
    const char *attributes;
};
static const struct conv_form convs[] = {
    {{0, 3, 17, 19, -1}, {8, 3, 3, 3, -1}, "pads=1,1,1,1"},
    {{0, 16, 13, 11, -1}, {32, 16, 3, 3, -1}, "pads=1,1,1,1"}, /* Winograd's way is open */
    {{0, 64, 28, 28, -1}, {64, 64, 3, 3, -1}, "pads=1,1,1,1"},
    {{0, 32, 9, 9, -1}, {16, 32, 3, 3, -1}, "pads=0,1,1,0"},
    {{0, 16, 9, 9, -1}, {32, 16, 3, 3, -1}, "pads=1,1,1,1 strides=2,2"},
    {{0, 16, 12, 9, -1}, {32, 16, 1, 1, -1}, "strides=2,1"},
    {{0, 5, 12, 9, -1}, {7, 5, 5, 3, -1}, "pads=2,0,1,2 strides=1,2 dilations=2,1"},
    {{0, 12, 8, 8, -1}, {18, 4, 3, 3, -1}, "group=3 pads=1,1,1,1"},
    {{0, 32, 8, 8, -1}, {32, 4, 3, 3, -1}, "group=8 pads=1,1,1,1"}, /* ResNeXt */
    {{0, 24, 8, 8, -1}, {24, 1, 3, 3, -1}, "group=24 pads=1,1,1,1 strides=2,2"},
    {{0, 4, 20, -1}, {6, 4, 5, -1}, "pads=2,1"},
    {{0, 3, 6, 7, 5, -1}, {4, 3, 3, 2, 1, -1}, "pads=1,0,0,1,1,0"},
    {{2, 3, 8, 8, -1}, {5, 3, 8, 8, -1}, ""}, /* a batch that the file fixes */
    {{0, 16, 1, 1, -1}, {32, 16, 1, 1, -1}, ""},
};

TEST(convolutions)
{
    static const char *const after[] = {"", "Relu", "Sigmoid", "Tanh"};
    for (size_t i = 0; i < sizeof convs / sizeof *convs; i++) {
        struct model m;
        const char *act = after[i % 4];
        model_begin(&m);
        made_input(&m.made, "x", convs[i].x);
        model_weights(&m.made, "w", convs[i].w);
        model_weights(&m.made, "b", DIMS(convs[i].w[0]));
        made_node(&m.made, "Conv", i % 3 == 2 ? "x w" : "x w b", "c", convs[i].attributes);
        if (*act) {
            made_node(&m.made, act, "c", "y", "");
        }
        made_output(&m.made, *act ? "y" : "c");
        check(&m, convs[i].attributes);
    }
}

/* A stem and blocks of two convolutions around a residual that dies, lives on, or is the block's
 * own input. */
static void residuals(int64_t channels, const char *act)
{
    struct model m;
    model_begin(&m);
    made_input(&m.made, "x", DIMS(0, 3, 15, 15));
    model_weights(&m.made, "w0", DIMS(channels, 3, 3, 3));
    made_node(&m.made, "Conv", "x w0", "a", "pads=1,1,1,1");
    for (int i = 1; i <= 5; i++) {
        model_weights(&m.made, (const char *[]){"", "w1", "w2", "w3", "w4", "w5"}[i],
                       DIMS(channels, channels, 3, 3));
    }
    made_node(&m.made, "Conv", "a w1", "b", "pads=1,1,1,1");
    made_node(&m.made, act, "b", "br", "");
    made_node(&m.made, "Conv", "br w2", "c", "pads=1,1,1,1");
    made_node(&m.made, "Add", "c a", "d", "");
    made_node(&m.made, "Relu", "d", "dr", "");
    made_node(&m.made, "Conv", "dr w3", "e", "pads=1,1,1,1");
    made_node(&m.made, "Add", "dr e", "f", ""); /* the convolution's own input */
    made_node(&m.made, "Conv", "f w4", "g", "pads=1,1,1,1");
    made_node(&m.made, "Add", "g f", "h", "");
    made_node(&m.made, act, "h", "hr", "");
    made_node(&m.made, "Conv", "hr w5", "i", "pads=1,1,1,1");
    made_node(&m.made, "Add", "i f", "j", ""); /* f is read for the last time */
    made_node(&m.made, "GlobalAveragePool", "j", "k", "");
    made_output(&m.made, "k");
    made_output(&m.made, "hr");
    check(&m, "residuals");
}

TEST(residuals)
{
    residuals(32, "Relu"); /* in blocks of channels */
    residuals(12, "Relu");
    residuals(32, "Sigmoid");
    residuals(20, "Tanh");
}

/* ------------------------------------------------------------------ concatenations */

/* As DenseNet's: every layer reads all before it. */
static void dense_block(int64_t first, int64_t more)
{
    struct model m;
    char name[3][16], line[64];
    model_begin(&m);
    made_input(&m.made, "x", DIMS(0, 3, 14, 14));
    model_weights(&m.made, "w", DIMS(first, 3, 3, 3));
    made_node(&m.made, "Conv", "x w", "stem", "pads=1,1,1,1");
    made_node(&m.made, "MaxPool", "stem", "c0", "kernel_shape=3,3 strides=2,2 pads=1,1,1,1");
    for (int i = 0; i < 4; i++) {
        int64_t channels = first + i * more;
        snprintf(name[0], sizeof name[0], "w%d", i);
        snprintf(name[1], sizeof name[1], "s%d", i);
        snprintf(name[2], sizeof name[2], "t%d", i);
        model_weights(&m.made, name[0], DIMS(more, channels, 3, 3));
        model_weights(&m.made, name[1], DIMS(1, channels, 1, 1));
        model_weights(&m.made, name[2], DIMS(1, channels, 1, 1));
        snprintf(line, sizeof line, "c%d s%d", i, i);
        snprintf(name[0], sizeof name[0], "m%d", i);
        made_node(&m.made, "Mul", line, name[0], "");
        snprintf(line, sizeof line, "m%d t%d", i, i);
        snprintf(name[0], sizeof name[0], "a%d", i);
        made_node(&m.made, "Add", line, name[0], "");
        snprintf(name[1], sizeof name[1], "r%d", i);
        made_node(&m.made, "Relu", name[0], name[1], "");
        snprintf(line, sizeof line, "r%d w%d", i, i);
        snprintf(name[0], sizeof name[0], "p%d", i);
        made_node(&m.made, "Conv", line, name[0], "pads=1,1,1,1");
        snprintf(line, sizeof line, "c0%s%s%s%s", i >= 0 ? " p0" : "", i >= 1 ? " p1" : "",
                 i >= 2 ? " p2" : "", i >= 3 ? " p3" : "");
        snprintf(name[1], sizeof name[1], "c%d", i + 1);
        made_node(&m.made, "Concat", line, name[1], "axis=1");
    }
    made_node(&m.made, "AveragePool", "c4", "q", "kernel_shape=2,2 strides=2,2");
    made_output(&m.made, "q");
    made_output(&m.made, "c2");
    made_output(&m.made, "p1");
    check(&m, "dense block");
}

TEST(dense_blocks)
{
    dense_block(32, 16); /* whole blocks of channels */
    dense_block(20, 12);
    dense_block(32, 8);
}

/* Parts that are the input, a constant, given twice, concatenations themselves, and read by others
 * too. */
TEST(concatenations)
{
    struct model m;
    for (int64_t channels = 10; channels <= 16; channels += 6) {
        model_begin(&m);
        made_input(&m.made, "x", DIMS(0, channels, 6, 5));
        model_weights(&m.made, "w", DIMS(16, channels, 3, 3));
        model_weights(&m.made, "v", DIMS(2 * channels + 48, 1, 1, 1));
        model_weights(&m.made, "u", DIMS(16, 2 * channels + 48, 3, 3));
        made_node(&m.made, "Conv", "x w", "a", "pads=1,1,1,1");
        made_node(&m.made, "Relu", "a", "ar", "");
        made_node(&m.made, "Concat", "ar x", "b", "axis=1");
        made_node(&m.made, "Concat", "b ar ar x", "c", "axis=1");
        made_node(&m.made, "Conv", "c u", "d", "pads=1,1,1,1");
        made_node(&m.made, "Add", "d ar", "e", "");
        made_node(&m.made, "Concat", "e d", "f", "axis=2");
        made_node(&m.made, "Concat", "f f", "g", "axis=-1");
        made_output(&m.made, "g");
        made_output(&m.made, "c");
        made_output(&m.made, "b");
        check(&m, "concatenations");
    }
    model_begin(&m);
    made_input(&m.made, "x", DIMS(2, 6));
    model_weights(&m.made, "w", DIMS(2, 3));
    made_node(&m.made, "Concat", "x w x", "y", "axis=1");
    made_output(&m.made, "y");
    check(&m, "a constant part");
}

/* ------------------------------------------------------------------ pools and products */

TEST(pools)
{
    static const char *const forms[][2] = {
        {"MaxPool", "kernel_shape=3,3 strides=2,2 pads=1,1,1,1"},
        {"MaxPool", "kernel_shape=3,3 strides=2,2 ceil_mode=1"},
        {"MaxPool", "kernel_shape=2,3 dilations=2,1"},
        {"AveragePool", "kernel_shape=3,3 strides=2,2 pads=1,1,1,1"},
        {"AveragePool", "kernel_shape=3,3 pads=1,1,1,1 count_include_pad=1"},
        {"AveragePool", "kernel_shape=2,2 strides=2,2 ceil_mode=1"},
        {"AveragePool", "kernel_shape=2,2 strides=2,2 ceil_mode=1 count_include_pad=1"},
        {"GlobalAveragePool", ""},
        {"GlobalMaxPool", ""},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        for (int64_t channels = 5; channels <= 16; channels += 11) {
            struct model m;
            model_begin(&m);
            made_input(&m.made, "x", DIMS(0, 16, 11, 13));
            model_weights(&m.made, "w", DIMS(channels, 16, 3, 3));
            made_node(&m.made, "Conv", "x w", "c", "pads=1,1,1,1"); /* 16: the pool reads blocks */
            made_node(&m.made, forms[i][0], "c", "y", forms[i][1]);
            made_output(&m.made, "y");
            check(&m, forms[i][1]);
        }
    }
    struct model m;
    model_begin(&m);
    made_input(&m.made, "x", DIMS(0, 3, 10));
    made_node(&m.made, "MaxPool", "x", "p", "kernel_shape=3, strides=2,");
    made_node(&m.made, "GlobalAveragePool", "p", "y", "");
    made_output(&m.made, "p");
    made_output(&m.made, "y");
    check(&m, "one axis");
}

static void gemm(const int64_t *x, const int64_t *w, const int64_t *c, const char *attributes)
{
    struct model m;
    model_begin(&m);
    made_input(&m.made, "x", x);
    model_weights(&m.made, "w", w);
    if (c) {
        model_weights(&m.made, "c", c);
    }
    made_node(&m.made, "Gemm", c ? "x w c" : "x w", "y", attributes);
    made_output(&m.made, "y");
    check(&m, attributes);
}

TEST(products)
{
    gemm(DIMS(0, 40), DIMS(40, 17), DIMS(17), "");
    gemm(DIMS(0, 40), DIMS(17, 40), DIMS(17), "transB=1");
    gemm(DIMS(0, 40), DIMS(17, 40), NULL, "transB=1 alpha:0.5");
    gemm(DIMS(0, 40), DIMS(17, 40), DIMS(1, 17), "transB=1 alpha:2 beta:-0.25");
    gemm(DIMS(3, 40), DIMS(40, 17), DIMS(3, 17), "beta:3");
    gemm(DIMS(3, 40), DIMS(40, 17), DIMS(3, 1), "alpha:2");
    gemm(DIMS(0, 40), DIMS(40, 17), DIMS(1), "beta:2");
    gemm(DIMS(40, 3), DIMS(40, 17), DIMS(17), "transA=1");
    struct model m;
    model_begin(&m);
    made_input(&m.made, "x", DIMS(0, 7, 24));
    model_weights(&m.made, "w", DIMS(24, 10));
    model_weights(&m.made, "b", DIMS(10));
    made_node(&m.made, "MatMul", "x w", "p", "");
    made_node(&m.made, "Add", "p b", "q", "");
    made_node(&m.made, "Relu", "q", "y", "");
    made_output(&m.made, "y");
    check(&m, "MatMul");
}

/* ------------------------------------------------------------------ what is refused */

static void refused(struct model *m, const char *rule)
{
    struct err err = {0};
    assert_int_equal(engine_open(model_file(m), NULL, 0, 0, NULL, &m->engine, &err), ERR_INPUT);
    assert_null(m->engine);
    assert_string_equal(err.rule, rule);
    model_end(m);
}

TEST(refused)
{
    struct model m;
    model_begin(&m);
    made_input(&m.made, "x", DIMS(0, 4));
    made_input(&m.made, "y", DIMS(0, 4));
    made_node(&m.made, "Add", "x y", "z", "");
    made_output(&m.made, "z");
    refused(&m, "model-input");

    model_begin(&m);
    made_input(&m.made, "x", DIMS(0, 4)); /* one result for all images */
    model_weights(&m.made, "w", DIMS(4, 4));
    made_node(&m.made, "ReduceMean", "x", "z", "axes=0, keepdims=1");
    made_output(&m.made, "z");
    refused(&m, "model-output");

    model_begin(&m);
    made_input(&m.made, "x", DIMS(2, 4, 5, 5)); /* weights that depend on the picture */
    made_node(&m.made, "Conv", "x x", "z", "");
    made_output(&m.made, "z");
    refused(&m, "model-operator");
}

TEST(facts)
{
    struct model m;
    struct err err = {0};
    struct session *s;
    model_begin(&m);
    made_input(&m.made, "x", DIMS(0, 4));
    model_weights(&m.made, "w", DIMS(4, 3));
    made_node(&m.made, "MatMul", "x w", "y", "");
    made_output(&m.made, "y");
    model_open(&m);
    const struct engine_facts *f = engine_facts(m.engine);
    assert_string_equal(f->input.name, "x");
    assert_int_equal(f->input.rank, 2);
    assert_int_equal(f->input.dims[0], -1);
    assert_int_equal(f->outputs[0].dims[1], 3);
    assert_int_equal(f->parameters, 12);
    assert_int_equal(f->flops, 24);
    assert_int_equal(f->nodes, 1);
    assert_string_equal(f->producer, "made");
    assert_int_equal(engine_session(m.engine, 0, &s, &err), ERR_INPUT);
    err_clear(&err);
    assert_int_equal(engine_session(m.engine, ENGINE_BATCH + 1, &s, &err), ERR_INPUT);
    assert_non_null(strstr(engine_fingerprint(), "oneDNN 2."));
    assert_non_null(strstr(engine_fingerprint(), "kernels "));
    model_end(&m);
}
