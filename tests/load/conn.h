/* conn.h - one connection of the load client; shared by client.c and conn.c only. */
#ifndef LOAD_CONN_H
#define LOAD_CONN_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "load/client.h"

enum conn_state {
    CONN_CLOSED,
    CONN_CONNECTING, /* a request waits for the connection */
    CONN_IDLE,
    CONN_BUSY,   /* a request is under way */
    CONN_STREAM, /* the head of an event stream was read */
    CONN_LOST    /* the request failed; its callback is owed */
};

struct conn_head { /* what matters of a reply's head */
    size_t size;   /* bytes up to and with the empty line; 0 = not read yet */
    int status;
    uint64_t length;
    int64_t retry_after_ms;
    bool chunked, close;
};

struct client_conn {
    struct client *client;
    enum conn_state state;
    int fd;
    bool ended; /* the other side will send no more than what is in the socket */
    struct str out;
    size_t out_sent;
    char *in;
    size_t in_n, in_cap, in_scanned;
    struct conn_head head;
    client_done_fn *done;
    client_event_fn *event;
    void *arg;
    int64_t sent_ns;
    /* event streams only */
    struct str block;    /* the part of an event that has come */
    uint64_t chunk_left; /* bytes of the chunk still to come, its CR LF counted */
};

struct client_timer {
    int64_t due_ns;
    client_timer_fn *fn;
    void *arg;
};

struct client {
    int epoll;
    struct sockaddr_in address;
    char *host, *headers;
    struct client_conn *conns;
    unsigned n;
    struct client_conn **lost;
    unsigned n_lost;
    struct client_timer *timers;
    size_t n_timers, timers_cap;
    int64_t next_due_ns, now_ns, swept_ns, timeout_ns;
    bool stop;
};

void conn_init(struct client_conn *conn, struct client *c);
void conn_release(struct client_conn *conn);
void conn_on_event(struct client_conn *conn, uint32_t events);
void conn_finish_lost(struct client_conn *conn); /* calls back with status 0 */
void conn_check_timeout(struct client_conn *conn);

#endif
