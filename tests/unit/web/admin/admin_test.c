/* admin_test.c - roles, disabling and tokens by the administrator, against a whole server. */
#include "unit.h"

#include "web/site.h"

#define PROOF "password=correct+horse+battery"

/* Accounts are numbered in the order of site.c: root 1, ada 2, wim 3. */

SITE_TEST(only_administrators_get_in)
{
    struct visitor v;
    visitor_init(&v, *state);
    assert_true(visitor_sent_to_login(&v, "/admin"));
    visitor_sign_in(&v, "ada", SITE_PASSWORD);
    assert_int_equal(visit(&v, "/admin"), 403);
    assert_int_equal(visit_post(&v, "/admin/accounts/2/role", "role=admin&" PROOF), 403);
    assert_int_equal(visit_post(&v, "/admin/invites", "role=admin"), 403);
    assert_int_equal(visit_post(&v, "/admin/tokens", "login=root&role=admin&name=x"), 403);
    visitor_release(&v);
}

SITE_TEST(roles)
{
    struct site *s = *state;
    struct visitor root, ada;
    visitor_init(&root, s);
    visitor_init(&ada, s);
    visitor_sign_in(&root, "root", SITE_PASSWORD);
    visitor_sign_in(&ada, "ada", SITE_PASSWORD);
    assert_int_equal(visit(&root, "/admin"), 200);
    assert_true(visitor_saw(&root, "ada") && visitor_saw(&root, "wim"));
    assert_int_equal(visit_post(&root, "/admin/accounts/2/role", "role=expert"), 403);
    assert_true(visitor_saw(&root, "Type your own password"));
    assert_int_equal(
        visit_post(&root, "/admin/accounts/2/role", "role=expert&password=wrong+wrong+one"), 403);
    assert_int_equal(visit_post(&root, "/admin/accounts/2/role", "role=boss&" PROOF), 400);
    assert_int_equal(visit(&ada, "/account"), 200); /* nothing happened so far */
    assert_int_equal(visit_post(&root, "/admin/accounts/2/role", "role=expert&" PROOF), 303);
    assert_true(visitor_sent_to_login(&ada, "/account"));
    assert_int_equal(site_int(s, "SELECT role = 'expert' FROM account WHERE id = 2"), 1);
    assert_int_equal(visit_post(&root, "/admin/accounts/99/role", "role=expert&" PROOF), 404);
    assert_int_equal(visit_post(&root, "/admin/accounts/x/role", "role=expert&" PROOF), 404);
    visitor_release(&root);
    visitor_release(&ada);
}

SITE_TEST(rights_need_the_password)
{
    struct site *s = *state;
    struct visitor root;
    visitor_init(&root, s);
    visitor_sign_in(&root, "root", SITE_PASSWORD);
    static const char *const posts[][2] = {
        {"/admin/invites", "role=admin"}, {"/admin/tokens", "login=root&name=x&role=admin&days=1"}};
    for (size_t i = 0; i < sizeof posts / sizeof *posts; i++) {
        char form[128];
        assert_int_equal(visit_post(&root, posts[i][0], posts[i][1]), 403);
        assert_true(visitor_saw(&root, "Type your own password"));
        snprintf(form, sizeof form, "%s&password=wrong+wrong+one", posts[i][1]);
        assert_int_equal(visit_post(&root, posts[i][0], form), 403);
    }
    assert_int_equal(site_int(s, "SELECT (SELECT count(*) FROM invite)"
                                 " + (SELECT count(*) FROM api_token)"),
                     0);
    visitor_release(&root);
}

SITE_TEST(the_last_administrator_stays)
{
    struct site *s = *state;
    struct visitor root;
    visitor_init(&root, s);
    visitor_sign_in(&root, "root", SITE_PASSWORD);
    assert_int_equal(visit_post(&root, "/admin/accounts/1/role", "role=lead&" PROOF), 403);
    assert_true(visitor_saw(&root, "last administrator"));
    assert_int_equal(visit_post(&root, "/admin/accounts/1/disable", PROOF), 403);
    assert_true(visitor_saw(&root, "last administrator"));
    assert_int_equal(visit(&root, "/admin"), 200);
    visitor_release(&root);
}

