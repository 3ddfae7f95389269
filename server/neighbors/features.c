/* features.c - tiles of queries and references: |b|^2 - 2 a b in floats for all of a tile, compared with what a query's
 * list would still take, 16 at a time. */
#include "neighbors/features.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "linalg/matrix.h"

enum { TILE_QUERIES = 1024, TILE_REFERENCES = 1024, LANES = 16, HALF = LANES / 2 };
typedef float floats __attribute__((vector_size(LANES * 4)));
typedef int32_t ints __attribute__((vector_size(LANES * 4)));
typedef float half_floats __attribute__((vector_size(HALF * 4)));
typedef double doubles __attribute__((vector_size(HALF * 8)));

#define INLINE __attribute__((always_inline)) static inline

struct features_side {
    uint32_t size, n;
    const float *rows;
    double *squares;     /* of each row */
    float *near_squares; /* the same, rounded; LANES more than rows */
    double longest;      /* root of the largest */
};

struct features_side *features_side_new(uint32_t size, const float *rows, uint32_t n)
{
    struct features_side *s = xcalloc(1, sizeof *s);
    *s = (struct features_side){.size = size, .n = n, .rows = rows};
    s->squares = xcalloc(n + 1, sizeof *s->squares);
    s->near_squares = xcalloc((size_t)n + LANES, sizeof *s->near_squares);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < size; k++) {
            double x = rows[(size_t)i * size + k];
            s->squares[i] += x * x;
        }
        s->near_squares[i] = (float)s->squares[i];
        s->longest = fmax(s->longest, sqrt(s->squares[i]));
    }
    return s;
}

void features_side_free(struct features_side *s)
{
    if (s) {
        free(s->squares);
        free(s->near_squares);
        free(s);
    }
}

/* ------------------------------------------------------------------ one pair */

/* What follows the last whole vector is added to the first lanes; then the lanes, in their order. */
INLINE double add_up(double total[HALF], const float *a, const float *b, size_t from, size_t size)
{
    double sum = 0;
    for (size_t i = from; i < size; i++) {
        double by = (double)a[i] - (double)b[i];
        total[i - from] += by * by;
    }
    for (int lane = 0; lane < HALF; lane++) {
        sum += total[lane];
    }
    return sum;
}

INLINE double distance_of(const float *a, const float *b, size_t size)
{
    doubles total = {0};
    double lanes[HALF];
    size_t i = 0;
    for (; i + HALF <= size; i += HALF) {
        half_floats x, y;
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        doubles by = __builtin_convertvector(x, doubles) - __builtin_convertvector(y, doubles);
        total += by * by;
    }
    memcpy(lanes, &total, sizeof lanes);
    return add_up(lanes, a, b, i, size);
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static double distance_avx512(const float *a, const float *b, size_t size)
{
    return distance_of(a, b, size);
}

/* The same lanes as two vectors: the compiler converts wider ones number by number here. */
__attribute__((target("avx2"))) static double distance_avx2(const float *a, const float *b, size_t size)
{
    __m256d low = _mm256_setzero_pd(), high = low;
    double lanes[HALF];
    size_t i = 0;
    for (; i + HALF <= size; i += HALF) {
        __m256d x = _mm256_cvtps_pd(_mm_loadu_ps(a + i)) - _mm256_cvtps_pd(_mm_loadu_ps(b + i));
        __m256d y = _mm256_cvtps_pd(_mm_loadu_ps(a + i + HALF / 2)) - _mm256_cvtps_pd(_mm_loadu_ps(b + i + HALF / 2));
        low += x * x;
        high += y * y;
    }
    _mm256_storeu_pd(lanes, low);
    _mm256_storeu_pd(lanes + HALF / 2, high);
    return add_up(lanes, a, b, i, size);
}
#endif

static double distance(const float *a, const float *b, size_t size)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        return distance_avx512(a, b, size);
    }
    if (__builtin_cpu_supports("avx2")) {
        return distance_avx2(a, b, size);
    }
#endif
    return distance_of(a, b, size);
}

/* ------------------------------------------------------------------ tiles */

struct tile {
    const struct features_side *queries, *references;
    const uint32_t *numbers; /* of the references */
    uint32_t q, nq, r, nr;
    float *products; /* TILE_QUERIES x TILE_REFERENCES, and LANES that do not count */
};

