/* watch.c - readers and listeners. */
#include "load/watch.h"

#include <stdlib.h>

#include "base/xalloc.h"

enum { PAUSE_MS = 100 };

struct reader {
    struct watch *w;
    struct client_conn *conn;
    unsigned turn;
};

struct watch {
    struct client *client;
    struct watch_options o;
    struct reader *readers; /* readers, then listeners */
    unsigned reading;
    bool stopping;
    struct watch_stats s;
};

struct watch *watch_new(struct client *c, const struct watch_options *o)
{
    struct watch *w = xcalloc(1, sizeof *w);
    unsigned n = o->readers + o->listeners;
    w->client = c;
    w->o = *o;
    w->readers = xcalloc(n ? n : 1, sizeof *w->readers);
    for (unsigned i = 0; i < n; i++) {
        w->readers[i] = (struct reader){w, client_conn(c, o->first + i), i};
    }
    return w;
}

void watch_free(struct watch *w)
{
    if (w) {
        free(w->readers);
        free(w);
    }
}

static void read_next(void *arg);

static void on_page(struct client_conn *conn, const struct client_reply *r, void *arg)
{
    (void)conn;
    struct reader *k = arg;
    struct watch_stats *s = &k->w->s;
    s->bytes += r->body.n;
    if (r->status >= 200 && r->status < 400) {
        hist_add(&s->read, r->latency_ns);
        s->read_ok++;
        read_next(k);
        return;
    }
    s->read_failed++;
    s->read_status = r->status;
    client_after(k->w->client, PAUSE_MS, read_next, k);
}

static void read_next(void *arg)
{
    struct reader *k = arg;
    struct watch *w = k->w;
    if (w->stopping) {
        w->reading--;
        return;
    }
    const char *path = w->o.paths[k->turn++ % w->o.n_paths];
    client_send(k->conn, "GET", sv_of(path), SV(""), on_page, k);
}

/* A block with only comment lines is a heartbeat. */
static void on_event(struct client_conn *conn, struct sv block, void *arg)
{
    (void)conn;
    struct reader *k = arg;
    if (sv_starts(block, ":")) {
        k->w->s.heartbeats++;
    } else {
        k->w->s.messages++;
    }
}

static void listen_again(void *arg);

static void on_stream_end(struct client_conn *conn, const struct client_reply *r, void *arg)
{
    (void)conn;
    struct reader *k = arg;
    k->w->s.open--;
    if (r->status == 200) {
        k->w->s.ended++;
    } else {
        k->w->s.refused++;
        k->w->s.refused_status = r->status;
    }
    client_after(k->w->client, PAUSE_MS, listen_again, k);
}

/* A stream counts as open from the request on; refusals are counted beside it. */
static void listen_again(void *arg)
{
    struct reader *k = arg;
    if (!k->w->stopping) {
        k->w->s.open++;
        client_stream(k->conn, sv_of(k->w->o.events_path), on_event, on_stream_end, k);
    }
}

void watch_start(struct watch *w)
{
    w->stopping = false;
    w->reading = w->o.readers;
    for (unsigned i = 0; i < w->o.readers; i++) {
        read_next(&w->readers[i]);
    }
    for (unsigned i = 0; i < w->o.listeners; i++) {
        listen_again(&w->readers[w->o.readers + i]);
    }
}

void watch_stop(struct watch *w)
{
    w->stopping = true;
}

bool watch_reading(const struct watch *w)
{
    return w->reading > 0;
}

const struct watch_stats *watch_stats(const struct watch *w)
{
    return &w->s;
}
