/* adjusted_bins_test.c - accuracy by true frequency in studies whose images' true frequencies and whose models' chances are
 * known: how often the intervals of each bin hold the truth, whatever the frequencies' shape, beside those of bins of the
 * frequencies that were seen; and that both are the same with very many answers. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "measures/adjusted_world.h"
#include "measures/scores/mean_share.h"

enum { TRUTH_WORLDS = 24, BINS = HISTOGRAM_BINS };

static uint32_t bin_of(double s)
{
    return s < 1 ? (uint32_t)(BINS * s) : BINS - 1;
}

/* ---- the truth ---- */

/* Mean over models and images of their chances, by side and bin of true frequency. */
struct truth {
    double of[ADJUSTED_SIDES][BINS];
    double images[ADJUSTED_SIDES][BINS]; /* of a study, on average */
};

static double mean_chance(double s, bool original)
{
    double sum = 0;
    for (size_t m = 0; m < WORLD_MODELS; m++) {
        sum += adjusted_world_chance(m, s) - (original ? 0 : adjusted_world_left(s));
    }
    return sum / WORLD_MODELS;
}

static void truth_make(struct bias_made *m, const struct bias_world *w, struct truth *out)
{
    *out = (struct truth){.of = {{0}}};
    for (uint64_t seed = 0; seed < TRUTH_WORLDS; seed++) {
        struct arena a;
        arena_init(&a, 1 << 28);
        bias_world_make(m, w, 2000000 + seed, &a);
        for (size_t i = 0; i < m->in.n_images; i++) {
            const struct bias_image *b = &m->images[i];
            if (b->original || b->in_set) {
                int side = b->original ? ADJUSTED_ORIGINAL : ADJUSTED_NEW;
                uint32_t bin = bin_of(m->truth[i]);
                out->of[side][bin] += mean_chance(m->truth[i], b->original);
                out->images[side][bin]++;
            }
        }
        arena_release(&a);
    }
    for (int i = 0; i < ADJUSTED_SIDES * BINS; i++) {
        double *images = &out->images[i / BINS][i % BINS];
        out->of[i / BINS][i % BINS] /= *images;
        *images /= TRUTH_WORLDS;
    }
}

/* ---- what holds it ---- */

struct held { /* intervals of sides and bins with figures, and those that hold the truth */
    unsigned n, corrected, seen, gaps, gaps_held;
    unsigned empty, silent; /* bins with a figure but without images; with images but without a figure */
    double off, seen_off; /* sums of distances from the truth */
    double wide, seen_wide;
};

static void add(struct held *to, const struct held *h)
{
    to->n += h->n;
    to->corrected += h->corrected;
    to->seen += h->seen;
    to->gaps += h->gaps;
    to->gaps_held += h->gaps_held;
    to->empty += h->empty;
    to->silent += h->silent;
    to->off += h->off;
    to->seen_off += h->seen_off;
    to->wide += h->wide;
    to->seen_wide += h->seen_wide;
}

static void say(const char *what, const struct held *h)
{
    print_message("%s: corrected %.3f of %u hold the truth, off by %.4f, width %.3f; as seen %.3f, off by %.4f, width %.3f; "
                  "gaps %.3f of %u; %u empty, %u silent\n",
                  what, (double)h->corrected / h->n, h->n, h->off / h->n, h->wide / h->n, (double)h->seen / h->n,
                  h->seen_off / h->n, h->seen_wide / h->n, (double)h->gaps_held / h->gaps, h->gaps, h->empty, h->silent);
}

/* The mean over models on the images that were seen in a bin, with the interval that pages show. */
static struct proportion as_seen(const struct bias_made *m, const unsigned char *right, int side, uint32_t bin)
{
    struct mean_share sum = {0};
    for (size_t i = 0; i < m->in.n_images; i++) {
        const struct bias_image *b = &m->images[i];
        if (b->original != (side == ADJUSTED_ORIGINAL) || !(b->original || b->in_set) ||
            histogram_bin(m->sample[i].selected, m->sample[i].shown) != bin) {
            continue;
        }
        double share = 0;
        for (size_t model = 0; model < WORLD_MODELS; model++) {
            share += right[model * m->in.n_images + i] / (double)WORLD_MODELS;
        }
        mean_share_add(&sum, share);
    }
    return mean_share_of(&sum, false);
}

