/* watch.c - deadlines and places of connections: one thread that looks at all of them now and then.
 *
 * Runs on HTTP threads. The lock covers the list and every shutdown, and watch_leave takes it
 * before a descriptor is closed: none is shut down that is another's by then. What changes with
 * each request is atomic, and `stage` decides who has the connection. */
#include "http/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "base/xalloc.h"
#include "http/peers.h"

#define MS_NS INT64_C(1000000)
#define SECOND_NS INT64_C(1000000000)
#define SLOW_NS SECOND_NS /* a body or a reply may take to show its pace */

enum {
    LINGERING = 256, /* at once; the oldest gives way */
    LINGER_MS = 5000,
    LINGER_LOOK_MS = 20,
    LINGER_READ = 64 << 10,
    LINGER_READS = 16, /* of one connection at a time */
    LOOK_LEAST_MS = 20,
    LOOK_MOST_MS = 1000,
    PART_OF_ALL = 8, /* an eighth of all connections is much for one address */
    WARN_SECONDS = 60
};

struct lingering {
    int fd;
    int64_t until_ns;
};

struct watch {
    struct watch_limits limits;
    struct peers *peers;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct watched *first;
    uint64_t connections, timed_out, gave_way;
    struct lingering lingering[LINGERING];
    size_t n_lingering;
    int64_t warned_full_ns, warned_short_ns;
    bool stopping;
};

/* ---- with the lock held ---- */

/* Bytes that the client has confirmed since the connection began: what the kernel holds for it does not
 * count. */
static uint64_t taken_by_client(const struct watched *c)
{
    struct tcp_info info = {0};
    socklen_t n = sizeof info;
    return getsockopt(c->fd, IPPROTO_TCP, TCP_INFO, &info, &n) == 0 ? info.tcpi_bytes_acked : 0;
}

/* What the client took of its reply since it was first seen here; that is at most a look later than it
 * began. */
static uint64_t taken_of_reply(struct watched *c, int64_t now)
{
    uint64_t taken = taken_by_client(c);
    int64_t since = atomic_load(&c->since_ns);
    if (c->reply_since_ns != since) {
        c->reply_since_ns = since;
        c->reply_seen_ns = now;
        c->reply_taken = taken;
    }
    return taken - c->reply_taken;
}

/* How long the client may take for what it moved. */
static int64_t earned(const struct watch *w, uint64_t bytes)
{
    double more = (double)bytes / (double)w->limits.body_rate;
    return w->limits.body_ms * MS_NS + (int64_t)(more * (double)SECOND_NS);
}

/* When a connection has had its time; INT64_MAX: never. `idle` is read first: watch_line sets it last,
 * so that nobody whose request just began is measured from when the connection fell silent. */
static int64_t deadline(const struct watch *w, struct watched *c, int stage, int64_t now)
{
    int64_t idle = atomic_load(&c->idle) ? w->limits.idle_ms : 0;
    int64_t since = atomic_load(&c->since_ns);
    if (stage == WATCH_HEAD) {
        return since + (w->limits.head_ms + idle) * MS_NS;
    }
    if (stage == WATCH_BODY) {
        return since + earned(w, atomic_load(&c->received));
    }
    if (stage == WATCH_REPLY && now - since > LOOK_LEAST_MS * MS_NS) { /* most are gone by then */
        uint64_t taken = taken_of_reply(c, now);
        return c->reply_seen_ns + earned(w, taken);
    }
    return INT64_MAX;
}

/* It no longer counts: whoever comes next has its place, though the socket closes a moment later. */
static void uncount(struct watch *w, struct watched *c)
{
    if (c->counted) {
        c->counted = false;
        c->neighbours = NULL;
        peers_leave(w->peers, &c->address);
        w->connections--;
    }
}

/* False when the connection went on meanwhile. */
static bool end_one(struct watch *w, struct watched *c, int stage)
{
    int now = stage;
    if (!atomic_compare_exchange_strong(&c->stage, &now, WATCH_ENDED)) {
        return false;
    }
    if (stage == WATCH_REPLY) { /* the kernel keeps nothing for who takes nothing */
        struct linger none = {1, 0};
        setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    }
    shutdown(c->fd, SHUT_RDWR);
    uncount(w, c);
    return true;
}

/* Ends what is overdue; returns when to look again. */
static int64_t end_overdue(struct watch *w, int64_t now)
{
    int64_t next = INT64_MAX;
    for (struct watched *c = w->first; c; c = c->next) {
        int stage = atomic_load(&c->stage);
        int64_t due = deadline(w, c, stage, now);
        if (due > now) {
            next = due < next ? due : next;
        } else if (end_one(w, c, stage)) {
            w->timed_out++;
        }
    }
    return next;
}

/* Whether `a` gives way before `b`: proxies last, then clients of the address with the most
 * connections first, then whoever has waited longest. */
