/* memory_test.c - no two buffers that live at the same time overlap, whatever their sizes and
 * lives; and the memory is not much larger than what lives at once. */
#include "unit.h"

#include "base/rng.h"
#include "infer/plan/private.h"

enum { BUFFERS = 60, STEPS = 40, ROUNDS = 400 };

static bool live_together(const struct buffer *a, const struct buffer *b)
{
    for (int step = 0; step < STEPS; step++) {
        if (step >= a->first && step <= a->last && step >= b->first && step <= b->last) {
            return true;
        }
    }
    return false;
}

static bool overlap(const struct buffer *a, const struct buffer *b)
{
    return a->offset < b->offset + b->floats && b->offset < a->offset + a->floats;
}

/* Floats of what lives in the fullest step: no layout needs less. */
static int64_t least(const struct buffer *b, size_t n)
{
    int64_t most = 0;
    for (int step = 0; step < STEPS; step++) {
        int64_t sum = 0;
        for (size_t i = 0; i < n; i++) {
            sum += step >= b[i].first && step <= b[i].last ? b[i].floats : 0;
        }
        most = sum > most ? sum : most;
    }
    return most;
}

static void check(struct buffer *b, size_t n, int64_t *floats)
{
    struct err err = {0};
    assert_int_equal(plan_memory(b, n, floats, &err), OK);
    for (size_t i = 0; i < n; i++) {
        if (b[i].first < 0) {
            continue;
        }
        assert_true(b[i].offset >= 0 && b[i].offset + b[i].floats <= *floats);
        assert_int_equal(b[i].offset % 16, 0);
        for (size_t k = 0; k < i; k++) {
            assert_false(b[k].first >= 0 && live_together(&b[i], &b[k]) && overlap(&b[i], &b[k]));
        }
    }
}

TEST(random_buffers)
{
    struct rng rng;
    rng_seed(&rng, 5);
    for (int round = 0; round < ROUNDS; round++) {
        struct buffer b[BUFFERS];
        size_t n = 1 + rng_below(&rng, BUFFERS);
        for (size_t i = 0; i < n; i++) {
            int first = (int)rng_below(&rng, STEPS),
                last = first + (int)rng_below(&rng, (uint32_t)(STEPS - first));
            bool never = rng_below(&rng, 10) == 0; /* a buffer that no step names */
            b[i] = (struct buffer){(int64_t)rng_below(&rng, 2000), 0, never ? -1 : first,
                                   never ? -1 : last, 0};
        }
        int64_t floats;
        check(b, n, &floats);
        assert_true(floats <= 2 * least(b, n) + 16 * BUFFERS);
    }
}

/* A chain of layers needs room for two at a time, however long it is. */
TEST(chain)
{
    struct buffer b[STEPS - 1];
    int64_t floats;
    for (int i = 0; i < STEPS - 1; i++) {
        b[i] = (struct buffer){1600, 0, i, i + 1, 0};
    }
    check(b, STEPS - 1, &floats);
    assert_int_equal(floats, 3200);
}

TEST(too_large)
{
    struct buffer b[] = {
        {PLAN_MOST - 16, 0, 0, 3, 0}, {1 << 20, 0, 2, 4, 0}, {INT64_MAX - 100, 0, 1, 1, 0}};
    struct err err = {0};
    int64_t floats;
    assert_int_equal(plan_memory(b, 1, &floats, &err), OK);
    assert_int_equal(plan_memory(b, 2, &floats, &err), ERR_LIMIT);
    assert_string_equal(err.rule, "model-memory");
    err_clear(&err);
    assert_int_equal(plan_memory(b, 3, &floats, &err), ERR_LIMIT);
}