static void look(const struct adjusted_gap *g, const struct bias_made *m, const unsigned char *right, const struct truth *t,
                 struct held by_bin[BINS])
{
    for (uint32_t b = 0; b < BINS; b++) {
        const struct adjusted_bin_line *l = &g->mean.bins[b];
        struct held *h = &by_bin[b];
        for (int side = 0; side < ADJUSTED_SIDES; side++) {
            double truth = t->of[side][b];
            if (!g->bins[b].known[side]) {
                h->silent += t->images[side][b] >= 2 * ADJUSTED_BIN_LEAST;
                continue;
            }
            if (!isfinite(truth)) { /* no image of any such study is in the bin */
                h->empty++;
                continue;
            }
            assert_true(l->at[side].interval && l->at[side].lo < l->at[side].value && l->at[side].value < l->at[side].hi);
            h->n++;
            h->corrected += l->at[side].lo <= truth && truth <= l->at[side].hi;
            h->off += fabs(l->at[side].value - truth);
            h->wide += l->at[side].hi - l->at[side].lo;
            struct proportion seen = as_seen(m, right, side, b);
            bool any = isfinite(seen.value);
            h->seen += any && seen.lo <= truth && truth <= seen.hi;
            h->seen_off += any ? fabs(seen.value - truth) : 0;
            h->seen_wide += any ? seen.hi - seen.lo : 0;
        }
        double gap = t->of[ADJUSTED_ORIGINAL][b] - t->of[ADJUSTED_NEW][b];
        if (g->bins[b].known[ADJUSTED_ORIGINAL] && g->bins[b].known[ADJUSTED_NEW] && isfinite(gap)) {
            h->gaps++;
            h->gaps_held += l->gap.lo <= gap && gap <= l->gap.hi;
        }
    }
}

static void try_seeds(const struct bias_world *w, uint64_t from, uint64_t to, uint64_t step, struct held by_bin[BINS])
{
    struct bias_made m = bias_world_new(w);
    unsigned char *right = xcalloc(WORLD_MODELS * m.in.n_images, 1);
    struct truth t;
    truth_make(&m, w, &t);
    for (uint64_t seed = from; seed <= to; seed += step) {
        struct arena a;
        struct adjusted_gap g;
        struct rng r;
        arena_init(&a, 1 << 28);
        bias_world_make(&m, w, seed, &a);
        rng_stream(&r, seed, 1);
        adjusted_world_answer(&m, &r, right);
        const struct adjusted_input in = adjusted_world_input(&m, right, seed);
        adjusted_gap(&in, &a, &g);
        assert_int_equal(g.silence, ADJUSTED_SPEAKS);
        look(&g, &m, right, &t, by_bin);
        arena_release(&a);
    }
    bias_world_free(&m);
    free(right);
}

static const char *const bin_names[BINS] = {"0 to .2", ".2 to .4", ".4 to .6", ".6 to .8", ".8 to 1"};
static const char *const shape_names[BIAS_SHAPES] = {"beta", "humps", "points", "cut", "skewed"};

static void say_all(struct held by_shape[BIAS_SHAPES][BINS], struct held *all)
{
    for (int b = 0; b < BINS; b++) {
        struct held bin = {.n = 0};
        for (int s = 0; s < BIAS_SHAPES; s++) {
            add(&bin, &by_shape[s][b]);
        }
        say(bin_names[b], &bin);
        add(all, &bin);
    }
    for (int s = 0; s < BIAS_SHAPES; s++) {
        struct held shape = {.n = 0};
        for (int b = 0; b < BINS; b++) {
            add(&shape, &by_shape[s][b]);
        }
        if (shape.n) {
            say(shape_names[s], &shape);
        }
    }
    say("all", all);
}

