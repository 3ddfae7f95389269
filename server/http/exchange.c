/* exchange.c - one request and its reply, from the request line to the end, without the library:
 * limits, what decides where a body ends, who the client is, and the calls to the application.
 *
 * Runs on the request's HTTP thread, one step at a time; http_reply alone is called on another.
 * Knows nothing of sockets. */
#include "http/conn.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/xalloc.h"
#include "http/request.h"
#include "http/response.h"

enum {
    ARENA_MAX = 64 << 20, /* and four times the body */
    DRAIN_MAX = 8 << 20,  /* of a refused body, before the connection is cut */
    FORWARDED_MAX = 16 << 10
};

/* An empty request; its arena may have room from the one before. */
static struct http_conn *take_spare(struct http_server *s)
{
    struct http_conn *c = NULL;
    pthread_mutex_lock(&s->spare.lock);
    if (s->spare.n) {
        c = s->spare.conns[--s->spare.n];
    }
    pthread_mutex_unlock(&s->spare.lock);
    if (!c) {
        c = xcalloc(1, sizeof *c);
        arena_init(&c->req.arena, ARENA_MAX);
    }
    return c;
}

static void free_conn(struct http_conn *c)
{
    arena_release(&c->req.arena);
    free(c);
}

static void keep_spare(struct http_server *s, struct http_conn *c)
{
    arena_clear(&c->req.arena);
    *c = (struct http_conn){.req.arena = c->req.arena};
    size_t most = SPARE_CONNS;
    pthread_mutex_lock(&s->spare.lock);
    if (s->spare.n < most) {
        s->spare.conns[s->spare.n++] = c;
        c = NULL;
    }
    pthread_mutex_unlock(&s->spare.lock);
    if (c) {
        free_conn(c);
    }
}

void exchange_free_spare(struct http_server *s)
{
    while (s->spare.n) {
        free_conn(s->spare.conns[--s->spare.n]);
    }
    pthread_mutex_destroy(&s->spare.lock);
}

struct http_conn *exchange_new(struct http_server *s, struct MHD_Connection *mc, const char *uri)
{
    struct http_conn *c = take_spare(s);
    c->req.arena.max = ARENA_MAX;
    response_init(&c->res);
    c->req.server = s;
    c->req.conn = c;
    c->mc = mc;
    c->uri = arena_strdup(&c->req.arena, uri);
    c->uri_at = uri;
    atomic_fetch_add(&s->open, 1);
    return c;
}

static void see_line(void *arg, const char *name, const char *value)
{
    head_line(arg, name, value);
}

/* All lines of one name, joined by commas: a proxy may add its line behind a forged one. */
struct joined {
    const char *name;
    struct str text;
};

static void join_line(void *arg, const char *name, const char *value)
{
    struct joined *j = arg;
    if (value && sv_eq_nocase(sv_of(name), j->name)) {
        if (j->text.n) {
            str_addc(&j->text, ',');
        }
        str_addz(&j->text, value);
    }
}

static struct sv joined_header(struct http_conn *c, const char *name)
{
    struct joined j = {.name = name};
    str_init(&j.text, FORWARDED_MAX);
    conn_headers(c, join_line, &j);
    struct sv text = arena_sv(&c->req.arena, str_sv(&j.text));
    str_release(&j.text);
    return text;
}

static void set_client(struct http_conn *c, const struct peer *peer)
{
    const struct http_server *s = c->req.server;
    c->req.secure = s->key.n > 0;
    if (peer->watched.trusted) {
        struct address client = peer->watched.address;
        client = proxies_client(&s->proxies, &client, joined_header(c, "X-Forwarded-For"));
        struct sv schemes = joined_header(c, "X-Forwarded-Proto"), scheme = {0};
        while (schemes.p) {
            scheme = sv_trim(sv_cut(&schemes, ','));
        }
        c->req.secure = c->req.secure || sv_eq_nocase(scheme, "https");
        address_text(&client, c->req.address);
    } else {
        memcpy(c->req.address, peer->text, sizeof peer->text);
        c->req.disbelieved = conn_header(c, "X-Forwarded-For").n > 0;
    }
}

