/* moments.c - products of columns, in tiles that are each summed by one thread in the order
 * of the rows: float products of a block of rows by oneDNN, added up in doubles. */
#include <stdlib.h>

#include "base/parallel.h"
#include "base/xalloc.h"
#include "infer/train/private.h"
#include "linalg/matrix.h"

/* A tile of doubles and one of floats fit into a core's own cache. */
enum { TILE = 192 };

struct adding {
    struct train_moments *m;
    const struct train_rows *r;
    const uint32_t *labels;
    size_t first, end, tiles;
    int sign;
    float *blocks; /* a tile for each worker */
};

void train_moments_init(struct train_moments *m, size_t width, size_t classes)
{
    *m = (struct train_moments){.width = width,
                                .classes = classes,
                                .products = xcalloc(width * width, sizeof(double)),
                                .sums = xcalloc(width * classes, sizeof(double)),
                                .counts = xcalloc(classes, sizeof(size_t))};
}

void train_moments_release(struct train_moments *m)
{
    free(m->products);
    free(m->sums);
    free(m->counts);
    *m = (struct train_moments){0};
}

static size_t tile_end(const struct adding *a, size_t tile)
{
    return (tile + 1) * TILE < a->r->width ? (tile + 1) * TILE : a->r->width;
}

static void add_tile(const struct adding *a, size_t down, size_t across, float *block)
{
    size_t top = down * TILE, left = across * TILE, width = a->r->width;
    size_t rows = tile_end(a, down) - top, columns = tile_end(a, across) - left;
    for (size_t first = a->first; first < a->end; first += TRAIN_BLOCK) {
        size_t n = a->end - first < TRAIN_BLOCK ? a->end - first : TRAIN_BLOCK;
        const float *x = a->r->at + first * width;
        matrix_product(true, false, rows, columns, n, 1, x + top, width, x + left, width, 0, block,
                       TILE);
        for (size_t i = 0; i < rows; i++) {
            double *out = a->m->products + (top + i) * width + left;
            for (size_t k = 0; k < columns; k++) {
                out[k] += a->sign * (double)block[i * TILE + k];
            }
        }
    }
}

static void add_sums(const struct adding *a, size_t tile)
{
    struct train_moments *m = a->m;
    for (size_t i = a->first; i < a->end; i++) {
        for (size_t k = tile * TILE; k < tile_end(a, tile); k++) {
            m->sums[k * m->classes + a->labels[i]] += a->sign * (double)a->r->at[i * m->width + k];
        }
    }
}

/* Piece i is a pair of tiles; those on the diagonal do the sums of their columns too. */
static void add_piece(void *arg, unsigned worker, size_t i)
{
    const struct adding *a = arg;
    size_t down = i / a->tiles, across = i % a->tiles;
    if (down <= across) {
        add_tile(a, down, across, a->blocks + (size_t)worker * TILE * TILE);
    }
    if (down == across) {
        add_sums(a, down);
    }
}

void train_moments_add(struct train_moments *m, const struct train_rows *r, const uint32_t *labels,
                       size_t first, size_t end, int sign, unsigned threads)
{
    struct adding a = {m, r, labels, first, end, (r->width + TILE - 1) / TILE, sign, NULL};
    threads = threads > PARALLEL_THREADS ? PARALLEL_THREADS : threads < 1 ? 1 : threads;
    a.blocks = xmalloc((size_t)threads * TILE * TILE * sizeof *a.blocks);
    parallel_for(threads, a.tiles * a.tiles, add_piece, &a);
    free(a.blocks);
    for (size_t i = first; i < end; i++) {
        m->counts[labels[i]] += (size_t)sign; /* -1 wraps around, which takes one away */
    }
    m->n += (size_t)sign * (end - first);
}
