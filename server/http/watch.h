/* watch.h - connections over time: how long a client may take for a head and a body, who gives way
 * when all connections are taken, and the last seconds of clients that were answered before they
 * had sent everything.
 *
 * A connection waits for a head, takes in a body, is busy (the request is being answered) or sends the
 * reply. All but busy ones may be ended from here, by shutting their socket down; whoever goes on
 * with one asks watch_turn, which says no from then on: no request begins on an ended connection.
 * Knows sockets and addresses, nothing of HTTP. */
#ifndef HTTP_WATCH_H
#define HTTP_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "http/address.h"

enum watch_stage { WATCH_HEAD, WATCH_BODY, WATCH_BUSY, WATCH_REPLY, WATCH_ENDED };

/* A connection's part; all of it is watch.c's, except what is filled in before watch_enter. */
struct watched {
    struct watched *next, *prev;
    struct address address; /* filled in */
    int fd;                 /* filled in; open from watch_enter to watch_leave */
    bool trusted;           /* filled in: a proxy, which stands for many clients */
    const unsigned *neighbours;
    atomic_int stage;
    atomic_bool idle; /* in WATCH_HEAD: nothing of a further request was seen yet */
    atomic_int_fast64_t since_ns;
    atomic_uint_fast64_t received; /* bytes of the body */
    bool counted;
    int64_t reply_since_ns, reply_seen_ns; /* in WATCH_REPLY: which reply, and since when it is looked at */
    uint64_t reply_taken;                  /* bytes that the client had taken by then */
};

/* Milliseconds, and bytes a second. A body may take body_ms and one second more for every
 * body_rate bytes that came; a reply as well, for the bytes that the client took. */
struct watch_limits {
    int64_t head_ms, idle_ms, body_ms, body_rate;
    unsigned connections, per_address; /* per_address 0: no limit */
};

struct watch_stats {
    uint64_t connections;         /* now, without those that were ended and are still closing */
    uint64_t timed_out, gave_way; /* since the start */
};

/* How many are taken above a limit of connections while all of them are busy: those that just
 * finished are still closing. */
static inline unsigned watch_more(unsigned connections)
{
    return connections / 8 + 1;
}

struct watch;
enum err_code watch_start(const struct watch_limits *limits, struct watch **out, struct err *err);
/* Joins the thread and frees; every connection must have left. NULL is allowed. */
void watch_stop(struct watch *w);

/* True when one more connection may come from there. At a limit that may end another one, which
 * waits, or sends its body or takes its reply slower than body_rate: of the same address, when that has
 * all it may have, else of the address with the most. When no other gives way, one whose body or reply
 * just began does, of an address that holds an eighth of all. */
bool watch_allow(struct watch *w, const struct address *from, bool trusted);
/* Descriptors or memory for one more connection are missing: one that waits is ended. Logged with
 * what to do, at most once a minute. */
void watch_relieve(struct watch *w);
void watch_enter(struct watch *w, struct watched *c);
/* Before the descriptor is closed. `linger`: what still comes is read and dropped for a moment, so
 * that the client sees its reply, not a reset. */
void watch_leave(struct watch *w, struct watched *c, bool linger);

/* The request line is there. */
void watch_line(struct watched *c);
/* The next stage; false when the connection was ended: nothing may be done for it. */
bool watch_turn(struct watched *c, enum watch_stage from, enum watch_stage to);
void watch_received(struct watched *c, size_t n);

void watch_stats(struct watch *w, struct watch_stats *out);

#endif
