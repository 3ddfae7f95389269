/* participants_test.c - who takes part: outcome, code, time, pay; filters, pages, medians. */
#include "unit.h"

#include "store/campaigns/studies.h"
#include "store/decisions/pay.h"
#include "store/people/notes.h"
#include "store/people/participants.h"
#include "store/people/people.h"
#include "temp_project.h"
#include "world.h"

struct scene {
    struct temp_project *t;
    int64_t campaign, class_id, images[4], grids;
};

static struct scene scene_of(struct temp_project *t)
{
    struct campaign terms = world_terms("main");
    terms.pay_cents = 300;
    struct scene s = {.t = t, .campaign = world_campaign(t->db, &terms)};
    s.class_id = world_class(t->db, 1);
    for (unsigned i = 0; i < 4; i++) {
        s.images[i] = world_image(t->db, i + 1, s.class_id, "candidate");
    }
    assert_int_equal(db_run(t->db, "UPDATE study SET floor_cents = 900 WHERE campaign = ?1",
                            DB_VALS(db_int(s.campaign)), &t->err),
                     OK);
    return s;
}

/* Joins, answers `answers` grids of `ms` each. */
static int64_t takes_part(struct scene *s, const char *id, int answers, int64_t ms)
{
    struct temp_project *t = s->t;
    int64_t person = world_person(t->db), place = world_place(t->db, s->campaign, person), event;
    assert_int_equal(
        people_identify(t->db, 1, 0, person, SV("panel"), sv_of(id), SV(""), &t->err), OK);
    for (int i = 0; i < answers; i++) {
        int64_t grid = world_grid(t->db, s->campaign, s->class_id, s->images, 4);
        int64_t lent = world_lend(t->db, grid, person, place, WORLD_NOW, WORLD_NOW + 600000);
        assert_int_equal(work_answer_create(t->db, lent, SV("client-01"), 1, OPTION_NONE, i == 1, ms, SV(""),
                                            WORLD_NOW + 1000 * (i + 1), &event, &t->err),
                         OK);
    }
    return place;
}

static void ends(struct scene *s, int64_t place, enum study_outcome o)
{
    assert_int_equal(studies_outcome(s->t->db, place, o, 0, WORLD_NOW + 600000, &s->t->err), OK);
}

static size_t page(struct scene *s, enum participant_filter f, int64_t after, size_t most,
                   struct participant **out)
{
    size_t n = 0;
    const struct participants_ask ask = {.filter = f, .after = after, .most = most};
    assert_int_equal(participants_page(s->t->db, s->campaign, &ask, &s->t->arena, out, &n, &s->t->err), OK);
    return n;
}

PROJECT_TEST(a_row_says_how_it_stands)
{
    struct scene s = scene_of(*state);
    struct temp_project *t = s.t;
    struct participant *p;
    bool added;
    int64_t place = takes_part(&s, "worker-0001", 3, 60000);
    assert_int_equal(page(&s, PARTICIPANTS_ALL, 0, 9, &p), 1);
    assert_int_equal(p->outcome.n + p->code.n, 0);
    assert_int_equal(p->ended_at, WORLD_NOW + 3000);
    assert_int_equal(participant_rate(p), -1);
    assert_false(p->listed);
    ends(&s, place, STUDY_COMPLETE);
    assert_int_equal(studies_participant(t->db, s.campaign, SV("panel"), SV("worker-0001"), 0, 1,
                                         &added, &t->err),
                     OK);
    assert_int_equal(page(&s, PARTICIPANTS_ALL, 0, 9, &p), 1);
    assert_true(sv_is(p->external_id, "worker-0001"));
    assert_true(sv_is(p->outcome, "complete"));
    assert_true(p->code.n > 0);
    assert_true(p->listed && !p->blocked && !p->forgotten);
    assert_int_equal(p->grids, 3);
    assert_int_equal(p->active_ms, 180000);
    assert_int_equal(p->ended_at, WORLD_NOW + 600000);
    assert_int_equal(p->floor_cents, 900);
    assert_int_equal(participant_rate(p), 300 * 20); /* 3.00 for three minutes */
}

