/* stats_test.c - everything that pages show, counted again answer by answer; and the keeper: who makes
 * new statistics when, who shares them. */
#include "unit.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "base/thread.h"
#include "domain/votes/histogram.h"
#include "live/campaign_facts.h"
#include "live/votes/stats.h"
#include "live/votes/stats_make.h"
#include "numbers.h"
#include "stats/cluster.h"
#include "unit_faults.h"
#include "world.h"

TESTS_SHARE(unit_faults_on, NULL)

enum { MINUTE = 60000 };

static void fold(struct tally *t, struct temp_project *p)
{
    assert_int_equal(tally_fold(t, p->db, &p->err), OK);
}

static void assert_near(double a, double b)
{
    if (fabs(a - b) > 1e-12) {
        fail_msg("%.17g is not %.17g", a, b);
    }
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Median of the active times that are told, of one person or one campaign. */
static int64_t median(const struct facts *all, int64_t person, int64_t campaign)
{
    int64_t values[1000];
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct fact *f = &all->items[i];
        if (f->active_ms > 0 && (f->person == person || f->campaign == campaign)) {
            values[n++] = f->active_ms;
        }
    }
    qsort(values, n, sizeof *values, by_value);
    return n == 0 ? 0 : (values[n / 2] + values[(n - 1) / 2]) / 2;
}

/* ---- people ---- */

static void assert_person(const struct facts *all, const struct stats_person *p)
{
    struct stats_person want = {.person = p->person};
    for (size_t i = 0; i < all->n; i++) {
        const struct fact *f = &all->items[i];
        double agreement, relative;
        if (f->person != p->person) {
            continue;
        }
        want.answers++;
        want.active_ms += (uint64_t)f->active_ms;
        want.first_s = want.first_s ? want.first_s : (uint32_t)(f->at / 1000);
        want.last_s = (uint32_t)(f->at / 1000);
        want.excluded += f->excluded;
        if (f->excluded) {
            continue;
        }
        want.surplus += f->surplus;
        want.out += f->out;
        want.counted += f->main && fact_accepted(f);
        if (fact_agreement(all, NULL, i, &agreement) && fact_relative(all, NULL, i, &relative)) {
            want.compared++;
            want.agreement += agreement;
            want.relative += relative;
        }
        if (!f->out) {
            struct fact_controls c = fact_controls(f);
            want.pos_right += c.right[CELL_POSITIVE];
            want.pos += c.of[CELL_POSITIVE];
            want.neg_right += c.right[CELL_NEGATIVE];
            want.neg += c.of[CELL_NEGATIVE];
            want.gold_right += c.right[CELL_GOLD];
            want.gold += c.of[CELL_GOLD];
            want.cells += f->n;
            want.selected += (unsigned)__builtin_popcountll(f->mask);
        }
    }
    want.median_active_ms = (uint32_t)median(all, p->person, -1);
    want.agreement = want.compared ? want.agreement / want.compared : 0;
    want.relative = want.compared ? want.relative / want.compared : 0;
    assert_near(p->agreement, want.agreement);
    assert_near(p->relative, want.relative);
    want.agreement = p->agreement;
    want.relative = p->relative;
    assert_memory_equal(p, &want, sizeof want);
}

/* ---- classes: frequencies of the default view ---- */

static bool counts(const struct fact *f)
{
    return f->main && !f->excluded && fact_accepted(f);
}

/* Votes of one person (0: everybody) on a class's cells (0: all classes') in one role. */
static void votes_of(const struct facts *all, int64_t person, int64_t class_id, enum cell_role role,
                     uint32_t *k, uint32_t *n)
{
    *k = *n = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct fact *f = &all->items[i];
        for (unsigned j = 0; j < f->n && counts(f); j++) {
            if ((!person || f->person == person) && (!class_id || f->class_id == class_id) &&
                f->pair_role[j] == role) {
                ++*n;
                bool other = f->pair_role[j] == CELL_GOLD && !f->own[j]; /* right is to leave it */
                *k += (f->mask >> j & 1) != other;
            }
        }
    }
}

