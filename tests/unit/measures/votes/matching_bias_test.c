/* matching_bias_test.c - sets whose images' true frequencies are known: how often the interval of the
 * estimate holds the truth, whatever the frequencies' shape, with a final review and without; for
 * each strategy, for workers who are not alike and classes that are not; and what half of the votes
 * alone would say. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "measures/bias_world.h"
#include "measures/votes/matching_bias.h"

struct held {
    unsigned worlds, estimated, half, raw; /* intervals that hold the truth */
    double off;                            /* mean distance of the estimate from it */
    double wide, oracle;                   /* sums of widths */
};

static bool holds(const struct bias_estimate *e, double truth)
{
    assert_true(e->known && e->interval && e->lo < e->value && e->value < e->hi);
    return e->lo <= truth && truth <= e->hi;
}

static void add(struct held *h, const struct matching_bias *b, double truth)
{
    h->worlds++;
    h->estimated += holds(&b->estimated, truth);
    h->raw += holds(&b->raw, truth);
    h->half += holds(&b->at[0].bias, truth);
    h->off += b->estimated.value - truth;
    h->wide += b->estimated.hi - b->estimated.lo;
}

static void say(const char *what, const struct held *h)
{
    print_message("%s: %u of %u hold the truth, off by %+.4f; half of the votes %u, raw %u; width %.4f, "
                  "knowing the spread %.4f\n",
                  what, h->estimated, h->worlds, h->off / h->worlds, h->half, h->raw, h->wide / h->worlds,
                  h->oracle / h->worlds);
}

/* Adds the seeds from, from + step, ... up to and with `to`. */
static void try_seeds(const struct bias_world *w, uint64_t from, uint64_t to, uint64_t step, struct held *h)
{
    struct bias_made m = bias_world_new(w);
    struct bias_oracle o;
    if (w->review != REVIEW_NONE) {
        bias_oracle_make(w, &o);
    }
    for (uint64_t seed = from; seed <= to; seed += step) {
        struct arena a;
        struct matching_bias b;
        arena_init(&a, 1 << 28);
        bias_world_make(&m, w, seed, &a);
        m.in.groups = 20;
        matching_bias(&m.in, &a, &b);
        assert_int_equal(b.at[0].n, (w->answers + 1) / 2);
        add(h, &b, m.bias);
        if (w->review != REVIEW_NONE) {
            struct interval known = bias_oracle_interval(&o, &m, w);
            h->oracle += known.hi - known.lo;
            assert_true(m.removals > 0 || w->review == REVIEW_NONE);
            assert_int_equal(b.kept, b.images);
        }
        arena_release(&a);
    }
    bias_world_free(&m);
}

/* `make check` tries about a third of the worlds, with the same shares of intervals that must hold the truth;
 * HOLDOUT_LONG=1 (`make nightly`) all of them. */
static bool in_long(void)
{
    return getenv("HOLDOUT_LONG") != NULL;
}

static void assert_share(unsigned held, uint64_t worlds, unsigned least_percent, unsigned most_percent)
{
    assert_in_range(held * UINT64_C(100), worlds * least_percent, worlds * most_percent);
}

/* 100 studies with a final review that sees the images, removes the poor ones, and sees what replaces them until
 * nothing is removed: seeds 1 to 100, taken as they come. Odd seeds have beta distributed frequencies, even ones two
 * humps, four points, a cut or a steep slope in turn; the four reviews take turns as well.
 * The truth is within at least 90 intervals, and these are on average at most 1.5 times as wide as those of somebody
 * who knows how true frequencies are spread in each class, and how the review judges, instead of estimating both: the
 * same sets, the same votes, the exact distribution of each image's true frequency given its votes and that it was
 * kept (bias_oracle_interval). Nobody can do better without more votes. */
static void reviewed_worlds(uint64_t most)
{
    static const enum bias_review reviews[] = {REVIEW_BELOW_3, REVIEW_BELOW_4, REVIEW_SOFT, REVIEW_PICKY};
    static const enum bias_shape shapes[] = {SHAPE_HUMPS, SHAPE_POINTS, SHAPE_CUT, SHAPE_SKEWED};
    struct held betas = {.worlds = 0}, others = {.worlds = 0}, all;
    for (uint64_t kind = 0; kind < 4; kind++) {
        struct bias_world w = {.classes = 30, .originals = 20, .candidates = 70, .answers = 10, .workers = 40};
        w.review = reviews[kind];
        try_seeds(&w, 1 + 2 * kind, most, 8, &betas);
        for (uint64_t turn = 0; turn < 4; turn++) {
            w.shape = shapes[(kind + turn) % 4];
            try_seeds(&w, 2 + 2 * kind + 8 * turn, most, 32, &others);
        }
    }
    say("reviewed, beta", &betas);
    say("reviewed, other shapes", &others);
    all = (struct held){.estimated = betas.estimated + others.estimated,
                        .wide = betas.wide + others.wide,
                        .oracle = betas.oracle + others.oracle};
    assert_int_equal(betas.worlds, most / 2);
    assert_int_equal(others.worlds, most / 2);
    assert_share(betas.estimated, betas.worlds, 88, 100);
    assert_share(others.estimated, others.worlds, 88, 100);
    assert_share(all.estimated, most, 90, 100);
    assert_true(all.wide <= 1.5 * all.oracle);
}

