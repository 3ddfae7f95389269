/* sample_ask_test.c - requests to sample as JSON and back, thresholds from files, and what is
 * refused. */
#include "unit.h"

#include <string.h>

#include "base/xalloc.h"
#include "sets/sampling/sample.h"

static const char *text_of(const struct sample_ask *ask)
{
    json_t *json = sample_ask_json(ask);
    char *text = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS);
    const char *kept = arena_strdup(&unit_arena, text);
    free(text);
    json_decref(json);
    return kept;
}

static enum err_code read_text(const char *text, struct sample_ask *out)
{
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    enum err_code rc = sample_ask_read(json, &unit_arena, out, &unit_err);
    json_decref(json);
    return rc;
}

/* What was said comes back, and is said the same again. */
static struct sample_ask again(const struct sample_ask *ask)
{
    struct sample_ask out;
    const char *text = text_of(ask);
    if (read_text(text, &out) != OK) {
        fail_msg("%s: %s", text, unit_err.msg);
    }
    assert_string_equal(text_of(&out), text);
    return out;
}

ARENA_TEST(everything_comes_back)
{
    struct sample_threshold own[] = {{SV("n1"), .6}, {SV("n2"), 1}};
    struct sample_ask ask = {.rules = sample_rules_usual(SAMPLE_THRESHOLD),
                             .set = SV("s"),
                             .parent = SV("s/3"),
                             .own = own,
                             .n_own = 2};
    ask.rules.threshold = .65;
    ask.rules.size = 7;
    ask.rules.seed = (UINT64_C(1) << 53) - 1;
    ask.pool = (struct pool_ask){.view = SV("strict"),
                                 .uploader_most = 2,
                                 .event_most = 1,
                                 .flags_to_quarantine = 5,
                                 .newest_class = INT64_C(1) << 40,
                                 .picked_only = true,
                                 .targets = {{"l2", 1}, {"fc7", 2}, {"dssim", .5}},
                                 .n_targets = 3};
    struct sample_ask out = again(&ask);
    assert_true(out.rules.strategy == SAMPLE_THRESHOLD && out.rules.size == 7 &&
                out.rules.seed == ask.rules.seed);
    assert_true(out.rules.threshold > .649 && out.rules.threshold < .651 && out.n_own == 2);
    assert_true(sv_is(out.own[0].wnid, "n1") && out.own[1].threshold > .999);
    assert_true(sv_is(out.set, "s") && sv_is(out.parent, "s/3") && sv_is(out.pool.view, "strict"));
    assert_true(out.pool.uploader_most == 2 && out.pool.event_most == 1 && out.pool.flags_to_quarantine == 5);
    assert_true(out.pool.newest_class == INT64_C(1) << 40);
    assert_true(out.pool.picked_only && out.pool.n_targets == 3 && out.pool.targets[2].threshold > .49 &&
                out.pool.targets[0].threshold < 1.1);

    ask = (struct sample_ask){.rules = sample_rules_usual(SAMPLE_MATCHED)};
    ask.rules.upward = true;
    ask.rules.originals_least = 3;
    ask.rules.original_answers_least = 4;
    ask.rules.answers_least = 5;
    out = again(&ask);
    assert_memory_equal(&out.rules.originals_least, &ask.rules.originals_least,
                        sizeof out.rules.originals_least);
    assert_true(out.rules.upward && out.rules.original_answers_least == 4 &&
                out.rules.answers_least == 5);
    assert_true(out.set.n == 0 && out.pool.view.n == 0 && out.n_own == 0);

    ask = (struct sample_ask){.rules = sample_rules_usual(SAMPLE_KEYWORD)};
    ask.rules.together = true;
    ask.rules.keywords_most = 9;
    out = again(&ask);
    assert_true(out.rules.together && out.rules.keywords_most == 9);
}

