/* tally_test.c - the fold: in increments, from nothing, and by SQL alone it is always the same. */
#include "unit.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/rng.h"
#include "base/thread.h"
#include "live/core/tally.h"
#include "store/core/events.h"
#include "store/votes/votes.h"
#include "temp_project.h"
#include "world.h"

enum { CLASSES = 3, IMAGES = 60, ANSWERS = 4000 };

struct play {
    struct temp_project *t;
    struct rng r;
    int64_t classes[CLASSES], images[IMAGES], campaigns[3]; /* main, pilot, top-up */
    int64_t grids[400], campaign_of[400], cells[400];
    size_t n_grids;
    int64_t answers[ANSWERS];
    size_t n_answers;
};

static void add_grid(struct play *p)
{
    int64_t images[GRID_CELLS];
    unsigned n = 1 + (unsigned)rng_below(&p->r, 12), from = (unsigned)rng_below(&p->r, IMAGES);
    for (unsigned i = 0; i < n; i++) {
        images[i] = p->images[(from + i) % IMAGES];
    }
    size_t at = p->n_grids++;
    p->campaign_of[at] = p->campaigns[rng_below(&p->r, 3)];
    p->cells[at] = n;
    p->grids[at] = world_grid(p->t->db, p->campaign_of[at],
                              p->classes[rng_below(&p->r, CLASSES)], images, n);
}

static void begin(struct play *p, struct temp_project *t, uint64_t seed)
{
    static const char *const kinds[] = {"main", "pilot", "top-up"};
    *p = (struct play){.t = t};
    rng_seed(&p->r, seed);
    for (unsigned i = 0; i < CLASSES; i++) {
        p->classes[i] = world_class(t->db, i + 1);
    }
    for (unsigned i = 0; i < IMAGES; i++) {
        p->images[i] = world_image(t->db, i, p->classes[i % CLASSES], "candidate");
    }
    for (int i = 0; i < 3; i++) {
        struct campaign k = world_terms(kinds[i]);
        k.kind = sv_of(kinds[i]);
        p->campaigns[i] = world_campaign(t->db, &k);
    }
    for (int i = 0; i < 8; i++) {
        add_grid(p);
    }
}

static void add_answer(struct play *p)
{
    size_t g = (size_t)rng_below(&p->r, p->n_grids);
    uint64_t mask = rng_u64(&p->r) & (((uint64_t)1 << p->cells[g]) - 1);
    p->answers[p->n_answers++] = world_vote(p->t->db, p->campaign_of[g], p->grids[g], mask,
                                            rng_below(&p->r, 8) == 0);
}

/* A new version of the default view. */
static void set_view(struct temp_project *t, const char *kinds, const char *campaigns)
{
    int64_t id = 0;
    assert_int_equal(events_add(t->db, WORLD_NOW, 0, "view.create", 0, NULL, &id, &t->err), OK);
    assert_int_equal(db_run(t->db,
                            "INSERT INTO vote_view (id, name, description, kinds, campaigns,"
                            " filters) VALUES (?1, 'default', 'a test', ?2, ?3, '[]')",
                            DB_VALS(db_int(id), db_str(kinds), db_str(campaigns)), &t->err),
                     OK);
}

static void random_change(struct play *p)
{
    uint64_t what = rng_below(&p->r, 100);
    if (what < 60 || p->n_answers == 0) {
        add_answer(p);
    } else if (what < 90) {
        world_judge(p->t->db, p->answers[rng_below(&p->r, p->n_answers)], rng_below(&p->r, 2));
    } else if (what < 95) {
        add_grid(p);
    } else if (what < 98) {
        world_exclude(p->t->db, p->grids[rng_below(&p->r, p->n_grids)]);
    } else if (what < 99) {
        set_view(p->t, "main|pilot", "");
    } else {
        set_view(p->t, "main|top-up", rng_below(&p->r, 2) ? "pilot" : "");
    }
}

static void fold(struct tally *t, struct temp_project *p)
{
    assert_int_equal(tally_fold(t, p->db, &p->err), OK);
}

static void assert_same_totals(const struct tally *a, const struct tally *b)
{
    struct tally_totals x, y;
    tally_totals(a, &x);
    tally_totals(b, &y);
    assert_int_equal(x.pairs, y.pairs);
    assert_int_equal(x.grids, y.grids);
    assert_int_equal(x.answers, y.answers);
    assert_int_equal(x.votes, y.votes);
    assert_int_equal(x.surplus, y.surplus);
    assert_int_equal(x.selected, y.selected);
    assert_int_equal(x.cursor, y.cursor);
}

