/* sse_test.c - the hub of event streams without HTTP: what is sent, in which pieces, and when a
 * paused stream is woken. */
#include "unit.h"

#include "http/sse.h"

#include <poll.h>
#include <pthread.h>
#include <string.h>

enum { PATIENCE_MS = 5000 };

/* Stands for a connection: paused by sse_read, woken by the hub's thread. */
struct reader {
    pthread_mutex_t lock;
    int pauses, wakes;
};

static void pause_reader(void *conn)
{
    struct reader *r = conn;
    pthread_mutex_lock(&r->lock);
    r->pauses++;
    pthread_mutex_unlock(&r->lock);
}

static void wake_reader(void *conn)
{
    struct reader *r = conn;
    pthread_mutex_lock(&r->lock);
    r->wakes++;
    pthread_mutex_unlock(&r->lock);
}

static bool woken(struct reader *r, int times)
{
    for (int ms = 0; ms < PATIENCE_MS; ms++) {
        pthread_mutex_lock(&r->lock);
        int wakes = r->wakes;
        pthread_mutex_unlock(&r->lock);
        if (wakes >= times) {
            return wakes == times;
        }
        poll(NULL, 0, 1);
    }
    return false;
}

static struct sse_hub *start(unsigned max)
{
    struct sse_hub *h = NULL;
    assert_int_equal(sse_start(max, pause_reader, wake_reader, &h, NULL), OK);
    return h;
}

/* Reads until the stream pauses, `piece` bytes at a time. */
static void check_read(struct sse_stream *s, size_t piece, const char *want)
{
    char all[2048] = "", part[512];
    size_t n = 0;
    ptrdiff_t got;
    while ((got = sse_read(s, part, piece)) > 0) {
        assert_true((size_t)got <= piece && n + (size_t)got < sizeof all);
        memcpy(all + n, part, (size_t)got);
        n += (size_t)got;
    }
    assert_int_equal(got, SSE_PAUSED);
    all[n] = '\0';
    assert_string_equal(all, want);
}

#define HELLO "retry: 3000\n\n"
#define EVENT(topic, seq) "event: " topic "\ndata: {\"topic\":\"" topic "\",\"seq\":" seq "}\n\n"

TEST(a_message_reaches_its_streams)
{
    struct sse_hub *h = start(2);
    struct reader a = {PTHREAD_MUTEX_INITIALIZER, 0, 0}, b = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
    struct sse_stream *x = sse_open(h, &a, 1u << 3), *y = sse_open(h, &b, 1u << 4);
    check_read(x, 512, HELLO);
    check_read(y, 512, HELLO);
    sse_publish(h, 3, "votes", 7);
    assert_true(woken(&a, 1));
    check_read(x, 512, EVENT("votes", "7"));
    sse_publish(h, 4, "jobs", 1);
    assert_true(woken(&b, 1));
    check_read(y, 512, EVENT("jobs", "1"));
    assert_int_equal(a.wakes, 1); /* not its topic */
    assert_int_equal(a.pauses, 2);
    sse_done(x);
    sse_done(y);
    sse_free(h);
}

TEST(only_the_newest_is_sent)
{
    struct sse_hub *h = start(1);
    struct reader a = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
    struct sse_stream *x = sse_open(h, &a, 1u << 0 | 1u << 31);
    for (uint64_t seq = 1; seq <= 1000; seq++) {
        sse_publish(h, 0, "votes", seq);
    }
    sse_publish(h, 31, "jobs", UINT64_MAX);
    sse_publish(h, 0, "votes", 999); /* late */
    sse_publish(h, 0, "votes", 1000);
    check_read(x, 512, HELLO EVENT("votes", "1000") EVENT("jobs", "18446744073709551615"));
    check_read(x, 512, "");
    sse_done(x);
    sse_free(h);
}

TEST(a_new_stream_hears_where_topics_are)
{
    struct sse_hub *h = start(1);
    struct reader a = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
    sse_publish(h, 1, "sets", 0);
    sse_publish(h, 2, "other", 5);
    struct sse_stream *x = sse_open(h, &a, 1u << 1);
    check_read(x, 1, HELLO EVENT("sets", "0")); /* byte by byte */
    sse_done(x);
    sse_free(h);
}

TEST(heartbeats)
{
    struct sse_hub *h = start(1);
    struct reader a = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
    struct sse_stream *x = sse_open(h, &a, 1);
    check_read(x, 512, HELLO);
    sse_heartbeat(h, 10);
    assert_true(woken(&a, 1));
    sse_heartbeat(h, 1000000);
    check_read(x, 512, ":\n\n");
    sse_done(x);
    sse_free(h);
}

TEST(streams_are_limited_and_ended)
{
    struct sse_hub *h = start(2);
    struct reader a = {PTHREAD_MUTEX_INITIALIZER, 0, 0}, b = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
    struct sse_stream *x = sse_open(h, &a, 1), *y = sse_open(h, &b, 1);
    char buf[64];
    assert_non_null(y);
    assert_null(sse_open(h, &a, 1));
    assert_int_equal(sse_count(h), 2);
    sse_done(y);
    y = sse_open(h, &b, 1);
    assert_non_null(y);
    check_read(x, 512, HELLO);
    sse_close(h);
    assert_int_equal(a.wakes, 1);
    assert_int_equal(sse_read(x, buf, sizeof buf), SSE_END);
    assert_int_equal(sse_read(y, buf, sizeof buf), (ptrdiff_t)strlen(HELLO));
    assert_int_equal(sse_read(y, buf, sizeof buf), SSE_END);
    sse_done(x);
    sse_done(y);
    assert_null(sse_open(h, &a, 1));
    sse_free(h);
}

TEST(the_longest_message_fits)
{
    struct sse_hub *h = start(1);
    struct reader a = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
    struct sse_stream *x = sse_open(h, &a, 1);
    sse_publish(h, 0, "a234567890123456789012345678901", UINT64_MAX);
    check_read(x, 7, HELLO EVENT("a234567890123456789012345678901", "18446744073709551615"));
    sse_done(x);
    sse_free(h);
}
