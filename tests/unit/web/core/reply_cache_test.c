/* reply_cache_test.c - what is kept, what goes, who frees, threads. */
#include "unit.h"

#include <pthread.h>

#include "web/core/reply_cache.h"

enum { SIZE = 1000, ROOM = 10 * 1100, OF_MOST = 8 };

static struct http_shared *body(char fill)
{
    struct http_shared *s = http_shared_new(SIZE, 20);
    memset(s->bytes, fill, SIZE);
    return s;
}

/* What follows a miss: if it is wanted, puts a body of its own and lets go of it. */
static void put(struct reply_cache *c, uint64_t number)
{
    if (reply_cache_wants(c, number, SIZE + 20)) {
        struct http_shared *s = body((char)number);
        reply_cache_put(c, number, s);
        http_shared_release(s);
    }
}

static bool has(struct reply_cache *c, uint64_t number)
{
    struct http_shared *s = reply_cache_get(c, number);
    bool there = s != NULL;
    if (there) {
        assert_int_equal(s->n, SIZE);
        assert_int_equal(s->bytes[SIZE - 1], (unsigned char)number);
        assert_int_equal(s->bytes[SIZE], 0);
        http_shared_release(s);
    }
    return there;
}

static struct reply_cache_stats stats(struct reply_cache *c)
{
    struct reply_cache_stats s;
    reply_cache_stats(c, &s);
    assert_true(s.bytes <= ROOM);
    return s;
}

/* As many as find room; how many that are. */
static uint64_t fill(struct reply_cache *c)
{
    uint64_t n = 0;
    do {
        put(c, ++n);
    } while (stats(c).bodies == n);
    return n - 1;
}

TEST(hits_and_misses)
{
    struct reply_cache *c = reply_cache_new(ROOM);
    assert_false(has(c, 1));
    put(c, 1);
    put(c, 1); /* twice is once */
    assert_true(has(c, 1));
    assert_true(has(c, 1));
    assert_false(has(c, 1 + 64));
    struct reply_cache_stats s = stats(c);
    assert_int_equal(s.hits, 2);
    assert_int_equal(s.misses, 2);
    assert_int_equal(s.bodies, 1);
    reply_cache_free(c);
}

TEST(a_full_cache_takes_the_second_miss)
{
    struct reply_cache *c = reply_cache_new(ROOM);
    uint64_t n = fill(c);
    assert_true(n >= 8 && n <= 10);
    assert_false(has(c, n + 1)); /* it was the one without room */
    put(c, n + 1);
    assert_true(has(c, n + 1));
    assert_false(has(c, 1)); /* the oldest made room */
    assert_int_equal(stats(c).bodies, n);
    reply_cache_free(c);
}

TEST(what_is_used_stays)
{
    struct reply_cache *c = reply_cache_new(ROOM);
    uint64_t n = fill(c);
    assert_true(has(c, 1));
    put(c, n + 1);
    assert_true(has(c, 1));
    assert_false(has(c, 2));
    for (uint64_t i = 1; i <= n + 1; i++) {
        has(c, i); /* everything is used: nothing may hang, and something goes */
    }
    put(c, 1000);
    put(c, 1000);
    assert_true(has(c, 1000));
    assert_int_equal(stats(c).bodies, n);
    reply_cache_free(c);
}

/* One round after the other through more than fits: what is there stays there. */
TEST(a_crowd_does_not_empty_it)
{
    enum { CROWD = 1000 };
    struct reply_cache *c = reply_cache_new(ROOM);
    int hits = 0;
    for (int round = 0; round < 10; round++) {
        for (uint64_t i = 1; i <= CROWD; i++) {
            if (has(c, i)) {
                hits++;
            } else {
                put(c, i);
            }
        }
    }
    assert_true(hits >= 9 * 8);
    reply_cache_free(c);
}

TEST(large_ones_and_no_room_at_all)
{
    struct reply_cache *c = reply_cache_new(ROOM);
    for (int i = 0; i < 3; i++) {
        assert_false(reply_cache_wants(c, 7, ROOM / OF_MOST));
    }
    struct http_shared *large = http_shared_new(ROOM, 0);
    reply_cache_put(c, 7, large); /* whoever does not ask is refused what cannot be */
    assert_null(reply_cache_get(c, 7));
    assert_int_equal(atomic_load(&large->references), 1);
    http_shared_release(large);
    reply_cache_free(c);
    c = reply_cache_new(0);
    put(c, 1);
    put(c, 1);
    assert_false(has(c, 1));
    reply_cache_free(c);
    reply_cache_free(NULL);
}

TEST(a_reply_keeps_what_it_sends)
{
    struct reply_cache *c = reply_cache_new(ROOM);
    put(c, 1);
    struct http_shared *sent = reply_cache_get(c, 1);
    assert_int_equal(atomic_load(&sent->references), 2);
    reply_cache_free(c);
    assert_int_equal(atomic_load(&sent->references), 1);
    assert_int_equal(sent->bytes[0], 1);
    http_shared_release(sent);
}

static void *hammer(void *arg)
{
    struct reply_cache *c = arg;
    for (int i = 0; i < 20000; i++) {
        uint64_t number = 1 + (uint64_t)i * 7919 % 40;
        if (!has(c, number)) {
            put(c, number);
        }
    }
    return NULL;
}

TEST(threads_agree)
{
    pthread_t threads[3];
    struct reply_cache *c = reply_cache_new(ROOM);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, hammer, c), 0);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    struct reply_cache_stats s = stats(c);
    assert_int_equal(s.hits + s.misses, 60000);
    assert_true(s.bodies >= 8 && s.bodies <= 10);
    reply_cache_free(c);
}
