/* sse.c - server-sent events: the hub, its streams and its thread. */
#include "http/sse.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"
#include "base/xalloc.h"

enum { SSE_MESSAGE = 160 }; /* the longest message and its NUL */

struct topic {
    char name[SSE_NAME];
    uint64_t seq;
    uint64_t stamp; /* grows with every change; 0: never published */
};

struct sse_hub {
    pthread_mutex_t lock; /* over all below; taken before any lock of libmicrohttpd's daemon */
    pthread_t thread;
    int event; /* eventfd: something was published, or the hub stops */
    void (*pause)(void *conn);
    void (*wake)(void *conn);
    struct topic topics[SSE_TOPICS];
    struct sse_stream *first;
    size_t n, max;
    int heartbeat_ms;
    bool dirty;  /* published since the last round */
    bool closed; /* streams end */
    bool stop;   /* the thread ends */
};

struct sse_stream {
    struct sse_hub *hub;
    struct sse_stream *next, *before;
    void *conn;
    uint32_t mask;
    uint64_t heard[SSE_TOPICS]; /* the stamp last sent, per topic */
    bool paused, greeted, beat;
    char out[SSE_MESSAGE]; /* a message that is being sent */
    size_t n, at;
};

static void ring(const struct sse_hub *h)
{
    const uint64_t one = 1;
    /* EAGAIN means that it rings already. */
    BUG_IF(write(h->event, &one, sizeof one) < 0 && errno != EAGAIN);
}

/* The lowest topic the stream has not heard the newest of, or SSE_TOPICS. */
static unsigned next_topic(const struct sse_stream *s)
{
    for (unsigned t = 0; t < SSE_TOPICS; t++) {
        if ((s->mask >> t & 1u) && s->heard[t] != s->hub->topics[t].stamp) {
            return t;
        }
    }
    return SSE_TOPICS;
}

static bool has_something(const struct sse_stream *s)
{
    return s->hub->closed || !s->greeted || s->beat || s->at < s->n || next_topic(s) < SSE_TOPICS;
}

/* Wakes the paused streams that have something to send. */
static void wake_all(struct sse_hub *h)
{
    for (struct sse_stream *s = h->first; s; s = s->next) {
        if (s->paused && has_something(s)) {
            s->paused = false;
            h->wake(s->conn);
        }
    }
}

/* Puts the next message into s->out; leaves it empty when there is none. */
static void next_message(struct sse_stream *s)
{
    int n = 0;
    unsigned t = next_topic(s);
    if (!s->greeted) {
        n = snprintf(s->out, sizeof s->out, "retry: 3000\n\n");
        s->greeted = true;
    } else if (t < SSE_TOPICS) {
        const struct topic *topic = &s->hub->topics[t];
        n = snprintf(s->out, sizeof s->out, "event: %s\ndata: {\"topic\":\"%s\",\"seq\":%llu}\n\n",
                     topic->name, topic->name, (unsigned long long)topic->seq);
        s->heard[t] = topic->stamp;
        s->beat = false;
    } else if (s->beat) {
        n = snprintf(s->out, sizeof s->out, ":\n\n");
        s->beat = false;
    }
    BUG_IF(n < 0 || (size_t)n >= sizeof s->out);
    s->n = (size_t)n;
    s->at = 0;
}

ptrdiff_t sse_read(struct sse_stream *s, char *buf, size_t max)
{
    struct sse_hub *h = s->hub;
    size_t n = 0;
    ptrdiff_t result = SSE_END;
    pthread_mutex_lock(&h->lock);
    while (n < max) {
        if (s->at == s->n) {
            next_message(s);
        }
        if (s->n == 0) {
            break;
        }
        size_t piece = s->n - s->at < max - n ? s->n - s->at : max - n;
        memcpy(buf + n, s->out + s->at, piece);
        s->at += piece;
        n += piece;
    }
    if (n > 0) {
        result = (ptrdiff_t)n;
    } else if (!h->closed) {
        /* Under the lock, so that a wake cannot come between the look and the pause. */
        s->paused = true;
        h->pause(s->conn);
        result = SSE_PAUSED;
    }
    pthread_mutex_unlock(&h->lock);
    return result;
}

static int until_heartbeat(struct sse_hub *h, int64_t last_ns)
{
    pthread_mutex_lock(&h->lock);
    int64_t left = h->heartbeat_ms - (clock_mono_ns() - last_ns) / 1000000;
    pthread_mutex_unlock(&h->lock);
    return left > 0 ? (int)left : 0;
}

