/* The nearest byte vectors against brute force: same neighbours, same order, whatever is left out on the way, and
 * again on a processor that adds products of bytes in 16 bits. */
#include "unit.h"

#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "neighbors/pixels.h"

enum { K = 30, REFERENCES = 5000 };
static uint32_t numbers[REFERENCES];

static struct nearest *lists_new(uint32_t n, uint32_t k)
{
    struct nearest *lists = xcalloc(n, sizeof *lists);
    struct neighbor *at = xcalloc((size_t)n * k, sizeof *at);
    for (uint32_t i = 0; i < n; i++) {
        lists[i] = (struct nearest){at + (size_t)i * k, 0, k};
    }
    return lists;
}

static void lists_free(struct nearest *lists)
{
    free(lists[0].at);
    free(lists);
}

static void brute_force(const uint8_t *q, uint32_t nq, const uint8_t *r, uint32_t nr, size_t size, struct nearest *lists)
{
    for (uint32_t i = 0; i < nq; i++) {
        for (uint32_t j = 0; j < nr; j++) {
            double d = 0;
            for (size_t p = 0; p < size; p++) {
                double by = (double)q[i * size + p] - r[j * size + p];
                d += by * by;
            }
            nearest_add(&lists[i], (struct neighbor){d, j});
        }
    }
}

/* References in two parts, as they come from the disk. */
static void search(const struct pixels_shape *s, const uint8_t *q, uint32_t nq, const uint8_t *r, uint32_t nr,
                   struct nearest *lists)
{
    struct pixels_side *queries = pixels_side_new(s, q, nq, false);
    uint32_t cut = nr * 2 / 3;
    for (int part = 1; part >= 0; part--) {
        uint32_t first = part ? cut : 0;
        struct pixels_side *references = pixels_side_new(s, r + (size_t)first * s->size, part ? nr - cut : cut, true);
        pixels_search(queries, 0, nq / 2, references, numbers + first, lists);
        pixels_search(queries, nq / 2, nq, references, numbers + first, lists);
        pixels_side_free(references);
    }
    pixels_side_free(queries);
}

static void check_equal(const struct nearest *a, const struct nearest *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(a[i].n, b[i].n);
        for (uint32_t j = 0; j < a[i].n; j++) {
            assert_true(a[i].at[j].distance == b[i].at[j].distance);
            assert_int_equal(a[i].at[j].reference, b[i].at[j].reference);
        }
    }
}

/* `clusters` centres with noise around them; 0: all random. Every ninth is its predecessor again: ties. */
static uint8_t *vectors(struct rng *r, uint32_t n, size_t size, int clusters)
{
    uint8_t *out = xmalloc(n * size);
    for (uint32_t i = 0; i < n; i++) {
        unsigned centre = clusters ? (unsigned)rng_below(r, (uint64_t)clusters) : 0;
        for (size_t p = 0; p < size; p++) {
            out[i * size + p] = (uint8_t)(clusters ? (centre * 37 + p / 64 * 11) % 200 + rng_below(r, 50) : rng_below(r, 256));
        }
        if (i % 9 == 8) {
            memcpy(out + i * size, out + (i - 1) * size, size);
        }
    }
    return out;
}

static void compare(const struct pixels_shape *s, uint32_t nq, uint32_t nr, int clusters, bool with_brute_force)
{
    struct rng rng;
    rng_seed(&rng, 7);
    uint8_t *q = vectors(&rng, nq, s->size, clusters), *r = vectors(&rng, nr, s->size, clusters);
    memcpy(r, q, s->size); /* the query itself */
    struct nearest *found = lists_new(nq, K), *plain = lists_new(nq, K), *want = lists_new(nq, K);
    struct pixels_shape whole = {s->size, 0};
    search(s, q, nq, r, nr, found);
    search(&whole, q, nq, r, nr, plain);
    check_equal(found, plain, nq);
    if (with_brute_force) {
        brute_force(q, nq, r, nr, s->size, want);
        check_equal(found, want, nq);
    }
    lists_free(found);
    lists_free(plain);
    lists_free(want);
    free(q);
    free(r);
}

TEST(as_brute_force)
{
    compare(&(struct pixels_shape){100, 0}, 300, 1111, 0, true);
    compare(&(struct pixels_shape){100, 0}, 300, 1111, 5, true);
    compare(&(struct pixels_shape){3072, 0}, 40, 700, 0, true);
}

TEST(blocks_leave_nothing_out)
{
    const uint32_t sides[] = {8, 32, 64};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        struct pixels_shape s = pixels_shape_of(sides[i]);
        assert_int_equal(s.side, sides[i]);
        compare(&s, 60, 900, 12, true);
        compare(&s, 60, 900, 0, true);
    }
    assert_int_equal(pixels_shape_of(100).side, 0);
}

/* Nearly flat pictures of every brightness, in an order that finds near ones early: means round up and down, and what
 * they are apart is mostly rounding. */
TEST(rounding_leaves_nothing_out)
{
    enum { N = 1200, SIDE = 8 };
    struct pixels_shape s = pixels_shape_of(SIDE);
    uint8_t *rows = xmalloc((size_t)N * s.size);
    for (uint32_t i = 0; i < N; i++) {
        uint8_t *row = rows + (size_t)i * s.size;
        uint32_t bright = i * 491 % N;
        memset(row, (int)(bright / 16), s.size);
        memset(row, (int)(bright / 16 + 1), s.size * (bright % 16) / 16);
    }
    struct nearest *found = lists_new(N, K), *want = lists_new(N, K);
    search(&s, rows, N, rows, N, found);
    brute_force(rows, N, rows, N, s.size, want);
    check_equal(found, want, N);
    lists_free(found);
    lists_free(want);
    free(rows);
}

/* Sums of 256 x 256 pixels pass 31 bits. */
TEST(black_and_white)
{
    struct pixels_shape s = pixels_shape_of(256);
    enum { N = 12 };
    uint8_t *rows = xmalloc((size_t)N * s.size);
    for (uint32_t i = 0; i < N; i++) {
        memset(rows + (size_t)i * s.size, i % 2 ? 255 : 0, s.size);
        rows[(size_t)i * s.size + i] = (uint8_t)(i * 20);
    }
    struct nearest *found = lists_new(N, K), *want = lists_new(N, K);
    search(&s, rows, N, rows, N, found);
    brute_force(rows, N, rows, N, s.size, want);
    check_equal(found, want, N);
    assert_true(found[0].at[N - 1].distance > 1.2e10);
    assert_true((double)pixels_distance(rows, rows + s.size, s.size) > 1.2e10);
    lists_free(found);
    lists_free(want);
    free(rows);
}

TEST(fewer_references_than_asked_for)
{
    compare(&(struct pixels_shape){48, 0}, 5, 7, 0, true);
    compare(&(struct pixels_shape){48, 0}, 1, 1, 0, true);
}

static int number_references(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < REFERENCES; i++) {
        numbers[i] = i;
    }
    return 0;
}

TESTS_SHARE(number_references, NULL)

int main(int argc, char **argv)
{
    int failed = unit_run();
    if (failed == 0 && argc == 1 && !getenv("ONEDNN_MAX_CPU_ISA")) { /* oneDNN reads it once */
        setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1);
        execv("/proc/self/exe", argv);
    }
    return failed;
}
