/* Worlds whose answer is known: sets that are alike come out at one half, a shift is found, what only tells uploaders
 * apart is not credited; and the scores of one fold are those of least squares written out. */
#include "unit.h"

#include <math.h>

#include "base/rng.h"
#include "domain/images/group_folds.h"
#include "infer/train/discriminator.h"
#include "stats/separation.h"

enum { N = 400, WIDTH = 12, CLASSES = 10, FOLDS = 5 };

struct world {
    float rows[N * WIDTH];
    uint32_t classes[N], groups[N];
    uint8_t folds[N];
    bool fresh[N];
    double scores[N], lambdas[FOLDS];
};
struct recipe {
    double shift;      /* between the sets, in deviations of the first feature */
    double class_step; /* between classes, in every feature */
    double uploader;   /* between uploaders, in every feature */
    uint32_t each;     /* images of an uploader, all of them in one set */
    bool by_image;     /* folds ignore uploaders */
};

static double normal(struct rng *r)
{
    return sqrt(-2 * log(1 - rng_unit(r))) * cos(2 * 3.14159265358979323846 * rng_unit(r));
}

static void put_folds(struct world *w, struct rng *rng, size_t n_groups, bool by_image)
{
    struct group_member m[N];
    struct arena a;
    arena_init(&a, 1 << 20);
    for (uint32_t i = 0; i < N; i++) {
        m[i] = (struct group_member){by_image ? i : w->groups[i], 2 * w->classes[i] + w->fresh[i]};
    }
    memcpy(w->folds, group_folds(m, N, by_image ? N : n_groups, 2 * CLASSES, FOLDS, rng, &a), N);
    arena_release(&a);
}

static void make_world(struct world *w, uint64_t seed, const struct recipe *r)
{
    struct rng rng;
    double own[CLASSES][WIDTH], of[N][WIDTH];
    rng_seed(&rng, seed);
    for (size_t k = 0; k < WIDTH; k++) {
        for (size_t c = 0; c < CLASSES; c++) {
            own[c][k] = r->class_step * normal(&rng);
        }
        for (size_t g = 0; g < N; g++) {
            of[g][k] = r->uploader * normal(&rng);
        }
    }
    for (uint32_t i = 0; i < N; i++) {
        w->fresh[i] = i >= N / 2;
        w->classes[i] = i % CLASSES;
        w->groups[i] = i / r->each;
        for (size_t k = 0; k < WIDTH; k++) {
            double x = normal(&rng) + own[w->classes[i]][k] + of[w->groups[i]][k] + (k == 0 && w->fresh[i] ? r->shift : 0);
            w->rows[i * WIDTH + k] = (float)(100 + 3 * x);
        }
    }
    put_folds(w, &rng, (N + r->each - 1) / r->each, r->by_image);
}

static struct separation ask(struct world *w, uint64_t seed, const struct recipe *r, unsigned threads)
{
    struct separation_image images[N];
    struct err err = {0};
    make_world(w, seed, r);
    const struct discriminator_images s = {.n = N, .width = WIDTH, .n_classes = CLASSES, .rows = w->rows, .classes = w->classes,
                                           .folds = w->folds, .fresh = w->fresh, .n_folds = FOLDS, .threads = threads};
    if (discriminator_score(&s, NULL, w->scores, w->lambdas, &err) != OK) {
        fail_msg("%s", err.msg);
    }
    for (uint32_t i = 0; i < N; i++) {
        images[i] = (struct separation_image){w->scores[i], w->groups[i], w->folds[i], w->fresh[i]};
    }
    return separation_of(images, N, (N + r->each - 1) / r->each, 0.05, 100, 1);
}

enum { SEEDS = 60 };

TEST(sets_that_are_alike_come_out_at_one_half)
{
    static struct world w;
    static const struct recipe alike[] = {{.each = 1}, {.each = 1, .class_step = 5}, {.each = 5, .uploader = 0.5}};
    for (size_t k = 0; k < sizeof alike / sizeof *alike; k++) {
        unsigned holds = 0;
        double mean = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct separation s = ask(&w, seed, &alike[k], 1);
            holds += s.of_accuracy.lo <= 0.5 && s.of_accuracy.hi >= 0.5;
            mean += s.accuracy / SEEDS;
        }
        print_message("recipe %zu: %u of %d intervals hold one half, mean accuracy %.4f\n", k, holds, SEEDS, mean);
        assert_true(holds >= SEEDS * 85 / 100);
        assert_true(fabs(mean - 0.5) < 0.02);
    }
}

