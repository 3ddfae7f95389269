/* quarantine.c - flagged images behind a reader-writer lock. */
#include "study/quarantine.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/xalloc.h"

struct quarantine {
    int64_t flags_to_quarantine;
    int64_t seen;          /* event of the newest flag or decision that is folded */
    _Atomic bool any;      /* something was hidden once: without it nobody takes the lock */
    _Atomic int64_t waiting, in_state[FLAG_STATES]; /* images */
    pthread_rwlock_t lock; /* guards what follows */
    struct map_u64 at;     /* an image's index in `list` */
    struct quarantined *list;
    size_t n, cap;
};

struct quarantine *quarantine_new(int64_t flags_to_quarantine)
{
    struct quarantine *q = xcalloc(1, sizeof *q);
    q->flags_to_quarantine = flags_to_quarantine;
    map_u64_init(&q->at);
    pthread_rwlock_init(&q->lock, NULL);
    return q;
}

void quarantine_free(struct quarantine *q)
{
    if (q) {
        pthread_rwlock_destroy(&q->lock);
        map_u64_release(&q->at);
        free(q->list);
        free(q);
    }
}

static enum err_code take(void *arg, int64_t image, const struct flag_standing *s, struct err *err)
{
    struct quarantine *q = arg;
    struct quarantined *i;
    (void)err;
    pthread_rwlock_wrlock(&q->lock);
    uint32_t at = map_u64_put(&q->at, (uint64_t)image, (uint32_t)q->n);
    bool known = at < q->n;
    if (!known) {
        xgrow(&q->list, &q->cap, q->n + 1, sizeof *q->list);
        q->list[q->n++] = (struct quarantined){.image = image};
    }
    i = &q->list[at];
    q->waiting += s->waits - i->is.waits;
    q->in_state[i->is.state] -= known;
    q->in_state[s->state]++;
    q->any = q->any || s->hidden;
    i->is = *s;
    pthread_rwlock_unlock(&q->lock);
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
    uint32_t at = map_u64_get(&q->at, (uint64_t)image);
    bool hidden = at != MAP_NONE && q->list[at].is.hidden;
    pthread_rwlock_unlock(&q->lock);
    return hidden;
}

bool quarantine_hides(void *q, int64_t image)
{
    return q && quarantine_has(q, image);
}

int64_t quarantine_waiting(struct quarantine *q)
{
    return q->waiting;
}

/* ---- the list ---- */

static int by_newest(const void *pa, const void *pb)
{
    const struct quarantined *a = pa, *b = pb;
    return (a->is.newest < b->is.newest) - (a->is.newest > b->is.newest);
}

static int by_people(const void *pa, const void *pb)
{
    const struct quarantined *a = pa, *b = pb;
    int order = (a->is.people < b->is.people) - (a->is.people > b->is.people);
    return order ? order : by_newest(a, b);
}

static bool is_asked_for(const struct quarantined *i, const struct quarantine_ask *ask)
{
    bool asked = ask->states >> i->is.state & 1;
    for (size_t k = 0; k < ask->n_kept && !asked; k++) {
        asked = ask->kept[k] == i->image;
    }
    return asked;
}

struct quarantined *quarantine_list(struct quarantine *q, const struct quarantine_ask *ask,
                                    struct arena *a, size_t *n)
{
    *n = 0;
    pthread_rwlock_rdlock(&q->lock);
    size_t most = (size_t)quarantine_count(q, ask->states) + ask->n_kept;
    struct quarantined *list = arena_calloc(a, most + 1, sizeof *list);
    for (size_t i = 0; i < q->n; i++) {
        if (is_asked_for(&q->list[i], ask)) {
            list[(*n)++] = q->list[i];
        }
    }
    pthread_rwlock_unlock(&q->lock);
    if (*n) {
        qsort(list, *n, sizeof *list, ask->sort == QUARANTINE_NEWEST ? by_newest : by_people);
    }
    return list;
}

int64_t quarantine_count(struct quarantine *q, unsigned states)
{
    int64_t n = 0;
    for (unsigned s = 0; s < FLAG_STATES; s++) {
        n += states >> s & 1 ? q->in_state[s] : 0;
    }
    return n;
}