/* Two folds over the same events, however they were cut. */
static void assert_equal(const struct tally *a, const struct tally *b)
{
    size_t n, m;
    assert_same_totals(a, b);
    const struct tally_pair *p = tally_pairs(a, &n);
    for (size_t i = 0; i < n; i++) {
        const struct tally_pair *q = tally_find(b, p[i].image, p[i].class);
        assert_non_null(q);
        assert_int_equal(p[i].shown, q->shown);
        assert_int_equal(p[i].selected, q->selected);
        assert_int_equal(p[i].role, q->role);
    }
    const struct tally_grid *g = tally_grids(a, &n), *h = tally_grids(b, &m);
    assert_int_equal(n, m);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(g[i].id, h[i].id);
        assert_int_equal(g[i].answers, h[i].answers);
        assert_int_equal(tally_grid_counted(&g[i]), tally_grid_counted(&h[i]));
        assert_int_equal(g[i].n, h[i].n);
    }
}

struct recount {
    const struct tally *t;
    uint64_t votes, selected;
};

static enum err_code compare_pair(void *arg, const struct vote_pair *p, struct err *err)
{
    struct recount *r = arg;
    (void)err;
    const struct tally_pair *q = tally_find(r->t, p->image, p->class_id);
    assert_non_null(q);
    assert_int_equal(q->shown, p->shown);
    assert_int_equal(q->selected, p->selected);
    r->votes += (uint64_t)p->shown;
    r->selected += (uint64_t)p->selected;
    return OK;
}

/* The recount that `check` uses, and that nothing is counted which it does not know. */
static void assert_recounted(const struct tally *t, struct temp_project *p)
{
    struct recount r = {.t = t};
    struct tally_totals totals;
    assert_int_equal(votes_recount(p->db, compare_pair, &r, &p->err), OK);
    tally_totals(t, &totals);
    assert_int_equal(totals.votes, r.votes);
    assert_int_equal(totals.selected, r.selected);
    assert_int_equal(totals.answers, temp_int(p, "SELECT count(*) FROM answer WHERE surplus = 0"));
    assert_int_equal(totals.surplus, temp_int(p, "SELECT count(*) FROM answer WHERE surplus = 1"));
    assert_int_equal(totals.cursor, temp_int(p, "SELECT max(id) FROM event"));
}

/* The third way: the schema's own vote view, vote by vote. */
static void assert_vote_view(const struct tally *t, struct temp_project *p)
{
    struct db_rows r;
    uint64_t votes = 0;
    struct tally_totals totals;
    assert_int_equal(
        db_begin(p->db,
                 "SELECT v.image, v.class, count(*), sum(v.selected) FROM vote v"
                 " JOIN grid g ON g.id = v.grid JOIN campaign k ON k.id = g.campaign"
                 " WHERE v.counted AND k.kind IN ('main', 'top-up') GROUP BY v.image, v.class",
                 DB_NONE, &r, &p->err),
        OK);
    while (db_step(&r, &p->err)) {
        const struct tally_pair *q = tally_find(t, db_col_int(&r, 0), db_col_int(&r, 1));
        assert_non_null(q);
        assert_int_equal(q->shown, db_col_int(&r, 2));
        assert_int_equal(q->selected, db_col_int(&r, 3));
        votes += (uint64_t)db_col_int(&r, 2);
    }
    assert_int_equal(db_end(&r), OK);
    tally_totals(t, &totals);
    assert_int_equal(totals.votes, votes);
}

/* Every pair of a class stands in its chain exactly once. */
static void assert_chains(const struct tally *t, const struct play *p)
{
    size_t n, chained = 0;
    tally_pairs(t, &n);
    for (int k = 0; k < CLASSES; k++) {
        for (const struct tally_pair *q = tally_class(t, p->classes[k]); q;
             q = tally_at(t, q->next)) {
            assert_int_equal(q->class, p->classes[k]);
            assert_true(++chained <= n);
        }
    }
    assert_int_equal(chained, n);
}

