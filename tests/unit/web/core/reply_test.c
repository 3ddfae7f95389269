/* reply_test.c - every error code has its status; errors are problem+json below /api and pages
 * elsewhere; roles have names. */
#include "unit.h"

#include "web/site.h"
#include "web/core/reply.h"

TEST(every_code_has_a_status)
{
    static const int expected[] = {
        [OK] = 200,        [ERR_INPUT] = 400,    [ERR_AUTH] = 401,  [ERR_DENIED] = 403,
        [ERR_NOT_FOUND] = 404, [ERR_CONFLICT] = 409, [ERR_LIMIT] = 413, [ERR_RATE] = 429,
        [ERR_BUSY] = 503,  [ERR_FULL] = 507,     [ERR_IO] = 500,    [ERR_BUG] = 500,
    };
    for (int code = OK; code <= ERR_BUG; code++) {
        assert_int_equal(reply_status((enum err_code)code), expected[code]);
    }
}

TEST(role_names)
{
    for (int r = ROLE_WORKER; r <= ROLE_ADMIN; r++) {
        assert_int_equal(role_parse(sv_of(role_name((enum role)r))), r);
    }
    assert_int_equal(role_parse(SV("none")), ROLE_NONE);
    assert_int_equal(role_parse(SV("Admin")), ROLE_NONE);
    assert_int_equal(role_parse(SV("")), ROLE_NONE);
}

SITE_TEST(shape_follows_the_address)
{
    struct visitor v;
    visitor_init(&v, *state);
    assert_int_equal(visit(&v, "/api/v1/nothing"), 404);
    assert_true(visitor_header(&v, "Content-Type: application/problem+json"));
    assert_true(visitor_saw(&v, "\"status\":404"));
    assert_true(visitor_saw(&v, "\"code\":\"not-found\""));
    assert_int_equal(visit(&v, "/nothing"), 404);
    assert_true(visitor_header(&v, "Content-Type: text/html"));
    assert_int_equal(visit(&v, "/api/v1/images"), 401);
    assert_true(visitor_header(&v, "WWW-Authenticate: Bearer"));
    assert_true(visitor_sent_to_login(&v, "/campaigns"));
    assert_int_equal(visit_json(&v, "DELETE", "/campaigns", "{}"), 405);
    assert_true(visitor_header(&v, "Allow: GET"));
    visitor_release(&v);
}

/* The same bytes need not be sent twice. */
SITE_TEST(etag)
{
    struct visitor v;
    char tag[64], line[96];
    visitor_init(&v, *state);
    assert_int_equal(visit(&v, "/api/openapi.json"), 200);
    const char *at = strcasestr(v.head.p, "\r\nETag: ");
    assert_non_null(at);
    snprintf(tag, sizeof tag, "%.*s", (int)strcspn(at + 8, "\r"), at + 8);
    snprintf(line, sizeof line, "If-None-Match: %s", tag);
    struct curl_slist *lines = curl_slist_append(NULL, line);
    long status = 0;
    str_clear(&v.body);
    curl_easy_setopt(v.curl, CURLOPT_HTTPHEADER, lines);
    assert_int_equal(curl_easy_perform(v.curl), CURLE_OK);
    curl_easy_getinfo(v.curl, CURLINFO_RESPONSE_CODE, &status);
    assert_int_equal(status, 304);
    assert_int_equal(v.body.n, 0);
    curl_slist_free_all(lines);
    visitor_release(&v);
}

/* The button of an error leads back to the form's page, and to no other site whatever was posted. */
SITE_TEST(the_way_back_stays_here)
{
    struct visitor v;
    visitor_init(&v, *state);
    visitor_sign_in(&v, "ada", SITE_PASSWORD);
    snprintf(v.csrf, sizeof v.csrf, "wrong");
    assert_int_equal(visit_post(&v, "/logout", "form_page=/account"), 403);
    assert_true(visitor_saw(&v, "href=\"/account\">Go back"));
    static const char *const bad[] = {"//evil.example", "/%5Cevil.example", "/%09/evil.example"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char form[64];
        snprintf(v.csrf, sizeof v.csrf, "wrong"); /* the page before had the right one */
        snprintf(form, sizeof form, "form_page=%s", bad[i]);
        assert_int_equal(visit_post(&v, "/logout", form), 403);
        assert_false(visitor_saw(&v, "evil.example"));
    }
    visitor_release(&v);
}
