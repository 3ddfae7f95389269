/* sampling_test.c - plans and draws by hand: every reason, bins, carry-over, upward sampling, ties of
 * the best, what may not be asked for, the order of draws. */
#include "unit.h"

#include <string.h>

#include "domain/sampling/sampling.h"

enum { MOST = 200 };

/* A small pool of two classes. */
struct pool {
    struct arena a;
    struct sample_image images[MOST];
    struct sample_input in;
    struct sample_rules rules;
    struct sample_plan plan;
};

static void pool_init(struct pool *p, enum sample_strategy s, uint32_t size)
{
    *p = (struct pool){.rules = sample_rules_usual(s)};
    p->in = (struct sample_input){.images = p->images, .n_classes = 2};
    p->rules.size = size;
    p->rules.originals_least = 1;
    arena_init(&p->a, 1 << 20);
}

/* n candidates of ten answers; ranks rise. Returns the first. */
static struct sample_image *add(struct pool *p, uint32_t n, uint32_t class_index, uint32_t selected)
{
    struct sample_image *first = &p->images[p->in.n_images];
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = (uint32_t)p->in.n_images++;
        assert_true(i < MOST);
        p->images[i] = (struct sample_image){.image = 100 + i, .rank = i, .class_index = class_index,
                                             .shown = 10, .selected = selected,
                                             .keyword = SAMPLE_UNKNOWN};
    }
    return first;
}

static void add_originals(struct pool *p, uint32_t n, uint32_t class_index, uint32_t selected)
{
    struct sample_image *i = add(p, n, class_index, selected);
    for (uint32_t k = 0; k < n; k++) {
        i[k].original = true;
    }
}

static void plan(struct pool *p)
{
    struct err err = {0};
    if (sample_plan(&p->in, &p->rules, &p->a, &p->plan, &err) != OK) {
        fail_msg("%s", err.msg);
    }
}

/* No image twice, and as many as were planned. */
static size_t draw(struct pool *p, struct sample_pick **picks)
{
    bool seen[MOST] = {false};
    size_t n;
    sample_draw(&p->plan, &p->in, &p->a, picks, &n);
    assert_int_equal(n, p->plan.chosen);
    for (size_t k = 0; k < n; k++) {
        assert_false(seen[(*picks)[k].index]);
        seen[(*picks)[k].index] = true;
    }
    return n;
}

/* Whether an image was drawn. */
static bool drawn(const struct sample_pick *picks, size_t n, uint32_t index)
{
    for (size_t k = 0; k < n; k++) {
        if (picks[k].index == index) {
            return true;
        }
    }
    return false;
}

TEST(reasons)
{
    struct sample_rules t = sample_rules_usual(SAMPLE_THRESHOLD), m = sample_rules_usual(SAMPLE_MATCHED);
    /* Everything that can be wrong is; the first that applies is named, then taken away. */
    struct sample_image i = {.shown = 9, .selected = 0, .blacklisted = true, .near_duplicate = true,
                             .unreviewed = true,
                             .unsearched = true};
    assert_int_equal(sample_reason_of(&t, &i, -1), SAMPLE_BLACKLISTED);
    i.blacklisted = false;
    assert_int_equal(sample_reason_of(&t, &i, -1), SAMPLE_FEW_ASSIGNMENTS);
    i.shown = 10;
    i.selected = 6;
    assert_int_equal(sample_reason_of(&t, &i, -1), SAMPLE_BELOW_THRESHOLD);
    assert_int_equal(sample_reason_of(&m, &i, -1), SAMPLE_NEAR_DUPLICATE);
    assert_int_equal(sample_reason_of(&t, &i, .6), SAMPLE_NEAR_DUPLICATE); /* .6 is at least .6 */
    assert_int_equal(sample_reason_of(&t, &i, 0), SAMPLE_NEAR_DUPLICATE);
    i.selected = 7;
    assert_int_equal(sample_reason_of(&t, &i, -1), SAMPLE_NEAR_DUPLICATE);
    assert_int_equal(sample_reason_of(&t, &i, .71), SAMPLE_BELOW_THRESHOLD);
    i.near_duplicate = false;
    assert_int_equal(sample_reason_of(&t, &i, -1), SAMPLE_UNREVIEWED);
    i.unreviewed = false;
    assert_int_equal(sample_reason_of(&t, &i, -1), SAMPLE_UNSEARCHED);
    i.unsearched = false;
    assert_int_equal(sample_reason_of(&t, &i, -1), SAMPLE_FINE);
    /* Without votes nothing has a frequency, which only a threshold asks for. */
    i.shown = i.selected = 0;
    t.answers_least = m.answers_least = 0;
    assert_int_equal(sample_reason_of(&t, &i, -1), SAMPLE_BELOW_THRESHOLD);
    assert_int_equal(sample_reason_of(&m, &i, -1), SAMPLE_FINE);
}

