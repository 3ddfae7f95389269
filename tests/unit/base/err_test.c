/* err_test.c - errors are set once, keep valid text and name their rule. */
#include "unit.h"

#include <errno.h>

#include "base/err.h"
#include "base/sv.h"

TEST(the_first_error_stays)
{
    struct err err = {0};
    assert_int_equal(err_rule(&err, ERR_CONFLICT, "lease-over", "task %d", 7), ERR_CONFLICT);
    assert_int_equal(err_set(&err, ERR_BUG, "later"), ERR_CONFLICT);
    assert_int_equal(err_errno(&err, ENOSPC, "later"), ERR_CONFLICT);
    assert_string_equal(err.rule, "lease-over");
    assert_string_equal(err.msg, "task 7");
    err_clear(&err);
    assert_int_equal(err.code, OK);
    assert_string_equal(err.msg, "");
    assert_int_equal(err_set(&err, ERR_INPUT, "new"), ERR_INPUT);
    assert_string_equal(err.rule, "input");
    assert_int_equal(err_set(NULL, ERR_DENIED, "nobody looks"), ERR_DENIED);
    assert_int_equal(err_errno(NULL, ENOENT, "nobody looks"), ERR_IO);
}

TEST(numbers_of_the_system)
{
    struct err err = {0};
    assert_int_equal(err_errno(&err, ENOENT, "cannot open %s", "x"), ERR_IO);
    assert_string_equal(err.msg, "cannot open x: No such file or directory");
    err_clear(&err);
    assert_int_equal(err_errno(&err, ENOSPC, "a"), ERR_FULL);
    assert_string_equal(err.rule, "disk-full");
    err_clear(&err);
    assert_int_equal(err_errno(&err, EDQUOT, "a"), ERR_FULL);
}

/* Whatever is cut, the message stays UTF-8. */
TEST(long_messages_are_cut_between_characters)
{
    char text[sizeof((struct err *)0)->msg + 64];
    for (size_t shift = 0; shift < 4; shift++) {
        memset(text, 'a', shift);
        for (size_t i = shift; i + 4 < sizeof text; i += 4) {
            memcpy(text + i, "\xf0\x9f\x98\x80", 5);
        }
        struct err err = {0};
        assert_int_equal(err_set(&err, ERR_INPUT, "%s", text), ERR_INPUT);
        assert_true(sv_utf8(sv_of(err.msg)));
        assert_true(strlen(err.msg) >= sizeof err.msg - 8);
        err_clear(&err);
        err_errno(&err, EIO, "%s", text);
        assert_true(sv_utf8(sv_of(err.msg)));
    }
}

TEST(every_code_has_a_word)
{
    for (int i = OK; i <= ERR_BUG; i++) {
        assert_true(strlen(err_word((enum err_code)i)) > 1);
        for (int j = OK; j < i; j++) {
            assert_string_not_equal(err_word((enum err_code)i), err_word((enum err_code)j));
        }
    }
}