PROJECT_TEST(random_increments)
{
    struct temp_project *t = *state;
    struct play p;
    begin(&p, t, 21);
    struct tally *grown = tally_new();
    for (int round = 0; round < 150; round++) {
        uint64_t changes = rng_below(&p.r, 12);
        assert_int_equal(db_tx_begin(t->db, &t->err), OK);
        for (uint64_t i = 0; i < changes; i++) {
            random_change(&p);
        }
        assert_int_equal(db_tx_commit(t->db, &t->err), OK);
        fold(grown, t);
        struct tally *fresh = tally_new();
        fold(fresh, t);
        assert_equal(grown, fresh);
        tally_free(fresh);
        assert_recounted(grown, t);
        assert_chains(grown, &p);
    }
    set_view(t, "main|top-up", "");
    fold(grown, t);
    assert_vote_view(grown, t);
    tally_free(grown);
}

/* One grid of two cells in a main campaign. */
static int64_t small_grid(struct play *p)
{
    return world_grid(p->t->db, p->campaigns[0], p->classes[0], p->images, 2);
}

static void assert_pair(struct tally *t, struct play *p, int image, uint32_t shown,
                        uint32_t selected)
{
    fold(t, p->t);
    const struct tally_pair *q = tally_find(t, p->images[image], p->classes[0]);
    assert_non_null(q);
    assert_int_equal(q->shown, shown);
    assert_int_equal(q->selected, selected);
}

static void small_play(struct play *p, struct temp_project *t)
{
    *p = (struct play){.t = t};
    p->classes[0] = world_class(t->db, 1);
    for (unsigned i = 0; i < 4; i++) {
        p->images[i] = world_image(t->db, i, p->classes[0], "candidate");
    }
    struct campaign k = world_terms("main");
    p->campaigns[0] = world_campaign(t->db, &k);
}

PROJECT_TEST(out_and_in_again)
{
    struct play p;
    struct tally *t = tally_new();
    small_play(&p, *state);
    int64_t grid = small_grid(&p);
    int64_t one = world_vote(p.t->db, p.campaigns[0], grid, 1, false);
    int64_t late = world_vote(p.t->db, p.campaigns[0], grid, 3, true);
    assert_pair(t, &p, 0, 1, 1);
    assert_pair(t, &p, 1, 1, 0);
    for (int i = 0; i < 3; i++) {
        world_judge(p.t->db, one, true);
        world_judge(p.t->db, one, true);
        world_judge(p.t->db, late, i % 2 == 0);
        assert_pair(t, &p, 0, 0, 0);
        world_judge(p.t->db, one, false);
        world_judge(p.t->db, one, false);
        assert_pair(t, &p, 0, 1, 1);
        world_judge(p.t->db, one, true); /* both in one fold */
        world_judge(p.t->db, one, false);
        assert_pair(t, &p, 0, 1, 1);
    }
    /* What was taken out of the analysis still fills a slot of its grid. */
    world_judge(p.t->db, one, true);
    fold(t, p.t);
    assert_int_equal(tally_grid(t, grid)->answers, 1);
    struct tally_totals totals;
    tally_totals(t, &totals);
    assert_int_equal(totals.answers, 1);
    assert_int_equal(totals.surplus, 1);
    assert_int_equal(totals.votes, 0);
    tally_free(t);
}

PROJECT_TEST(view_and_exclusion)
{
    struct play p;
    struct tally *t = tally_new();
    small_play(&p, *state);
    struct campaign k = world_terms("trial");
    k.kind = SV("pilot");
    p.campaigns[1] = world_campaign(p.t->db, &k);
    int64_t grid = small_grid(&p);
    int64_t pilot = world_grid(p.t->db, p.campaigns[1], p.classes[0], p.images, 2);
    world_vote(p.t->db, p.campaigns[0], grid, 1, false);
    world_vote(p.t->db, p.campaigns[1], pilot, 3, false);
    assert_pair(t, &p, 0, 1, 1);
    assert_false(tally_grid_counted(tally_grid(t, pilot)));
    assert_int_equal(tally_grid(t, pilot)->answers, 1); /* counts to N whatever the view says */
    set_view(p.t, "main", "trial");
    assert_pair(t, &p, 0, 2, 2);
    set_view(p.t, "", "trial");
    assert_pair(t, &p, 0, 1, 1);
    assert_pair(t, &p, 1, 1, 1);
    set_view(p.t, "ma", "tri"); /* whole words only */
    assert_pair(t, &p, 0, 0, 0);
    set_view(p.t, "main|pilot", "");
    world_exclude(p.t->db, grid);
    assert_pair(t, &p, 0, 1, 1);
    assert_recounted(t, p.t);
    tally_free(t);
}

