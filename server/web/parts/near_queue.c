/* near_queue.c - the list and the holds under a lock; the database is asked outside of it. */
#include "web/parts/near_queue.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "sets/duplicates/near_work.h"
#include "store/duplicates/near_verdicts.h"
#include "store/images/images.h"

enum { KEPT_MS = 60 * 1000, HELD_MS = 10 * 60 * 1000, HOLDS = 64 };

struct hold {
    int64_t account, image, until_ms;
    int64_t version; /* near_verdicts_version when it was given: another one, somebody has judged since */
};
struct near_queue {
    pthread_mutex_t lock;
    int64_t *images; /* the nearest first */
    size_t n, at;
    int64_t until_ms;
    struct hold holds[HOLDS]; /* account 0: none */
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

/* ---- under the lock ---- */

static struct hold *hold_of(struct near_queue *q, int64_t account)
{
    struct hold *found = &q->holds[0];
    for (size_t i = 0; i < HOLDS && found->account != account; i++) {
        /* The account's own, else the one that is longest over. */
        found = q->holds[i].account == account || q->holds[i].until_ms < found->until_ms ? &q->holds[i] : found;
    }
    return found;
}

static bool held_by_others(const struct near_queue *q, int64_t image, int64_t account, int64_t now)
{
    bool held = false;
    for (size_t i = 0; i < HOLDS; i++) {
        const struct hold *h = &q->holds[i];
        held = held || (h->image == image && h->account != account && h->until_ms > now);
    }
    return held;
}

/* The next of the list that nobody else holds; 0: it is used up or old. */
static int64_t take(struct near_queue *q, int64_t account)
{
    int64_t image = 0, now = clock_wall_ms();
    pthread_mutex_lock(&q->lock);
    while (image == 0 && now < q->until_ms && q->at < q->n) {
        image = q->images[q->at++];
        image = held_by_others(q, image, account, now) ? 0 : image;
    }
    pthread_mutex_unlock(&q->lock);
    return image;
}

static struct hold held(struct near_queue *q, int64_t account)
{
    struct hold none = {0};
    pthread_mutex_lock(&q->lock);
    const struct hold *h = hold_of(q, account);
    struct hold found = h->account == account && h->until_ms > clock_wall_ms() ? *h : none;
    pthread_mutex_unlock(&q->lock);
    return found;
}

static void keep(struct near_queue *q, int64_t account, int64_t image, int64_t version)
{
    pthread_mutex_lock(&q->lock);
    *hold_of(q, account) = (struct hold){account, image, clock_wall_ms() + HELD_MS, version};
    pthread_mutex_unlock(&q->lock);
}

static void replace(struct near_queue *q, int64_t *images, size_t n)
{
    pthread_mutex_lock(&q->lock);
    free(q->images);
    q->images = images;
    q->n = n;
    q->at = 0;
    q->until_ms = clock_wall_ms() + KEPT_MS;
    pthread_mutex_unlock(&q->lock);
}

/* ---- asking the database ---- */

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
    replace(q, images, w.n);
    return OK;
}

/* Whether a candidate has an open neighbour that the account has not left to others, and its version. */
static enum err_code look(struct ctx *c, const struct near_work *w, int64_t image, bool *waits, int64_t *version)
{
    struct near_work_pair *pairs;
    struct image_row row;
    size_t n = 0;
    *waits = false;
    enum err_code rc = images_get(c->db, image, c->arena, &row, &c->err);
    rc = rc == OK ? near_verdicts_version(c->db, row.name, version, &c->err) : rc;
    rc = rc == OK ? near_work_pairs(c->db, w, image, c->arena, &pairs, &n, &c->err) : rc;
    for (size_t i = 0; i < n && rc == OK && !*waits; i++) {
        bool passed = false;
        rc = pairs[i].open ? near_verdicts_passed_on(c->db, row.name, pairs[i].reference, c->user.account, &passed, &c->err)
                           : OK;
        *waits = pairs[i].open && !passed;
    }
    return rc;
}

/* What the account holds and has said nothing of; 0: nothing. */
static enum err_code find_held(struct ctx *c, struct near_queue *q, const struct near_work *w, int64_t *image)
{
    const struct hold h = held(q, c->user.account);
    int64_t version = 0;
    bool waits = false;
    enum err_code rc = h.image ? look(c, w, h.image, &waits, &version) : OK;
    *image = rc == OK && waits && version == h.version ? h.image : 0;
    return rc;
}

/* The first of the list that waits, held from now on; 0: none. */
static enum err_code find_next(struct ctx *c, struct near_queue *q, const struct near_work *w, int64_t *image)
{
    enum err_code rc = OK;
    int64_t version = 0;
    bool waits = false;
    do {
        *image = take(q, c->user.account);
        rc = *image ? look(c, w, *image, &waits, &version) : OK;
    } while (rc == OK && *image && !waits);
    if (rc == OK && *image) {
        keep(q, c->user.account, *image, version);
    }
    return rc;
}

enum err_code near_queue_next(struct ctx *c, int64_t *image)
{
    struct near_queue *q = app_near_queue(c->app);
    struct near_work w;
    enum err_code rc = near_work_open(c->db, c->arena, &w, &c->err);
    rc = rc == OK ? find_held(c, q, &w, image) : rc;
    rc = rc == OK && *image == 0 ? find_next(c, q, &w, image) : rc;
    if (rc == OK && *image == 0) {
        rc = make(c, q);
        rc = rc == OK ? find_next(c, q, &w, image) : rc;
    }
    return rc;
}
