/* desk_random_test.c - the desk against a plain model of its rules: random leases, expiries, late
 * answers, extensions, reloads and restarts, with every step compared. */
#include "unit.h"

#include "base/rng.h"
#include "live/work/desk.h"
#include "live/work/free_grids.h"
#include "store/work/work.h"
#include "temp_project.h"
#include "world.h"

enum { PERSONS = 14, GRIDS = 40, CELLS = 5, IMAGES = 400, LEASES = 4000, LEASE_MS = 1000 };

/* The model: what the rules say, with nothing clever. */
struct lent {
    int64_t assignment, until;
    int grid, person;
    bool answered, counted;
};

struct sim {
    struct temp_project *t;
    struct tally *tally;
    struct desk *desk;
    struct rng r;
    unsigned window;
    int64_t now;
    int64_t campaigns[2], class_id, other, images[IMAGES];
    int wanted[2];
    bool again[2];
    bool tasks; /* the second campaign's grids are CLASSIFY tasks, of images that stand on grids of the first */
    int64_t person[PERSONS], place[2][PERSONS];
    int64_t grid[GRIDS];
    int campaign_of[GRIDS], n_grids;
    int cells[GRIDS][CELLS];
    struct lent lent[LEASES];
    int n_lent;
};

static void fold(struct sim *s)
{
    assert_int_equal(tally_fold(s->tally, s->t->db, &s->t->err), OK);
}

static void reload(struct sim *s)
{
    assert_int_equal(desk_reload(s->desk, s->tally, s->t->db, s->now, &s->t->err), OK);
}

/* A task shows one image, whose label and another one are the options. */
static void add_task(struct sim *s)
{
    int g = s->n_grids++, image = (int)rng_below(&s->r, 4 * 30);
    const int64_t options[] = {s->class_id, s->other};
    for (int i = 0; i < CELLS; i++) {
        s->cells[g][i] = image;
    }
    s->campaign_of[g] = 1;
    s->grid[g] = world_task(s->t->db, s->campaigns[1], s->class_id, s->images[image], options, 2, 0);
}

/* Grids overlap: about every third image stands on two of them. */
static void add_grid(struct sim *s, int campaign)
{
    int64_t images[CELLS];
    if (campaign && s->tasks) {
        add_task(s);
        return;
    }
    int g = s->n_grids++;
    for (int i = 0; i < CELLS; i++) {
        s->cells[g][i] = (g * 4 + i) % IMAGES;
        images[i] = s->images[s->cells[g][i]];
    }
    s->campaign_of[g] = campaign;
    s->grid[g] = world_grid(s->t->db, s->campaigns[campaign], s->class_id, images, CELLS);
}

static void sim_open(struct sim *s, struct temp_project *t, uint64_t seed, unsigned window, bool tasks)
{
    *s = (struct sim){.t = t, .tally = tally_new(), .desk = desk_new(window), .window = window,
                      .now = WORLD_NOW, .wanted = {3, 2}, .again = {false, !tasks}, .tasks = tasks};
    rng_seed(&s->r, seed);
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    s->class_id = world_class(t->db, 1);
    s->other = world_class(t->db, 2);
    for (unsigned i = 0; i < IMAGES; i++) {
        s->images[i] = world_image(t->db, i, s->class_id, "candidate");
    }
    for (int k = 0; k < 2; k++) {
        struct campaign terms = world_terms(k ? "second" : "first");
        terms.answers_per_grid = s->wanted[k];
        terms.same_image_again = s->again[k];
        terms.lease_seconds = 10;
        terms.classify = k && tasks;
        s->campaigns[k] = world_campaign(t->db, &terms);
    }
    for (int g = 0; g < 30; g++) {
        add_grid(s, g % 3 == 2);
    }
    for (int p = 0; p < PERSONS; p++) {
        s->person[p] = world_person(t->db);
        s->place[0][p] = world_place(t->db, s->campaigns[0], s->person[p]);
        s->place[1][p] = world_place(t->db, s->campaigns[1], s->person[p]);
    }
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
    fold(s);
    reload(s);
}

