/* What people say of models: each fact by its row, as text and back, and what is no such value. */
#include "unit.h"

#include <string.h>

#include "domain/scores/model_facts.h"

TEST(each_is_said_and_taken_back)
{
    struct model_facts f = {.year = 0}, empty = {.year = 0};
    struct err err = {0};
    struct arena a;
    arena_init(&a, 1 << 16);
    for (size_t i = 0; i < MODEL_FACTS; i++) {
        const struct model_fact *fact = &model_fact_list[i];
        struct sv value = fact->number ? SV("1998") : SV("more data");
        assert_int_equal(model_facts_set(&f, fact, fact->number ? SV(" 1998 ") : SV(" more data "), &err), OK);
        assert_int_equal(sv_cmp(model_facts_get(&f, fact, &a), value), 0);
        assert_false(model_facts_same(&f, &empty));
        assert_int_equal(model_facts_set(&f, fact, SV(""), &err), OK);
        assert_int_equal(model_facts_get(&f, fact, &a).n, 0);
        assert_true(model_facts_same(&f, &empty));
    }
    arena_release(&a);
}

TEST(what_is_no_such_value_changes_nothing)
{
    struct model_facts f = {.group = SV("standard"), .year = 2012}, was = f;
    char text[MODEL_FACT_MOST + 1];
    memset(text, 'x', sizeof text);
    static const char *const years[] = {"1949", "2201", "2012.5", "-1", "soon"};
    for (size_t i = 0; i < sizeof years / sizeof *years; i++) {
        struct err err = {0};
        assert_int_equal(model_facts_set(&f, &model_fact_list[MODEL_YEAR], sv_of(years[i]), &err), ERR_INPUT);
        assert_string_equal(err.rule, "model-fact");
        assert_non_null(strstr(err.msg, "year must be a whole number from 1950 to 2200"));
    }
    const struct sv texts[] = {{text, sizeof text}, SV("\xff")};
    for (size_t i = 0; i < 2; i++) {
        struct err err = {0};
        assert_int_equal(model_facts_set(&f, &model_fact_list[MODEL_GROUP], texts[i], &err), ERR_INPUT);
    }
    assert_true(model_facts_same(&f, &was));
}