/* One round of the thread; false when it is to end. */
static bool serve_round(struct sse_hub *h, int64_t *last_ns)
{
    pthread_mutex_lock(&h->lock);
    h->dirty = false;
    if (clock_mono_ns() - *last_ns >= (int64_t)h->heartbeat_ms * 1000000) {
        *last_ns = clock_mono_ns();
        for (struct sse_stream *s = h->first; s; s = s->next) {
            s->beat = true;
        }
    }
    wake_all(h);
    bool stop = h->stop;
    pthread_mutex_unlock(&h->lock);
    return !stop;
}

static void *run(void *arg)
{
    struct sse_hub *h = arg;
    int64_t last_ns = clock_mono_ns();
    do {
        struct pollfd p = {.fd = h->event, .events = POLLIN};
        if (poll(&p, 1, until_heartbeat(h, last_ns)) > 0) {
            uint64_t count;
            BUG_IF(read(h->event, &count, sizeof count) < 0);
            /* More will be published meanwhile; each stream then sends only the newest. */
            poll(NULL, 0, SSE_GATHER_MS);
        }
    } while (serve_round(h, &last_ns));
    return NULL;
}

enum err_code sse_start(unsigned max_streams, void (*pause)(void *conn), void (*wake)(void *conn),
                        struct sse_hub **out, struct err *err)
{
    struct sse_hub *h = xcalloc(1, sizeof *h);
    h->pause = pause;
    h->wake = wake;
    h->max = max_streams;
    h->heartbeat_ms = SSE_HEARTBEAT_MS;
    h->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (h->event < 0) {
        free(h);
        return err_errno(err, errno, "cannot make an eventfd");
    }
    BUG_IF(pthread_mutex_init(&h->lock, NULL) != 0);
    enum err_code rc = thread_start(&h->thread, "events", run, h, err);
    if (rc != OK) {
        pthread_mutex_destroy(&h->lock);
        close(h->event);
        free(h);
        return rc;
    }
    *out = h;
    return OK;
}

void sse_close(struct sse_hub *h)
{
    pthread_mutex_lock(&h->lock);
    h->closed = true;
    wake_all(h);
    pthread_mutex_unlock(&h->lock);
}

void sse_free(struct sse_hub *h)
{
    pthread_mutex_lock(&h->lock);
    h->stop = true;
    pthread_mutex_unlock(&h->lock);
    ring(h);
    pthread_join(h->thread, NULL);
    BUG_IF(h->first);
    pthread_mutex_destroy(&h->lock);
    close(h->event);
    free(h);
}

void sse_heartbeat(struct sse_hub *h, int ms)
{
    pthread_mutex_lock(&h->lock);
    h->heartbeat_ms = ms;
    pthread_mutex_unlock(&h->lock);
    ring(h);
}

static bool good_name(const char *name)
{
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.");
    return n > 0 && n < SSE_NAME && name[n] == '\0';
}

void sse_publish(struct sse_hub *h, unsigned topic, const char *name, uint64_t seq)
{
    BUG_IF(topic >= SSE_TOPICS || !good_name(name));
    pthread_mutex_lock(&h->lock);
    struct topic *t = &h->topics[topic];
    bool news = t->stamp == 0 || seq > t->seq;
    bool first = news && !h->dirty;
    if (news) {
        memcpy(t->name, name, strlen(name) + 1);
        t->seq = seq;
        t->stamp++;
        h->dirty = true;
    }
    pthread_mutex_unlock(&h->lock);
    if (first) {
        ring(h);
    }
}

struct sse_stream *sse_open(struct sse_hub *h, void *conn, uint32_t topics)
{
    struct sse_stream *s = NULL;
    pthread_mutex_lock(&h->lock);
    if (!h->closed && h->n < h->max) {
        s = xcalloc(1, sizeof *s);
        s->hub = h;
        s->conn = conn;
        s->mask = topics;
        s->next = h->first;
        if (h->first) {
            h->first->before = s;
        }
        h->first = s;
        h->n++;
    }
    pthread_mutex_unlock(&h->lock);
    return s;
}

void *sse_conn(const struct sse_stream *s)
{
    return s->conn;
}

void sse_done(struct sse_stream *s)
{
    struct sse_hub *h = s->hub;
    pthread_mutex_lock(&h->lock);
    *(s->before ? &s->before->next : &h->first) = s->next;
    if (s->next) {
        s->next->before = s->before;
    }
    h->n--;
    pthread_mutex_unlock(&h->lock);
    free(s);
}

size_t sse_count(struct sse_hub *h)
{
    pthread_mutex_lock(&h->lock);
    size_t n = h->n;
    pthread_mutex_unlock(&h->lock);
    return n;
}
