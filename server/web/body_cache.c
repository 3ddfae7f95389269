/* body_cache.c - a hash table of entries that also stand in the order of their last use. One lock:
 * it is held for a few comparisons, and bodies are let go of outside of it. */
#include "web/body_cache.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/xalloc.h"

enum { BODY_USUAL = 16 << 10, MOST_SHARE = 8 };

struct entry {
    uint64_t number;
    struct http_shared *body;
    struct entry *next;           /* of the same bucket */
    struct entry *newer, *older;
};

struct body_cache {
    pthread_mutex_t lock;
    size_t most, bytes;
    struct entry **buckets;
    size_t n_buckets;             /* a power of two, as many as usual bodies fit */
    struct entry ends;            /* ends.older: the newest; ends.newer: the oldest */
    uint64_t hits, misses, bodies;
};

struct body_cache *body_cache_new(size_t bytes)
{
    struct body_cache *c = xcalloc(1, sizeof *c);
    pthread_mutex_init(&c->lock, NULL);
    c->most = bytes;
    c->n_buckets = 64;
    while (c->n_buckets < bytes / BODY_USUAL) {
        c->n_buckets *= 2;
    }
    c->buckets = xcalloc(c->n_buckets, sizeof *c->buckets);
    c->ends.newer = c->ends.older = &c->ends;
    return c;
}

void body_cache_free(struct body_cache *c)
{
    if (!c) {
        return;
    }
    for (struct entry *e = c->ends.older; e != &c->ends;) {
        struct entry *older = e->older;
        http_shared_release(e->body);
        free(e);
        e = older;
    }
    pthread_mutex_destroy(&c->lock);
    free(c->buckets);
    free(c);
}

/* What a body takes, with what is kept about it. */
static size_t cost(const struct http_shared *body)
{
    return sizeof(struct entry) + sizeof *body + body->n + body->tail;
}

/* The place that points to the entry, or where its bucket ends. */
static struct entry **find(struct body_cache *c, uint64_t number)
{
    struct entry **at = &c->buckets[hash_u64(number) & (c->n_buckets - 1)];
    while (*at && (*at)->number != number) {
        at = &(*at)->next;
    }
    return at;
}

static void unlink_use(struct entry *e)
{
    e->newer->older = e->older;
    e->older->newer = e->newer;
}

static void link_newest(struct body_cache *c, struct entry *e)
{
    e->newer = &c->ends;
    e->older = c->ends.older;
    e->older->newer = e;
    c->ends.older = e;
}

struct http_shared *body_cache_get(struct body_cache *c, uint64_t number)
{
    struct http_shared *body = NULL;
    pthread_mutex_lock(&c->lock);
    struct entry *e = *find(c, number);
    if (e) {
        unlink_use(e);
        link_newest(c, e);
        body = http_shared_hold(e->body);
        c->hits++;
    } else {
        c->misses++;
    }
    pthread_mutex_unlock(&c->lock);
    return body;
}

/* Takes out the entry used longest ago and puts it before `gone`. */
static struct entry *take_oldest(struct body_cache *c, struct entry *gone)
{
    struct entry *e = c->ends.newer, **at = find(c, e->number);
    *at = e->next;
    unlink_use(e);
    c->bytes -= cost(e->body);
    c->bodies--;
    e->next = gone;
    return e;
}

void body_cache_put(struct body_cache *c, uint64_t number, struct http_shared *body)
{
    size_t n = cost(body);
    if (n > c->most / MOST_SHARE) {
        return;
    }
    struct entry *gone = NULL, *made = xmalloc(sizeof *made);
    pthread_mutex_lock(&c->lock);
    if (*find(c, number)) {
        gone = made; /* another thread was faster */
        *gone = (struct entry){.body = NULL};
    } else {
        while (c->bytes + n > c->most) {
            gone = take_oldest(c, gone);
        }
        struct entry **bucket = find(c, number);
        *made = (struct entry){.number = number, .body = http_shared_hold(body)};
        *bucket = made;
        link_newest(c, made);
        c->bytes += n;
        c->bodies++;
    }
    pthread_mutex_unlock(&c->lock);
    while (gone) {
        struct entry *next = gone->next;
        http_shared_release(gone->body);
        free(gone);
        gone = next;
    }
}

void body_cache_stats(struct body_cache *c, struct body_cache_stats *out)
{
    pthread_mutex_lock(&c->lock);
    *out = (struct body_cache_stats){c->hits, c->misses, c->bytes, c->bodies};
    pthread_mutex_unlock(&c->lock);
}