/* Studies with a review, seeds as they come: odd ones have beta distributed frequencies, even ones two humps, a cut or a
 * steep slope in turn. (Not the four points of bias_world.h: one of them is on an edge.) The cut and the slope end on an
 * edge, beyond which few answers see images that are not there: those bins are counted as empty. */
TEST(truth_of_bins)
{
    static const enum bias_review reviews[] = {REVIEW_BELOW_3, REVIEW_SOFT, REVIEW_PICKY};
    static const enum bias_shape shapes[] = {SHAPE_HUMPS, SHAPE_CUT, SHAPE_SKEWED};
    struct held by_shape[BIAS_SHAPES][BINS] = {{{0}}}, all = {.n = 0};
    uint64_t most = getenv("HOLDOUT_LONG") ? 120 : 48;
    for (uint64_t kind = 0; kind < 3; kind++) {
        struct bias_world w = {.classes = 30, .originals = 20, .candidates = 70, .answers = 10, .workers = 40};
        w.review = reviews[kind];
        try_seeds(&w, 1 + 2 * kind, most, 6, by_shape[SHAPE_BETA]);
        w.shape = shapes[kind];
        try_seeds(&w, 2 + 2 * kind, most, 6, by_shape[w.shape]);
    }
    say_all(by_shape, &all);
    assert_true(all.n >= 5 * most && all.silent <= all.n / 50);
    assert_true(all.corrected >= 0.93 * all.n && all.gaps_held >= 0.93 * all.gaps);
    assert_true(all.seen <= 0.8 * all.n);
    assert_true(all.off <= 0.7 * all.seen_off);
}

/* ---- one study ---- */

enum { CLASSES = 4, EACH = 40, ANSWERS = 400, WORKERS = 40, IMAGES = CLASSES * 2 * EACH };

struct study {
    struct bias_image images[IMAGES];
    struct bias_vote *votes;
    unsigned char right[WORLD_MODELS * IMAGES];
    struct adjusted_input in;
    struct arena arena;
    struct adjusted_gap found;
};

/* As many originals as new images of each class, whose frequencies are in the middles of the bins from `least` on. */
static void study_make(struct study *s, uint32_t answers, uint32_t least)
{
    struct rng r;
    size_t n = 0;
    rng_seed(&r, 5);
    s->votes = xcalloc((size_t)IMAGES * answers, sizeof *s->votes);
    for (uint32_t i = 0; i < IMAGES; i++) {
        uint32_t bin = least + i % (BINS - least), selected = answers * (2 * bin + 1) / (2 * BINS);
        s->images[i] = (struct bias_image){.class_index = i / (2 * EACH), .original = i / EACH % 2 == 0, .in_set = i / EACH % 2};
        for (uint32_t v = 0; v < answers; v++) {
            s->votes[n++] = (struct bias_vote){i, (uint32_t)rng_below(&r, WORKERS), v < selected};
        }
        for (size_t m = 0; m < WORLD_MODELS; m++) {
            s->right[m * IMAGES + i] = rng_unit(&r) < 0.2 + 0.15 * bin;
        }
    }
    s->in = (struct adjusted_input){.images = s->images,
                                    .n_images = IMAGES,
                                    .votes = s->votes,
                                    .n_votes = n,
                                    .n_classes = CLASSES,
                                    .n_workers = WORKERS,
                                    .right = s->right,
                                    .n_models = WORLD_MODELS,
                                    .groups = WORLD_GROUPS,
                                    .resamples = WORLD_RESAMPLES};
    arena_init(&s->arena, 1 << 28);
    adjusted_gap(&s->in, &s->arena, &s->found);
    assert_int_equal(s->found.silence, ADJUSTED_SPEAKS);
}

static void study_free(struct study *s)
{
    arena_release(&s->arena);
    free(s->votes);
}

