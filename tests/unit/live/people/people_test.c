/* people_test.c - the list of people follows the database row by row, sorts and filters; one person's
 * scores are those of the statistics. */
#include "unit.h"

#include <math.h>

#include "live/people/people.h"
#include "live/people/person_agreement.h"
#include "store/campaigns/studies.h"
#include "store/decisions/pay.h"
#include "store/people/notes.h"
#include "temp_project.h"
#include "world.h"

enum { GRIDS = 3, PEOPLE = 4 };

struct crowd {
    struct temp_project *t;
    struct tally *tally;
    struct stats_keeper *keeper;
    struct people *people;
    int64_t campaign, grids[GRIDS], person[PEOPLE], place[PEOPLE];
};

/* Person i answers i grids; the last selects what nobody else does. */
static struct crowd make(struct temp_project *t)
{
    static const enum cell_role roles[] = {CELL_CANDIDATE, CELL_POSITIVE, CELL_NEGATIVE};
    struct crowd s = {.t = t, .tally = tally_new(), .people = people_new()};
    struct campaign terms = world_terms("main");
    terms.answers_per_grid = 100;
    terms.pay_cents = 100;
    s.keeper = stats_keeper_new(s.tally);
    s.campaign = world_campaign(t->db, &terms);
    int64_t class_id = world_class(t->db, 1);
    for (unsigned g = 0; g < GRIDS; g++) {
        int64_t images[3];
        for (unsigned i = 0; i < 3; i++) {
            images[i] = world_image(t->db, 3 * g + i, class_id, "candidate");
        }
        s.grids[g] = world_grid_roles(t->db, s.campaign, class_id, images, roles, 3, "");
    }
    for (unsigned i = 0; i < PEOPLE; i++) {
        s.person[i] = world_person(t->db);
        s.place[i] = world_place(t->db, s.campaign, s.person[i]);
        for (unsigned g = 0; g < i; g++) {
            int64_t lent = world_lend(t->db, s.grids[g], s.person[i], s.place[i], WORLD_NOW,
                                      WORLD_NOW + 600000);
            world_answer(t->db, lent, i + 1 < PEOPLE ? 2 : 5, false, WORLD_NOW + 1000 * i);
        }
    }
    assert_int_equal(tally_fold(s.tally, t->db, &t->err), OK);
    return s;
}

static void end(struct crowd *s)
{
    people_free(s->people);
    stats_keeper_free(s->keeper);
    tally_free(s->tally);
}

static size_t list(struct crowd *s, const struct people_ask *ask, struct people_row **rows)
{
    size_t n;
    const struct stats *st = stats_get(s->keeper);
    assert_int_equal(people_find(s->people, s->t->db, s->tally, st, ask, &s->t->arena, rows, &n,
                                 &s->t->err),
                     OK);
    stats_put(s->keeper, st);
    return n;
}

PROJECT_TEST(sorts)
{
    struct crowd s = make(*state);
    struct people_row *rows;
    struct people_ask ask = {.sort = PEOPLE_ANSWERS, .falling = true};
    assert_int_equal(list(&s, &ask, &rows), PEOPLE);
    for (unsigned i = 0; i < PEOPLE; i++) {
        assert_int_equal(rows[i].person, s.person[PEOPLE - 1 - i]);
    }
    ask = (struct people_ask){.sort = PEOPLE_RELATIVE};
    assert_int_equal(list(&s, &ask, &rows), PEOPLE);
    assert_int_equal(rows[0].person, s.person[PEOPLE - 1]);
    assert_int_equal(rows[PEOPLE - 1].person, s.person[0]); /* nothing to compare: last either way */
    assert_true(isnan(rows[PEOPLE - 1].value));
    ask.falling = true;
    list(&s, &ask, &rows);
    assert_int_equal(rows[PEOPLE - 1].person, s.person[0]);
    end(&s);
}

PROJECT_TEST(filters)
{
    struct crowd s = make(*state);
    struct people_row *rows;
    struct people_ask ask = {.by = PEOPLE_ANSWERS, .has_least = true, .least = 2};
    assert_int_equal(list(&s, &ask, &rows), 2);
    ask = (struct people_ask){.by = PEOPLE_CONTROL, .has_most = true, .most = 0.5};
    assert_int_equal(list(&s, &ask, &rows), 1);
    assert_int_equal(rows[0].person, s.person[PEOPLE - 1]);
    ask = (struct people_ask){.only = s.person[1]};
    assert_int_equal(list(&s, &ask, &rows), 1);
    ask = (struct people_ask){.show = PEOPLE_ANSWERED};
    assert_int_equal(list(&s, &ask, &rows), PEOPLE - 1);
    end(&s);
}

PROJECT_TEST(follows_what_happens)
{
    struct crowd s = make(*state);
    struct people_row *rows;
    struct people_ask blocked = {.show = PEOPLE_BLOCKED};
    struct people_ask one = {.only = s.person[2]};
    assert_int_equal(list(&s, &blocked, &rows), 0);
    assert_int_equal(list(&s, &one, &rows), 1);
    assert_int_equal(rows[0].rate_cents, -1);
    assert_int_equal(notes_add(s.t->db, s.person[2], "block", SV("x"), 0, 1, &s.t->err), OK);
    assert_int_equal(studies_outcome(s.t->db, s.place[2], STUDY_COMPLETE, 0, WORLD_NOW, &s.t->err),
                     OK);
    assert_int_equal(list(&s, &blocked, &rows), 1);
    /* 100 cents for twice 40 seconds; then with a bonus as much again; then nothing. */
    assert_int_equal(rows[0].rate_cents, 4500);
    struct pay_change change = {.state = SV("approved"), .bonus_cents = 100};
    bool changed;
    assert_int_equal(pay_decide(s.t->db, s.place[2], &change, 0, 9, &changed, &s.t->err), OK);
    list(&s, &one, &rows);
    assert_int_equal(rows[0].rate_cents, 9000);
    change = (struct pay_change){.state = SV("rejected"), .bonus_cents = -1, .reason = SV("x")};
    assert_int_equal(pay_decide(s.t->db, s.place[2], &change, 0, 9, &changed, &s.t->err), OK);
    list(&s, &one, &rows);
    assert_int_equal(rows[0].rate_cents, -1);
    assert_int_equal(notes_add(s.t->db, s.person[2], "unblock", SV(""), 0, 1, &s.t->err), OK);
    assert_int_equal(list(&s, &blocked, &rows), 0);
    int64_t newest = world_person(s.t->db);
    one.only = newest;
    assert_int_equal(list(&s, &one, &rows), 1);
    end(&s);
}

PROJECT_TEST(scores_are_those_of_the_statistics)
{
    struct crowd s = make(*state);
    const struct stats *st = stats_get(s.keeper);
    for (unsigned i = 0; i < PEOPLE; i++) {
        struct person_answer *answers;
        size_t n;
        person_agreement(s.tally, s.person[i], &s.t->arena, &answers, &n);
        assert_int_equal(n, i);
        struct person_sums sum = person_sum(answers, n, 0);
        const struct stats_person *p = stats_person(st, s.person[i]);
        assert_int_equal(p != NULL, i > 0);
        if (p) {
            assert_int_equal(sum.n, p->answers);
            assert_int_equal(sum.pos_right, p->pos_right);
            assert_int_equal(sum.neg_right, p->neg_right);
            assert_int_equal(sum.compared, p->compared);
            assert_true(fabs(sum.relative - p->relative) < 1e-12);
        }
        assert_int_equal(person_sum(answers, n, (uint32_t)s.campaign + 1).n, 0);
    }
    stats_put(s.keeper, st);
    end(&s);
}
