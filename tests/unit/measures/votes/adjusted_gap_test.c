/* adjusted_gap_test.c - studies whose images' true frequencies and whose models' chances are known: how often the interval
 * of the adjusted gap holds the truth, whatever the frequencies' shape, with a final review and after a re-measurement;
 * and what it does with little to go by. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "measures/adjusted_world.h"

enum { ORACLE_BINS = 24, ORACLE_WORLDS = 8 };

/* ---- who knows the true frequencies ---- */

/* The ratio of the densities of originals and set, by true frequency on the angle's scale, from worlds of their own. */
struct oracle {
    double ratio[ORACLE_BINS];
};

static unsigned bin_of(double s)
{
    unsigned b = (unsigned)(ORACLE_BINS * asin(sqrt(s)) / acos(0));
    return b < ORACLE_BINS ? b : ORACLE_BINS - 1;
}

static void oracle_make(struct bias_made *m, const struct bias_world *w, struct oracle *out)
{
    double n[2][ORACLE_BINS] = {{0}}, all[2] = {0};
    for (uint64_t seed = 0; seed < ORACLE_WORLDS; seed++) {
        struct arena a;
        arena_init(&a, 1 << 28);
        bias_world_make(m, w, 1000000 + seed, &a);
        for (size_t i = 0; i < m->in.n_images; i++) {
            const struct bias_image *b = &m->images[i];
            n[b->original][bin_of(m->truth[i])] += b->original || b->in_set;
            all[b->original] += b->original || b->in_set;
        }
        arena_release(&a);
    }
    for (int b = 0; b < ORACLE_BINS; b++) {
        out->ratio[b] = n[0][b] > 0 ? (n[1][b] / all[1]) / (n[0][b] / all[0]) : 0;
    }
}

/* Width of the 95 % interval of the mean gap of somebody who knows every image's true frequency and how they are spread:
 * each new image weighs as much as the ratio at its own. What images were drawn is all that is left to chance. */
static double oracle_width(const struct oracle *o, const struct bias_made *m, const unsigned char *right)
{
    double sum[2] = {0}, weight[2] = {0}, squares[2] = {0}, variance = 0;
    size_t n = m->in.n_images;
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < n; i++) {
            const struct bias_image *b = &m->images[i];
            double w = b->original ? 1 : b->in_set ? o->ratio[bin_of(m->truth[i])] : 0, share = 0;
            for (size_t model = 0; model < WORLD_MODELS; model++) {
                share += right[model * n + i] / (double)WORLD_MODELS;
            }
            if (turn == 0) {
                sum[b->original] += w * share;
                weight[b->original] += w;
            } else {
                double off = w * (share - sum[b->original] / weight[b->original]) / weight[b->original];
                squares[b->original] += off * off;
            }
        }
    }
    variance = squares[0] + squares[1];
    return 2 * 1.96 * sqrt(variance);
}

/* ---- a hundred worlds ---- */

struct held {
    unsigned worlds, adjusted, raw, warned; /* intervals that hold the truth */
    double off, raw_off;                    /* sums of distances from it */
    double wide, oracle;                    /* sums of widths */
};

static void add(struct held *to, const struct held *h)
{
    to->worlds += h->worlds;
    to->adjusted += h->adjusted;
    to->raw += h->raw;
    to->warned += h->warned;
    to->off += h->off;
    to->raw_off += h->raw_off;
    to->wide += h->wide;
    to->oracle += h->oracle;
}

static void say(const char *what, const struct held *h)
{
    print_message("%s: %u of %u hold the truth, off by %+.4f; raw %u, off by %+.4f; width %.4f, knowing frequencies %.4f "
                  "(%.2f); %u warnings\n",
                  what, h->adjusted, h->worlds, h->off / h->worlds, h->raw, h->raw_off / h->worlds, h->wide / h->worlds,
                  h->oracle / h->worlds, h->wide / h->oracle, h->warned);
}

