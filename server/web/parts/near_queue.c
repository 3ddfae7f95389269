/* near_queue.c - the list under a lock; the database is asked outside of it. */
#include "web/parts/near_queue.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "sets/duplicates/near_work.h"

enum { KEPT_MS = 60 * 1000 };

struct near_queue {
    pthread_mutex_t lock;
    int64_t *images; /* the nearest first */
    size_t n, at;
    int64_t until_ms;
};

struct near_queue *near_queue_new(void)
{
    struct near_queue *q = xcalloc(1, sizeof *q);
    pthread_mutex_init(&q->lock, NULL);
    return q;
}

void near_queue_free(struct near_queue *q)
{
    if (q) {
        free(q->images);
        pthread_mutex_destroy(&q->lock);
        free(q);
    }
}

/* The next of the list; 0: it is used up or old. */
static int64_t take(struct near_queue *q)
{
    pthread_mutex_lock(&q->lock);
    int64_t image = q->at < q->n && clock_wall_ms() < q->until_ms ? q->images[q->at++] : 0;
    pthread_mutex_unlock(&q->lock);
    return image;
}

static enum err_code make(struct ctx *c, struct near_queue *q)
{
    struct near_work w;
    enum err_code rc = near_work_list(c->db, c->arena, &w, &c->err);
    if (rc != OK) {
        return rc;
    }
    int64_t *images = xmalloc((w.n + 1) * sizeof *images);
    for (size_t i = 0; i < w.n; i++) {
        images[i] = w.items[i].image;
    }
    pthread_mutex_lock(&q->lock);
    free(q->images);
    q->images = images;
    q->n = w.n;
    q->at = 0;
    q->until_ms = clock_wall_ms() + KEPT_MS;
    pthread_mutex_unlock(&q->lock);
    return OK;
}

static enum err_code waits(struct ctx *c, const struct near_work *w, int64_t image, bool *out)
{
    struct near_work_pair *pairs;
    size_t n = 0;
    *out = false;
    enum err_code rc = near_work_pairs(c->db, w, image, c->arena, &pairs, &n, &c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        *out = *out || pairs[i].open;
    }
    return rc;
}

/* The first of the list that waits; 0: none. */
static enum err_code first_waiting(struct ctx *c, struct near_queue *q, const struct near_work *w, int64_t *image)
{
    enum err_code rc = OK;
    bool found = false;
    do {
        *image = take(q);
        rc = *image ? waits(c, w, *image, &found) : OK;
    } while (rc == OK && *image && !found);
    return rc;
}

enum err_code near_queue_next(struct ctx *c, int64_t *image)
{
    struct near_queue *q = app_near_queue(c->app);
    struct near_work w;
    enum err_code rc = near_work_open(c->db, c->arena, &w, &c->err);
    rc = rc == OK ? first_waiting(c, q, &w, image) : rc;
    if (rc == OK && *image == 0) {
        rc = make(c, q);
        rc = rc == OK ? first_waiting(c, q, &w, image) : rc;
    }
    return rc;
}
