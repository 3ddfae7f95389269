/* mhd_test.c - what goes on between threads: suspended requests, clients that leave, event streams,
 * limits on connections, and stopping a server that is busy. */
#include "live_server.h"

enum { CLIENTS = 64, ENOUGH = 2000 };

static void a_reply_from_another_thread(void **state)
{
    (void)state;
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
static void clients_leave_while_suspended(void **state)
{
    (void)state;
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

static void clients_leave_in_the_middle_of_a_body(void **state)
{
    (void)state;
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

static void events_are_received(void **state)
{
    (void)state;
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
static void the_log_names_no_paths(void **state)
{
    (void)state;
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

static void event_streams_are_limited(void **state)
{
    (void)state;
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

static void connections_are_limited(void **state)
{
    (void)state;
    struct http_options o = options();
    o.connections = 4;
    start(&o);
    int fds[4];
    for (int i = 0; i < 4; i++) {
        fds[i] = dial();
        say(fds[i], "GET /hello HTTP/1.1\r\n" HOST "\r\n");
        assert_non_null(strstr(hear(fds[i], "\r\n\r\nhello"), " 200 "));
    }
    /* One more waits in the kernel until there is room. */
    int waiting = dial();
    struct pollfd p = {.fd = waiting, .events = POLLIN};
    say(waiting, "GET /hello HTTP/1.1\r\n" HOST "\r\n");
    assert_int_equal(poll(&p, 1, 50), 0);
    assert_int_equal(stats().connections, 4);
    for (int i = 0; i < 4; i++) {
        close(fds[i]);
    }
    assert_non_null(strstr(hear(waiting, "\r\n\r\nhello"), " 200 "));
    close(waiting);
    stop();
}

static void connections_of_one_address_are_limited(void **state)
{
    (void)state;
    struct http_options o = options();
    o.connections_per_address = 1;
    start(&o);
    int first = dial();
    say(first, "GET /hello HTTP/1.1\r\n" HOST "\r\n");
    assert_non_null(strstr(hear(first, "\r\n\r\nhello"), " 200 "));
    int second = dial();
    assert_true(closed(second));
    assert_int_equal(stats().refused, 1);
    close(second);
    close(first);
    WAIT_UNTIL(stats().connections == 0);
    stop();
    o.trusted_proxies = "127.0.0.1"; /* a proxy speaks for many */
    start(&o);
    first = dial();
    second = dial();
    say(second, "GET /hello HTTP/1.1\r\n" HOST "\r\n");
    assert_non_null(strstr(hear(second, "\r\n\r\nhello"), " 200 "));
    close(second);
    close(first);
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

static void a_busy_server_stops(void **state)
{
    (void)state;
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

static void stopping_again_and_again(void **state)
{
    for (int i = 0; i < 10; i++) {
        a_busy_server_stops(state);
    }
}

static void a_quiet_server_refuses(void **state)
{
    (void)state;
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

#define LIVE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LIVE(a_reply_from_another_thread),
        LIVE(clients_leave_while_suspended),
        LIVE(clients_leave_in_the_middle_of_a_body),
        LIVE(events_are_received),
        LIVE(the_log_names_no_paths),
        LIVE(event_streams_are_limited),
        cmocka_unit_test(connections_are_limited),
        cmocka_unit_test(connections_of_one_address_are_limited),
        cmocka_unit_test(a_busy_server_stops),
        cmocka_unit_test(stopping_again_and_again),
        cmocka_unit_test(a_quiet_server_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
