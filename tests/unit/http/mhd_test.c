/* mhd_test.c - what goes on between threads: suspended requests, clients that leave, event streams,
 * limits on connections, and stopping a server that is busy. */
#include "live_server.h"

enum { CLIENTS = 64, ENOUGH = 2000 };

TEST_WITH(a_reply_from_another_thread, set_up, tear_down)
{
    int fd = dial();
    for (int i = 0; i < 100; i++) {
        say(fd, "POST /later HTTP/1.1\r\n" HOST "Content-Length: 2\r\n\r\nhi");
        char *reply = hear(fd, "later: hi");
        assert_non_null(strstr(reply, " 200 "));
        assert_non_null(strstr(reply, "X-Path: /later\r\n"));
    }
    assert_int_equal(atomic_load(&answered), 100);
    assert_int_equal(stats().suspended, 0);
    close(fd);
}

/* The client leaves while another thread has its request: the reply is still taken, and the
 * request is freed once (by the sanitizer's account too). */
TEST_WITH(clients_leave_while_suspended, set_up, tear_down)
{
    set_queue(true, false);
    for (int i = 0; i < 20; i++) {
        int fd = dial();
        say(fd, "POST /later HTTP/1.1\r\n" HOST "Content-Length: 2\r\n\r\nhi");
        WAIT_UNTIL(stats().suspended == (uint64_t)i + 1);
        if (i % 2) { /* a reset instead of a polite end */
            const struct linger now = {.l_onoff = 1};
            assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now), 0);
        }
        close(fd);
    }
    assert_int_equal(atomic_load(&finished), 0);
    set_queue(false, false);
    WAIT_UNTIL(atomic_load(&finished) == 20);
    assert_int_equal(atomic_load(&answered), 20);
    WAIT_UNTIL(stats().connections == 0 && stats().suspended == 0);
}

TEST_WITH(clients_leave_in_the_middle_of_a_body, set_up, tear_down)
{
    for (int i = 0; i < 20; i++) {
        int fd = dial();
        say(fd, "POST /echo HTTP/1.1\r\n" HOST "Content-Length: 500\r\n\r\nonly this");
        WAIT_UNTIL(atomic_load(&begun) == i + 1);
        close(fd);
    }
    WAIT_UNTIL(atomic_load(&finished) == 20);
    assert_int_equal(atomic_load(&last_status), 0);
    assert_int_equal(stats().by_status[2], 0);
}

static int listen_to_events(void)
{
    int fd = dial();
    say(fd, "GET /events HTTP/1.1\r\n" HOST "\r\n");
    return fd;
}

TEST_WITH(events_are_received, set_up, tear_down)
{
    int fd = listen_to_events();
    char *reply = hear(fd, "retry: 3000\n\n");
    assert_non_null(strstr(reply, "Content-Type: text/event-stream\r\n"));
    assert_non_null(strstr(reply, "Transfer-Encoding: chunked\r\n"));
    assert_non_null(strstr(reply, "Cache-Control: no-store\r\n"));
    assert_int_equal(stats().event_streams, 1);
    http_publish(server, 4, "other", 1);
    http_publish(server, 5, "votes", 1);
    reply = hear(fd, "\n\n");
    assert_non_null(strstr(reply, "event: votes\ndata: {\"topic\":\"votes\",\"seq\":1}\n\n"));
    assert_null(strstr(reply, "other"));
    for (uint64_t seq = 2; seq <= 500; seq++) {
        http_publish(server, 5, "votes", seq);
    }
    assert_non_null(strstr(hear(fd, "\"seq\":500}"), "\"seq\":500}"));
    http_heartbeat(server, 5);
    assert_non_null(strstr(hear(fd, ":\n\n"), ":\n\n"));
    close(fd);
    WAIT_UNTIL(stats().event_streams == 0); /* found out by a heartbeat */
    WAIT_UNTIL(atomic_load(&finished) == 1);
    assert_true(atomic_load(&last_bytes) > 0);
}