TEST(a_shift_is_found)
{
    static struct world w;
    const struct recipe shifted = {.each = 1, .shift = 1, .class_step = 2}; /* the best possible: Phi(1 / 2) = 0.69 */
    double mean = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct separation s = ask(&w, seed, &shifted, 1);
        assert_true(s.of_accuracy.lo > 0.5 && s.of_auc.lo > 0.5);
        mean += s.accuracy / 10;
    }
    assert_true(mean > 0.62 && mean < 0.71);
}

/* Each uploader's images lie together and are all in one set. By image that looks like a difference of the sets. */
TEST(uploaders_that_leak_are_not_credited)
{
    static struct world w;
    struct recipe leak = {.each = 20, .uploader = 4};
    unsigned holds = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        leak.by_image = true;
        assert_true(ask(&w, seed, &leak, 1).accuracy > 0.7);
        leak.by_image = false;
        struct separation s = ask(&w, seed, &leak, 1);
        holds += s.of_accuracy.lo <= 0.5;
    }
    assert_true(holds >= 17);
}

TEST(threads_change_nothing)
{
    static struct world one, four;
    const struct recipe r = {.each = 2, .shift = 0.5};
    ask(&one, 5, &r, 1);
    ask(&four, 5, &r, 4);
    assert_memory_equal(one.scores, four.scores, sizeof one.scores);
    assert_memory_equal(one.lambdas, four.lambdas, sizeof one.lambdas);
}

/* Gauss on the normal equations of (x, 1) with weights, lambda on x alone. */
static void least_squares(const struct world *w, unsigned fold, double lambda, double beta[WIDTH + 1])
{
    double a[WIDTH + 1][WIDTH + 2] = {{0}}, total = 0;
    size_t counts[CLASSES][2] = {{0}};
    for (size_t i = 0; i < N; i++) {
        counts[w->classes[i]][w->fresh[i]] += w->folds[i] != fold;
    }
    for (size_t i = 0; i < N; i++) {
        const size_t *c = counts[w->classes[i]];
        double weight = w->folds[i] == fold ? 0 : (double)(c[0] < c[1] ? c[0] : c[1]) / (double)c[w->fresh[i]];
        total += weight;
        for (size_t j = 0; j <= WIDTH; j++) {
            double x = j < WIDTH ? (double)w->rows[i * WIDTH + j] : 1;
            for (size_t k = 0; k <= WIDTH; k++) {
                a[j][k] += weight * x * (k < WIDTH ? (double)w->rows[i * WIDTH + k] : 1);
            }
            a[j][WIDTH + 1] += weight * x * (w->fresh[i] ? 1 : -1);
        }
    }
    for (size_t j = 0; j < WIDTH; j++) {
        a[j][j] += lambda * total;
    }
    for (size_t j = 0; j <= WIDTH; j++) {
        for (size_t i = 0; i <= WIDTH; i++) {
            double by = i == j ? 0 : a[i][j] / a[j][j];
            for (size_t k = j; k <= WIDTH + 1; k++) {
                a[i][k] -= by * a[j][k];
            }
        }
    }
    for (size_t j = 0; j <= WIDTH; j++) {
        beta[j] = a[j][WIDTH + 1] / a[j][j];
    }
}

TEST(scores_are_those_of_least_squares)
{
    static struct world w;
    const struct recipe r = {.each = 3, .shift = 1, .class_step = 1};
    ask(&w, 2, &r, 2); /* leaves standardised rows */
    for (unsigned fold = 0; fold < FOLDS; fold++) {
        double beta[WIDTH + 1], raw[N], squares = 0;
        size_t n = 0;
        least_squares(&w, fold, w.lambdas[fold], beta);
        for (size_t i = 0; i < N; i++) {
            raw[i] = beta[WIDTH];
            for (size_t k = 0; k < WIDTH; k++) {
                raw[i] += beta[k] * (double)w.rows[i * WIDTH + k];
            }
            squares += w.folds[i] == fold ? raw[i] * raw[i] : 0;
            n += w.folds[i] == fold;
        }
        for (size_t i = 0; i < N; i++) {
            if (w.folds[i] == fold) {
                assert_true(fabs(w.scores[i] - raw[i] / sqrt(squares / (double)n)) < 1e-4);
            }
        }
    }
}

TEST(folds_without_both_sets_are_refused)
{
    static struct world w;
    const struct recipe r = {.each = 1};
    struct err err = {0};
    make_world(&w, 1, &r);
    for (size_t i = 0; i < N; i++) {
        w.classes[i] = w.fresh[i]; /* no class has both */
    }
    const struct discriminator_images s = {.n = N, .width = WIDTH, .n_classes = 2, .rows = w.rows, .classes = w.classes,
                                           .folds = w.folds, .fresh = w.fresh, .n_folds = FOLDS, .threads = 1};
    assert_int_equal(discriminator_score(&s, NULL, w.scores, w.lambdas, &err), ERR_INPUT);
    assert_string_equal(err.rule, "discriminator-folds");
}

