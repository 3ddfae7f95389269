/* pool.c - loads a pool: one snapshot of the database, read in the order in which one part needs
 * another. The parts are pool_read.c, pool_votes.c, pool_decisions.c and pool_digest.c. */
#include "sets/pool/pool.h"

#include <stdlib.h>
#include <string.h>

#include "sets/pool/pool_private.h"
#include "store/images/facts.h"

static void start(struct pool_loading *l, struct tally *t)
{
    struct tally_totals totals;
    struct pool *p = l->p;
    arena_init(&p->arena, SIZE_MAX / 2);
    map_sv_init(&l->sources);
    map_sv_init(&l->keywords);
    map_sv_init(&l->outsiders);
    tally_read_lock(t);
    tally_totals(t, &totals);
    tally_read_unlock(t);
    p->as_of = l->ask->as_of > 0 && l->ask->as_of < totals.cursor ? l->ask->as_of : totals.cursor;
}

/* Of its component a hidden image must not be the one that stays: then none could be sampled. */
static void resolve(struct pool *p)
{
    for (size_t i = 0; i < p->n; i++) {
        p->near[i].blacklisted |= p->sample[i].hidden;
    }
    struct near_input in = {p->near, p->n_near, p->edges, p->n_edges, p->n_classes};
    near_duplicates_resolve(&in, &p->arena, &p->duplicates);
    for (size_t i = 0; i < p->n; i++) {
        p->sample[i].near_duplicate = p->duplicates.out[i];
        p->near[i].blacklisted = p->sample[i].blacklisted;
    }
}

static enum err_code load(struct pool_loading *l, struct tally *t, struct err *err)
{
    struct pool *p = l->p;
    enum err_code rc = image_facts_newest(l->db, &p->newest_image, err);
    if (l->ask->newest_image > 0 && l->ask->newest_image < p->newest_image) {
        p->newest_image = l->ask->newest_image;
    }
    rc = rc == OK ? pool_read_view(l, err) : rc;
    rc = rc == OK ? pool_read_classes(l, err) : rc;
    rc = rc == OK ? pool_read_images(l, err) : rc;
    rc = rc == OK ? pool_read_pairs(l, err) : rc;
    if (rc != OK) {
        return rc;
    }
    pool_rank(l);
    rc = pool_read_votes(l, t, err);
    rc = rc == OK ? pool_read_decisions(l, err) : rc;
    if (rc == OK) {
        resolve(p);
        pool_digests(l);
    }
    return rc;
}

enum err_code pool_load(struct db *db, struct tally *t, const struct pool_ask *ask,
                        struct pool *out, struct err *err)
{
    struct pool_loading l = {.db = db, .ask = ask, .p = out};
    *out = (struct pool){0};
    start(&l, t);
    /* After the tally was looked at: the snapshot has every event that it has counted. */
    enum err_code rc = out->as_of > 0
                           ? db_snapshot(db, err)
                           : err_rule(err, ERR_BUSY, "counters-rebuilt",
                                      "The counters are being rebuilt. Try again in a moment.");
    if (rc == OK) {
        rc = load(&l, t, err);
        db_snapshot_end(db);
    }
    map_sv_release(&l.sources);
    map_sv_release(&l.keywords);
    map_sv_release(&l.outsiders);
    free(l.keyword_text);
    free(l.raw);
    free(l.filled);
    free(l.known);
    return rc;
}

void pool_release(struct pool *p)
{
    free(p->id);
    free(p->name);
    free(p->author);
    free(p->taken_at);
    free(p->by_name);
    free(p->sample);
    free(p->near);
    free(p->edges);
    arena_release(&p->arena);
    *p = (struct pool){0};
}
