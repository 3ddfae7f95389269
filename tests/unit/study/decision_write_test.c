/* decision_write_test.c - a decision is stored as it was looked at: others may decide in between. */
#include "unit.h"

#include "study/decision_write.h"

struct world {
    int64_t subjects;
    int looked, created, conflicts; /* how often creating finds that somebody decided */
    const char *rule;
};

static enum err_code look(void *arg, struct draft *out, struct err *err)
{
    struct world *w = arg;
    (void)err;
    w->looked++;
    *out = (struct draft){.d.subjects = w->subjects, .digest = "seen"};
    return OK;
}

static enum err_code create(void *arg, struct draft_writing *w, struct err *err)
{
    struct world *world = arg;
    world->created++;
    if (world->created <= world->conflicts) {
        return err_rule(err, ERR_CONFLICT, world->rule, "no");
    }
    w->id = 7;
    return OK;
}

static enum err_code store(struct world *w, struct sv digest, struct decision_made *made,
                           struct err *err)
{
    struct draft draft = {.n_money = 0};
    const struct deciding d = {.look = look, .create = create, .arg = w, .digest = digest};
    enum err_code rc = decision_store(&d, &draft, made, err);
    draft_release(&draft);
    return rc;
}

TEST(looks_again_when_somebody_decided)
{
    struct world w = {.subjects = 3, .conflicts = 2, .rule = "decision-changed"};
    struct decision_made made;
    struct err err = {0};
    assert_int_equal(store(&w, SV(""), &made, &err), OK);
    assert_int_equal(made.id, 7);
    assert_int_equal(w.looked, 3);
    assert_string_equal(err.rule, "");
}

TEST(gives_up)
{
    struct world always = {.subjects = 3, .conflicts = 100, .rule = "decision-changed"};
    struct world other = {.subjects = 3, .conflicts = 100, .rule = "decision-empty"};
    struct decision_made made;
    struct err err = {0};
    assert_int_equal(store(&always, SV(""), &made, &err), ERR_CONFLICT);
    assert_string_equal(err.rule, "decision-changed");
    assert_int_equal(made.id, 0);
    err_clear(&err);
    assert_int_equal(store(&other, SV(""), &made, &err), ERR_CONFLICT);
    assert_int_equal(other.looked, 1);
}

TEST(stores_nothing)
{
    struct world none = {.subjects = 0}, some = {.subjects = 3};
    struct decision_made made;
    struct err err = {0};
    assert_int_equal(store(&none, SV(""), &made, &err), OK);
    assert_true(made.id == 0 && !made.changed && none.created == 0);
    assert_int_equal(store(&some, SV("another"), &made, &err), OK);
    assert_true(made.id == 0 && made.changed && some.created == 0);
    assert_int_equal(store(&some, SV("seen"), &made, &err), OK);
    assert_true(made.id == 7 && !made.changed);
}
