/* view_rules_test.c - filters from text to what they leave out; bad ones are named by their place. */
#include "unit.h"

#include "domain/votes/view_rules.h"

static struct view_rules parsed(const char *json)
{
    struct view_rules v;
    struct err err = {0};
    if (view_rules_parse(sv_of(json), &v, &err) != OK) {
        fail_msg("%s: %s", json, err.msg);
    }
    return v;
}

static void refused(const char *json, const char *says)
{
    struct view_rules v;
    struct err err = {0};
    assert_int_equal(view_rules_parse(sv_of(json), &v, &err), ERR_INPUT);
    assert_string_equal(err.rule, "view-filter");
    if (!strstr(err.msg, says)) {
        fail_msg("%s: %s", json, err.msg);
    }
}

TEST(lists_are_read_and_written)
{
    struct arena a;
    arena_init(&a, 1 << 16);
    struct view_rules v = parsed(" [ ] ");
    assert_int_equal(v.n, 0);
    assert_string_equal(view_rules_json(&v, &a), "[]");
    v = parsed("\n[{ \"value\" : 2.05e1,\t\"rule\":\"active-least\"} ,{\"rule\":\"not-all\"},"
               "{\"rule\": \"relative-least\", \"value\": -0.1}]");
    assert_int_equal(v.n, 3);
    assert_int_equal(v.filters[0].rule, RULE_ACTIVE_LEAST);
    assert_true(v.filters[0].value == 20.5);
    assert_int_equal(v.filters[1].rule, RULE_NOT_ALL);
    const char *json = view_rules_json(&v, &a);
    assert_string_equal(json, "[{\"rule\": \"active-least\", \"value\": 20.5}, "
                              "{\"rule\": \"not-all\"}, "
                              "{\"rule\": \"relative-least\", \"value\": -0.1}]");
    struct view_rules whole = {2, {{RULE_ANSWERS_LEAST, 1000, 0}, {RULE_ACTIVE_LEAST, 20, 0}}};
    assert_string_equal(view_rules_json(&whole, &a), "[{\"rule\": \"answers-least\", \"value\": 1000}, "
                                                     "{\"rule\": \"active-least\", \"value\": 20}]");
    struct view_rules again = parsed(json);
    assert_string_equal(view_rules_json(&again, &a), json);
    arena_release(&a);
}

/* Every rule at its edges and with what is usual reads back as the same number. */
TEST(every_rule_has_its_words)
{
    struct arena a;
    arena_init(&a, 1 << 20);
    for (int r = 0; r < VIEW_RULES; r++) {
        const struct view_rule_info *info = &view_rule_infos[r];
        double values[] = {info->lo, info->hi, info->usual, info->lo + (info->hi - info->lo) / 3};
        assert_true(info->word[0] && info->label[0] && info->lo <= info->usual &&
                    info->usual <= info->hi);
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            struct view_rules v = {.n = 1, .filters = {{(enum view_rule)r, values[i]}}};
            struct view_rules back = parsed(view_rules_json(&v, &a));
            assert_int_equal(back.n, 1);
            assert_int_equal(back.filters[0].rule, r);
            assert_true(back.filters[0].value == (info->unit[0] ? values[i] : 0));
            assert_true(strlen(view_filter_text(&v.filters[0], &a)) > 5);
        }
    }
    struct view_filter f = {RULE_ACTIVE_LEAST, 20, 0};
    assert_string_equal(view_filter_text(&f, &a), "at least 20 s of active time");
    arena_release(&a);
}

TEST(what_is_no_list_is_refused)
{
    static const char *const bad[] = {"", "null", "{}", "[", "[{\"rule\": \"not-all\"}",
                                      "[] []", "[{\"rule\": \"not-all\"}],", "x",
                                      "[{\"rule\": \"not-all\"} {\"rule\": \"not-none\"}]"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        refused(bad[i], strcmp(bad[i], "[") == 0 ? "Filter 1" : "Filters are a JSON list");
    }
}

