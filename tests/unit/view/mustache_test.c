/* mustache_test.c - the official specification's core, then what it leaves open: errors with
 * lines, limits, numbers, missing names, indentation inside indentation. */
#include "unit.h"

#include "base/fs.h"
#include "view/mustache.h"

/* Partials by name; compiled when asked for and kept until the end of the test. */
struct parts {
    const json_t *texts; /* object of texts, may be NULL */
    struct mustache *made[64];
    size_t n;
    struct str missing; /* names asked for in vain, each with a space behind */
    bool refuse;        /* a missing name is an error */
};

static const struct mustache *get_part(void *arg, struct sv name)
{
    struct parts *p = arg;
    const json_t *text = json_object_getn(p->texts, name.p, name.n);
    if (!text) {
        return NULL;
    }
    assert_true(p->n < sizeof p->made / sizeof p->made[0]);
    struct err err = {0};
    struct sv source = sv_make(json_string_value(text), json_string_length(text));
    if (mustache_compile(source, &p->made[p->n], &err)) {
        fail_msg("partial: %s", err.msg);
    }
    return p->made[p->n++];
}

static enum err_code note_missing(void *arg, struct sv name, struct err *err)
{
    struct parts *p = arg;
    str_addsv(&p->missing, name);
    str_addc(&p->missing, ' ');
    return p->refuse ? err_set(err, ERR_BUG, "no %.*s", SV_ARG(name)) : OK;
}

static void parts_release(struct parts *p)
{
    for (size_t i = 0; i < p->n; i++) {
        mustache_free(p->made[i]);
    }
    str_release(&p->missing);
}

static enum err_code run(struct sv template_text, const json_t *data, struct parts *parts,
                         struct str *out, struct err *err)
{
    struct mustache *m = NULL;
    enum err_code rc = mustache_compile(template_text, &m, err);
    if (rc) {
        return rc;
    }
    struct mustache_env env = {.partial = get_part, .missing = note_missing, .arg = parts};
    rc = mustache_render(m, data, &env, out, err);
    mustache_free(m);
    return rc;
}

/* Renders with data and partials given as JSON with ' for ". */
static enum err_code render(const char *template_text, const char *data, const char *partials,
                            struct str *out, struct parts *parts, struct err *err)
{
    char text[2][4096];
    const char *sources[2] = {data, partials};
    json_t *values[2];
    for (int k = 0; k < 2; k++) {
        size_t n = strlen(sources[k]);
        assert_true(n < sizeof text[k]);
        for (size_t i = 0; i <= n; i++) {
            text[k][i] = sources[k][i] == '\'' ? '"' : sources[k][i];
        }
        json_error_t why;
        values[k] = json_loads(text[k], JSON_DECODE_ANY, &why);
        if (!values[k]) {
            fail_msg("test data: %s", why.text);
        }
    }
    parts->texts = values[1];
    enum err_code rc = run(sv_of(template_text), values[0], parts, out, err);
    json_decref(values[0]);
    json_decref(values[1]);
    return rc;
}

static void expect(const char *template_text, const char *data, const char *partials,
                   const char *want)
{
    struct str out;
    str_init(&out, 1 << 16);
    struct parts parts = {.missing.max = 4096};
    struct err err = {0};
    if (render(template_text, data, partials, &out, &parts, &err)) {
        fail_msg("%s: %s", template_text, err.msg);
    }
    assert_string_equal(out.n ? out.p : "", want);
    str_release(&out);
    parts_release(&parts);
}

static void expect_error(const char *template_text, const char *data, const char *partials,
                         enum err_code code, const char *part_of_message)
{
    struct str out;
    str_init(&out, 1 << 16);
    struct parts parts = {.missing.max = 4096};
    struct err err = {0};
    assert_int_equal(render(template_text, data, partials, &out, &parts, &err), code);
    assert_int_equal(err.code, code);
    if (!strstr(err.msg, part_of_message)) {
        fail_msg("\"%s\" does not say \"%s\"", err.msg, part_of_message);
    }
    str_release(&out);
    parts_release(&parts);
}

/* --- the specification --- */

