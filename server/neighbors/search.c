/* search.c - a batch of queries and a block of references are read, made ready by the metric, and compared; lists are
 * handed on when a batch has seen all blocks. */
#include "neighbors/search.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/xalloc.h"
#include "neighbors/features.h"
#include "neighbors/pixels.h"
#include "neighbors/ssim.h"

/* Queries that one thread compares with a block at a time: as many as a product wants, few where pairs are slow. */
static uint32_t turn_of(const struct search *s, uint32_t queries)
{
    uint32_t most = s->metric.kind == SEARCH_SSIM ? 8 : 1024, share = queries / s->threads + 1;
    return share < most ? share : most;
}

size_t search_row_size(const struct search_metric *m)
{
    return m->kind == SEARCH_FEATURES ? m->size * sizeof(float) : (size_t)m->side * m->side * 3;
}

static struct ssim_shape ssim_shape(const struct search_metric *m)
{
    return (struct ssim_shape){m->side, m->side, m->window};
}

/* ------------------------------------------------------------------ rows in memory */

/* Rows `first` to before `first + n` of one side; those that could be read stand one after the other. */
struct rows {
    const struct search *search;
    const struct search_rows *of;
    bool references;
    uint32_t first, n, most;
    bool *there;
    uint32_t *row;       /* of the first `had`: which they are */
    uint32_t had;
    unsigned char *bytes;
    void *ready;         /* what the metric made of them */
    pthread_mutex_t lock; /* of err and rc */
    enum err_code rc;
    struct err *err;
};

/* Bytes that a row takes, with what the metric makes of it. */
static size_t memory_of_row(const struct search_metric *m, bool references)
{
    size_t row = search_row_size(m);
    struct ssim_shape shape = ssim_shape(m);
    return m->kind == SEARCH_SSIM ? row + ssim_size(&shape) + sizeof(struct ssim_picture)
           : m->kind == SEARCH_PIXELS && references ? 2 * row + row / 32 + 64
                                                    : row + row / 32 + 64;
}

static void rows_begin(struct rows *r, const struct search *s, bool references, struct err *err)
{
    const struct search_rows *of = references ? &s->references : &s->queries;
    /* Each batch reads all references again: most of the memory is the queries'. */
    size_t room = references ? s->memory / 8 : s->memory - s->memory / 8;
    size_t most = room / memory_of_row(&s->metric, references);
    most = !references && s->batch && s->batch < most ? s->batch : most;
    *r = (struct rows){.search = s, .of = of, .references = references, .err = err,
                       .most = most < 1 ? 1 : most < of->n ? (uint32_t)most : of->n};
    r->there = xcalloc(r->most + 1, sizeof *r->there);
    r->row = xcalloc(r->most + 1, sizeof *r->row);
    r->bytes = xmalloc(r->most * search_row_size(&s->metric) + 1);
    pthread_mutex_init(&r->lock, NULL);
}

static struct ssim_picture *pictures_new(const struct rows *r)
{
    struct ssim_shape shape = ssim_shape(&r->search->metric);
    struct ssim_picture *pictures = xcalloc(r->had + 1, sizeof *pictures);
    for (uint32_t i = 0; i < r->had; i++) {
        ssim_prepare(&shape, r->bytes + i * search_row_size(&r->search->metric), xmalloc(ssim_size(&shape)),
                     &pictures[i]);
    }
    return pictures;
}

static void make_ready(struct rows *r)
{
    const struct search_metric *m = &r->search->metric;
    struct pixels_shape shape = pixels_shape_of(m->side);
    switch (m->kind) {
    case SEARCH_PIXELS:
        r->ready = pixels_side_new(&shape, r->bytes, r->had, r->references);
        break;
    case SEARCH_FEATURES:
        r->ready = features_side_new(m->size, (const float *)(const void *)r->bytes, r->had);
        break;
    case SEARCH_SSIM:
        r->ready = pictures_new(r);
        break;
    }
}

static void unready(struct rows *r)
{
    struct ssim_picture *pictures = r->ready;
    switch (r->search->metric.kind) {
    case SEARCH_PIXELS:
        pixels_side_free(r->ready);
        break;
    case SEARCH_FEATURES:
        features_side_free(r->ready);
        break;
    case SEARCH_SSIM:
        for (uint32_t i = 0; pictures && i < r->had; i++) {
            free((void *)(uintptr_t)pictures[i].sums); /* the room begins with them */
        }
        free(pictures);
        break;
    }
    r->ready = NULL;
}

static void rows_end(struct rows *r)
{
    unready(r);
    free(r->there);
    free(r->row);
    free(r->bytes);
    pthread_mutex_destroy(&r->lock);
}

static void read_one(void *arg, unsigned worker, size_t i)
{
    struct rows *r = arg;
    struct err err = {0};
    (void)worker;
    enum err_code rc = r->of->read(r->of->arg, r->first + (uint32_t)i, r->bytes + i * search_row_size(&r->search->metric),
                                   &r->there[i], &err);
    if (rc != OK) {
        pthread_mutex_lock(&r->lock);
        if (r->rc == OK) {
            r->rc = err_set(r->err, rc, "%s", err.msg);
        }
        pthread_mutex_unlock(&r->lock);
    }
}

