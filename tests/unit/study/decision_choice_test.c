/* decision_choice_test.c - a choice says the same in words and as JSON, and what is stored of
 * it holds no id that somebody searched for. */
#include "unit.h"

#include "study/decision_choice.h"

/* "person=p1&person=p2" as words. */
static enum err_code read_words(const char *text, struct choice *out, struct err *err)
{
    struct choice_word words[16];
    size_t n = 0;
    for (struct sv rest = sv_of(text); rest.n;) {
        struct sv value = sv_cut(&rest, '&');
        assert_true(n < sizeof words / sizeof *words);
        words[n].name = sv_cut(&value, '=');
        words[n++].value = value;
    }
    return choice_read(words, n, &unit_arena, out, err);
}

ARENA_TEST(one_choice_two_ways)
{
    struct choice a, b;
    struct err err = {0};
    assert_int_equal(read_words("person=p1&person=p2&value=out&campaign=main&before=2026-11-20&"
                                "reason= x &reopen=1",
                                &a, &err),
                     OK);
    json_t *body = json_pack("{s:[s,s], s:s, s:s, s:s, s:s, s:b, s:{}}", "people", "p1", "p2", "value",
                             "out", "campaign", "main", "before", "2026-11-20", "reason", "x",
                             "reopen", 1, "unknown");
    assert_int_equal(choice_json(body, &unit_arena, &b, &err), OK);
    assert_string_equal(choice_criteria(&a, &unit_arena), choice_criteria(&b, &unit_arena));
    assert_int_equal(a.before_ms, INT64_C(1795132800000));
    assert_true(a.reopen && b.reopen && !a.pay && a.value == DECISION_OUT);
    assert_true(sv_is(a.reason, "x"));
    assert_int_equal(a.n_people, 2);
    json_decref(body);
}

ARENA_TEST(fields_give_the_choice_again)
{
    struct choice c, again;
    struct err err = {0};
    assert_int_equal(read_words("fit=people&show=out&q=abc&by=gold&most=60&value=in", &c, &err), OK);
    struct choice_word words[16];
    size_t n = 0;
    json_t *fields = choice_fields(&c, &unit_arena), *one;
    size_t i;
    json_array_foreach(fields, i, one) {
        words[n++] = (struct choice_word){
            .name = sv_of(json_string_value(json_object_get(one, "name"))),
            .value = sv_of(json_string_value(json_object_get(one, "value")))};
    }
    assert_int_equal(choice_read(words, n, &unit_arena, &again, &err), OK);
    assert_string_equal(choice_criteria(&c, &unit_arena), choice_criteria(&again, &unit_arena));
    assert_true(again.fit && again.words.by == PEOPLE_GOLD);
    assert_null(strstr(choice_criteria(&c, &unit_arena), "abc"));
    json_decref(fields);
}

ARENA_TEST(values_and_fields_fit)
{
    static const struct {
        const char *query, *rule;
    } wrong[] = {{"value=undo", "decision-value"},         {"value=x", "decision-value"},
                 {"field=pay&value=out", "decision-value"}, {"field=analysis&value=bonus", "decision-value"},
                 {"field=x&value=out", "decision-value"},   {"answer=0", "decision-choice"},
                 {"answer=-1", "decision-choice"},          {"place=x", "decision-choice"},
                 {"undo=x", "decision-choice"},             {"before=2026-13-01", "decision-date"},
                 {"before=2026-02-29", "decision-date"},    {"before=x", "decision-date"},
                 {"value=bonus&bonus=1.505", "decision-bonus"}};
    struct choice c;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct err err = {0};
        assert_int_equal(read_words(wrong[i].query, &c, &err), ERR_INPUT);
        assert_string_equal(err.rule, wrong[i].rule);
    }
    struct err err = {0};
    assert_int_equal(read_words("value=bonus&bonus=1.5&before=2028-02-29", &c, &err), OK);
    assert_true(c.pay && c.bonus_cents == 150);
    assert_int_equal(read_words("", &c, &err), OK);
    assert_false(choice_any(&c));
    assert_int_equal(read_words("undo=7", &c, &err), OK);
    assert_true(choice_any(&c) && c.value == DECISION_UNDO);
}

ARENA_TEST(criteria_as_words)
{
    assert_string_equal(
        choice_criteria_text(SV("{\"people\":[\"a\",\"b\"],\"campaign\":\"main\"}"), &unit_arena),
        "2 chosen people; campaign main");
    assert_string_equal(choice_criteria_text(SV("{\"undo\":7}"), &unit_arena),
                        "what decision 7 changed, where it is still in effect");
    assert_string_equal(choice_criteria_text(SV("no JSON"), &unit_arena), "");
}
