/* api_tokens_test.c - /api/v1/tokens, against a whole server. */
#include "unit.h"

#include "web/site.h"

#define PROOF "\"password\":\"" SITE_PASSWORD "\""

SITE_TEST(make_list_revoke)
{
    struct site *s = *state;
    struct visitor ada, script;
    char token[64];
    visitor_init(&ada, s);
    visitor_init(&script, s);
    visitor_sign_in(&ada, "ada", SITE_PASSWORD);
    assert_int_equal(visit_json(&ada, "POST", "/api/v1/tokens",
                                "{" PROOF ",\"name\":\"night \\\"job\\\"\",\"role\":\"expert\",\"days\":3}"),
                     201);
    assert_true(visitor_header(&ada, "no-store"));
    visitor_copy(&ada, "\"token\":\"", '"', token, sizeof token);
    script.bearer = token;
    assert_int_equal(visit(&script, "/api/v1/tokens"), 200);
    assert_true(visitor_saw(&script, "night \\\"job\\\""));
    assert_true(visitor_saw(&script, "\"role\":\"expert\""));
    assert_false(visitor_saw(&script, token));
    assert_int_equal(visit_json(&script, "POST", "/api/v1/tokens", "{" PROOF ",\"name\":\"more\"}"), 403);
    assert_true(visitor_saw(&script, "needs-session"));
    assert_int_equal(visit_json(&script, "DELETE", "/api/v1/tokens/1", NULL), 204);
    assert_int_equal(visit(&script, "/api/v1/tokens"), 401);
    assert_int_equal(visit(&ada, "/api/v1/tokens"), 200);
    assert_false(visitor_saw(&ada, "\"revoked_at\":null"));
    visitor_release(&ada);
    visitor_release(&script);
}

SITE_TEST(refusals)
{
    struct site *s = *state;
    struct visitor ada, wim, nobody;
    visitor_init(&ada, s);
    visitor_init(&wim, s);
    visitor_init(&nobody, s);
    visitor_sign_in(&ada, "ada", SITE_PASSWORD);
    visitor_sign_in(&wim, "wim", SITE_PASSWORD);
    static const char *const bad[] = {"{" PROOF "}", "{" PROOF ",\"name\":7}", "{" PROOF ",\"name\":\"\"}",
                                      "{" PROOF ",\"name\":\"x\",\"days\":0}", "{" PROOF ",\"name\":\"x\",\"days\":31}",
                                      "{" PROOF ",\"name\":\"x\",\"role\":\"boss\"}", "[]", "{"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(visit_json(&ada, "POST", "/api/v1/tokens", bad[i]), 400);
    }
    assert_int_equal(
        visit_json(&ada, "POST", "/api/v1/tokens", "{" PROOF ",\"name\":\"x\",\"role\":\"admin\"}"), 403);
    assert_int_equal(visit_json(&ada, "POST", "/api/v1/tokens", "{" PROOF ",\"name\":\"x\"}"), 201);
    assert_int_equal(visit_json(&wim, "DELETE", "/api/v1/tokens/1", NULL), 404);
    assert_int_equal(visit_json(&wim, "DELETE", "/api/v1/tokens/x", NULL), 404);
    assert_int_equal(visit(&nobody, "/api/v1/tokens"), 401);
    nobody.bearer = "hld_AAAAAAAAAAAAAAAAAAAAAA";
    assert_int_equal(visit(&nobody, "/api/v1/tokens"), 401);
    snprintf(ada.csrf, sizeof ada.csrf, "AAAAAAAAAAAAAAAAAAAAAA");
    assert_int_equal(visit_json(&ada, "POST", "/api/v1/tokens", "{" PROOF ",\"name\":\"x\"}"), 403);
    visitor_release(&ada);
    visitor_release(&wim);
    visitor_release(&nobody);
}

SITE_TEST(pages_of_the_list)
{
    struct site *s = *state;
    struct visitor ada;
    visitor_init(&ada, s);
    visitor_sign_in(&ada, "ada", SITE_PASSWORD);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(visit_json(&ada, "POST", "/api/v1/tokens", "{" PROOF ",\"name\":\"x\"}"), 201);
    }
    assert_int_equal(visit(&ada, "/api/v1/tokens?limit=2"), 200);
    assert_true(visitor_saw(&ada, "\"id\":3") && visitor_saw(&ada, "\"id\":2"));
    assert_true(visitor_saw(&ada, "\"next\":2"));
    assert_int_equal(visit(&ada, "/api/v1/tokens?limit=2&after=2"), 200);
    assert_true(visitor_saw(&ada, "\"id\":1") && visitor_saw(&ada, "\"next\":null"));
    assert_int_equal(visit(&ada, "/api/v1/tokens?limit=0"), 400);
    assert_int_equal(visit(&ada, "/api/v1/tokens?after=x"), 400);
    visitor_release(&ada);
}
