/* Training on pictures of stripes: beats chance by far, equals least squares written out naively on the model's
 * own features, gives the same bytes on any number of threads, and refuses what cannot be trained. */
#include "infer/engine_model.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "infer/train/train.h"

enum { SIDE = 12, CLASSES = 3, EACH = 30, N = CLASSES * EACH, PIXELS = 3 * SIDE * SIDE };

/* Stripes down, stripes across, or a checkerboard, of any colour and place, under noise. */
static void draw(struct rng *r, unsigned kind, unsigned char *out)
{
    unsigned shift = (unsigned)rng_below(r, 4), light = 60 + (unsigned)rng_below(r, 120);
    for (unsigned i = 0; i < PIXELS; i++) {
        unsigned y = i / SIDE % SIDE, x = i % SIDE, down = (x + shift) / 2 & 1, across = (y + shift) / 2 & 1;
        unsigned on = kind == 0 ? down : kind == 1 ? across : down ^ across;
        out[i] = (unsigned char)(light / 2 + (on ? light / 2 : 0) + (unsigned)rng_below(r, 60));
    }
}

struct sample {
    unsigned char *planes;
    uint32_t labels[N];
    struct train_images *images;
};

static const char *class_name(void *arg, uint32_t label)
{
    (void)arg;
    return label == 1 ? "n00000001" : "another";
}

static struct train_list list_of(const struct sample *s)
{
    return (struct train_list){.n = N, .classes = CLASSES, .labels = s->labels, .side = SIDE,
                               .threads = 2, .class_name = class_name};
}

static struct sample make_sample(uint64_t seed)
{
    struct sample s = {.planes = xmalloc(N * PIXELS)};
    struct err err = {0};
    struct rng r;
    rng_seed(&r, seed);
    for (unsigned i = 0; i < N; i++) {
        s.labels[i] = i % CLASSES;
        draw(&r, s.labels[i], s.planes + i * PIXELS);
    }
    struct train_list list = list_of(&s);
    assert_int_equal(train_images_make(&list, s.planes, &s.images, &err), OK);
    assert_int_equal(train_images_count(s.images), N);
    return s;
}

static void release_sample(struct sample *s)
{
    train_images_free(s->images);
    free(s->planes);
}

static const struct train_plan plan = {.filters = 8, .patch = 4, .pool = 2, .threads = 2, .lambda = -1, .seed = 5};

static struct train_facts train(const struct sample *s, const struct train_plan *p, const char *path)
{
    struct train_facts facts;
    struct err err = {0};
    if (train_model(s->images, p, path, NULL, &facts, &err) != OK) {
        fail_msg("%s", err.msg);
    }
    return facts;
}

/* Values "features" or "scores" of all images of a sample, by the engine. */
static float *run(const char *path, const char *value, const struct sample *s, size_t *width)
{
    struct engine *e;
    struct err err = {0};
    float *in = xmalloc((size_t)N * PIXELS * sizeof *in);
    for (size_t i = 0; i < (size_t)N * PIXELS; i++) {
        in[i] = (float)s->planes[i] / 255;
    }
    if (engine_open(path, &value, 1, 0, NULL, &e, &err) != OK) {
        fail_msg("%s", err.msg);
    }
    *width = engine_output_size(e, 0);
    float *out = xmalloc(N * *width * sizeof *out);
    assert_int_equal(engine_run(e, in, N, 16, 1, &out, &err), OK);
    engine_close(e);
    free(in);
    return out;
}

static size_t count_right(const float *scores, const struct sample *s)
{
    size_t right = 0;
    for (size_t i = 0; i < N; i++) {
        size_t best = 0;
        for (size_t k = 1; k < CLASSES; k++) {
            best = scores[i * CLASSES + k] > scores[i * CLASSES + best] ? k : best;
        }
        right += best == s->labels[i];
    }
    return right;
}

static char *model_path(struct arena *a, const char *folder, const char *name)
{
    arena_init(a, 1 << 16);
    return fs_join(a, folder, name);
}

