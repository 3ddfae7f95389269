/* account_test.c - signing in and out and changing one's password, against a whole server. */
#include "unit.h"

#include "base/clock.h"
#include "web/site.h"

#define RIGHT "password=correct+horse+battery"

SITE_TEST(signing_in)
{
    struct visitor v;
    visitor_init(&v, *state);
    assert_true(visitor_sent_to_login(&v, "/account"));
    assert_int_equal(visit(&v, "/login"), 200);
    assert_true(visitor_saw(&v, "name=\"password\""));
    assert_int_equal(visit_post(&v, "/login", "login=ada&" RIGHT), 303);
    assert_true(visitor_header(&v, "Location: /\r\n"));
    assert_true(visitor_header(&v, "Set-Cookie: holdout_session="));
    assert_true(visitor_header(&v, "HttpOnly"));
    assert_true(visitor_header(&v, "SameSite=Lax"));
    assert_true(visitor_header(&v, "Path=/"));
    assert_false(visitor_header(&v, "Secure"));
    assert_int_equal(visit(&v, "/account"), 200);
    assert_true(visitor_saw(&v, "ada"));
    assert_int_equal(visit(&v, "/login"), 303); /* signed in already */
    visitor_release(&v);
}

SITE_TEST(the_cookie_is_not_stored)
{
    struct site *s = *state;
    struct visitor v;
    visitor_init(&v, s);
    visitor_sign_in(&v, "ada", SITE_PASSWORD);
    assert_int_equal(site_int(s, "SELECT length(hash) FROM session"), 32);
    assert_int_equal(site_int(s, "SELECT count(*) FROM event WHERE kind = 'session.start'"), 1);
    visitor_release(&v);
}

SITE_TEST(refusals_say_the_same)
{
    struct site *s = *state;
    struct visitor v;
    visitor_init(&v, s);
    assert_int_equal(visit_post(&v, "/login", "login=ada&password=wrong+wrong+wrong"), 401);
    assert_true(visitor_saw(&v, "The login name or the password is wrong."));
    assert_true(visitor_saw(&v, "value=\"ada\"")); /* what was typed stays, the password not */
    assert_false(visitor_saw(&v, "wrong wrong"));
    assert_int_equal(visit_post(&v, "/login", "login=nobody&password=wrong+wrong+wrong"), 401);
    assert_true(visitor_saw(&v, "The login name or the password is wrong."));
    assert_int_equal(visit_post(&v, "/login", "login=&password="), 401);
    assert_int_equal(visit_post(&v, "/login", "login=%22%3E%3Cb%3E&password=x"), 401);
    assert_false(visitor_saw(&v, "\"><b>"));
    assert_false(visitor_header(&v, "Set-Cookie"));
    assert_int_equal(site_int(s, "SELECT count(*) FROM session"), 0);
    visitor_release(&v);
}

SITE_TEST(typed_names_are_forgiving)
{
    struct visitor v;
    visitor_init(&v, *state);
    assert_int_equal(visit_post(&v, "/login", "login=+Ada+&" RIGHT), 303);
    visitor_release(&v);
}

SITE_TEST(next_stays_here)
{
    struct visitor v;
    visitor_init(&v, *state);
    assert_int_equal(visit_post(&v, "/login", "login=ada&next=/classes%3Fq%3Dx&" RIGHT), 303);
    assert_true(visitor_header(&v, "Location: /classes?q=x\r\n"));
    static const char *const bad[] = {"//evil.example", "/%5Cevil.example", "https://evil.example",
                                      "/a%0D%0AX-Evil:1", "evil"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char form[256];
        snprintf(form, sizeof form, "login=ada&next=%s&" RIGHT, bad[i]);
        assert_int_equal(visit_post(&v, "/login", form), 303);
        assert_true(visitor_header(&v, "Location: /\r\n"));
    }
    visitor_release(&v);
}

SITE_TEST(signing_in_again_ends_the_old_session)
{
    struct site *s = *state;
    struct visitor v;
    visitor_init(&v, s);
    visitor_sign_in(&v, "ada", SITE_PASSWORD);
    visitor_sign_in(&v, "wim", SITE_PASSWORD);
    assert_int_equal(site_int(s, "SELECT count(*) FROM session"), 1);
    visitor_release(&v);
}

