/* Finding by halving, against looking at every element. */
#include "unit.h"

#include <math.h>

#include "base/rng.h"
#include "base/sorted.h"

enum { MOST = 40 };

struct item {
    char name;
    uint32_t id;
    int64_t at;
};

TEST(finds_the_first_not_below)
{
    struct rng r;
    rng_seed(&r, 1);
    for (size_t n = 0; n < MOST; n++) {
        struct item items[MOST] = {{0}};
        uint32_t ids[MOST];
        int64_t ats[MOST];
        uint32_t id = 0;
        for (size_t i = 0; i < n; i++) {
            id += (uint32_t)rng_below(&r, 3); /* some twice */
            ids[i] = items[i].id = id;
            ats[i] = items[i].at = (int64_t)id - 20;
        }
        for (uint32_t key = 0; key < id + 3; key++) {
            size_t first = 0, has = 0;
            while (first < n && items[first].id < key) {
                first++;
            }
            has = first < n && items[first].id == key;
            size_t size = sizeof *items;
            assert_int_equal(sorted_u32(items, n, size, offsetof(struct item, id), key), first);
            assert_int_equal(
                sorted_i64(items, n, size, offsetof(struct item, at), (int64_t)key - 20), first);
            assert_int_equal(sorted_has_u32(ids, n, key), has);
            assert_int_equal(sorted_has_i64(ats, n, (int64_t)key - 20), has);
        }
    }
    int64_t far[] = {INT64_MIN, 0, INT64_MAX};
    assert_true(sorted_has_i64(far, 3, INT64_MIN) && sorted_has_i64(far, 3, INT64_MAX));
    uint32_t most[] = {0, UINT32_MAX};
    assert_true(sorted_has_u32(most, 2, UINT32_MAX) && !sorted_has_u32(most, 2, 1));
}

TEST(what_is_not_known_is_last)
{
    static const double keys[] = {2, NAN, 1, 2, NAN, -1};
    static const size_t rising[] = {5, 2, 0, 3, 1, 4}, falling[] = {0, 3, 2, 5, 1, 4};
    for (int way = 0; way < 2; way++) {
        struct sorted_key list[6];
        for (size_t i = 0; i < 6; i++) {
            list[i] = (struct sorted_key){keys[i], i};
        }
        sorted_keys(list, 6, way);
        for (size_t i = 0; i < 6; i++) {
            assert_int_equal(list[i].at, way ? falling[i] : rising[i]);
        }
    }
    sorted_keys(NULL, 0, true);
}
