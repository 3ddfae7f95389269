/* batch_test.c - an image gets the same bits whatever the number of threads, its neighbours in a batch and
 * its place there. */
#include "infer/engine_model.h"

#include <math.h>
#include <string.h>

#include "infer/onnx/write.h"

/* An image gives the same bits alone in a block, beside any others, and in any thread. */
static void same_bits(struct engine *e, int64_t n, int64_t batch)
{
    size_t in_size = engine_input_size(e), out_size = engine_output_size(e, 0);
    struct err err = {0};
    float *in = floats_random((size_t)n * in_size), *all = floats_random((size_t)n * out_size),
          *many = floats_random((size_t)n * out_size), *one = floats_random(out_size);
    /* The first output; nobody wants the others. */
    float *to_all[ENGINE_OUTPUTS] = {all}, *to_many[ENGINE_OUTPUTS] = {many},
          *to_one[ENGINE_OUTPUTS] = {one};
    assert_int_equal(engine_run(e, in, n, batch, 1, to_all, &err), OK);
    assert_int_equal(engine_run(e, in, n, batch, 4, to_many, &err), OK);
    assert_memory_equal(all, many, (size_t)n * out_size * sizeof(float));
    struct session *s;
    assert_int_equal(engine_session(e, batch, &s, &err), OK);
    for (int64_t i = n; i-- > 0;) {
        assert_int_equal(session_run(s, in + (size_t)i * in_size, 1, to_one, &err), OK);
        assert_memory_equal(one, all + (size_t)i * out_size, out_size * sizeof(float));
    }
    assert_int_equal(session_run(s, in, batch + 1, to_one, &err), ERR_INPUT);
    session_close(s);
    free(in);
    free(all);
    free(many);
    free(one);
}

TEST(same_bits)
{
    struct model m;
    for (int64_t channels = 24; channels <= 32; channels += 8) {
        model_begin(&m);
        made_input(&m.made, "x", DIMS(0, 3, 30, 30));
        model_weights(&m.made, "w", DIMS(channels, 3, 3, 3));
        model_weights(&m.made, "v", DIMS(channels, channels, 3, 3));
        model_weights(&m.made, "u", DIMS(50, channels));
        made_node(&m.made, "Conv", "x w", "a", "pads=1,1,1,1 strides=2,2");
        made_node(&m.made, "Relu", "a", "b", "");
        made_node(&m.made, "Conv", "b v", "c", "pads=1,1,1,1");
        made_node(&m.made, "GlobalAveragePool", "c", "d", "");
        made_node(&m.made, "Flatten", "d", "e", "axis=1");
        made_node(&m.made, "Gemm", "e u", "f", "transB=1");
        made_output(&m.made, "f");
        model_open(&m);
        same_bits(m.engine, 11, 3);
        same_bits(m.engine, 9, 4);
        same_bits(m.engine, 9, 16);
        model_end(&m);
    }
}

/* Convolutions that weigh more than their pictures pass several images at a time, product and all. */
TEST(same_bits_in_blocks)
{
    struct model m;
    model_begin(&m);
    made_input(&m.made, "x", DIMS(0, 16, 2, 2));
    model_weights(&m.made, "w", DIMS(512, 16, 3, 3));
    model_weights(&m.made, "u", DIMS(50, 2048));
    made_node(&m.made, "Conv", "x w", "a", "pads=1,1,1,1");
    made_node(&m.made, "Flatten", "a", "b", "axis=1");
    made_node(&m.made, "Gemm", "b u", "y", "transB=1");
    made_output(&m.made, "y");
    model_open(&m);
    assert_true(engine_best_batch(m.engine) > 1);
    same_bits(m.engine, 11, 3);
    same_bits(m.engine, 8, 8);
    same_bits(m.engine, 23, 16);
    model_end(&m);
}

