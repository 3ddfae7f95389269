/* live_server.h - for the tests of the whole server: a small application with a thread that answers
 * what was suspended, a server on a free port, and raw sockets to ask it. */
#ifndef HTTP_LIVE_SERVER_H
#define HTTP_LIVE_SERVER_H

#include "unit.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "http/conn.h"

enum {
    ECHO_MAX = 1000,
    BIG_MAX = 1 << 20,
    FILE_SIZE = 300000,
    SHARED_SIZE = 200000,
    SHARED_TAIL = 1000, /* zero bytes behind its end */
    HELD_MAX = 128,
    PATIENCE_MS = 10000,
    STREAMS = 50
};

/* ---- the application ---- */

/* Requests that were suspended wait here for the answering thread. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct {
        struct request *req;
        struct response *res; /* the request's own, which may be sent as well as another */
    } held[HELD_MAX];
    int n;
    bool hold, stop; /* hold: leave them suspended for now */
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static atomic_int begun, finished, answered, last_status;
static atomic_uint_fast64_t last_bytes;
static struct http_shared *shared;
static struct http_server *server;
static pthread_t answering;

static inline size_t app_begin(void *arg, struct request *req)
{
    (void)arg;
    atomic_fetch_add(&begun, 1);
    if (sv_is(req->path, "/echo")) {
        return ECHO_MAX;
    }
    return sv_is(req->path, "/big") || sv_is(req->path, "/later") ? BIG_MAX : 0;
}

/* With the query "closed" a route takes no body from anybody. */
static inline bool app_admit(void *arg, struct request *req)
{
    (void)arg;
    return !sv_starts(req->query, "closed");
}

static inline void reply_text(struct response *res, int status, struct sv text)
{
    res->status = status;
    res->content_type = "text/plain";
    str_addsv(&res->body, text);
}

static inline void reply_file(struct response *res)
{
    res->fd = memfd_create("body", MFD_CLOEXEC);
    assert_true(res->fd >= 0 && ftruncate(res->fd, FILE_SIZE) == 0);
    res->fd_size = FILE_SIZE;
    res->status = 200;
}

static inline enum http_flow give_away(struct request *req, struct response *res)
{
    http_suspend(req);
    pthread_mutex_lock(&queue.lock);
    queue.held[queue.n].req = req;
    queue.held[queue.n++].res = res;
    pthread_cond_signal(&queue.changed);
    pthread_mutex_unlock(&queue.lock);
    return HTTP_LATER;
}

static inline enum http_flow app_handle(void *arg, struct request *req, struct response *res,
                                        int refused)
{
    (void)arg;
    if (refused) {
        reply_text(res, refused, SV("too large"));
    } else if (req->path.n == 0) {
        reply_text(res, 400, SV("bad path"));
    } else if (sv_is(req->path, "/hello")) {
        reply_text(res, 200, SV("hello"));
    } else if (sv_is(req->path, "/echo") || sv_is(req->path, "/big")) {
        assert_int_equal(req->body.p[req->body.n], '\0');
        reply_text(res, 200, req->body);
    } else if (sv_is(req->path, "/who")) {
        reply_text(res, 200, sv_of(req->address));
        str_addz(&res->body, req->secure ? " secure" : " plain");
    } else if (sv_is(req->path, "/file")) {
        reply_file(res);
    } else if (sv_is(req->path, "/shared")) {
        res->status = 200;
        res->shared = http_shared_hold(shared);
        res->shared_n = SHARED_SIZE - sv_is(req->query, "shorter");
        res->content_type = "image/jpeg";
        response_header(res, "Cache-Control", "private, max-age=60");
    } else if (sv_is(req->path, "/unchanged")) {
        res->status = 304;
    } else if (sv_starts(req->path, "/events")) {
        res->status = 200;
        res->events = true;
        res->event_topics = 1u << 5;
    } else if (sv_is(req->path, "/later")) {
        return give_away(req, res);
    } /* anything else has no status: a handler's mistake */
    return HTTP_REPLY;
}

static inline void app_finished(void *arg, struct request *req, int status, uint64_t bytes)
{
    (void)arg;
    (void)req;
    atomic_store(&last_status, status);
    atomic_store(&last_bytes, bytes);
    atomic_fetch_add(&finished, 1);
}