SITE_TEST(signing_out)
{
    struct site *s = *state;
    struct visitor v;
    visitor_init(&v, s);
    visitor_sign_in(&v, "ada", SITE_PASSWORD);
    char good[64];
    snprintf(good, sizeof good, "%s", v.csrf);
    snprintf(v.csrf, sizeof v.csrf, "AAAAAAAAAAAAAAAAAAAAAA");
    assert_int_equal(visit_post(&v, "/logout", ""), 403);
    assert_int_equal(visit(&v, "/account"), 200);
    snprintf(v.csrf, sizeof v.csrf, "%s", good);
    assert_int_equal(visit_post(&v, "/logout", ""), 303);
    assert_true(visitor_header(&v, "Max-Age=0"));
    assert_true(visitor_sent_to_login(&v, "/account"));
    assert_int_equal(site_int(s, "SELECT count(*) FROM session"), 0);
    visitor_release(&v);
}

SITE_TEST(tries_are_limited)
{
    struct visitor v;
    visitor_init(&v, *state);
    for (int i = 0; i < 12; i++) { /* of other people each: this is about the address */
        char form[64];
        snprintf(form, sizeof form, "login=nobody%d&password=wrong", i);
        assert_int_equal(visit_post(&v, "/login", form), 401);
    }
    assert_int_equal(visit_post(&v, "/login", "login=ada&" RIGHT), 429);
    assert_true(visitor_header(&v, "Retry-After: "));
    visitor_release(&v);
}

/* Ten hours ahead, then put right again: nobody waits for the clock to come by once more. */
SITE_TEST(a_clock_that_is_set_back_locks_nobody_out)
{
    struct visitor v;
    visitor_init(&v, *state);
    clock_shift_wall(INT64_C(36000000));
    assert_int_equal(visit_post(&v, "/login", "login=ada&password=wrong"), 401);
    clock_shift_wall(0);
    assert_int_equal(visit_post(&v, "/login", "login=ada&" RIGHT), 303);
    visitor_release(&v);
}

SITE_TEST(wrong_passwords_are_on_record)
{
    struct site *s = *state;
    struct visitor v;
    visitor_init(&v, s);
    assert_int_equal(visit_post(&v, "/login", "login=nobody&password=wrong"), 401);
    assert_int_equal(visit_post(&v, "/login", "login=ada&password=wrong"), 401);
    visitor_sign_in(&v, "ada", SITE_PASSWORD);
    assert_int_equal(visit_post(&v, "/account/password",
                                "old_password=wrong+wrong+one&new_password=a+brand+new+one"),
                     403);
    assert_int_equal(site_int(s, "SELECT count(*) FROM event WHERE kind = 'account.refuse'"
                                 " AND subject = 2 AND account IS NULL"
                                 " AND detail ->> 'from' = '127.0.0.1'"),
                     2);
    assert_int_equal(site_int(s, "SELECT count(*) FROM event WHERE kind = 'account.refuse'"), 2);
    assert_int_equal(site_int(s, "SELECT count(*) FROM event WHERE kind = 'account.unknown'"
                                 " AND subject IS NULL AND account IS NULL"
                                 " AND detail ->> 'from' = '127.0.0.1'"),
                     1);
    assert_int_equal(visit(&v, "/history"), 200);
    assert_true(visitor_saw(&v, "typed a wrong password for"));
    assert_true(visitor_saw(&v, "tried a login name that does not exist from 127.0.0.1"));
    assert_false(visitor_saw(&v, "nobody</"));
    visitor_release(&v);
}

/* Guessing is slowed down wherever it comes from, and the owner is not kept out by it. */
SITE_TEST(guesses_at_one_account_are_limited)
{
    struct visitor owner, thief, other;
    visitor_init(&owner, *state);
    visitor_init(&thief, *state);
    visitor_init(&other, *state);
    visitor_sign_in(&owner, "ada", SITE_PASSWORD);
    assert_int_equal(visit_post(&owner, "/logout", ""), 303);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(visit_post(&thief, "/login", "login=ada&password=wrong"), 401);
    }
    assert_int_equal(visit_post(&thief, "/login", "login=ada&" RIGHT), 429);
    assert_true(visitor_header(&thief, "Retry-After: "));
    assert_true(visitor_saw(&thief, "Too many wrong passwords"));
    assert_int_equal(visit_post(&other, "/login", "login=wim&" RIGHT), 303); /* is not ada */
    owner.csrf[0] = '\0';
    assert_int_equal(visit_post(&owner, "/login", "login=ada&" RIGHT), 303);
    visitor_release(&owner);
    visitor_release(&thief);
    visitor_release(&other);
}