static void sim_close(struct sim *s)
{
    desk_free(s->desk);
    tally_free(s->tally);
}

static int model_counted(const struct sim *s, int grid)
{
    int n = 0;
    for (int i = 0; i < s->n_lent; i++) {
        n += s->lent[i].grid == grid && s->lent[i].counted;
    }
    return n;
}

static bool model_lives(const struct sim *s, const struct lent *l)
{
    return !l->answered && l->until > s->now;
}

static int model_leased(const struct sim *s, int grid)
{
    int n = 0;
    for (int i = 0; i < s->n_lent; i++) {
        n += s->lent[i].grid == grid && model_lives(s, &s->lent[i]);
    }
    return n;
}

/* The person had this very grid, or, unless the campaign allows it, an image of it. */
static bool model_had(const struct sim *s, int person, int grid)
{
    for (int i = 0; i < s->n_lent; i++) {
        const struct lent *l = &s->lent[i];
        if (l->person != person) {
            continue;
        }
        if (l->grid == grid) {
            return true;
        }
        for (int k = 0; k < CELLS * CELLS && !s->again[s->campaign_of[grid]]; k++) {
            if (s->cells[l->grid][k % CELLS] == s->cells[grid][k / CELLS]) {
                return true;
            }
        }
    }
    return false;
}

/* The grids that the person may get: those of the first window of open grids that has any. */
static int model_offers(const struct sim *s, int campaign, int person, int out[GRIDS])
{
    int n = 0, open = 0;
    for (int g = 0; g < s->n_grids && (n == 0 || open % (int)s->window != 0); g++) {
        if (s->campaign_of[g] == campaign &&
            model_counted(s, g) + model_leased(s, g) < s->wanted[campaign]) {
            open++;
            if (!model_had(s, person, g)) {
                out[n++] = g;
            }
        }
    }
    return n;
}

static int grid_index(const struct sim *s, int64_t id)
{
    for (int g = 0; g < s->n_grids; g++) {
        if (s->grid[g] == id) {
            return g;
        }
    }
    fail_msg("grid %lld is not of this simulation", (long long)id);
    return -1;
}

/* What the desk draws is among the model's offers, and nothing when there are none. */
static int pick(struct sim *s, int campaign, int person)
{
    int offers[GRIDS], n = model_offers(s, campaign, person, offers);
    struct desk_asker who = {.campaign = s->campaigns[campaign], .person = s->person[person]};
    int64_t id = -1;
    assert_int_equal(desk_pick(s->desk, s->tally, s->t->db, &who, &id, &s->t->err), OK);
    if (n == 0) {
        assert_int_equal(id, 0);
        return -1;
    }
    assert_true(id > 0);
    int grid = grid_index(s, id);
    for (int i = 0; i < n; i++) {
        if (offers[i] == grid) {
            return grid;
        }
    }
    fail_msg("grid %d was not to be offered", grid);
    return -1;
}

static void lend(struct sim *s)
{
    int campaign = (int)rng_below(&s->r, 2), person = (int)rng_below(&s->r, PERSONS);
    desk_expire(s->desk, s->now);
    int grid = pick(s, campaign, person);
    if (grid < 0 || s->n_lent == LEASES) {
        return;
    }
    struct desk_asker who = {.campaign = s->campaigns[campaign], .person = s->person[person]};
    int64_t until = s->now + LEASE_MS;
    int64_t id = world_lend(s->t->db, s->grid[grid], s->person[person],
                            s->place[campaign][person], s->now, until);
    desk_lend(s->desk, s->tally, &who, s->grid[grid], id, until);
    s->lent[s->n_lent++] = (struct lent){id, until, grid, person, false, false};
}

