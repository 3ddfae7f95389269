/* plan_test.c - properties of planned grids over many random classes, and the counts rule against
 * the study's own HITs. */
#include "unit.h"

#include <fcntl.h>
#include <jansson.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

#include "domain/plan.h"

extern char **environ;

enum { CHUNK = 42, CLASSES = 600 };

/* Ids of the three pools, apart from each other. */
#define CANDIDATE INT64_C(1000)
#define ORIGINAL INT64_C(100000)
#define NEGATIVE INT64_C(200000)

struct pools {
    int64_t candidates[400], originals[80], negatives[80];
    struct plan_class c;
};

static void fill(int64_t *ids, size_t n, int64_t base)
{
    for (size_t i = 0; i < n; i++) {
        ids[i] = base + (int64_t)i;
    }
}

static void make_pools(struct pools *p, size_t candidates, size_t originals, size_t negatives)
{
    fill(p->candidates, candidates, CANDIDATE);
    fill(p->originals, originals, ORIGINAL);
    fill(p->negatives, negatives, NEGATIVE);
    p->c = (struct plan_class){p->candidates, candidates,   p->originals,
                               originals,     p->negatives, negatives};
}

static void random_pools(struct pools *p, struct rng *r)
{
    size_t candidates = (size_t)rng_below(r, 400);
    size_t controls = rng_below(r, 4) ? 50 : (size_t)rng_below(r, 30);
    make_pools(p, candidates, controls, rng_below(r, 4) ? 50 : (size_t)rng_below(r, 30));
}

static unsigned count_role(const struct plan_grid *g, enum cell_role role)
{
    unsigned n = 0;
    for (unsigned i = 0; i < g->n; i++) {
        n += g->role[i] == role;
    }
    return n;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Roles go with pools, no image stands twice, and the numbers are those of the rule. */
static void check_grid(const struct plan_grid *g, const struct pools *p, size_t labels)
{
    unsigned positive, negative;
    grid_controls((unsigned)labels, &positive, &negative);
    assert_int_equal(count_role(g, CELL_CANDIDATE), labels);
    assert_int_equal(count_role(g, CELL_POSITIVE), smaller(positive, p->c.n_originals));
    assert_int_equal(count_role(g, CELL_NEGATIVE), smaller(negative, p->c.n_negatives));
    assert_int_equal(count_role(g, CELL_GOLD), 0);
    assert_true(g->n <= GRID_CELLS);
    for (unsigned i = 0; i < g->n; i++) {
        int64_t base = g->role[i] == CELL_CANDIDATE  ? CANDIDATE
                       : g->role[i] == CELL_POSITIVE ? ORIGINAL
                                                     : NEGATIVE;
        assert_in_range(g->image[i], base, base + 399);
        for (unsigned k = 0; k < i; k++) {
            assert_true(g->image[i] != g->image[k]);
        }
    }
}

/* Every candidate once; those of earlier chunks again only where the last chunk was short. */
static void check_cover(const struct plan_grid *grids, size_t n, const struct pools *p)
{
    unsigned shown[400] = {0}, total = 0;
    for (size_t g = 0; g < n; g++) {
        for (unsigned i = 0; i < grids[g].n; i++) {
            if (grids[g].role[i] == CELL_CANDIDATE) {
                shown[grids[g].image[i] - CANDIDATE]++;
                total++;
            }
        }
    }
    for (size_t i = 0; i < p->c.n_candidates; i++) {
        assert_in_range(shown[i], 1, i < (n - 1) * CHUNK ? 2 : 1);
    }
    assert_int_equal(total, n > 1 ? n * CHUNK : p->c.n_candidates);
}

static void test_random_classes(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 11);
    for (int k = 0; k < CLASSES; k++) {
        struct pools p;
        struct plan_grid *grids;
        size_t n;
        random_pools(&p, &r);
        plan_grids(&p.c, &r, &grids, &n);
        assert_int_equal(n, (p.c.n_candidates + CHUNK - 1) / CHUNK);
        for (size_t g = 0; g < n; g++) {
            check_grid(&grids[g], &p, n > 1 ? CHUNK : p.c.n_candidates);
        }
        if (n) {
            check_cover(grids, n, &p);
        }
        free(grids);
    }
}

