/* predict_test.c - the best classes, and the pipeline: results in order whatever the threads, failures that cost
 * nobody else anything, an end when somebody asks for it. */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "base/str.h"
#include "base/xalloc.h"
#include "infer/onnx/write.h"
#include "infer/predict/predict.h"

/* ---- predict_top ---- */

TEST(top_is_a_sort)
{
    struct rng r;
    rng_seed(&r, 3);
    for (int round = 0; round < 200; round++) {
        float scores[60], p[5];
        uint32_t best[5], n = 1 + (uint32_t)rng_below(&r, 60);
        int k = n < 5 ? (int)n : 5;
        for (uint32_t i = 0; i < n; i++) {
            scores[i] = (float)rng_below(&r, 20) - 10; /* with ties */
        }
        predict_top(scores, n, false, k, best, p);
        for (int j = 0; j < k; j++) {
            uint32_t before = 0; /* how many stand in front of it */
            for (uint32_t i = 0; i < n; i++) {
                before += scores[i] > scores[best[j]] || (scores[i] == scores[best[j]] && i < best[j]);
            }
            assert_int_equal(before, j);
            assert_true(p[j] == scores[best[j]]);
        }
    }
}

TEST(top_of_logits_are_probabilities)
{
    const float scores[] = {1000, 1001, -1000, 999};
    float p[4];
    uint32_t best[4];
    predict_top(scores, 4, true, 4, best, p);
    double total = 1 + exp(-1) + exp(-2);
    assert_int_equal(best[0], 1);
    assert_true(p[0] == (float)(1 / total) && p[1] == (float)(exp(-1) / total) && p[3] == 0);
}

TEST(top_puts_what_is_no_number_last)
{
    const float scores[] = {NAN, 1, NAN, 3, -INFINITY};
    float p[5];
    uint32_t best[5];
    predict_top(scores, 5, false, 5, best, p);
    assert_int_equal(best[0], 3);
    assert_int_equal(best[1], 1);
    assert_int_equal(best[2], 4);
    assert_true(isnan(p[3]) && isnan(p[4]));
}

/* ---- the pipeline ---- */

enum { SIDE = 8, IMAGES = 90, SCORES = 3 };

struct world {
    char *folder;
    struct arena arena;
    struct engine *engine;
    struct recipe recipe;
    const char *paths[IMAGES];
    /* What was taken. */
    size_t n, stop_at, fail_at;
    bool failed[IMAGES];
    float scores[IMAGES][SCORES];
};

/* The mean of each channel: what comes out tells which image went in. */
static void write_model(struct world *w)
{
    struct onnx_writer writer;
    struct err err = {0};
    const int64_t in[] = {-1, 3, SIDE, SIDE}, out[] = {-1, SCORES};
    const struct onnx_write_attribute axis[] = {{.name = "axis", .kind = WRITE_INT, .i = 1}};
    onnx_write_begin(&writer, "mean", 1 << 20);
    onnx_write_input(&writer, "image", in, 4);
    onnx_write_node(&writer, "GlobalAveragePool", (const char *const[]){"image", NULL}, "pooled", NULL, 0);
    onnx_write_node(&writer, "Flatten", (const char *const[]){"pooled", NULL}, "scores", axis, 1);
    onnx_write_output(&writer, "scores", out, 2);
    const char *path = fs_join(&w->arena, w->folder, "mean.onnx");
    assert_int_equal(onnx_write_file(&writer, path, &err), OK);
    onnx_write_release(&writer);
    assert_int_equal(engine_open(path, NULL, 0, SIDE, NULL, &w->engine, &err), OK);
}

/* Image i is of one colour that no other has; every tenth one is broken in its own way. */
static void write_images(struct world *w)
{
    for (size_t i = 0; i < IMAGES; i++) {
        char name[32];
        struct str file;
        struct err err = {0};
        unsigned char pixels[SIDE * SIDE * 3];
        struct image im = {.width = SIDE, .height = SIDE, .data = pixels};
        for (size_t k = 0; k < sizeof pixels; k++) {
            pixels[k] = (unsigned char)(k % 3 == 0 ? i : k % 3 == 1 ? 255 - i : i / 2);
        }
        str_init(&file, 1 << 20);
        assert_int_equal(image_encode_png(&im, &file, &err), OK);
        snprintf(name, sizeof name, "%zu.png", i);
        w->paths[i] = fs_join(&w->arena, w->folder, name);
        if (i % 20 == 13) {
            file.n /= 2;
        }
        if (i % 20 != 3) {
            unit_write(w->folder, name, file.p, file.n);
        }
        str_release(&file);
    }
}

