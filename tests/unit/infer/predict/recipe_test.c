/* recipe_test.c - defaults, every member, every way to get one wrong, and that what is stored reads back as itself. */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "infer/predict/recipe.h"

struct world {
    char *folder;
    struct arena arena;
};

static int open_world(void **state)
{
    static struct world w;
    w.folder = unit_folder();
    arena_init(&w.arena, 16 << 20);
    *state = &w;
    return 0;
}

static int close_world(void **state)
{
    struct world *w = *state;
    unit_remove(w->folder);
    arena_release(&w->arena);
    return 0;
}

TESTS_SHARE(open_world, close_world)

static enum err_code read_text(struct world *w, const char *text, int64_t side, struct recipe *out, struct err *err)
{
    unit_write(w->folder, "m.json", text, strlen(text));
    return recipe_read(fs_join(&w->arena, w->folder, "m.json"), side, false, &w->arena, out, err);
}

static struct recipe good(struct world *w, const char *text, int64_t side)
{
    struct recipe r;
    struct err err = {0};
    if (read_text(w, text, side, &r, &err) != OK) {
        fail_msg("%s: %s", text, err.msg);
    }
    return r;
}

TEST(defaults)
{
    struct world *w = *state;
    struct recipe r;
    struct err err = {0};
    assert_int_equal(recipe_read(fs_join(&w->arena, w->folder, "none.json"), 0, false, &w->arena, &r, &err), OK);
    assert_int_equal(r.preprocess.resize, 256);
    assert_int_equal(r.preprocess.crop, 224);
    assert_true(r.softmax && !r.labels && !r.features && !r.preprocess.exact && !r.preprocess.bgr);
    assert_true(r.preprocess.mean[0] == 0.485F && r.preprocess.std[2] == 0.225F && r.preprocess.scale == 255);
    assert_string_equal(r.canonical,
                        "{\"channels\":\"rgb\",\"crop\":224,\"exact\":false,\"features\":null,\"filter\":\"bilinear\","
                        "\"labels\":null,\"mean\":[0.485,0.456,0.406],\"resize\":256,\"scale\":255.0,\"softmax\":true,"
                        "\"std\":[0.229,0.224,0.225]}");
    assert_int_equal(recipe_read(NULL, 299, true, &w->arena, &r, &err), OK);
    assert_int_equal(r.preprocess.resize, 342);
    assert_int_equal(r.preprocess.crop, 299);
    assert_false(r.softmax);
}