/* Sends `res`; if that is `other`, nothing of it is left behind. */
static inline void answer_later(struct request *req, struct response *res, struct response *other)
{
    response_init(other);
    reply_text(res, 200, SV("later: "));
    str_addsv(&res->body, req->body);
    response_header(res, "X-Path", arena_cstr(&req->arena, req->path));
    http_reply(req, res);
    assert_int_equal(other->fd, -1);
    assert_null(other->body.p);
}

static inline void *answer_all(void *arg)
{
    pthread_mutex_lock(&queue.lock);
    for (;;) {
        while (!queue.stop && (queue.n == 0 || queue.hold)) {
            pthread_cond_wait(&queue.changed, &queue.lock);
        }
        if (queue.n == 0) {
            break;
        }
        struct request *req = queue.held[--queue.n].req;
        struct response *res = queue.held[queue.n].res, other;
        pthread_mutex_unlock(&queue.lock);
        answer_later(req, atomic_fetch_add(&answered, 1) % 2 ? res : &other, &other);
        pthread_mutex_lock(&queue.lock);
    }
    pthread_mutex_unlock(&queue.lock);
    return arg;
}

static inline void set_queue(bool hold, bool stop)
{
    pthread_mutex_lock(&queue.lock);
    queue.hold = hold;
    queue.stop = stop;
    pthread_cond_broadcast(&queue.changed);
    pthread_mutex_unlock(&queue.lock);
}

static inline struct http_options options(void)
{
    return (struct http_options){
        .bind = "127.0.0.1", .threads = 2, .connections = 256, .event_streams = STREAMS};
}

static inline void start(const struct http_options *o)
{
    static const struct http_app app = {NULL, app_begin, app_admit, app_handle, app_finished};
    struct err err = {0};
    shared = http_shared_new(SHARED_SIZE - SHARED_TAIL, SHARED_TAIL);
    memset(shared->bytes, 's', shared->n);
    atomic_store(&begun, 0);
    atomic_store(&finished, 0);
    atomic_store(&answered, 0);
    set_queue(false, false);
    if (http_start(o, &app, &server, &err) != OK) {
        fail_msg("%s", err.msg);
    }
    assert_int_equal(pthread_create(&answering, NULL, answer_all, NULL), 0);
}

static inline void stop(void)
{
    http_quiesce(server);
    set_queue(false, true);
    pthread_join(answering, NULL);
    http_stop(server);
    assert_int_equal(atomic_load(&shared->references), 1); /* every reply gave its own back */
    http_shared_release(shared);
    assert_int_equal(atomic_load(&begun), atomic_load(&finished));
}

static inline int set_up(void **state)
{
    (void)state;
    struct http_options o = options();
    start(&o);
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    stop();
    return 0;
}

/* ---- clients ---- */

static inline int dial(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons(http_port(server)),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct timeval patience = {.tv_sec = PATIENCE_MS / 1000};
    const int on = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
    assert_int_equal(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

static inline void say(int fd, const char *text)
{
    size_t n = strlen(text);
    assert_int_equal(send(fd, text, n, MSG_NOSIGNAL), (ssize_t)n);
}

/* Reads until `end` is in the buffer, the peer closes or the buffer is full; what was read. */
static inline char *hear(int fd, const char *end)
{
    static _Thread_local char buf[8192];
    size_t n = 0;
    buf[0] = '\0';
    while (n < sizeof buf - 1 && !(end && strstr(buf, end))) {
        ssize_t got = recv(fd, buf + n, sizeof buf - 1 - n, 0);
        if (got <= 0) {
            break;
        }
        n += (size_t)got;
        buf[n] = '\0';
    }
    return buf;
}

static inline bool closed(int fd)
{
    char c;
    return recv(fd, &c, 1, 0) <= 0;
}

#define WAIT_UNTIL(cond)                                                                           \
    do {                                                                                           \
        int64_t start_ns = clock_mono_ns();                                                        \
        while (!(cond)) {                                                                          \
            assert_true(clock_mono_ns() - start_ns < (int64_t)PATIENCE_MS * 1000000);              \
            poll(NULL, 0, 1);                                                                      \
        }                                                                                          \
    } while (0)

static struct http_stats stats(void)
{
    struct http_stats s;
    http_stats(server, &s);
    return s;
}

#define HOST "Host: t\r\n"

#endif