ARENA_TEST(what_is_left_out_is_usual)
{
    struct sample_ask out;
    assert_int_equal(read_text("{\"strategy\":\"matched\"}", &out), OK);
    struct sample_rules usual = sample_rules_usual(SAMPLE_MATCHED);
    assert_true(out.rules.size == usual.size && out.rules.answers_least == usual.answers_least &&
                out.rules.originals_least == usual.originals_least && !out.rules.upward &&
                out.rules.seed == 0);
}

static void refuses(const char *text, const char *named)
{
    struct sample_ask out;
    err_clear(&unit_err);
    if (read_text(text, &out) != ERR_INPUT || strcmp(unit_err.rule, "sample-parameters") != 0 ||
        !strstr(unit_err.msg, named)) {
        fail_msg("%s: %s %s", text, unit_err.rule, unit_err.msg);
    }
}

ARENA_TEST(what_is_refused)
{
    refuses("{}", "strategy");
    refuses("[]", "strategy");
    refuses("{\"strategy\":1}", "strategy");
    refuses("{\"strategy\":\"best\"}", "strategy");
    refuses("{\"strategy\":\"top\",\"size\":-1}", "size");
    refuses("{\"strategy\":\"top\",\"size\":1.5}", "size");
    refuses("{\"strategy\":\"top\",\"size\":9999999999}", "size");
    refuses("{\"strategy\":\"top\",\"seed\":9007199254740993}", "seed");
    refuses("{\"strategy\":\"top\",\"answers\":\"10\"}", "answers");
    refuses("{\"strategy\":\"top\",\"picked\":1}", "picked");
    refuses("{\"strategy\":\"top\",\"set\":\"\"}", "set");
    refuses("{\"strategy\":\"top\",\"view\":3}", "view");
    refuses("{\"strategy\":\"top\",\"colour\":3}", "colour");
    refuses("{\"strategy\":\"threshold\",\"threshold\":\".7\"}", "threshold");
    refuses("{\"strategy\":\"threshold\",\"thresholds\":[]}", "thresholds");
    refuses("{\"strategy\":\"threshold\",\"thresholds\":{\"n1\":1.1}}", "n1");
    refuses("{\"strategy\":\"top\",\"review_targets\":{\"l2\":\"1\"}}", "review_targets");
    refuses("{\"strategy\":\"top\",\"review_targets\":{\"l2\":-1}}", "review_targets");
    refuses("{\"strategy\":\"top\",\"review_targets\":[1]}", "review_targets");
    refuses("{\"strategy\":\"top\",\"hide\":-1}", "hide");
}

static enum err_code thresholds(const char *text, struct sample_ask *out)
{
    *out = (struct sample_ask){0};
    err_clear(&unit_err);
    return sample_thresholds_read(sv_of(text), "t.csv", &unit_arena, out, &unit_err);
}

ARENA_TEST(thresholds_of_classes)
{
    struct sample_ask out;
    assert_int_equal(thresholds("wnid,threshold\nn1,.6\nn2, 1 \n", &out), OK);
    assert_true(out.n_own == 2 && sv_is(out.own[1].wnid, "n2") && out.own[1].threshold > .99);
    assert_int_equal(thresholds("threshold,note,wnid\n0,x,n3\n", &out), OK);
    assert_true(out.n_own == 1 && sv_is(out.own[0].wnid, "n3") && out.own[0].threshold < .01);
    assert_int_equal(thresholds("wnid,threshold\n", &out), OK);
    assert_int_equal(out.n_own, 0);
    assert_int_equal(thresholds(" {\"n1\": 0.6}\n", &out), OK);
    assert_true(out.n_own == 1 && sv_is(out.own[0].wnid, "n1"));
    const char *const bad[] = {"wnid\nn1\n",
                               "wnid,threshold\nn1,1.01\n",
                               "wnid,threshold\nn1,nan\n",
                               "wnid,threshold\nn1,\n",
                               "wnid,threshold\nn1,.5\nn1,.5\n",
                               "{\"n1\": 1, \"n1\": 1}",
                               "{\"n1\": -1}",
                               "{",
                               ""};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (thresholds(bad[i], &out) != ERR_INPUT) {
            fail_msg("taken: %s", bad[i]);
        }
    }
}
