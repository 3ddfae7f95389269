/* Every piece once, each worker on one thread at a time, however many threads are asked for. */
#include "unit.h"

#include <stdatomic.h>

#include "base/parallel.h"

enum { PIECES = 1000 };
struct tally {
    atomic_uint done[PIECES], busy[PARALLEL_THREADS], wrong;
    unsigned most;
};

static void count(void *arg, unsigned worker, size_t i)
{
    struct tally *t = arg;
    if (worker >= t->most || atomic_fetch_add(&t->busy[worker], 1) != 0) {
        atomic_fetch_add(&t->wrong, 1); /* asserting is for the main thread alone */
        return;
    }
    atomic_fetch_add(&t->done[i], 1);
    atomic_fetch_sub(&t->busy[worker], 1);
}

TEST(every_piece_is_done_once)
{
    static const unsigned threads[] = {0, 1, 2, 7, 64};
    for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
        static struct tally t;
        t = (struct tally){.most = threads[k] ? threads[k] : 1};
        parallel_for(threads[k], PIECES, count, &t);
        assert_int_equal(atomic_load(&t.wrong), 0);
        for (int i = 0; i < PIECES; i++) {
            assert_int_equal(atomic_load(&t.done[i]), 1);
        }
        parallel_for(threads[k], 0, count, NULL);
    }
}

TEST(there_is_a_core)
{
    assert_in_range(parallel_cores(), 1, PARALLEL_THREADS);
}