SITE_TEST(right_passwords_do_not_count)
{
    struct visitor v;
    for (int i = 0; i < 8; i++) { /* a new browser each time */
        visitor_init(&v, *state);
        visitor_sign_in(&v, "ada", SITE_PASSWORD);
        visitor_release(&v);
    }
}

/* However busy it is: 720 hours from signing in. */
SITE_TEST(a_session_ends)
{
    struct visitor v;
    visitor_init(&v, *state);
    visitor_sign_in(&v, "ada", SITE_PASSWORD);
    for (int64_t hours = 100; hours <= 700; hours += 100) {
        clock_shift_wall(hours * 3600000);
        assert_int_equal(visit(&v, "/account"), 200);
        /* A write after the one that keeps the session: that one is stored when this returns. */
        assert_int_equal(visit_post(&v, "/account/sessions/end", ""), 303);
    }
    clock_shift_wall(INT64_C(721) * 3600000);
    assert_true(visitor_sent_to_login(&v, "/account"));
    clock_shift_wall(0);
    visitor_release(&v);
}

SITE_TEST(a_new_password_may_revoke_tokens)
{
    struct site *s = *state;
    struct visitor v;
    visitor_init(&v, s);
    visitor_sign_in(&v, "ada", SITE_PASSWORD);
    assert_int_equal(visit(&v, "/account"), 200);
    assert_false(visitor_saw(&v, "revoke_tokens"));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(visit_json(&v, "POST", "/api/v1/tokens",
                                    "{\"password\":\"" SITE_PASSWORD "\",\"name\":\"x\"}"),
                         201);
    }
    assert_int_equal(visit(&v, "/account"), 200);
    assert_true(visitor_saw(&v, "revoke_tokens"));
    assert_int_equal(visit_post(&v, "/account/password",
                                "old_password=correct+horse+battery&new_password=a+brand+new+one"
                                "&revoke_tokens=1"),
                     303);
    assert_int_equal(visit(&v, "/account"), 200);
    assert_true(visitor_saw(&v, "Your password is changed and your API tokens are revoked"));
    assert_int_equal(site_int(s, "SELECT count(*) FROM api_token WHERE revoked_at IS NULL"), 0);
    assert_int_equal(site_int(s, "SELECT count(*) FROM event WHERE kind = 'token.revoke'"), 2);
    visitor_release(&v);
}

SITE_TEST(changing_the_password)
{
    struct site *s = *state;
    struct visitor here, there;
    visitor_init(&here, s);
    visitor_init(&there, s);
    visitor_sign_in(&here, "ada", SITE_PASSWORD);
    visitor_sign_in(&there, "ada", SITE_PASSWORD);
    assert_int_equal(visit_post(&here, "/account/password",
                                "old_password=wrong+wrong+one&new_password=a+brand+new+one"),
                     403);
    assert_true(visitor_saw(&here, "Your password is wrong"));
    assert_int_equal(
        visit_post(&here, "/account/password", "old_password=correct+horse+battery&new_password=x"),
        400);
    assert_true(visitor_saw(&here, "at least 12 characters"));
    assert_int_equal(visit(&there, "/account"), 200);
    assert_int_equal(
        visit_post(&here, "/account/password",
                   "old_password=correct+horse+battery&new_password=a+brand+new+one"),
        303);
    assert_int_equal(visit(&here, "/account"), 200);
    assert_true(visitor_saw(&here, "Your password is changed"));
    assert_true(visitor_sent_to_login(&there, "/account"));
    assert_int_equal(visit_post(&there, "/login", "login=ada&" RIGHT), 401);
    visitor_sign_in(&there, "ada", "a brand new one");
    visitor_release(&here);
    visitor_release(&there);
}

SITE_TEST(signing_out_elsewhere)
{
    struct site *s = *state;
    struct visitor here, there;
    visitor_init(&here, s);
    visitor_init(&there, s);
    visitor_sign_in(&here, "ada", SITE_PASSWORD);
    visitor_sign_in(&there, "ada", SITE_PASSWORD);
    assert_int_equal(visit_post(&here, "/account/sessions/end", ""), 303);
    assert_int_equal(visit(&here, "/account"), 200);
    assert_true(visitor_sent_to_login(&there, "/account"));
    visitor_release(&here);
    visitor_release(&there);
}
