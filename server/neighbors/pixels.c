/* pixels.c - tiles of queries and references: inner products by linalg, distances from them and from the squares of
 * both sides. a is bytes without sign, b bytes with sign, b = reference - 128: a b + 128 sum(a) is the product. */
#include "neighbors/pixels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "linalg/bytes.h"

enum {
    TILE_QUERIES = 512,
    TILE_REFERENCES = 512,
    BLOCK_PIXELS = PIXELS_BLOCK * PIXELS_BLOCK,
    STEP = 1024,            /* bytes of a pair after which it may turn out to be too far apart */
    ONE_BY_ONE = 8          /* a pair one by one costs as much as this many in a product */
};

struct pixels_side {
    struct pixels_shape shape;
    uint32_t n;
    const uint8_t *rows;
    int8_t *centred;         /* rows - 128, of references */
    uint64_t *squares;       /* of each row */
    uint64_t *sums;
    struct pixels_side *means; /* of blocks, rounded to bytes: shorter vectors; NULL: none are compared */
    double *rounding;          /* of each row: the length of the vector of what rounding took from its blocks' sums */
};

struct pixels_shape pixels_shape_of(uint32_t side)
{
    return (struct pixels_shape){side * side * 3, side % PIXELS_BLOCK == 0 ? side : 0};
}

/* ------------------------------------------------------------------ sides */

static void sum_row(struct pixels_side *s, uint32_t i)
{
    const uint8_t *row = s->rows + (size_t)i * s->shape.size;
    for (uint32_t k = 0; k < s->shape.size; k++) {
        s->squares[i] += (uint64_t)row[k] * row[k];
        s->sums[i] += row[k];
    }
}

static void centre_row(struct pixels_side *s, uint32_t i)
{
    const uint8_t *row = s->rows + (size_t)i * s->shape.size;
    int8_t *centred = s->centred + (size_t)i * s->shape.size;
    for (uint32_t k = 0; k < s->shape.size; k++) {
        centred[k] = (int8_t)(row[k] - 128);
    }
}

/* The means of a row's blocks; what rounding takes from their sums is at most half a block's pixels each. */
static double mean_row(const struct pixels_shape *shape, const uint8_t *p, uint32_t *sums, uint8_t *means)
{
    const uint32_t across = shape->side / PIXELS_BLOCK, blocks = across * across * 3;
    memset(sums, 0, blocks * sizeof *sums);
    for (uint32_t y = 0; y < shape->side; y++) {
        for (uint32_t x = 0; x < shape->side; x++, p += 3) {
            uint32_t *block = sums + ((size_t)(y / PIXELS_BLOCK) * across + x / PIXELS_BLOCK) * 3;
            for (int channel = 0; channel < 3; channel++) {
                block[channel] += p[channel];
            }
        }
    }
    double squares = 0;
    for (uint32_t i = 0; i < blocks; i++) {
        means[i] = (uint8_t)((sums[i] + BLOCK_PIXELS / 2) / BLOCK_PIXELS);
        double taken = (double)sums[i] - (double)means[i] * BLOCK_PIXELS;
        squares += taken * taken;
    }
    return sqrt(squares);
}

static void add_means(struct pixels_side *s, bool references)
{
    const uint32_t across = s->shape.side / PIXELS_BLOCK;
    const struct pixels_shape shape = {across * across * 3, 0};
    uint8_t *means = xmalloc((size_t)s->n * shape.size + 1);
    uint32_t *sums = xcalloc(shape.size, sizeof *sums);
    s->rounding = xcalloc(s->n + 1, sizeof *s->rounding);
    for (uint32_t i = 0; i < s->n; i++) {
        s->rounding[i] = mean_row(&s->shape, s->rows + (size_t)i * s->shape.size, sums, means + (size_t)i * shape.size);
    }
    free(sums);
    s->means = pixels_side_new(&shape, means, s->n, references);
}