static bool gives_way_before(const struct watched *a, const struct watched *b)
{
    if (a->trusted != b->trusted) {
        return b->trusted;
    }
    unsigned n = *a->neighbours, m = *b->neighbours;
    return n != m ? n > m : atomic_load(&a->since_ns) < atomic_load(&b->since_ns);
}

/* Whether a connection may give way: it waits, or its body comes or its reply goes slower than it should. */
static bool may_give_way(const struct watch *w, struct watched *c, int stage, int64_t now)
{
    int64_t age = now - atomic_load(&c->since_ns);
    uint64_t moved = atomic_load(&c->received);
    if (stage == WATCH_HEAD || stage == WATCH_BUSY || age <= SLOW_NS) {
        return stage == WATCH_HEAD;
    }
    if (stage == WATCH_REPLY) {
        moved = taken_of_reply(c, now);
        age = now - c->reply_seen_ns;
    }
    double due = (double)age / (double)SECOND_NS * (double)w->limits.body_rate;
    return age > SLOW_NS && (double)moved < due;
}

static bool is_of(const struct watched *c, const struct address *network)
{
    struct address its = address_network(&c->address);
    return !c->trusted && address_eq(&its, network);
}

static bool end_best(struct watch *w, struct watched *best, int stage)
{
    if (!best || !end_one(w, best, stage)) {
        return false;
    }
    w->gave_way++;
    return true;
}

/* Ends one, of `network` alone unless that is NULL. */
static bool make_room(struct watch *w, const struct address *network)
{
    struct watched *best = NULL;
    int best_stage = WATCH_HEAD;
    int64_t now = clock_socket_ns();
    for (struct watched *c = w->first; c; c = c->next) {
        int stage = atomic_load(&c->stage);
        bool eligible = c->counted && may_give_way(w, c, stage, now) && (!network || is_of(c, network));
        if (eligible && (!best || gives_way_before(c, best))) {
            best = c;
            best_stage = stage;
        }
    }
    return end_best(w, best, best_stage);
}

/* Nothing gives way by itself, as bodies and replies have SLOW_NS to show their pace: whoever holds a good part
 * of all connections, beginning them again all the time, loses one to a newcomer from elsewhere. */
static bool take_room(struct watch *w, const struct address *newcomer)
{
    struct watched *best = NULL;
    int best_stage = WATCH_BODY;
    for (struct watched *c = w->first; c; c = c->next) {
        int stage = atomic_load(&c->stage);
        bool much = c->counted && !c->trusted &&
                    *c->neighbours > w->limits.connections / PART_OF_ALL;
        bool eligible = much && (stage == WATCH_BODY || stage == WATCH_REPLY) && !is_of(c, newcomer);
        if (eligible && (!best || gives_way_before(c, best))) {
            best = c;
            best_stage = stage;
        }
    }
    return end_best(w, best, best_stage);
}

/* At most one warning of a kind in a while. */
static bool may_warn(int64_t *warned_ns)
{
    int64_t now = clock_socket_ns();
    bool may = *warned_ns == 0 || now - *warned_ns >= WARN_SECONDS * SECOND_NS;
    *warned_ns = may ? now : *warned_ns;
    return may;
}

static void warn_full(struct watch *w)
{
    if (!may_warn(&w->warned_full_ns)) {
        return;
    }
    log_msg(LOG_WARN, "all connections are taken: waiting ones are closed (server.connections)",
            LOG_NUM("connections", w->connections), LOG_NUM("gave_way", w->gave_way));
}

static void stop_lingering(struct watch *w, size_t i)
{
    close(w->lingering[i].fd);
    for (size_t j = i + 1; j < w->n_lingering; j++) {
        w->lingering[j - 1] = w->lingering[j];
    }
    w->n_lingering--;
}

/* Drops what came; false when the client is done or gone. */
static bool drop_input(int fd)
{
    static char sink[LINGER_READ]; /* the thread's own */
    for (int i = 0; i < LINGER_READS; i++) {
        ssize_t n = recv(fd, sink, sizeof sink, MSG_DONTWAIT);
        if (n <= 0) {
            return n < 0 && (errno == EAGAIN || errno == EINTR);
        }
    }
    return true;
}

static void look_at_lingering(struct watch *w, int64_t now)
{
    for (size_t i = w->n_lingering; i > 0; i--) {
        const struct lingering *l = &w->lingering[i - 1];
        if (l->until_ns <= now || !drop_input(l->fd)) {
            stop_lingering(w, i - 1);
        }
    }
}

/* Waits for a change, or until it is time to look again. */
static void wait_a_while(struct watch *w, int64_t next, int64_t now)
{
    if (next == INT64_MAX && w->n_lingering == 0 && !w->first) {
        pthread_cond_wait(&w->changed, &w->lock);
        return;
    }
    int64_t most = w->n_lingering ? LINGER_LOOK_MS : LOOK_MOST_MS, ns = most * MS_NS;
    if (next - now < ns) {
        ns = next - now < LOOK_LEAST_MS * MS_NS ? LOOK_LEAST_MS * MS_NS : next - now;
    }
    thread_cond_wait(&w->changed, &w->lock, ns);
}

