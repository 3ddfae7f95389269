/* matching_bias_test.c - sets whose images' true frequencies are known: how often the intervals of
 * the corrected figures hold the truth, for each strategy, for workers who are not alike and
 * classes that are not; and what half of the votes alone would say. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "live/matching_bias.h"

struct world {
    uint32_t classes, originals, candidates, answers, workers; /* images per class */
    enum sample_strategy strategy;
    double leaning; /* standard deviation of workers, on the logit scale */
    double spread;  /* of classes */
    unsigned seeds;
    double erring; /* share of answers that are the opposite of what was meant */
};
struct made {
    struct bias_input in;
    struct bias_image *images;
    struct bias_vote *votes;
    struct sample_image *sample;
    double *truth, *leaning;
    double bias; /* the truth about the set */
};
struct held {
    unsigned held_out, corrected, half, raw; /* intervals that hold the truth */
    double held_out_off, corrected_off;      /* mean distance from it */
};

static double normal(struct rng *r)
{
    double u = 1 - rng_unit(r), v = rng_unit(r);
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

/* Marsaglia and Tsang 2000. */
static double gamma_draw(struct rng *r, double shape)
{
    if (shape < 1) {
        double u = 1 - rng_unit(r);
        return gamma_draw(r, shape + 1) * pow(u, 1 / shape);
    }
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = normal(r), v = 1 + c * x;
        if (v > 0 && log(1 - rng_unit(r)) < x * x / 2 + d - d * v * v * v + 3 * d * log(v)) {
            return d * v * v * v;
        }
    }
}

static double beta_draw(struct rng *r, double a, double b)
{
    double x = gamma_draw(r, a), y = gamma_draw(r, b);
    return x / (x + y);
}

static double shifted(double p, double by)
{
    return by == 0 ? p : 1 / (1 + exp(-(log((p + 1e-9) / (1 - p + 1e-9)) + by)));
}

/* What many workers would say about it: the mean over their leanings. */
static double said_by_many(double p, double leaning)
{
    double sum = 0, weight = 0;
    for (int i = -20; i <= 20 && leaning > 0; i++) {
        double x = i / 5.0, w = exp(-x * x / 2);
        sum += w * shifted(p, leaning * x);
        weight += w;
    }
    return leaning > 0 ? sum / weight : p;
}

static void vote(struct made *m, const struct world *w, uint32_t image, double p, struct rng *r)
{
    for (uint32_t i = 0; i < w->answers; i++) {
        uint32_t worker = (uint32_t)rng_below(r, w->workers);
        bool selected = rng_unit(r) < shifted(p, m->leaning[worker]);
        m->votes[m->in.n_votes++] = (struct bias_vote){image, worker, selected};
        m->sample[image].shown++;
        m->sample[image].selected += selected;
    }
}

static void make_images(struct made *m, const struct world *w, struct rng *r)
{
    for (uint32_t i = 0; i < w->workers; i++) {
        m->leaning[i] = w->leaning > 0 ? w->leaning * normal(r) : 0;
    }
    uint32_t image = 0;
    m->in.n_votes = 0;
    for (uint32_t c = 0; c < w->classes; c++) {
        double off = w->spread > 0 ? w->spread * normal(r) : 0;
        for (uint32_t i = 0; i < w->originals + w->candidates; i++, image++) {
            bool original = i < w->originals;
            double p = original ? beta_draw(r, 2.2, 0.85) : beta_draw(r, 0.6, 0.9);
            p = w->erring + (1 - 2 * w->erring) * shifted(p, off);
            m->truth[image] = said_by_many(p, w->leaning);
            m->images[image] = (struct bias_image){.class_index = c, .original = original};
            m->sample[image] = (struct sample_image){.image = image,
                                                     .class_index = c,
                                                     .rank = image,
                                                     .original = original,
                                                     .keyword = SAMPLE_UNKNOWN};
            vote(m, w, image, p, r);
        }
    }
}

/* Samples the set as the program does, by the votes. */
static void choose_set(struct made *m, const struct world *w, uint64_t seed, struct arena *a)
{
    struct sample_rules rules = sample_rules_usual(w->strategy);
    struct sample_input in = {m->sample, m->in.n_images, w->classes, NULL};
    struct sample_plan plan;
    struct sample_pick *picks;
    struct err err = {0};
    size_t n;
    rules.seed = seed;
    rules.answers_least = rules.original_answers_least = w->answers;
    assert_int_equal(sample_plan(&in, &rules, a, &plan, &err), OK);
    sample_draw(&plan, &in, a, &picks, &n);
    /* Every class with the weight that it has in the set: originals of one that fell short count
     * less. */
    double *of_class = arena_calloc(a, w->classes, sizeof *of_class);
    for (size_t i = 0; i < m->in.n_images; i++) {
        of_class[m->images[i].class_index] +=
            m->images[i].original ? m->truth[i] / w->originals : 0;
    }
    m->bias = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t image = picks[i].index;
        m->images[image].in_set = true;
        m->bias += (m->truth[image] - of_class[m->images[image].class_index]) / (double)n;
    }
    m->in.threshold = rules.threshold;
    m->in.size = rules.size;
}