/* Of a model, counted here. */
static double counted(const struct study *s, size_t model, int side, uint32_t bin)
{
    double n = 0, right = 0;
    for (uint32_t i = 0; i < IMAGES; i++) {
        bool counts = s->images[i].original == (side == ADJUSTED_ORIGINAL) && i % BINS == bin;
        n += counts;
        right += counts && s->right[model * IMAGES + i];
    }
    return right / n;
}

TEST(with_very_many_answers_corrected_is_raw)
{
    struct study *s = xcalloc(1, sizeof *s);
    study_make(s, ANSWERS, 0);
    for (uint32_t b = 0; b < BINS; b++) {
        const struct adjusted_bin *bin = &s->found.bins[b];
        for (int side = 0; side < ADJUSTED_SIDES; side++) {
            assert_int_equal(bin->seen[side], CLASSES * EACH / BINS);
            assert_true(bin->known[side] && fabs(bin->expected[side] - (double)bin->seen[side]) < 0.1);
            for (size_t m = 0; m < WORLD_MODELS; m++) {
                const struct adjusted_bin_line *l = &s->found.lines[m].bins[b];
                double is = counted(s, m, side, b);
                assert_true(fabs(l->seen[side] - is) < 1e-12);
                assert_true(fabs(l->at[side].value - is) < 0.002);
            }
        }
    }
    study_free(s);
    free(s);
}

/* Gaps are differences, means are means; the votes of few people are part of the variance. */
TEST(figures_of_bins_add_up)
{
    struct study *s = xcalloc(1, sizeof *s);
    study_make(s, 10, 0);
    for (uint32_t b = 0; b < BINS; b++) {
        const struct adjusted_bin_line *mean = &s->found.mean.bins[b];
        double sum[ADJUSTED_SIDES] = {0};
        for (size_t m = 0; m < WORLD_MODELS; m++) {
            const struct adjusted_bin_line *l = &s->found.lines[m].bins[b];
            assert_true(l->gap.value == l->at[ADJUSTED_ORIGINAL].value - l->at[ADJUSTED_NEW].value);
            for (int side = 0; side < ADJUSTED_SIDES; side++) {
                assert_true(l->at[side].interval && l->at[side].by_workers > 0 && l->at[side].by_images > 0);
                assert_true(l->at[side].lo >= 0 && l->at[side].hi <= 1);
                sum[side] += l->at[side].value / WORLD_MODELS;
            }
        }
        assert_true(fabs(sum[ADJUSTED_ORIGINAL] - mean->at[ADJUSTED_ORIGINAL].value) < 1e-12);
        assert_true(fabs(sum[ADJUSTED_NEW] - mean->at[ADJUSTED_NEW].value) < 1e-12);
    }
    double expected[ADJUSTED_SIDES] = {0};
    for (uint32_t b = 0; b < BINS; b++) {
        expected[ADJUSTED_ORIGINAL] += s->found.bins[b].expected[ADJUSTED_ORIGINAL];
        expected[ADJUSTED_NEW] += s->found.bins[b].expected[ADJUSTED_NEW];
    }
    assert_true(fabs(expected[ADJUSTED_ORIGINAL] - CLASSES * EACH) < 1e-6 && fabs(expected[ADJUSTED_NEW] - CLASSES * EACH) < 1e-6);
    study_free(s);
    free(s);
}

TEST(a_bin_without_images_says_so)
{
    struct study *s = xcalloc(1, sizeof *s);
    study_make(s, ANSWERS, 2);
    for (uint32_t b = 0; b < BINS; b++) {
        const struct adjusted_bin *bin = &s->found.bins[b];
        for (int side = 0; side < ADJUSTED_SIDES; side++) {
            assert_int_equal(bin->known[side], b >= 2);
            assert_int_equal(bin->seen[side] > 0, b >= 2);
            assert_int_equal(isfinite(s->found.mean.bins[b].seen[side]) != 0, b >= 2);
        }
    }
    study_free(s);
    free(s);
}