/* The one difference we keep: ' is escaped. It appears in no expected text unescaped. */
static void spec_case(const char *file, const json_t *test)
{
    struct str out;
    str_init(&out, 1 << 20);
    struct parts parts = {.texts = json_object_get(test, "partials"), .missing.max = 4096};
    const json_t *text = json_object_get(test, "template");
    const json_t *want = json_object_get(test, "expected");
    struct err err = {0};
    enum err_code rc = run(sv_make(json_string_value(text), json_string_length(text)),
                           json_object_get(test, "data"), &parts, &out, &err);
    if (rc || !sv_eq(str_sv(&out), sv_make(json_string_value(want), json_string_length(want)))) {
        fail_msg("%s, %s: got <%s> %s, expected <%s>", file,
                 json_string_value(json_object_get(test, "name")), out.n ? out.p : "", err.msg,
                 json_string_value(want));
    }
    str_release(&out);
    parts_release(&parts);
}

TEST(the_specification)
{
    static const struct {
        const char *name;
        size_t least; /* a file cut short would pass otherwise */
    } files[] = {{"comments", 12}, {"delimiters", 14}, {"interpolation", 42},
                 {"inverted", 22}, {"partials", 12},   {"sections", 34}};
    const char *golden = getenv("HOLDOUT_GOLDEN");
    if (!golden) {
        print_message("SKIPPED: HOLDOUT_GOLDEN is not set\n");
        skip();
        return;
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/mustache/%s.json", golden, files[i].name);
        json_error_t why;
        json_t *spec = json_load_file(path, 0, &why);
        if (!spec) {
            fail_msg("%s: %s", path, why.text);
        }
        const json_t *tests = json_object_get(spec, "tests");
        assert_true(json_array_size(tests) >= files[i].least);
        for (size_t k = 0; k < json_array_size(tests); k++) {
            spec_case(files[i].name, json_array_get(tests, k));
        }
        json_decref(spec);
    }
}

/* --- values --- */

TEST(scalars_print_as_written)
{
    expect("{{i}} {{r}} {{w}} {{n}} {{t}}{{f}} <{{z}}{{o}}{{a}}>",
           "{'i':-9223372036854775807,'r':1.21,'w':3.0,'n':0.1,'t':true,'f':false,'z':null,"
           "'o':{'x':1},'a':[1]}",
           "{}", "-9223372036854775807 1.21 3 0.1 truefalse <>");
    expect("{{a}} {{b}}", "{'a':1e300,'b':0.30000000000000004}", "{}",
           "1e+300 0.30000000000000004");
}

TEST(escapes_for_attributes)
{
    expect("<a title=\"{{t}}\">{{{t}}}{{&t}}", "{'t':'<&>\\u0027'}", "{}",
           "<a title=\"&lt;&amp;&gt;&#39;\"><&>'<&>'");
    expect("a{{t}}b", "{'t':'caf\xc3\xa9'}", "{}",
           "acaf\xc3\xa9"
           "b");
}

TEST(names_may_wrap)
{
    expect("<b>{{~t}}</b>", "{'t':'random_features-12<_'}", "{}", "<b>random_<wbr>features-<wbr>12&lt;_</b>");
    expect("{{~t}}{{~ i }}", "{'t':'','i':-3}", "{}", "-3");
}

TEST(truth)
{
    const char *all = "{{#v}}yes{{/v}}{{^v}}no{{/v}}";
    expect(all, "{'v':0}", "{}", "yes");
    expect(all, "{'v':''}", "{}", "no");
    expect(all, "{'v':' '}", "{}", "yes");
    expect(all, "{'v':{}}", "{}", "yes");
    expect(all, "{'v':null}", "{}", "no");
    expect(all, "{'v':[false]}", "{}", "yes");
    expect(all, "{}", "{}", "no");
}

TEST(dotted_names_do_not_fall_back)
{
    expect("{{#a}}<{{b.c}}>{{/a}}", "{'a':{'b':{}},'b':{'c':'outer'}}", "{}", "<>");
    expect("{{#a}}<{{c}}>{{/a}}", "{'a':{'b':{}},'c':'outer'}", "{}", "<outer>");
    expect("{{#rows}}{{#.}}{{.}},{{/.}};{{/rows}}", "{'rows':[[1,2],[3]]}", "{}", "1,2,;3,;");
}

