/* view_votes_test.c - votes one by one add up to what view_count says of every pair, and every
 * person's to the ledger's. */
#include "unit.h"

#include "live/votes/view_votes.h"
#include "numbers.h"
#include "world.h"

enum { IMAGES = 4096, CLASSES = 64, PEOPLE = 4096 };

struct sums {
    uint32_t shown[IMAGES][CLASSES], selected[IMAGES][CLASSES], by_person[PEOPLE];
    uint64_t votes;
};

static void add(void *arg, const struct view_vote *v)
{
    struct sums *s = arg;
    assert_true(v->image < IMAGES && v->class_id < CLASSES && v->person < PEOPLE);
    s->shown[v->image][v->class_id]++;
    s->selected[v->image][v->class_id] += v->selected;
    s->by_person[v->person]++;
    s->votes++;
}

static void assert_equal(struct numbers *w, struct tally *t, const struct view_ask *ask)
{
    struct sums *s = calloc(1, sizeof *s);
    struct view_counts v;
    struct err err = {0};
    uint64_t shown = 0, people = 0;
    (void)w;
    assert_non_null(s);
    assert_int_equal(view_votes(t, ask, add, s, &err), OK);
    assert_int_equal(view_count(t, ask, &v, &err), OK);
    for (size_t i = 0; i < v.n; i++) {
        if (v.shown[i]) {
            assert_int_equal(s->shown[v.image[i]][v.class_id[i]], v.shown[i]);
            assert_int_equal(s->selected[v.image[i]][v.class_id[i]], v.selected[i]);
        }
        shown += v.shown[i];
    }
    for (size_t i = 0; i < PEOPLE; i++) {
        people += s->by_person[i] > 0;
    }
    assert_int_equal(s->votes, shown);
    assert_int_equal(people, v.with.people);
    view_counts_release(&v);
    free(s);
}

PROJECT_TEST(random_views)
{
    static const struct view_rules some[] = {
        {0, {{0}}},
        {1, {{RULE_ANSWERS_LEAST, 8, 0}}},
        {2, {{RULE_POSITIVE_LEAST, 55, 0}, {RULE_NOT_ALL, 0, 0}}},
        {1, {{RULE_ACTIVE_LEAST, 20, 0}}},
    };
    struct temp_project *p = *state;
    struct numbers w;
    struct tally *t = tally_new();
    numbers_begin(&w, p, 21);
    for (int round = 0; round < 16; round++) {
        numbers_happen(&w, 25);
        if (round % 5 == 4) {
            numbers_exclude(&w);
        }
        assert_int_equal(tally_fold(t, p->db, &p->err), OK);
        int64_t last = temp_int(p, "SELECT max(id) FROM event");
        size_t first = (size_t)round % 3;
        struct view_ask ask = {.campaigns = w.campaigns + first,
                               .n_campaigns = NUMBERS_CAMPAIGNS - first,
                               .rules = some[round % 4],
                               .as_of =
                                   round % 2 ? 1 + (int64_t)rng_below(&w.r, (uint64_t)last) : 0};
        assert_equal(&w, t, &ask);
    }
    tally_free(t);
}