static enum err_code rows_read(struct rows *r, uint32_t first)
{
    const size_t size = search_row_size(&r->search->metric);
    unready(r);
    r->first = first;
    r->n = r->of->n - first < r->most ? r->of->n - first : r->most;
    r->had = 0;
    memset(r->there, 0, r->n * sizeof *r->there);
    parallel_for(r->search->threads, r->n, read_one, r);
    for (uint32_t i = 0; i < r->n; i++) {
        if (r->there[i]) {
            if (i != r->had) {
                memcpy(r->bytes + r->had * size, r->bytes + i * size, size);
            }
            r->row[r->had++] = first + i;
        }
    }
    if (r->rc == OK) {
        make_ready(r);
    }
    return r->rc;
}

/* ------------------------------------------------------------------ comparing */

struct comparison {
    const struct search *search;
    const struct rows *queries, *references;
    struct nearest *lists; /* of the queries that were read */
    void **scratch;        /* SEARCH_SSIM, one a worker */
};

static void compare_pictures(const struct comparison *c, unsigned worker, uint32_t from, uint32_t to)
{
    const struct search *s = c->search;
    const struct ssim_picture *queries = c->queries->ready, *references = c->references->ready;
    const struct ssim_shape shape = ssim_shape(&s->metric);
    for (uint32_t i = from; i < to; i++) {
        for (uint32_t j = 0; j < c->references->had; j++) {
            if (!s->compares || s->compares(s->arg, c->queries->row[i], c->references->row[j])) {
                double d = ssim_distance(&shape, &queries[i], &references[j], c->scratch[worker]);
                nearest_add(&c->lists[i], (struct neighbor){d, c->references->row[j]});
            }
        }
    }
}

static void compare_turn(void *arg, unsigned worker, size_t turn)
{
    const struct comparison *c = arg;
    uint32_t had = c->queries->had, step = turn_of(c->search, had), from = (uint32_t)turn * step;
    uint32_t to = had - from < step ? had : from + step;
    switch (c->search->metric.kind) {
    case SEARCH_PIXELS:
        pixels_search(c->queries->ready, from, to, c->references->ready, c->references->row, c->lists);
        break;
    case SEARCH_FEATURES:
        features_search(c->queries->ready, from, to, c->references->ready, c->references->row, c->lists);
        break;
    case SEARCH_SSIM:
        compare_pictures(c, worker, from, to);
        break;
    }
}

/* ------------------------------------------------------------------ batches */

static enum err_code compare_block(struct comparison *c, struct err *err)
{
    const struct search *s = c->search;
    uint32_t step = turn_of(s, c->queries->had), turns = (c->queries->had + step - 1) / step;
    parallel_for(s->threads, turns, compare_turn, c);
    double queries = (double)s->queries.n, references = (double)s->references.n;
    double seen = (c->queries->first + c->queries->n * ((c->references->first + c->references->n) / references)) / queries;
    return s->progress && !s->progress(s->arg, seen) ? err_rule(err, ERR_BUSY, "search-stopped", "the search was stopped")
                                                      : OK;
}

/* Lists of all queries of a batch, also those that could not be read. */
static enum err_code hand_on(const struct comparison *c, struct nearest *lists, struct err *err)
{
    const struct rows *q = c->queries;
    struct nearest *all = xcalloc(q->n + 1, sizeof *all);
    for (uint32_t i = 0; i < q->had; i++) {
        all[q->row[i] - q->first] = lists[i];
    }
    enum err_code rc = c->search->take(c->search->arg, q->first, q->n, all, q->there, err);
    free(all);
    return rc;
}

static enum err_code search_batch(struct comparison *c, struct rows *references, struct neighbor *room, struct err *err)
{
    const uint32_t k = c->search->k;
    struct nearest *lists = xcalloc(c->queries->had + 1, sizeof *lists);
    for (uint32_t i = 0; i < c->queries->had; i++) {
        lists[i] = (struct nearest){room + (size_t)i * k, 0, k};
    }
    c->lists = lists;
    enum err_code rc = OK;
    for (uint32_t first = 0; rc == OK && first < c->search->references.n; first += references->n) {
        rc = rows_read(references, first);
        rc = rc == OK ? compare_block(c, err) : rc;
    }
    rc = rc == OK ? hand_on(c, lists, err) : rc;
    free(lists);
    return rc;
}

enum err_code search_run(const struct search *s, uint32_t from, struct err *err)
{
    struct rows queries, references;
    const struct ssim_shape shape = ssim_shape(&s->metric);
    BUG_IF(s->k < 1 || s->k > NEAREST_MOST || s->threads < 1 || s->threads > PARALLEL_THREADS);
    rows_begin(&queries, s, false, err);
    rows_begin(&references, s, true, err);
    struct neighbor *room = xcalloc((size_t)queries.most * s->k + 1, sizeof *room);
    void *scratch[PARALLEL_THREADS] = {NULL};
    for (unsigned i = 0; s->metric.kind == SEARCH_SSIM && i < s->threads; i++) {
        scratch[i] = xmalloc(ssim_scratch(&shape));
    }
    struct comparison c = {.search = s, .queries = &queries, .references = &references, .scratch = scratch};
    enum err_code rc = OK;
    for (uint32_t first = from; rc == OK && first < s->queries.n; first += queries.n) {
        rc = rows_read(&queries, first);
        rc = rc == OK ? search_batch(&c, &references, room, err) : rc;
    }
    for (unsigned i = 0; i < s->threads; i++) {
        free(scratch[i]);
    }
    free(room);
    rows_end(&queries);
    rows_end(&references);
    return rc;
}