TEST(missing_names_are_told)
{
    struct str out;
    str_init(&out, 4096);
    struct parts parts = {.missing.max = 4096};
    struct err err = {0};
    const char *text = "{{a}}{{b}}{{c.d}}{{#e}}x{{/e}}{{^f}}{{/f}}{{#g}}{{h}}{{.}}{{/g}}{{z.y}}";
    assert_int_equal(render(text, "{'b':null,'c':{},'g':'','z':null}", "{}", &out, &parts, &err),
                     OK);
    assert_string_equal(parts.missing.p, "a c.d z.y ");
    parts.refuse = true;
    assert_int_equal(render("{{b}}{{nope}}", "{'b':1}", "{}", &out, &parts, &err), ERR_BUG);
    assert_string_equal(err.msg, "no nope");
    str_release(&out);
    parts_release(&parts);
}

TEST(no_environment_is_fine)
{
    struct mustache *m = NULL;
    struct err err = {0};
    assert_int_equal(mustache_compile(SV("a{{x}}{{> p }}b"), &m, &err), OK);
    struct str out;
    str_init(&out, 64);
    json_t *data = json_object();
    assert_int_equal(mustache_render(m, data, NULL, &out, &err), OK);
    assert_string_equal(out.p, "ab");
    json_decref(data);
    str_release(&out);
    mustache_free(m);
    mustache_free(NULL);
}

/* --- lines --- */

TEST(indentation_adds_up)
{
    expect("a\n  {{>p}}\nb\n", "{'v':'1\\n2'}",
           "{'p':'p\\n{{v}}\\n {{>q}}\\n','q':'q\\n\\n{{v}}!\\n'}",
           "a\n  p\n  1\n2\n   q\n   \n   1\n2!\nb\n");
    expect(" {{>p}}\n", "{'l':[1,2]}", "{'p':'{{#l}}\\n{{.}}\\n{{/l}}\\nend'}", " 1\n 2\n end");
    expect(" {{>p}}\n", "{'l':[1,2]}", "{'p':'{{#l}}{{.}}{{/l}}\\n'}", " 12\n");
    expect(" {{>p}}\n", "{'l':[]}", "{'p':'{{#l}}{{.}}{{/l}}x\\n'}", " x\n");
    expect(" {{>p}}\n", "{}", "{'p':'{{! c }}x\\n{{!alone}}\\ny\\n'}", " x\n y\n");
}

TEST(partials_within_a_line_are_not_indented)
{
    expect(" {{>p}}\n", "{}", "{'p':'1 {{>q}}\\n','q':'a\\nb'}", " 1 a\nb\n");
    expect(" {{>p}}\n", "{}", "{'p':'{{>q}}','q':'a\\nb'}", " a\n b");
    expect(" {{>p}}\n", "{}", "{'p':'{{>q}}.\\n','q':'a\\nb'}", " a\nb.\n");
}

TEST(lone_tags_take_their_line)
{
    expect("{{#a}}\r\nx\r\n{{/a}}\r\ny", "{'a':1}", "{}", "x\r\ny");
    expect("  {{! c\n c }}  \n  {{=<% %>=}}\n<%a%>", "{'a':1}", "{}", "1");
    expect("\t{{#a}} \nx\n\t{{/a}}", "{'a':1}", "{}", "x\n");
    expect("{{#a}}\rx{{/a}}", "{'a':1}", "{}", "\rx");
}

TEST(delimiters_may_be_long)
{
    expect("{{=<!--[ ]-->=}}<!--[a]--><!--[{a}]--><!--[&a]--><!--[={{ }}=]-->{{a}}", "{'a':'&'}",
           "{}", "&amp;&&&amp;");
}

/* --- errors and limits --- */

TEST(mistakes_name_their_line)
{
    expect_error("\n\n a {{b", "{}", "{}", ERR_INPUT, "line 3: this tag is not closed");
    expect_error("{{{b}}", "{}", "{}", ERR_INPUT, "line 1: this tag is not closed");
    expect_error("\n{{#a}}\n\n{{/b}}", "{}", "{}", ERR_INPUT, "line 4: another section is open");
    expect_error("x\n{{/b}}", "{}", "{}", ERR_INPUT, "line 2: no section is open");
    expect_error("x\n{{#b}}\n\n", "{}", "{}", ERR_INPUT, "line 2: this section is not closed");
    expect_error("{{}}", "{}", "{}", ERR_INPUT, "a tag holds one name");
    expect_error("{{a b}}", "{}", "{}", ERR_INPUT, "a tag holds one name");
    expect_error("{{==}}", "{}", "{}", ERR_INPUT, "line 1: ");
    expect_error("{{=a=}}", "{}", "{}", ERR_INPUT, "delimiters");
    expect_error("{{=a b c=}}", "{}", "{}", ERR_INPUT, "delimiters");
    expect_error("{{", "{}", "{}", ERR_INPUT, "not closed");
}

