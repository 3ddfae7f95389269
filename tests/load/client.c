/* client.c - the epoll loop and its timers. conn.c does what happens on one connection. */
#include "load/client.h"

#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "load/conn.h"

enum { EVENTS_AT_ONCE = 256, TURN_MS = 100, SWEEP_MS = 250 };

static enum err_code resolve(const char *host, uint16_t port, struct sockaddr_in *out,
                             struct err *err)
{
    const struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    int rc = getaddrinfo(host, NULL, &hints, &found);
    if (rc != 0) {
        return err_set(err, ERR_INPUT, "cannot find host %s: %s", host, gai_strerror(rc));
    }
    memcpy(out, found->ai_addr, sizeof *out);
    out->sin_port = htons(port);
    freeaddrinfo(found);
    return OK;
}

enum err_code client_new(const struct client_options *o, struct client **out, struct err *err)
{
    struct client *c = xcalloc(1, sizeof *c);
    enum err_code rc = resolve(o->host, o->port, &c->address, err);
    if (rc == OK) {
        c->epoll = epoll_create1(EPOLL_CLOEXEC);
        rc = c->epoll < 0 ? err_errno(err, errno, "epoll_create1") : OK;
    }
    if (rc != OK) {
        free(c);
        return rc;
    }
    c->n = o->connections;
    c->timeout_ns = o->timeout_ms * 1000000;
    c->headers = xstrdup(o->headers ? o->headers : "");
    c->host = xstrdup(o->host);
    c->conns = xcalloc(c->n, sizeof *c->conns);
    /* A request may be lost again while the lost ones are told: at most twice each. */
    c->lost = xcalloc(2 * (size_t)c->n, sizeof *c->lost);
    for (unsigned i = 0; i < c->n; i++) {
        conn_init(&c->conns[i], c);
    }
    c->now_ns = clock_mono_ns();
    *out = c;
    return OK;
}

void client_free(struct client *c)
{
    if (!c) {
        return;
    }
    for (unsigned i = 0; i < c->n; i++) {
        conn_release(&c->conns[i]);
    }
    close(c->epoll);
    free(c->conns);
    free(c->lost);
    free(c->timers);
    free(c->headers);
    free(c->host);
    free(c);
}

struct client_conn *client_conn(struct client *c, unsigned i)
{
    BUG_IF(i >= c->n);
    return &c->conns[i];
}

int64_t client_now_ns(const struct client *c)
{
    return c->now_ns;
}

void client_stop(struct client *c)
{
    c->stop = true;
}

void client_after(struct client *c, int64_t ms, client_timer_fn *fn, void *arg)
{
    int64_t due = c->now_ns + (ms > 0 ? ms : 1) * 1000000;
    xgrow(&c->timers, &c->timers_cap, c->n_timers + 1, sizeof *c->timers);
    c->timers[c->n_timers++] = (struct client_timer){due, fn, arg};
    if (c->n_timers == 1 || due < c->next_due_ns) {
        c->next_due_ns = due;
    }
}

/* A linear pass, but only when one is due: there are at most a few per connection. */
static void run_timers(struct client *c)
{
    if (c->n_timers == 0 || c->now_ns < c->next_due_ns) {
        return;
    }
    size_t i = 0;
    while (i < c->n_timers) {
        struct client_timer t = c->timers[i];
        if (t.due_ns > c->now_ns) {
            i++;
            continue;
        }
        c->timers[i] = c->timers[--c->n_timers];
        t.fn(t.arg);
    }
    c->next_due_ns = INT64_MAX;
    for (i = 0; i < c->n_timers; i++) {
        if (c->timers[i].due_ns < c->next_due_ns) {
            c->next_due_ns = c->timers[i].due_ns;
        }
    }
}

/* Requests that failed inside client_send are told here, so that a callback which sends again
 * cannot call itself without end. */
static void run_lost(struct client *c)
{
    unsigned n = c->n_lost;
    for (unsigned i = 0; i < n; i++) {
        conn_finish_lost(c->lost[i]);
    }
    memmove(c->lost, c->lost + n, (c->n_lost - n) * sizeof *c->lost);
    c->n_lost -= n;
}

static void sweep_timeouts(struct client *c)
{
    if (c->now_ns - c->swept_ns < SWEEP_MS * INT64_C(1000000)) {
        return;
    }
    c->swept_ns = c->now_ns;
    for (unsigned i = 0; i < c->n; i++) {
        conn_check_timeout(&c->conns[i]);
    }
}

static int wait_ms(const struct client *c)
{
    if (c->n_lost > 0) {
        return 0;
    }
    if (c->n_timers == 0) {
        return TURN_MS;
    }
    int64_t ms = (c->next_due_ns - c->now_ns + 999999) / 1000000;
    return ms < 0 ? 0 : ms > TURN_MS ? TURN_MS : (int)ms;
}

enum err_code client_run(struct client *c, void (*each_turn)(void *arg), void *arg, struct err *err)
{
    struct epoll_event events[EVENTS_AT_ONCE];
    c->stop = false;
    while (!c->stop) {
        int n = epoll_wait(c->epoll, events, EVENTS_AT_ONCE, wait_ms(c));
        if (n < 0 && errno != EINTR) {
            return err_errno(err, errno, "epoll_wait");
        }
        c->now_ns = clock_mono_ns();
        for (int i = 0; i < n; i++) {
            conn_on_event(events[i].data.ptr, events[i].events);
        }
        run_lost(c);
        run_timers(c);
        sweep_timeouts(c);
        if (each_turn) {
            each_turn(arg);
        }
    }
    return OK;
}
