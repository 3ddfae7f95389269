/* reply_cache.c - a hash table whose entries are also in a queue. The oldest goes first, unless it was
 * used since it came to the queue's end: then it begins again, so that being used costs a mark and not
 * a change of the order. When there is no room, only a body that was missed lately before comes in:
 * a crowd that asks for more than fits would otherwise push out everything before it is used again.
 * One lock, held for a few comparisons; bodies are let go of outside of it. */
#include "web/core/reply_cache.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/xalloc.h"

enum { BODY_USUAL = 16 << 10, MOST_SHARE = 8 };

struct entry {
    uint64_t number;
    struct http_shared *body;
    struct entry *next;           /* of the same bucket; of those let go */
    struct entry *newer;          /* the queue */
    bool used;
};

struct reply_cache {
    pthread_mutex_t lock;
    size_t most, bytes;
    struct entry **buckets;
    size_t n_buckets;             /* a power of two, as many as usual bodies fit */
    struct entry *oldest, *newest;
    uint64_t *missed;             /* numbers that found no room lately; half as many as buckets */
    uint64_t hits, misses, bodies;
};

struct reply_cache *reply_cache_new(size_t bytes)
{
    struct reply_cache *c = xcalloc(1, sizeof *c);
    pthread_mutex_init(&c->lock, NULL);
    c->most = bytes;
    c->n_buckets = 64;
    while (c->n_buckets < bytes / BODY_USUAL) {
        c->n_buckets *= 2;
    }
    c->buckets = xcalloc(c->n_buckets, sizeof *c->buckets);
    c->missed = xcalloc(c->n_buckets / 2, sizeof *c->missed);
    return c;
}

void reply_cache_free(struct reply_cache *c)
{
    if (!c) {
        return;
    }
    for (struct entry *e = c->oldest; e;) {
        struct entry *newer = e->newer;
        http_shared_release(e->body);
        free(e);
        e = newer;
    }
    pthread_mutex_destroy(&c->lock);
    free(c->missed);
    free(c->buckets);
    free(c);
}

/* What a body of n bytes with its tail takes, with what is kept about it. */
static size_t cost_of(size_t n)
{
    return sizeof(struct entry) + sizeof(struct http_shared) + n;
}

static size_t cost(const struct http_shared *body)
{
    return cost_of(body->n + body->tail);
}

/* The place that points to the entry, or where its bucket ends. */
static struct entry **find(struct reply_cache *c, uint64_t number)
{
    struct entry **at = &c->buckets[hash_u64(number) & (c->n_buckets - 1)];
    while (*at && (*at)->number != number) {
        at = &(*at)->next;
    }
    return at;
}

static void enqueue(struct reply_cache *c, struct entry *e)
{
    e->newer = NULL;
    e->used = false;
    if (c->newest) {
        c->newest->newer = e;
    } else {
        c->oldest = e;
    }
    c->newest = e;
}

static struct entry *dequeue(struct reply_cache *c)
{
    struct entry *e = c->oldest;
    c->oldest = e->newer;
    c->newest = c->oldest ? c->newest : NULL;
    return e;
}

struct http_shared *reply_cache_get(struct reply_cache *c, uint64_t number)
{
    struct http_shared *body = NULL;
    pthread_mutex_lock(&c->lock);
    struct entry *e = *find(c, number);
    if (e) {
        e->used = true;
        body = http_shared_hold(e->body);
        c->hits++;
    } else {
        c->misses++;
    }
    pthread_mutex_unlock(&c->lock);
    return body;
}

/* Takes out the oldest entry that was not used lately and puts it before `gone`. */
static struct entry *take_oldest(struct reply_cache *c, struct entry *gone)
{
    struct entry *e = dequeue(c);
    while (e->used) { /* ends: each has its mark taken */
        enqueue(c, e);
        e = dequeue(c);
    }
    *find(c, e->number) = e->next;
    c->bytes -= cost(e->body);
    c->bodies--;
    e->next = gone;
    return e;
}

bool reply_cache_wants(struct reply_cache *c, uint64_t number, size_t n)
{
    size_t most = c->most / MOST_SHARE;
    if (cost_of(n) > most) {
        return false;
    }
    uint64_t *missed = &c->missed[hash_u64(number) & (c->n_buckets / 2 - 1)];
    pthread_mutex_lock(&c->lock);
    bool wanted = *missed == number || c->bytes + cost_of(n) <= c->most;
    *missed = number;
    pthread_mutex_unlock(&c->lock);
    return wanted;
}

static struct entry *add(struct reply_cache *c, uint64_t number, struct http_shared *body)
{
    struct entry *gone = NULL, *e = xmalloc(sizeof *e);
    while (c->bytes + cost(body) > c->most) {
        gone = take_oldest(c, gone);
    }
    *e = (struct entry){.number = number, .body = http_shared_hold(body)};
    *find(c, number) = e;
    enqueue(c, e);
    c->bytes += cost(body);
    c->bodies++;
    return gone;
}

void reply_cache_put(struct reply_cache *c, uint64_t number, struct http_shared *body)
{
    struct entry *gone = NULL;
    if (cost(body) > c->most) {
        return;
    }
    pthread_mutex_lock(&c->lock);
    if (!*find(c, number)) { /* another thread may have been faster */
        gone = add(c, number, body);
    }
    pthread_mutex_unlock(&c->lock);
    while (gone) {
        struct entry *next = gone->next;
        http_shared_release(gone->body);
        free(gone);
        gone = next;
    }
}

void reply_cache_stats(struct reply_cache *c, struct reply_cache_stats *out)
{
    pthread_mutex_lock(&c->lock);
    *out = (struct reply_cache_stats){c->hits, c->misses, c->bytes, c->bodies};
    pthread_mutex_unlock(&c->lock);
}
