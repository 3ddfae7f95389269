/* The nearest feature vectors against brute force in doubles: same neighbours, same order. */
#include "unit.h"

#include <string.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "neighbors/features.h"

enum { K = 30, REFERENCES = 5000 };
static uint32_t numbers[REFERENCES];

static struct nearest *lists_new(uint32_t n)
{
    struct nearest *lists = xcalloc(n, sizeof *lists);
    struct neighbor *at = xcalloc((size_t)n * K, sizeof *at);
    for (uint32_t i = 0; i < n; i++) {
        lists[i] = (struct nearest){at + (size_t)i * K, 0, K};
    }
    return lists;
}

static void lists_free(struct nearest *lists)
{
    free(lists[0].at);
    free(lists);
}

/* Of which eight sums are made in turn. */
static double distance(const float *a, const float *b, size_t size)
{
    double parts[8] = {0}, sum = 0;
    for (size_t i = 0; i < size; i++) {
        double by = (double)a[i] - (double)b[i];
        parts[i % 8] += by * by;
    }
    for (int i = 0; i < 8; i++) {
        sum += parts[i];
    }
    return sum;
}

/* `spread` 0: any numbers; else noise of that size around one of seven centres. Every ninth is its predecessor. */
static float *vectors(struct rng *r, uint32_t n, uint32_t size, double spread)
{
    float *out = xmalloc((size_t)n * size * sizeof *out);
    for (uint32_t i = 0; i < n; i++) {
        double centre = (double)rng_below(r, 7);
        for (uint32_t p = 0; p < size; p++) {
            double noise = rng_unit(r) - .5;
            out[(size_t)i * size + p] = (float)(spread != 0 ? centre + (double)(p % 5) + noise * spread : noise);
        }
        if (i % 9 == 8) {
            memcpy(out + (size_t)i * size, out + (size_t)(i - 1) * size, size * sizeof *out);
        }
    }
    return out;
}

static void compare(uint32_t size, uint32_t nq, uint32_t nr, double spread)
{
    struct rng rng;
    rng_seed(&rng, 5);
    float *q = vectors(&rng, nq, size, spread), *r = vectors(&rng, nr, size, spread);
    struct nearest *found = lists_new(nq), *want = lists_new(nq);
    struct features_side *queries = features_side_new(size, q, nq);
    uint32_t cut = nr / 3;
    for (int part = 0; part < 2; part++) { /* as they come from the disk */
        uint32_t first = part ? cut : 0, n = part ? nr - cut : cut;
        struct features_side *references = features_side_new(size, r + (size_t)first * size, n);
        features_search(queries, 0, nq / 2, references, numbers + first, found);
        features_search(queries, nq / 2, nq, references, numbers + first, found);
        features_side_free(references);
    }
    for (uint32_t i = 0; i < nq; i++) {
        for (uint32_t j = 0; j < nr; j++) {
            double d = distance(q + (size_t)i * size, r + (size_t)j * size, size);
            nearest_add(&want[i], (struct neighbor){d, j});
        }
        assert_int_equal(found[i].n, want[i].n);
        for (uint32_t j = 0; j < found[i].n; j++) {
            assert_true(found[i].at[j].distance == want[i].at[j].distance);
            assert_int_equal(found[i].at[j].reference, want[i].at[j].reference);
        }
    }
    features_side_free(queries);
    lists_free(found);
    lists_free(want);
    free(q);
    free(r);
}

TEST(as_brute_force)
{
    compare(37, 200, 2500, 0);
    compare(512, 100, 1300, 0);
    compare(64, 1, 1, 0);
    compare(64, 3, 20, 0);
}

/* Far from the origin and near each other: floats alone would mix them up. */
TEST(rounding_leaves_nothing_out)
{
    compare(300, 100, 1500, .01);
    compare(300, 100, 1500, 1e-5);
}

static int number_references(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < REFERENCES; i++) {
        numbers[i] = i;
    }
    return 0;
}

TESTS_SHARE(number_references, NULL)