static void assert_role(const struct numbers *w, const struct facts *all, int64_t class_id,
                        enum cell_role role, uint64_t shown, uint64_t selected,
                        const struct interval *ci)
{
    uint32_t k[NUMBERS_PEOPLE], n[NUMBERS_PEOPLE], sum_k, sum_n;
    votes_of(all, 0, class_id, role, &sum_k, &sum_n);
    assert_int_equal(shown, sum_n);
    assert_int_equal(selected, sum_k);
    for (int i = 0; i < NUMBERS_PEOPLE; i++) {
        votes_of(all, w->people[i], class_id, role, &k[i], &n[i]);
    }
    struct interval want = cluster_interval(k, n, NUMBERS_PEOPLE, 0.05);
    assert_near(ci->lo, want.lo);
    assert_near(ci->hi, want.hi);
}

/* One image of a class: how many counted answers showed it and how many selected it. */
static unsigned bin_of(const struct facts *all, int64_t image, int64_t class_id, uint32_t *shown)
{
    uint32_t selected = 0;
    *shown = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct fact *f = &all->items[i];
        for (unsigned j = 0; j < f->n && counts(f) && f->class_id == class_id; j++) {
            *shown += f->image[j] == image;
            selected += f->image[j] == image && (f->mask >> j & 1);
        }
    }
    unsigned bin = 0; /* by what a bin is: the last whose edge is not above */
    while (bin < 4 && 5 * selected >= (bin + 1) * *shown) {
        bin++;
    }
    return bin;
}

static void assert_class(const struct numbers *w, const struct facts *all,
                         const struct stats_class *c)
{
    struct db_rows r;
    struct stats_class want = {.class_id = c->class_id};
    for (int role = 0; role < 4; role++) {
        assert_role(w, all, c->class_id, (enum cell_role)role, c->shown[role], c->selected[role],
                    &c->ci[role]);
    }
    assert_int_equal(
        db_begin(w->t->db,
                 "SELECT image, role FROM (SELECT c.image, c.role, row_number() OVER"
                 " (PARTITION BY c.image ORDER BY c.grid, c.position) AS nth FROM grid_cell c"
                 " JOIN grid g ON g.id = c.grid WHERE g.class = ?1) WHERE nth = 1",
                 DB_VALS(db_int(c->class_id)), &r, &w->t->err),
        OK);
    while (db_step(&r, &w->t->err)) {
        enum cell_role role = (enum cell_role)db_col_int(&r, 1);
        uint32_t shown;
        unsigned bin = bin_of(all, db_col_int(&r, 0), c->class_id, &shown);
        want.images[role]++;
        if (shown >= STATS_LEAST_ANSWERS) {
            want.covered += role == CELL_POSITIVE;
            want.originals[bin] += role == CELL_POSITIVE;
            want.candidates[bin] += role == CELL_CANDIDATE;
        }
    }
    assert_int_equal(db_end(&r), OK);
    assert_memory_equal(c->images, want.images, sizeof want.images);
    assert_int_equal(c->covered, want.covered);
    assert_memory_equal(c->originals, want.originals, sizeof want.originals);
    assert_memory_equal(c->candidates, want.candidates, sizeof want.candidates);
}

/* ---- campaigns ---- */

static void add_position(struct stats_campaign *k, const struct fact *f)
{
    uint8_t order[GRID_CELLS];
    grid_order(f->seed, f->has_seed, f->n, order);
    for (unsigned s = 0; s < f->n; s++) {
        if (f->role[order[s]] == CELL_CANDIDATE) {
            k->shown[s]++;
            k->selected[s] += f->mask >> order[s] & 1;
        }
    }
}

static void add_fact(struct stats_campaign *k, const struct fact *f, int64_t now_ms)
{
    int64_t minute = now_ms / MINUTE - f->at / MINUTE;
    k->answers++;
    k->excluded += f->excluded;
    k->last_s = (uint32_t)(f->at / 1000);
    if (minute >= 0 && minute < STATS_MINUTES) {
        k->minute[minute]++;
    }
    if (f->excluded) {
        return;
    }
    k->surplus += f->surplus;
    k->out += f->out;
    if (fact_accepted(f)) {
        add_position(k, f);
    }
    if (!f->out) {
        struct fact_controls c = fact_controls(f);
        k->pos_right += c.right[CELL_POSITIVE];
        k->pos += c.of[CELL_POSITIVE];
        k->neg_right += c.right[CELL_NEGATIVE];
        k->neg += c.of[CELL_NEGATIVE];
        k->gold_right += c.right[CELL_GOLD];
        k->gold += c.of[CELL_GOLD];
    }
}

