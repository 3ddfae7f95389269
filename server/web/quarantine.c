/* quarantine.c - the hidden images behind a reader-writer lock. */
#include "web/quarantine.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/xalloc.h"
#include "store/flags.h"

struct quarantine {
    int64_t k;
    int64_t seen;          /* event of the newest flag or decision that is folded */
    _Atomic bool any;      /* something was hidden once: without it nobody takes the lock */
    pthread_rwlock_t lock; /* guards `images` */
    struct map_u64 images; /* flagged ones: 1 hidden, 0 not (any more) */
};

struct quarantine *quarantine_new(int64_t k)
{
    struct quarantine *q = xcalloc(1, sizeof *q);
    q->k = k;
    map_u64_init(&q->images);
    pthread_rwlock_init(&q->lock, NULL);
    return q;
}

void quarantine_free(struct quarantine *q)
{
    if (q) {
        pthread_rwlock_destroy(&q->lock);
        map_u64_release(&q->images);
        free(q);
    }
}

static enum err_code take(void *arg, int64_t image, bool hidden, struct err *err)
{
    struct quarantine *q = arg;
    (void)err;
    pthread_rwlock_wrlock(&q->lock);
    map_u64_set(&q->images, (uint64_t)image, hidden);
    pthread_rwlock_unlock(&q->lock);
    if (hidden) {
        q->any = true;
    }
    return OK;
}

enum err_code quarantine_refresh(struct quarantine *q, struct db *db, struct err *err)
{
    int64_t newest = 0;
    enum err_code rc = flags_newest(db, &newest, err);
    if (rc == OK && newest != q->seen) {
        rc = flags_changed(db, q->k, q->seen, take, q, err);
        q->seen = rc == OK ? newest : q->seen;
    }
    return rc;
}

bool quarantine_has(struct quarantine *q, int64_t image)
{
    if (!q->any) {
        return false;
    }
    pthread_rwlock_rdlock(&q->lock);
    bool hidden = map_u64_get(&q->images, (uint64_t)image) == 1;
    pthread_rwlock_unlock(&q->lock);
    return hidden;
}
