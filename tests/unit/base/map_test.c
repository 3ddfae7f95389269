/* map_test.c - both tables against what was put into them, through many growths. */
#include "unit.h"

#include "base/map.h"
#include "base/rng.h"

enum { MANY = 20000 };

TEST(text_keys)
{
    struct map_sv m;
    map_sv_init(&m);
    assert_int_equal(map_sv_get(&m, SV("x")), MAP_NONE);
    char key[32];
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(key, sizeof key, "n%08u", i);
        assert_int_equal(map_sv_put(&m, sv_of(key), i), i);
        assert_int_equal(map_sv_put(&m, sv_of(key), i + 1), i); /* the first stays */
    }
    assert_int_equal(m.n, MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(key, sizeof key, "n%08u", i);
        assert_int_equal(map_sv_get(&m, sv_of(key)), i);
    }
    assert_int_equal(map_sv_get(&m, SV("n0000000")), MAP_NONE);
    assert_int_equal(map_sv_put(&m, sv_make(NULL, 0), 7), 7); /* the empty text is a key */
    assert_int_equal(map_sv_get(&m, SV("")), 7);
    assert_int_equal(map_sv_put(&m, SV("a\0b"), 8), 8);
    assert_int_equal(map_sv_get(&m, SV("a\0c")), MAP_NONE);
    map_sv_release(&m);
    assert_int_equal(map_sv_get(&m, SV("")), MAP_NONE);
}

TEST(number_keys)
{
    struct map_u64 m;
    struct rng r;
    map_u64_init(&m);
    assert_int_equal(map_u64_get(&m, 0), MAP_NONE);
    assert_int_equal(map_u64_put(&m, 0, 0), 0);
    assert_int_equal(map_u64_put(&m, UINT64_MAX, 1), 1);
    rng_seed(&r, 1);
    for (uint32_t i = 2; i < MANY; i++) {
        assert_int_equal(map_u64_put(&m, rng_u64(&r), i), i);
    }
    assert_int_equal(m.n, MANY);
    rng_seed(&r, 1);
    for (uint32_t i = 2; i < MANY; i++) {
        uint64_t key = rng_u64(&r);
        assert_int_equal(map_u64_get(&m, key), i);
        assert_int_equal(map_u64_put(&m, key, 0), i);
    }
    assert_int_equal(map_u64_get(&m, 0), 0);
    assert_int_equal(map_u64_get(&m, UINT64_MAX), 1);
    assert_int_equal(map_u64_get(&m, 12345), MAP_NONE);
    map_u64_set(&m, 0, 9);
    map_u64_set(&m, 12345, 10);
    assert_int_equal(map_u64_get(&m, 0), 9);
    assert_int_equal(map_u64_get(&m, 12345), 10);
    assert_int_equal(m.n, MANY + 1);
    map_u64_release(&m);
    assert_int_equal(map_u64_get(&m, 0), MAP_NONE);
}
