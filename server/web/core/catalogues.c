/* catalogues.c - keeps the newest catalogue of all images. */
#include "web/core/catalogues.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "base/xalloc.h"
#include "store/images/facts.h"

/* While images come, one may be as old as this many times what it took to make. */
enum { REST_MS = 15 * 60 * 1000, VOTES_REST_MS = 60 * 1000, OLD_TIMES = 5 };

struct held {
    struct catalogue catalogue; /* first: the pointer that callers have is this one */
    atomic_uint references;
    uint64_t number;            /* of all that were made: addresses come again, numbers do not */
    uint64_t version;           /* of the tally: images came or were completed */
    int64_t newest, made_ns, took_ns, used_ms;
};
/* Votes of one moment; those of the newest are kept, earlier ones live while somebody reads them. */
struct kept_votes {
    struct listing_vote *votes;
    uint64_t of;                /* the catalogue's number */
    int64_t as_of, used_ms;
    unsigned readers;
    struct kept_votes *next;
};
struct catalogues {
    pthread_mutex_t lock;       /* of what follows */
    struct held *kept;
    uint64_t made;              /* how many there were */
    struct kept_votes *votes;   /* the first is kept, the others are being read */
    bool started, warming;      /* a thread was started and not joined; it runs */
    pthread_t thread;
    pthread_mutex_t making;     /* held while one thread reads */
};

struct catalogues *catalogues_new(void)
{
    struct catalogues *k = xcalloc(1, sizeof *k);
    pthread_mutex_init(&k->lock, NULL);
    pthread_mutex_init(&k->making, NULL);
    return k;
}

static void release(struct held *h)
{
    if (h && atomic_fetch_sub(&h->references, 1) == 1) {
        catalogue_release(&h->catalogue);
        free(h);
    }
}

/* Frees votes that nobody reads and that are not the newest, or were not asked for since then. */
static void drop_votes(struct catalogues *k, int64_t since_ms)
{
    struct kept_votes **at = &k->votes;
    while (*at) {
        struct kept_votes *v = *at;
        if (v->readers == 0 && (v != k->votes || v->used_ms < since_ms)) {
            *at = v->next;
            free(v->votes);
            free(v);
        } else {
            at = &v->next;
        }
    }
}

void catalogues_free(struct catalogues *k)
{
    if (!k) {
        return;
    }
    if (k->started) {
        pthread_join(k->thread, NULL);
    }
    release(k->kept);
    drop_votes(k, INT64_MAX);
    pthread_mutex_destroy(&k->lock);
    pthread_mutex_destroy(&k->making);
    free(k);
}

void catalogues_rest(struct catalogues *k, int64_t now_ms)
{
    struct held *gone = NULL;
    pthread_mutex_lock(&k->lock);
    if (k->kept && now_ms - k->kept->used_ms > REST_MS) {
        gone = k->kept;
        k->kept = NULL;
    }
    drop_votes(k, now_ms - VOTES_REST_MS);
    pthread_mutex_unlock(&k->lock);
    release(gone);
}

static uint64_t version_now(struct app *app)
{
    return app_totals(app).shown_version;
}

/* A reference to the kept one when it will do, else NULL. */
static struct held *find(struct catalogues *k, uint64_t version, int64_t newest)
{
    struct held *found = NULL;
    pthread_mutex_lock(&k->lock);
    struct held *h = k->kept;
    if (h && ((h->version == version && h->newest == newest) ||
              clock_mono_ns() - h->made_ns < OLD_TIMES * h->took_ns)) {
        found = h;
        found->used_ms = clock_wall_ms();
        atomic_fetch_add(&found->references, 1);
    }
    pthread_mutex_unlock(&k->lock);
    return found;
}

static enum err_code make(struct db *db, uint64_t version, struct held **out, struct err *err)
{
    struct held *h = xcalloc(1, sizeof *h);
    int64_t begun = clock_mono_ns();
    enum err_code rc = catalogue_load(db, &h->catalogue, err);
    atomic_init(&h->references, 1);
    if (rc != OK) {
        release(h);
        return rc;
    }
    size_t n = h->catalogue.n;
    h->version = version;
    h->newest = n ? h->catalogue.images[n - 1].image : 0;
    h->made_ns = clock_mono_ns();
    h->took_ns = h->made_ns - begun;
    h->used_ms = clock_wall_ms();
    *out = h;
    return OK;
}