static void test_same_seed_same_plan(void **state)
{
    (void)state;
    struct pools p;
    struct plan_grid *plan[3];
    size_t n[3];
    static const uint64_t seeds[3] = {5, 5, 6};
    make_pools(&p, 150, 50, 50);
    for (int i = 0; i < 3; i++) {
        struct rng r;
        rng_seed(&r, seeds[i]);
        plan_grids(&p.c, &r, &plan[i], &n[i]);
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
static void test_cells_are_shuffled(void **state)
{
    (void)state;
    enum { ROUNDS = 4800 };
    unsigned controls_at[GRID_CELLS] = {0};
    struct pools p;
    struct rng r;
    rng_seed(&r, 2);
    make_pools(&p, CHUNK, 50, 50);
    for (int k = 0; k < ROUNDS; k++) {
        struct plan_grid *grid;
        size_t n;
        plan_grids(&p.c, &r, &grid, &n);
        for (unsigned i = 0; i < GRID_CELLS; i++) {
            controls_at[i] += grid->role[i] != CELL_CANDIDATE;
        }
        free(grid);
    }
    for (unsigned i = 0; i < GRID_CELLS; i++) { /* 600 expected, standard deviation 23 */
        assert_in_range(controls_at[i], 600 - 5 * 23, 600 + 5 * 23);
    }
}

/* Every original is drawn as often as any other. */
static void test_controls_are_drawn_evenly(void **state)
{
    (void)state;
    enum { ROUNDS = 5000 };
    unsigned drawn[10] = {0};
    struct pools p;
    struct rng r;
    rng_seed(&r, 4);
    make_pools(&p, CHUNK, 10, 3);
    for (int k = 0; k < ROUNDS; k++) {
        struct plan_grid *grid;
        size_t n;
        plan_grids(&p.c, &r, &grid, &n);
        for (unsigned i = 0; i < grid->n; i++) {
            if (grid->role[i] == CELL_POSITIVE) {
                drawn[grid->image[i] - ORIGINAL]++;
            }
        }
        free(grid);
    }
    for (unsigned i = 0; i < 10; i++) { /* 1500 expected, standard deviation 32 */
        assert_in_range(drawn[i], 1500 - 5 * 32, 1500 + 5 * 32);
    }
}

/* Unpacks FOLDER/NAME.xz into a file; the golden data come so. */
static void unpack(const char *from, const char *to)
{
    posix_spawn_file_actions_t files;
    pid_t pid;
    int status = -1;
    char *argv[] = {strdup("xz"), strdup("-dc"), strdup(from), NULL};
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, to, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_int_equal(posix_spawnp(&pid, "xz", &files, NULL, argv, environ), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    posix_spawn_file_actions_destroy(&files);
    for (int i = 0; i < 3; i++) {
        free(argv[i]);
    }
}

static size_t members(const json_t *hit, const char *name)
{
    const json_t *list = json_object_get(hit, name);
    assert_true(json_is_array(list));
    return json_array_size(list);
}

/* True when the HIT is composed as grid_controls says. */
static bool follows_rule(const json_t *hit)
{
    size_t labels = members(hit, "label");
    unsigned positive, negative;
    assert_in_range(labels, 1, CHUNK);
    grid_controls((unsigned)labels, &positive, &negative);
    return members(hit, "pos") == positive && members(hit, "neg") == negative;
}

static void test_real_hits(void **state)
{
    (void)state;
    const char *golden = unit_golden();
    if (!golden) {
        skip();
    }
    char *folder = unit_folder(), *line = NULL;
    size_t cap = 0, included = 0, exceptions = 0;
    struct arena a;
    arena_init(&a, 1 << 20);
    const char *plain = fs_join(&a, folder, "hits.jsonl");
    unpack(fs_join(&a, golden, "imagenetv2/hits/hits.jsonl.xz"), plain);
    FILE *f = fopen(plain, "r");
    assert_non_null(f);
    while (getline(&line, &cap, f) > 0) {
        json_t *hit = json_loads(line, 0, NULL);
        assert_non_null(hit);
        if (json_string_length(json_object_get(hit, "excluded")) == 0) {
            included++;
            exceptions += !follows_rule(hit);
        }
        json_decref(hit);
    }
    fclose(f);
    free(line);
    arena_release(&a);
    unit_remove(folder);
    assert_int_equal(included, 6298);
    assert_int_equal(exceptions, 1); /* the special HIT of 14, 16 and 18 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_classes),
        cmocka_unit_test(test_same_seed_same_plan),
        cmocka_unit_test(test_cells_are_shuffled),
        cmocka_unit_test(test_controls_are_drawn_evenly),
        cmocka_unit_test(test_real_hits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
