/* right_counts_test.c - stats/right_counts.h against counting one by one. */
#include "unit.h"

#include <string.h>

#include "base/rng.h"
#include "stats/right_counts.h"

TEST(counts_are_those_of_single_bits)
{
    enum { ROWS = 300, ROUNDS = 40 };
    static right_row rows[ROWS];
    static uint32_t drawn[RIGHT_DRAWS], counts[RIGHT_MODELS], want[RIGHT_MODELS];
    struct rng r;
    rng_seed(&r, 2);
    for (int round = 0; round < ROUNDS; round++) {
        /* All bits set for the greatest counts that there are. */
        bool full = round == 0;
        size_t n = full ? RIGHT_DRAWS : RIGHT_STEP * rng_below(&r, RIGHT_DRAWS / RIGHT_STEP + 1);
        size_t models = full ? RIGHT_MODELS : 1 + rng_below(&r, RIGHT_MODELS);
        for (int i = 0; i < ROWS; i++) {
            rows[i] = full ? (right_row){~UINT64_C(0), ~UINT64_C(0)} : (right_row){rng_u64(&r), rng_u64(&r)};
        }
        rng_fill_below(&r, ROWS, drawn, n);
        memset(counts, 0, sizeof counts);
        memset(want, 0, sizeof want);
        for (int twice = 0; twice < 2; twice++) { /* it adds */
            right_counts_add(rows, drawn, n, models, counts);
        }
        for (size_t m = 0; m < models; m++) {
            for (size_t i = 0; i < n; i++) {
                want[m] += 2 * (uint32_t)(rows[drawn[i]][m / 64] >> m % 64 & 1);
            }
        }
        assert_memory_equal(counts, want, sizeof want);
    }
}
