/* mhd.c - the server: the only file that knows libmicrohttpd.
 *
 * The web layer sees http.h; this file turns libmicrohttpd's callbacks into it, and exchange.c
 * does what is left. A request's life: on_uri makes it, on_access is called with the headers, with
 * the body in pieces, and at the end, when the application answers or suspends; http_reply puts
 * the reply beside the request and resumes, whereupon libmicrohttpd calls on_access once more and
 * the reply is queued; on_completed frees it. All calls to libmicrohttpd for a request are made by
 * its HTTP thread, except the resume, which the library allows to any. */
#include <microhttpd.h>

#include <pthread.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/xalloc.h"
#include "http/conn.h"
#include "http/listen.h"
#include "http/response.h"

enum {
    MEMORY_PER_CONNECTION = 16 << 10,
    IDLE_SECONDS = 45,
    DEFAULT_CONNECTIONS = 1024,
    DEFAULT_MS = 20000,
    DEFAULT_RATE = 1000,
    DEFAULT_BODIES = 64 << 20,
    EVENTS_BLOCK = 1024,
    KEY_FILE_MAX = 1 << 20,
    GRACE_MS = 3000, /* for clients that are slow to take their last reply */
    STOP_POLL_MS = 2,
    STOP_WARN_MS = 10000
};

/* How much the library forgives: 1 is as the standard says, for the open internet. Older versions
 * know two rules only, which head.c has too; refusing by them they send their 400 twice. */
#if MHD_VERSION >= 0x00097701
#define STRICT MHD_OPTION_CLIENT_DISCIPLINE_LVL, 1
#else
#define STRICT MHD_OPTION_STRICT_FOR_CLIENT, 0
#endif

/* ---- what a request asks its connection ---- */

struct sv conn_header(const struct http_conn *c, const char *name)
{
    const char *value = NULL;
    size_t n = 0;
    if (MHD_lookup_connection_value_n(c->mc, MHD_HEADER_KIND, name, strlen(name), &value, &n) !=
            MHD_YES ||
        !value) {
        return SV("");
    }
    return sv_make(value, n);
}

struct each_header {
    void (*each)(void *arg, const char *name, const char *value);
    void *arg;
};

static enum MHD_Result on_header(void *arg, enum MHD_ValueKind kind, const char *name,
                                 const char *value)
{
    (void)kind;
    const struct each_header *e = arg;
    e->each(e->arg, name, value ? value : "");
    return MHD_YES;
}

void conn_headers(struct http_conn *c, void (*each)(void *arg, const char *name, const char *value),
                  void *arg)
{
    struct each_header e = {each, arg};
    MHD_get_connection_values(c->mc, MHD_HEADER_KIND, on_header, &e);
}

void conn_pause(void *conn)
{
    struct http_conn *c = conn;
    MHD_suspend_connection(c->mc);
}

void conn_wake(void *conn)
{
    struct http_conn *c = conn;
    MHD_resume_connection(c->mc);
}

/* ---- the reply ---- */

static ssize_t read_events(void *arg, uint64_t at, char *buf, size_t max)
{
    (void)at;
    struct http_conn *c = sse_conn(arg);
    ptrdiff_t n = sse_read(arg, buf, max);
    if (n == SSE_END) {
        return MHD_CONTENT_READER_END_OF_STREAM;
    }
    if (n != SSE_PAUSED) {
        c->bytes += (uint64_t)n;
    }
    return n;
}

static void events_done(void *arg)
{
    sse_done(arg);
}

/* NULL when there are too many streams; the reply is then a 503. */
static struct MHD_Response *events_response(struct http_conn *c)
{
    struct sse_stream *stream = sse_open(c->req.server->hub, c, c->res.event_topics);
    if (!stream) {
        exchange_busy(c, "Too many pages are listening; this one will try again.\n");
        return NULL;
    }
    struct MHD_Response *r = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, EVENTS_BLOCK,
                                                               read_events, stream, events_done);
    if (!r) {
        sse_done(stream);
    }
    c->res.content_type = "text/event-stream";
    if (c->res.n_headers < HTTP_HEADERS_OUT) {
        response_header(&c->res, "X-Accel-Buffering", "no"); /* nginx would hold events back */
    }
    return r;
}

