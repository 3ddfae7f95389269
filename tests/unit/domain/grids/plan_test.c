/* plan_test.c - properties of planned grids over many random classes, asked by plan_check.h;
 * plan_hits_test.c asks the study's own HITs the same. */
#include "unit.h"

#include <string.h>

#include "domain/grids/plan.h"
#include "domain/grids/plan_summary.h"
#include "domain/plan_check.h"

enum { CLASSES = 1500, MOST = 400, POOLS = 5 };
enum { OWN = 1, NEAREST = 2 };

/* Ids of each pool begin at its number times this. */
#define STRIDE INT64_C(100000)

struct pools {
    struct plan_image images[POOLS][MOST];
    struct plan_class c;
    struct plan_rules rules;
};

static struct plan_pool *pool_of(struct plan_class *c, int k)
{
    struct plan_pool *const all[POOLS] = {&c->candidates, &c->originals, &c->negatives, &c->gold,
                                          &c->other_gold};
    return all[k];
}

/* `n` images per pool, without contents or answers. */
static void make_pools(struct pools *p, const size_t n[POOLS])
{
    memset(p, 0, sizeof *p);
    p->rules = (struct plan_rules){.answers_per_grid = 10};
    for (int k = 0; k < POOLS; k++) {
        for (size_t i = 0; i < n[k]; i++) {
            p->images[k][i].id = STRIDE * (k + 1) + (int64_t)i;
        }
        *pool_of(&p->c, k) = (struct plan_pool){p->images[k], n[k]};
    }
}

static void random_pools(struct pools *p, struct rng *r)
{
    const size_t n[POOLS] = {
        (size_t)rng_below(r, MOST),
        rng_below(r, 3) ? 50 : (size_t)rng_below(r, 60),
        rng_below(r, 3) ? 50 : (size_t)rng_below(r, 60),
        (size_t)rng_below(r, 6),
        (size_t)rng_below(r, 6),
    };
    bool contents = rng_below(r, 2), answers = rng_below(r, 2);
    make_pools(p, n);
    for (int k = 0; k < POOLS; k++) {
        for (size_t i = 0; i < n[k]; i++) {
            p->images[k][i].content = contents ? (int64_t)rng_below(r, 300) : 0;
            p->images[k][i].answers = answers ? (uint32_t)rng_below(r, 25) : 0;
        }
    }
    p->rules.answers_per_grid = rng_below(r, 2) ? 10 : 1 + (uint32_t)rng_below(r, 20);
    p->rules.gold_per_grid = rng_below(r, 2) ? 0 : (unsigned)rng_below(r, 7);
    p->rules.coverage = rng_below(r, 4) ? 20 : (size_t)rng_below(r, 40);
}

static const struct plan_image *image_of(const struct pools *p, int64_t id)
{
    return &p->images[id / STRIDE - 1][id % STRIDE];
}

/* As plan_check.h wants it: pools 0, 1 and 3 are the class's own. */
static struct checked_grid to_check(const struct pools *p, const struct plan_grid *g)
{
    struct checked_grid out = {.class_id = OWN, .nearest = NEAREST, .n = g->n};
    for (unsigned i = 0; i < g->n; i++) {
        int64_t pool = g->image[i] / STRIDE - 1;
        out.cell[i] = (struct checked_cell){g->image[i], image_of(p, g->image[i])->content,
                                            pool == 2 || pool == 4 ? NEAREST : OWN, g->role[i]};
    }
    return out;
}

/* What the plan makes of every image: [pool][place] -> cells that show it under the class. */
struct shown {
    unsigned times[POOLS][MOST];
};

static void count_shown(const struct plan_grid *grids, size_t n, struct shown *out)
{
    memset(out, 0, sizeof *out);
    for (size_t g = 0; g < n; g++) {
        for (unsigned i = 0; i < grids[g].n; i++) {
            out->times[grids[g].image[i] / STRIDE - 1][grids[g].image[i] % STRIDE]++;
        }
    }
}

static size_t covered(const struct pools *p, const struct shown *s)
{
    size_t n = 0;
    for (size_t i = 0; i < p->c.originals.n; i++) {
        n += p->images[1][i].answers + s->times[1][i] * p->rules.answers_per_grid >= PLAN_COVERED;
    }
    return n;
}