static void assert_campaign(const struct numbers *w, const struct facts *all, int64_t now_ms,
                            const struct stats_campaign *k)
{
    static struct stats_campaign want;
    want = (struct stats_campaign){.campaign = k->campaign};
    for (int i = 0; i < NUMBERS_PEOPLE; i++) {
        uint32_t gave = 0;
        for (size_t a = 0; a < all->n; a++) {
            gave += all->items[a].campaign == k->campaign && all->items[a].person == w->people[i];
        }
        want.people += gave > 0;
        want.most = want.most > gave ? want.most : gave;
    }
    for (size_t i = 0; i < all->n; i++) {
        if (all->items[i].campaign == k->campaign) {
            add_fact(&want, &all->items[i], now_ms);
        }
    }
    want.median_active_ms = (uint32_t)median(all, -1, k->campaign);
    want.pos_ci = controls_interval(w, all, k->campaign, CELL_POSITIVE);
    want.neg_ci = controls_interval(w, all, k->campaign, CELL_NEGATIVE);
    want.gold_ci = controls_interval(w, all, k->campaign, CELL_GOLD);
    struct chi_square flat = position_test(all, k->campaign, &want.shuffled, &want.in_order);
    assert_int_equal(k->flat.degrees, flat.degrees);
    assert_true(fabs(k->flat.statistic - flat.statistic) < 1e-5 * (1 + flat.statistic));
    assert_true(fabs(k->flat.p - flat.p) < 1e-5);
    memcpy(&want.flat, &k->flat, sizeof want.flat);
    assert_memory_equal(k, &want, sizeof want);
}

static void assert_all(const struct numbers *w, struct tally *t, int64_t now_ms)
{
    struct stats s;
    struct facts all = facts_load(w->t, 0);
    stats_make(t, now_ms, &s);
    size_t people = 0;
    for (size_t i = 0; i < s.n_people; i++) {
        assert_person(&all, &s.people[i]);
        people += s.people[i].answers;
        assert_ptr_equal(stats_person(&s, s.people[i].person), &s.people[i]);
    }
    assert_int_equal(people, all.n);
    assert_int_equal(s.n_classes, temp_int(w->t, "SELECT count(DISTINCT class) FROM grid"));
    for (size_t i = 0; i < s.n_classes; i++) {
        assert_class(w, &all, &s.classes[i]);
        assert_ptr_equal(stats_class(&s, s.classes[i].class_id), &s.classes[i]);
    }
    assert_int_equal(s.n_campaigns, temp_int(w->t, "SELECT count(DISTINCT campaign) FROM grid"));
    for (size_t i = 0; i < s.n_campaigns; i++) {
        assert_campaign(w, &all, now_ms, &s.campaigns[i]);
        assert_ptr_equal(stats_campaign(&s, s.campaigns[i].campaign), &s.campaigns[i]);
    }
    for (int role = 0; role < 4; role++) {
        assert_role(w, &all, 0, (enum cell_role)role, s.shown[role], s.selected[role],
                    &s.ci[role]);
    }
    assert_int_equal(s.cursor, temp_int(w->t, "SELECT max(id) FROM event"));
    assert_null(stats_person(&s, 0));
    assert_null(stats_class(&s, INT64_C(1) << 40));
    assert_null(stats_campaign(&s, -1));
    stats_release(&s);
}

/* ---- tests ---- */

/* Answers, late ones, decisions to and fro, grids that are excluded meanwhile; one tally that follows,
 * one that starts from nothing and keeps its ledger in a file. */
PROJECT_TEST(random_studies)
{
    struct temp_project *p = *state;
    struct numbers w;
    struct tally *t = tally_new();
    numbers_begin(&w, p, 1);
    fold(t, p);
    assert_all(&w, t, w.now);
    for (int round = 0; round < 12; round++) {
        numbers_happen(&w, 30);
        if (round % 4 == 3) {
            numbers_exclude(&w);
        }
        fold(t, p);
        assert_all(&w, t, w.now + (int64_t)rng_below(&w.r, 3 * MINUTE));
    }
    struct tally *anew = tally_new();
    tally_use_disk(anew, p->dir);
    fold(anew, p);
    assert_all(&w, anew, w.now);
    tally_free(anew);
    tally_free(t);
}

