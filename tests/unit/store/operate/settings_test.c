/* settings_test.c - facts about the project, its secrets, and the files of its images. */
#include "unit.h"

#include "store/operate/settings.h"
#include "temp_project.h"

PROJECT_TEST(text)
{
    struct temp_project *t = *state;
    char out[8];
    assert_int_equal(settings_text(t->db, "name", out, sizeof out, &t->err), OK);
    assert_string_equal(out, "");
    assert_int_equal(settings_put(t->db, "name", SV("first"), &t->err), OK);
    assert_int_equal(settings_put(t->db, "name", SV("second"), &t->err), OK);
    assert_int_equal(settings_text(t->db, "name", out, sizeof out, &t->err), OK);
    assert_string_equal(out, "second");
    assert_int_equal(temp_int(t, "SELECT count(*) FROM setting"), 1);
}

/* A longer text is cut, but never inside a character. */
PROJECT_TEST(text_is_cut_between_characters)
{
    static const struct {
        const char *stored, *read;
    } cases[] = {
        {"1234567", "1234567"},
        {"12345678", "1234567"},
        {"123456\xc3\xa4", "123456"},               /* two bytes, one too many */
        {"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", "\xc3\xa4\xc3\xa4\xc3\xa4"},
        {"1\xe2\x80\x93\xe2\x80\x93\xe2\x80\x93", "1\xe2\x80\x93\xe2\x80\x93"},
        {"12\xff" "45", "12"},                       /* was never text */
    };
    struct temp_project *t = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[8];
        assert_int_equal(settings_put(t->db, "name", sv_of(cases[i].stored), &t->err), OK);
        assert_int_equal(settings_text(t->db, "name", out, sizeof out, &t->err), OK);
        assert_string_equal(out, cases[i].read);
    }
}

PROJECT_TEST(secret)
{
    struct temp_project *t = *state;
    unsigned char out[4];
    assert_int_equal(settings_secret(t->db, "key", out, sizeof out, &t->err), ERR_IO);
    temp_clear(t, ERR_IO, "io");
    assert_int_equal(settings_put_secret(t->db, "key", "abcd", 4, &t->err), OK);
    assert_int_equal(settings_put_secret(t->db, "key", "efgh", 4, &t->err), OK); /* keeps the first */
    assert_int_equal(settings_secret(t->db, "key", out, sizeof out, &t->err), OK);
    assert_memory_equal(out, "abcd", 4);
    unsigned char longer[5];
    assert_int_equal(settings_secret(t->db, "key", longer, sizeof longer, &t->err), ERR_IO);
    temp_clear(t, ERR_IO, "io");
}
