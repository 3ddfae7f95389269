/* pay_test.c - decisions about pay, their rules, and the lists made of them. */
#include "unit.h"

#include "store/campaigns/studies.h"
#include "store/decisions/pay.h"
#include "store/people/participants.h"
#include "store/people/people.h"
#include "temp_project.h"
#include "world.h"

static int64_t campaign_of(struct temp_project *t)
{
    struct campaign terms = world_terms("main");
    terms.pay_cents = 300;
    return world_campaign(t->db, &terms);
}

static int64_t new_place(struct temp_project *t, int64_t campaign, const char *id)
{
    int64_t person = world_person(t->db);
    assert_int_equal(
        people_identify(t->db, 1, 0, person, SV("panel"), sv_of(id), SV(""), &t->err), OK);
    return world_place(t->db, campaign, person);
}

static void ends(struct temp_project *t, int64_t place, enum study_outcome o)
{
    assert_int_equal(studies_outcome(t->db, place, o, 0, WORLD_NOW + 60000, &t->err), OK);
}

static enum err_code decide(struct temp_project *t, int64_t place, const char *state,
                            int64_t bonus, const char *reason, bool *changed)
{
    struct pay_change change = {sv_of(state), bonus, sv_of(reason)};
    return pay_decide(t->db, place, &change, 0, 9, changed, &t->err);
}

static struct participant only(struct temp_project *t, int64_t campaign)
{
    struct participant *list;
    size_t n;
    static const struct participants_ask two = {.most = 2};
    assert_int_equal(participants_page(t->db, campaign, &two, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 1);
    return list[0];
}

TEST(amounts_are_read_as_people_write_them)
{
    static const struct {
        const char *text;
        int64_t cents;
    } good[] = {{"0", 0}, {"1", 100}, {"0.5", 50}, {"12.25", 1225}, {"10000", 1000000}};
    static const char *const bad[] = {"",    "-1",  "+1",   "1,50", "1.",     ".5",   "1.234",
                                      "1e2", "0x1", "1.-5", "1.+5", "1 USD", "10000.01",
                                      "99999999999999999999"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        int64_t cents = -1;
        assert_true(pay_amount(sv_of(good[i].text), &cents));
        assert_int_equal(cents, good[i].cents);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int64_t cents = -1;
        if (pay_amount(sv_of(bad[i]), &cents)) {
            fail_msg("%s was taken as %lld", bad[i], (long long)cents);
        }
    }
}

PROJECT_TEST(the_newest_decision_holds)
{
    struct temp_project *t = *state;
    int64_t campaign = campaign_of(t), place = new_place(t, campaign, "worker-0001");
    bool changed = false;
    assert_true(sv_is(only(t, campaign).pay_state, "pending"));
    assert_int_equal(decide(t, place, "rejected", -1, "all selected", &changed), OK);
    assert_true(changed);
    assert_int_equal(decide(t, place, "rejected", -1, "all selected", &changed), OK);
    assert_false(changed);
    assert_true(sv_is(only(t, campaign).pay_reason, "all selected"));
    /* A bonus alone leaves state and reason. */
    assert_int_equal(decide(t, place, "", 150, "", &changed), OK);
    struct participant p = only(t, campaign);
    assert_true(sv_is(p.pay_state, "rejected"));
    assert_true(sv_is(p.pay_reason, "all selected"));
    assert_int_equal(p.bonus_cents, 150);
    assert_int_equal(decide(t, place, "approved", -1, "", &changed), OK);
    p = only(t, campaign);
    assert_true(sv_is(p.pay_state, "approved"));
    assert_int_equal(p.pay_reason.n, 0);
    assert_int_equal(p.bonus_cents, 150);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM pay"), 3);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind LIKE 'pay.%'"), 3);
}

PROJECT_TEST(what_breaks_a_rule_changes_nothing)
{
    struct temp_project *t = *state;
    int64_t campaign = campaign_of(t), place = new_place(t, campaign, "worker-0001");
    bool changed;
    decide(t, place, "rejected", -1, "", &changed);
    temp_clear(t, ERR_INPUT, "pay-reason");
    decide(t, place, "rejected", -1, "\xff", &changed);
    temp_clear(t, ERR_INPUT, "pay-reason");
    decide(t, place, "bonus", -1, "", &changed);
    temp_clear(t, ERR_INPUT, "pay-state");
    decide(t, place, "", PAY_BONUS_MOST + 1, "", &changed);
    temp_clear(t, ERR_INPUT, "pay-bonus");
    decide(t, place, "rejected", -1, "WORKER-0001 was fast", &changed);
    temp_clear(t, ERR_INPUT, "text-names-person");
    decide(t, 4711, "approved", -1, "", &changed);
    temp_clear(t, ERR_NOT_FOUND, "no-place");
    assert_int_equal(temp_int(t, "SELECT count(*) FROM pay"), 0);
}

PROJECT_TEST(all_complete_and_pending_are_approved)
{
    struct temp_project *t = *state;
    int64_t campaign = campaign_of(t), place[7], n = 0;
    struct campaign elsewhere = world_terms("other");
    bool changed;
    size_t approved = 0;
    for (int i = 0; i < 7; i++) {
        place[i] = new_place(t, campaign, arena_printf(&t->arena, "worker-%04d", i));
    }
    ends(t, new_place(t, world_campaign(t->db, &elsewhere), "worker-else"), STUDY_COMPLETE);
    for (int i = 0; i < 5; i++) {
        ends(t, place[i], STUDY_COMPLETE);
    }
    ends(t, place[5], STUDY_PARTIAL);
    assert_int_equal(decide(t, place[0], "rejected", -1, "why", &changed), OK);
    assert_int_equal(pay_count_complete(t->db, campaign, &n, &t->err), OK);
    assert_int_equal(n, 4);
    assert_int_equal(pay_approve_complete(t->db, campaign, 3, 0, 9, &approved, &t->err), OK);
    assert_int_equal(approved, 3);
    assert_int_equal(pay_approve_complete(t->db, campaign, 3, 0, 9, &approved, &t->err), OK);
    assert_int_equal(approved, 1);
    assert_int_equal(pay_approve_complete(t->db, campaign, 3, 0, 9, &approved, &t->err), OK);
    assert_int_equal(approved, 0);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM pay WHERE state = 'approved'"), 4);
}
