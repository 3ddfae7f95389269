/* desk.c - leases and free slots of the open campaigns. */
#include "live/work/desk.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "domain/grids/grid.h"
#include "live/work/exposure.h"
#include "live/work/leases.h"
#include "store/campaigns/campaigns.h"
#include "store/work/work.h"

/* Counting places looks at every one: a crowd before a full study asks no more often. */
enum { PLACES_FRESH_MS = 2000 };

struct desk_grid {
    uint32_t tally;            /* index into the tally's grids */
    uint32_t id;
    uint32_t counted, leased;
    int32_t reopened;          /* answers asked for beyond the campaign's N */
};

struct desk_campaign {
    int64_t id;
    struct campaign terms;     /* texts in the desk's arena */
    uint32_t wanted;           /* N */
    struct desk_grid *grids;   /* by id */
    uint32_t n_grids;
    uint32_t *open;            /* indexes of grids with a free slot, in the plan's order */
    uint32_t n_open;
    uint32_t answers, leased, complete;
    int64_t reopened;          /* over all grids */
    int64_t places;            /* that count, or did when they were counted */
    int64_t places_asked;      /* when the database was asked; 0: ask again */
};

struct desk {
    unsigned open_window;
    uint32_t *window;          /* of a draw: that many grids */
    struct desk_campaign *campaigns;
    size_t n_campaigns;
    struct leases leases;
    int64_t next_end;          /* no lease ends before this */
    int64_t reopened_seen;     /* newest row of grid_reopened that the grids hold */
    struct exposure *exposure; /* who has seen what */
    struct rng rng;
    struct arena arena;
};

struct desk *desk_new(unsigned open_window)
{
    struct desk *d = xcalloc(1, sizeof *d);
    d->open_window = open_window ? open_window : 1;
    d->window = xcalloc(d->open_window, sizeof *d->window);
    arena_init(&d->arena, 64 << 20);
    d->exposure = exposure_new();
    /* Which of several equally good grids somebody gets is stored as the assignment itself. */
    rng_seed(&d->rng, rng_fresh_seed());
    return d;
}

static void clear(struct desk *d)
{
    for (size_t i = 0; i < d->n_campaigns; i++) {
        free(d->campaigns[i].grids);
        free(d->campaigns[i].open);
    }
    free(d->campaigns);
    leases_release(&d->leases);
    d->campaigns = NULL;
    d->n_campaigns = 0;
    d->next_end = INT64_MAX;
    d->reopened_seen = 0;
    arena_release(&d->arena);
    exposure_reset(d->exposure);
}

void desk_free(struct desk *d)
{
    if (d) {
        clear(d);
        exposure_free(d->exposure);
        free(d->window);
        free(d);
    }
}

static struct desk_campaign *find_campaign(const struct desk *d, int64_t id)
{
    for (size_t i = 0; i < d->n_campaigns; i++) {
        if (d->campaigns[i].id == id) {
            return &d->campaigns[i];
        }
    }
    return NULL;
}

static struct desk_grid *find_grid(const struct desk_campaign *c, int64_t id)
{
    uint32_t lo = 0, hi = c->n_grids;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (c->grids[mid].id < id) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < c->n_grids && c->grids[lo].id == id ? &c->grids[lo] : NULL;
}