/* `holdout infer` halves a batch of 16 when it has threads to share it. */
static void same_in_halves(struct engine *e)
{
    struct err err = {0};
    float *in = floats_random(16 * 384), *whole = floats_random(48), *halves = floats_random(48);
    float *to_whole[ENGINE_OUTPUTS] = {whole}, *to_halves[ENGINE_OUTPUTS] = {halves};
    assert_int_equal(engine_run(e, in, 16, 16, 1, to_whole, &err), OK);
    assert_int_equal(engine_run(e, in, 16, 8, 2, to_halves, &err), OK);
    assert_memory_equal(whole, halves, 48 * sizeof(float));
    floats_free((float *[]){in, whole, halves}, 3);
}

enum { HIDDEN = 2112, WIDE = 2048 };

/* Two products behind the features that the engine gives too. */
static void as_products(struct engine *e, const float *first, const float *second)
{
    struct err err = {0};
    float *in = floats_random(2 * 384), *y = floats_random(6), *r = floats_random(2 * WIDE);
    float *out[] = {y, r};
    assert_int_equal(engine_run(e, in, 2, 2, 1, out, &err), OK);
    for (int i = 0; i < 2; i++) {
        double want[3] = {0};
        for (int k = 0; k < HIDDEN; k++) {
            double h = 0;
            for (int j = 0; j < WIDE; j++) {
                h += (double)r[i * WIDE + j] * (double)first[j * HIDDEN + k];
            }
            for (int o = 0; o < 3; o++) {
                want[o] += fmax(h, 0) * (double)second[k * 3 + o];
            }
        }
        floats_near(y + (ptrdiff_t)i * 3, want, 3, "cut");
    }
    floats_free((float *[]){in, y, r}, 3);
}

/* Large enough that the product runs over the whole batch, the convolution over blocks. */
TEST(cut)
{
    char *folder = unit_folder();
    struct onnx_writer w;
    struct arena arena;
    struct err err = {0};
    float *conv = floats_random(48), *first = floats_random((size_t)WIDE * HIDDEN),
          *second = floats_random(3 * HIDDEN);
    arena_init(&arena, 1 << 16);
    const char *path = fs_join(&arena, folder, "cut.onnx");
    onnx_write_begin(&w, "cut", 64 << 20);
    onnx_write_input(&w, "x", (const int64_t[]){-1, 3, 16, 8}, 4);
    onnx_write_weights(&w, "wc", (const int64_t[]){16, 3, 1, 1}, 4, conv);
    onnx_write_weights(&w, "w1", (const int64_t[]){WIDE, HIDDEN}, 2, first);
    onnx_write_weights(&w, "w2", (const int64_t[]){HIDDEN, 3}, 2, second);
    onnx_write_node(&w, "Conv", (const char *[]){"x", "wc", NULL}, "c", NULL, 0);
    onnx_write_node(&w, "Relu", (const char *[]){"c", NULL}, "r", NULL, 0);
    onnx_write_node(&w, "Flatten", (const char *[]){"r", NULL}, "f", NULL, 0);
    onnx_write_node(&w, "Gemm", (const char *[]){"f", "w1", NULL}, "g", NULL, 0);
    onnx_write_node(&w, "Relu", (const char *[]){"g", NULL}, "h", NULL, 0);
    onnx_write_node(&w, "Gemm", (const char *[]){"h", "w2", NULL}, "y", NULL, 0);
    onnx_write_output(&w, "y", (const int64_t[]){-1, 3}, 2);
    onnx_write_output(&w, "r", (const int64_t[]){-1, 16, 16, 8}, 4);
    assert_int_equal(onnx_write_file(&w, path, &err), OK);
    struct engine *e;
    assert_int_equal(engine_open(path, NULL, 0, 0, NULL, &e, &err), OK);
    assert_true(engine_best_batch(e) > 4);
    assert_int_equal(engine_facts(e)->flops,
                     2 * (16 * 3 * 128 + (uint64_t)WIDE * HIDDEN + 3 * HIDDEN) + WIDE + HIDDEN);
    same_bits(e, 7, 7);
    same_bits(e, 7, 3);
    same_bits(e, 10, 16);
    same_in_halves(e);
    as_products(e, first, second);
    floats_free((float *[]){conv, first, second}, 3);
    engine_close(e);
    onnx_write_release(&w);
    arena_release(&arena);
    unit_remove(folder);
}