/* In time, late, or (answered before) not at all: as study/flow.c does it. */
static void answer(struct sim *s)
{
    if (s->n_lent == 0) {
        return;
    }
    struct lent *l = &s->lent[rng_below(&s->r, (uint64_t)s->n_lent)];
    if (l->answered) {
        return;
    }
    int campaign = s->campaign_of[l->grid];
    desk_expire(s->desk, s->now);
    bool in_time = model_lives(s, l);
    bool expected = in_time || model_counted(s, l->grid) + model_leased(s, l->grid) <
                                   s->wanted[campaign];
    bool counts =
        desk_counts(s->desk, s->campaigns[campaign], s->grid[l->grid], l->assignment);
    assert_int_equal(counts, expected);
    if (campaign && s->tasks && counts) {
        world_ticks(s->t->db, l->assignment, 1, 0, s->now);
    } else {
        world_answer(s->t->db, l->assignment, campaign && s->tasks ? 0 : 1, !counts, s->now);
    }
    desk_answered(s->desk, s->campaigns[campaign], s->grid[l->grid], l->assignment, counts);
    l->answered = true;
    l->counted = counts;
    fold(s);
}

static void extend(struct sim *s)
{
    if (s->n_lent == 0) {
        return;
    }
    struct lent *l = &s->lent[rng_below(&s->r, (uint64_t)s->n_lent)];
    int64_t until = s->now + 1 + (int64_t)rng_below(&s->r, 2 * LEASE_MS);
    desk_expire(s->desk, s->now);
    bool lives = model_lives(s, l);
    assert_int_equal(desk_extend(s->desk, l->assignment, until), lives);
    if (lives) {
        l->until = until;
        struct assignment as = {.id = l->assignment, .leased_at = s->now, .lease_until = until};
        assert_int_equal(work_assignment_lease(s->t->db, &as, &s->t->err), OK);
    }
}

static void wait_a_while(struct sim *s)
{
    int ending = 0;
    desk_expire(s->desk, s->now);
    int64_t later = s->now + (int64_t)rng_below(&s->r, LEASE_MS / 2);
    for (int i = 0; i < s->n_lent; i++) {
        ending += model_lives(s, &s->lent[i]) && s->lent[i].until <= later;
    }
    s->now = later;
    assert_int_equal(desk_expire(s->desk, s->now), ending);
}

/* A new process some time later: leases that lived when the last row was written live anew. */
static void restart(struct sim *s)
{
    int64_t last = temp_int(s->t, "SELECT max((SELECT max(at) FROM event),"
                                  " (SELECT coalesce(max(leased_at), 0) FROM assignment))");
    s->now += (int64_t)rng_below(&s->r, 3 * LEASE_MS);
    for (int i = 0; i < s->n_lent; i++) {
        if (!s->lent[i].answered && s->lent[i].until > last) {
            s->lent[i].until = s->now + 10000; /* the campaigns' full time */
        }
    }
    desk_free(s->desk);
    s->desk = desk_new(s->window);
    assert_int_equal(work_leases_renew(s->t->db, s->now, &s->t->err), OK);
    fold(s);
    reload(s);
}

static void check_progress(const struct sim *s, int campaign)
{
    struct desk_progress p, expected = {0};
    for (int g = 0; g < s->n_grids; g++) {
        if (s->campaign_of[g] != campaign) {
            continue;
        }
        int counted = model_counted(s, g), leased = model_leased(s, g);
        assert_true(counted + leased <= s->wanted[campaign]);
        assert_int_equal(tally_grid(s->tally, s->grid[g])->answers, counted);
        expected.grids++;
        expected.answers += (uint32_t)counted;
        expected.leased += (uint32_t)leased;
        expected.complete += counted == s->wanted[campaign];
        expected.wanted += (uint32_t)s->wanted[campaign];
    }
    assert_true(desk_progress(s->desk, s->campaigns[campaign], &p));
    assert_int_equal(p.grids, expected.grids);
    assert_int_equal(p.complete, expected.complete);
    assert_int_equal(p.leased, expected.leased);
    assert_int_equal(p.answers, expected.answers);
    assert_int_equal(p.wanted, expected.wanted);
}