/* What |b|^2 - 2 a b in floats may be off by: a product of n numbers by n / 2^24 of |a| |b|, however it is summed, and
 * some roundings more. */
static double off_by(const struct tile *t, uint32_t i)
{
    const double unit = 0x1p-24, longest = t->references->longest;
    double both = sqrt(t->queries->squares[t->q + i]) * longest;
    return 2 * (t->queries->size + 8.0) * unit * both + 8 * unit * longest * longest;
}

/* A list that has room still takes everything; the nearest of the tile alone say what it will not. */
static double reach_in_tile(const struct tile *t, uint32_t i, const struct nearest *l)
{
    struct neighbor at[NEAREST_MOST];
    struct nearest nearest = {at, 0, l->most};
    const float *row = t->products + (size_t)i * TILE_REFERENCES;
    for (uint32_t j = 0; j < t->nr; j++) {
        nearest_add(&nearest, (struct neighbor){(double)t->references->near_squares[t->r + j] - 2 * (double)row[j], j});
    }
    return nearest_reach(&nearest) + t->queries->squares[t->q + i] + 2 * off_by(t, i);
}

/* Whether any of LANES references could be nearer. */
static bool any_within(const float *squares, const float *products, float reach)
{
    floats b, ab;
    uint64_t found[sizeof(ints) / sizeof(uint64_t)], any = 0;
    memcpy(&b, squares, sizeof b);
    memcpy(&ab, products, sizeof ab);
    ints within = b - 2 * ab <= reach;
    memcpy(found, &within, sizeof found);
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        any |= found[i];
    }
    return any != 0;
}

/* The number that |b|^2 - 2 a b in floats is not above when the distance is at most `reach`. */
static float compared(const struct tile *t, uint32_t i, double reach)
{
    return nextafterf((float)(reach - t->queries->squares[t->q + i] + off_by(t, i)), INFINITY);
}

static void take_row(const struct tile *t, uint32_t i, struct nearest *l)
{
    const struct features_side *a = t->queries, *b = t->references;
    const float *squares = b->near_squares + t->r, *products = t->products + (size_t)i * TILE_REFERENCES;
    double reach = l->n < l->most ? reach_in_tile(t, i, l) : nearest_reach(l);
    float limit = compared(t, i, reach);
    for (uint32_t block = 0; block < t->nr; block += LANES) {
        if (!any_within(squares + block, products + block, limit)) {
            continue;
        }
        for (uint32_t j = block; j < block + LANES && j < t->nr; j++) {
            if (squares[j] - 2 * products[j] <= limit) {
                double d = distance(a->rows + (size_t)(t->q + i) * a->size, b->rows + (size_t)(t->r + j) * b->size, a->size);
                nearest_add(l, (struct neighbor){d, t->numbers[t->r + j]});
                limit = compared(t, i, fmin(reach, nearest_reach(l)));
            }
        }
    }
}

static void search_tile(const struct tile *t, struct nearest *lists)
{
    const struct features_side *a = t->queries, *b = t->references;
    matrix_product(false, true, t->nq, t->nr, a->size, 1, a->rows + (size_t)t->q * a->size, a->size,
                   b->rows + (size_t)t->r * b->size, b->size, 0, t->products, TILE_REFERENCES);
    for (uint32_t i = 0; i < t->nq; i++) {
        take_row(t, i, &lists[t->q + i]);
    }
}

void features_search(const struct features_side *queries, uint32_t from, uint32_t to,
                     const struct features_side *references, const uint32_t *numbers, struct nearest *lists)
{
    BUG_IF(queries->size != references->size);
    struct tile t = {.queries = queries, .references = references, .numbers = numbers,
                     .products = xcalloc(TILE_QUERIES * TILE_REFERENCES + LANES, sizeof *t.products)};
    for (t.q = from; t.q < to; t.q += t.nq) {
        t.nq = to - t.q < TILE_QUERIES ? to - t.q : TILE_QUERIES;
        for (t.r = 0; t.r < references->n; t.r += t.nr) {
            t.nr = references->n - t.r < TILE_REFERENCES ? references->n - t.r : TILE_REFERENCES;
            search_tile(&t, lists);
        }
    }
    free(t.products);
}
