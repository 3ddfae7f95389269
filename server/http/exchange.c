/* exchange.c - one request and its reply, from the request line to the end, without the library:
 * limits, what decides where a body ends, who the client is, and the calls to the application.
 *
 * Called by mhd.c on the request's HTTP thread, one step at a time; http_reply alone is called
 * on another. Knows nothing of sockets. */
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
    DRAIN_MAX = 64 << 20, /* of a refused body, before the connection is cut */
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
    atomic_fetch_add(&s->open, 1);
    return c;
}

/* What decides where a body ends, from all header lines of those names. */
struct framing {
    int lengths, encodings;
    uint64_t length;
    bool chunked, expect;
};

static void see_framing(void *arg, const char *name, const char *value)
{
    struct framing *f = arg;
    int64_t n;
    if (sv_eq_nocase(sv_of(name), "Content-Length")) {
        f->lengths++;
        f->length = sv_i64(sv_of(value), &n) && n >= 0 ? (uint64_t)n : UINT64_MAX;
    } else if (sv_eq_nocase(sv_of(name), "Transfer-Encoding")) {
        f->encodings++;
        f->chunked = sv_eq_nocase(sv_of(value), "chunked");
    } else if (sv_eq_nocase(sv_of(name), "Expect")) {
        f->expect = true;
    }
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
    if (peer->trusted) {
        struct address client = peer->address;
        client = proxies_client(&s->proxies, &client, joined_header(c, "X-Forwarded-For"));
        struct sv schemes = joined_header(c, "X-Forwarded-Proto"), scheme = {0};
        while (schemes.p) {
            scheme = sv_trim(sv_cut(&schemes, ','));
        }
        c->req.secure = c->req.secure || sv_eq_nocase(scheme, "https");
        address_text(&client, c->req.address);
    } else {
        memcpy(c->req.address, peer->text, sizeof peer->text);
    }
}

enum exchange_next exchange_begin(struct http_conn *c, const char *method, const struct peer *peer)
{
    struct http_server *s = c->req.server;
    struct framing f = {0};
    conn_headers(c, see_framing, &f);
    if (f.lengths + f.encodings > 1 || (f.encodings && !f.chunked)) {
        return NEXT_CUT; /* nobody honest sends that, and a proxy may read it otherwise */
    }
    c->phase = PHASE_BODY;
    c->req.id = atomic_fetch_add(&s->next_id, 1) + 1;
    c->req.started_ns = clock_mono_ns();
    c->req.method = request_method(method);
    c->req.body = SV("");
    request_set_uri(&c->req, c->uri);
    set_client(c, peer);
    atomic_fetch_add(&s->requests, 1);
    c->limit = s->app.begin(s->app.arg, &c->req);
    BUG_IF(c->limit > SIZE_MAX / 8);
    c->req.arena.max = ARENA_MAX + 4 * c->limit;
    str_init(&c->body, c->limit);
    if (f.length > c->limit) {
        c->refused = 413;
    }
    /* A client that asks before it sends is spared the sending; others are read to the end,
     * because an answer in the middle of a body costs the connection. */
    return c->refused && f.expect ? exchange_answer(c) : NEXT_READ;
}

enum exchange_next exchange_body(struct http_conn *c, const char *data, size_t n)
{
    if (!c->refused && n > c->limit - c->body.n) {
        c->refused = 413;
        str_release(&c->body);
    }
    if (!c->refused) {
        str_add(&c->body, data, n);
        return NEXT_READ;
    }
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
    /* Counted before the look at `closing`, which http_quiesce sets before it looks at the count:
     * so either this sees that, or that waits for this. */
    atomic_fetch_add(&s->handling, 1);
    enum http_flow flow = HTTP_REPLY;
    if (atomic_load(&s->closing)) {
        exchange_busy(c, "The server is closing; try again in a moment.\n");
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
        response_own(res, 500, "The server made a mistake; it is in the log.\n");
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
    if (c->phase != PHASE_NEW) {
        s->app.finished(s->app.arg, &c->req, c->status, bytes);
    }
    response_release(&c->res);
    str_release(&c->body);
    keep_spare(s, c);
    atomic_fetch_sub(&s->open, 1); /* last: the server may go when nothing is open */
}