static struct made world_new(const struct world *w)
{
    size_t n = (size_t)w->classes * (w->originals + w->candidates);
    struct made m = {.images = xcalloc(n, sizeof *m.images),
                     .votes = xcalloc(n * w->answers, sizeof *m.votes),
                     .sample = xcalloc(n, sizeof *m.sample),
                     .truth = xcalloc(n, sizeof *m.truth),
                     .leaning = xcalloc(w->workers, sizeof *m.leaning)};
    m.in = (struct bias_input){.images = m.images,
                               .n_images = n,
                               .votes = m.votes,
                               .n_classes = w->classes,
                               .n_workers = w->workers,
                               .strategy = w->strategy};
    return m;
}

static void world_free(struct made *m)
{
    free(m->images);
    free(m->votes);
    free(m->sample);
    free(m->truth);
    free(m->leaning);
}

static void make(struct made *m, const struct world *w, uint64_t seed, struct arena *a)
{
    struct rng r;
    rng_seed(&r, seed);
    make_images(m, w, &r);
    choose_set(m, w, seed, a);
    m->in.seed = seed;
}

static bool holds(const struct bias_estimate *e, double truth)
{
    assert_true(e->known && e->interval && e->lo < e->value && e->value < e->hi);
    return e->lo <= truth && truth <= e->hi;
}

static struct held try(const struct world *w)
{
    struct made m = world_new(w);
    struct held out = {0};
    for (uint64_t seed = 1; seed <= w->seeds; seed++) {
        struct arena a;
        struct matching_bias b;
        arena_init(&a, 1 << 28);
        make(&m, w, seed, &a);
        matching_bias(&m.in, &a, &b);
        out.held_out += holds(&b.held_out, m.bias);
        out.corrected += holds(&b.corrected, m.bias);
        out.raw += holds(&b.raw, m.bias);
        assert_int_equal(b.at[0].n, (w->answers + 1) / 2);
        out.half += holds(&b.at[0].bias, m.bias);
        out.held_out_off += (b.held_out.value - m.bias) / w->seeds;
        out.corrected_off += (b.corrected.value - m.bias) / w->seeds;
        arena_release(&a);
    }
    world_free(&m);
    print_message(
        "%u seeds: held out %u (off by %.4f), corrected %u (%.4f); half of the votes %u, raw %u\n",
        w->seeds, out.held_out, out.held_out_off, out.corrected, out.corrected_off, out.half,
        out.raw);
    return out;
}

/* The world of the study's own numbers: originals Beta(2.2, .85), pool Beta(.6, .9), 10 votes. The
 * truth is within both corrected intervals in at least 90 of 100 seeds. The raw averages say there
 * is no bias, and half of the votes say what a noisier design would have: neither interval ever
 * holds it. */
static void ten_votes_in_a_hundred_seeds(void **state)
{
    const struct world w = {40, 30, 150, 10, 40, SAMPLE_MATCHED, 0, 0, 100, 0};
    (void)state;
    struct held h = try(&w);
    assert_in_range(h.held_out, 90, 100);
    assert_in_range(h.corrected, 90, 100);
    assert_in_range(h.half, 0, 5);
    assert_in_range(h.raw, 0, 5);
    assert_true(fabs(h.held_out_off) < 0.003 && fabs(h.corrected_off) < 0.003);
}

/* Lenient and strict workers, easy and hard classes, few answers, few workers, other strategies. Of
 * 40 intervals 38 hold the truth on average; fewer than 34 would be a one in a hundred chance. */
