/* raters_test.c - stats/raters.h against published examples and plain counting. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "stats/raters.h"

/* Krippendorff 2011, "Computing Krippendorff's alpha-reliability", example C: four observers, twelve units, five values. */
ARENA_TEST(krippendorffs_example)
{
    static const int8_t values[4][12] = {{1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0},
                                         {1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3},
                                         {0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0},
                                         {1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0}};
    uint16_t said[12 * 4];
    for (int who = 0; who < 4; who++) {
        for (int unit = 0; unit < 12; unit++) {
            int v = values[who][unit];
            said[unit * 4 + who] = (uint16_t)(v ? v - 1 : RATERS_NONE);
        }
    }
    struct ratings r = {.items = 12, .people = 4, .categories = 5, .said = said};
    struct raters_agreement k = raters_agree(&r, RATERS_KRIPPENDORFF, 2000, 1, 0.05, &unit_arena);
    assert_int_equal(k.items, 11);
    assert_int_equal(k.people, 4);
    assert_true(fabs(k.at.value - 0.743) < 5e-4);
    assert_true(k.at.lo > 0.3 && k.at.lo < 0.743 && k.at.hi > 0.743 && k.at.hi <= 1);
}

/* The same paper's examples A (two observers, binary, 0.095) and B (two observers, names, 0.692). */
ARENA_TEST(krippendorffs_examples_of_two)
{
    static const struct {
        const char *first, *second;
        double printed;
    } examples[] = {{"0100000010", "1110010000", 0.095}, {"aabbdcccedda", "babbbccceddd", 0.692}};
    for (size_t e = 0; e < 2; e++) {
        const size_t n = strlen(examples[e].first);
        uint16_t *said = arena_alloc(&unit_arena, 2 * n * sizeof *said);
        for (size_t i = 0; i < n; i++) {
            said[2 * i] = (uint16_t)(examples[e].first[i] % 8);
            said[2 * i + 1] = (uint16_t)(examples[e].second[i] % 8);
        }
        struct ratings r = {.items = n, .people = 2, .categories = 8, .said = said};
        double alpha = raters_agree(&r, RATERS_KRIPPENDORFF, 10, 1, 0.05, &unit_arena).at.value;
        assert_true(fabs(alpha - examples[e].printed) < 5e-4);
    }
}

/* Fleiss 1971 as everybody prints it: ten subjects, fourteen raters, five categories. */
ARENA_TEST(fleiss_example)
{
    static const uint16_t counts[] = {0, 0, 0, 0, 14, 0, 2, 6, 4, 2, 0, 0, 3, 5, 6, 0, 3, 9, 2, 0, 2, 2, 8, 1, 1,
                                      7, 7, 0, 0, 0,  3, 2, 6, 3, 0, 2, 5, 3, 2, 2, 6, 5, 2, 1, 0, 0, 2, 2, 3, 7};
    uint16_t said[10 * 14];
    for (int i = 0; i < 10; i++) {
        int who = 0;
        for (int c = 0; c < 5; c++) {
            for (int k = 0; k < counts[i * 5 + c]; k++) {
                said[i * 14 + who++] = (uint16_t)c;
            }
        }
    }
    struct ratings r = {.items = 10, .people = 14, .categories = 5, .said = said};
    struct raters_agreement k = raters_agree(&r, RATERS_FLEISS, 100, 1, 0.05, &unit_arena);
    assert_true(fabs(k.at.value - 0.210) < 5e-4);
    assert_int_equal(k.items, 10);
    assert_int_equal(k.people, 14);
}

ARENA_TEST(nothing_to_tell)
{
    static const uint16_t once[] = {1, RATERS_NONE, RATERS_NONE, 0}, same[] = {1, 1, 1, 1};
    struct ratings alone = {.items = 2, .people = 2, .categories = 2, .said = once}, alike = alone, none = alone;
    alike.said = same;
    none.items = 0;
    for (int f = RATERS_FLEISS; f <= RATERS_KRIPPENDORFF; f++) {
        assert_true(isnan(raters_agree(&alone, (enum raters_figure)f, 10, 1, 0.05, &unit_arena).at.value));
        assert_true(isnan(raters_agree(&alike, (enum raters_figure)f, 10, 1, 0.05, &unit_arena).at.value));
        assert_true(isnan(raters_agree(&none, (enum raters_figure)f, 10, 1, 0.05, &unit_arena).at.value));
    }
}

/* People who say at random agree as chance has it; the truth, 0, lies in nineteen of twenty intervals. */
ARENA_TEST(chance)
{
    struct rng rng;
    int inside = 0;
    rng_seed(&rng, 5);
    for (int world = 0; world < 200; world++) {
        uint16_t said[60 * 4];
        for (int i = 0; i < 60 * 4; i++) {
            said[i] = (uint16_t)rng_below(&rng, 3);
        }
        struct raters_agreement k = raters_agree(&(struct ratings){.items = 60, .people = 4, .categories = 3, .said = said}, RATERS_KRIPPENDORFF, 200, 9, 0.05, &unit_arena);
        inside += k.at.lo <= 0 && k.at.hi >= 0;
    }
    print_message("chance inside the interval in %d of 200 worlds\n", inside);
    assert_in_range(inside, 180, 200);
}

/* Labels of one image that all share its fate: drawn one by one they would seem to be as many independent ones. */
ARENA_TEST(clusters)
{
    struct rng rng;
    size_t cluster[41];
    uint16_t said[200 * 2];
    rng_seed(&rng, 3);
    for (size_t image = 0; image < 40; image++) {
        bool alike = rng_below(&rng, 2);
        cluster[image] = image * 5;
        for (size_t k = image * 5; k < image * 5 + 5; k++) {
            said[k * 2] = (uint16_t)(k % 2);
            said[k * 2 + 1] = alike ? said[k * 2] : !said[k * 2];
        }
    }
    cluster[40] = 200;
    struct ratings each = {.items = 200, .people = 2, .categories = 2, .said = said}, together = each;
    together.cluster = cluster;
    together.clusters = 40;
    struct raters_agreement one = raters_agree(&each, RATERS_KRIPPENDORFF, 1000, 1, 0.05, &unit_arena);
    struct raters_agreement all = raters_agree(&together, RATERS_KRIPPENDORFF, 1000, 1, 0.05, &unit_arena);
    assert_true(fabs(one.at.value - all.at.value) < 1e-12);
    double wider = (all.at.hi - all.at.lo) / (one.at.hi - one.at.lo);
    print_message("images as clusters: %.2f times as wide (sqrt 5: 2.24)\n", wider);
    assert_true(wider > 1.9 && wider < 2.6);
}