TEST(a_bad_filter_is_named)
{
    refused("[{\"rule\": \"not-all\"}, 7]", "Filter 2 is not a JSON object");
    refused("[{}]", "Filter 1 is not a JSON object");
    refused("[{\"value\": 7}]", "Filter 1 is not a JSON object");
    refused("[{\"rule\": \"not-all\",}]", "Filter 1 is not a JSON object");
    refused("[{\"rule\": \"not-all\"},]", "Filter 2 is not a JSON object");
    refused("[{\"rule\": \"not-all\", \"rule\": \"not-none\"}]", "Filter 1 is not a JSON object");
    refused("[{\"rule\": \"active-least\", \"value\": \"20\"}]", "Filter 1 is not a JSON object");
    refused("[{\"rule\": \"active-least\", \"value\": nan}]", "Filter 1 is not a JSON object");
    refused("[{\"rule\": \"active-least\", \"value\": 1e999}]", "Filter 1");
    refused("[{\"rule\": \"not-all\", \"when\": 1}]", "Filter 1 is not a JSON object");
    refused("[{\"rule\": \"spam\"}]", "Filter 1: there is no rule \"spam\". Choose one of: active-least");
    refused("[{\"rule\": \"spam\"}]", "not-blocked");
    refused("[{\"rule\": \"\xff\xfe\"}]", "Filter 1: there is no rule \"\"");
    refused("[{\"rule\": \"not-none\"}, {\"rule\": \"active-least\"}]",
            "Filter 2: active-least needs a value between 0 and 3600");
    refused("[{\"rule\": \"gold-least\", \"value\": 100.5}]", "Filter 1: gold-least needs a value");
    refused("[{\"rule\": \"answers-least\", \"value\": 0}]", "between 1 and 10000");
    refused("[{\"rule\": \"not-blocked\", \"value\": 1}]", "Filter 1: not-blocked takes no value");
    refused("[{\"rule\": \"not-all\"}, {\"rule\": \"not-none\"}, {\"rule\": \"not-all\"}]",
            "Filter 3: not-all is already in the list, as filter 1");
}

TEST(a_view_has_at_most_eight)
{
    struct arena a;
    struct view_rules v = {.n = VIEW_FILTERS_MOST};
    arena_init(&a, 1 << 16);
    for (unsigned i = 0; i < VIEW_FILTERS_MOST; i++) {
        v.filters[i] = (struct view_filter){(enum view_rule)i, view_rule_infos[i].usual, i == RULE_RANDOM_VOTES};
    }
    const char *json = view_rules_json(&v, &a);
    assert_int_equal(parsed(json).n, VIEW_FILTERS_MOST);
    refused(arena_printf(&a, "%.*s, {\"rule\": \"not-blocked\"}]", (int)strlen(json) - 1, json),
            "at most 8 filters");
    arena_release(&a);
}

static bool out(enum view_rule rule, double value, unsigned cells, unsigned selected, unsigned ms)
{
    return view_filter_answer(&(struct view_filter){rule, value, 0}, cells, selected, ms);
}

TEST(answers_alone)
{
    assert_true(out(RULE_ACTIVE_LEAST, 20, 48, 3, 19999));
    assert_false(out(RULE_ACTIVE_LEAST, 20, 48, 3, 20000));
    assert_false(out(RULE_ACTIVE_LEAST, 20, 48, 3, 0)); /* not known */
    assert_true(out(RULE_NOT_ALL, 0, 12, 12, 0));
    assert_false(out(RULE_NOT_ALL, 0, 48, 12, 0));
    assert_true(out(RULE_NOT_NONE, 0, 12, 0, 0));
    assert_false(out(RULE_NOT_NONE, 0, 12, 1, 0));
    for (int r = RULE_ANSWERS_LEAST; r < VIEW_RULES; r++) {
        assert_false(out((enum view_rule)r, 1000, 12, 0, 1));
        assert_false(out((enum view_rule)r, 1000, 12, 12, 1));
    }
}

static bool away(enum view_rule rule, double value, struct view_person p)
{
    return view_filter_person(&(struct view_filter){rule, value, 0}, &p);
}