/* Ordinary grids come first; each candidate that needs answers is on one of them, no other is. */
static void check_candidates(const struct pools *p, const struct plan_grid *grids, size_t n)
{
    size_t ordinary = 0;
    struct shown s;
    while (ordinary < n && !grids[ordinary].special) {
        ordinary++;
    }
    for (size_t g = ordinary; g < n; g++) {
        assert_true(grids[g].special);
    }
    count_shown(grids, ordinary, &s);
    for (size_t i = 0; i < p->c.candidates.n; i++) {
        if (p->images[0][i].answers < p->rules.answers_per_grid) {
            assert_true(s.times[0][i] >= 1);
        } else {
            assert_int_equal(s.times[0][i], 0);
        }
    }
}

static void check_plan(const struct pools *p, const struct plan_grid *grids, size_t n)
{
    struct shown s;
    bool enough = p->c.originals.n >= 50 && p->c.negatives.n >= 50;
    for (size_t g = 0; g < n; g++) {
        struct checked_grid c = to_check(p, &grids[g]);
        const char *fault = plan_cells_fault(&c);
        bool same_content = c.n && c.cell[0].content;
        if (!fault && enough && !same_content) {
            fault = grids[g].special ? plan_special_fault(&c) : plan_fault(&c);
        }
        if (fault) {
            fail_msg("grid %zu of %zu: %s", g, n, fault);
        }
        assert_true(checked_count(&c, CELL_GOLD) <= p->rules.gold_per_grid);
    }
    check_candidates(p, grids, n);
    count_shown(grids, n, &s);
    assert_true(p->c.originals.n < p->rules.coverage || covered(p, &s) >= p->rules.coverage);
}

TEST(random_classes)
{
    size_t special = 0, impossible = 0, gold = 0;
    struct rng r;
    rng_seed(&r, 11);
    for (int k = 0; k < CLASSES; k++) {
        static struct pools p;
        struct plan_grid *grids;
        size_t n;
        random_pools(&p, &r);
        plan_grids(&p.c, &p.rules, &r, &grids, &n);
        check_plan(&p, grids, n);
        for (size_t g = 0; g < n; g++) {
            special += grids[g].special;
            for (unsigned i = 0; i < grids[g].n; i++) {
                gold += grids[g].role[i] == CELL_GOLD;
            }
        }
        impossible += p.c.originals.n < p.rules.coverage;
        free(grids);
    }
    assert_true(special > 100 && impossible > 50 && gold > 1000); /* all of it was there to see */
}

/* Plans a class of plain images with so many candidates, originals, negatives. */
static void plan_plain(struct pools *p, size_t candidates, size_t originals, uint64_t seed,
                       struct plan_grid **out, size_t *n)
{
    const size_t sizes[POOLS] = {candidates, originals, 50, 0, 0};
    struct rng r;
    rng_seed(&r, seed);
    make_pools(p, sizes);
    plan_grids(&p->c, &p->rules, &r, out, n);
}

/* Chunks of 42; a short last one shows candidates of earlier ones again, each at most once. */
TEST(chunks)
{
    static struct pools p;
    for (size_t candidates = 0; candidates < 200; candidates++) {
        struct plan_grid *grids;
        struct shown s;
        size_t n, again = 0;
        plan_plain(&p, candidates, 50, candidates, &grids, &n);
        assert_int_equal(n, (candidates + PLAN_LABEL - 1) / PLAN_LABEL);
        count_shown(grids, n, &s);
        for (size_t i = 0; i < candidates; i++) {
            assert_in_range(s.times[0][i], 1, 2);
            again += s.times[0][i] == 2;
        }
        assert_int_equal(again, n > 1 ? n * PLAN_LABEL - candidates : 0);
        if (n == 1) {
            unsigned positive, negative;
            struct checked_grid c = to_check(&p, &grids[0]);
            grid_controls((unsigned)candidates, &positive, &negative);
            assert_int_equal(checked_count(&c, CELL_POSITIVE), positive);
            assert_int_equal(checked_count(&c, CELL_NEGATIVE), negative);
        }
        free(grids);
    }
}