struct pixels_side *pixels_side_new(const struct pixels_shape *shape, const uint8_t *rows, uint32_t n, bool references)
{
    struct pixels_side *s = xcalloc(1, sizeof *s);
    *s = (struct pixels_side){.shape = *shape, .n = n, .rows = rows};
    s->squares = xcalloc(n + 1, sizeof *s->squares);
    s->sums = xcalloc(n + 1, sizeof *s->sums);
    s->centred = references ? xmalloc((size_t)n * shape->size + 1) : NULL;
    for (uint32_t i = 0; i < n; i++) {
        sum_row(s, i);
        if (references) {
            centre_row(s, i);
        }
    }
    if (shape->side) {
        add_means(s, references);
    }
    return s;
}

void pixels_side_free(struct pixels_side *s)
{
    if (s && s->means) {
        free((void *)(uintptr_t)s->means->rows);
        pixels_side_free(s->means);
    }
    if (s) {
        free(s->centred);
        free(s->squares);
        free(s->sums);
        free(s->rounding);
        free(s);
    }
}

/* ------------------------------------------------------------------ distances */

/* Of at most STEP bytes. */
__attribute__((optimize("O3"))) static uint32_t distance_of_step(const uint8_t *restrict a, const uint8_t *restrict b, size_t n)
{
    int32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        int16_t d = (int16_t)(a[i] - b[i]);
        sum += (int32_t)d * d;
    }
    return (uint32_t)sum;
}

/* The distance of two vectors; of those farther apart than `most`, some number above it. */
static uint64_t distance_within(const uint8_t *a, const uint8_t *b, size_t size, double most)
{
    uint64_t sum = 0;
    for (size_t at = 0; at < size && (double)sum <= most; at += STEP) {
        sum += distance_of_step(a + at, b + at, size - at < STEP ? size - at : STEP);
    }
    return sum;
}

uint64_t pixels_distance(const uint8_t *a, const uint8_t *b, size_t size)
{
    return distance_within(a, b, size, (double)INFINITY);
}

/* One tile: queries q to q + nq, references r to r + nr. */
struct tile {
    const struct pixels_side *queries, *references;
    const uint32_t *numbers; /* of the references */
    uint32_t q, nq, r, nr;
    int32_t *part;      /* TILE_QUERIES x TILE_REFERENCES each */
    int64_t *distances;
};

/* distances += a b' of the rows of two sides, whatever their length. */
static void add_products(struct tile *t, const uint8_t *a, const int8_t *b, size_t size)
{
    memset(t->distances, 0, (size_t)t->nq * t->nr * sizeof *t->distances);
    for (size_t at = 0; at < size; at += BYTES_DEPTH / 2) {
        size_t n = size - at < BYTES_DEPTH / 2 ? size - at : BYTES_DEPTH / 2;
        bytes_product(t->nq, t->nr, n, a + t->q * size + at, size, b + t->r * size + at, size, t->part);
        for (size_t i = 0; i < (size_t)t->nq * t->nr; i++) {
            t->distances[i] += t->part[i];
        }
    }
}

/* All distances of a tile between the rows of these sides: its own, or their means. */
static void measure(struct tile *t, const struct pixels_side *a, const struct pixels_side *b)
{
    add_products(t, a->rows, b->centred, a->shape.size);
    for (uint32_t i = 0; i < t->nq; i++) {
        int64_t *row = t->distances + (size_t)i * t->nr;
        int64_t own = (int64_t)a->squares[t->q + i] - 256 * (int64_t)a->sums[t->q + i];
        for (uint32_t j = 0; j < t->nr; j++) {
            row[j] = own + (int64_t)b->squares[t->r + j] - 2 * row[j];
        }
    }
}

/* ------------------------------------------------------------------ search */

static void take_all(const struct tile *t, struct nearest *lists)
{
    for (uint32_t i = 0; i < t->nq; i++) {
        struct nearest *l = &lists[t->q + i];
        const int64_t *row = t->distances + (size_t)i * t->nr;
        double reach = nearest_reach(l);
        for (uint32_t j = 0; j < t->nr; j++) {
            if ((double)row[j] <= reach) {
                nearest_add(l, (struct neighbor){(double)row[j], t->numbers[t->r + j]});
                reach = nearest_reach(l);
            }
        }
    }
}

