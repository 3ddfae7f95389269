/* rng_test.c - the generator against published values, and that draws are even. */
#include "unit.h"

#include "base/rng.h"

/* The authors' xoshiro256** from the state 1, 2, 3, 4, as the rand_xoshiro crate tests it. */
TEST(xoshiro_known_values)
{
    static const uint64_t known[] = {11520u,
                                     0u,
                                     1509978240u,
                                     1215971899390074240u,
                                     1216172134540287360u,
                                     607988272756665600u,
                                     16172922978634559625u,
                                     8476171486693032832u,
                                     10595114339597558777u,
                                     2904607092377533576u};
    struct rng r = {{1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        assert_true(rng_u64(&r) == known[i]);
    }
}

/* splitmix64 from 0 (the values of its reference implementation) fills the state. */
TEST(splitmix_known_values)
{
    struct rng r;
    rng_seed(&r, 0);
    assert_true(r.s[0] == 0xe220a8397b1dcdafu);
    assert_true(r.s[1] == 0x6e789e6aa1b965f4u);
    assert_true(r.s[2] == 0x06c45d188009454fu);
    assert_true(r.s[3] == 0xf88bb8a8724c81ecu);
    assert_true(rng_u64(&r) == 11091344671253066420u);
}

TEST(draws_below_are_even)
{
    struct rng r;
    rng_seed(&r, 7);
    enum { SIDES = 6, THROWS = 60000 };
    long seen[SIDES] = {0};
    for (int i = 0; i < THROWS; i++) {
        uint64_t x = rng_below(&r, SIDES);
        assert_true(x < SIDES);
        seen[x]++;
    }
    double chi = 0;
    for (int i = 0; i < SIDES; i++) {
        double d = (double)(seen[i] - THROWS / SIDES);
        chi += d * d / (THROWS / SIDES);
    }
    assert_true(chi < 25.7); /* 5 degrees of freedom, one in ten thousand */
    for (int i = 0; i < 100; i++) {
        assert_true(rng_below(&r, 1) == 0);
    }
    /* With a bound of 3 * 2^62 an unrejected draw would hit one third of the values twice. */
    int low = 0;
    for (int i = 0; i < 30000; i++) {
        low += rng_below(&r, (uint64_t)3 << 62) < (uint64_t)1 << 62;
    }
    assert_in_range(low, 9600, 10400);
}

TEST(unit_is_below_one)
{
    struct rng r = {{0, UINT64_MAX, 0, 0}};
    double sum = 0;
    for (int i = 0; i < 10000; i++) {
        double u = rng_unit(&r);
        assert_true(u >= 0 && u < 1);
        sum += u;
    }
    assert_true(sum > 4800 && sum < 5200);
}

TEST(shuffles_are_permutations)
{
    struct rng r;
    uint32_t a[48], b[48];
    bool moved = false;
    for (uint32_t i = 0; i < 48; i++) {
        a[i] = b[i] = i;
    }
    rng_seed(&r, 42);
    rng_shuffle_u32(&r, a, 48);
    rng_seed(&r, 42);
    rng_shuffle_u32(&r, b, 48);
    assert_memory_equal(a, b, sizeof a);
    uint64_t seen = 0;
    for (uint32_t i = 0; i < 48; i++) {
        seen |= (uint64_t)1 << a[i];
        moved = moved || a[i] != i;
    }
    assert_true(seen == ((uint64_t)1 << 48) - 1);
    assert_true(moved);
    rng_shuffle_u32(&r, NULL, 0);
    rng_shuffle_u32(&r, a, 1);
}

TEST(fresh_seeds_fit_json)
{
    uint64_t all = 0, first = rng_fresh_seed();
    for (int i = 0; i < 100; i++) {
        uint64_t seed = rng_fresh_seed();
        assert_true(seed < (uint64_t)1 << 53);
        all |= seed ^ first;
    }
    assert_true(all != 0);
}