TEST(bins)
{
    for (uint32_t k = 0; k <= 10; k++) {
        assert_int_equal(histogram_bin(k, 10), k == 10 ? 4 : k / 2);
    }
    assert_int_equal(histogram_bin(19, 100), 0);
    assert_int_equal(histogram_bin(20, 100), 1);
    assert_int_equal(histogram_bin(UINT32_MAX - 1, UINT32_MAX), 4);
}

/* Targets from the originals, candidates by bin, what was never shown in the lowest. */
TEST(matched_plan)
{
    struct pool p;
    pool_init(&p, SAMPLE_MATCHED, 4);
    add_originals(&p, 2, 0, 10);
    add_originals(&p, 2, 0, 5);
    add_originals(&p, 1, 0, 0);
    p.images[4].shown = 9; /* not measured */
    add_originals(&p, 1, 1, 3);
    add(&p, 3, 0, 9);
    add(&p, 1, 0, 4);
    add(&p, 1, 0, 1)->shown = 2;                      /* 1 of 2: bin 2 */
    struct sample_image *never = add(&p, 1, 0, 0);
    never->shown = 0;
    add(&p, 1, 0, 9)->near_duplicate = true;
    plan(&p);
    const struct sample_cell *cell = p.plan.cells;
    static const uint32_t target[] = {0, 0, 2, 0, 2, 0, 4, 0, 0, 0};
    static const uint32_t available[] = {0, 0, 1, 0, 3, 0, 0, 0, 0, 0};
    for (uint32_t k = 0; k < 10; k++) {
        assert_int_equal(cell[k].class_index, k / 5);
        assert_int_equal(cell[k].bin, k % 5);
        assert_int_equal(cell[k].target, target[k]);
        assert_int_equal(cell[k].available, available[k]);
    }
    assert_int_equal(cell[0].excluded[SAMPLE_FEW_ASSIGNMENTS], 1);
    assert_int_equal(cell[2].excluded[SAMPLE_FEW_ASSIGNMENTS], 1);
    assert_int_equal(cell[4].excluded[SAMPLE_NEAR_DUPLICATE], 1);
    assert_int_equal(cell[2].missing, 1);
    assert_int_equal(cell[4].drawn, 2);
    assert_int_equal(p.plan.classes[0].originals, 4);
    assert_int_equal(p.plan.classes[0].missing, 1);
    assert_int_equal(p.plan.classes[1].missing, 4);
    assert_int_equal(p.plan.wanted, 8);
    assert_int_equal(p.plan.chosen, 3);
    assert_int_equal(p.plan.missing, 5);
    assert_int_equal(p.plan.classes_short, 2);
    assert_false(p.plan.valid);
    arena_release(&p.a);
}

/* A complete set is not valid where a class has too few originals; one without any lacks everything. */
TEST(few_originals)
{
    struct pool p;
    pool_init(&p, SAMPLE_MATCHED, 1);
    add_originals(&p, 19, 0, 10);
    add_originals(&p, 20, 1, 10);
    add(&p, 1, 0, 10);
    add(&p, 1, 1, 10);
    p.rules.originals_least = SAMPLE_ORIGINALS_LEAST;
    plan(&p);
    assert_int_equal(p.plan.missing, 0);
    assert_true(p.plan.classes[0].few_originals);
    assert_false(p.plan.classes[1].few_originals);
    assert_int_equal(p.plan.classes_few_originals, 1);
    assert_false(p.plan.valid);
    p.rules.originals_least = 19;
    plan(&p);
    assert_true(p.plan.valid);
    for (uint32_t k = 0; k < 19; k++) {
        p.images[k].shown = 0;
        p.images[k].selected = 0;
    }
    plan(&p);
    assert_int_equal(p.plan.classes[0].wanted, 1);
    assert_int_equal(p.plan.classes[0].missing, 1);
    arena_release(&p.a);
}