/* A path may be a worker's token. The library names it when a client leaves in the middle. */
TEST_WITH(the_log_names_no_paths, set_up, tear_down)
{
    char text[4096];
    int log = memfd_create("log", MFD_CLOEXEC), before = dup(STDERR_FILENO);
    assert_true(log >= 0 && before >= 0);
    assert_true(dup2(log, STDERR_FILENO) >= 0);
    int fd = dial();
    say(fd, "GET /events/secret-token HTTP/1.1\r\n" HOST "\r\n");
    bool heard = strstr(hear(fd, "retry"), " 200 ") != NULL;
    close(fd);
    http_heartbeat(server, 5);
    WAIT_UNTIL(stats().event_streams == 0 && atomic_load(&finished) == 1);
    assert_true(dup2(before, STDERR_FILENO) >= 0);
    ssize_t n = pread(log, text, sizeof text - 1, 0);
    close(before);
    close(log);
    assert_true(heard && n > 0);
    text[n] = '\0';
    assert_non_null(strstr(text, "request for `%s'")); /* the message is there */
    assert_null(strstr(text, "secret-token"));
}

TEST_WITH(event_streams_are_limited, set_up, tear_down)
{
    int fds[STREAMS];
    for (int i = 0; i < STREAMS; i++) {
        fds[i] = listen_to_events();
        assert_non_null(strstr(hear(fds[i], "retry"), " 200 "));
    }
    int late = listen_to_events();
    char *reply = hear(late, "\r\n\r\n");
    assert_non_null(strstr(reply, " 503 "));
    assert_non_null(strstr(reply, "Retry-After: "));
    assert_int_equal(stats().refused, 1);
    close(late);
    for (int i = 0; i < STREAMS; i++) {
        close(fds[i]);
    }
    http_heartbeat(server, 5);
    WAIT_UNTIL(stats().event_streams == 0);
}

/* When it returns, the server too is done with the request: it waits for the next from now on. */
static int greet(void)
{
    int fd = dial();
    say(fd, "GET /hello HTTP/1.1\r\n" HOST "\r\n");
    assert_non_null(strstr(hear(fd, "\r\n\r\nhello"), " 200 "));
    WAIT_UNTIL(stats().open == 0);
    return fd;
}

/* Whoever waited longest gives way to one that comes. */
TEST(connections_are_limited)
{
    struct http_options o = options();
    o.connections = 4;
    start(&o);
    int fds[4];
    for (int i = 0; i < 4; i++) {
        fds[i] = greet();
    }
    int more = greet();
    assert_true(closed(fds[0]));
    assert_int_equal(stats().connections, 4);
    assert_int_equal(stats().gave_way, 1);
    say(fds[1], "GET /hello HTTP/1.1\r\n" HOST "\r\n"); /* the others are as they were */
    assert_non_null(strstr(hear(fds[1], "\r\n\r\nhello"), " 200 "));
    close(more);
    for (int i = 0; i < 4; i++) {
        close(fds[i]);
    }
    WAIT_UNTIL(stats().connections == 0);
    stop();
}

/* Nobody whose request is being answered gives way; a few more are taken meanwhile. */
TEST(busy_connections_keep_their_place)
{
    struct http_options o = options();
    o.connections = 4;
    start(&o);
    enum { ALL = 4 + 1 };
    assert_int_equal(watch_more(4), ALL - 4);
    int fds[ALL];
    set_queue(true, false);
    for (int i = 0; i < ALL; i++) {
        fds[i] = dial();
        say(fds[i], "POST /later HTTP/1.1\r\n" HOST "Content-Length: 2\r\n\r\nhi");
        WAIT_UNTIL(stats().suspended == (uint64_t)i + 1);
    }
    int more = dial();
    assert_true(closed(more));
    assert_int_equal(stats().refused, 1);
    set_queue(false, false);
    for (int i = 0; i < ALL; i++) {
        assert_non_null(strstr(hear(fds[i], "later: hi"), " 200 "));
        close(fds[i]);
    }
    close(more);
    stop();
}

TEST(connections_of_one_address_are_limited)
{
    struct http_options o = options();
    o.connections_per_address = 1;
    start(&o);
    int first = greet(), second = greet();
    assert_true(closed(first)); /* its own address has to make room */
    close(first);
    close(second);
    WAIT_UNTIL(stats().connections == 0);
    stop();
    o.trusted_proxies = "127.0.0.1"; /* a proxy speaks for many */
    start(&o);
    first = greet();
    second = greet();
    say(first, "GET /hello HTTP/1.1\r\n" HOST "\r\n");
    assert_non_null(strstr(hear(first, "\r\n\r\nhello"), " 200 "));
    close(second);
    close(first);
    stop();
}