static void look(const struct adjusted_gap *g, double truth, double oracle, struct held *h)
{
    const struct adjusted_estimate *e = &g->mean.gap, *raw = &g->mean.raw;
    assert_int_equal(g->silence, ADJUSTED_SPEAKS);
    assert_true(e->interval && raw->interval && e->lo < e->value && e->value < e->hi);
    h->worlds++;
    h->adjusted += e->lo <= truth && truth <= e->hi;
    h->raw += raw->lo <= truth && truth <= raw->hi;
    h->off += e->value - truth;
    h->raw_off += raw->value - truth;
    h->wide += e->hi - e->lo;
    h->oracle += oracle;
    h->warned += adjusted_gap_warning(g) != NULL;
}

/* Adds the seeds from, from + step, ... up to and with `to`. */
static void try_seeds(const struct bias_world *w, uint64_t from, uint64_t to, uint64_t step, bool again, struct held *h)
{
    struct bias_made m = bias_world_new(w);
    unsigned char *right = xcalloc(WORLD_MODELS * m.in.n_images, 1);
    double truth = bias_world_mean(w, adjusted_world_left);
    struct oracle o;
    oracle_make(&m, w, &o);
    for (uint64_t seed = from; seed <= to; seed += step) {
        struct arena a;
        struct adjusted_gap g;
        struct rng r;
        arena_init(&a, 1 << 28);
        bias_world_make(&m, w, seed, &a);
        rng_stream(&r, seed, 1);
        adjusted_world_answer(&m, &r, right);
        if (again) {
            adjusted_world_again(&m, w, &r);
        }
        const struct adjusted_input in = adjusted_world_input(&m, right, seed);
        adjusted_gap(&in, &a, &g);
        look(&g, truth, oracle_width(&o, &m, right), h);
        arena_release(&a);
    }
    bias_world_free(&m);
    free(right);
}

/* The reviewed studies of matching_bias_test.c, with the same seeds 1 to `most` taken as they come: odd ones have beta
 * distributed frequencies, even ones two humps, four points, a cut or a steep slope in turn. */
static void reviewed_worlds(const char *what, bool again, uint64_t most)
{
    static const enum bias_review reviews[] = {REVIEW_BELOW_3, REVIEW_BELOW_4, REVIEW_SOFT, REVIEW_PICKY};
    static const enum bias_shape shapes[] = {SHAPE_HUMPS, SHAPE_POINTS, SHAPE_CUT, SHAPE_SKEWED};
    static const char *const names[] = {"beta", "humps", "points", "cut", "skewed"};
    struct held by[BIAS_SHAPES] = {{0}}, all = {.worlds = 0};
    for (uint64_t kind = 0; kind < 4; kind++) {
        struct bias_world w = {.classes = 30, .originals = 20, .candidates = 70, .answers = 10, .workers = 40};
        w.review = reviews[kind];
        try_seeds(&w, 1 + 2 * kind, most, 8, again, &by[SHAPE_BETA]);
        for (uint64_t turn = 0; turn < 4; turn++) {
            w.shape = shapes[(kind + turn) % 4];
            try_seeds(&w, 2 + 2 * kind + 8 * turn, most, 32, again, &by[w.shape]);
        }
    }
    print_message("%s\n", what);
    for (int s = 0; s < BIAS_SHAPES; s++) {
        say(names[s], &by[s]);
        add(&all, &by[s]);
    }
    say("all", &all);
    assert_int_equal(by[SHAPE_BETA].worlds, most / 2);
    assert_int_equal(all.worlds, most);
    assert_true(all.adjusted * 100 >= most * 90);
    assert_true(all.wide <= 1.5 * all.oracle);
}

/* The truth is within at least 90 of 100 intervals, which are on average at most 1.5 times as wide as those of somebody who
 * knows all true frequencies (oracle_width). */
