/* quarantine.c - the hidden images behind a reader-writer lock. */
#include "study/quarantine.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/xalloc.h"
#include "store/work/flags.h"

enum { HIDDEN = 1, WAITS = 2 };

struct quarantine {
    int64_t flags_to_quarantine;
    int64_t seen;          /* event of the newest flag or decision that is folded */
    _Atomic bool any;      /* something was hidden once: without it nobody takes the lock */
    _Atomic int64_t waiting; /* images with WAITS */
    pthread_rwlock_t lock; /* guards `images` */
    struct map_u64 images; /* flagged ones: bits HIDDEN and WAITS */
};

struct quarantine *quarantine_new(int64_t flags_to_quarantine)
{
    struct quarantine *q = xcalloc(1, sizeof *q);
    q->flags_to_quarantine = flags_to_quarantine;
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

static enum err_code take(void *arg, int64_t image, const struct flag_standing *s, struct err *err)
{
    struct quarantine *q = arg;
    (void)err;
    pthread_rwlock_wrlock(&q->lock);
    uint32_t before = map_u64_get(&q->images, (uint64_t)image);
    before = before == MAP_NONE ? 0 : before;
    map_u64_set(&q->images, (uint64_t)image, (uint32_t)((s->hidden ? HIDDEN : 0) | (s->waits ? WAITS : 0)));
    pthread_rwlock_unlock(&q->lock);
    q->waiting += (int64_t)s->waits - (int64_t)((before & WAITS) != 0);
    if (s->hidden) {
        q->any = true;
    }
    return OK;
}

enum err_code quarantine_refresh(struct quarantine *q, struct db *db, struct err *err)
{
    int64_t newest = 0;
    enum err_code rc = flags_newest(db, &newest, err);
    if (rc == OK && newest != q->seen) {
        rc = flags_changed(db, q->flags_to_quarantine, q->seen, take, q, err);
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
    uint32_t bits = map_u64_get(&q->images, (uint64_t)image);
    pthread_rwlock_unlock(&q->lock);
    return bits != MAP_NONE && (bits & HIDDEN);
}

int64_t quarantine_waiting(struct quarantine *q)
{
    return q->waiting;
}