static struct MHD_Response *file_response(struct http_conn *c)
{
    struct MHD_Response *r = MHD_create_response_from_fd64(c->res.fd_size, c->res.fd);
    if (r) {
        c->bytes = c->res.fd_size;
        c->res.fd = -1; /* closed with the response */
    }
    return r;
}

static struct MHD_Response *text_response(struct http_conn *c)
{
    size_t n;
    char *p = str_take(&c->res.body, &n);
    struct MHD_Response *r = MHD_create_response_from_buffer_with_free_callback(n, p, free);
    if (!r) {
        free(p);
    }
    c->bytes = n;
    return r;
}

static void shared_sent(void *arg)
{
    http_shared_release(arg);
}

static struct MHD_Response *shared_response(struct http_conn *c)
{
    struct http_shared *s = c->res.shared;
    BUG_IF(c->res.shared_n > s->n + s->tail);
    struct MHD_Response *r = MHD_create_response_from_buffer_with_free_callback_cls(
        c->res.shared_n, s->bytes, shared_sent, s);
    if (r) {
        c->bytes = c->res.shared_n;
        c->res.shared = NULL; /* released with the response */
    }
    return r;
}

static void add_lines(struct MHD_Response *r, const struct header_line *lines, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (MHD_add_response_header(r, lines[i].name, lines[i].value) != MHD_YES) {
            log_msg(LOG_ERROR, "a reply's header was refused",
                    LOG_TEXT("header", sv_of(lines[i].name)));
        }
    }
}

static struct MHD_Response *make_response(struct http_conn *c)
{
    struct header_line lines[RESPONSE_LINES];
    char id[RESPONSE_ID];
    struct MHD_Response *r = c->res.events ? events_response(c) : NULL;
    if (!r) {
        r = c->res.shared    ? shared_response(c)
            : c->res.fd >= 0 ? file_response(c)
                             : text_response(c);
    }
    if ((c->last || atomic_load(&c->req.server->closing)) && c->res.n_headers < HTTP_HEADERS_OUT) {
        response_header(&c->res, "Connection", "close");
    }
    if (r) {
        add_lines(r, lines, response_lines(&c->req, &c->res, id, lines));
    }
    return r;
}

/* MHD_NO cuts the connection: the machine is out of memory. */
static enum MHD_Result queue_reply(struct http_conn *c)
{
    c->phase = PHASE_QUEUED;
    exchange_check(c);
    struct MHD_Response *r = make_response(c);
    if (!r) {
        return MHD_NO;
    }
    c->status = c->res.status;
    exchange_sends(c);
    enum MHD_Result rc = MHD_queue_response(c->mc, (unsigned)c->status, r);
    MHD_destroy_response(r); /* the connection has its own reference */
    return rc;
}

/* ---- requests ---- */