/* The first 32 give each review and each shape its turn; 400 are for whoever changes the estimate. */
TEST(a_hundred_reviewed_worlds)
{
    reviewed_worlds(in_long() ? 100 : 32);
    if (in_long()) {
        reviewed_worlds(400);
    }
}

/* Without a review: originals Beta(2.2, .85), pool Beta(.6, .9), 10 votes, the study's own numbers. The raw averages
 * say there is no bias, and half of the votes say what a noisier design would have: neither interval ever holds the
 * truth. */
TEST(ten_votes_in_a_hundred_seeds)
{
    const struct bias_world w = {30, 20, 70, 10, 40, SAMPLE_MATCHED, 0, 0, 0, SHAPE_BETA, REVIEW_NONE, 0};
    struct held h = {.worlds = 0};
    try_seeds(&w, 1, in_long() ? 100 : 34, 1, &h);
    say("no review", &h);
    assert_share(h.estimated, h.worlds, 90, 100);
    assert_share(h.half, h.worlds, 0, 5);
    assert_share(h.raw, h.worlds, 0, 5);
    assert_true(fabs(h.off / h.worlds) < 0.003);
}

/* Lenient and strict workers, easy and hard classes, few answers, few workers, other strategies, people who err, with
 * and without a review. Of 20 intervals 19 hold the truth on average; fewer than 16 would be a one in 300 chance,
 * of 10 fewer than 8 one in 90. */
TEST(other_worlds)
{
    static const struct bias_world worlds[] = {
        {30, 20, 60, 10, 40, SAMPLE_MATCHED, 0.7, 0, 0, SHAPE_BETA, REVIEW_BELOW_4, 0},
        {30, 20, 60, 10, 40, SAMPLE_MATCHED, 0, 0.7, 0, SHAPE_BETA, REVIEW_SOFT, 0},
        {30, 20, 60, 10, 40, SAMPLE_MATCHED, 0, 0, 0, SHAPE_POINTS, REVIEW_SOFT, 0.5},
        {30, 20, 60, 5, 30, SAMPLE_MATCHED, 0, 0, 0, SHAPE_BETA, REVIEW_NONE, 0},
        {30, 20, 60, 3, 30, SAMPLE_MATCHED, 0, 0, 0, SHAPE_CUT, REVIEW_BELOW_4, 0},
        {30, 20, 60, 10, 8, SAMPLE_MATCHED, 0, 0, 0, SHAPE_HUMPS, REVIEW_BELOW_3, 0},
        {30, 20, 60, 10, 20, SAMPLE_THRESHOLD, 0.3, 0.3, 0, SHAPE_BETA, REVIEW_NONE, 0},
        {30, 20, 60, 10, 20, SAMPLE_TOP, 0.3, 0.3, 0, SHAPE_POINTS, REVIEW_NONE, 0},
        {30, 20, 60, 10, 40, SAMPLE_MATCHED, 0, 0, 0.08, SHAPE_BETA, REVIEW_PICKY, 0},
    };
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        struct held h = {.worlds = 0};
        try_seeds(&worlds[i], 1, in_long() ? 20 : 10, 1, &h);
        say("other", &h);
        assert_share(h.estimated, h.worlds, 80, 100);
    }
}

/* To the last bit, but for what stands between the members. */
static void assert_same_estimate(const struct bias_estimate *a, const struct bias_estimate *b)
{
    assert_memory_equal(&a->value, &b->value, sizeof a->value);
    assert_memory_equal(&a->lo, &b->lo, sizeof a->lo);
    assert_memory_equal(&a->hi, &b->hi, sizeof a->hi);
    assert_int_equal(a->known, b->known);
    assert_int_equal(a->interval, b->interval);
}

TEST(threads_and_order_change_nothing)
{
    const struct bias_world w = {20, 20, 40, 10, 30, SAMPLE_MATCHED, 0.3, 0, 0, SHAPE_BETA, REVIEW_SOFT, 0};
    struct bias_made m = bias_world_new(&w);
    struct matching_bias one, three;
    struct arena a;
    arena_init(&a, 1 << 28);
    bias_world_make(&m, &w, 5, &a);
    matching_bias(&m.in, &a, &one);
    for (size_t i = 0; i < m.in.n_votes / 2; i++) {
        struct bias_vote v = m.votes[i];
        m.votes[i] = m.votes[m.in.n_votes - 1 - i];
        m.votes[m.in.n_votes - 1 - i] = v;
    }
    m.in.threads = 3;
    matching_bias(&m.in, &a, &three);
    assert_same_estimate(&one.estimated, &three.estimated);
    assert_int_equal(one.n_at, 5);
    for (size_t i = 0; i < one.n_at; i++) {
        assert_int_equal(one.at[i].n, 5 + i);
        assert_same_estimate(&one.at[i].bias, &three.at[i].bias);
        assert_true(one.at[i].held_out > 0 && one.at[i].chosen > 0);
        assert_true(one.at[i].held < one.at[i].kept);
        assert_true(fabs(one.at[i].held - one.at[i].original - one.at[i].bias.value) < 1e-12);
    }
    /* Groups of workers instead of each by itself: another interval about the same figure. */
    m.in.groups = 10;
    matching_bias(&m.in, &a, &three);
    assert_int_equal(one.groups, 30);
    assert_int_equal(three.groups, 10);
    assert_true(one.estimated.value == three.estimated.value);
    assert_true(one.estimated.lo != three.estimated.lo);
    arena_release(&a);
    bias_world_free(&m);
}