/* Medians of whatever times there are: up to 49 days, far apart. */
PROJECT_TEST(times_of_all_sizes)
{
    struct temp_project *p = *state;
    struct numbers w;
    struct tally *t = tally_new();
    numbers_begin(&w, p, 5);
    numbers_happen(&w, 200);
    assert_int_equal(db_script(p->db,
                               "UPDATE answer SET active_ms = id * 2654435761 % 4294967296"
                               " >> id % 4 * 8", &p->err),
                     OK);
    fold(t, p);
    assert_all(&w, t, w.now);
    tally_free(t);
}

TEST(nothing_at_all)
{
    struct stats s;
    struct tally *t = tally_new();
    stats_make(t, WORLD_NOW, &s);
    assert_int_equal(s.n_people + s.n_classes + s.n_campaigns, 0);
    assert_true(s.ci[0].lo == 0 && s.ci[0].hi == 1);
    stats_release(&s);
    tally_free(t);
}

TEST(bins_are_exact)
{
    for (uint32_t n = 1; n < 400; n++) {
        for (uint32_t k = 0; k <= n; k++) {
            unsigned bin = histogram_bin(k, n);
            assert_true(5 * k >= bin * n);
            assert_true(bin == 4 || 5 * k < (bin + 1) * n);
        }
    }
    /* What floating point gets wrong: 0.6 and 0.8 belong to the bins that they begin. */
    assert_int_equal(histogram_bin(6, 10), 3);
    assert_int_equal(histogram_bin(3, 5), 3);
    assert_int_equal(histogram_bin(8, 10), 4);
    assert_int_equal(histogram_bin(7, 10), 3);
    assert_int_equal(histogram_bin(0, 1), 0);
    assert_int_equal(histogram_bin(1, 1), 4);
    assert_int_equal(histogram_bin(UINT32_MAX / 5 * 3, UINT32_MAX), 3);
    assert_int_equal(histogram_bin(UINT32_MAX, UINT32_MAX), 4);
}

/* Two people and a grid, in numbers that one can follow. */
PROJECT_TEST(a_small_study_by_hand)
{
    struct temp_project *p = *state;
    struct tally *t = tally_new();
    struct stats s;
    struct campaign terms = world_terms("main");
    int64_t campaign = world_campaign(p->db, &terms), class_id = world_class(p->db, 1);
    int64_t other = world_class(p->db, 2);
    static const enum cell_role roles[] = {CELL_CANDIDATE, CELL_POSITIVE, CELL_NEGATIVE, CELL_GOLD};
    int64_t images[] = {world_image(p->db, 1, class_id, "candidate"),
                        world_image(p->db, 2, class_id, "original"),
                        world_image(p->db, 3, other, "original"),
                        world_image(p->db, 4, other, "gold")};
    int64_t grid = world_grid_roles(p->db, campaign, class_id, images, roles, 4, "");
    world_vote(p->db, campaign, grid, 0x3, false); /* candidate and original: all right */
    int64_t last = world_vote(p->db, campaign, grid, 0xc, false); /* the other two: all wrong */
    fold(t, p);
    stats_make(t, WORLD_NOW + 1000 + 2 * MINUTE, &s);
    assert_int_equal(s.n_people, 2);
    assert_int_equal(s.people[0].pos_right + s.people[0].neg_right + s.people[0].gold_right, 3);
    assert_int_equal(s.people[1].pos_right + s.people[1].neg_right + s.people[1].gold_right, 0);
    assert_true(s.people[0].agreement == 0 && s.people[0].compared == 1);
    assert_int_equal(s.people[0].median_active_ms, 40000);
    assert_int_equal(s.classes[0].selected[CELL_CANDIDATE], 1);
    assert_int_equal(s.classes[0].covered, 0); /* two answers are too few */
    assert_int_equal(s.campaigns[0].minute[2], 2);
    assert_int_equal(s.campaigns[0].shown[0], 2); /* shown as stored: the candidate stands first */
    assert_int_equal(s.campaigns[0].selected[0], 1);
    assert_int_equal(s.campaigns[0].shown[1], 0);
    stats_release(&s);
    world_judge(p->db, last, true);
    fold(t, p);
    stats_make(t, WORLD_NOW, &s);
    assert_int_equal(s.people[1].out, 1);
    assert_int_equal(s.people[1].gold, 0);
    assert_int_equal(s.people[0].compared, 0);
    assert_int_equal(s.campaigns[0].shown[0], 1);
    assert_int_equal(s.campaigns[0].minute[0], 2); /* it came, whatever it counts */
    stats_release(&s);
    tally_free(t);
}