TEST(same_seed_same_plan)
{
    static struct pools p;
    struct plan_grid *plan[3];
    size_t n[3];
    static const uint64_t seeds[3] = {5, 5, 6};
    for (int i = 0; i < 3; i++) {
        plan_plain(&p, 150, 50, seeds[i], &plan[i], &n[i]);
        assert_int_equal(n[i], 4);
    }
    bool differs = false;
    for (size_t g = 0; g < 4; g++) {
        assert_int_equal(plan[0][g].n, GRID_CELLS);
        assert_memory_equal(plan[0][g].image, plan[1][g].image, sizeof plan[0][g].image);
        assert_memory_equal(plan[0][g].role, plan[1][g].role, sizeof plan[0][g].role);
        differs = differs || memcmp(plan[0][g].image, plan[2][g].image, sizeof plan[0][g].image);
    }
    assert_true(differs);
    for (int i = 0; i < 3; i++) {
        free(plan[i]);
    }
}

/* The place in the grid says nothing about the role. */
TEST(cells_are_shuffled)
{
    enum { ROUNDS = 4800 };
    static struct pools p;
    unsigned controls_at[GRID_CELLS] = {0};
    for (uint64_t k = 0; k < ROUNDS; k++) {
        struct plan_grid *grid;
        size_t n;
        plan_plain(&p, PLAN_LABEL, 50, k, &grid, &n);
        for (unsigned i = 0; i < GRID_CELLS; i++) {
            controls_at[i] += grid->role[i] != CELL_CANDIDATE;
        }
        free(grid);
    }
    for (unsigned i = 0; i < GRID_CELLS; i++) { /* 600 expected, standard deviation 23 */
        assert_in_range(controls_at[i], 600 - 5 * 23, 600 + 5 * 23);
    }
}

/* Among equally covered ones every original is drawn as often as any other; so is every negative. */
TEST(controls_are_drawn_evenly)
{
    enum { ROUNDS = 5000 };
    static struct pools p;
    unsigned drawn[10] = {0}, negative[50] = {0};
    for (uint64_t k = 0; k < ROUNDS; k++) {
        struct plan_grid *grid;
        size_t n;
        plan_plain(&p, PLAN_LABEL, 10, k, &grid, &n);
        for (unsigned i = 0; i < grid->n; i++) {
            if (grid->role[i] == CELL_POSITIVE) {
                drawn[grid->image[i] % STRIDE]++;
            } else if (grid->role[i] == CELL_NEGATIVE) {
                negative[grid->image[i] % STRIDE]++;
            }
        }
        free(grid);
    }
    for (unsigned i = 0; i < 10; i++) { /* 1500 expected, standard deviation 32 */
        assert_in_range(drawn[i], 1500 - 5 * 32, 1500 + 5 * 32);
    }
    for (unsigned i = 0; i < 50; i++) { /* 300 expected, standard deviation 17 */
        assert_in_range(negative[i], 300 - 5 * 17, 300 + 5 * 17);
    }
}

/* With answers given, the least covered originals come first; the plan's own grids count as well. */
TEST(least_covered_first)
{
    static struct pools p;
    static const size_t sizes[POOLS] = {3 * PLAN_LABEL, 12, 50, 0, 0};
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct rng r;
        struct plan_grid *grids;
        struct shown s;
        size_t n;
        rng_seed(&r, seed);
        make_pools(&p, sizes);
        for (size_t i = 0; i < 12; i++) {
            p.images[1][i].answers = i < 5 ? 30 : i < 8 ? 11 : 0;
        }
        plan_grids(&p.c, &p.rules, &r, &grids, &n);
        assert_int_equal(n, 3);
        count_shown(grids, n, &s);
        /* Nine draws: the four at 0 once each; these stand at 10 and come again before those at
         * 11; the ninth is one of those or none of them. */
        for (size_t i = 0; i < 12; i++) {
            assert_in_range(s.times[1][i], i < 8 ? 0 : 2, i < 5 ? 0 : i < 8 ? 1 : 2);
        }
        free(grids);
    }
}

/* A class whose candidates are all answered: only special grids, as the study's own 16/16/16. */
TEST(special_grids)
{
    static struct pools p;
    static const size_t sizes[POOLS] = {100, 50, 50, 0, 0};
    struct rng r;
    struct plan_grid *grids;
    size_t n;
    rng_seed(&r, 3);
    make_pools(&p, sizes);
    for (size_t i = 0; i < 100; i++) {
        p.images[0][i].answers = i < 16 ? 10 : 20;
    }
    p.rules.coverage = 16;
    plan_grids(&p.c, &p.rules, &r, &grids, &n);
    assert_int_equal(n, 1);
    struct checked_grid c = to_check(&p, &grids[0]);
    assert_null(plan_fault(&c)); /* 16 of each keeps the ordinary rule too */
    assert_null(plan_special_fault(&c));
    assert_int_equal(checked_count(&c, CELL_CANDIDATE), 16);
    assert_int_equal(checked_count(&c, CELL_NEGATIVE), 16);
    for (unsigned i = 0; i < c.n; i++) { /* the least answered ones */
        assert_true(c.cell[i].role != CELL_CANDIDATE || c.cell[i].image % STRIDE < 16);
    }
    free(grids);
    p.c.originals.n = 15; /* impossible: nothing is spent on it */
    plan_grids(&p.c, &p.rules, &r, &grids, &n);
    assert_int_equal(n, 0);
    free(grids);
}