static void other_worlds(void **state)
{
    static const struct world worlds[] = {
        {40, 30, 100, 10, 40, SAMPLE_MATCHED, 0.7, 0, 40, 0},
        {40, 30, 100, 10, 40, SAMPLE_MATCHED, 0, 0.7, 40, 0},
        {40, 30, 100, 5, 30, SAMPLE_MATCHED, 0, 0, 40, 0},
        {40, 30, 100, 10, 8, SAMPLE_MATCHED, 0, 0, 40, 0},
        {30, 20, 60, 10, 20, SAMPLE_THRESHOLD, 0.3, 0.3, 40, 0},
        {30, 20, 60, 10, 20, SAMPLE_TOP, 0.3, 0.3, 40, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        struct held h = try(&worlds[i]);
        assert_in_range(h.held_out, 34, 40);
        assert_in_range(h.corrected, 34, 40);
    }
}

/* Where people err, no true frequency is near 0 or 1, and none is beta distributed: answers that
 * were held out do not care. */
static void people_err(void **state)
{
    const struct world w = {.classes = 40,
                            .originals = 30,
                            .candidates = 100,
                            .answers = 10,
                            .workers = 40,
                            .strategy = SAMPLE_MATCHED,
                            .seeds = 40,
                            .erring = 0.08};
    (void)state;
    assert_in_range(try(&w).held_out, 34, 40);
}

static void threads_and_order_change_nothing(void **state)
{
    const struct world w = {20, 20, 40, 10, 30, SAMPLE_MATCHED, 0.3, 0, 1, 0};
    struct made m = world_new(&w);
    struct matching_bias one, three;
    struct arena a;
    (void)state;
    arena_init(&a, 1 << 28);
    make(&m, &w, 5, &a);
    matching_bias(&m.in, &a, &one);
    for (size_t i = 0; i < m.in.n_votes / 2; i++) {
        struct bias_vote v = m.votes[i];
        m.votes[i] = m.votes[m.in.n_votes - 1 - i];
        m.votes[m.in.n_votes - 1 - i] = v;
    }
    m.in.threads = 3;
    matching_bias(&m.in, &a, &three);
    assert_memory_equal(&one.held_out, &three.held_out, sizeof one.held_out);
    assert_memory_equal(&one.corrected, &three.corrected, sizeof one.corrected);
    assert_int_equal(one.n_at, 5);
    for (size_t i = 0; i < one.n_at; i++) {
        assert_int_equal(one.at[i].n, 5 + i);
        assert_memory_equal(&one.at[i].bias, &three.at[i].bias, sizeof one.at[i].bias);
        assert_true(one.at[i].held_out > 0);
    }
    /* Groups of workers instead of each by itself: another interval about the same figure. */
    m.in.groups = 10;
    matching_bias(&m.in, &a, &three);
    assert_int_equal(one.groups, 30);
    assert_int_equal(three.groups, 10);
    assert_true(one.corrected.value == three.corrected.value);
    assert_true(one.corrected.lo != three.corrected.lo);
    arena_release(&a);
    world_free(&m);
}

/* Two classes, worked out by hand: the second has no originals and is not counted. */
static void averages_by_hand(void **state)
{
    static const struct bias_image images[] = {
        {0, true, false}, {0, false, true}, {0, false, false}, {1, false, true}};
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
    (void)state;
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

static void nothing_to_say(void **state)
{
    static const struct bias_image images[] = {{0, true, false}, {0, false, true}};
    static const struct bias_vote votes[] = {{0, 3, true}, {1, 3, false}};
    struct bias_input in = {
        .images = images, .n_images = 2, .votes = votes, .n_classes = 1, .n_workers = 5, .size = 1};
    struct matching_bias b;
    struct arena a;
    (void)state;
    arena_init(&a, 1 << 24);
    matching_bias(&in, &a, &b); /* no votes */
    assert_false(b.raw.known || b.held_out.known || b.corrected.known);
    assert_int_equal(b.groups, 0);
    in.n_votes = 2;
    matching_bias(
        &in, &a,
        &b); /* one worker, one answer each: figures without an interval, nothing to hold out */
    assert_true(b.raw.known && b.raw.value == -1 && !b.raw.interval);
    assert_true(b.corrected.known && !b.corrected.interval);
    assert_false(b.held_out.known);
    assert_int_equal(b.n_at, 0);
    in.n_images = in.n_votes = in.n_classes = 0;
    matching_bias(&in, &a, &b);
    assert_false(b.raw.known);
    arena_release(&a);
}

/* More answers than the table of thinned answers has: they count as many as it has. */
static void very_many_answers(void **state)
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
    (void)state;
    arena_init(&a, 1 << 24);
    for (uint32_t i = 0; i < IMAGES; i++) {
        images[i] = (struct bias_image){0, i < 2, i >= 4};
        for (uint32_t v = 0; v < EACH; v++) {
            votes[i * EACH + v] = (struct bias_vote){i, v % 10, v % 100 < 10 + 10 * i};
        }
    }
    matching_bias(&in, &a, &b);
    assert_int_equal(b.answers, BETA_SHOWN_MOST);
    assert_int_equal(b.n_at, BIAS_DESIGNS_MOST);
    assert_int_equal(b.at[0].n, BETA_SHOWN_MOST / 2);
    assert_int_equal(b.at[BIAS_DESIGNS_MOST - 1].n, BETA_SHOWN_MOST - 1);
    assert_true(fabs(b.raw.value - (0.55 - 0.15)) < 1e-12);
    assert_true(fabs(b.corrected.value - b.raw.value) < 0.02);
    arena_release(&a);
    free(votes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_votes_in_a_hundred_seeds),
        cmocka_unit_test(other_worlds),
        cmocka_unit_test(people_err),
        cmocka_unit_test(threads_and_order_change_nothing),
        cmocka_unit_test(averages_by_hand),
        cmocka_unit_test(nothing_to_say),
        cmocka_unit_test(very_many_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
