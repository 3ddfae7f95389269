/* person_agreement_test.c - a person's answers by state, sorted: what is not known is last either way. */
#include "unit.h"

#include "live/people/person_agreement.h"

enum { N = 4 };

static const struct person_answer answers[N] = {
    {.id = 1, .active_ms = 9000, .agreement = {.control = 0.5, .compared = 1, .relative = -0.2}},
    {.id = 2, .active_ms = 0, .surplus = true, .agreement = {.control = -1}},
    {.id = 3, .active_ms = 1000, .out = true, .surplus = true, .agreement = {.control = 1, .compared = 1, .relative = 0.1}},
    {.id = 4, .active_ms = 1000, .agreement = {.control = 0.5, .compared = 1, .relative = -0.4}},
};

/* Which are found, as digits. */
static const char *found(enum person_answer_state state, enum person_answer_sort sort, bool falling, struct arena *a)
{
    const struct person_answers_ask ask = {state, sort, falling};
    size_t n;
    const struct person_answer *list = person_answers_find(answers, N, &ask, a, &n);
    char *text = arena_calloc(a, N + 1, 1);
    for (size_t i = 0; i < n; i++) {
        text[i] = (char)('0' + list[i].id);
    }
    return text;
}

TEST(sorts)
{
    struct arena a;
    arena_init(&a, 1 << 16);
    assert_string_equal(found(PERSON_ANSWER_ANY, PERSON_ANSWERS_BY_TIME, true, &a), "4321");
    assert_string_equal(found(PERSON_ANSWER_ANY, PERSON_ANSWERS_BY_TIME, false, &a), "1234");
    assert_string_equal(found(PERSON_ANSWER_ANY, PERSON_ANSWERS_BY_ACTIVE, false, &a), "4312");
    assert_string_equal(found(PERSON_ANSWER_ANY, PERSON_ANSWERS_BY_ACTIVE, true, &a), "1432");
    assert_string_equal(found(PERSON_ANSWER_ANY, PERSON_ANSWERS_BY_RELATIVE, false, &a), "4132");
    assert_string_equal(found(PERSON_ANSWER_ANY, PERSON_ANSWERS_BY_CONTROL, false, &a), "4132");
    assert_string_equal(found(PERSON_ANSWER_ANY, PERSON_ANSWERS_BY_CONTROL, true, &a), "3412");
    arena_release(&a);
}

TEST(states)
{
    struct arena a;
    arena_init(&a, 1 << 16);
    assert_string_equal(found(PERSON_ANSWER_STORED, PERSON_ANSWERS_BY_TIME, true, &a), "41");
    assert_string_equal(found(PERSON_ANSWER_OUT, PERSON_ANSWERS_BY_TIME, true, &a), "3");
    assert_string_equal(found(PERSON_ANSWER_SURPLUS, PERSON_ANSWERS_BY_TIME, true, &a), "2");
    arena_release(&a);
}