/* What stays of the parent: all that is fine, or as many as there is room for. */
TEST(carry_over)
{
    struct pool p;
    struct sample_pick *picks;
    pool_init(&p, SAMPLE_MATCHED, 4);
    add_originals(&p, 2, 0, 10);
    add_originals(&p, 2, 0, 5);
    add_originals(&p, 1, 1, 10);
    struct sample_image *high = add(&p, 5, 0, 9), *middle = add(&p, 3, 0, 5);
    high[1].in_parent = high[2].in_parent = high[4].in_parent = true;
    middle[0].in_parent = middle[2].in_parent = true;
    middle[2].blacklisted = true;
    plan(&p);
    const struct sample_cell *c = &p.plan.cells[4];
    assert_int_equal(c->target, 2);
    assert_int_equal(c->carried, 2);
    assert_int_equal(c->available, 3); /* one of the parent is no longer in the set, but could be */
    assert_int_equal(c->drawn, 0);
    c = &p.plan.cells[2];
    assert_int_equal(c->carried, 1);
    assert_int_equal(c->drawn, 1);
    assert_int_equal(c->excluded[SAMPLE_BLACKLISTED], 1);
    assert_int_equal(p.plan.carried, 3);
    for (p.plan.rules.seed = 0; p.plan.rules.seed < 20; p.plan.rules.seed++) {
        size_t n = draw(&p, &picks), of_parent = 0;
        for (size_t k = 0; k < n; k++) {
            of_parent += picks[k].carried;
            assert_int_equal(picks[k].carried, p.images[picks[k].index].in_parent);
        }
        assert_int_equal(of_parent, 3);
        assert_false(drawn(picks, n, 5 + 0) || drawn(picks, n, 5 + 3)); /* high[0], high[3] */
        assert_true(drawn(picks, n, 10) && drawn(picks, n, 11));        /* middle[0], middle[1] */
    }
    arena_release(&p.a);
}

/* Bins in rising order, the next higher bin first, never a lower one. */
TEST(upward)
{
    struct pool p;
    struct sample_pick *picks;
    pool_init(&p, SAMPLE_MATCHED, 5);
    add_originals(&p, 2, 0, 0);
    add_originals(&p, 2, 0, 5);
    add_originals(&p, 1, 0, 10);
    add_originals(&p, 1, 1, 10);
    add(&p, 1, 0, 3);            /* bin 1, for bin 0 */
    add(&p, 1, 0, 5);            /* bin 2, its own: one is missing */
    add(&p, 2, 0, 9);            /* bin 4: its own and one more */
    add(&p, 9, 1, 7);            /* bin 3, too low for bin 4 */
    plan(&p);
    assert_int_equal(p.plan.chosen, 2);
    p.rules.upward = true;
    plan(&p);
    static const uint32_t upward[] = {2, 0, 0, 0, 0}, missing[] = {0, 0, 1, 0, 0};
    for (int k = 0; k < HISTOGRAM_BINS; k++) {
        assert_int_equal(p.plan.cells[k].upward, upward[k]);
        assert_int_equal(p.plan.cells[k].missing, missing[k]);
    }
    assert_int_equal(p.plan.upward, 2);
    assert_int_equal(p.plan.classes[0].missing, 1);
    assert_int_equal(p.plan.classes[1].missing, 5);
    size_t n = draw(&p, &picks);
    assert_int_equal(n, 4);
    assert_true(drawn(picks, n, 6)); /* bin 1's */
    for (size_t k = 0; k < n; k++) {
        assert_true(picks[k].from == picks[k].cell || picks[k].cell == 0);
    }
    arena_release(&p.a);
}

