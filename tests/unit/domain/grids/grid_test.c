/* grid_test.c - controls per grid, orders of cells, masks. */
#include "unit.h"

#include <string.h>

#include "base/rng.h"
#include "domain/grids/grid.h"

TEST(controls)
{
    for (unsigned label = 1; label <= 42; label++) {
        unsigned positive, negative;
        grid_controls(label, &positive, &negative);
        assert_int_equal(label + positive + negative, GRID_CELLS);
        assert_true(negative >= 3);
        assert_true(positive == negative || positive == negative + 1);
    }
    /* Cases counted by hand. */
    static const unsigned cases[][3] = {{42, 3, 3}, {41, 4, 3}, {40, 4, 4}, {21, 14, 13}, {1, 24, 23}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned positive, negative;
        grid_controls(cases[i][0], &positive, &negative);
        assert_int_equal(positive, cases[i][1]);
        assert_int_equal(negative, cases[i][2]);
    }
}

TEST(order_is_a_permutation)
{
    for (uint64_t seed = 0; seed < 500; seed++) {
        for (unsigned n = 0; n <= GRID_CELLS; n += 7) {
            uint8_t order[GRID_CELLS], again[GRID_CELLS];
            uint64_t seen = 0;
            grid_order(seed, true, n, order);
            grid_order(seed, true, n, again);
            for (unsigned i = 0; i < n; i++) {
                assert_true(order[i] < n);
                seen |= (uint64_t)1 << order[i];
                assert_int_equal(order[i], again[i]);
            }
            assert_int_equal(__builtin_popcountll(seen), n);
        }
    }
}

TEST(every_place_is_drawn_evenly)
{
    enum { DRAWS = 48000, N = 6 };
    unsigned stood[N][N] = {{0}};
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        uint8_t order[GRID_CELLS];
        grid_order(seed, true, N, order);
        for (unsigned i = 0; i < N; i++) {
            stood[i][order[i]]++;
        }
    }
    for (unsigned i = 0; i < N; i++) { /* 8000 expected, standard deviation 82: five of them */
        for (unsigned k = 0; k < N; k++) {
            assert_in_range(stood[i][k], 8000 - 5 * 82, 8000 + 5 * 82);
        }
    }
}

TEST(unshuffled_is_as_planned)
{
    uint8_t order[GRID_CELLS];
    grid_order(7, false, GRID_CELLS, order);
    for (unsigned i = 0; i < GRID_CELLS; i++) {
        assert_int_equal(order[i], i);
    }
    assert_int_equal(grid_mask_stored(0x800000000001, order, GRID_CELLS), 0x800000000001);
}

/* Bit for bit: the shown cell that was selected is the planned one in the stored mask. */
TEST(stored_mask)
{
    struct rng r;
    rng_seed(&r, 1);
    for (int round = 0; round < 2000; round++) {
        unsigned n = 1 + (unsigned)rng_below(&r, GRID_CELLS);
        uint8_t order[GRID_CELLS];
        uint64_t shown = rng_u64(&r) & (((uint64_t)1 << n) - 1);
        grid_order(rng_u64(&r), true, n, order);
        uint64_t stored = grid_mask_stored(shown, order, n);
        assert_int_equal(__builtin_popcountll(stored), __builtin_popcountll(shown));
        assert_true(grid_mask_fits(stored, n));
        for (unsigned i = 0; i < n; i++) {
            assert_int_equal(stored >> order[i] & 1, shown >> i & 1);
        }
    }
}

TEST(mask_fits)
{
    for (unsigned n = 0; n < 64; n++) {
        assert_true(grid_mask_fits(((uint64_t)1 << n) - 1, n));
        assert_false(grid_mask_fits((uint64_t)1 << n, n));
        assert_false(grid_mask_fits(UINT64_MAX, n));
    }
    assert_true(grid_mask_fits(UINT64_MAX, 64));
}

TEST(slots)
{
    int64_t wanted = grid_wanted(3, 0);
    assert_true(grid_has_slot(wanted, 0, 0));
    assert_true(grid_has_slot(wanted, 1, 1));
    assert_false(grid_has_slot(wanted, 1, 2));
    assert_false(grid_has_slot(wanted, 3, 0));
    assert_true(grid_has_slot(grid_wanted(3, 1), 3, 0));   /* one more was asked for */
    assert_false(grid_has_slot(grid_wanted(3, 1), 3, 1));
    assert_false(grid_has_slot(grid_wanted(3, -1), 2, 0)); /* and taken back */
}