/* Two classes, worked out by hand: the second has no originals and is not counted. */
TEST(averages_by_hand)
{
    static const struct bias_image images[] = {
        {0, true, false, 0}, {0, false, true, 0}, {0, false, false, 0}, {1, false, true, 0}};
    static const struct bias_vote votes[] = {{0, 0, true},  {0, 1, true},  {1, 0, true},
                                             {1, 1, false}, {2, 0, false}, {2, 1, false},
                                             {3, 0, true},  {3, 1, true}};
    struct bias_input in = {.images = images,
                            .n_images = 4,
                            .votes = votes,
                            .n_votes = 8,
                            .n_classes = 2,
                            .n_workers = 2,
                            .size = 1};
    struct matching_bias b;
    struct arena a;
    arena_init(&a, 1 << 24);
    matching_bias(&in, &a, &b);
    assert_int_equal(b.images, 1);
    assert_int_equal(b.originals, 1);
    assert_int_equal(b.pool, 2);
    assert_int_equal(b.answers, 2);
    assert_int_equal(b.workers, 2);
    assert_true(b.raw_set == 0.5 && b.raw_original == 1 && b.raw.value == -0.5);
    /* Without the first worker -1, without the second 0: variance 1/2 * (1/4 + 1/4), t of one
     * degree 12.7. */
    assert_true(b.raw.interval && fabs(b.raw.hi - (-0.5 + 12.706204736 * 0.5)) < 1e-6);
    assert_int_equal(b.n_at, 1);
    assert_int_equal(b.at[0].n, 1);
    arena_release(&a);
}

TEST(nothing_to_say)
{
    static const struct bias_image images[] = {{0, true, false, 0}, {0, false, true, 0}};
    static const struct bias_vote votes[] = {{0, 3, true}, {1, 3, false}};
    struct bias_input in = {
        .images = images, .n_images = 2, .votes = votes, .n_classes = 1, .n_workers = 5, .size = 1};
    struct matching_bias b;
    struct arena a;
    arena_init(&a, 1 << 24);
    matching_bias(&in, &a, &b); /* no votes */
    assert_false(b.raw.known || b.estimated.known);
    assert_int_equal(b.silence, BIAS_NO_VOTES);
    assert_int_equal(b.groups, 0);
    in.n_votes = 2;
    matching_bias(
        &in, &a,
        &b); /* one worker, one answer each: figures without an interval, nothing to hold out */
    assert_true(b.raw.known && b.raw.value == -1 && !b.raw.interval);
    assert_false(b.estimated.known);
    assert_int_equal(b.silence, BIAS_FEW_ANSWERS);
    assert_int_equal(b.n_at, 0);
    in.n_images = in.n_votes = in.n_classes = 0;
    matching_bias(&in, &a, &b);
    assert_false(b.raw.known);
    arena_release(&a);
}

/* More answers than the table of thinned answers has: they count as many as it has. */
TEST(very_many_answers)
{
    enum { IMAGES = 6, EACH = 1500 };
    struct bias_image images[IMAGES];
    struct bias_vote *votes = xcalloc(IMAGES * EACH, sizeof *votes);
    struct bias_input in = {.images = images,
                            .n_images = IMAGES,
                            .votes = votes,
                            .n_votes = IMAGES * EACH,
                            .n_classes = 1,
                            .n_workers = 10,
                            .size = 2};
    struct matching_bias b;
    struct arena a;
    arena_init(&a, 1 << 24);
    for (uint32_t i = 0; i < IMAGES; i++) {
        images[i] = (struct bias_image){0, i < 2, i >= 4, 0};
        for (uint32_t v = 0; v < EACH; v++) {
            votes[i * EACH + v] = (struct bias_vote){i, v % 10, v % 100 < 10 + 10 * i};
        }
    }
    matching_bias(&in, &a, &b);
    assert_int_equal(b.answers, SPREAD_SHOWN_MOST);
    assert_int_equal(b.n_at, BIAS_DESIGNS_MOST);
    assert_int_equal(b.at[0].n, SPREAD_SHOWN_MOST / 2);
    assert_int_equal(b.at[BIAS_DESIGNS_MOST - 1].n, SPREAD_SHOWN_MOST - 1);
    assert_true(fabs(b.raw.value - (0.55 - 0.15)) < 1e-12);
    assert_true(!b.estimated.known || fabs(b.estimated.value - b.raw.value) < 0.02);
    arena_release(&a);
    free(votes);
}