TEST(a_hundred_reviewed_worlds)
{
    reviewed_worlds("by the votes that chose the set", false, 100);
}

/* The first 32 give each review and each shape its turn. */
TEST(measured_again)
{
    reviewed_worlds("measured again", true, getenv("HOLDOUT_LONG") ? 100 : 32);
}

/* ---- one study ---- */

struct study {
    struct bias_made m;
    unsigned char *right;
    struct arena arena;
    struct adjusted_input in;
};

static void study_make(struct study *s)
{
    const struct bias_world w = {.classes = 12, .originals = 20, .candidates = 40, .answers = 6, .workers = 30,
                                 .review = REVIEW_SOFT};
    struct rng r;
    s->m = bias_world_new(&w);
    s->right = xcalloc(WORLD_MODELS * s->m.in.n_images, 1);
    arena_init(&s->arena, 1 << 28);
    bias_world_make(&s->m, &w, 3, &s->arena);
    rng_seed(&r, 3);
    adjusted_world_answer(&s->m, &r, s->right);
    s->in = adjusted_world_input(&s->m, s->right, 9);
}

static void study_free(struct study *s)
{
    arena_release(&s->arena);
    bias_world_free(&s->m);
    free(s->right);
}

static void assert_same(const struct adjusted_line *a, const struct adjusted_line *b)
{
    assert_true(a->original == b->original && a->fresh == b->fresh && a->adjusted == b->adjusted);
    assert_true(a->gap.lo == b->gap.lo && a->gap.hi == b->gap.hi && a->raw.lo == b->raw.lo && a->raw.hi == b->raw.hi);
    assert_true(a->gap.by_workers == b->gap.by_workers && a->gap.by_images == b->gap.by_images);
    for (int i = 0; i < HISTOGRAM_BINS; i++) {
        assert_true(a->bins[i].gap.value == b->bins[i].gap.value && a->bins[i].gap.lo == b->bins[i].gap.lo);
    }
}

TEST(threads_change_nothing_and_seeds_the_interval_alone)
{
    struct study s;
    struct adjusted_gap one, three, other;
    study_make(&s);
    adjusted_gap(&s.in, &s.arena, &one);
    s.in.threads = 3;
    adjusted_gap(&s.in, &s.arena, &three);
    s.in.seed++;
    adjusted_gap(&s.in, &s.arena, &other);
    for (size_t i = 0; i < WORLD_MODELS; i++) {
        assert_same(&one.lines[i], &three.lines[i]);
        assert_true(one.lines[i].adjusted == other.lines[i].adjusted && one.lines[i].gap.lo != other.lines[i].gap.lo);
    }
    assert_same(&one.mean, &three.mean);
    assert_int_equal(one.groups, WORLD_GROUPS);
    assert_int_equal(one.resamples, WORLD_RESAMPLES);
    study_free(&s);
}

/* Of the first model on the set: classes weigh the same, for each has as many originals. */
static double fresh_by_class(const struct study *s)
{
    double sum = 0;
    for (uint32_t c = 0; c < s->in.n_classes; c++) {
        double n = 0, right = 0;
        for (size_t i = 0; i < s->in.n_images; i++) {
            bool counts = s->in.images[i].in_set && s->in.images[i].class_index == c;
            n += counts;
            right += counts && s->right[i];
        }
        sum += right / n / s->in.n_classes;
    }
    return sum;
}