static struct peer *peer_of(struct MHD_Connection *mc)
{
    return MHD_get_connection_info(mc, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

static void *on_uri(void *arg, const char *uri, struct MHD_Connection *mc)
{
    struct peer *peer = peer_of(mc);
    watch_line(&peer->watched);
    return exchange_new(arg, mc, uri ? uri : "");
}

static enum exchange_next begin(struct http_conn *c, const char *method, const char *version)
{
    size_t size = MHD_get_connection_info(c->mc, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE)->header_size;
    return exchange_begin(c, method, version, size, peer_of(c->mc));
}

static enum exchange_next step(struct http_conn *c, const char *method, const char *version,
                               const char *data, size_t n)
{
    switch (c->phase) {
    case PHASE_NEW:
        return begin(c, method, version);
    case PHASE_BODY:
        return n ? exchange_body(c, data, n) : exchange_answer(c);
    case PHASE_READY:
        return exchange_resumed(c);
    case PHASE_AWAY:
    case PHASE_QUEUED:
        break;
    }
    err_bug(__FILE__, __LINE__, "called for a request that is not on this thread");
}

static enum MHD_Result on_access(void *arg, struct MHD_Connection *mc, const char *url,
                                 const char *method, const char *version, const char *data,
                                 size_t *n, void **context)
{
    (void)arg;
    (void)mc;
    (void)url;
    struct http_conn *c = *context;
    size_t taken = c->phase == PHASE_BODY ? *n : 0;
    enum exchange_next next = step(c, method, version, data, taken);
    *n -= taken;
    if (next == NEXT_SEND) {
        return queue_reply(c);
    }
    return next == NEXT_CUT ? MHD_NO : MHD_YES;
}

static void on_completed(void *arg, struct MHD_Connection *mc, void **context,
                         enum MHD_RequestTerminationCode how)
{
    (void)arg;
    (void)mc;
    if (*context) { /* NULL when not even the request line was there */
        exchange_end(*context, how == MHD_REQUEST_TERMINATED_COMPLETED_OK);
        *context = NULL;
    }
}

/* ---- connections ---- */

static enum MHD_Result on_accept(void *arg, const struct sockaddr *from, socklen_t n)
{
    (void)n;
    struct http_server *s = arg;
    struct address a;
    if (atomic_load(&s->closing)) {
        return MHD_NO;
    }
    bool allowed = address_of(from, &a) && watch_allow(s->watch, &a, proxies_has(&s->proxies, &a));
    if (!allowed) {
        atomic_fetch_add(&s->refused, 1);
    }
    return allowed ? MHD_YES : MHD_NO;
}

static void on_connection(void *arg, struct MHD_Connection *mc, void **context,
                          enum MHD_ConnectionNotificationCode what)
{
    struct http_server *s = arg;
    struct peer *peer = *context;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *from =
            MHD_get_connection_info(mc, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
        peer = xcalloc(1, sizeof *peer);
        BUG_IF(!address_of(from->client_addr, &peer->watched.address)); /* on_accept saw it */
        address_text(&peer->watched.address, peer->text);
        peer->watched.trusted = proxies_has(&s->proxies, &peer->watched.address);
        peer->watched.fd =
            MHD_get_connection_info(mc, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        *context = peer;
        watch_enter(s->watch, &peer->watched);
        return;
    }
    watch_leave(s->watch, &peer->watched, peer->linger && !atomic_load(&s->closing));
    free(peer);
    *context = NULL;
}

/* ---- start and stop ---- */

/* Mostly about what clients do wrong, which the library does not tell from its own troubles. Where
 * a message names the request's path it is logged unfilled: a path may be a worker's token. */
__attribute__((format(printf, 2, 0))) static void on_log(void *arg, const char *fmt, va_list ap)
{
    struct http_server *s = arg;
    char line[512];
    if (strstr(fmt, "Error accepting connection") && s->watch) {
        watch_relieve(s->watch);
        return;
    }
    if (strstr(fmt, "system resource limit")) {
        return; /* comes behind the other */
    }
    if (strstr(fmt, "request for ")) {
        snprintf(line, sizeof line, "%s", fmt);
    } else {
        vsnprintf(line, sizeof line, fmt, ap);
    }
    line[strcspn(line, "\r\n")] = '\0';
    log_text(LOG_INFO, "http: %s", line);
}

/* Paths are decoded by request.c, once and strictly. */
static size_t on_unescape(void *arg, struct MHD_Connection *mc, char *text)
{
    (void)arg;
    (void)mc;
    return strlen(text);
}

static unsigned cores(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return n > 0 ? (unsigned)n : 1;
}

/* Starts libmicrohttpd's threads with all signals blocked: the main thread handles them. */
static struct MHD_Daemon *start_daemon(struct http_server *s, const struct http_options *o,
                                       int listen_fd)
{
    unsigned connections = o->connections ? o->connections : DEFAULT_CONNECTIONS;
    unsigned threads = o->threads ? o->threads : cores();
    threads = threads < connections ? threads : connections;
    /* watch.c keeps the limit, and ends a connection that waits for each that comes above it. Those
     * that it ended stay with a thread for a moment more. */
    unsigned most = threads * (connections + 2 * watch_more(connections));
    struct MHD_OptionItem more[5] = {{MHD_OPTION_END, 0, NULL}};
    int n = 0;
    if (threads > 1) { /* 1 is not a pool to libmicrohttpd, but the default */
        more[n++] = (struct MHD_OptionItem){MHD_OPTION_THREAD_POOL_SIZE, threads, NULL};
    }
    if (s->key.n) {
        more[n++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, s->cert.p};
        more[n++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, s->key.p};
        /* The library takes a char pointer for what it only reads. */
        static char versions[] = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-SHA1";
        more[n++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_PRIORITIES, 0, versions};
    }
    more[n] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG |
                     (s->key.n ? MHD_USE_TLS : 0u);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    struct MHD_Daemon *d = MHD_start_daemon(
        flags, 0, on_accept, s, on_access, s, MHD_OPTION_EXTERNAL_LOGGER, on_log, s,
        MHD_OPTION_LISTEN_SOCKET, listen_fd, MHD_OPTION_URI_LOG_CALLBACK, on_uri, s,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, s, MHD_OPTION_NOTIFY_CONNECTION, on_connection,
        s, MHD_OPTION_UNESCAPE_CALLBACK, on_unescape, NULL, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)MEMORY_PER_CONNECTION, MHD_OPTION_CONNECTION_LIMIT, most,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, STRICT,
        MHD_OPTION_ARRAY, more, MHD_OPTION_END);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return d;
}

static enum err_code read_keys(struct http_server *s, const struct http_options *o, struct err *err)
{
    bool cert = o->tls_cert && *o->tls_cert, key = o->tls_key && *o->tls_key;
    if (cert != key) {
        return err_rule(err, ERR_INPUT, "tls", "tls_cert and tls_key are given together");
    }
    if (!cert) {
        return OK;
    }
    enum err_code rc = fs_read(o->tls_cert, &s->cert, err);
    return rc == OK ? fs_read(o->tls_key, &s->key, err) : rc;
}

/* Later versions refuse by themselves what head.c finds by places, and keep others. */
static bool leaves_places(void)
{
    int major = 0, minor = 0, patch = 0;
    sscanf(MHD_get_version(), "%d.%d.%d", &major, &minor, &patch);
    return major == 0 && minor == 9 && patch < 77;
}

static enum err_code start_watch(struct http_server *s, const struct http_options *o,
                                 struct err *err)
{
    struct watch_limits limits = {
        .head_ms = o->head_ms ? o->head_ms : DEFAULT_MS,
        .idle_ms = IDLE_SECONDS * 1000,
        .body_ms = o->body_ms ? o->body_ms : DEFAULT_MS,
        .body_rate = o->body_rate ? o->body_rate : DEFAULT_RATE,
        .connections = o->connections ? o->connections : DEFAULT_CONNECTIONS,
        .per_address = o->connections_per_address,
    };
    return watch_start(&limits, &s->watch, err);
}

static void server_free(struct http_server *s)
{
    if (s->hub) {
        sse_free(s->hub);
    }
    exchange_free_spare(s);
    watch_stop(s->watch);
    str_release(&s->cert);
    str_release(&s->key);
    free(s);
}

enum err_code http_start(const struct http_options *o, const struct http_app *app,
                         struct http_server **out, struct err *err)
{
    struct http_server *s = xcalloc(1, sizeof *s);
    int fd = -1;
    pthread_mutex_init(&s->spare.lock, NULL);
    s->app = *app;
    s->bodies_max = o->bodies ? o->bodies : DEFAULT_BODIES;
    s->places = leaves_places();
    str_init(&s->cert, KEY_FILE_MAX);
    str_init(&s->key, KEY_FILE_MAX);
    enum err_code rc = proxies_parse(o->trusted_proxies, &s->proxies, err);
    rc = rc == OK ? read_keys(s, o, err) : rc;
    rc = rc == OK ? sse_start(o->event_streams, conn_pause, conn_wake, &s->hub, err) : rc;
    rc = rc == OK ? start_watch(s, o, err) : rc;
    rc = rc == OK ? listen_open(o->bind, o->port, &fd, &s->port, err) : rc;
    if (rc != OK) {
        goto out;
    }
    s->daemon = start_daemon(s, o, fd);
    if (!s->daemon) {
        close(fd);
        rc = err_set(err, ERR_IO, "the HTTP server did not start; the log says why");
    }
out:
    if (rc != OK) {
        server_free(s);
        return rc;
    }
    *out = s;
    return OK;
}

const char *http_library_version(void)
{
    return MHD_get_version();
}

uint16_t http_port(const struct http_server *s)
{
    return s->port;
}

/* Waiting below is looking now and then: it happens once and lasts for milliseconds. */
static void pause_briefly(void)
{
    poll(NULL, 0, STOP_POLL_MS);
}

void http_quiesce(struct http_server *s)
{
    /* Not MHD_quiesce_daemon: in a pool it takes the socket out of a thread's epoll set while that
     * thread may do the same, and aborts the process when it comes second. Connections are
     * refused in on_accept instead; the socket is closed by http_stop. */
    atomic_store(&s->closing, true);
    sse_close(s->hub);
    while (atomic_load(&s->handling)) {
        pause_briefly();
    }
}

/* libmicrohttpd aborts the process when it is stopped with a suspended connection. */
static void wait_for_replies(struct http_server *s)
{
    int64_t start = clock_mono_ns(), warned = start;
    while (atomic_load(&s->suspended) || sse_count(s->hub)) {
        int64_t now = clock_mono_ns();
        if (now - warned > (int64_t)STOP_WARN_MS * 1000000) {
            warned = now;
            log_msg(LOG_ERROR, "stopping, but replies are owed",
                    LOG_NUM("suspended", atomic_load(&s->suspended)),
                    LOG_NUM("event_streams", sse_count(s->hub)));
        }
        pause_briefly();
    }
    while (atomic_load(&s->open) && clock_mono_ns() - start < (int64_t)GRACE_MS * 1000000) {
        pause_briefly();
    }
}

void http_stop(struct http_server *s)
{
    http_quiesce(s);
    wait_for_replies(s);
    MHD_stop_daemon(s->daemon);
    server_free(s);
}

/* ---- the rest of http.h ---- */

void http_publish(struct http_server *s, unsigned topic, const char *topic_name, uint64_t seq)
{
    sse_publish(s->hub, topic, topic_name, seq);
}

void http_heartbeat(struct http_server *s, int ms)
{
    sse_heartbeat(s->hub, ms);
}

void http_stats(const struct http_server *s, struct http_stats *out)
{
    struct watch_stats w;
    watch_stats(s->watch, &w);
    *out = (struct http_stats){
        .requests = atomic_load(&s->requests),
        .bytes_out = atomic_load(&s->bytes_out),
        .connections = w.connections,
        .timed_out = w.timed_out,
        .gave_way = w.gave_way,
        .malformed = atomic_load(&s->malformed),
        .bodies = atomic_load(&s->bodies),
        .refused = atomic_load(&s->refused),
        .event_streams = sse_count(s->hub),
        .suspended = atomic_load(&s->suspended),
        .open = atomic_load(&s->open),
    };
    for (size_t i = 0; i < sizeof s->by_status / sizeof s->by_status[0]; i++) {
        out->by_status[i] = atomic_load(&s->by_status[i]);
    }
}