/* What a bin of the parent has too much of is taken upward before anything new. */
TEST(upward_prefers_the_parent)
{
    struct pool p;
    struct sample_pick *picks;
    pool_init(&p, SAMPLE_MATCHED, 3);
    p.in.n_classes = 1;
    add_originals(&p, 2, 0, 0);
    add_originals(&p, 1, 0, 10);
    struct sample_image *high = add(&p, 30, 0, 9);
    high[7].in_parent = high[19].in_parent = high[28].in_parent = true;
    p.rules.upward = true;
    plan(&p);
    assert_int_equal(p.plan.cells[4].carried, 1);
    assert_int_equal(p.plan.cells[0].upward, 2);
    assert_true(p.plan.valid);
    for (p.plan.rules.seed = 0; p.plan.rules.seed < 20; p.plan.rules.seed++) {
        size_t n = draw(&p, &picks);
        assert_true(drawn(picks, n, 10) && drawn(picks, n, 22) && drawn(picks, n, 31));
    }
    high[7].in_parent = high[19].in_parent = false;
    plan(&p);
    for (p.plan.rules.seed = 0; p.plan.rules.seed < 20; p.plan.rules.seed++) {
        size_t n = draw(&p, &picks);
        assert_int_equal(n, 3);
        assert_true(drawn(picks, n, 31));
    }
    arena_release(&p.a);
}

TEST(threshold)
{
    struct pool p;
    struct sample_pick *picks;
    const double own[] = {-1, .5};
    pool_init(&p, SAMPLE_THRESHOLD, 3);
    struct sample_image *i = add(&p, 4, 0, 7);
    i[0].in_parent = i[2].in_parent = i[3].in_parent = true;
    i[3].selected = 6;
    add(&p, 2, 1, 5);
    add(&p, 1, 1, 4);
    p.in.thresholds = own;
    plan(&p);
    const struct sample_cell *c = p.plan.cells;
    assert_int_equal(c[0].carried, 2);
    assert_int_equal(c[0].available, 1);
    assert_int_equal(c[0].excluded[SAMPLE_BELOW_THRESHOLD], 1);
    assert_int_equal(c[1].available, 2);
    assert_int_equal(c[1].missing, 1);
    size_t n = draw(&p, &picks);
    assert_int_equal(n, 5);
    assert_true(drawn(picks, n, 0) && drawn(picks, n, 1) && drawn(picks, n, 2));
    p.in.thresholds = NULL;
    plan(&p);
    assert_int_equal(c[1].available, 2); /* the old plan is its own */
    assert_int_equal(p.plan.cells[1].available, 0);
    assert_int_equal(p.plan.cells[1].excluded[SAMPLE_BELOW_THRESHOLD], 3);
    arena_release(&p.a);
}

/* Frequency, answers, parent, name: each settles what those before it leave open. */
TEST(top)
{
    struct pool p;
    struct sample_pick *picks;
    pool_init(&p, SAMPLE_TOP, 5);
    p.in.n_classes = 1;
    static const struct {
        uint32_t selected, shown, rank, place;
        bool in_parent;
    } rows[] = {
        {9, 10, 0, 0, false},  {14, 20, 9, 2, false}, {14, 20, 3, 1, true}, {14, 20, 8, 3, false},
        {7, 10, 99, 5, false}, {21, 30, 1, 4, false}, {1, 10, 98, 5, true},
    };
    /* 21 of 30 are as many as 14 of 20, and more answers: they come second. */
    static const uint32_t places[] = {0, 3, 2, 4, 5, 1, 5};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct sample_image *i = add(&p, 1, 0, rows[k].selected);
        i->shown = rows[k].shown;
        i->rank = rows[k].rank;
        i->in_parent = rows[k].in_parent;
    }
    plan(&p);
    size_t n = draw(&p, &picks);
    assert_int_equal(n, 5);
    for (size_t k = 0; k < n; k++) {
        assert_int_equal(places[picks[k].index], picks[k].place);
    }
    assert_int_equal(p.plan.cells[0].carried, 1);
    assert_int_equal(p.plan.cells[0].available, 6);
    assert_int_equal(p.plan.cells[0].drawn, 4);
    assert_true(p.plan.valid);
    arena_release(&p.a);
}

