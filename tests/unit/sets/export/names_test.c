/* names_test.c - file names for images: no folder is left, nothing is lost, no two are
 * equal. */
#include "unit.h"

#include <string.h>

#include "sets/export/export_private.h"

static struct set_export e;

static int open_names(void **state)
{
    (void)state;
    arena_init(&e.arena, 1 << 24);
    map_sv_init(&e.files);
    return 0;
}

static int close_names(void **state)
{
    (void)state;
    map_sv_release(&e.files);
    arena_release(&e.arena);
    return 0;
}

static const char *name(const char *text)
{
    return export_file_name(&e, SV("n1"), sv_of(text), false);
}

TEST_WITH(plain_names_stay, open_names, close_names)
{
    assert_string_equal(name("ILSVRC2012_val_00000001.JPEG"),
                        "images/n1/ILSVRC2012_val_00000001.JPEG");
    assert_string_equal(name("0a1b"), "images/n1/0a1b.jpg");
    assert_string_equal(name("a.b"), "images/n1/a.b.jpg");
    assert_string_equal(name("m\xc3\xbcsli"), "images/n1/m\xc3\xbcsli.jpg");
    assert_string_equal(export_file_name(&e, SV("n1"), SV("x.png"), true), "images/n1/x.png");
    /* The ending says what the bytes are: PNG bytes under another ending keep it in the name. */
    assert_string_equal(export_file_name(&e, SV("n1"), SV("x.jpg"), true), "images/n1/x.jpg.png");
}

/* Every byte but the folder's own stands for itself or is replaced. */
static void check_plain(const char *file)
{
    assert_int_equal(strncmp(file, "images/n1/", 10), 0);
    const char *base = file + 10;
    assert_true(*base != '.' && *base != '\0' && strlen(base) <= 255);
    assert_null(strpbrk(base, "/\\:*?\"<>| \n\t'&$`"));
    assert_true(sv_utf8(sv_of(base)));
}

TEST_WITH(others_are_made_plain, open_names, close_names)
{
    static const char *const names[] = {
        "../../etc/passwd", "..",   ".",   "/",      "a/b", "a\\b", "CON:", "a b",
        "*?\"<>|",          ".jpg", "-rf", "$(x)`y`"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        check_plain(name(names[i]));
    }
    char text[256];
    memset(text, 'x', 255);
    text[255] = '\0';
    check_plain(name(text));
    for (int i = 0; i + 1 < 255; i += 2) { /* cut between characters */
        text[i] = '\xc3';
        text[i + 1] = '\xbc';
    }
    check_plain(name(text));
}

/* For some systems "a" and "A" are one name, and changed names may meet. */
TEST_WITH(no_two_are_equal, open_names, close_names)
{
    static const char *const names[] = {"a/b",     "a\\b",    "a_b", "A_B",
                                        "a_b.jpg", "a_b.JPG", "a:b", "A/b"};
    enum { N = sizeof names / sizeof *names };
    const char *made[N];
    for (size_t i = 0; i < N; i++) {
        made[i] = name(names[i]);
        check_plain(made[i]);
        for (size_t k = 0; k < i; k++) {
            assert_int_not_equal(strcasecmp(made[i], made[k]), 0);
        }
    }
    /* The same name in another class is another file. */
    assert_string_equal(export_file_name(&e, SV("n2"), SV("a_b"), false), "images/n2/a_b.jpg");
}

TEST_WITH(a_name_is_the_same_in_every_export, open_names, close_names)
{
    const char *first = arena_strdup(&e.arena, name("a/b"));
    char kept[256];
    snprintf(kept, sizeof kept, "%s", first);
    close_names(state);
    open_names(state);
    assert_string_equal(name("a/b"), kept);
}
