/* pixels.c - tiles of queries and references: inner products by linalg, distances from them and from the squares of
 * both sides. a is bytes without sign, b bytes with sign, b = reference - 128: a b + 128 sum(a) is the product. */
#include "neighbors/pixels.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "linalg/bytes.h"

enum {
    TILE_QUERIES = 512,
    TILE_REFERENCES = 512,
    LEAST_SIDE = 64,        /* of pictures whose blocks are worth a look */
    LOW_BITS = 7,           /* of a block's sum: both parts are bytes below 128 */
    ONE_BY_ONE = 48         /* pairs that cost as much one by one as this many times the pairs in a product */
};

struct pixels_side {
    struct pixels_shape shape;
    uint32_t n;
    const uint8_t *rows;
    int8_t *centred;         /* rows - 128, of references */
    uint64_t *squares;       /* of each row */
    uint64_t *sums;
    size_t blocks;           /* sums of a row; 0: none are compared */
    uint8_t *high, *low;     /* n x blocks */
    uint64_t *block_squares; /* of a row's sums */
};

struct pixels_shape pixels_shape_of(uint32_t side)
{
    return (struct pixels_shape){side * side * 3, side >= LEAST_SIDE && side % PIXELS_BLOCK == 0 ? side : 0};
}

/* ------------------------------------------------------------------ sides */

static void sum_blocks(const struct pixels_side *s, uint32_t row)
{
    const uint32_t across = s->shape.side / PIXELS_BLOCK;
    const uint8_t *p = s->rows + (size_t)row * s->shape.size;
    uint32_t *sums = xcalloc(s->blocks, sizeof *sums);
    for (uint32_t y = 0; y < s->shape.side; y++) {
        for (uint32_t x = 0; x < s->shape.side; x++, p += 3) {
            uint32_t *block = sums + ((size_t)(y / PIXELS_BLOCK) * across + x / PIXELS_BLOCK) * 3;
            for (int channel = 0; channel < 3; channel++) {
                block[channel] += p[channel];
            }
        }
    }
    for (size_t i = 0; i < s->blocks; i++) {
        s->high[row * s->blocks + i] = (uint8_t)(sums[i] >> LOW_BITS);
        s->low[row * s->blocks + i] = (uint8_t)(sums[i] & ((1 << LOW_BITS) - 1));
        s->block_squares[row] += (uint64_t)sums[i] * sums[i];
    }
    free(sums);
}

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
        s->blocks = (size_t)(shape->side / PIXELS_BLOCK) * (shape->side / PIXELS_BLOCK) * 3;
        s->high = xmalloc(n * s->blocks + 1);
        s->low = xmalloc(n * s->blocks + 1);
        s->block_squares = xcalloc(n + 1, sizeof *s->block_squares);
        for (uint32_t i = 0; i < n; i++) {
            sum_blocks(s, i);
        }
    }
    return s;
}

void pixels_side_free(struct pixels_side *s)
{
    if (s) {
        free(s->centred);
        free(s->squares);
        free(s->sums);
        free(s->high);
        free(s->low);
        free(s->block_squares);
        free(s);
    }
}

/* ------------------------------------------------------------------ distances */

uint64_t pixels_distance(const uint8_t *a, const uint8_t *b, size_t size)
{
    uint64_t sum = 0;
    while (size) { /* pieces whose sum fits in 32 bits */
        size_t n = size < 1 << 15 ? size : 1 << 15;
        int32_t part = 0;
        for (size_t i = 0; i < n; i++) {
            int16_t d = (int16_t)(a[i] - b[i]);
            part += (int32_t)d * d;
        }
        sum += (uint32_t)part;
        a += n;
        b += n;
        size -= n;
    }
    return sum;
}

/* One tile: queries q to q + nq, references r to r + nr. */
struct tile {
    const struct pixels_side *queries, *references;
    const uint32_t *numbers; /* of the references */
    uint32_t q, nq, r, nr;
    int32_t *part;      /* TILE_QUERIES x TILE_REFERENCES each */
    int64_t *products;
};

/* products += factor * a b', whatever the length of the rows. */
static void add_products(struct tile *t, const uint8_t *a, const int8_t *b, size_t size, int64_t factor)
{
    for (size_t at = 0; at < size; at += BYTES_DEPTH / 2) {
        size_t n = size - at < BYTES_DEPTH / 2 ? size - at : BYTES_DEPTH / 2;
        bytes_product(t->nq, t->nr, n, a + t->q * size + at, size, b + t->r * size + at, size, t->part);
        for (size_t i = 0; i < (size_t)t->nq * t->nr; i++) {
            t->products[i] += factor * t->part[i];
        }
    }
}

static void no_products(struct tile *t)
{
    memset(t->products, 0, (size_t)t->nq * t->nr * sizeof *t->products);
}

