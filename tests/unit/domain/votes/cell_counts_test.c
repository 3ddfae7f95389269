/* cell_counts_test.c - upright counters against counting cell by cell. */
#include "unit.h"

#include "base/rng.h"
#include "domain/votes/cell_counts.h"

enum { CELLS = 48 };

TEST(cells_of_a_mask)
{
    struct rng r;
    rng_seed(&r, 1);
    assert_int_equal(cells_in(0), 0);
    assert_int_equal(cells_in(UINT64_MAX), 64);
    for (int i = 0; i < 10000; i++) {
        uint64_t mask = rng_u64(&r) & rng_u64(&r);
        unsigned n = 0;
        for (int b = 0; b < 64; b++) {
            n += (unsigned)(mask >> b & 1);
        }
        assert_int_equal(cells_in(mask), n);
    }
}

/* Numbers of masks around powers of two, where planes come in. */
TEST(counts_are_those_of_each_cell)
{
    static const unsigned numbers[] = {0, 1, 2, 3, 4, 7, 8, 9, 255, 256, 1000};
    struct rng r;
    rng_seed(&r, 2);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        struct cell_counts c = {0};
        unsigned each[CELLS] = {0};
        for (unsigned i = 0; i < numbers[k]; i++) {
            uint64_t mask = (rng_u64(&r) | 1) & (((uint64_t)1 << CELLS) - 1);
            cell_counts_add(&c, mask);
            for (unsigned j = 0; j < CELLS; j++) {
                each[j] += (unsigned)(mask >> j & 1);
            }
        }
        uint64_t over = rng_u64(&r), sum = 0;
        for (unsigned j = 0; j < CELLS; j++) {
            assert_int_equal(cell_counts_at(&c, j), each[j]);
            sum += over >> j & 1 ? each[j] : 0;
        }
        assert_int_equal(each[0], numbers[k]);
        assert_int_equal(cell_counts_over(&c, over), sum);
    }
}
