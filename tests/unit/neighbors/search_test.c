/* Searches in little memory with several threads against one that has room for everything; rows that cannot be read;
 * going on after a stop. */
#include "unit.h"

#include <pthread.h>
#include <string.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "neighbors/search.h"

enum { QUERIES = 37, REFERENCES = 131, K = 7, SIDE = 16 };

struct world {
    struct search search;
    struct neighbor found[QUERIES][K];
    uint32_t n[QUERIES];
    bool there[QUERIES];
    uint32_t batches, next;
    int rounds_left; /* progress says stop when it gets to 0; below 0: never */
};

/* A row is drawn from its number; references 5 and 90 cannot be read, nor query 3. Query i is reference 2 i. */
static enum err_code read_row(void *arg, uint32_t row, void *out, bool *there, struct err *err)
{
    const struct world *w = arg;
    struct rng r;
    (void)err;
    rng_seed(&r, row / 4);
    size_t n = search_row_size(&w->search.metric);
    unsigned char *bytes = out;
    float *numbers = out;
    if (w->search.metric.kind == SEARCH_FEATURES) {
        for (size_t i = 0; i < n / sizeof *numbers; i++) {
            numbers[i] = (float)(rng_unit(&r) + row % 4 * .01);
        }
    } else {
        for (size_t i = 0; i < n; i++) {
            bytes[i] = (unsigned char)(rng_below(&r, 200) + row % 4);
        }
    }
    *there = true;
    return OK;
}

static enum err_code read_reference(void *arg, uint32_t row, void *out, bool *there, struct err *err)
{
    enum err_code rc = read_row(arg, row, out, there, err);
    *there = row != 5 && row != 90;
    return rc;
}

static enum err_code read_query(void *arg, uint32_t row, void *out, bool *there, struct err *err)
{
    enum err_code rc = read_row(arg, 2 * row, out, there, err);
    *there = row != 3;
    return rc;
}

static enum err_code take(void *arg, uint32_t first, uint32_t n, const struct nearest *lists, const bool *there,
                          struct err *err)
{
    struct world *w = arg;
    (void)err;
    assert_int_equal(first, w->next);
    for (uint32_t i = 0; i < n; i++) {
        memcpy(w->found[first + i], lists[i].at ? lists[i].at : w->found[first + i], lists[i].n * sizeof *lists[i].at);
        w->n[first + i] = lists[i].n;
        w->there[first + i] = there[i];
    }
    w->next = first + n;
    w->batches++;
    return OK;
}

static bool progress(void *arg, double share)
{
    struct world *w = arg;
    assert_true(share > 0 && share < 1.0001);
    return w->rounds_left < 0 || w->rounds_left-- > 0;
}

static void world_make(struct world *w, enum search_kind kind, unsigned threads, size_t memory)
{
    *w = (struct world){.rounds_left = -1};
    w->search = (struct search){.metric = {kind, SIDE, 5, 40},
                                .queries = {QUERIES, read_query, w},
                                .references = {REFERENCES, read_reference, w},
                                .k = K, .threads = threads, .memory = memory, .arg = w, .take = take, .progress = progress};
}

static void check_equal(const struct world *a, const struct world *b)
{
    for (uint32_t i = 0; i < QUERIES; i++) {
        assert_int_equal(a->n[i], b->n[i]);
        assert_int_equal(a->there[i], b->there[i]);
        for (uint32_t j = 0; j < a->n[i]; j++) {
            assert_int_equal(a->found[i][j].reference, b->found[i][j].reference);
            assert_true(a->found[i][j].distance == b->found[i][j].distance);
        }
    }
}

TEST(memory_and_threads_change_nothing)
{
    static const size_t little[] = {[SEARCH_PIXELS] = 10000, [SEARCH_FEATURES] = 2500, [SEARCH_SSIM] = 100000};
    for (int kind = SEARCH_PIXELS; kind <= SEARCH_SSIM; kind++) {
        struct world roomy, tight;
        struct err err = {0};
        world_make(&roomy, (enum search_kind)kind, 1, 1 << 28);
        world_make(&tight, (enum search_kind)kind, 3, little[kind]);
        assert_int_equal(search_run(&roomy.search, 0, &err), OK);
        assert_int_equal(search_run(&tight.search, 0, &err), OK);
        assert_int_equal(roomy.batches, 1);
        assert_true(tight.batches > 3);
        check_equal(&roomy, &tight);
        for (uint32_t i = 0; i < QUERIES; i++) {
            bool readable = i != 3;
            assert_int_equal(roomy.there[i], readable);
            assert_int_equal(roomy.n[i], readable ? K : 0);
            bool itself = readable && 2 * i != 90;
            assert_true(!itself || (roomy.found[i][0].reference == 2 * i && roomy.found[i][0].distance == 0));
            for (uint32_t j = 0; j < roomy.n[i]; j++) {
                assert_true(roomy.found[i][j].reference != 5 && roomy.found[i][j].reference != 90);
            }
        }
    }
}

TEST(a_batch_has_no_more_queries_than_asked_for)
{
    struct world whole, parts;
    struct err err = {0};
    world_make(&whole, SEARCH_SSIM, 2, 1 << 28);
    world_make(&parts, SEARCH_SSIM, 2, 1 << 28);
    parts.search.batch = 7;
    assert_int_equal(search_run(&whole.search, 0, &err), OK);
    assert_int_equal(search_run(&parts.search, 0, &err), OK);
    assert_int_equal(whole.batches, 1);
    assert_int_equal(parts.batches, (QUERIES + 6) / 7);
    check_equal(&whole, &parts);
}

TEST(a_stopped_search_goes_on)
{
    struct world whole, parts;
    struct err err = {0};
    world_make(&whole, SEARCH_PIXELS, 2, 20000);
    assert_int_equal(search_run(&whole.search, 0, &err), OK);
    world_make(&parts, SEARCH_PIXELS, 2, 20000);
    parts.rounds_left = 140;
    assert_int_equal(search_run(&parts.search, 0, &err), ERR_BUSY);
    assert_true(parts.next > 0 && parts.next < QUERIES);
    parts.rounds_left = -1;
    assert_int_equal(search_run(&parts.search, parts.next, &err), OK);
    check_equal(&whole, &parts);
}

static bool of_one_parity(void *arg, uint32_t query, uint32_t reference)
{
    (void)arg;
    return query % 2 == reference % 2;
}

TEST(pairs_that_are_not_compared)
{
    struct world w;
    struct err err = {0};
    world_make(&w, SEARCH_SSIM, 2, 1 << 24);
    w.search.compares = of_one_parity;
    assert_int_equal(search_run(&w.search, 0, &err), OK);
    for (uint32_t i = 0; i < QUERIES; i++) {
        for (uint32_t j = 0; j < w.n[i]; j++) {
            assert_int_equal(w.found[i][j].reference % 2, i % 2);
        }
    }
}

static enum err_code cannot_read(void *arg, uint32_t row, void *out, bool *there, struct err *err)
{
    return row == 60 ? err_set(err, ERR_IO, "the disk is gone") : read_row(arg, row, out, there, err);
}

TEST(errors_end_it)
{
    struct world w;
    struct err err = {0};
    world_make(&w, SEARCH_FEATURES, 4, 1 << 20);
    w.search.references.read = cannot_read;
    assert_int_equal(search_run(&w.search, 0, &err), ERR_IO);
    assert_string_equal(err.msg, "the disk is gone");
    assert_int_equal(w.batches, 0);
}