/* The head is not what the standard says: whoever is in front may have read it otherwise. */
static enum exchange_next malformed(struct http_conn *c, const char *what)
{
    atomic_fetch_add(&c->req.server->malformed, 1);
    log_msg(LOG_INFO, "a malformed request was refused", LOG_NUM("req", c->req.id),
            LOG_TEXT("why", sv_of(what)));
    response_own(&c->res, 400, "The request is malformed: ");
    str_addz(&c->res.body, what);
    str_addz(&c->res.body, ".\n");
    c->last = true;
    return NEXT_SEND;
}

/* Answers before the body is read: the client is spared the sending, the server the taking. */
static enum exchange_next answer_early(struct http_conn *c)
{
    c->last = true;
    c->peer->linger = true;
    return exchange_answer(c);
}

static bool room_for(const struct http_server *s, uint64_t n)
{
    uint64_t held = atomic_load(&s->bodies);
    return held < s->bodies_max && n <= s->bodies_max - held;
}

static void let_go_of_body(struct http_conn *c)
{
    atomic_fetch_sub(&c->req.server->bodies, c->held);
    c->held = 0;
    str_release(&c->body);
}

/* What a body is refused for before it comes; 0: nothing. */
static int refusal(const struct http_conn *c, const struct head *h)
{
    if (h->length > c->limit) {
        return 413;
    }
    return h->length && !room_for(c->req.server, h->length) ? 503 : 0;
}

enum exchange_next exchange_begin(struct http_conn *c, const char *method, const char *version,
                                  size_t size, struct peer *peer)
{
    struct http_server *s = c->req.server;
    struct head h;
    head_begin(&h, method, c->uri, c->uri_at, version, s->places ? size : 0);
    conn_headers(c, see_line, &h);
    const char *wrong = head_end(&h);
    bool body = h.length > 0 || h.chunked;
    if (!watch_turn(&peer->watched, WATCH_HEAD, body && !wrong ? WATCH_BODY : WATCH_BUSY)) {
        return NEXT_CUT;
    }
    c->peer = peer;
    c->phase = PHASE_BODY;
    c->req.id = atomic_fetch_add(&s->next_id, 1) + 1;
    c->req.started_ns = clock_mono_ns();
    c->req.method = request_method(method);
    c->req.body = SV("");
    atomic_fetch_add(&s->requests, 1);
    if (wrong) {
        peer->linger = true;
        return malformed(c, wrong);
    }
    request_set_uri(&c->req, c->uri);
    set_client(c, peer);
    c->begun = true;
    c->limit = s->app.begin(s->app.arg, &c->req);
    BUG_IF(c->limit > SIZE_MAX / 8);
    c->limit = c->limit < s->bodies_max ? c->limit : s->bodies_max;
    c->req.arena.max = ARENA_MAX + 4 * c->limit;
    str_init(&c->body, c->limit);
    /* Where a chunked body ends is said in ways that the library is generous about: nothing that
     * follows it is believed. */
    c->last = h.chunked;
    c->refused = refusal(c, &h);
    if (c->refused || (body && s->app.admit && !s->app.admit(s->app.arg, &c->req))) {
        return answer_early(c);
    }
    return NEXT_READ;
}

/* Counts what the buffer of the body grew by. */
static void count_body(struct http_conn *c)
{
    atomic_fetch_add(&c->req.server->bodies, c->body.cap - c->held);
    c->held = c->body.cap;
}

enum exchange_next exchange_body(struct http_conn *c, const char *data, size_t n)
{
    watch_received(&c->peer->watched, n);
    if (!c->refused && n > c->limit - c->body.n) {
        c->refused = 413;
    } else if (!c->refused && !room_for(c->req.server, n)) {
        c->refused = 503;
    }
    if (!c->refused) {
        str_add(&c->body, data, n);
        count_body(c);
        return NEXT_READ;
    }
    /* The library takes no reply in the middle of a body. */
    let_go_of_body(c);
    c->dropped += n;
    return c->dropped > DRAIN_MAX ? NEXT_CUT : NEXT_READ;
}