/* A byte now and then is no progress. */
TEST(heads_and_bodies_have_deadlines)
{
    struct http_options o = options();
    o.head_ms = 300;
    o.body_ms = 300;
    start(&o);
    int silent = dial(), head = dial(), body = dial(), used = greet();
    say(head, "GET /hello HT");
    say(body, "POST /echo HTTP/1.1\r\n" HOST "Content-Length: 9\r\n\r\nsl");
    say(used, "GET /hello HTTP/1.1\r\nHo");
    assert_true(closed(silent) && closed(head) && closed(body) && closed(used));
    WAIT_UNTIL(stats().connections == 0);
    assert_int_equal(stats().timed_out, 4);
    WAIT_UNTIL(stats().bodies == 0);
    close(silent);
    close(head);
    close(body);
    close(used);
    int idle = greet(); /* between requests it may be silent for longer */
    struct pollfd p = {.fd = idle, .events = POLLIN};
    assert_int_equal(poll(&p, 1, 450), 0);
    close(idle);
    stop();
}

/* Whoever keeps the rate may take longer than the time for a body. */
TEST(a_steady_upload_has_its_time)
{
    struct http_options o = options();
    o.body_ms = 30;
    o.body_rate = 1; /* each byte is worth a second */
    start(&o);
    int fd = dial();
    struct pollfd p = {.fd = fd, .events = POLLIN};
    say(fd, "POST /echo HTTP/1.1\r\n" HOST "Content-Length: 4\r\n\r\nsl");
    assert_int_equal(poll(&p, 1, 100), 0);
    say(fd, "ow");
    assert_non_null(strstr(hear(fd, "slow"), " 200 "));
    assert_int_equal(stats().timed_out, 0);
    close(fd);
    stop();
}

/* Answered before it is read, wherever it is refused; the rest is dropped without a reset. */
TEST_WITH(refused_bodies_are_not_read, set_up, tear_down)
{
    static const char *const heads[] = {
        "POST /hello HTTP/1.1\r\n" HOST "Content-Length: 1\r\n\r\n",
        "POST /big?closed HTTP/1.1\r\n" HOST "Content-Length: 900000\r\n\r\n",
        "POST /big?closed HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n",
        "POST /big?closed HTTP/1.1\r\n" HOST "Content-Length: 9\r\nExpect: 100-continue\r\n\r\n",
    };
    static char block[500000];
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        int fd = dial();
        say(fd, heads[i]);
        char *reply = hear(fd, "\r\n\r\n");
        assert_non_null(strstr(reply, i == 0 ? "HTTP/1.1 413 " : "HTTP/1.1 200 "));
        assert_non_null(strstr(reply, "Connection: close\r\n"));
        assert_int_equal(send(fd, block, sizeof block, MSG_NOSIGNAL), (ssize_t)sizeof block);
        assert_int_equal(send(fd, block, 1, MSG_NOSIGNAL), 1);
        hear(fd, NULL);
        close(fd);
    }
    WAIT_UNTIL(stats().bodies == 0);
}

TEST(bodies_in_memory_are_limited)
{
    struct http_options o = options();
    o.bodies = 1000;
    start(&o);
    int first = dial(), second = dial();
    say(first, "POST /echo HTTP/1.1\r\n" HOST "Content-Length: 900\r\n\r\nmuch of it");
    WAIT_UNTIL(stats().bodies > 0);
    say(second, "POST /echo HTTP/1.1\r\n" HOST "Content-Length: 1000\r\n\r\n");
    char *reply = hear(second, "\r\n\r\n");
    assert_non_null(strstr(reply, " 503 "));
    assert_non_null(strstr(reply, "Retry-After: 5\r\n"));
    close(first);
    close(second);
    WAIT_UNTIL(stats().bodies == 0);
    int third = dial();
    say(third, "POST /echo HTTP/1.1\r\n" HOST "Content-Length: 2\r\n\r\nhi");
    assert_non_null(strstr(hear(third, "\r\n\r\nhi"), " 200 "));
    close(third);
    stop();
}

/* ---- stopping ---- */

static atomic_int replies_200, replies_503, replies_cut, replies_half;

