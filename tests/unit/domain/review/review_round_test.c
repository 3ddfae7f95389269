/* review_round_test.c - every class once, repeats later, originals mixed in: from the seed alone.
 */
#include "unit.h"

#include <string.h>

#include "domain/review/review_round.h"

TESTS_SHARE(unit_arena_open, unit_arena_close)

enum { CLASSES = 200, IMAGES = 10, ORIGINALS = 50 };

struct order {
    struct round_turn *turns;
    size_t n;
};

static struct order order_of(uint64_t seed, int64_t account, uint32_t classes, unsigned percent)
{
    struct order o;
    round_order(seed, account, classes, percent, &unit_arena, &o.turns, &o.n);
    return o;
}

static bool is_same(struct order a, struct order b)
{
    bool same = a.n == b.n;
    for (size_t i = 0; i < a.n && same; i++) {
        same = a.turns[i].class_index == b.turns[i].class_index &&
               a.turns[i].again == b.turns[i].again;
    }
    return same;
}

TEST(every_class_once)
{
    for (uint32_t classes = 0; classes < 5; classes++) {
        struct order o = order_of(7, 1, classes, 0);
        uint32_t seen = 0;
        assert_int_equal(o.n, classes);
        for (size_t i = 0; i < o.n; i++) {
            assert_false(o.turns[i].again);
            seen |= 1u << o.turns[i].class_index;
        }
        assert_int_equal(seen, (1u << classes) - 1);
    }
}

/* A repeat stands behind its first time, with another class between. */
TEST(repeats_come_later)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct order o = order_of(seed, 3, CLASSES, 5);
        size_t first[CLASSES], repeats = 0;
        memset(first, 0xff, sizeof first);
        for (size_t i = 0; i < o.n; i++) {
            uint32_t k = o.turns[i].class_index;
            assert_true(k < CLASSES);
            if (o.turns[i].again) {
                repeats++;
                assert_true(first[k] < i && i - first[k] > 1);
            } else {
                assert_true(first[k] == SIZE_MAX);
                first[k] = i;
            }
        }
        assert_int_equal(repeats, CLASSES / 20);
        assert_int_equal(o.n, CLASSES + repeats);
    }
}

TEST(few_classes_have_repeats_where_there_can_be_one)
{
    assert_int_equal(order_of(1, 1, 1, 50).n, 1);
    assert_int_equal(order_of(1, 1, 2, 5).n, 3);
    assert_int_equal(order_of(1, 1, 10, 5).n, 11);
    assert_int_equal(order_of(1, 1, 3, 50).n, 5);
}

TEST(everybody_has_an_order_of_their_own)
{
    struct order ada = order_of(7, 1, CLASSES, 5);
    assert_true(is_same(ada, order_of(7, 1, CLASSES, 5)));
    assert_false(is_same(ada, order_of(7, 2, CLASSES, 5)));
    assert_false(is_same(ada, order_of(8, 1, CLASSES, 5)));
}

struct mix {
    uint32_t *places;
    size_t n;
};

static struct mix mix_of(uint32_t class_index, bool again, uint32_t n, uint32_t originals,
                         unsigned percent)
{
    struct mix m;
    round_mix(11, class_index, again, n, originals, percent, &unit_arena, &m.places, &m.n);
    return m;
}

/* Every image once, no original twice; returns which originals. */
static uint64_t assert_whole(struct mix m, uint32_t n, uint32_t originals)
{
    uint64_t images = 0, mixed = 0;
    for (size_t i = 0; i < m.n; i++) {
        uint64_t *seen = m.places[i] < n ? &images : &mixed;
        uint32_t bit = m.places[i] < n ? m.places[i] : m.places[i] - n;
        assert_true(bit < (m.places[i] < n ? n : originals));
        assert_int_equal(*seen >> bit & 1, 0);
        *seen |= UINT64_C(1) << bit;
    }
    assert_int_equal(images, (UINT64_C(1) << n) - 1);
    return mixed;
}

TEST(originals_are_the_percentage_shown)
{
    static const struct {
        uint32_t n, originals;
        unsigned percent;
        size_t mixed;
    } cases[] = {{10, 50, 10, 1}, {10, 50, 0, 0}, {10, 50, 50, 10}, {10, 50, 33, 5}, {2, 50, 10, 1},
                 {10, 0, 10, 0},  {10, 3, 50, 3}, {40, 50, 10, 4},  {0, 50, 10, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mix m = mix_of(4, false, cases[i].n, cases[i].originals, cases[i].percent);
        assert_int_equal(m.n, cases[i].n + cases[i].mixed);
        assert_whole(m, cases[i].n, cases[i].originals);
    }
}

/* The second time: the same images, another order; other classes have other originals. */
TEST(again_is_another_order_of_the_same)
{
    struct mix first = mix_of(4, false, IMAGES, ORIGINALS, 30),
               again = mix_of(4, true, IMAGES, ORIGINALS, 30);
    assert_int_equal(first.n, again.n);
    assert_int_equal(assert_whole(first, IMAGES, ORIGINALS),
                     assert_whole(again, IMAGES, ORIGINALS));
    assert_memory_not_equal(first.places, again.places, first.n * sizeof *first.places);
    struct mix other = mix_of(5, false, IMAGES, ORIGINALS, 30);
    assert_int_not_equal(assert_whole(first, IMAGES, ORIGINALS),
                         assert_whole(other, IMAGES, ORIGINALS));
}

/* An original stands at no place more often than at another. */
TEST(places_say_nothing)
{
    enum { ROUNDS = 11000 };
    size_t at[IMAGES + 1] = {0};
    for (uint32_t k = 0; k < ROUNDS; k++) {
        struct mix m = mix_of(k, false, IMAGES, ORIGINALS, 10);
        for (size_t i = 0; i < m.n; i++) {
            at[i] += m.places[i] >= IMAGES;
        }
        arena_clear(&unit_arena);
    }
    for (size_t i = 0; i <= IMAGES; i++) {
        assert_in_range(at[i], ROUNDS / 11 - 160, ROUNDS / 11 + 160); /* five standard deviations */
    }
}
