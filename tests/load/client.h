/* client.h - an HTTP/1.1 client that drives many keep-alive connections from one thread.
 *
 * Made for load tests that share the machine with the server: about two system calls and a few
 * microseconds of its own per request. One request at a time on a connection, no pipelining, no
 * TLS. Knows HTTP and epoll, nothing of what it asks for. */
#ifndef LOAD_CLIENT_H
#define LOAD_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sv.h"

struct client;      /* the loop */
struct client_conn; /* one connection; opened again whenever it was closed */

struct client_options {
    const char *host; /* name or IPv4 address */
    uint16_t port;
    unsigned connections; /* how many client_conn() hands out */
    int64_t timeout_ms;   /* a request without a whole reply after this counts as lost */
    const char *headers;  /* further header lines of every request, each ending in CR LF */
};

struct client_reply {
    int status; /* 0: the connection broke, could not be made, or timed out before a whole reply */
    struct sv body;         /* borrowed until the callback returns */
    int64_t sent_ns;        /* when it was given to client_send */
    int64_t latency_ns;     /* from there to the last byte of the reply */
    int64_t retry_after_ms; /* from Retry-After; -1 when the reply has none */
};

/* Called from client_run, once per request; it may send the next one on `conn` at once. */
typedef void client_done_fn(struct client_conn *conn, const struct client_reply *reply, void *arg);
/* Called from client_run with each block of an event stream, without the empty line behind it. */
typedef void client_event_fn(struct client_conn *conn, struct sv block, void *arg);
typedef void client_timer_fn(void *arg);

enum err_code client_new(const struct client_options *o, struct client **out, struct err *err);
void client_free(struct client *c); /* closes everything; no callbacks */

/* The connection number i < options.connections. It has no socket until the first request. */
struct client_conn *client_conn(struct client *c, unsigned i);
bool client_idle(const struct client_conn *conn); /* no request is under way on it */

/* Sends a request on an idle connection; `body` is copied, and with an empty one no length is sent
 * unless the method is POST. `done` is always called later, from client_run, never from here. */
void client_send(struct client_conn *conn, const char *method, struct sv path, struct sv body,
                 client_done_fn *done, void *arg);
/* Opens an event stream; `done` is called when it ends (status 200 and no body) or was refused. */
void client_stream(struct client_conn *conn, struct sv path, client_event_fn *event,
                   client_done_fn *done, void *arg);

/* Calls `fn` from client_run once `ms` (at least 1) have passed. */
void client_after(struct client *c, int64_t ms, client_timer_fn *fn, void *arg);
/* The time that the loop took last, monotonic: cheaper than asking again. */
int64_t client_now_ns(const struct client *c);

/* Runs until client_stop is called (from a callback). `each_turn` (may be NULL) is called after
 * every round of events, at least every 100 ms. */
enum err_code client_run(struct client *c, void (*each_turn)(void *arg), void *arg,
                         struct err *err);
void client_stop(struct client *c);

#endif