/* Nothing paid is under every floor; without a floor nothing was promised. */
PROJECT_TEST(unpaid_work_has_a_rate_where_a_floor_is_set)
{
    struct scene s = scene_of(*state);
    struct participant *p;
    struct participants_summary sum;
    ends(&s, takes_part(&s, "worker-0001", 1, 60000), STUDY_COMPLETE);
    assert_int_equal(db_run(s.t->db, "UPDATE campaign SET pay_cents = 0", DB_NONE, &s.t->err), OK);
    page(&s, PARTICIPANTS_ALL, 0, 9, &p);
    assert_int_equal(participants_summary(s.t->db, s.campaign, &sum, &s.t->err), OK);
    assert_int_equal(participant_rate(p), 0);
    assert_int_equal(sum.median_rate_cents, 0);
    assert_int_equal(db_run(s.t->db, "UPDATE study SET floor_cents = 0", DB_NONE, &s.t->err), OK);
    page(&s, PARTICIPANTS_ALL, 0, 9, &p);
    assert_int_equal(participants_summary(s.t->db, s.campaign, &sum, &s.t->err), OK);
    assert_int_equal(participant_rate(p), -1);
    assert_int_equal(sum.median_rate_cents, -1);
}

PROJECT_TEST(a_block_and_a_rejection_are_seen)
{
    struct scene s = scene_of(*state);
    struct participant *p;
    struct pay_change reject = {SV("rejected"), -1, SV("why")};
    bool changed;
    int64_t place = takes_part(&s, "worker-0001", 1, 60000);
    ends(&s, place, STUDY_COMPLETE);
    page(&s, PARTICIPANTS_ALL, 0, 9, &p);
    assert_int_equal(notes_add(s.t->db, p->person, "block", SV("why"), 0, 1, &s.t->err), OK);
    assert_int_equal(pay_decide(s.t->db, place, &reject, 0, 1, &changed, &s.t->err), OK);
    page(&s, PARTICIPANTS_ALL, 0, 9, &p);
    assert_true(p->blocked);
    assert_int_equal(participant_rate(p), -1);
    assert_int_equal(people_forget(s.t->db, 1, 0, p->person, &s.t->err), OK);
    page(&s, PARTICIPANTS_ALL, 0, 9, &p);
    assert_true(p->forgotten);
    assert_int_equal(p->external_id.n, 0);
    assert_int_equal(p->grids, 1);
}

PROJECT_TEST(filters_and_pages_cover_everybody_once)
{
    struct scene s = scene_of(*state);
    struct participant *p;
    struct pay_change approve = {SV("approved"), -1, SV("")};
    bool changed;
    for (int i = 0; i < 10; i++) {
        int64_t place = takes_part(&s, arena_printf(&s.t->arena, "worker-%04d", i), i % 2, 1000);
        if (i < 4) {
            ends(&s, place, i < 3 ? STUDY_COMPLETE : STUDY_PARTIAL);
        }
        if (i == 0) {
            assert_int_equal(pay_decide(s.t->db, place, &approve, 0, 1, &changed, &s.t->err), OK);
        }
    }
    assert_int_equal(page(&s, PARTICIPANTS_TO_DECIDE, 0, 20, &p), 3);
    assert_int_equal(page(&s, PARTICIPANTS_APPROVED, 0, 20, &p), 1);
    assert_int_equal(page(&s, PARTICIPANTS_REJECTED, 0, 20, &p), 0);
    assert_int_equal(page(&s, PARTICIPANTS_IN_IT, 0, 20, &p), 6);
    int64_t after = 0;
    size_t seen = 0;
    for (size_t n; (n = page(&s, PARTICIPANTS_ALL, after, 3, &p)) > 0; seen += n) {
        assert_true(p[0].person > after);
        after = p[n - 1].person;
    }
    assert_int_equal(seen, 10);
}

/* Three who are complete in 10, 20 and 60 minutes and one still in it, who has no rate and is last either way. */
PROJECT_TEST(every_sort_goes_both_ways)
{
    struct scene s = scene_of(*state);
    static const struct {
        enum participant_sort sort;
        int rising[4], falling[4]; /* who, in the order they came */
    } sorts[] = {
        {PARTICIPANTS_BY_PERSON, {0, 1, 2, 3}, {3, 2, 1, 0}},
        {PARTICIPANTS_BY_GRIDS, {2, 0, 3, 1}, {1, 3, 0, 2}},
        {PARTICIPANTS_BY_ACTIVE, {3, 0, 1, 2}, {2, 1, 0, 3}},
        {PARTICIPANTS_BY_RATE, {2, 1, 0, 3}, {0, 1, 2, 3}},
    };
    int64_t places[4];
    for (int i = 0; i < 4; i++) {
        static const int grids[] = {2, 4, 1, 3}, minutes[] = {5, 5, 60, 1};
        places[i] = takes_part(&s, arena_printf(&s.t->arena, "worker-%04d", i), grids[i],
                               (int64_t)minutes[i] * 60000);
        if (i < 3) {
            ends(&s, places[i], STUDY_COMPLETE);
        }
    }
    for (size_t i = 0; i < 2 * sizeof sorts / sizeof *sorts; i++) {
        struct participants_ask ask = {.sort = sorts[i / 2].sort, .falling = i % 2};
        for (ask.skip = 0; ask.skip < 4; ask.skip += ask.most) {
            struct participant *p;
            size_t n;
            ask.most = 2;
            assert_int_equal(participants_page(s.t->db, s.campaign, &ask, &s.t->arena, &p, &n, &s.t->err), OK);
            assert_int_equal(n, 2);
            for (size_t j = 0; j < n; j++) {
                const int *want = ask.falling ? sorts[i / 2].falling : sorts[i / 2].rising;
                assert_int_equal(p[j].place, places[want[ask.skip + j]]);
            }
        }
    }
}