/* Where grid index `g` stands, or belongs, in the open list. */
static uint32_t open_at(const struct desk_campaign *c, uint32_t g)
{
    uint32_t lo = 0, hi = c->n_open;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (c->open[mid] < g) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

/* How many answers the grid is to get. */
static uint32_t wanted(const struct desk_campaign *c, const struct desk_grid *g)
{
    return (uint32_t)grid_wanted(c->wanted, g->reopened);
}

static bool has_slot(const struct desk_campaign *c, const struct desk_grid *g)
{
    return grid_has_slot(wanted(c, g), g->counted, g->leased);
}

/* Puts the grid on the open list or takes it off, as its counts say. */
static void update_open(struct desk_campaign *c, struct desk_grid *g)
{
    uint32_t index = (uint32_t)(g - c->grids);
    uint32_t at = open_at(c, index);
    bool listed = at < c->n_open && c->open[at] == index;
    bool free_slot = has_slot(c, g);
    if (listed == free_slot) {
        return;
    }
    if (free_slot) {
        memmove(c->open + at + 1, c->open + at, (c->n_open - at) * sizeof *c->open);
        c->open[at] = index;
        c->n_open++;
    } else {
        memmove(c->open + at, c->open + at + 1, (c->n_open - at - 1) * sizeof *c->open);
        c->n_open--;
    }
}

static void put_lease(struct desk *d, struct lease l)
{
    leases_put(&d->leases, l);
    d->next_end = l.until < d->next_end ? l.until : d->next_end;
}

static void end_lease(struct desk *d, struct lease *at)
{
    struct lease l = *at;
    struct desk_campaign *c = &d->campaigns[l.campaign];
    struct desk_grid *g = &c->grids[l.grid];
    leases_remove(&d->leases, at);
    g->leased--;
    c->leased--;
    update_open(c, g);
}

static enum err_code load_lease(void *arg, const struct work_lease *w, struct err *err)
{
    (void)err;
    struct desk *d = arg;
    struct desk_campaign *c = find_campaign(d, w->campaign);
    struct desk_grid *g = c ? find_grid(c, w->grid) : NULL;
    if (g) {
        g->leased++;
        c->leased++;
        put_lease(d, (struct lease){w->assignment, w->until, (uint32_t)(c - d->campaigns),
                                    (uint32_t)(g - c->grids)});
    }
    return OK;
}

static void load_grids(struct desk *d, const struct tally *t)
{
    size_t n;
    const struct tally_grid *grids = tally_grids(t, &n);
    for (size_t i = 0; i < d->n_campaigns; i++) {
        struct desk_campaign *c = &d->campaigns[i];
        for (size_t g = 0; g < n; g++) {
            c->n_grids += grids[g].campaign == c->id;
        }
        c->grids = xcalloc(c->n_grids, sizeof *c->grids);
        c->open = xcalloc(c->n_grids, sizeof *c->open);
        uint32_t at = 0;
        for (size_t g = 0; g < n; g++) {
            if (grids[g].campaign == c->id) {
                c->grids[at++] = (struct desk_grid){.tally = (uint32_t)g, .id = grids[g].id,
                                                    .counted = grids[g].answers};
                c->answers += grids[g].answers;
            }
        }
    }
}

/* Only adds up: while the desk is built nothing else of a grid is known. */
static enum err_code sum_reopened(void *arg, const struct reopened_row *r, struct err *err)
{
    (void)err;
    struct desk *d = arg;
    struct desk_campaign *c = find_campaign(d, r->campaign);
    struct desk_grid *g = c ? find_grid(c, r->grid) : NULL;
    d->reopened_seen = r->id;
    if (g) {
        g->reopened += r->n;
        c->reopened += r->n;
    }
    return OK;
}

/* The open list and the number of complete grids, when everything else is there. */
static void count_open(struct desk_campaign *c)
{
    for (uint32_t i = 0; i < c->n_grids; i++) {
        const struct desk_grid *g = &c->grids[i];
        c->complete += g->counted >= wanted(c, g);
        if (has_slot(c, g)) {
            c->open[c->n_open++] = i;
        }
    }
}

enum err_code desk_reload(struct desk *d, const struct tally *t, struct db *db, int64_t now_ms,
                          struct err *err)
{
    clear(d);
    struct campaign *list;
    size_t n;
    enum err_code rc = campaigns_list(db, true, &d->arena, &list, &n, err);
    if (rc == OK) {
        d->campaigns = xcalloc(n, sizeof *d->campaigns);
        d->n_campaigns = n;
        for (size_t i = 0; i < n; i++) {
            d->campaigns[i] = (struct desk_campaign){
                .id = list[i].id,
                .terms = list[i],
                .wanted = (uint32_t)list[i].answers_per_grid,
            };
        }
        load_grids(d, t);
    }
    if (rc == OK) {
        struct tally_totals totals;
        tally_totals(t, &totals);
        rc = exposure_load(d->exposure, db, totals.plan_version, err);
    }
    for (size_t i = 0; i < d->n_campaigns && rc == OK; i++) {
        rc = work_places_count(db, d->campaigns[i].id, &d->campaigns[i].places, err);
    }
    rc = rc == OK ? work_leases(db, now_ms, load_lease, d, err) : rc;
    /* Reopened grids first: what is counted below knows their N. */
    rc = rc == OK ? decisions_reopened(db, 0, sum_reopened, d, err) : rc;
    for (size_t i = 0; i < d->n_campaigns; i++) {
        count_open(&d->campaigns[i]);
    }
    return rc;
}

const struct campaign *desk_campaign(const struct desk *d, int64_t campaign)
{
    const struct desk_campaign *c = find_campaign(d, campaign);
    return c ? &c->terms : NULL;
}

int64_t desk_places(const struct desk *d, int64_t campaign)
{
    const struct desk_campaign *c = find_campaign(d, campaign);
    return c ? c->places : 0;
}

void desk_joined(struct desk *d, int64_t campaign)
{
    struct desk_campaign *c = find_campaign(d, campaign);
    if (c) {
        c->places++;
    }
}

bool desk_places_stale(const struct desk *d, int64_t campaign, int64_t now_ms)
{
    const struct desk_campaign *c = find_campaign(d, campaign);
    return c && (c->places_asked == 0 || now_ms < c->places_asked ||
                 now_ms >= c->places_asked + PLACES_FRESH_MS);
}

void desk_places_changed(struct desk *d, int64_t campaign)
{
    struct desk_campaign *c = find_campaign(d, campaign);
    if (c) {
        c->places_asked = 0;
    }
}

void desk_set_places(struct desk *d, int64_t campaign, int64_t places, int64_t now_ms)
{
    struct desk_campaign *c = find_campaign(d, campaign);
    if (c) {
        c->places = places;
        c->places_asked = now_ms;
    }
}

static bool suits(const struct desk *d, const struct desk_grid *grid, const struct tally *t,
                  const struct seen *seen)
{
    size_t n;
    const struct tally_grid *g = &tally_grids(t, &n)[grid->tally];
    for (unsigned i = 0; i < tally_images(g); i++) {
        if (exposure_saw(d->exposure, seen, tally_cell_image(t, g, i))) {
            return false;
        }
    }
    return true;
}

/* Whether the grid has an image that is shown: of a CLASSIFY task, whether its one image is. */
static bool shows_any(const struct desk_grid *grid, const struct tally *t, const struct desk_asker *who)
{
    size_t n;
    const struct tally_grid *g = &tally_grids(t, &n)[grid->tally];
    unsigned i = 0;
    while (i < tally_images(g) && who->hidden && who->hidden(who->hidden_arg, tally_cell_image(t, g, i))) {
        i++;
    }
    return i < tally_images(g);
}

struct draw {
    const struct desk_campaign *c;
    const struct desk_asker *who;
    const struct seen *seen;
    uint32_t from; /* the first of open_window places on the open list */
};

/* A grid that the person holds or answered is in the exposure set unless the campaign allows
 * repeats; then the database is asked. */
static enum err_code may_have(const struct desk *d, const struct draw *w, uint32_t grid,
                              const struct tally *t, struct db *db, bool *may, struct err *err)
{
    if (!shows_any(&w->c->grids[grid], t, w->who)) {
        *may = false;
        return OK;
    }
    if (!w->c->terms.same_image_again) {
        *may = suits(d, &w->c->grids[grid], t, w->seen);
        return OK;
    }
    bool had = false;
    enum err_code rc = work_had_grid(db, w->c->grids[grid].id, w->who->person, &had, err);
    *may = !had;
    return rc;
}

/* Looks at the grids of one window in random order: the first that suits is as likely as any other
 * that does, and mostly it is the first looked at. */
static enum err_code draw(struct desk *d, const struct tally *t, struct db *db,
                          const struct draw *w, int64_t *grid, struct err *err)
{
    uint32_t left = w->c->n_open - w->from;
    uint32_t n = left < d->open_window ? left : d->open_window;
    memcpy(d->window, w->c->open + w->from, n * sizeof *d->window);
    enum err_code rc = OK;
    for (; n > 0 && rc == OK && *grid == 0; n--) {
        uint32_t i = (uint32_t)rng_below(&d->rng, n);
        uint32_t g = d->window[i];
        d->window[i] = d->window[n - 1];
        bool may = false;
        rc = may_have(d, w, g, t, db, &may, err);
        *grid = may ? w->c->grids[g].id : 0;
    }
    return rc;
}

enum err_code desk_pick(struct desk *d, const struct tally *t, struct db *db,
                        const struct desk_asker *who, int64_t *grid, struct err *err)
{
    *grid = 0;
    struct desk_campaign *c = find_campaign(d, who->campaign);
    if (!c || !sv_is(c->terms.state, "open")) {
        return err_rule(err, ERR_CONFLICT, "campaign-not-open",
                        "This study is not open at the moment. What you answered is kept.");
    }
    const struct seen *seen;
    enum err_code rc = exposure_of(d->exposure, db, who->person, &seen, err);
    if (rc != OK) {
        return rc;
    }
    for (uint32_t from = 0; from < c->n_open && rc == OK && *grid == 0; from += d->open_window) {
        rc = draw(d, t, db, &(struct draw){c, who, seen, from}, grid, err);
    }
    return rc;
}

bool desk_has_slot(const struct desk *d, int64_t campaign, int64_t grid)
{
    const struct desk_campaign *c = find_campaign(d, campaign);
    const struct desk_grid *g = c ? find_grid(c, grid) : NULL;
    return g && has_slot(c, g);
}

void desk_lend(struct desk *d, const struct tally *t, const struct desk_asker *who, int64_t grid,
               int64_t assignment, int64_t until_ms)
{
    struct desk_campaign *c = find_campaign(d, who->campaign);
    struct desk_grid *g = c ? find_grid(c, grid) : NULL;
    BUG_IF(!g || !has_slot(c, g));
    g->leased++;
    c->leased++;
    put_lease(d, (struct lease){assignment, until_ms, (uint32_t)(c - d->campaigns),
                                (uint32_t)(g - c->grids)});
    update_open(c, g);
    size_t n;
    const struct tally_grid *tg = &tally_grids(t, &n)[g->tally];
    for (unsigned i = 0; i < tally_images(tg); i++) {
        exposure_show(d->exposure, who->person, tally_cell_image(t, tg, i));
    }
}

bool desk_counts(const struct desk *d, int64_t campaign, int64_t grid, int64_t assignment)
{
    const struct desk_campaign *c = find_campaign(d, campaign);
    const struct desk_grid *g = c ? find_grid(c, grid) : NULL;
    if (!g || g->counted >= wanted(c, g)) {
        return false; /* a clock that was set back can bring an ended lease back to life */
    }
    return leases_find(&d->leases, assignment) || has_slot(c, g);
}

void desk_answered(struct desk *d, int64_t campaign, int64_t grid, int64_t assignment,
                   bool counted)
{
    struct lease *l = leases_find(&d->leases, assignment);
    if (l) {
        end_lease(d, l);
    }
    struct desk_campaign *c = find_campaign(d, campaign);
    struct desk_grid *g = c ? find_grid(c, grid) : NULL;
    if (g && counted) {
        g->counted++;
        c->answers++;
        c->complete += g->counted == wanted(c, g);
        update_open(c, g);
    }
}

void desk_reopened(struct desk *d, const struct reopened_row *r)
{
    struct desk_campaign *c = find_campaign(d, r->campaign);
    struct desk_grid *g = c ? find_grid(c, r->grid) : NULL;
    d->reopened_seen = r->id > d->reopened_seen ? r->id : d->reopened_seen;
    if (g) {
        c->complete -= g->counted >= wanted(c, g);
        g->reopened += r->n;
        c->reopened += r->n;
        c->complete += g->counted >= wanted(c, g);
        update_open(c, g);
    }
}

static enum err_code follow(void *arg, const struct reopened_row *r, struct err *err)
{
    (void)err;
    desk_reopened(arg, r);
    return OK;
}

enum err_code desk_follow(struct desk *d, struct db *db, struct err *err)
{
    return decisions_reopened(db, d->reopened_seen, follow, d, err);
}

bool desk_extend(struct desk *d, int64_t assignment, int64_t until_ms)
{
    struct lease *l = leases_find(&d->leases, assignment);
    if (l) {
        l->until = until_ms;
        d->next_end = until_ms < d->next_end ? until_ms : d->next_end;
    }
    return l != NULL;
}

bool desk_release(struct desk *d, int64_t assignment)
{
    struct lease *l = leases_find(&d->leases, assignment);
    if (l) {
        end_lease(d, l);
    }
    return l != NULL;
}

unsigned desk_expire(struct desk *d, int64_t now_ms)
{
    if (now_ms < d->next_end) {
        return 0;
    }
    unsigned ended = 0;
    d->next_end = INT64_MAX;
    for (size_t i = 0; i < d->leases.cap;) {
        struct lease *l = &d->leases.slots[i];
        if (l->assignment && l->until <= now_ms) {
            end_lease(d, l); /* another lease may have moved here: look again */
            ended++;
            continue;
        }
        if (l->assignment && l->until < d->next_end) {
            d->next_end = l->until;
        }
        i++;
    }
    return ended;
}

static struct desk_progress progress_of(const struct desk_campaign *c)
{
    return (struct desk_progress){
        .grids = c->n_grids,
        .complete = c->complete,
        .leased = c->leased,
        .answers = c->answers,
        .wanted = (uint32_t)(c->n_grids * (int64_t)c->wanted + c->reopened),
    };
}

bool desk_progress(const struct desk *d, int64_t campaign, struct desk_progress *out)
{
    const struct desk_campaign *c = find_campaign(d, campaign);
    if (c) {
        *out = progress_of(c);
    }
    return c != NULL;
}

size_t desk_board(const struct desk *d, int64_t *campaigns, struct desk_progress *progress,
                  size_t most)
{
    size_t n = d->n_campaigns < most ? d->n_campaigns : most;
    for (size_t i = 0; i < n; i++) {
        campaigns[i] = d->campaigns[i].id;
        progress[i] = progress_of(&d->campaigns[i]);
    }
    return n;
}
