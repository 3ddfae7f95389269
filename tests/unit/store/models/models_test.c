/* models_test.c - a model is added once under its name, goes and comes back, and every change is an event. */
#include "unit.h"

#include <string.h>

#include "store/models/models.h"
#include "temp_project.h"

static struct model_row onnx(const char *name, char content)
{
    struct model_row m = {.name = sv_of(name), .kind = SV("onnx"), .file = SV("a.onnx"), .bytes = 1000,
                          .recipe = SV("{\"crop\":224}"), .facts = SV("{}"), .note = SV("first")};
    memset(m.hash, content, sizeof m.hash);
    return m;
}

static int64_t put(struct temp_project *t, struct model_row m, bool expected)
{
    bool added = !expected;
    assert_int_equal(models_put(t->db, &m, 0, 1000, &added, &t->err), OK);
    assert_int_equal(added, expected);
    return m.id;
}

PROJECT_TEST(put_is_idempotent)
{
    struct temp_project *t = *state;
    int64_t id = put(t, onnx("resnet", 'a'), true);
    int64_t events = temp_int(t, "SELECT count(*) FROM event");
    assert_int_equal(put(t, onnx("resnet", 'a'), false), id);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event"), events);
    struct model_row found, other = onnx("resnet", 'b'), recipe = onnx("resnet", 'a');
    bool added;
    assert_int_equal(models_find(t->db, SV("resnet"), &t->arena, &found, &t->err), OK);
    assert_memory_equal(found.hash, onnx("", 'a').hash, MODEL_HASH);
    assert_true(sv_is(found.file, "a.onnx") && sv_is(found.note, "first") && found.bytes == 1000 && !found.removed);
    assert_int_equal(models_put(t->db, &other, 0, 1, &added, &t->err), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "model-differs");
    recipe.recipe = SV("{\"crop\":225}");
    assert_int_equal(models_put(t->db, &recipe, 0, 1, &added, &t->err), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "model-differs");
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event"), events);
}

PROJECT_TEST(imports_have_no_file)
{
    struct temp_project *t = *state;
    struct model_row m = {.name = SV("paper"), .kind = SV("import")}, found;
    put(t, m, true);
    put(t, m, false);
    assert_int_equal(models_find(t->db, SV("paper"), &t->arena, &found, &t->err), OK);
    assert_true(found.file.n == 0 && found.bytes == 0 && found.recipe.n == 0 && sv_is(found.kind, "import"));
    struct model_row file = onnx("paper", 'a');
    bool added;
    assert_int_equal(models_put(t->db, &file, 0, 1, &added, &t->err), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "model-differs");
}

static void expect_names(struct temp_project *t, bool removed_too, const char *names)
{
    struct model_row *list;
    size_t n;
    assert_int_equal(models_list(t->db, removed_too, &t->arena, &list, &n, &t->err), OK);
    const char *all = "";
    for (size_t i = 0; i < n; i++) {
        all = arena_printf(&t->arena, "%s%s%s ", all, list[i].name.p, list[i].removed ? "*" : "");
    }
    assert_string_equal(all, names);
}

static void expect_named(struct temp_project *t, struct sv asked, const char *names)
{
    struct model_row *list;
    size_t n;
    assert_int_equal(models_named(t->db, asked, &t->arena, &list, &n, &t->err), OK);
    const char *all = "";
    for (size_t i = 0; i < n; i++) {
        all = arena_printf(&t->arena, "%s%s ", all, list[i].name.p);
    }
    assert_string_equal(all, names);
}

PROJECT_TEST(named)
{
    struct temp_project *t = *state;
    struct model_row *list;
    size_t n;
    expect_named(t, SV(""), "");
    int64_t gone = put(t, onnx("c", 'c'), true);
    put(t, onnx("b", 'b'), true);
    put(t, onnx("a", 'a'), true);
    models_remove(t->db, gone, SV("why"), 0, 1, &t->err);
    expect_named(t, SV(" "), "a b ");
    expect_named(t, SV("b, a,b"), "b a ");
    expect_named(t, SV("a"), "a ");
    const struct sv wrong[] = {SV("a,none"), SV("c"), SV("a,,b"), SV(",")};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(models_named(t->db, wrong[i], &t->arena, &list, &n, &t->err), ERR_NOT_FOUND);
        temp_clear(t, ERR_NOT_FOUND, "model");
    }
}

PROJECT_TEST(removed_and_back)
{
    struct temp_project *t = *state;
    int64_t a = put(t, onnx("b", 'b'), true);
    put(t, onnx("a", 'a'), true);
    expect_names(t, false, "a b ");
    for (int round = 0; round < 2; round++) {
        assert_int_equal(models_remove(t->db, a, SV("why"), 0, 5, &t->err), OK);
        assert_int_equal(models_remove(t->db, a, SV("again"), 0, 5, &t->err), OK);
        expect_names(t, false, "a ");
        expect_names(t, true, "a b* ");
        assert_int_equal(put(t, onnx("b", 'b'), true), a);
        expect_names(t, false, "a b ");
    }
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'model.remove'"), 2);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'model.restore'"), 2);
    assert_int_equal(models_remove(t->db, 999999, SV(""), 0, 5, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "model");
}

PROJECT_TEST(notes)
{
    struct temp_project *t = *state;
    struct model_row found;
    int64_t id = put(t, onnx("a", 'a'), true);
    assert_int_equal(models_note(t->db, id, SV("second"), 0, 5, &t->err), OK);
    assert_int_equal(models_find(t->db, SV("a"), &t->arena, &found, &t->err), OK);
    assert_true(sv_is(found.note, "second"));
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'model.note'"), 1);
    assert_int_equal(models_note(t->db, id + 1000, SV("x"), 0, 5, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "model");
    char *large = arena_calloc(&t->arena, 1, 5001);
    memset(large, 'x', 5000);
    assert_int_equal(models_note(t->db, id, sv_of(large), 0, 5, &t->err), ERR_INPUT);
    temp_clear(t, ERR_INPUT, "model-text");
    assert_int_equal(models_note(t->db, id, SV("\xff"), 0, 5, &t->err), ERR_INPUT);
    temp_clear(t, ERR_INPUT, "model-text");
}

PROJECT_TEST(unknown_names_what_there_is)
{
    struct temp_project *t = *state;
    struct model_row found;
    assert_int_equal(models_find(t->db, SV("x"), &t->arena, &found, &t->err), ERR_NOT_FOUND);
    assert_non_null(strstr(t->err.msg, "model add"));
    temp_clear(t, ERR_NOT_FOUND, "model");
    put(t, onnx("one", '1'), true);
    put(t, onnx("two", '2'), true);
    assert_int_equal(models_find(t->db, SV("x"), &t->arena, &found, &t->err), ERR_NOT_FOUND);
    assert_non_null(strstr(t->err.msg, "Choose one of: one, two."));
    temp_clear(t, ERR_NOT_FOUND, "model");
}

PROJECT_TEST(names)
{
    struct temp_project *t = *state;
    static const char *const bad[] = {"", ".hidden", "@words", "a b", "a/b", "\xc3\xa9", "a\n",
                                      "0123456789012345678901234567890123456789012345678901234567890123"};
    assert_int_equal(model_name_check(SV("Res-Net_50.v2"), &t->err), OK);
    assert_int_equal(model_name_check(SV("clip@words"), &t->err), OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct model_row m = onnx(bad[i], 'a');
        bool added;
        assert_int_equal(models_put(t->db, &m, 0, 1, &added, &t->err), ERR_INPUT);
        temp_clear(t, ERR_INPUT, "model-name");
    }
}