static void assert_refused(struct pool *p, const char *rule)
{
    struct err err = {0};
    assert_int_equal(sample_plan(&p->in, &p->rules, &p->a, &p->plan, &err), ERR_INPUT);
    assert_string_equal(err.rule, rule);
}

TEST(refusals)
{
    struct pool p;
    double own[] = {-1, 1.5};
    pool_init(&p, SAMPLE_MATCHED, 1);
    add_originals(&p, 1, 0, 10);
    assert_refused(&p, "sample-candidates");
    add(&p, 1, 0, 10);
    p.images[0].shown = 9;
    p.images[0].selected = 9;
    assert_refused(&p, "sample-originals");
    p.rules.strategy = SAMPLE_KEYWORD;
    assert_refused(&p, "sample-originals");
    p.rules.strategy = SAMPLE_THRESHOLD;
    p.in.thresholds = own;
    assert_refused(&p, "sample-threshold");
    p.in.thresholds = NULL;
    p.rules.upward = true;
    assert_refused(&p, "sample-upward");
    p.rules.upward = false;
    p.rules.threshold = 1.0001;
    assert_refused(&p, "sample-threshold");
    p.rules.threshold = -1;
    assert_refused(&p, "sample-threshold");
    p.rules.threshold = 1;
    p.rules.size = 0;
    assert_refused(&p, "sample-size");
    p.rules.size = SAMPLE_SIZE_MOST + 1;
    assert_refused(&p, "sample-size");
    p.rules.size = SAMPLE_SIZE_MOST;
    p.in.n_classes = 50000;
    assert_refused(&p, "sample-size");
    p.in.n_classes = 2;
    plan(&p);
    arena_release(&p.a);
}

/* Worked out by another program from the order that sampling.h gives: one that draws in another order
 * would make other sets of the same seed. */
TEST(order_of_draws)
{
    struct pool p;
    struct sample_pick *picks;
    pool_init(&p, SAMPLE_THRESHOLD, 3);
    add(&p, 8, 0, 10);
    add(&p, 8, 1, 10);
    p.images[3].in_parent = true;
    p.rules.seed = 20181017;
    plan(&p);
    static const uint32_t expected[] = {9, 13, 3, 15, 0, 7};
    size_t n = draw(&p, &picks);
    assert_int_equal(n, 6);
    for (size_t k = 0; k < n; k++) {
        assert_int_equal(picks[k].index, expected[k]);
    }
    arena_release(&p.a);
}

/* What one class has does not move the draws of another. */
TEST(classes_are_drawn_apart)
{
    struct pool p;
    struct sample_pick *picks;
    bool before[MOST] = {false};
    pool_init(&p, SAMPLE_THRESHOLD, 3);
    add(&p, 20, 0, 10);
    add(&p, 20, 1, 10);
    p.rules.seed = 5;
    plan(&p);
    size_t n = draw(&p, &picks);
    for (size_t k = 0; k < n; k++) {
        before[picks[k].index] = true;
    }
    p.images[0].blacklisted = p.images[9].blacklisted = true;
    p.images[4].in_parent = true;
    plan(&p);
    n = draw(&p, &picks);
    for (size_t k = 0; k < n; k++) {
        assert_true(picks[k].index < 20 || before[picks[k].index]);
    }
    arena_release(&p.a);
}

/* Every candidate is as likely as any other. */
TEST(uniform)
{
    struct pool p;
    struct sample_pick *picks;
    uint32_t times[10] = {0};
    pool_init(&p, SAMPLE_THRESHOLD, 3);
    p.in.n_classes = 1;
    add(&p, 10, 0, 10);
    for (p.rules.seed = 0; p.rules.seed < 2000; p.rules.seed++) {
        arena_clear(&p.a);
        plan(&p);
        size_t n = draw(&p, &picks);
        for (size_t k = 0; k < n; k++) {
            times[picks[k].index]++;
        }
    }
    for (int k = 0; k < 10; k++) {
        assert_in_range(times[k], 500, 700); /* 600 +- 5 standard deviations of 20 */
    }
    arena_release(&p.a);
}
