/* strings_test.c - catalogues: every language says what English says, with the same places. */
#include "unit.h"

#include <string.h>

#include "view/strings.h"

static struct strings *texts;

static int open_all(void **state)
{
    (void)state;
    struct err err = {OK, "", ""};
    return strings_open(&texts, &err) == OK ? 0 : -1;
}

static int close_all(void **state)
{
    (void)state;
    strings_close(texts);
    return 0;
}

TESTS_SHARE(open_all, close_all)

/* The next "{name}" in text from *at on; false at the end. */
static bool next_place(const char **at, struct sv *place)
{
    const char *open = strchr(*at, '{');
    const char *end = open ? strchr(open, '}') : NULL;
    if (!end) {
        return false;
    }
    *place = sv_make(open, (size_t)(end - open) + 1);
    *at = end + 1;
    return true;
}

/* Every place of `a` stands in `b` too. */
static void same_places(const char *key, const char *a, const char *b)
{
    struct sv place;
    for (const char *at = a; next_place(&at, &place);) {
        if (!memmem(b, strlen(b), place.p, place.n)) {
            fail_msg("%s: %.*s stands in one language only", key, SV_ARG(place));
        }
    }
}

static void compare(json_t *en, json_t *other, const char *code)
{
    const char *key;
    json_t *text;
    assert_int_equal(json_object_size(en), json_object_size(other));
    json_object_foreach(en, key, text) {
        json_t *theirs = json_object_get(other, key);
        if (!theirs) {
            fail_msg("%s: %s is missing", code, key);
        }
        if (json_is_object(text)) {
            compare(text, theirs, code);
        } else {
            same_places(key, json_string_value(text), json_string_value(theirs));
            same_places(key, json_string_value(theirs), json_string_value(text));
        }
    }
}

/* Read again without the help of English for what is missing. */
static json_t *as_written(const char *path)
{
    json_error_t why;
    json_t *v = json_load_file(path, JSON_REJECT_DUPLICATES, &why);
    if (!v) {
        fail_msg("%s:%d: %s", path, why.line, why.text);
    }
    return v;
}

TEST(languages_are_complete)
{
    json_t *en = as_written("static/lang/en.json"), *de = as_written("static/lang/de.json");
    compare(en, de, "de");
    json_decref(en);
    json_decref(de);
}

/* What CLASSIFY says in other words is a text of the language, and no other task's: its places are the same. */
TEST(the_task_classify_has_words_of_its_own)
{
    const char *code = strings_classify(texts, "de");
    assert_null(strings_language(texts, sv_of(code)));
    const char *codes[8];
    assert_int_equal(strings_codes(texts, codes, 8), 2);
    const json_t *de = strings_catalogue(texts, "de"), *other = strings_catalogue(texts, code);
    assert_string_equal(json_string_value(json_object_get(other, "code")), "de");
    assert_string_equal(json_string_value(json_object_get(other, "help_url")), "/work/help?task=classify");
    assert_string_equal(json_string_value(json_object_get(other, "entry_agree")),
                        json_string_value(json_object_get(de, "entry_agree")));
    assert_null(json_object_get(de, "classify"));
    const char *const words[] = {"Raster", "grid", "Grid"};
    static const char *const languages[] = {"de", "en"};
    for (size_t l = 0; l < 2; l++) {
        json_t *t = strings_catalogue(texts, strings_classify(texts, languages[l]));
        const json_t *plain = strings_catalogue(texts, languages[l]);
        const char *key;
        json_t *text;
        json_object_foreach(t, key, text) {
            const char *base = json_string_value(json_object_get(plain, key));
            for (size_t i = 0; i < 3 && json_is_string(text) && strcmp(key, "scripts_json") != 0 && strncmp(key, "error_", 6) != 0; i++) {
                if (strstr(json_string_value(text), words[i])) {
                    fail_msg("%s %s: %s", languages[l], key, json_string_value(text));
                }
            }
            if (json_is_string(text) && strcmp(key, "scripts_json") != 0) {
                same_places(key, json_string_value(text), base);
                same_places(key, base, json_string_value(text));
            }
        }
    }
}

TEST(a_language_is_found_by_its_tag)
{
    assert_string_equal(strings_language(texts, SV("de")), "de");
    assert_string_equal(strings_language(texts, SV("de-AT")), "de");
    assert_null(strings_language(texts, SV("tlh")));
    assert_null(strings_language(texts, SV("")));
}

TEST(the_heaviest_language_of_the_browser_is_taken)
{
    assert_string_equal(strings_accept(texts, SV("")), "en");
    assert_string_equal(strings_accept(texts, SV("fr, tlh;q=0.9")), "en");
    assert_string_equal(strings_accept(texts, SV("fr, de-CH;q=0.8, en;q=0.7")), "de");
    assert_string_equal(strings_accept(texts, SV("de;q=0.3, en;q=0.35")), "en");
    assert_string_equal(strings_accept(texts, SV("de;q=0")), "en");
    assert_string_equal(strings_accept(texts, SV(";;q=,,-;q=x")), "en");
}

TEST(texts_are_filled)
{
    struct arena a;
    arena_init(&a, 1 << 16);
    const json_t *en = strings_catalogue(texts, "en");
    assert_string_equal(strings_fill(en, &a, "grids_done", "done", "3", "total", "20", NULL),
                        "3 of 20 grids");
    assert_ptr_equal(strings_catalogue(texts, "tlh"), en);
    assert_ptr_equal(strings_catalogue(texts, NULL), en);
    assert_non_null(strstr(json_string_value(json_object_get(en, "scripts_json")), "offline_more"));
    arena_release(&a);
}
