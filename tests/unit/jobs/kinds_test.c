/* kinds_test.c - what a request may give a job, and that the commands take what the table says. */
#include "unit.h"

#include "cli/core/commands.h"
#include "jobs/kinds.h"

/* Up to three pairs; NULL ends them. */
static enum err_code arguments(const char *kind, const char *const *pairs, struct sv *out)
{
    struct job_given given[4];
    size_t n = 0;
    for (; pairs[2 * n]; n++) {
        given[n] = (struct job_given){sv_of(pairs[2 * n]), sv_of(pairs[2 * n + 1])};
    }
    const struct job_kind *k = job_kind_find(sv_of(kind));
    assert_non_null(k);
    err_clear(&unit_err);
    return job_arguments(k, given, n, &unit_arena, out, &unit_err);
}

#define GIVE(...) (const char *const[]){__VA_ARGS__, NULL}

static void takes(const char *kind, const char *const *pairs, const char *json)
{
    struct sv out;
    assert_int_equal(arguments(kind, pairs, &out), OK);
    assert_string_equal(out.p, json);
}

static void refuses(const char *kind, const char *const *pairs, const char *rule)
{
    struct sv out;
    assert_int_equal(arguments(kind, pairs, &out), ERR_INPUT);
    assert_string_equal(unit_err.rule, rule);
}

ARENA_TEST(the_same_job_is_the_same_text)
{
    const char *json = "[\"--model\",\"resnet50\",\"--set\",\"originals/3\"]";
    takes("predict", GIVE("model", "resnet50", "set", "originals/3"), json);
    takes("predict", GIVE("set", "originals/3", "model", "resnet50"), json);
    takes("model add", GIVE("name", "m", "file", "r/m.onnx"), "[\"DIR/models/r/m.onnx\",\"--name\",\"m\"]");
    takes("export set", GIVE("format", "folder", "set", "v2/3", "pool", "true"),
          "[\"v2/3\",\"--format\",\"folder\",\"--pool\"]");
}

ARENA_TEST(what_is_not_listed_is_refused)
{
    assert_null(job_kind_find(SV("serve")));
    assert_null(job_kind_find(SV("")));
    refuses("predict", GIVE("model", "m", "output", "f"), "job-option");
    refuses("predict", GIVE("model", "m", "model", "n"), "job-option");
    refuses("predict", GIVE("model", "m", "\xff", "n"), "job-option");
    refuses("predict", GIVE("set", "a"), "job-option-missing");
    refuses("predict", GIVE("model", "--all"), "job-value");
    refuses("predict", GIVE("model", "m", "set", "a/b"), "job-value");
    refuses("predict", GIVE("model", "m", "set", "-a"), "job-value");
    refuses("predict", GIVE("model", "m", "role", ""), "job-value");
    refuses("predict", GIVE("model", "m", "role", "original candidate"), "job-value");
    refuses("predict", GIVE("model", "m", "threads", "99999999999999999999"), "job-value");
    refuses("model add", GIVE("name", "m", "file", "../m"), "job-value");
    refuses("export set", GIVE("set", "--output", "format", "folder"), "job-value");
    refuses("export set", GIVE("set", "v2", "format", "folder", "output", "/etc"), "job-option");
    refuses("model add", GIVE("name", "m", "file", "a/./m"), "job-value");
    refuses("model add", GIVE("name", "m", "file", "m", "note", "-n"), "job-value");
    refuses("model add", GIVE("name", "m", "file", "m", "note", "a\tb"), "job-value");
}

