/* ledger_test.c - answers by event number, decisions in order, and what must not come. */
#include "unit.h"

#include "live/ledger.h"

static void add(struct ledger *l, int64_t id, bool surplus)
{
    const struct ledger_answer *stored;
    struct err err = {0};
    struct vote_answer w = {.id = id, .person = 7, .at = 5999, .mask = 3, .surplus = surplus};
    assert_int_equal(ledger_add(l, &w, (uint32_t)id, &stored, &err), OK);
    assert_int_equal(stored->id, id);
    assert_int_equal(stored->at_s, 5);
}

static bool turn(struct ledger *l, int64_t id, int64_t answer, bool out)
{
    const struct ledger_answer *turned;
    struct err err = {0};
    struct vote_state s = {.id = id, .answer = answer, .out = out};
    assert_int_equal(ledger_turn(l, &s, &turned, &err), OK);
    if (turned) {
        assert_int_equal(turned->id, answer);
        assert_int_equal(turned->out, out);
    }
    return turned != NULL;
}

static void answers_are_found_by_event(void **state)
{
    struct ledger l = {0};
    (void)state;
    assert_int_equal(ledger_find(&l, 3), 0);
    assert_int_equal(ledger_until(&l, INT64_MAX), 0);
    for (int64_t id = 3; id < 3000; id += 3) {
        add(&l, id, false);
    }
    assert_int_equal(l.n, 999);
    for (int64_t e = -1; e < 3100; e++) {
        size_t until = e < 3 ? 0 : e / 3 < 999 ? (size_t)(e / 3) : 999;
        assert_int_equal(ledger_until(&l, e), until);
        assert_int_equal(ledger_find(&l, e), e >= 3 && e < 3000 && e % 3 == 0 ? until - 1 : l.n);
    }
    ledger_release(&l);
    assert_int_equal(l.n, 0);
}

/* Only what changes something is kept: each is the opposite of what was. */
static void decisions_are_kept_in_order(void **state)
{
    struct ledger l = {0};
    (void)state;
    add(&l, 10, false);
    add(&l, 20, true);
    assert_false(turn(&l, 21, 10, false)); /* it is in */
    assert_true(turn(&l, 22, 10, true));
    assert_false(turn(&l, 23, 10, true));
    assert_true(turn(&l, 24, 20, true));
    assert_true(turn(&l, 25, 10, false));
    assert_int_equal(l.n_flips, 3);
    assert_true(l.flips[0].id == 22 && l.flips[0].answer == 0 && l.flips[0].out);
    assert_true(l.flips[1].id == 24 && l.flips[1].answer == 1 && l.flips[1].out);
    assert_true(l.flips[2].id == 25 && l.flips[2].answer == 0 && !l.flips[2].out);
    assert_true(!l.answers[0].out && l.answers[1].out && l.answers[1].surplus);
    ledger_release(&l);
}

static void times_are_cut_to_what_fits(void **state)
{
    struct ledger l = {0};
    const struct ledger_answer *stored;
    struct err err = {0};
    struct vote_answer w = {.id = 1, .at = INT64_MAX, .active_ms = INT64_MAX};
    (void)state;
    assert_int_equal(ledger_add(&l, &w, 0, &stored, &err), OK);
    assert_true(stored->at_s == UINT32_MAX && stored->active_ms == UINT32_MAX);
    w = (struct vote_answer){.id = 2, .at = -1000, .active_ms = -5};
    assert_int_equal(ledger_add(&l, &w, 0, &stored, &err), OK);
    assert_true(stored->at_s == 0 && stored->active_ms == 0);
    ledger_release(&l);
}

static void what_cannot_be_is_refused(void **state)
{
    struct ledger l = {0};
    const struct ledger_answer *stored;
    struct err err = {0};
    (void)state;
    add(&l, 10, false);
    struct vote_answer again = {.id = 10}, big = {.id = INT64_C(1) << 32},
                       stranger = {.id = 11, .person = INT64_C(1) << 32};
    assert_int_equal(ledger_add(&l, &again, 0, &stored, &err), ERR_BUG);
    err_clear(&err);
    assert_int_equal(ledger_add(&l, &big, 0, &stored, &err), ERR_LIMIT);
    err_clear(&err);
    assert_int_equal(ledger_add(&l, &stranger, 0, &stored, &err), ERR_LIMIT);
    err_clear(&err);
    struct vote_state of_nothing = {.id = 12, .answer = 9, .out = true};
    assert_int_equal(ledger_turn(&l, &of_nothing, &stored, &err), ERR_BUG);
    assert_null(stored);
    assert_int_equal(l.n, 1);
    assert_int_equal(l.n_flips, 0);
    ledger_release(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_found_by_event),
        cmocka_unit_test(decisions_are_kept_in_order),
        cmocka_unit_test(times_are_cut_to_what_fits),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