static void one_more_answer(struct numbers *w, struct tally *t)
{
    while (!numbers_answer(w)) {
    }
    fold(t, w->t);
}

/* Who asks again soon gets the same, and keeps it as long as they like. */
PROJECT_TEST(the_newest_are_shared)
{
    struct temp_project *p = *state;
    struct numbers w;
    struct tally *t = tally_new();
    numbers_begin(&w, p, 2);
    one_more_answer(&w, t);
    struct stats_keeper *k = stats_keeper_new(t);
    int64_t began = clock_mono_ns();
    const struct stats *a = stats_get(k), *b = stats_get(k);
    assert_ptr_equal(a, b);
    int64_t cursor = a->cursor;
    one_more_answer(&w, t);
    const struct stats *c = stats_get(k);
    if (clock_mono_ns() - began < INT64_C(2000000000)) {
        assert_ptr_equal(c, a); /* younger than two seconds */
    }
    stats_put(k, c);
    stats_put(k, b);
    assert_int_equal(a->cursor, cursor);
    stats_put(k, a);
    stats_keeper_free(k);
    tally_free(t);
}

#ifdef FAULT_HOOKS
static void later(int64_t ms)
{
    unit_faults()->clock_ms = ms;
}

/* After two seconds: new when something happened, or when a minute began. */
PROJECT_TEST(old_ones_are_made_anew)
{
    struct temp_project *p = *state;
    struct numbers w;
    struct tally *t = tally_new();
    int64_t to_minute = MINUTE - clock_wall_ms() % MINUTE;
    numbers_begin(&w, p, 3);
    one_more_answer(&w, t);
    struct stats_keeper *k = stats_keeper_new(t);
    later(to_minute + 1000); /* a minute has just begun */
    const struct stats *a = stats_get(k);
    later(to_minute + 10000);
    const struct stats *same = stats_get(k);
    assert_ptr_equal(same, a); /* nothing happened */
    one_more_answer(&w, t);
    const struct stats *b = stats_get(k);
    assert_ptr_not_equal(b, a);
    assert_true(b->cursor > a->cursor);
    assert_int_equal(a->n_classes, b->n_classes); /* the old one is still there to read */
    later(to_minute + MINUTE + 1000);
    const struct stats *c = stats_get(k);
    assert_ptr_not_equal(c, b);
    assert_int_equal(c->cursor, b->cursor);
    stats_put(k, same);
    stats_put(k, a);
    stats_put(k, c);
    stats_put(k, b);
    later(0);
    stats_keeper_free(k);
    tally_free(t);
}
#endif

struct crowd {
    struct stats_keeper *keeper;
    atomic_bool stop;
    atomic_uint rounds;
};

/* What a page does; what it has in hand does not change. */
static void *read_stats(void *arg)
{
    struct crowd *c = arg;
    while (!atomic_load(&c->stop)) {
        const struct stats *s = stats_get(c->keeper);
        uint64_t answers = 0, of_people = 0;
        for (size_t i = 0; i < s->n_campaigns; i++) {
            answers += s->campaigns[i].answers;
        }
        for (size_t i = 0; i < s->n_people; i++) {
            of_people += s->people[i].answers;
        }
        BUG_IF(answers != of_people);
        stats_put(c->keeper, s);
        atomic_fetch_add(&c->rounds, 1);
    }
    return NULL;
}

PROJECT_TEST(many_read_while_votes_come)
{
    enum { READERS = 4 };
    struct temp_project *p = *state;
    struct numbers w;
    struct tally *t = tally_new();
    pthread_t threads[READERS];
    numbers_begin(&w, p, 4);
    struct crowd c = {.keeper = stats_keeper_new(t)};
    for (int i = 0; i < READERS; i++) {
        assert_int_equal(thread_start(&threads[i], "page", read_stats, &c, &p->err), OK);
    }
    for (int round = 0; round < 60 || atomic_load(&c.rounds) < 100; round++) {
        struct stats s;
        numbers_happen(&w, 2);
        fold(t, p);
        stats_make(t, w.now, &s); /* what a keeper does when its own are old */
        stats_release(&s);
    }
    atomic_store(&c.stop, true);
    for (int i = 0; i < READERS; i++) {
        pthread_join(threads[i], NULL);
    }
    stats_keeper_free(c.keeper);
    tally_free(t);
}