/* What the database says beside the model, where no image is shown again. */
static void check_free(struct sim *s, int person)
{
    int offers[GRIDS];
    bool found;
    struct campaign terms = {.id = s->campaigns[0], .answers_per_grid = s->wanted[0]};
    assert_int_equal(free_grid_for(s->tally, s->t->db, &terms, s->person[person], s->now, &found, &s->t->err), OK);
    assert_int_equal(found, model_offers(s, 0, person, offers) > 0);
}

/* The open list, seen from outside: what everybody would be offered now. */
static void check_all(struct sim *s)
{
    desk_expire(s->desk, s->now);
    check_progress(s, 0);
    check_progress(s, 1);
    for (int p = 0; p < PERSONS; p++) {
        pick(s, 0, p);
        pick(s, 1, p);
        check_free(s, p);
    }
}

static void step(struct sim *s)
{
    uint64_t what = rng_below(&s->r, 100);
    if (what < 40) {
        lend(s);
    } else if (what < 70) {
        answer(s);
    } else if (what < 80) {
        extend(s);
    } else if (what < 95) {
        wait_a_while(s);
    } else if (what < 97) {
        reload(s);
    } else if (what < 98) {
        restart(s);
    } else if (s->n_grids < GRIDS) {
        add_grid(s, (int)rng_below(&s->r, 2));
        fold(s);
        reload(s);
    }
}

static void simulate(struct temp_project *t, uint64_t seed, unsigned window, bool tasks)
{
    struct sim s;
    sim_open(&s, t, seed, window, tasks);
    for (int i = 0; i < 500; i++) {
        step(&s);
        check_all(&s);
    }
    int late = 0, surplus = 0, counted = 0;
    for (int i = 0; i < s.n_lent; i++) {
        surplus += s.lent[i].answered && !s.lent[i].counted;
        counted += s.lent[i].counted;
        late += !s.lent[i].answered && s.lent[i].until <= s.now;
    }
    /* The run came to everything that it is about. */
    assert_true(counted > 20 && late > 0 && surplus > 0);
    if (tasks) {
        assert_int_equal(temp_int(t, "SELECT count(*) FROM (SELECT 1 FROM assignment a JOIN grid_cell c ON c.grid = a.grid"
                                     " GROUP BY a.person, c.image HAVING count(*) > 1)"), 0);
        assert_true(temp_int(t, "SELECT count(*) FROM (SELECT 1 FROM assignment a JOIN grid g ON g.id = a.grid"
                                " GROUP BY a.person HAVING count(DISTINCT g.campaign) = 2)") > 3);
    }
    sim_close(&s);
}

PROJECT_TEST(window_of_one)
{
    simulate(*state, 1, 1, false); /* the draw is then no draw: the model says exactly which grid */
}

PROJECT_TEST(window_of_four)
{
    simulate(*state, 2, 4, false);
}

PROJECT_TEST(wide_window)
{
    simulate(*state, 3, 1000, false);
}

/* The same people at grids and at CLASSIFY tasks of the same images: nobody meets one twice, in either order. */
PROJECT_TEST(images_in_both_tasks)
{
    simulate(*state, 5, 4, true);
}

PROJECT_TEST(window_is_covered_evenly)
{
    enum { WINDOW = 5, DRAWS = 5000 };
    struct sim s;
    int drawn[GRIDS] = {0};
    sim_open(&s, *state, 4, WINDOW, false);
    for (int i = 0; i < DRAWS; i++) {
        drawn[pick(&s, 0, 0)]++;
    }
    int offers[GRIDS], n = model_offers(&s, 0, 0, offers);
    assert_int_equal(n, WINDOW);
    for (int i = 0; i < n; i++) { /* 1000 expected, standard deviation 28: seven of them */
        assert_in_range(drawn[offers[i]], 1000 - 7 * 28, 1000 + 7 * 28);
    }
    sim_close(&s);
}
