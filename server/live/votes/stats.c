/* stats.c - the newest statistics, made at most every other second and shared by counting users. */
#include "live/votes/stats.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/sorted.h"
#include "base/xalloc.h"
#include "live/votes/stats_make.h"

enum { YOUNG_MS = 2000, MINUTE_MS = 60000 };

struct kept {
    struct stats stats;
    struct kept *before; /* older ones that somebody still reads */
    int64_t mono_ns;     /* when it was made */
    unsigned users;
};

struct stats_keeper {
    struct tally *tally;
    pthread_mutex_t lock;
    pthread_cond_t made;
    struct kept *newest;
    bool making;
};

struct stats_keeper *stats_keeper_new(struct tally *t)
{
    struct stats_keeper *k = xcalloc(1, sizeof *k);
    k->tally = t;
    pthread_mutex_init(&k->lock, NULL);
    pthread_cond_init(&k->made, NULL);
    return k;
}

void stats_keeper_free(struct stats_keeper *k)
{
    if (!k) {
        return;
    }
    while (k->newest) {
        struct kept *s = k->newest;
        BUG_IF(s->users > 0);
        k->newest = s->before;
        stats_release(&s->stats);
        free(s);
    }
    pthread_mutex_destroy(&k->lock);
    pthread_cond_destroy(&k->made);
    free(k);
}

/* Lets go of older ones that nobody reads; the newest stays. */
static void sweep(struct stats_keeper *k)
{
    struct kept **at = k->newest ? &k->newest->before : NULL;
    while (at && *at) {
        struct kept *s = *at;
        if (s->users > 0) {
            at = &s->before;
            continue;
        }
        *at = s->before;
        stats_release(&s->stats);
        free(s);
    }
}

static int64_t cursor_of(struct tally *t)
{
    struct tally_totals totals;
    tally_read_lock(t);
    tally_totals(t, &totals);
    tally_read_unlock(t);
    return totals.cursor;
}

/* The minutes of the pulse move on though nothing happens. */
static bool still_good(const struct kept *s, int64_t cursor, int64_t now_ms, int64_t mono_ns)
{
    return mono_ns - s->mono_ns < (int64_t)YOUNG_MS * 1000000 ||
           (s->stats.cursor == cursor && s->stats.made_ms / MINUTE_MS == now_ms / MINUTE_MS);
}

static struct kept *make(struct tally *t)
{
    struct kept *s = xcalloc(1, sizeof *s);
    s->mono_ns = clock_mono_ns();
    stats_make(t, clock_wall_ms(), &s->stats);
    return s;
}

const struct stats *stats_get(struct stats_keeper *k)
{
    int64_t cursor = cursor_of(k->tally);
    pthread_mutex_lock(&k->lock);
    while (!k->newest && k->making) {
        pthread_cond_wait(&k->made, &k->lock);
    }
    bool good = k->newest && still_good(k->newest, cursor, clock_wall_ms(), clock_mono_ns());
    if (!good && !k->making) {
        k->making = true;
        pthread_mutex_unlock(&k->lock);
        struct kept *fresh = make(k->tally);
        pthread_mutex_lock(&k->lock);
        fresh->before = k->newest;
        k->newest = fresh;
        k->making = false;
        sweep(k);
        pthread_cond_broadcast(&k->made);
    }
    struct kept *s = k->newest;
    s->users++;
    pthread_mutex_unlock(&k->lock);
    return &s->stats;
}

void stats_put(struct stats_keeper *k, const struct stats *s)
{
    pthread_mutex_lock(&k->lock);
    struct kept *given = k->newest;
    while (given && &given->stats != s) {
        given = given->before;
    }
    BUG_IF(!given || given->users == 0);
    given->users--;
    sweep(k);
    pthread_mutex_unlock(&k->lock);
}

/* Index of an id in an array of structs that begin with it, rising; n when it is not there. */
static size_t find(const void *items, size_t n, size_t size, int64_t id)
{
    size_t at = id < 0 || id > UINT32_MAX ? n : sorted_u32(items, n, size, 0, (uint32_t)id);
    uint32_t found;
    if (at < n) {
        memcpy(&found, (const char *)items + at * size, sizeof found);
        return found == id ? at : n;
    }
    return n;
}

const struct stats_person *stats_person(const struct stats *s, int64_t person)
{
    size_t i = find(s->people, s->n_people, sizeof *s->people, person);
    return i < s->n_people ? &s->people[i] : NULL;
}

const struct stats_class *stats_class(const struct stats *s, int64_t class_id)
{
    size_t i = find(s->classes, s->n_classes, sizeof *s->classes, class_id);
    return i < s->n_classes ? &s->classes[i] : NULL;
}

const struct stats_campaign *stats_campaign(const struct stats *s, int64_t campaign)
{
    size_t i = find(s->campaigns, s->n_campaigns, sizeof *s->campaigns, campaign);
    return i < s->n_campaigns ? &s->campaigns[i] : NULL;
}