TEST(sizes_stand_for_each_other)
{
    static const struct {
        const char *text;
        int64_t side;
        uint32_t resize, crop;
        bool exact;
    } cases[] = {{"{\"crop\": 192}", 0, 219, 192, false},  {"{\"resize\": 232}", 0, 232, 224, false},
                 {"{\"crop\": 0}", 32, 0, 32, true},       {"{\"resize\": 0}", 32, 0, 32, false},
                 {"{\"exact\": true}", 32, 0, 32, true},   {"{\"resize\": 40, \"crop\": 32}", 32, 40, 32, false},
                 {"{\"resize\": 0, \"crop\": 0}", 96, 0, 96, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct recipe r = good(*state, cases[i].text, cases[i].side);
        assert_int_equal(r.preprocess.resize, cases[i].resize);
        assert_int_equal(r.preprocess.crop, cases[i].crop);
        assert_int_equal(r.preprocess.exact, cases[i].exact);
    }
}

TEST(every_member_reads_back)
{
    struct world *w = *state;
    static const char text[] =
        "{\"resize\": 300, \"crop\": 280, \"filter\": \"lanczos\", \"mean\": [0.1, 0, -1], \"std\": [1, 0.3333333, 2e-5],"
        " \"scale\": 1, \"channels\": \"bgr\", \"labels\": [\"n00000002\", \"\\u00e9\"], \"features\": \"pool/out\","
        " \"softmax\": false}";
    struct recipe a = good(w, text, 0), b;
    struct err err = {0};
    assert_int_equal(recipe_parse(a.canonical, &w->arena, &b, &err), OK);
    assert_string_equal(a.canonical, b.canonical);
    assert_int_equal(b.preprocess.filter, FILTER_LANCZOS);
    assert_memory_equal(a.preprocess.mean, b.preprocess.mean, sizeof a.preprocess.mean);
    assert_memory_equal(a.preprocess.std, b.preprocess.std, sizeof a.preprocess.std);
    assert_true(b.preprocess.bgr && b.preprocess.scale == 1 && !b.softmax);
    assert_int_equal(b.n_labels, 2);
    assert_string_equal(b.labels[1], "\xc3\xa9");
    assert_string_equal(b.features, "pool/out");
}

TEST(labels_in_a_file)
{
    struct world *w = *state;
    static const char names[] = "n01\r\nn02\n n03 \n\n";
    unit_write(w->folder, "names.txt", names, sizeof names - 1);
    struct recipe r = good(w, "{\"labels\": \"names.txt\"}", 0);
    assert_int_equal(r.n_labels, 3);
    assert_string_equal(r.labels[0], "n01");
    assert_string_equal(r.labels[2], "n03");
    static const char hole[] = "n01\n\nn02\n";
    unit_write(w->folder, "names.txt", hole, sizeof hole - 1);
    struct err err = {0};
    assert_int_equal(read_text(w, "{\"labels\": \"names.txt\"}", 0, &r, &err), ERR_INPUT);
    assert_non_null(strstr(err.msg, "label 2"));
}

TEST(mistakes_are_named)
{
    static const struct {
        const char *text, *says;
        int64_t side;
    } cases[] = {
        {"[]", "is a JSON object", 0},
        {"{", "not JSON", 0},
        {"{\"crop\": 1, \"crop\": 2}", "not JSON", 0},
        {"{\"colour\": 1}", "\"colour\"", 0},
        {"{\"crop\": 2.5}", "\"crop\"", 0},
        {"{\"crop\": -1}", "\"crop\"", 0},
        {"{\"crop\": 4000}", "\"crop\"", 0},
        {"{\"crop\": 0}", "\"crop\"", 0},
        {"{\"crop\": 100}", "takes images of 224 x 224", 224},
        {"{\"resize\": \"256\"}", "\"resize\"", 0},
        {"{\"resize\": 40, \"exact\": true}", "\"resize\"", 0},
        {"{\"exact\": 1}", "\"exact\"", 0},
        {"{\"filter\": \"box\"}", "\"filter\"", 0},
        {"{\"channels\": \"gray\"}", "\"channels\"", 0},
        {"{\"mean\": [1, 2]}", "\"mean\"", 0},
        {"{\"mean\": [1, 2, 1e30]}", "\"mean\"", 0},
        {"{\"std\": [1, 1, 0]}", "\"std\"", 0},
        {"{\"std\": 1}", "\"std\"", 0},
        {"{\"scale\": 0}", "\"scale\"", 0},
        {"{\"softmax\": \"yes\"}", "\"softmax\"", 0},
        {"{\"features\": \"\"}", "\"features\"", 0},
        {"{\"features\": 3}", "\"features\"", 0},
        {"{\"labels\": []}", "\"labels\"", 0},
        {"{\"labels\": 3}", "\"labels\"", 0},
        {"{\"labels\": [1]}", "\"labels\"", 0},
        {"{\"labels\": [\"a\", \"a\"]}", "appears twice", 0},
        {"{\"labels\": [\"\"]}", "label 1", 0},
        {"{\"labels\": \"missing.txt\"}", "missing.txt", 0},
        {"{\"labels\": \"../names.txt\"}", "\"labels\"", 0},
        {"{\"labels\": \".\"}", "\"labels\"", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct recipe r;
        struct err err = {0};
        if (read_text(*state, cases[i].text, cases[i].side, &r, &err) == OK) {
            fail_msg("accepted: %s", cases[i].text);
        }
        if (!strstr(err.msg, cases[i].says)) {
            fail_msg("%s: \"%s\" says nothing of %s", cases[i].text, err.msg, cases[i].says);
        }
    }
    struct recipe r;
    struct err err = {0};
    assert_int_equal(read_text(*state, "{}", 100000, &r, &err), ERR_INPUT);
}

TEST(filters)
{
    static const char *const words[] = {"bilinear", "bicubic", "nearest", "lanczos"};
    enum preprocess_filter f;
    for (int i = 0; i < 4; i++) {
        assert_true(recipe_filter(sv_of(words[i]), &f));
        assert_int_equal(f, i);
    }
    assert_false(recipe_filter(SV("Bilinear"), &f));
    assert_false(recipe_filter(SV(""), &f));
}