/* The plan version tells the desk when to look again: for grids and campaigns, not for answers. */
PROJECT_TEST(plan_version)
{
    struct play p;
    struct tally *t = tally_new();
    struct tally_totals before, after;
    small_play(&p, *state);
    int64_t grid = small_grid(&p);
    fold(t, p.t);
    tally_totals(t, &before);
    world_vote(p.t->db, p.campaigns[0], grid, 1, false);
    fold(t, p.t);
    fold(t, p.t);
    tally_totals(t, &after);
    assert_int_equal(after.plan_version, before.plan_version);
    small_grid(&p);
    fold(t, p.t);
    tally_totals(t, &before);
    assert_true(before.plan_version > after.plan_version);
    assert_int_equal(before.grids, 2);
    assert_int_equal(campaigns_set_state(p.t->db, p.campaigns[0], "paused", 0, WORLD_NOW,
                                         &p.t->err),
                     OK);
    fold(t, p.t);
    tally_totals(t, &after);
    assert_true(after.plan_version > before.plan_version);
    assert_int_equal(after.grids, 2);
    tally_free(t);
}

PROJECT_TEST(unknown)
{
    struct play p;
    struct tally *t = tally_new();
    assert_null(tally_find(t, 1, 1));
    assert_null(tally_class(t, 1));
    assert_null(tally_grid(t, 1));
    small_play(&p, *state);
    int64_t grid = small_grid(&p);
    fold(t, p.t);
    assert_null(tally_find(t, p.images[3], p.classes[0]));
    assert_null(tally_find(t, INT64_C(1) << 40, p.classes[0]));
    assert_null(tally_find(t, p.images[0], INT64_C(1) << 40));
    assert_null(tally_grid(t, grid + 1));
    assert_null(tally_grid(t, (INT64_C(1) << 32) + grid));
    assert_int_equal(tally_cell_image(t, tally_grid(t, grid), 1), p.images[1]);
    tally_free(t);
}

/* An answer whose grid no event announced: said so, and nothing half-counted stays. */
PROJECT_TEST(failed_fold_starts_anew)
{
    struct play p;
    struct tally *t = tally_new();
    struct tally_totals totals;
    small_play(&p, *state);
    int64_t grid = small_grid(&p);
    world_vote(p.t->db, p.campaigns[0], grid, 1, false);
    fold(t, p.t);
    assert_int_equal(db_run(p.t->db,
                            "INSERT INTO grid (campaign, class, name, created_at)"
                            " VALUES (?1, ?2, 'unannounced', 0)",
                            DB_VALS(db_int(p.campaigns[0]), db_int(p.classes[0])), &p.t->err),
                     OK);
    world_vote(p.t->db, p.campaigns[0], db_last_id(p.t->db), 0, false);
    assert_int_equal(tally_fold(t, p.t->db, &p.t->err), ERR_BUG);
    err_clear(&p.t->err);
    tally_totals(t, &totals);
    assert_int_equal(totals.cursor, 0);
    assert_int_equal(totals.pairs, 0);
    assert_pair(t, &p, 0, 1, 1); /* from nothing, all grids are read */
    assert_recounted(t, p.t);
    tally_free(t);
}

/* Commits of another connection, folded by a reader that may not write. */
PROJECT_TEST(foreign_commits)
{
    struct play p;
    struct tally *t = tally_new();
    struct db *reader = NULL;
    begin(&p, *state, 5);
    assert_int_equal(db_open(fs_join(&p.t->arena, p.t->dir, "holdout.db"), DB_READ, &reader,
                             &p.t->err),
                     OK);
    for (int round = 0; round < 20; round++) {
        add_answer(&p);
        assert_int_equal(db_tx_begin(p.t->db, &p.t->err), OK);
        add_grid(&p);
        add_answer(&p); /* not committed: a fold does not see it */
        struct tally_totals totals;
        assert_int_equal(tally_fold(t, reader, &p.t->err), OK);
        tally_totals(t, &totals);
        assert_int_equal(totals.answers + totals.surplus, p.n_answers - 1);
        assert_int_equal(totals.grids, p.n_grids - 1);
        assert_int_equal(db_tx_commit(p.t->db, &p.t->err), OK);
    }
    assert_int_equal(tally_fold(t, reader, &p.t->err), OK);
    assert_recounted(t, p.t);
    db_assert_idle(reader);
    db_close(reader);
    tally_free(t);
}