TEST(it_learns_what_it_is_shown)
{
    struct sample seen = make_sample(1), other = make_sample(2);
    struct arena a;
    char *folder = unit_folder(), *path = model_path(&a, folder, "m.onnx");
    size_t width;
    struct train_facts facts = train(&seen, &plan, path);
    assert_int_equal(facts.images, N);
    assert_int_equal(facts.features, 8 * 2 * 4);
    assert_true(facts.lambda > 0 && facts.sharpness >= 1);
    float *own = run(path, "scores", &seen, &width), *new = run(path, "scores", &other, &width);
    assert_int_equal(width, CLASSES);
    assert_int_equal(count_right(own, &seen), facts.right);
    assert_in_range(facts.held_out_right, N * 3 / 4, N);
    assert_in_range(count_right(new, &other), N * 3 / 4, N); /* chance: a third */
    free(own);
    free(new);
    arena_release(&a);
    unit_remove(folder);
    release_sample(&seen);
    release_sample(&other);
}

/* ------------------------------------------------------------------ naively */

/* Gauss with pivots, on rows of n + 1 numbers. */
static void eliminate(double *m, size_t n)
{
    for (size_t c = 0; c < n; c++) {
        size_t best = c;
        for (size_t i = c; i < n; i++) {
            best = fabs(m[i * (n + 1) + c]) > fabs(m[best * (n + 1) + c]) ? i : best;
        }
        for (size_t k = 0; k <= n; k++) {
            double kept = m[c * (n + 1) + k];
            m[c * (n + 1) + k] = m[best * (n + 1) + k];
            m[best * (n + 1) + k] = kept;
        }
        for (size_t i = 0; i < n; i++) {
            double by = i == c ? 0 : m[i * (n + 1) + c] / m[c * (n + 1) + c];
            for (size_t k = 0; k <= n; k++) {
                m[i * (n + 1) + k] -= by * m[c * (n + 1) + k];
            }
        }
    }
}

/* Columns minus their means, over their deviations. */
static double *standardise(const float *features, size_t w)
{
    double *x = xmalloc(N * w * sizeof *x);
    for (size_t k = 0; k < w; k++) {
        double mean = 0, square = 0;
        for (size_t i = 0; i < N; i++) {
            mean += (double)features[i * w + k] / N;
        }
        for (size_t i = 0; i < N; i++) {
            x[i * w + k] = (double)features[i * w + k] - mean;
            square += x[i * w + k] * x[i * w + k] / N;
        }
        for (size_t i = 0; i < N; i++) {
            x[i * w + k] = square > 0 ? x[i * w + k] / sqrt(square) : 0;
        }
    }
    return x;
}

/* The scores of class k for all images, by the normal equations. */
static void naive_scores(const double *x, size_t w, const struct sample *s, size_t k, double lambda, double *out)
{
    double *m = xcalloc(w * (w + 1), sizeof *m), share = 1.0 / CLASSES;
    for (size_t i = 0; i < w; i++) {
        for (size_t j = 0; j < w; j++) {
            for (size_t row = 0; row < N; row++) {
                m[i * (w + 1) + j] += x[row * w + i] * x[row * w + j];
            }
        }
        m[i * (w + 1) + i] += lambda * N;
        for (size_t row = 0; row < N; row++) {
            m[i * (w + 1) + w] += x[row * w + i] * ((s->labels[row] == k) - share);
        }
    }
    eliminate(m, w);
    for (size_t row = 0; row < N; row++) {
        out[row * CLASSES + k] = share;
        for (size_t i = 0; i < w; i++) {
            out[row * CLASSES + k] += x[row * w + i] * m[i * (w + 1) + w] / m[i * (w + 1) + i];
        }
    }
    free(m);
}

TEST(it_is_least_squares)
{
    struct sample s = make_sample(3);
    struct arena a;
    char *folder = unit_folder(), *path = model_path(&a, folder, "m.onnx");
    struct train_plan p = plan;
    size_t width, classes;
    p.lambda = 0.05;
    struct train_facts facts = train(&s, &p, path);
    assert_true(facts.lambda == 0.05);
    float *features = run(path, "features", &s, &width), *scores = run(path, "scores", &s, &classes);
    assert_int_equal(width, facts.features);
    double *x = standardise(features, width), *want = xmalloc(N * CLASSES * sizeof *want);
    for (size_t k = 0; k < CLASSES; k++) {
        naive_scores(x, width, &s, k, 0.05, want);
    }
    for (size_t i = 0; i < N * CLASSES; i++) {
        assert_true(fabs((double)scores[i] / facts.sharpness - want[i]) < 1e-4);
    }
    free(features);
    free(scores);
    free(x);
    free(want);
    arena_release(&a);
    unit_remove(folder);
    release_sample(&s);
}

