/* shown_to.c - what was noted since the start is known, so that a picture that is shown again costs nothing. */
#include "web/core/shown_to.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/map.h"
#include "base/xalloc.h"
#include "db/writer.h"

enum { KNOWN_MOST = 1 << 20 }; /* then what was known is forgotten, and noted once more */

struct note {
    int64_t account, image, at;
    enum saw how;
};
struct shown_to {
    pthread_mutex_t lock;
    struct map_u64 known;
    struct note *notes; /* that the writer has not been given */
    size_t n, cap;
    bool asked;         /* a batch waits for the writer; else there are notes only while its queue is full */
};
struct batch {
    struct write_op op;
    struct shown_to *e;
    struct note *notes;
    size_t n;
};

struct shown_to *shown_new(void)
{
    struct shown_to *e = xcalloc(1, sizeof *e);
    pthread_mutex_init(&e->lock, NULL);
    map_u64_init(&e->known);
    return e;
}

void shown_free(struct shown_to *e)
{
    if (e) {
        map_u64_release(&e->known);
        free(e->notes);
        pthread_mutex_destroy(&e->lock);
        free(e);
    }
}

/* ---- the writer's side ---- */

/* May run twice: what was taken stays in the batch. */
static enum err_code write_batch(struct db *db, void *arg, struct err *err)
{
    struct batch *b = arg;
    enum err_code rc = OK;
    if (!b->notes) {
        pthread_mutex_lock(&b->e->lock);
        b->notes = b->e->notes;
        b->n = b->e->n;
        b->e->notes = NULL;
        b->e->n = b->e->cap = 0;
        b->e->asked = false;
        pthread_mutex_unlock(&b->e->lock);
    }
    for (size_t i = 0; i < b->n && rc == OK; i++) {
        const struct note *n = &b->notes[i];
        rc = seen_add(db, n->account, n->image, n->how, n->at, err);
    }
    return rc;
}

static void forget_known(struct shown_to *e)
{
    map_u64_release(&e->known);
    map_u64_init(&e->known);
}

/* What could not be stored is noted once more when it is shown again. */
static void batch_done(void *arg, const struct err *err)
{
    struct batch *b = arg;
    if (err->code != OK) {
        pthread_mutex_lock(&b->e->lock);
        forget_known(b->e);
        pthread_mutex_unlock(&b->e->lock);
    }
    free(b->notes);
    free(b);
}

static void ask_writer(struct ctx *c, struct shown_to *e)
{
    struct batch *b = xcalloc(1, sizeof *b);
    b->op = (struct write_op){write_batch, batch_done, b, NULL, {OK, "", ""}};
    b->e = e;
    if (writer_submit(app_writer(c->app), &b->op, NULL) != OK) {
        pthread_mutex_lock(&e->lock);
        e->asked = false; /* whoever is shown a picture next asks again */
        pthread_mutex_unlock(&e->lock);
        free(b);
    }
}

void shown_note(struct ctx *c, int64_t image, enum saw how)
{
    struct shown_to *e = app_shown_to(c->app);
    uint64_t key = (uint64_t)c->user.account << 40 | (uint64_t)image << 4 | how;
    if (c->user.account == 0) {
        return;
    }
    pthread_mutex_lock(&e->lock);
    if (e->known.n >= KNOWN_MOST) {
        forget_known(e);
    }
    if (map_u64_get(&e->known, key) == MAP_NONE) {
        map_u64_put(&e->known, key, 1);
        xgrow(&e->notes, &e->cap, e->n + 1, sizeof *e->notes);
        e->notes[e->n++] = (struct note){c->user.account, image, clock_wall_ms(), how};
    }
    bool ask = e->n > 0 && !e->asked;
    e->asked = e->asked || ask;
    pthread_mutex_unlock(&e->lock);
    if (ask) {
        ask_writer(c, e);
    }
}
