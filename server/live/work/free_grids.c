/* free_grids.c - free slots of one campaign beside what one person saw. */
#include "live/work/free_grids.h"

#include "base/map.h"
#include "domain/grids/grid.h"
#include "store/decisions/decisions.h"
#include "store/work/work.h"

struct look {
    int64_t campaign;
    struct map_u64 met;      /* images */
    struct map_u64 leased;   /* per grid: live leases */
    struct map_u64 less;     /* per grid: answers that were asked for and taken back */
    struct map_u64 reopened; /* per grid: answers asked for beyond the campaign's N */
};

static void count(struct map_u64 *m, int64_t key)
{
    uint32_t n = map_u64_get(m, (uint64_t)key);
    map_u64_set(m, (uint64_t)key, n == MAP_NONE ? 1 : n + 1);
}

static int64_t counted(const struct map_u64 *m, uint32_t key)
{
    uint32_t n = map_u64_get(m, key);
    return n == MAP_NONE ? 0 : n;
}

static enum err_code add_met(void *arg, int64_t image, struct err *err)
{
    (void)err;
    struct look *l = arg;
    map_u64_set(&l->met, (uint64_t)image, 1);
    return OK;
}

static enum err_code add_lease(void *arg, const struct work_lease *w, struct err *err)
{
    (void)err;
    struct look *l = arg;
    if (w->campaign == l->campaign) {
        count(&l->leased, w->grid);
    }
    return OK;
}

static enum err_code add_reopened(void *arg, const struct reopened_row *r, struct err *err)
{
    (void)err;
    struct look *l = arg;
    if (r->campaign == l->campaign) {
        count(r->n > 0 ? &l->reopened : &l->less, r->grid);
    }
    return OK;
}

static bool suits(const struct look *l, const struct campaign *k, const struct tally *t,
                  const struct tally_grid *g)
{
    if (g->campaign != k->id) {
        return false;
    }
    int64_t wanted = grid_wanted(k->answers_per_grid,
                                 counted(&l->reopened, g->id) - counted(&l->less, g->id));
    if (!grid_has_slot(wanted, g->answers, counted(&l->leased, g->id))) {
        return false;
    }
    for (unsigned i = 0; i < tally_images(g); i++) {
        if (map_u64_get(&l->met, tally_cell_image(t, g, i)) != MAP_NONE) {
            return false;
        }
    }
    return true;
}

static bool any_suits(const struct look *l, const struct campaign *k, struct tally *t)
{
    size_t n;
    bool found = false;
    tally_read_lock(t);
    const struct tally_grid *grids = tally_grids(t, &n);
    for (size_t i = 0; i < n && !found; i++) {
        found = suits(l, k, t, &grids[i]);
    }
    tally_read_unlock(t);
    return found;
}

enum err_code free_grid_for(struct tally *t, struct db *db, const struct campaign *k, int64_t person,
                            int64_t now_ms, bool *found, struct err *err)
{
    struct look l = {.campaign = k->id};
    map_u64_init(&l.met);
    map_u64_init(&l.leased);
    map_u64_init(&l.less);
    map_u64_init(&l.reopened);
    enum err_code rc = work_met(db, person, add_met, &l, err);
    rc = rc == OK ? work_leases(db, now_ms, add_lease, &l, err) : rc;
    rc = rc == OK ? decisions_reopened(db, 0, add_reopened, &l, err) : rc;
    *found = rc == OK && any_suits(&l, k, t);
    map_u64_release(&l.met);
    map_u64_release(&l.leased);
    map_u64_release(&l.less);
    map_u64_release(&l.reopened);
    return rc;
}