/* Whole distances of a tile, in its products. */
static void measure_pixels(struct tile *t)
{
    const struct pixels_side *a = t->queries, *b = t->references;
    no_products(t);
    add_products(t, a->rows, b->centred, a->shape.size, 1);
    for (uint32_t i = 0; i < t->nq; i++) {
        int64_t *row = t->products + (size_t)i * t->nr;
        int64_t own = (int64_t)a->squares[t->q + i] - 256 * (int64_t)a->sums[t->q + i];
        for (uint32_t j = 0; j < t->nr; j++) {
            row[j] = own + (int64_t)b->squares[t->r + j] - 2 * row[j];
        }
    }
}

/* Squared distances of the sums of blocks: at most 64 times the whole distance. */
static void measure_blocks(struct tile *t)
{
    const struct pixels_side *a = t->queries, *b = t->references;
    const int8_t *high = (const int8_t *)b->high, *low = (const int8_t *)b->low; /* below 128 */
    no_products(t);
    add_products(t, a->high, high, a->blocks, (int64_t)1 << (2 * LOW_BITS));
    add_products(t, a->high, low, a->blocks, (int64_t)1 << LOW_BITS);
    add_products(t, a->low, high, a->blocks, (int64_t)1 << LOW_BITS);
    add_products(t, a->low, low, a->blocks, 1);
    for (uint32_t i = 0; i < t->nq; i++) {
        int64_t *row = t->products + (size_t)i * t->nr, own = (int64_t)a->block_squares[t->q + i];
        for (uint32_t j = 0; j < t->nr; j++) {
            row[j] = own + (int64_t)b->block_squares[t->r + j] - 2 * row[j];
        }
    }
}

/* ------------------------------------------------------------------ search */

static void take_all(const struct tile *t, struct nearest *lists)
{
    for (uint32_t i = 0; i < t->nq; i++) {
        struct nearest *l = &lists[t->q + i];
        const int64_t *row = t->products + (size_t)i * t->nr;
        double reach = nearest_reach(l);
        for (uint32_t j = 0; j < t->nr; j++) {
            if ((double)row[j] <= reach) {
                nearest_add(l, (struct neighbor){(double)row[j], t->numbers[t->r + j]});
                reach = nearest_reach(l);
            }
        }
    }
}

static bool could_be_near(int64_t blocks, double reach)
{
    return (double)blocks <= reach * (PIXELS_BLOCK * PIXELS_BLOCK);
}

static size_t count_possible(const struct tile *t, const struct nearest *lists)
{
    size_t n = 0;
    for (uint32_t i = 0; i < t->nq; i++) {
        double reach = nearest_reach(&lists[t->q + i]);
        for (uint32_t j = 0; j < t->nr; j++) {
            n += could_be_near(t->products[(size_t)i * t->nr + j], reach);
        }
    }
    return n;
}

static void take_possible(const struct tile *t, struct nearest *lists)
{
    const struct pixels_side *a = t->queries, *b = t->references;
    const size_t size = a->shape.size;
    for (uint32_t i = 0; i < t->nq; i++) {
        struct nearest *l = &lists[t->q + i];
        for (uint32_t j = 0; j < t->nr; j++) {
            if (could_be_near(t->products[(size_t)i * t->nr + j], nearest_reach(l))) {
                uint64_t d = pixels_distance(a->rows + (t->q + i) * size, b->rows + (t->r + j) * size, size);
                nearest_add(l, (struct neighbor){(double)d, t->numbers[t->r + j]});
            }
        }
    }
}

static void search_tile(struct tile *t, struct nearest *lists)
{
    if (t->queries->blocks) {
        measure_blocks(t);
        if (count_possible(t, lists) * ONE_BY_ONE < (size_t)t->nq * t->nr) {
            take_possible(t, lists);
            return;
        }
    }
    measure_pixels(t);
    take_all(t, lists);
}

void pixels_search(const struct pixels_side *queries, uint32_t from, uint32_t to, const struct pixels_side *references,
                   const uint32_t *numbers, struct nearest *lists)
{
    BUG_IF(queries->shape.size != references->shape.size || queries->shape.side != references->shape.side ||
           !references->centred);
    struct tile t = {.queries = queries, .references = references, .numbers = numbers,
                     .part = xmalloc(sizeof *t.part * TILE_QUERIES * TILE_REFERENCES),
                     .products = xmalloc(sizeof *t.products * TILE_QUERIES * TILE_REFERENCES)};
    for (t.q = from; t.q < to; t.q += t.nq) {
        t.nq = to - t.q < TILE_QUERIES ? to - t.q : TILE_QUERIES;
        for (t.r = 0; t.r < references->n; t.r += t.nr) {
            t.nr = references->n - t.r < TILE_REFERENCES ? references->n - t.r : TILE_REFERENCES;
            search_tile(&t, lists);
        }
    }
    free(t.part);
    free(t.products);
}
