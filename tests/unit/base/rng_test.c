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

/* Streams of one seed differ from each other and from those of the next seed, and each is always the same. */
TEST(streams)
{
    struct rng a, again, b, next;
    rng_stream(&a, 5, 0);
    rng_stream(&again, 5, 0);
    rng_stream(&b, 5, 1);
    rng_stream(&next, 6, 0);
    for (int i = 0; i < 100; i++) {
        uint64_t v = rng_u64(&a);
        assert_true(v == rng_u64(&again) && v != rng_u64(&b) && v != rng_u64(&next));
    }
}

TEST(filling_takes_both_halves_of_a_number)
{
    struct rng fill, plain;
    uint32_t got[4];
    rng_seed(&fill, 1);
    rng_seed(&plain, 1);
    rng_fill_below(&fill, 1u << 16, got, 3);
    uint64_t first = rng_u64(&plain), second = rng_u64(&plain);
    assert_true(got[0] == (uint32_t)first >> 16 && got[1] == first >> 48 && got[2] == (uint32_t)second >> 16);
    assert_true(rng_u64(&fill) == rng_u64(&plain));
    rng_fill_below(&fill, 1, got, 4);
    assert_true(got[0] == 0 && got[3] == 0);
}

/* With a bound of 3 * 2^30 an unrejected draw would hit one third of the values twice. */
TEST(filling_is_even)
{
    enum { DRAWS = 30000 };
    static uint32_t got[DRAWS];
    struct rng r;
    int low = 0;
    rng_seed(&r, 8);
    rng_fill_below(&r, 3u << 30, got, DRAWS);
    for (int i = 0; i < DRAWS; i++) {
        assert_true(got[i] < 3u << 30);
        low += got[i] < 1u << 30;
    }
    assert_true(low > 9600 && low < 10400);
}
