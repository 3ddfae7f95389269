/* part_file_test.c - part files: what a killed run left is resumed, what is of something else is left alone. */
#include "unit.h"

#include <string.h>

#include "json/object.h"
#include "transfer/core/part_file.h"

#define HEADER "{\"holdout\":\"test\"}\n"

struct seen {
    int n;
    double last;
};

static enum err_code see(void *arg, const json_t *line, struct err *err)
{
    struct seen *s = arg;
    (void)err;
    s->n++;
    s->last = json_number_value(json_object_get(line, "x"));
    return OK;
}

static enum err_code opened(struct part_file *part, const char *path, struct seen *seen)
{
    *part = (struct part_file){.path = path, .digits = 17};
    *seen = (struct seen){0};
    err_clear(&unit_err);
    return part_file_open(part, SV(HEADER), "test", see, seen, &unit_err);
}

static void add(struct part_file *part, double x)
{
    assert_int_equal(part_file_add(part, object(field_real("x", x)), &unit_err), OK);
    assert_int_equal(part_file_flush(part, &unit_err), OK);
}

static const char *content(const char *path)
{
    struct str text;
    str_init(&text, 1 << 16);
    assert_int_equal(fs_read(path, &text, &unit_err), OK);
    const char *out = arena_cstr(&unit_arena, str_sv(&text));
    str_release(&text);
    return out;
}

ARENA_TEST(reading_begins_behind_the_header_and_ends_with_the_last_whole_line)
{
    char *folder = unit_folder();
    struct part_read part;
    json_t *header, *line;
    const char *text = HEADER "{\"x\":1}\n{\"x\":";
    unit_write(folder, "part", text, strlen(text));
    assert_int_equal(part_read_open(&part, fs_join(&unit_arena, folder, "part"), &header, &unit_err), OK);
    assert_string_equal(json_string_value(json_object_get(header, "holdout")), "test");
    json_decref(header);
    assert_int_equal(jsonl_next(&part.lines, &line, &unit_err), OK);
    assert_int_equal(json_integer_value(json_object_get(line, "x")), 1);
    json_decref(line);
    assert_int_equal(jsonl_next(&part.lines, &line, &unit_err), OK);
    assert_null(line);
    part_read_close(&part);

    unit_write(folder, "empty", "", 0);
    assert_int_equal(part_read_open(&part, fs_join(&unit_arena, folder, "empty"), &header, &unit_err), OK);
    assert_null(header);
    part_read_close(&part);
    assert_int_equal(part_read_open(&part, fs_join(&unit_arena, folder, "none"), &header, &unit_err), ERR_NOT_FOUND);
    part_read_close(&part);
    unit_remove(folder);
}

ARENA_TEST(a_file_is_resumed_behind_its_last_whole_line)
{
    char *folder = unit_folder();
    const char *path = fs_join(&unit_arena, folder, "part");
    struct part_file part;
    struct seen seen;
    assert_int_equal(opened(&part, path, &seen), OK);
    add(&part, 0.1);
    add(&part, 1.0 / 3);
    part_file_close(&part);
    const char *whole = content(path);
    assert_int_equal(strncmp(whole, HEADER, strlen(HEADER)), 0);
    assert_int_equal(opened(&part, path, &seen), OK);
    assert_true(seen.n == 2 && seen.last == 1.0 / 3);
    part_file_close(&part);
    assert_string_equal(content(path), whole);

    const char *cut = arena_printf(&unit_arena, "%s{\"x\":4", whole);
    unit_write(folder, "cut", cut, strlen(cut));
    assert_int_equal(opened(&part, fs_join(&unit_arena, folder, "cut"), &seen), OK);
    assert_int_equal(seen.n, 2);
    part_file_close(&part);
    assert_string_equal(content(fs_join(&unit_arena, folder, "cut")), whole);

    unit_write(folder, "begun", HEADER, 5);
    assert_int_equal(opened(&part, fs_join(&unit_arena, folder, "begun"), &seen), OK);
    assert_int_equal(seen.n, 0);
    part_file_close(&part);
    assert_string_equal(content(fs_join(&unit_arena, folder, "begun")), HEADER);
    unit_remove(folder);
}

ARENA_TEST(another_file_is_left_alone)
{
    char *folder = unit_folder();
    struct part_file part;
    struct seen seen;
    static const char other[] = "{\"holdout\":\"other\"}\n{\"x\":1}\n", broken[] = HEADER "nothing\n";
    unit_write(folder, "other", other, strlen(other));
    unit_write(folder, "broken", broken, strlen(broken));
    assert_int_equal(opened(&part, fs_join(&unit_arena, folder, "other"), &seen), ERR_CONFLICT);
    assert_string_equal(unit_err.rule, "part-differs");
    assert_string_equal(content(fs_join(&unit_arena, folder, "other")), other);
    assert_int_equal(opened(&part, fs_join(&unit_arena, folder, "broken"), &seen), ERR_INPUT);
    err_clear(&unit_err);
    assert_string_equal(content(fs_join(&unit_arena, folder, "broken")), broken);
    unit_remove(folder);
}

TEST(numbers_of_parts)
{
    uint32_t part, parts;
    assert_true(part_number(SV("3/8"), &part, &parts) && part == 2 && parts == 8);
    assert_true(part_number(SV("1/1"), &part, &parts) && part == 0 && parts == 1);
    static const char *const wrong[] = {"", "3", "0/8", "9/8", "1/0", "1/100001", "a/b", "-1/8", "1/8/9"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(part_number(sv_of(wrong[i]), &part, &parts));
    }
}
