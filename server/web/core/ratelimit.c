/* ratelimit.c - token buckets in a table of fixed size.
 *
 * A bucket is one moment: when it will be full again (the generic cell rate algorithm). A moment
 * that has passed says the same as no entry, so nothing needs to be expired. The table has sets of
 * eight slots; a new address takes the slot that is full soonest, which forgets least. */
#include "web/core/ratelimit.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"

enum { SETS = 512, WAYS = 8 };
#define HOUR_US INT64_C(3600000000)

struct slot {
    uint64_t key;
    int64_t full_us; /* when all tokens are back */
};

struct ratelimit {
    pthread_mutex_t lock;
    struct slot slots[SETS][WAYS];
};

struct ratelimit *ratelimit_new(void)
{
    struct ratelimit *r = xcalloc(1, sizeof *r);
    pthread_mutex_init(&r->lock, NULL);
    return r;
}

void ratelimit_free(struct ratelimit *r)
{
    if (r) {
        pthread_mutex_destroy(&r->lock);
        free(r);
    }
}

/* Two addresses share a key by chance once in 2^64; the seed of hash_bytes keeps it chance. */
static uint64_t key_of(unsigned kind, const char *address)
{
    struct in6_addr six;
    uint64_t hash;
    if (inet_pton(AF_INET6, address, &six) == 1 && !IN6_IS_ADDR_V4MAPPED(&six)) {
        hash = hash_bytes(&six, 8);
    } else {
        hash = hash_bytes(address, strlen(address));
    }
    return hash_u64(hash ^ hash_u64(kind));
}

/* The slot of the key, or the one to reuse for it. */
static struct slot *slot_of(struct slot set[WAYS], uint64_t key)
{
    struct slot *soonest = &set[0];
    for (int i = 0; i < WAYS; i++) {
        if (set[i].key == key) {
            return &set[i];
        }
        if (set[i].full_us < soonest->full_us) {
            soonest = &set[i];
        }
    }
    *soonest = (struct slot){.key = key};
    return soonest;
}

static int64_t cost_us(int64_t per_hour)
{
    return per_hour < HOUR_US ? HOUR_US / per_hour : 1;
}

bool ratelimit_take(struct ratelimit *r, unsigned kind, const char *address, int64_t per_hour,
                    int64_t now_ms, int64_t *retry_after_s)
{
    if (per_hour <= 0) {
        return true;
    }
    uint64_t key = key_of(kind, address);
    int64_t now = now_ms * 1000;
    int64_t cost = cost_us(per_hour);
    pthread_mutex_lock(&r->lock);
    struct slot *slot = slot_of(r->slots[key % SETS], key);
    int64_t full = (slot->full_us > now ? slot->full_us : now) + cost;
    int64_t over = full - now - HOUR_US;
    if (over <= 0) {
        slot->full_us = full;
    }
    pthread_mutex_unlock(&r->lock);
    if (over > 0) {
        *retry_after_s = (over + 999999) / 1000000;
    }
    return over <= 0;
}

void ratelimit_return(struct ratelimit *r, unsigned kind, const char *address, int64_t per_hour)
{
    if (per_hour <= 0) {
        return;
    }
    uint64_t key = key_of(kind, address);
    pthread_mutex_lock(&r->lock);
    slot_of(r->slots[key % SETS], key)->full_us -= cost_us(per_hour); /* one in the past is full */
    pthread_mutex_unlock(&r->lock);
}
