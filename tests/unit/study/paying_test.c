/* paying_test.c - what a form says about pay, and what can be undone. */
#include "unit.h"

#include "store/people/panel_ids.h"
#include "study/paying.h"
#include "temp_project.h"
#include "world.h"

TEST(what_a_form_says)
{
    static const struct {
        const char *decision, *bonus, *reason, *state, *kept;
        int64_t cents;
    } cases[] = {
        {"approve", "", "because", "approved", "", -1},
        {"reject", " 1.50 ", " because ", "rejected", "because", 150},
        {"keep", "0", "", "", "", 0},
        {"pending", "", "an undo", "pending", "an undo", -1},
    };
    struct pay_change change;
    struct err err = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct pay_typed typed = {sv_of(cases[i].decision), sv_of(cases[i].bonus),
                                        sv_of(cases[i].reason)};
        assert_int_equal(pay_read(&typed, &change, &err), OK);
        assert_true(sv_is(change.state, cases[i].state) && sv_is(change.reason, cases[i].kept));
        assert_int_equal(change.bonus_cents, cases[i].cents);
    }
    const struct pay_typed wrong = {SV("approve"), SV("lots"), SV("")};
    assert_int_equal(pay_read(&wrong, &change, &err), ERR_INPUT);
    assert_string_equal(err.rule, "pay-bonus");
}

PROJECT_TEST(an_undo_is_not_undone)
{
    struct temp_project *t = *state;
    const struct study study = {.db = t->db, .arena = &t->arena, .err = &t->err};
    struct campaign terms = world_terms("main");
    struct paid paid;
    struct paying p = {.campaign = world_campaign(t->db, &terms),
                       .change = {SV("approved"), 50, SV("")}, .seen = 0};
    p.place = world_place(t->db, p.campaign, world_person(t->db));
    assert_int_equal(pay_make(&study, &p, &paid), OK);
    assert_true(paid.changed && paid.can_undo);
    assert_true(sv_is(paid.was.state, "pending") && sv_is(paid.now.state, "approved"));
    assert_int_equal(pay_make(&study, &p, &paid), ERR_CONFLICT); /* there was none, and now there is */
    temp_clear(t, ERR_CONFLICT, "pay-changed");
    p.seen = -1;
    assert_int_equal(pay_make(&study, &p, &paid), OK);
    assert_true(!paid.changed && !paid.can_undo && sv_is(paid.now.state, "approved"));
    p.undo = true;
    p.seen = paid.now.id;
    p.change = (struct pay_change){SV("pending"), 0, SV("")};
    assert_int_equal(pay_make(&study, &p, &paid), OK);
    assert_true(paid.changed && !paid.can_undo && sv_is(paid.now.state, "pending"));
    assert_int_equal(pay_make(&study, &p, &paid), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "pay-changed");
    p.campaign++;
    assert_int_equal(pay_make(&study, &p, &paid), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "no-place");
}

/* Only a list of pay decisions, of this campaign, after the decision. */
PROJECT_TEST(what_the_panel_has_is_not_undone)
{
    struct temp_project *t = *state;
    const struct study study = {.db = t->db, .arena = &t->arena, .err = &t->err};
    struct campaign terms = world_terms("main");
    struct paid paid;
    struct paying p = {.campaign = world_campaign(t->db, &terms),
                       .change = {SV("approved"), -1, SV("")}};
    bool exported = true;
    p.place = world_place(t->db, p.campaign, world_person(t->db));
    panel_ids_record(t->db, SV("approve"), p.campaign, 0, 1, &t->err);
    assert_int_equal(pay_make(&study, &p, &paid), OK);
    panel_ids_record(t->db, SV("answers"), p.campaign, 0, 2, &t->err);
    panel_ids_record(t->db, SV("approve"), p.campaign + 1, 0, 2, &t->err);
    assert_int_equal(pay_exported(t->db, p.campaign, paid.now.id, &exported, &t->err), OK);
    assert_false(exported);
    panel_ids_record(t->db, SV("bonus"), p.campaign, 0, 2, &t->err);
    p.undo = true;
    p.seen = paid.now.id;
    p.change = (struct pay_change){SV("pending"), 0, SV("")};
    assert_int_equal(pay_make(&study, &p, &paid), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "pay-exported");
}