TEST(people_as_a_whole)
{
    assert_true(away(RULE_ANSWERS_LEAST, 5, (struct view_person){.answers = 4}));
    assert_false(away(RULE_ANSWERS_LEAST, 5, (struct view_person){.answers = 5}));
    /* Three of five are 60 %, exactly; nothing of nothing passes. */
    assert_false(away(RULE_GOLD_LEAST, 60, (struct view_person){.gold_right = 3, .gold = 5}));
    assert_true(away(RULE_GOLD_LEAST, 60, (struct view_person){.gold_right = 2, .gold = 5}));
    assert_false(away(RULE_GOLD_LEAST, 60, (struct view_person){.answers = 1}));
    assert_false(away(RULE_NEGATIVE_LEAST, 80, (struct view_person){.neg_right = 4, .neg = 5}));
    assert_true(away(RULE_NEGATIVE_LEAST, 80, (struct view_person){.neg_right = 79, .neg = 99}));
    assert_true(away(RULE_POSITIVE_LEAST, 50, (struct view_person){.pos_right = 1, .pos = 3}));
    assert_false(away(RULE_POSITIVE_LEAST, 50, (struct view_person){.neg_right = 0, .neg = 9}));
    assert_true(away(RULE_RELATIVE_LEAST, -0.2,
                     (struct view_person){.compared = true, .relative = -0.21}));
    assert_false(away(RULE_RELATIVE_LEAST, -0.2, (struct view_person){.relative = -0.9}));
    assert_true(away(RULE_NOT_BLOCKED, 0, (struct view_person){.blocked = true}));
    assert_false(away(RULE_NOT_BLOCKED, 0, (struct view_person){.answers = 1}));
    for (int r = 0; r < VIEW_RULES; r++) {
        bool said = away((enum view_rule)r, 1000, (struct view_person){.answers = 1});
        assert_int_equal(said, r == RULE_ANSWERS_LEAST);
    }
}

/* A filter of what is measured must never be silent, whatever filters come yet. */
TEST(every_rule_states_what_it_looks_at)
{
    struct arena a;
    arena_init(&a, 1 << 16);
    for (int r = 0; r < VIEW_RULES; r++) {
        const struct view_rule_info *info = &view_rule_infos[r];
        const struct view_filter f = {(enum view_rule)r, info->usual, 0};
        assert_true(info->looks >= LOOKS_AT_WORK && info->looks <= LOOKS_AT_ANSWERS);
        assert_int_equal(info->warning != NULL, info->looks == LOOKS_AT_ANSWERS);
        assert_int_equal(view_filter_warning(&f, &a) != NULL, info->warning != NULL);
    }
    const struct view_filter negative = {RULE_NEGATIVE_LEAST, 80, 0}, quick = {RULE_ACTIVE_LEAST, 20, 0};
    assert_non_null(strstr(view_filter_warning(&negative, &a),
                           "people with at least 80 % of negative controls right: "));
    assert_null(view_filter_warning(&quick, &a));
    arena_release(&a);
}

TEST(so_many_votes_of_each_grid)
{
    struct view_rules v;
    struct err err = {0};
    bool out[9], again[9];
    unsigned kept[9] = {0};
    const struct view_filter first = {RULE_FIRST_VOTES, 3, 0}, other = {RULE_ACTIVE_LEAST, 3, 0};
    view_filter_grid(&first, 7, 5, out);
    assert_memory_equal(out, "\0\0\0\1\1", 5);
    view_filter_grid(&first, 7, 2, out);
    assert_memory_equal(out, "\0\0", 2);
    view_filter_grid(&other, 7, 5, out);
    assert_memory_equal(out, "\0\0\0\0\0", 5);
    /* At random: so many, always the same ones, each as likely. */
    for (uint64_t grid = 0; grid < 3000; grid++) {
        const struct view_filter some = {RULE_RANDOM_VOTES, 4, 5};
        unsigned n = 0;
        view_filter_grid(&some, grid, 9, out);
        view_filter_grid(&some, grid, 9, again);
        assert_memory_equal(out, again, 9);
        for (int i = 0; i < 9; i++) {
            n += !out[i];
            kept[i] += !out[i];
        }
        assert_int_equal(n, 4);
    }
    for (int i = 0; i < 9; i++) {
        assert_in_range(kept[i], 1200, 1467); /* of 1333, five standard deviations */
    }
    /* The seed is stored with the filter. */
    struct arena a;
    arena_init(&a, 1 << 16);
    assert_int_equal(view_rules_parse(SV("[{\"rule\": \"random-votes\", \"value\": 4}]"), &v, &err), OK);
    assert_string_equal(view_rules_json(&v, &a), "[{\"rule\": \"random-votes\", \"value\": 4, \"seed\": 1}]");
    assert_int_equal(view_rules_parse(SV("[{\"rule\": \"random-votes\", \"value\": 4, \"seed\": 77}]"), &v, &err), OK);
    assert_int_equal(v.filters[0].seed, 77);
    assert_int_equal(view_rules_parse(SV("[{\"rule\": \"first-votes\", \"value\": 4, \"seed\": 77}]"), &v, &err), ERR_INPUT);
    err_clear(&err);
    assert_int_equal(view_rules_parse(SV("[{\"rule\": \"random-votes\", \"value\": 4, \"seed\": 0.5}]"), &v, &err), ERR_INPUT);
    arena_release(&a);
}
