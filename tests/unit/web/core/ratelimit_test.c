/* ratelimit_test.c - bursts, refill, kinds, address families, eviction, threads. */
#include "unit.h"

#include <pthread.h>

#include "web/core/ratelimit.h"

enum { MINUTE = 60 * 1000 };
enum { RATE_LOGIN, RATE_PLACE }; /* any two kinds */

static int64_t count(struct ratelimit *r, unsigned kind, const char *address, int64_t per_hour,
                     int64_t now_ms, int tries)
{
    int64_t allowed = 0, wait = 0;
    for (int i = 0; i < tries; i++) {
        allowed += ratelimit_take(r, kind, address, per_hour, now_ms, &wait);
    }
    return allowed;
}

TEST(burst_then_one_every_six_minutes)
{
    struct ratelimit *r = ratelimit_new();
    int64_t now = 1000000, wait = -1;
    assert_int_equal(count(r, RATE_LOGIN, "192.0.2.1", 10, now, 50), 10);
    assert_false(ratelimit_take(r, RATE_LOGIN, "192.0.2.1", 10, now, &wait));
    assert_int_equal(wait, 360);
    assert_false(ratelimit_take(r, RATE_LOGIN, "192.0.2.1", 10, now + 6 * MINUTE - 1, &wait));
    assert_int_equal(wait, 1);
    assert_int_equal(count(r, RATE_LOGIN, "192.0.2.1", 10, now + 6 * MINUTE, 50), 1);
    assert_int_equal(count(r, RATE_LOGIN, "192.0.2.1", 10, now + 24 * MINUTE, 50), 3);
    /* Waiting longer than an hour saves up no more than an hour's worth. */
    assert_int_equal(count(r, RATE_LOGIN, "192.0.2.1", 10, now + 1000 * MINUTE, 50), 10);
    ratelimit_free(r);
}

TEST(refused_tries_cost_nothing)
{
    struct ratelimit *r = ratelimit_new();
    assert_int_equal(count(r, RATE_LOGIN, "192.0.2.1", 2, 0, 1000), 2);
    assert_int_equal(count(r, RATE_LOGIN, "192.0.2.1", 2, 30 * MINUTE, 1000), 1);
    ratelimit_free(r);
}

TEST(what_is_given_back_does_not_count)
{
    struct ratelimit *r = ratelimit_new();
    int64_t now = 1000000;
    for (int i = 0; i < 50; i++) {
        assert_int_equal(count(r, RATE_LOGIN, "ada", 3, now, 1), 1);
        ratelimit_return(r, RATE_LOGIN, "ada", 3);
    }
    ratelimit_return(r, RATE_LOGIN, "ada", 3); /* saves nothing up */
    assert_int_equal(count(r, RATE_LOGIN, "ada", 3, now, 50), 3);
    ratelimit_free(r);
}

TEST(addresses_and_kinds_are_apart)
{
    struct ratelimit *r = ratelimit_new();
    assert_int_equal(count(r, RATE_LOGIN, "192.0.2.1", 3, 0, 9), 3);
    assert_int_equal(count(r, RATE_LOGIN, "192.0.2.2", 3, 0, 9), 3);
    assert_int_equal(count(r, RATE_PLACE, "192.0.2.1", 3, 0, 9), 3);
    assert_int_equal(count(r, RATE_LOGIN, "", 3, 0, 9), 3);
    ratelimit_free(r);
}

TEST(ipv6_counts_by_64_bits)
{
    struct ratelimit *r = ratelimit_new();
    assert_int_equal(count(r, RATE_LOGIN, "2001:db8:1:2::1", 3, 0, 9), 3);
    assert_int_equal(count(r, RATE_LOGIN, "2001:db8:1:2:ffff::9", 3, 0, 9), 0);
    assert_int_equal(count(r, RATE_LOGIN, "2001:db8:1:3::1", 3, 0, 9), 3);
    /* IPv4 in IPv6 clothes: all of them begin with the same 64 bits. */
    assert_int_equal(count(r, RATE_LOGIN, "::ffff:192.0.2.1", 3, 0, 9), 3);
    assert_int_equal(count(r, RATE_LOGIN, "::ffff:192.0.2.2", 3, 0, 9), 3);
    ratelimit_free(r);
}

TEST(zero_is_no_limit_and_large_limits_work)
{
    struct ratelimit *r = ratelimit_new();
    assert_int_equal(count(r, RATE_PLACE, "192.0.2.1", 0, 0, 5000), 5000);
    assert_int_equal(count(r, RATE_PLACE, "192.0.2.1", INT64_MAX, 0, 5000), 5000);
    ratelimit_free(r);
}

/* Far more addresses than slots: those that used up most are remembered longest. */
TEST(a_flood_of_addresses_does_not_free_the_worst)
{
    struct ratelimit *r = ratelimit_new();
    assert_int_equal(count(r, RATE_LOGIN, "192.0.2.1", 10, 0, 10), 10);
    for (int i = 0; i < 100000; i++) {
        char address[32];
        snprintf(address, sizeof address, "10.%d.%d.%d", i >> 16, (i >> 8) & 255, i & 255);
        int64_t wait;
        assert_true(ratelimit_take(r, RATE_LOGIN, address, 10, 1, &wait));
    }
    assert_int_equal(count(r, RATE_LOGIN, "192.0.2.1", 10, 2, 10), 0);
    ratelimit_free(r);
}

struct hammer {
    struct ratelimit *r;
    int64_t allowed;
};

static void *hammer(void *arg)
{
    struct hammer *h = arg;
    h->allowed = count(h->r, RATE_LOGIN, "192.0.2.1", 1000, 0, 5000);
    return NULL;
}

TEST(threads_share_one_bucket)
{
    enum { N = 4 };
    struct ratelimit *r = ratelimit_new();
    struct hammer h[N];
    pthread_t threads[N];
    int64_t sum = 0;
    for (int i = 0; i < N; i++) {
        h[i] = (struct hammer){r, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, hammer, &h[i]), 0);
    }
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], NULL);
        sum += h[i].allowed;
    }
    assert_int_equal(sum, 1000);
    ratelimit_free(r);
}