TEST(the_same_bytes_on_any_number_of_threads)
{
    static const unsigned threads[] = {1, 2, 5};
    struct sample s = make_sample(4);
    struct arena a;
    char *folder = unit_folder(), *path = model_path(&a, folder, "m.onnx");
    struct str first, again;
    struct err err = {0};
    str_init(&first, 1 << 20);
    str_init(&again, 1 << 20);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct train_plan p = plan;
        p.threads = threads[i];
        train(&s, &p, path);
        str_clear(&again);
        assert_int_equal(fs_read(path, i ? &again : &first, &err), OK);
        assert_true(i == 0 || sv_eq(str_sv(&first), str_sv(&again)));
    }
    struct train_plan p = plan;
    p.seed++;
    train(&s, &p, path);
    str_clear(&again);
    assert_int_equal(fs_read(path, &again, &err), OK);
    assert_false(sv_eq(str_sv(&first), str_sv(&again)));
    str_release(&first);
    str_release(&again);
    arena_release(&a);
    unit_remove(folder); /* and nothing else was left in it */
    release_sample(&s);
}

/* ------------------------------------------------------------------ what is refused */

static void refuse_plan(struct train_plan p, unsigned side, enum err_code code, const char *word)
{
    struct err err = {0};
    assert_int_equal(train_plan_check(&p, side, &err), code);
    assert_non_null(strstr(err.msg, word));
}

TEST(what_does_not_fit_together_is_refused)
{
    struct train_plan p = plan;
    refuse_plan(p, 3, ERR_INPUT, "--side");
    refuse_plan(p, 4, ERR_INPUT, "too few for 2 fields");
    refuse_plan(p, 100000, ERR_INPUT, "up to 256 pixels");
    p.filters = 0;
    refuse_plan(p, SIDE, ERR_INPUT, "1 to 4096 filters");
    p.filters = 2000;
    refuse_plan(p, SIDE, ERR_LIMIT, "16000 features");
    p = plan;
    p.lambda = NAN;
    refuse_plan(p, SIDE, ERR_INPUT, "lambda");
}

static void refuse_labels(const struct sample *s, const uint32_t *labels, size_t n, const char *word)
{
    struct train_list list = list_of(s);
    struct train_images *images;
    struct err err = {0};
    list.labels = labels;
    list.n = n;
    assert_int_equal(train_images_make(&list, s->planes, &images, &err), ERR_INPUT);
    assert_null(images);
    assert_string_equal(err.rule, "train-images");
    assert_non_null(strstr(err.msg, word));
}

TEST(classes_without_images_are_named)
{
    struct sample s = make_sample(6);
    uint32_t labels[N];
    refuse_labels(&s, s.labels, 0, "at least two classes");
    refuse_labels(&s, s.labels, 5, "another has only one training image ");
    for (size_t i = 0; i < N; i++) {
        labels[i] = i % 2 * 2;
    }
    refuse_labels(&s, labels, N, "n00000001 has no training images");
    release_sample(&s);
}

static bool stop_now(void *arg)
{
    (void)arg;
    return true;
}

TEST(it_stops_when_asked)
{
    struct sample s = make_sample(7);
    struct arena a;
    char *folder = unit_folder(), *path = model_path(&a, folder, "m.onnx");
    const struct train_watch watch = {.stop = stop_now};
    struct train_facts facts;
    struct err err = {0};
    assert_int_equal(train_model(s.images, &plan, path, &watch, &facts, &err), ERR_BUSY);
    assert_string_equal(err.rule, "job-stopped");
    assert_false(fs_exists(path));
    arena_release(&a);
    unit_remove(folder);
    release_sample(&s);
}

/* Pictures of one colour have no direction to whiten. */
TEST(pictures_of_nothing_are_refused)
{
    struct sample s = make_sample(8);
    struct arena a;
    char *folder = unit_folder(), *path = model_path(&a, folder, "m.onnx");
    struct train_facts facts;
    struct err err = {0};
    train_images_free(s.images);
    memset(s.planes, 77, (size_t)N * PIXELS);
    struct train_list list = list_of(&s);
    assert_int_equal(train_images_make(&list, s.planes, &s.images, &err), OK);
    assert_int_equal(train_model(s.images, &plan, path, NULL, &facts, &err), ERR_INPUT);
    assert_non_null(strstr(err.msg, "almost no structure"));
    arena_release(&a);
    unit_remove(folder);
    release_sample(&s);
}