void exchange_busy(struct http_conn *c, const char *text)
{
    response_own(&c->res, 503, text);
    response_header(&c->res, "Retry-After", "5");
    atomic_fetch_add(&c->req.server->refused, 1);
}

enum exchange_next exchange_answer(struct http_conn *c)
{
    struct http_server *s = c->req.server;
    if (atomic_load(&c->peer->watched.stage) != WATCH_BUSY &&
        !watch_turn(&c->peer->watched, WATCH_BODY, WATCH_BUSY)) {
        return NEXT_CUT;
    }
    /* Counted before the look at `closing`, which http_quiesce sets before it looks at the count:
     * so either this sees that, or that waits for this. */
    atomic_fetch_add(&s->handling, 1);
    enum http_flow flow = HTTP_REPLY;
    if (atomic_load(&s->closing)) {
        exchange_busy(c, "The server is closing; try again in a moment.\n");
    } else if (c->refused == 503) {
        exchange_busy(c, "The server has too much to read at once; try again in a moment.\n");
    } else {
        c->req.body = str_sv(&c->body);
        /* After HTTP_LATER the request is another thread's: nothing of it may be touched. */
        flow = s->app.handle(s->app.arg, &c->req, &c->res, c->refused);
    }
    atomic_fetch_sub(&s->handling, 1);
    return flow == HTTP_REPLY ? NEXT_SEND : NEXT_READ;
}

void http_suspend(struct request *req)
{
    struct http_conn *c = req->conn;
    BUG_IF(c->phase != PHASE_BODY);
    c->phase = PHASE_AWAY;
    atomic_fetch_add(&req->server->suspended, 1);
    conn_pause(c);
}

void http_reply(struct request *req, struct response *res)
{
    struct http_conn *c = req->conn;
    BUG_IF(c->phase != PHASE_AWAY);
    if (res != &c->res) {
        response_release(&c->res);
        c->res = *res;
        response_init(res);
    }
    c->phase = PHASE_READY;
    /* A lock in there hands all of the request back to its HTTP thread. */
    conn_wake(c);
}

enum exchange_next exchange_resumed(struct http_conn *c)
{
    atomic_fetch_sub(&c->req.server->suspended, 1);
    c->phase = PHASE_QUEUED;
    return NEXT_SEND;
}

void exchange_check(struct http_conn *c)
{
    struct response *res = &c->res;
    const char *wrong = NULL;
    if (res->status < 200 || res->status > 599) {
        wrong = "it has no status";
    } else if (res->body.over) {
        wrong = "its body is too large";
    }
    if (wrong) {
        log_msg(LOG_ERROR, "a handler's reply cannot be sent", LOG_TEXT("why", sv_of(wrong)),
                LOG_NUM("req", c->req.id)); /* not its path, which may be a worker's token */
        response_own(res, 500, "The server made a mistake. The details are in its log.\n");
    }
}

void exchange_sends(struct http_conn *c)
{
    if (!c->res.events) { /* a stream waits for news, not for its client */
        watch_turn(&c->peer->watched, WATCH_BUSY, WATCH_REPLY);
    }
}

void exchange_end(struct http_conn *c, bool whole)
{
    struct http_server *s = c->req.server;
    /* An event stream never ends whole; what it sent was counted on the way. */
    uint64_t bytes = (whole && c->req.method != HTTP_HEAD) || c->res.events ? c->bytes : 0;
    atomic_fetch_add(&s->bytes_out, bytes);
    if (c->status) {
        atomic_fetch_add(&s->by_status[c->status / 100], 1);
    }
    if (c->phase == PHASE_READY) { /* the client left before its reply could be queued */
        atomic_fetch_sub(&s->suspended, 1);
    }
    if (c->begun) {
        s->app.finished(s->app.arg, &c->req, c->status, bytes);
    }
    response_release(&c->res);
    let_go_of_body(c);
    if (c->peer && !watch_turn(&c->peer->watched, WATCH_REPLY, WATCH_HEAD)) {
        watch_turn(&c->peer->watched, WATCH_BUSY, WATCH_HEAD);
    }
    keep_spare(s, c);
    atomic_fetch_sub(&s->open, 1); /* last: the server may go when nothing is open */
}