/* Gold takes cells of candidates, half from either side; a gold image of a candidate's content can
 * not keep it out. */
TEST(gold)
{
    static struct pools p;
    static const size_t sizes[POOLS] = {80, 50, 50, 4, 4};
    struct rng r;
    struct plan_grid *grids;
    size_t n, own = 0, other = 0;
    rng_seed(&r, 3);
    make_pools(&p, sizes);
    p.rules.gold_per_grid = 2;
    plan_grids(&p.c, &p.rules, &r, &grids, &n);
    assert_int_equal(n, 2);
    for (size_t g = 0; g < n; g++) {
        struct checked_grid c = to_check(&p, &grids[g]);
        assert_null(plan_fault(&c));
        assert_int_equal(checked_count(&c, CELL_CANDIDATE), 40);
        for (unsigned i = 0; i < c.n; i++) {
            own += c.cell[i].role == CELL_GOLD && c.cell[i].class_id == OWN;
            other += c.cell[i].role == CELL_GOLD && c.cell[i].class_id == NEAREST;
        }
    }
    assert_int_equal(own, 2);
    assert_int_equal(other, 2);
    free(grids);
    static const size_t few[POOLS] = {1, 50, 50, 1, 0};
    make_pools(&p, few);
    p.rules.gold_per_grid = 1;
    p.images[0][0].content = p.images[3][0].content = 7;
    plan_grids(&p.c, &p.rules, &r, &grids, &n);
    assert_int_equal(n, 1);
    struct checked_grid c = to_check(&p, &grids[0]);
    assert_int_equal(checked_count(&c, CELL_CANDIDATE), 1);
    assert_int_equal(checked_count(&c, CELL_GOLD), 0);
    free(grids);
}

/* Candidates of one content are all planned, on different grids. */
TEST(equal_contents)
{
    static struct pools p;
    static const size_t sizes[POOLS] = {50, 50, 50, 0, 0};
    struct rng r;
    struct plan_grid *grids;
    struct shown s;
    size_t n;
    rng_seed(&r, 3);
    make_pools(&p, sizes);
    for (size_t i = 0; i < 4; i++) {
        p.images[0][i].content = 9;
    }
    plan_grids(&p.c, &p.rules, &r, &grids, &n);
    assert_int_equal(n, 4); /* and not 2 */
    count_shown(grids, n, &s);
    for (size_t g = 0; g < n; g++) {
        struct checked_grid c = to_check(&p, &grids[g]);
        assert_null(plan_cells_fault(&c));
    }
    for (size_t i = 0; i < 50; i++) {
        assert_true(s.times[0][i] >= 1);
    }
    free(grids);
}

/* The checker says what is wrong with a grid that is. */
TEST(checker)
{
    static struct pools p;
    struct plan_grid *grids;
    size_t n;
    plan_plain(&p, PLAN_LABEL, 50, 1, &grids, &n);
    const struct checked_grid good = to_check(&p, &grids[0]);
    free(grids);
    assert_null(plan_fault(&good));
    struct checked_grid g = good;
    g.cell[3].image = g.cell[40].image;
    assert_string_equal(plan_fault(&g), "an image twice");
    g = good;
    g.cell[3].content = g.cell[40].content = 5;
    assert_string_equal(plan_fault(&g), "a content twice");
    g = good;
    g.cell[3].class_id = 77;
    assert_string_equal(plan_fault(&g), "a cell from another class");
    g = good;
    g.n--;
    assert_non_null(plan_fault(&g));
    for (unsigned i = 0; i < GRID_CELLS; i++) {
        g = good;
        g.cell[i].role = g.cell[i].role == CELL_CANDIDATE ? CELL_NEGATIVE : CELL_CANDIDATE;
        assert_non_null(plan_fault(&g));
    }
    assert_string_equal(plan_special_fault(&good), "more than half of the rest to label");
}