PROJECT_TEST(medians_are_over_complete_places)
{
    struct scene s = scene_of(*state);
    struct participants_summary sum;
    static const int64_t minutes[] = {10, 20, 60};
    for (int i = 0; i < 3; i++) {
        int64_t place = takes_part(&s, arena_printf(&s.t->arena, "worker-%04d", i), 1,
                                   minutes[i] * 60000);
        ends(&s, place, STUDY_COMPLETE);
    }
    takes_part(&s, "worker-in", 1, 1);
    ends(&s, takes_part(&s, "worker-no-time", 1, 0), STUDY_COMPLETE);
    assert_int_equal(participants_summary(s.t->db, s.campaign, &sum, &s.t->err), OK);
    assert_int_equal(sum.fit[PARTICIPANTS_ALL], 5);
    assert_int_equal(sum.complete, 4);
    assert_int_equal(sum.fit[PARTICIPANTS_TO_DECIDE], 4);
    assert_int_equal(sum.timed, 3);
    assert_int_equal(sum.median_active_ms, 20 * 60000);
    assert_int_equal(sum.median_rate_cents, 900);
}

PROJECT_TEST(a_campaign_without_people_has_no_medians)
{
    struct scene s = scene_of(*state);
    struct participants_summary sum;
    struct participant *p;
    assert_int_equal(page(&s, PARTICIPANTS_ALL, 0, 9, &p), 0);
    assert_int_equal(participants_summary(s.t->db, s.campaign, &sum, &s.t->err), OK);
    assert_int_equal(sum.fit[PARTICIPANTS_ALL] + sum.timed + sum.median_active_ms, 0);
    assert_int_equal(sum.median_rate_cents, -1);
}

static size_t underpaid(struct scene *s, size_t most, struct underpaid **out, int64_t *all)
{
    size_t n = 0;
    assert_int_equal(participants_underpaid(s->t->db, most, &s->t->arena, out, &n, all,
                                            &s->t->err),
                     OK);
    return n;
}

/* 3.00 for a place and a floor of 9.00 an hour: 20 minutes are the limit. */
PROJECT_TEST(who_is_paid_under_the_floor)
{
    struct scene s = scene_of(*state);
    struct underpaid *u;
    int64_t all = -1;
    enum { MINUTE = 60000 };
    assert_int_equal(underpaid(&s, 5, &u, &all), 0);
    assert_int_equal(all, 0);
    ends(&s, takes_part(&s, "in time", 1, 20 * MINUTE), STUDY_COMPLETE);
    int64_t slow = takes_part(&s, "slow", 2, 15 * MINUTE);
    ends(&s, slow, STUDY_COMPLETE);
    int64_t slowest = takes_part(&s, "slowest", 2, 30 * MINUTE);
    ends(&s, slowest, STUDY_COMPLETE);
    ends(&s, takes_part(&s, "stopped", 1, 50 * MINUTE), STUDY_PARTIAL);
    takes_part(&s, "in it", 1, 50 * MINUTE);
    int64_t back = takes_part(&s, "gave it back", 1, 50 * MINUTE);
    ends(&s, back, STUDY_COMPLETE);
    ends(&s, back, STUDY_RETURNED);
    assert_int_equal(underpaid(&s, 5, &u, &all), 2);
    assert_int_equal(all, 2);
    assert_int_equal(u[0].place, slowest);
    assert_int_equal(u[0].rate_cents, 300);
    assert_int_equal(u[0].grids, 2);
    assert_int_equal(u[0].active_ms, 60 * MINUTE);
    assert_int_equal(u[1].place, slow);
    assert_int_equal(u[1].rate_cents, 600);
    assert_int_equal(u[1].floor_cents, 900);
    assert_true(sv_is(u[1].campaign_name, "main"));
    assert_int_equal(underpaid(&s, 1, &u, &all), 1);
    assert_int_equal(all, 2);
    assert_int_equal(u[0].place, slowest);
    assert_int_equal(db_run(s.t->db, "UPDATE study SET floor_cents = 0", DB_NONE, &s.t->err), OK);
    assert_int_equal(underpaid(&s, 5, &u, &all), 0);
}