static int open_world(void **state)
{
    struct world *w = xcalloc(1, sizeof *w);
    w->folder = unit_folder();
    arena_init(&w->arena, 1 << 20);
    write_model(w);
    write_images(w);
    w->recipe.preprocess = (struct preprocess){.crop = SIDE, .exact = true, .scale = 1, .std = {1, 1, 1}};
    *state = w;
    return 0;
}

static int close_world(void **state)
{
    struct world *w = *state;
    engine_close(w->engine);
    unit_remove(w->folder);
    arena_release(&w->arena);
    free(w);
    return 0;
}

TESTS_SHARE(open_world, close_world)

static const char *path_of(void *arg, size_t i)
{
    return ((struct world *)arg)->paths[i];
}

static enum err_code take(void *arg, const struct predict_result *r, struct err *err)
{
    struct world *w = arg;
    assert_int_equal(r->index, w->n);
    if (w->n == w->fail_at) {
        return err_set(err, ERR_FULL, "no room");
    }
    w->failed[w->n] = r->failed != OK;
    if (r->failed) {
        assert_true(r->why.msg[0]);
    } else {
        memcpy(w->scores[w->n], r->outputs[0], sizeof w->scores[0]);
    }
    w->n++;
    return OK;
}

static bool stop(void *arg)
{
    const struct world *w = arg;
    return w->n >= w->stop_at;
}

static enum err_code run(struct world *w, unsigned threads, int64_t batch, size_t *finished, struct err *err)
{
    struct predict_run r = {.engine = w->engine, .recipe = &w->recipe, .limits = {1000, 1000000}, .threads = threads,
                            .batch = batch, .n = IMAGES, .path = path_of, .take = take, .arg = w};
    r.stop = w->stop_at < IMAGES ? stop : NULL;
    w->n = 0;
    return predict_images(&r, finished, err);
}

TEST(results_in_order)
{
    struct world *w = *state;
    static const struct { unsigned threads; int64_t batch; } ways[] = {{1, 0}, {1, 1}, {2, 4}, {5, 3}, {3, 200}, {64, 1}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        struct err err = {0};
        size_t finished;
        w->fail_at = w->stop_at = IMAGES;
        assert_int_equal(run(w, ways[k].threads, ways[k].batch, &finished, &err), OK);
        assert_int_equal(finished, IMAGES);
        for (size_t i = 0; i < IMAGES; i++) {
            assert_int_equal(w->failed[i], i % 10 == 3);
            if (!w->failed[i]) {
                assert_true(w->scores[i][0] == (float)i && w->scores[i][1] == (float)(255 - i));
            }
        }
    }
}

TEST(whoever_takes_may_end_it)
{
    struct world *w = *state;
    struct err err = {0};
    size_t finished;
    w->stop_at = IMAGES;
    w->fail_at = 41;
    assert_int_equal(run(w, 3, 4, &finished, &err), ERR_FULL);
    assert_string_equal(err.msg, "no room");
    assert_int_equal(finished, 41);
}

TEST(stop_keeps_what_was_begun)
{
    struct world *w = *state;
    for (unsigned threads = 1; threads < 4; threads++) {
        struct err err = {0};
        size_t finished;
        w->fail_at = IMAGES;
        w->stop_at = 20;
        assert_int_equal(run(w, threads, 4, &finished, &err), ERR_BUSY);
        assert_string_equal(err.rule, "job-stopped");
        assert_true(finished >= 20 && finished < IMAGES && finished == w->n);
    }
}

TEST(sides_must_fit)
{
    struct world *w = *state;
    struct err err = {0};
    size_t finished;
    w->recipe.preprocess.crop = SIDE + 1;
    assert_int_equal(run(w, 1, 1, &finished, &err), ERR_INPUT);
    w->recipe.preprocess.crop = SIDE;
    assert_string_equal(err.rule, "model-input");
}
