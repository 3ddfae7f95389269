/* histogram_test.c - the rounding of targets, against the published program's. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "domain/votes/histogram.h"

static void assert_targets(const uint32_t h[5], uint32_t size, const uint32_t expected[5])
{
    uint32_t out[HISTOGRAM_BINS];
    histogram_targets(h, size, out);
    for (int i = 0; i < HISTOGRAM_BINS; i++) {
        assert_int_equal(out[i], expected[i]);
    }
}

TEST(rounding)
{
    static const struct {
        uint32_t size, h[5], expected[5];
    } rows[] = {
        {10, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}},
        {10, {0, 0, 7, 0, 0}, {0, 0, 10, 0, 0}},
        {10, {4, 4, 4, 4, 4}, {2, 2, 2, 2, 2}},
        {10, {1, 1, 0, 0, 1}, {3, 3, 0, 0, 4}}, /* a tie: to the higher bin */
        {1, {1, 1, 1, 1, 1}, {0, 0, 0, 0, 1}},
        {0, {1, 2, 3, 4, 5}, {0, 0, 0, 0, 0}},
        {10, {0, 0, 1, 0, 1}, {0, 0, 5, 0, 5}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_targets(rows[i].h, rows[i].size, rows[i].expected);
    }
}

TEST(sums_to_the_size)
{
    uint32_t seed = 1;
    for (int round = 0; round < 20000; round++) {
        uint32_t h[5], out[5], size = 1 + (uint32_t)round % 40, sum = 0, got = 0;
        for (int i = 0; i < 5; i++) {
            seed = seed * 1664525u + 1013904223u;
            h[i] = (seed >> 16) % 40;
            sum += h[i];
        }
        histogram_targets(h, size, out);
        for (int i = 0; i < 5; i++) {
            got += out[i];
            assert_true(h[i] > 0 || out[i] == 0);
        }
        assert_int_equal(got, sum ? size : 0);
    }
}

/* Columns target, h0..h4, authors0..4, exact0..4, same. */
TEST(golden)
{
    const char *golden = unit_golden();
    if (!golden) {
        skip();
    }
    char *path = NULL, line[256];
    assert_true(asprintf(&path, "%s/imagenetv2/expected/round_histogram.csv", golden) > 0);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    int rows = 0;
    while (fgets(line, sizeof line, f)) {
        uint32_t v[11];
        char *at = line;
        for (int i = 0; i < 11; i++) {
            v[i] = (uint32_t)strtoul(at, &at, 10);
            at += *at == ',';
        }
        assert_targets(v + 1, v[0], v + 6);
        rows++;
    }
    assert_true(rows > 1000);
    fclose(f);
    free(path);
}