/* Reads a chunked body to the connection's end; true when its last chunk came before that. */
static bool ends_well(int fd)
{
    static const char last[] = "\r\n0\r\n\r\n";
    enum { TAIL = sizeof last - 1 };
    char buf[TAIL + 4096];
    size_t n = 0;
    ssize_t got;
    while ((got = recv(fd, buf + n, sizeof buf - n, 0)) > 0) {
        n += (size_t)got;
        if (n > TAIL) {
            memmove(buf, buf + n - TAIL, TAIL);
            n = TAIL;
        }
    }
    return n == TAIL && memcmp(buf, last, TAIL) == 0;
}

/* Posts until it is told 503 or the connection ends. Asserts nothing: only the test's own thread
 * may. */
static void *post_on_and_on(void *arg)
{
    int fd = *(const int *)arg;
    for (;;) {
        static const char text[] = "POST /later HTTP/1.1\r\n" HOST "Content-Length: 4\r\n\r\nvote";
        if (send(fd, text, sizeof text - 1, MSG_NOSIGNAL) != (ssize_t)sizeof text - 1) {
            break;
        }
        const char *reply = hear(fd, "later: vote");
        if (strstr(reply, "later: vote")) {
            atomic_fetch_add(&replies_200, 1);
            continue;
        }
        bool refused = strstr(reply, "HTTP/1.1 503 ") && strstr(reply, "try again in a moment.\n");
        atomic_fetch_add(refused ? &replies_503 : *reply ? &replies_half : &replies_cut, 1);
        break;
    }
    return arg;
}

static void stop_while_busy(void)
{
    struct http_options o = options();
    pthread_t clients[CLIENTS];
    int streams[STREAMS], fds[CLIENTS];
    start(&o);
    atomic_store(&replies_200, 0);
    atomic_store(&replies_503, 0);
    atomic_store(&replies_cut, 0);
    atomic_store(&replies_half, 0);
    for (int i = 0; i < STREAMS; i++) {
        streams[i] = listen_to_events();
        assert_non_null(strstr(hear(streams[i], "retry"), " 200 "));
    }
    for (int i = 0; i < CLIENTS; i++) {
        fds[i] = dial();
        assert_int_equal(pthread_create(&clients[i], NULL, post_on_and_on, &fds[i]), 0);
    }
    uint64_t seq = 0;
    do { /* at least once: ends_well wants a chunk before the last */
        http_publish(server, 5, "votes", ++seq);
        poll(NULL, 0, 1);
    } while (atomic_load(&replies_200) < ENOUGH);
    stop();
    for (int i = 0; i < CLIENTS; i++) {
        pthread_join(clients[i], NULL);
        close(fds[i]);
    }
    /* Whoever was answered by the application heard it. */
    assert_int_equal(atomic_load(&replies_200), atomic_load(&answered));
    assert_int_equal(atomic_load(&replies_half), 0);
    for (int i = 0; i < STREAMS; i++) {
        assert_true(ends_well(streams[i]));
        close(streams[i]);
    }
    print_message("%d answered, %d told to wait, %d cut\n", atomic_load(&replies_200),
                  atomic_load(&replies_503), atomic_load(&replies_cut));
}

TEST(a_busy_server_stops)
{
    stop_while_busy();
}

TEST(stopping_again_and_again)
{
    for (int i = 0; i < 10; i++) {
        stop_while_busy();
    }
}

TEST(a_quiet_server_refuses)
{
    struct http_options o = options();
    start(&o);
    int old = dial(), asking = dial();
    say(old, "GET /hello HTTP/1.1\r\n" HOST "\r\n");
    assert_non_null(strstr(hear(old, "\r\n\r\nhello"), " 200 "));
    say(asking, "GET /hello HTTP/1.1\r\n" HOST "\r\n");
    assert_non_null(strstr(hear(asking, "\r\n\r\nhello"), " 200 "));
    http_quiesce(server);
    int fresh = dial();
    assert_true(closed(fresh));
    int handled = atomic_load(&begun);
    say(old, "GET /hello HTTP/1.1\r\n" HOST "\r\n");
    char *reply = hear(old, NULL); /* to the end: the connection is closed after it */
    assert_non_null(strstr(reply, " 503 "));
    assert_non_null(strstr(reply, "Retry-After: 5\r\n"));
    assert_non_null(strstr(reply, "Connection: close\r\n"));
    assert_int_equal(atomic_load(&begun), handled + 1);
    stop();
    assert_true(closed(asking));
    close(fresh);
    close(old);
    close(asking);
}
