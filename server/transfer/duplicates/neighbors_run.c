/* neighbors_run.c - images of a search, found among those that can be compared; an image is no neighbour of its own. */
#include "transfer/duplicates/neighbors_run.h"

#include <stdlib.h>

#include "base/xalloc.h"

#define NOWHERE UINT32_MAX
/* Pairs by structural similarity are slow: with so many queries of each thread at a time, reading the references again
 * costs little beside them, and a search that is stopped loses little. */
enum { PICTURES_A_THREAD = 32 };

struct running {
    const struct neighbors_run *run;
    uint32_t *queries, *refs; /* of each: its place among the images; NOWHERE: its bytes are gone */
    uint32_t *unread;         /* images, ascending */
    uint32_t n_unread;
    struct err *err;
};

/* ------------------------------------------------------------------ images */

static uint32_t *places(const struct compared *c, const struct ranges *images)
{
    uint32_t *out = xmalloc((images->numbers + 1) * sizeof *out), i = 0, at = 0;
    for (size_t k = 0; k < images->n; k++) {
        for (uint32_t j = 0; j < images->at[k].count; j++) {
            int64_t image = (int64_t)images->at[k].first + j;
            while (at < c->n && c->images[at].image < image) {
                at++;
            }
            out[i++] = at < c->n && c->images[at].image == image ? at : NOWHERE;
        }
    }
    return out;
}

static enum err_code read_row(const struct running *r, uint32_t place, void *out, bool *there)
{
    *there = false;
    if (place != NOWHERE) {
        compared_read(r->run->compared, place, out, there);
    }
    return OK;
}

static enum err_code read_query(void *arg, uint32_t row, void *out, bool *there, struct err *err)
{
    const struct running *r = arg;
    (void)err;
    return read_row(r, r->queries[r->run->begin + row], out, there);
}

static enum err_code read_reference(void *arg, uint32_t row, void *out, bool *there, struct err *err)
{
    const struct running *r = arg;
    (void)err;
    return read_row(r, r->refs[row], out, there);
}

static bool compares(void *arg, uint32_t query, uint32_t reference)
{
    const struct running *r = arg;
    uint32_t a = r->queries[r->run->begin + query], b = r->refs[reference];
    return compared_compares(r->run->compared, a, b);
}

static bool gone(const struct compared *c, uint32_t place)
{
    return place == NOWHERE || c->unread[place];
}

static void note_unread(struct running *r, const struct ranges *images, const uint32_t *at, uint32_t *to, uint32_t *n)
{
    for (uint32_t i = 0; i < images->numbers; i++) {
        if (gone(r->run->compared, at[i])) {
            to[(*n)++] = ranges_at(images, i);
        }
    }
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Of both sides, each once. */
static void find_unread(struct running *r)
{
    const struct near_search *s = r->run->search;
    uint32_t n = 0;
    note_unread(r, &s->queries, r->queries, r->unread, &n);
    note_unread(r, &s->refs, r->refs, r->unread, &n);
    if (n > 0) {
        qsort(r->unread, n, sizeof *r->unread, by_number);
    }
    r->n_unread = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || r->unread[i] != r->unread[i - 1]) {
            r->unread[r->n_unread++] = r->unread[i];
        }
    }
}

/* ------------------------------------------------------------------ lists */

static void make_list(const struct running *r, uint32_t query, const struct nearest *from, struct near_neighbor *room,
                      struct near_list *to)
{
    const struct near_search *s = r->run->search;
    *to = (struct near_list){room, 0};
    for (uint32_t i = 0; i < from->n && to->n < s->k; i++) {
        uint32_t image = ranges_at(&s->refs, from->at[i].reference);
        if (image != query) {
            room[to->n++] = (struct near_neighbor){image, from->at[i].distance};
        }
    }
}

static enum err_code take(void *arg, uint32_t first, uint32_t n, const struct nearest *lists, const bool *there,
                          struct err *err)
{
    struct running *r = arg;
    const struct near_search *s = r->run->search;
    uint32_t from = r->run->begin + first;
    struct near_list *out = xcalloc(n + 1, sizeof *out);
    struct near_neighbor *room = xmalloc(((size_t)n * (size_t)s->k + 1) * sizeof *room);
    (void)there;
    for (uint32_t i = 0; i < n; i++) {
        make_list(r, ranges_at(&s->queries, from + i), &lists[i], room + (size_t)i * (size_t)s->k, &out[i]);
    }
    find_unread(r);
    enum err_code rc = r->run->take(r->run->arg, from, out, n, r->unread, r->n_unread, err);
    free(out);
    free(room);
    return rc;
}

static bool progress(void *arg, double share)
{
    const struct running *r = arg;
    return r->run->progress(r->run->arg, share, r->err) == OK;
}

enum err_code neighbors_run(const struct neighbors_run *run, struct err *err)
{
    const struct near_search *s = run->search;
    struct running r = {.run = run, .queries = places(run->compared, &s->queries),
                        .refs = places(run->compared, &s->refs), .err = err};
    r.unread = xmalloc(((size_t)s->queries.numbers + s->refs.numbers + 1) * sizeof *r.unread);
    const struct search search = {.metric = run->compared->metric,
                                  .queries = {run->end - run->begin, read_query, &r},
                                  .references = {s->refs.numbers, read_reference, &r},
                                  .k = (uint32_t)s->k + 1, /* the image itself */
                                  .threads = run->threads, .memory = run->memory,
                                  .batch = run->compared->metric.kind == SEARCH_SSIM ? PICTURES_A_THREAD * run->threads : 0, .arg = &r, .compares = compares,
                                  .take = take,
                                  .progress = progress};
    enum err_code rc = search_run(&search, 0, err);
    free(r.queries);
    free(r.refs);
    free(r.unread);
    return rc;
}