static void keep(struct catalogues *k, struct held *h)
{
    atomic_fetch_add(&h->references, 1);
    pthread_mutex_lock(&k->lock);
    struct held *gone = k->kept;
    h->number = ++k->made;
    k->kept = h;
    pthread_mutex_unlock(&k->lock);
    release(gone);
}

/* The version is asked for before the images are read: one that is older than them is made again too
 * often, never too seldom. */
static enum err_code get(struct app *app, struct db *db, struct held **out, struct err *err)
{
    struct catalogues *k = app_catalogues(app);
    int64_t newest = 0;
    enum err_code rc = image_facts_newest(db, &newest, err);
    *out = rc == OK ? find(k, version_now(app), newest) : NULL;
    if (rc != OK || *out) {
        return rc;
    }
    pthread_mutex_lock(&k->making);
    uint64_t version = version_now(app);
    *out = find(k, version, newest); /* somebody else made it meanwhile */
    if (!*out) {
        rc = make(db, version, out, err);
        if (rc == OK) {
            keep(k, *out);
        }
    }
    pthread_mutex_unlock(&k->making);
    return rc;
}

enum err_code catalogues_get(struct ctx *c, const struct catalogue **out)
{
    struct held *h = NULL;
    enum err_code rc = get(c->app, c->db, &h, &c->err);
    *out = h ? &h->catalogue : NULL;
    return rc;
}

void catalogues_put(const struct catalogue *c)
{
    /* Callers see it const; it is the first member of what they share. */
    release((struct held *)(uintptr_t)c);
}

/* ---- votes ---- */

static uint64_t number_of(const struct catalogue *c)
{
    return ((const struct held *)c)->number; /* its first member */
}

const struct listing_vote *catalogues_votes(struct ctx *c, const struct catalogue *of,
                                            int64_t as_of)
{
    struct catalogues *k = app_catalogues(c->app);
    const struct listing_vote *found = NULL;
    pthread_mutex_lock(&k->lock);
    struct kept_votes *v = k->votes;
    if (v && v->of == number_of(of) && v->as_of == as_of) {
        v->readers++;
        v->used_ms = clock_wall_ms();
        found = v->votes;
    }
    pthread_mutex_unlock(&k->lock);
    return found;
}

const struct listing_vote *catalogues_votes_keep(struct ctx *c, const struct catalogue *of,
                                                 int64_t as_of, struct listing_vote *votes)
{
    struct catalogues *k = app_catalogues(c->app);
    struct kept_votes *v = xmalloc(sizeof *v);
    pthread_mutex_lock(&k->lock);
    *v = (struct kept_votes){votes, number_of(of), as_of, clock_wall_ms(), 1, k->votes};
    k->votes = v;
    drop_votes(k, 0);
    pthread_mutex_unlock(&k->lock);
    return votes;
}

void catalogues_votes_put(struct ctx *c, const struct listing_vote *votes)
{
    struct catalogues *k = app_catalogues(c->app);
    pthread_mutex_lock(&k->lock);
    for (struct kept_votes *v = k->votes; v && votes; v = v->next) {
        if (v->votes == votes) {
            v->readers--;
            break;
        }
    }
    drop_votes(k, 0);
    pthread_mutex_unlock(&k->lock);
}

/* ---- ahead of the first list ---- */

/* With a connection of its own: requests must not wait for one that reads a million rows. */
static void *warm(void *arg)
{
    struct app *app = arg;
    struct catalogues *k = app_catalogues(app);
    struct arena a;
    struct err err = {0};
    struct db *db = NULL;
    struct held *h = NULL;
    arena_init(&a, 8192);
    if (db_open(arena_printf(&a, "%s/holdout.db", app_dir(app)), DB_READ, &db, &err) != OK ||
        get(app, db, &h, &err) != OK) {
        log_msg(LOG_WARN, "catalogue", LOG_TEXT("detail", sv_of(err.msg)));
    }
    release(h);
    db_close(db);
    arena_release(&a);
    pthread_mutex_lock(&k->lock);
    k->warming = false;
    pthread_mutex_unlock(&k->lock);
    return NULL;
}

void catalogues_warm(struct ctx *c)
{
    struct catalogues *k = app_catalogues(c->app);
    pthread_mutex_lock(&k->lock);
    if (!k->kept && !k->warming) {
        if (k->started) {
            pthread_join(k->thread, NULL); /* it said that it is done */
        }
        k->started = k->warming =
            thread_start(&k->thread, "catalogue", warm, c->app, NULL) == OK;
    }
    pthread_mutex_unlock(&k->lock);
}