static double most_rounding(const struct tile *t)
{
    double most = 0;
    for (uint32_t j = 0; j < t->nr; j++) {
        most = fmax(most, t->references->rounding[t->r + j]);
    }
    return most;
}

/* What the means of a query and a reference may be apart when their pixels are within `reach`. With B pixels a block,
 * sums of blocks S = B m + e: B |m - m'| <= |S - S'| + |e| + |e'|, and |S - S'| <= sqrt(B reach). Doubles round by less
 * than what is added. */
static int64_t limit_of_means(double reach, double rounding)
{
    double apart = (sqrt(reach * BLOCK_PIXELS) + rounding) / BLOCK_PIXELS;
    double limit = apart * apart * (1 + 1e-9) + 1e-9;
    return limit < (double)(INT64_MAX / 2) ? (int64_t)limit : INT64_MAX;
}

__attribute__((optimize("O3"))) static uint32_t count_within(const int64_t *restrict row, uint32_t n, int64_t limit)
{
    uint32_t within = 0;
    for (uint32_t j = 0; j < n; j++) {
        within += row[j] <= limit;
    }
    return within;
}

static size_t count_possible(const struct tile *t, const struct nearest *lists, double rounding)
{
    size_t n = 0;
    for (uint32_t i = 0; i < t->nq; i++) {
        uint32_t q = t->q + i;
        n += count_within(t->distances + (size_t)i * t->nr, t->nr,
                          limit_of_means(nearest_reach(&lists[q]), rounding + t->queries->rounding[q]));
    }
    return n;
}

static void take_possible(const struct tile *t, struct nearest *lists, double rounding)
{
    const struct pixels_side *a = t->queries, *b = t->references;
    const size_t size = a->shape.size;
    for (uint32_t i = 0; i < t->nq; i++) {
        struct nearest *l = &lists[t->q + i];
        const int64_t *means = t->distances + (size_t)i * t->nr;
        int64_t limit = limit_of_means(nearest_reach(l), rounding + a->rounding[t->q + i]);
        for (uint32_t j = 0; j < t->nr; j++) {
            if (means[j] <= limit) {
                double reach = nearest_reach(l);
                uint64_t d = distance_within(a->rows + (t->q + i) * size, b->rows + (t->r + j) * size, size, reach);
                if ((double)d <= reach) {
                    nearest_add(l, (struct neighbor){(double)d, t->numbers[t->r + j]});
                    limit = limit_of_means(nearest_reach(l), rounding + a->rounding[t->q + i]);
                }
            }
        }
    }
}

static void search_tile(struct tile *t, struct nearest *lists)
{
    if (t->queries->means) {
        double rounding = most_rounding(t);
        measure(t, t->queries->means, t->references->means);
        if (count_possible(t, lists, rounding) * ONE_BY_ONE < (size_t)t->nq * t->nr) {
            take_possible(t, lists, rounding);
            return;
        }
    }
    measure(t, t->queries, t->references);
    take_all(t, lists);
}

void pixels_search(const struct pixels_side *queries, uint32_t from, uint32_t to, const struct pixels_side *references,
                   const uint32_t *numbers, struct nearest *lists)
{
    BUG_IF(queries->shape.size != references->shape.size || queries->shape.side != references->shape.side ||
           !references->centred);
    struct tile t = {.queries = queries, .references = references, .numbers = numbers,
                     .part = xmalloc(sizeof *t.part * TILE_QUERIES * TILE_REFERENCES),
                     .distances = xmalloc(sizeof *t.distances * TILE_QUERIES * TILE_REFERENCES)};
    for (t.q = from; t.q < to; t.q += t.nq) {
        t.nq = to - t.q < TILE_QUERIES ? to - t.q : TILE_QUERIES;
        for (t.r = 0; t.r < references->n; t.r += t.nr) {
            t.nr = references->n - t.r < TILE_REFERENCES ? references->n - t.r : TILE_REFERENCES;
            search_tile(&t, lists);
        }
    }
    free(t.part);
    free(t.distances);
}
