/* effect_test.c - what a decision would do is what the counters say once it is written. */
#include "unit.h"

#include "base/rng.h"
#include "live/votes/effect.h"
#include "temp_project.h"
#include "world.h"

enum { GRIDS = 4, CELLS = 6, ANSWERS = 60 };

struct study {
    struct temp_project *t;
    struct tally *tally;
    int64_t campaign, pilot, grids[GRIDS], people[8];
};

static void fold(struct study *s)
{
    assert_int_equal(tally_fold(s->tally, s->t->db, &s->t->err), OK);
}

/* Grids of originals, candidates and negatives; the last is of a campaign that no default view counts. */
static struct study make(struct temp_project *t)
{
    static const enum cell_role roles[CELLS] = {CELL_CANDIDATE, CELL_CANDIDATE, CELL_CANDIDATE,
                                                CELL_POSITIVE,  CELL_POSITIVE,  CELL_NEGATIVE};
    struct study s = {.t = t, .tally = tally_new()};
    struct campaign terms = world_terms("main"), pilot = world_terms("pilot");
    struct rng rng;
    rng_seed(&rng, 7);
    terms.answers_per_grid = pilot.answers_per_grid = 1000;
    pilot.kind = SV("pilot");
    s.campaign = world_campaign(t->db, &terms);
    s.pilot = world_campaign(t->db, &pilot);
    for (unsigned g = 0; g < GRIDS; g++) {
        int64_t class_id = world_class(t->db, g + 1), images[CELLS];
        for (unsigned i = 0; i < CELLS; i++) {
            images[i] = world_image(t->db, g * CELLS + i, class_id, "candidate");
        }
        s.grids[g] = world_grid_roles(t->db, g + 1 < GRIDS ? s.campaign : s.pilot, class_id, images,
                                      roles, CELLS, "");
    }
    for (unsigned i = 0; i < ANSWERS; i++) {
        unsigned g = (unsigned)rng_below(&rng, GRIDS);
        int64_t answer = world_vote(t->db, g + 1 < GRIDS ? s.campaign : s.pilot, s.grids[g],
                                    rng_below(&rng, 1 << CELLS), rng_below(&rng, 8) == 0);
        if (rng_below(&rng, 5) == 0) {
            world_judge(t->db, answer, true);
        }
    }
    fold(&s);
    return s;
}

static struct effect effect_of(struct study *s, const struct effect_ask *ask, int64_t *chosen,
                               size_t *n)
{
    struct walk w;
    struct effect e;
    walk_take(&w, s->tally);
    walk_sort(&w);
    uint8_t *marks = calloc(w.ledger.n + 1, 1);
    *n = effect_choose(&w, ask, marks);
    effect_compute(&w, marks, &e);
    for (size_t i = 0, at = 0; i < w.ledger.n; i++) {
        if (marks[i]) {
            chosen[at++] = w.ledger.answers[i].id;
        }
    }
    free(marks);
    walk_release(&w);
    return e;
}

static void same_mean(const struct effect_mean *a, const struct effect_mean *b)
{
    assert_int_equal(a->answers, b->answers);
    assert_int_equal(a->people, b->people);
    assert_memory_equal(a->shown, b->shown, sizeof a->shown);
    assert_memory_equal(a->selected, b->selected, sizeof a->selected);
    assert_memory_equal(a->ci, b->ci, sizeof a->ci);
}

PROJECT_TEST(after_is_what_comes)
{
    struct study s = make(*state);
    int64_t chosen[ANSWERS], none[ANSWERS];
    size_t n, m;
    for (int out = 1; out >= 0; out--) {
        const struct effect_ask ask = {.out = out, .anybody = true, .campaign = s.campaign};
        struct effect before = effect_of(&s, &ask, chosen, &n);
        assert_true(n > 0);
        assert_int_equal(before.answers, n);
        assert_int_equal(before.uncounted, 0);
        for (size_t i = 0; i < n; i++) {
            world_judge(s.t->db, chosen[i], out);
        }
        fold(&s);
        struct effect after = effect_of(&s, &ask, none, &m);
        assert_int_equal(m, 0); /* twice changes nothing */
        same_mean(&before.after, &after.before);
        same_mean(&after.before, &after.after);
        assert_memory_equal(before.bins_after, after.bins_before, sizeof before.bins_after);
        assert_int_equal(out ? after.before.answers : 0, 0);
        effect_release(&before);
        effect_release(&after);
    }
    tally_free(s.tally);
}

PROJECT_TEST(coverage_is_lost)
{
    struct study s = make(*state);
    int64_t chosen[ANSWERS];
    size_t n;
    const struct effect_ask ask = {.out = true, .anybody = true};
    struct effect e = effect_of(&s, &ask, chosen, &n);
    assert_true(e.uncounted > 0 && e.uncounted < e.answers);
    assert_int_equal(e.n_campaigns, 2);
    for (size_t i = 0; i < e.n_losing; i++) {
        assert_int_equal(e.losing[i].covered_before, 2);
        assert_int_equal(e.losing[i].covered_after, 0);
    }
    assert_int_equal(e.lost[0], 2 * e.n_losing);
    assert_true(e.n_losing > 0);
    effect_release(&e);
    tally_free(s.tally);
}

PROJECT_TEST(choosing)
{
    struct study s = make(*state);
    int64_t chosen[ANSWERS];
    size_t n;
    struct effect_ask ask = {.out = true};
    struct effect e = effect_of(&s, &ask, chosen, &n);
    assert_int_equal(n, 0); /* nobody is asked for */
    effect_release(&e);
    ask.anybody = true;
    ask.before_ms = WORLD_NOW;
    e = effect_of(&s, &ask, chosen, &n);
    assert_int_equal(n, 0);
    effect_release(&e);
    ask.before_ms = WORLD_NOW + 3600000;
    e = effect_of(&s, &ask, chosen, &n);
    assert_true(n > 1);
    effect_release(&e);
    uint32_t one = (uint32_t)chosen[1];
    struct effect_ask single = {.out = true, .answers = &one, .n_answers = 1};
    e = effect_of(&s, &single, chosen, &n);
    assert_int_equal(n, 1);
    assert_int_equal(chosen[0], one);
    assert_int_equal(e.people, 1);
    effect_release(&e);
    tally_free(s.tally);
}