ARENA_TEST(words_and_commands)
{
    const char **words;
    size_t n;
    struct sv json;
    assert_int_equal(arguments("model add", GIVE("file", "a b.onnx", "name", "m", "note", "it's"), &json), OK);
    assert_int_equal(job_words(json, "/srv/project", &unit_arena, &words, &n, &unit_err), OK);
    assert_int_equal(n, 5);
    assert_string_equal(words[0], "/srv/project/models/a b.onnx");
    assert_string_equal(words[4], "it's");
    assert_null(words[5]);
    assert_string_equal(job_command(SV("model add"), json, &unit_arena),
                        "holdout model add DIR 'DIR/models/a b.onnx' --name m --note 'it'\\''s'");
    /* Only the first word is a file's place. */
    takes("predict", GIVE("model", "m", "set", "DIR/7"), "[\"--model\",\"m\",\"--set\",\"DIR/7\"]");
    assert_int_equal(arguments("predict", GIVE("model", "m", "set", "DIR/7"), &json), OK);
    assert_int_equal(job_words(json, "/srv", &unit_arena, &words, &n, &unit_err), OK);
    assert_string_equal(words[3], "DIR/7");
    /* And what follows the option of an upload. */
    takes("potential freeze", GIVE("name", "DIR", "set", "s", "labels", "s-1.csv"), "[\"--name\",\"DIR\",\"--set\",\"s\",\"--labels\",\"DIR/uploads/s-1.csv\"]");
    takes("import labels", GIVE("upload", "s-1.labels", "name", "s", "replace", "true"), "[\"DIR/uploads/s-1.labels\",\"--name\",\"s\",\"--replace\"]");
    refuses("import labels", GIVE("upload", "../s.labels", "name", "s"), "job-value");
    refuses("import labels", GIVE("name", "s"), "job-option-missing");
    refuses("potential freeze", GIVE("name", "n", "set", "s", "labels", "../s.csv"), "job-value");
    assert_int_equal(arguments("potential freeze", GIVE("name", "n", "models", "DIR/uploads/x", "labels", "s.csv"), &json), OK);
    assert_int_equal(job_words(json, "/srv", &unit_arena, &words, &n, &unit_err), OK);
    assert_string_equal(words[3], "DIR/uploads/x");
    assert_string_equal(words[5], "/srv/uploads/s.csv");
    static const char *const broken[] = {"", "{}", "[1]", "[", "\"x\""};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        err_clear(&unit_err);
        assert_int_equal(job_words(sv_of(broken[i]), "d", &unit_arena, &words, &n, &unit_err), ERR_BUG);
    }
}

ARENA_TEST(titles)
{
    const struct job_kind *k = job_kind_find(SV("predict"));
    struct job_given given[] = {{SV("model"), SV("m")}, {SV("set"), SV("s")}};
    assert_string_equal(job_title(k, given, 2, &unit_arena), "Predictions of m on s");
    assert_string_equal(job_title(k, given, 1, &unit_arena), "Predictions of m on all images");
    given[1] = (struct job_given){SV("class"), SV("n1")};
    assert_string_equal(job_title(k, given, 2, &unit_arena), "Predictions of m on the class n1");
    given[0].name = SV("name");
    assert_string_equal(job_title(job_kind_find(SV("train")), given, 1, &unit_arena), "Train m");
    given[0] = (struct job_given){SV("set"), SV("v2/3")};
    assert_string_equal(job_title(job_kind_find(SV("export set")), given, 1, &unit_arena), "Export v2/3");
    given[0] = (struct job_given){SV("metric"), SV("l2")};
    assert_string_equal(job_title(job_kind_find(SV("neighbors")), given, 1, &unit_arena), "Search by l2");
    assert_string_equal(job_title(job_kind_find(SV("neighbors")), given, 0, &unit_arena), "neighbors");
}

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < commands_count; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

static const struct cli_option *find_option(const struct command *c, const char *name)
{
    for (size_t i = 0; i < CLI_OPTIONS && c->options[i].name; i++) {
        if (strcmp(c->options[i].name, name) == 0) {
            return &c->options[i];
        }
    }
    return NULL;
}

ARENA_TEST(commands_take_what_the_table_says)
{
    for (size_t i = 0; i < job_kinds_count; i++) {
        const struct job_kind *k = &job_kinds[i];
        const struct command *c = find_command(k->name);
        assert_true(i == 0 || strcmp(job_kinds[i - 1].name, k->name) < 0);
        assert_non_null(c);
        assert_non_null(find_option(c, "job"));
        for (size_t j = 0; j < JOB_OPTIONS && k->options[j].name; j++) {
            const struct cli_option *o = find_option(c, k->options[j].name);
            bool labels = strcmp(k->options[j].name, "labels") == 0; /* an upload is an option's value */
            bool file = (k->options[j].form == JOB_VALUE_FILE && !labels) || k->options[j].argument;
            assert_true(file ? j == 0 && c->least == 2 : o != NULL);
            assert_true(file || (o->value != NULL) == (k->options[j].form != JOB_VALUE_SWITCH));
        }
    }
}