/* Accuracies against counting, densities and weights against what they are. */
TEST(figures_add_up)
{
    struct study s;
    struct adjusted_gap g;
    double sum[2] = {0}, overlap = 0, mean = 0;
    size_t n[2] = {0}, right[2] = {0};
    study_make(&s);
    adjusted_gap(&s.in, &s.arena, &g);
    for (size_t i = 0; i < s.in.n_images; i++) {
        const struct bias_image *b = &s.in.images[i];
        if (b->original || b->in_set) {
            n[b->original]++;
            right[b->original] += s.right[i];
        }
    }
    assert_int_equal(g.images, n[0]);
    assert_int_equal(g.originals, n[1]);
    assert_int_equal(g.measured, n[1]);
    assert_int_equal(g.unanswered, 0);
    assert_true(fabs(g.lines[0].original - (double)right[1] / (double)n[1]) < 1e-12);
    assert_true(fabs(g.lines[0].fresh - fresh_by_class(&s)) < 1e-12);
    for (unsigned j = 0; j < g.points; j++) {
        sum[0] += g.p_new[j];
        sum[1] += g.p_original[j];
        overlap += fmin(g.p_new[j], g.p_original[j]);
    }
    assert_true(fabs(sum[0] - 1) < 1e-9 && fabs(sum[1] - 1) < 1e-9 && fabs(overlap - g.overlap) < 1e-12);
    assert_true(g.effective > 1 && g.effective <= (double)g.images + 1e-9);
    for (size_t i = 0; i < WORLD_MODELS; i++) {
        const struct adjusted_line *l = &g.lines[i];
        assert_true(l->gap.value == l->original - l->adjusted && l->raw.value == l->original - l->fresh);
        assert_true(l->raw.by_workers == 0 && l->gap.by_workers > 0 && l->gap.by_images > 0);
        mean += l->adjusted / WORLD_MODELS;
    }
    assert_true(fabs(mean - g.mean.adjusted) < 1e-12);
    study_free(&s);
}

/* Models that are right, or wrong, about everything: weights cannot move that. */
TEST(weights_cannot_move_what_is_constant)
{
    struct study s;
    struct adjusted_gap g;
    study_make(&s);
    memset(s.right, 1, s.in.n_images);
    memset(s.right + s.in.n_images, 0, s.in.n_images);
    adjusted_gap(&s.in, &s.arena, &g);
    assert_true(fabs(g.lines[0].adjusted - 1) < 1e-12 && fabs(g.lines[0].gap.value) < 1e-12);
    assert_true(fabs(g.lines[1].adjusted) < 1e-12 && !g.lines[1].raw.interval);
    study_free(&s);
}

/* No original with a high frequency, no new image with a low one. */
TEST(sets_that_hardly_overlap_are_named)
{
    struct study s;
    struct adjusted_gap g;
    study_make(&s);
    adjusted_gap(&s.in, &s.arena, &g);
    assert_null(adjusted_gap_warning(&g));
    for (size_t i = 0; i < s.in.n_votes; i++) {
        struct bias_vote *v = &s.m.votes[i];
        const struct bias_image *b = &s.m.images[v->image];
        v->selected = b->original ? i % 10 < 2 : i % 10 < 9;
    }
    adjusted_gap(&s.in, &s.arena, &g);
    assert_int_equal(g.silence, ADJUSTED_SPEAKS);
    assert_true(g.overlap < 0.2);
    assert_non_null(adjusted_gap_warning(&g));
    study_free(&s);
}

TEST(nothing_to_say)
{
    struct study s;
    struct adjusted_gap g;
    study_make(&s);
    s.in.n_models = 0;
    adjusted_gap(&s.in, &s.arena, &g);
    assert_int_equal(g.silence, ADJUSTED_NO_MODELS);
    s.in.n_models = WORLD_MODELS;
    size_t votes = s.in.n_votes;
    s.in.n_votes = 0;
    adjusted_gap(&s.in, &s.arena, &g);
    assert_int_equal(g.silence, ADJUSTED_NO_VOTES);
    assert_null(adjusted_gap_warning(&g));
    for (size_t i = 0; i < votes; i += 6) { /* the first of each image's six */
        s.m.votes[s.in.n_votes++] = s.m.votes[i];
    }
    adjusted_gap(&s.in, &s.arena, &g);
    assert_int_equal(g.silence, ADJUSTED_FEW_ANSWERS);
    study_free(&s);
}
