/* conn.h - a server and its requests as this folder sees them: libmicrohttpd's side is mhd.c,
 * everything else about a request's life is exchange.c. Not for the web layer. */
#ifndef HTTP_CONN_H
#define HTTP_CONN_H

#include <pthread.h>
#include <stdatomic.h>

#include "http/address.h"
#include "http/http.h"
#include "http/head.h"
#include "http/sse.h"
#include "http/watch.h"

struct MHD_Connection;
struct MHD_Daemon;

/* Requests that ended, for those that come. */
#ifdef ARENA_DEBUG
enum { SPARE_CONNS = 0 }; /* so that sanitizers see a use after its end */
#else
enum { SPARE_CONNS = 64 };
#endif
struct spare_conns {
    pthread_mutex_t lock;
    struct http_conn *conns[SPARE_CONNS + 1];
    size_t n;
};

struct http_server {
    struct MHD_Daemon *daemon;
    struct spare_conns spare;
    struct http_app app;
    struct proxies proxies;
    struct watch *watch;
    struct sse_hub *hub;
    struct str cert, key; /* PEM, as long as the daemon runs */
    uint16_t port;
    size_t bodies_max;
    bool places; /* the library leaves a head where it came (head.h) */
    atomic_bool closing;
    atomic_uint_fast64_t next_id;
    atomic_uint_fast64_t open;     /* requests that exist */
    atomic_uint_fast64_t handling; /* threads in app.handle */
    atomic_uint_fast64_t requests, bytes_out, refused, malformed, suspended;
    atomic_uint_fast64_t bodies; /* bytes of them in memory */
    atomic_uint_fast64_t by_status[6];
};

/* One TCP connection, from its acceptance to its end. */
struct peer {
    struct watched watched;
    char text[HTTP_ADDRESS]; /* its address */
    bool linger;             /* was answered before all it sent was read */
};

enum phase {
    PHASE_NEW,   /* the request line is there */
    PHASE_BODY,  /* begun; the body is coming or complete */
    PHASE_AWAY,  /* suspended: another thread has the request */
    PHASE_READY, /* `res` is to be sent */
    PHASE_QUEUED
};

struct http_conn {
    struct request req;
    struct response res;
    struct MHD_Connection *mc;
    struct peer *peer; /* NULL before exchange_begin */
    const char *uri;     /* as it came */
    const char *uri_at;  /* where it came */
    enum phase phase;
    bool begun;   /* the application knows of it */
    bool last;    /* the connection ends with it */
    int refused;  /* 0, 413 or 503 */
    size_t limit, dropped;
    struct str body;
    size_t held; /* what of the body counts in the server's `bodies` */
    int status;
    uint64_t bytes; /* of the reply's body */
};

/* mhd.c */
/* The value of a request header as it came; empty when absent. */
struct sv conn_header(const struct http_conn *c, const char *name);
/* Calls `each` for every header line in order, also those of the same name. */
void conn_headers(struct http_conn *c, void (*each)(void *arg, const char *name, const char *value),
                  void *arg);
void conn_pause(void *conn); /* on the request's HTTP thread */
void conn_wake(void *conn);  /* on any thread */
/* Event streams send a comment every `ms` milliseconds: for tests, which cannot wait 20 s. */
void http_heartbeat(struct http_server *s, int ms);

/* exchange.c */
/* What the HTTP thread does after a step of an exchange. */
enum exchange_next {
    NEXT_READ, /* go on: more will come, or another thread has the request */
    NEXT_SEND, /* send c->res */
    NEXT_CUT   /* close the connection */
};
struct http_conn *exchange_new(struct http_server *s, struct MHD_Connection *mc, const char *uri);
/* `version` and `size`: of the head, as head_begin takes them. */
enum exchange_next exchange_begin(struct http_conn *c, const char *method, const char *version,
                                  size_t size, struct peer *peer);
enum exchange_next exchange_body(struct http_conn *c, const char *data, size_t n);
enum exchange_next exchange_answer(struct http_conn *c);
/* The first call after http_reply. */
enum exchange_next exchange_resumed(struct http_conn *c);
/* Turns what cannot be sent into a 500, before the reply is sent. */
void exchange_check(struct http_conn *c);
/* The reply is the client's to take from now on. */
void exchange_sends(struct http_conn *c);
/* Makes the reply a 503. */
void exchange_busy(struct http_conn *c, const char *text);
/* The end, however it came: `whole` when the reply was sent to its last byte. Frees c. */
void exchange_end(struct http_conn *c, bool whole);
/* Frees what exchange_end kept. */
void exchange_free_spare(struct http_server *s);

#endif