TEST(nesting_is_limited)
{
    struct str text, want;
    str_init(&text, 4096);
    str_init(&want, 4096);
    for (int i = 0; i < MUSTACHE_DEPTH; i++) {
        str_addz(&text, "{{#a}}");
    }
    str_addz(&text, "x");
    for (int i = 0; i < MUSTACHE_DEPTH; i++) {
        str_addz(&text, "{{/a}}");
    }
    expect(text.p, "{'a':1}", "{}", "x");
    str_addz(&want, "{{#a}}");
    str_addz(&want, text.p);
    str_addz(&want, "{{/a}}");
    expect_error(want.p, "{'a':1}", "{}", ERR_INPUT, "nested too deeply");
    str_release(&text);
    str_release(&want);
}

/* A partial that calls itself: compiled once, so that the depth counts and not the test's table. */
static const struct mustache *get_self(void *arg, struct sv name)
{
    (void)name;
    return arg;
}

static enum err_code render_self(const char *text, const char *data, size_t max, struct str *out,
                                 struct err *err)
{
    struct mustache *m = NULL;
    assert_int_equal(mustache_compile(sv_of(text), &m, err), OK);
    struct mustache_env env = {.partial = get_self, .arg = m};
    json_t *value = json_loads(data, 0, NULL);
    assert_non_null(value);
    str_init(out, max);
    enum err_code rc = mustache_render(m, value, &env, out, err);
    json_decref(value);
    mustache_free(m);
    return rc;
}

TEST(recursion_ends)
{
    struct str out;
    struct err err = {0};
    const char *tree = "{\"v\":1,\"kids\":[{\"v\":2,\"kids\":[]},{\"v\":3,\"kids\":[]}]}";
    assert_int_equal(render_self("{{v}}<{{#kids}}{{>me}}{{/kids}}>", tree, 64, &out, &err), OK);
    assert_string_equal(out.p, "1<2<>3<>>");
    str_release(&out);
    assert_int_equal(render_self("x{{>me}}", "{}", 4096, &out, &err), ERR_LIMIT);
    assert_non_null(strstr(err.msg, "nested too deeply"));
    assert_int_equal(out.n, MUSTACHE_DEPTH + 1);
    str_release(&out);
}

TEST(endless_work_is_stopped)
{
    struct str list, text;
    str_init(&list, 1 << 16);
    str_init(&text, 4096);
    str_addz(&list, "{\"a\":[0");
    for (int i = 0; i < 999; i++) {
        str_addz(&list, ",0");
    }
    str_addz(&list, "]}");
    for (int i = 0; i < 6; i++) {
        str_addz(&text, "{{#a}}");
    }
    for (int i = 0; i < 6; i++) {
        str_addz(&text, "{{/a}}");
    }
    struct str out;
    struct err err = {0};
    assert_int_equal(render_self(text.p, list.p, 4096, &out, &err), ERR_LIMIT);
    assert_non_null(strstr(err.msg, "too many parts"));
    str_release(&out);
    str_release(&text);
    str_release(&list);
}

TEST(a_full_buffer_is_an_error)
{
    struct str out;
    struct err err = {0};
    assert_int_equal(render_self("{{#l}}ab{{/l}}", "{\"l\":[1,2,3]}", 5, &out, &err), ERR_LIMIT);
    assert_true(out.n <= 5);
    str_release(&out);
}

TEST(a_long_source_is_refused)
{
    struct mustache *m = NULL;
    struct err err = {0};
    struct sv text = sv_make("", (size_t)MUSTACHE_SOURCE + 1); /* refused before it is read */
    assert_int_equal(mustache_compile(text, &m, &err), ERR_LIMIT);
    assert_null(m);
}
