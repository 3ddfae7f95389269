/* exposure.c - sets of contents per person. */
#include "live/work/exposure.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/xalloc.h"
#include "store/images/images.h"
#include "store/work/work.h"

enum { SEEN_MOST = 500000 }; /* contents remembered over all persons before all are forgotten */

/* The contents one person has seen, each by the first image of its bytes: a small open-addressing
 * set, 0 is free. */
struct seen {
    uint32_t *images;
    size_t n, cap;
};

struct exposure {
    struct map_u64 twins;   /* image -> the first image of the same bytes, if that is another */
    uint64_t plan_version;  /* that the twins were read for; 0: not read */
    struct map_u64 persons; /* person -> index into seen */
    struct seen *seen;
    size_t n_seen, cap_seen, remembered;
};

struct exposure *exposure_new(void)
{
    struct exposure *e = xcalloc(1, sizeof *e);
    map_u64_init(&e->twins);
    map_u64_init(&e->persons);
    return e;
}

void exposure_reset(struct exposure *e)
{
    for (size_t i = 0; i < e->n_seen; i++) {
        free(e->seen[i].images);
    }
    map_u64_release(&e->persons);
    e->n_seen = e->remembered = 0;
}

void exposure_free(struct exposure *e)
{
    if (e) {
        exposure_reset(e);
        map_u64_release(&e->twins);
        free(e->seen);
        free(e);
    }
}

static enum err_code load_twin(void *arg, int64_t image, int64_t first, struct err *err)
{
    (void)err;
    struct exposure *e = arg;
    map_u64_put(&e->twins, (uint64_t)image, (uint32_t)first);
    return OK;
}

enum err_code exposure_load(struct exposure *e, struct db *db, uint64_t plan_version,
                            struct err *err)
{
    if (e->plan_version == plan_version) {
        return OK;
    }
    map_u64_release(&e->twins);
    enum err_code rc = sources_twins(db, load_twin, e, err);
    e->plan_version = rc == OK ? plan_version : 0;
    return rc;
}

static uint32_t content_of(const struct exposure *e, uint32_t image)
{
    uint32_t first = e->twins.n ? map_u64_get(&e->twins, image) : MAP_NONE;
    return first == MAP_NONE ? image : first;
}

/* Where the content stands in the set, or belongs. cap > 0. */
static size_t seen_slot(const struct seen *s, uint32_t content)
{
    size_t i = hash_u64(content) & (s->cap - 1);
    while (s->images[i] != 0 && s->images[i] != content) {
        i = (i + 1) & (s->cap - 1);
    }
    return i;
}

static void seen_put(struct seen *s, uint32_t content)
{
    if ((s->n + 1) * 4 > s->cap * 3) {
        struct seen old = *s;
        s->cap = old.cap ? old.cap * 2 : 128;
        s->images = xcalloc(s->cap, sizeof *s->images);
        for (size_t i = 0; i < old.cap; i++) {
            if (old.images[i]) {
                s->images[seen_slot(s, old.images[i])] = old.images[i];
            }
        }
        free(old.images);
    }
    size_t i = seen_slot(s, content);
    s->n += s->images[i] == 0;
    s->images[i] = content;
}

struct loader {
    const struct exposure *e;
    struct seen seen;
};

static enum err_code load_seen(void *arg, int64_t image, struct err *err)
{
    (void)err;
    struct loader *l = arg;
    seen_put(&l->seen, content_of(l->e, (uint32_t)image));
    return OK;
}

enum err_code exposure_of(struct exposure *e, struct db *db, int64_t person,
                          const struct seen **out, struct err *err)
{
    uint32_t at = map_u64_get(&e->persons, (uint64_t)person);
    if (at != MAP_NONE) {
        *out = &e->seen[at];
        return OK;
    }
    if (e->remembered > SEEN_MOST) {
        exposure_reset(e);
    }
    struct loader l = {.e = e};
    enum err_code rc = work_exposed(db, person, load_seen, &l, err);
    if (rc != OK) {
        free(l.seen.images);
        return rc;
    }
    xgrow(&e->seen, &e->cap_seen, e->n_seen + 1, sizeof *e->seen);
    e->seen[e->n_seen] = l.seen;
    e->remembered += l.seen.n;
    map_u64_put(&e->persons, (uint64_t)person, (uint32_t)e->n_seen);
    *out = &e->seen[e->n_seen++];
    return OK;
}

bool exposure_saw(const struct exposure *e, const struct seen *seen, uint32_t image)
{
    uint32_t content = content_of(e, image);
    return seen->cap && seen->images[seen_slot(seen, content)] == content;
}

void exposure_show(struct exposure *e, int64_t person, uint32_t image)
{
    uint32_t at = map_u64_get(&e->persons, (uint64_t)person);
    if (at != MAP_NONE) { /* else it is read when it is asked for */
        size_t before = e->seen[at].n;
        seen_put(&e->seen[at], content_of(e, image));
        e->remembered += e->seen[at].n - before;
    }
}