/* Several thousand pairs: growth of the tables, and the memory that the header promises. */
PROJECT_TEST(many_pairs)
{
    enum { MANY = 24000, OF = 16 };
    struct play p;
    struct tally *t = tally_new();
    static int64_t images[MANY / 2];
    small_play(&p, *state);
    p.classes[1] = world_class(p.t->db, 2);
    assert_int_equal(db_tx_begin(p.t->db, &p.t->err), OK);
    for (unsigned i = 0; i < MANY / 2; i++) {
        images[i] = world_image(p.t->db, 100 + i, p.classes[i % 2], "candidate");
    }
    for (unsigned i = 0; i < MANY / 2; i += OF) {
        for (int k = 0; k < 2; k++) {
            int64_t grid = world_grid(p.t->db, p.campaigns[0], p.classes[k], images + i, OF);
            world_vote(p.t->db, p.campaigns[0], grid, 0x0f0f, false);
        }
        if (i % 1024 == 0) {
            assert_int_equal(db_tx_commit(p.t->db, &p.t->err), OK);
            fold(t, p.t);
            assert_int_equal(db_tx_begin(p.t->db, &p.t->err), OK);
        }
    }
    assert_int_equal(db_tx_commit(p.t->db, &p.t->err), OK);
    fold(t, p.t);
    assert_recounted(t, p.t);
    assert_chains(t, &(struct play){.classes = {p.classes[0], p.classes[1], 0}});
    struct tally_totals totals;
    tally_totals(t, &totals);
    assert_int_equal(totals.pairs, MANY);
    assert_int_equal(totals.votes, MANY);
    assert_int_equal(totals.selected, MANY / 2);
    /* 24 bytes a pair, 4 a cell, 4 a slot at most 3/4 full; tables double, so at most twice. */
    assert_in_range(tally_memory(t), MANY * 33, MANY * 80);
    tally_free(t);
}

struct watch {
    struct tally *t;
    atomic_bool stop;
    atomic_uint rounds;
    int64_t class_id;
};

/* What a page does: everything it sees under one lock fits together. */
static void *watch_main(void *arg)
{
    struct watch *w = arg;
    while (!atomic_load(&w->stop)) {
        struct tally_totals totals;
        uint64_t shown = 0, selected = 0;
        size_t n, chained = 0, in_class = 0;
        tally_read_lock(w->t);
        tally_totals(w->t, &totals);
        const struct tally_pair *p = tally_pairs(w->t, &n);
        for (size_t i = 0; i < n; i++) {
            shown += p[i].shown;
            selected += p[i].selected;
            in_class += p[i].class == w->class_id;
        }
        for (const struct tally_pair *q = tally_class(w->t, w->class_id); q;
             q = tally_at(w->t, q->next)) {
            chained++;
        }
        tally_read_unlock(w->t);
        BUG_IF(shown != totals.votes || selected != totals.selected || n != totals.pairs);
        BUG_IF(chained != in_class || selected > shown);
        atomic_fetch_add(&w->rounds, 1);
    }
    return NULL;
}

PROJECT_TEST(readers_while_folding)
{
    enum { READERS = 3 };
    struct play p;
    pthread_t threads[READERS];
    begin(&p, *state, 8);
    struct watch w = {.t = tally_new(), .class_id = p.classes[0]};
    for (int i = 0; i < READERS; i++) {
        assert_int_equal(thread_start(&threads[i], "reader", watch_main, &w, &p.t->err), OK);
    }
    /* Until the readers had their turns, on however slow a machine. */
    for (int round = 0; round < 150 || atomic_load(&w.rounds) < 50; round++) {
        if (p.n_answers + 8 < ANSWERS && p.n_grids + 8 < 400) {
            random_change(&p);
        }
        fold(w.t, p.t);
    }
    atomic_store(&w.stop, true);
    for (int i = 0; i < READERS; i++) {
        pthread_join(threads[i], NULL);
    }
    assert_recounted(w.t, p.t);
    tally_free(w.t);
}