static void *watch_all(void *arg)
{
    struct watch *w = arg;
    pthread_mutex_lock(&w->lock);
    while (!w->stopping) {
        int64_t now = clock_socket_ns();
        int64_t next = end_overdue(w, now);
        look_at_lingering(w, now);
        wait_a_while(w, next, now);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* ---- the rest of watch.h ---- */

enum err_code watch_start(const struct watch_limits *limits, struct watch **out, struct err *err)
{
    struct watch *w = xcalloc(1, sizeof *w);
    w->limits = *limits;
    w->peers = peers_new(limits->per_address);
    BUG_IF(pthread_mutex_init(&w->lock, NULL) != 0);
    thread_cond_init(&w->changed);
    enum err_code rc = thread_start(&w->thread, "http-watch", watch_all, w, err);
    if (rc != OK) {
        pthread_cond_destroy(&w->changed);
        pthread_mutex_destroy(&w->lock);
        peers_free(w->peers);
        free(w);
        return rc;
    }
    *out = w;
    return OK;
}

void watch_stop(struct watch *w)
{
    if (!w) {
        return;
    }
    pthread_mutex_lock(&w->lock);
    w->stopping = true;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    BUG_IF(w->first);
    while (w->n_lingering) {
        stop_lingering(w, w->n_lingering - 1);
    }
    peers_free(w->peers);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

bool watch_allow(struct watch *w, const struct address *from, bool trusted)
{
    struct address network = address_network(from);
    pthread_mutex_lock(&w->lock);
    bool allowed = trusted || peers_allow(w->peers, from) || make_room(w, &network);
    if (allowed && w->connections >= w->limits.connections) {
        allowed = make_room(w, NULL) || take_room(w, &network) ||
                  w->connections < w->limits.connections + watch_more(w->limits.connections);
        warn_full(w);
    }
    pthread_mutex_unlock(&w->lock);
    return allowed;
}

void watch_relieve(struct watch *w)
{
    pthread_mutex_lock(&w->lock);
    make_room(w, NULL);
    if (may_warn(&w->warned_short_ns)) {
        log_msg(LOG_WARN,
                "file descriptors have run out: raise LimitNOFILE or lower server.connections",
                LOG_NUM("connections", w->connections));
    }
    pthread_mutex_unlock(&w->lock);
}

void watch_enter(struct watch *w, struct watched *c)
{
    c->counted = true;
    c->prev = NULL;
    atomic_store(&c->idle, false);
    atomic_store(&c->received, 0);
    atomic_store(&c->since_ns, clock_socket_ns());
    atomic_store(&c->stage, WATCH_HEAD);
    pthread_mutex_lock(&w->lock);
    c->neighbours = peers_enter(w->peers, &c->address);
    w->connections++;
    c->next = w->first;
    if (w->first) {
        w->first->prev = c;
    } else {
        pthread_cond_signal(&w->changed); /* the thread sleeps while there is nobody */
    }
    w->first = c;
    pthread_mutex_unlock(&w->lock);
}

void watch_leave(struct watch *w, struct watched *c, bool linger)
{
    int fd = linger ? fcntl(c->fd, F_DUPFD_CLOEXEC, 0) : -1;
    pthread_mutex_lock(&w->lock);
    uncount(w, c);
    *(c->prev ? &c->prev->next : &w->first) = c->next;
    if (c->next) {
        c->next->prev = c->prev;
    }
    if (fd >= 0) {
        if (w->n_lingering == LINGERING) {
            stop_lingering(w, 0);
        }
        w->lingering[w->n_lingering++] =
            (struct lingering){fd, clock_socket_ns() + LINGER_MS * MS_NS};
        pthread_cond_signal(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
}

void watch_line(struct watched *c)
{
    if (atomic_load(&c->idle)) {
        atomic_store(&c->since_ns, clock_socket_ns());
        atomic_store(&c->idle, false);
    }
}

bool watch_turn(struct watched *c, enum watch_stage from, enum watch_stage to)
{
    int stage = (int)from;
    if (to != WATCH_BUSY) {
        if (to == WATCH_HEAD) {
            atomic_store(&c->idle, true);
        }
        atomic_store(&c->received, 0);
        atomic_store(&c->since_ns, clock_socket_ns());
    }
    return atomic_compare_exchange_strong(&c->stage, &stage, (int)to);
}

void watch_received(struct watched *c, size_t n)
{
    atomic_fetch_add_explicit(&c->received, n, memory_order_relaxed);
}

void watch_stats(struct watch *w, struct watch_stats *out)
{
    pthread_mutex_lock(&w->lock);
    *out = (struct watch_stats){w->connections, w->timed_out, w->gave_way};
    pthread_mutex_unlock(&w->lock);
}
