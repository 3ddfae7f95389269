/* ours.c - how many pairs a second the search of server/neighbors compares, as one line of JSON.
 *
 *     nearest pixels|features QUERIES REFERENCES SIZE THREADS    the 30 nearest of each query, random vectors
 *     nearest pictures QUERIES REFERENCES SIDE THREADS [plain]   the same, smooth pictures; plain: blocks are not compared
 *     nearest dssim 0 PAIRS SIDE WINDOW                          one thread, every pair prepared beforehand */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "base/xalloc.h"
#include "neighbors/features.h"
#include "neighbors/pixels.h"
#include "neighbors/ssim.h"

enum { K = 30 };

struct search {
    const struct pixels_side *queries, *references;
    const struct features_side *fq, *fr;
    struct nearest *lists;
    uint32_t *numbers, from, to;
};

static void *run_search(void *arg)
{
    struct search *s = arg;
    if (s->queries) {
        pixels_search(s->queries, s->from, s->to, s->references, s->numbers, s->lists);
    } else {
        features_search(s->fq, s->from, s->to, s->fr, s->numbers, s->lists);
    }
    return NULL;
}

static double search_all(struct search *all, uint32_t n, uint32_t references, int threads)
{
    all->numbers = xmalloc(references * sizeof *all->numbers);
    for (uint32_t i = 0; i < references; i++) {
        all->numbers[i] = i;
    }
    pthread_t thread[64];
    struct search part[64];
    struct nearest *lists = xcalloc(n, sizeof *lists);
    for (uint32_t i = 0; i < n; i++) {
        lists[i] = (struct nearest){xcalloc(K, sizeof *lists->at), 0, K};
    }
    int64_t begun = clock_mono_ns();
    for (int i = 0; i < threads; i++) {
        part[i] = *all;
        part[i].lists = lists;
        part[i].from = n / (uint32_t)threads * (uint32_t)i;
        part[i].to = i + 1 == threads ? n : n / (uint32_t)threads * (uint32_t)(i + 1);
        if (pthread_create(&thread[i], NULL, run_search, &part[i]) != 0) {
            abort();
        }
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(thread[i], NULL);
    }
    return (double)(clock_mono_ns() - begun) / 1e9;
}

/* Pictures have large shapes in common with few others. */
static void draw(struct rng *r, uint8_t *p, uint32_t side)
{
    double at[12];
    for (int i = 0; i < 12; i++) {
        at[i] = rng_unit(r);
    }
    for (uint32_t y = 0; y < side; y++) {
        for (uint32_t x = 0; x < side; x++) {
            for (int c = 0; c < 3; c++) {
                double v = 127 + 90 * ((at[c] - .5) + (at[3 + c] - .5) * x / side + (at[6 + c] - .5) * y / side);
                *p++ = (uint8_t)(v + (double)rng_below(r, 24));
            }
        }
    }
}

static uint32_t number(const char *text)
{
    return (uint32_t)strtoul(text, NULL, 10);
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        return 2;
    }
    uint32_t nq = number(argv[2]), nr = number(argv[3]), size = number(argv[4]);
    int threads = (int)number(argv[5]);
    struct rng r;
    rng_seed(&r, 1);
    double seconds, pairs = (double)nq * nr;
    if (strcmp(argv[1], "features") == 0) {
        float *q = xmalloc((size_t)nq * size * sizeof *q), *b = xmalloc((size_t)nr * size * sizeof *b);
        for (size_t i = 0; i < (size_t)nq * size; i++) {
            q[i] = (float)rng_unit(&r);
        }
        for (size_t i = 0; i < (size_t)nr * size; i++) {
            b[i] = (float)rng_unit(&r);
        }
        struct search s = {.fq = features_side_new(size, q, nq), .fr = features_side_new(size, b, nr)};
        seconds = search_all(&s, nq, nr, threads);
    } else if (strcmp(argv[1], "dssim") == 0) {
        struct ssim_shape shape = {size, size, (uint32_t)threads};
        struct ssim_picture picture[8];
        uint8_t *rgb = xmalloc((size_t)size * size * 3);
        void *scratch = xmalloc(ssim_scratch(&shape));
        double sum = 0;
        for (int i = 0; i < 8; i++) {
            draw(&r, rgb, size);
            ssim_prepare(&shape, rgb, xmalloc(ssim_size(&shape)), &picture[i]);
        }
        int64_t begun = clock_mono_ns();
        for (uint32_t i = 0; i < nr; i++) {
            sum += ssim_distance(&shape, &picture[i % 8], &picture[(i / 8 + i) % 8], scratch);
        }
        seconds = (double)(clock_mono_ns() - begun) / 1e9 + (sum < 0);
        pairs = nr;
    } else {
        bool pictures = strcmp(argv[1], "pictures") == 0;
        struct pixels_shape shape = pictures ? pixels_shape_of(size) : (struct pixels_shape){size, 0};
        uint8_t *q = xmalloc((size_t)nq * shape.size), *b = xmalloc((size_t)nr * shape.size);
        for (size_t i = 0; !pictures && i < (size_t)nq * shape.size; i++) {
            q[i] = (uint8_t)rng_below(&r, 256);
        }
        for (size_t i = 0; !pictures && i < (size_t)nr * shape.size; i++) {
            b[i] = (uint8_t)rng_below(&r, 256);
        }
        for (uint32_t i = 0; pictures && i < nq; i++) {
            draw(&r, q + (size_t)i * shape.size, size);
        }
        for (uint32_t i = 0; pictures && i < nr; i++) {
            draw(&r, b + (size_t)i * shape.size, size);
        }
        shape.side = argc > 6 ? 0 : shape.side;
        struct search s = {.queries = pixels_side_new(&shape, q, nq, false), .references = pixels_side_new(&shape, b, nr, true)};
        seconds = search_all(&s, nq, nr, threads);
    }
    printf("{\"pairs_per_second\":%.1f}\n", pairs / seconds);
    return 0;
}