SITE_TEST(disabling)
{
    struct site *s = *state;
    struct visitor root, wim;
    visitor_init(&root, s);
    visitor_init(&wim, s);
    visitor_sign_in(&root, "root", SITE_PASSWORD);
    visitor_sign_in(&wim, "wim", SITE_PASSWORD);
    assert_int_equal(visit_post(&root, "/admin/accounts/3/disable", PROOF), 303);
    assert_true(visitor_sent_to_login(&wim, "/account"));
    assert_int_equal(visit_post(&wim, "/login", "login=wim&" PROOF), 401);
    assert_true(visitor_saw(&wim, "The login name or the password is wrong."));
    assert_int_equal(visit(&root, "/admin"), 200);
    assert_true(visitor_saw(&root, "disabled"));
    assert_int_equal(visit_post(&root, "/admin/accounts/3/enable", PROOF), 303);
    visitor_sign_in(&wim, "wim", SITE_PASSWORD);
    visitor_release(&root);
    visitor_release(&wim);
}

SITE_TEST(tokens)
{
    struct site *s = *state;
    struct visitor root, script;
    char token[64];
    visitor_init(&root, s);
    visitor_init(&script, s);
    visitor_sign_in(&root, "root", SITE_PASSWORD);
    assert_int_equal(
        visit_post(&root, "/admin/tokens", "login=ada&name=nightly&role=lead&days=30&" PROOF), 303);
    assert_false(visitor_saw(&root, "hld_"));
    assert_int_equal(visit(&root, "/admin"), 200);
    assert_true(visitor_header(&root, "no-store"));
    visitor_copy(&root, "class=\"secret\">", '<', token, sizeof token);
    assert_int_equal(strlen(token), 26);
    assert_int_equal(visit(&root, "/admin"), 200);
    assert_false(visitor_saw(&root, token));
    assert_int_equal(strncmp(token, "hld_", 4), 0);
    script.bearer = token;
    assert_int_equal(visit(&script, "/api/v1/tokens"), 200);
    assert_true(visitor_saw(&script, "nightly"));
    assert_int_equal(visit(&script, "/admin"), 403);
    assert_int_equal(
        visit_post(&root, "/admin/tokens", "login=ada&name=x&role=admin&days=30&" PROOF), 403);
    assert_int_equal(visit_post(&root, "/admin/tokens", "login=ada&name=x&role=lead&days=31&" PROOF),
                     400);
    assert_int_equal(visit_post(&root, "/admin/tokens", "login=nobody&name=x&role=lead&" PROOF), 400);
    assert_int_equal(visit_post(&root, "/admin/tokens", "login=ada&name=&role=lead&" PROOF), 400);
    assert_int_equal(visit_post(&root, "/admin/tokens/1/revoke", ""), 303);
    assert_int_equal(visit(&script, "/api/v1/tokens"), 401);
    visitor_release(&root);
    visitor_release(&script);
}

/* A token of an administrator can read, but it cannot hand out more power. */
SITE_TEST(tokens_do_not_breed)
{
    struct site *s = *state;
    struct visitor root, script;
    char token[64];
    visitor_init(&root, s);
    visitor_init(&script, s);
    visitor_sign_in(&root, "root", SITE_PASSWORD);
    assert_int_equal(
        visit_post(&root, "/admin/tokens", "login=root&name=ops&role=admin&days=30&" PROOF), 303);
    assert_false(visitor_saw(&root, "hld_"));
    assert_int_equal(visit(&root, "/admin"), 200);
    assert_true(visitor_header(&root, "no-store"));
    visitor_copy(&root, "class=\"secret\">", '<', token, sizeof token);
    script.bearer = token;
    assert_int_equal(visit(&script, "/admin"), 200);
    assert_int_equal(visit_post(&script, "/admin/tokens", "login=root&name=x&role=admin"), 403);
    assert_int_equal(visit_post(&script, "/admin/invites", "role=admin"), 403);
    assert_int_equal(visit_post(&script, "/admin/accounts/2/role", "role=admin&" PROOF), 403);
    assert_int_equal(site_int(s, "SELECT count(*) FROM api_token"), 1);
    assert_int_equal(site_int(s, "SELECT count(*) FROM invite"), 0);
    visitor_release(&root);
    visitor_release(&script);
}
