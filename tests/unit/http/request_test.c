/* request_test.c - request lines, query parameters and cookies, on a request without a server. */
#include "unit.h"

#include "http/request.h"

#include "http/conn.h"

static const char *cookie_header = "";

/* In place of mhd.c's: the one header these tests have. */
struct sv conn_header(const struct http_conn *c, const char *name)
{
    (void)c;
    return sv_of(strcmp(name, "Cookie") == 0 ? cookie_header : "");
}

static void check_uri(const char *uri, const char *path, const char *query)
{
    struct request req = {0};
    arena_init(&req.arena, 1 << 20);
    request_set_uri(&req, uri);
    if (!sv_is(req.path, path) || !sv_is(req.query, query)) {
        fail_msg("%s: path \"" SV_FMT "\" query \"" SV_FMT "\"", uri, SV_ARG(req.path),
                 SV_ARG(req.query));
    }
    arena_release(&req.arena);
}

TEST(request_lines)
{
    check_uri("/", "/", "");
    check_uri("/a/b?x=1&y=%20", "/a/b", "x=1&y=%20");
    check_uri("/a?", "/a", "");
    check_uri("/a?b?c", "/a", "b?c");
    check_uri("/a%20b+c", "/a b+c", "");
    check_uri("/%C3%A9", "/\xc3\xa9", "");
    check_uri("/a%2Fb%252F", "/a/b%2F", "");
    check_uri("http://host:80/a/b?q", "/a/b", "q");
    check_uri("https://host/", "/", "");
    check_uri("http://host?q=/x", "/", "q=/x");
    check_uri("//host/a", "//host/a", "");
    check_uri("*", "", "");
    check_uri("", "", "");
    check_uri("host:443", "", "");
    check_uri("/%", "", "");
    check_uri("/%4", "", "");
    check_uri("/%zz?q=1", "", "q=1");
    check_uri("/%00", "", "");
    check_uri("/%ff", "", "");
    check_uri("/%c0%ae%c0%ae/", "", "");
    check_uri("/\xff", "", "");
}

TEST(methods)
{
    assert_int_equal(request_method("GET"), HTTP_GET);
    assert_int_equal(request_method("HEAD"), HTTP_HEAD);
    assert_int_equal(request_method("POST"), HTTP_POST);
    assert_int_equal(request_method("PUT"), HTTP_PUT);
    assert_int_equal(request_method("PATCH"), HTTP_PATCH);
    assert_int_equal(request_method("DELETE"), HTTP_DELETE);
    assert_int_equal(request_method("get"), HTTP_OTHER);
    assert_int_equal(request_method("OPTIONS"), HTTP_OTHER);
    assert_string_equal(http_method_name(HTTP_OTHER), "OTHER");
}

TEST(query_parameters)
{
    struct request req = {.query = SV("a=1&b+c=x%20y+z&a=2&bad=%zz&bin=%ff&flag&%zz=1&last=%26")};
    arena_init(&req.arena, 1 << 21);
    assert_true(sv_is(request_query(&req, "a"), "1"));
    assert_true(sv_is(request_query(&req, "b c"), "x y z"));
    assert_true(sv_is(request_query(&req, "bad"), ""));
    assert_true(sv_is(request_query(&req, "bin"), ""));
    assert_true(sv_is(request_query(&req, "flag"), ""));
    assert_true(sv_is(request_query(&req, "last"), "&"));
    assert_true(sv_is(request_query(&req, "absent"), ""));
    assert_true(sv_is(request_query_all(&req, "a"), "1,2"));
    assert_true(sv_is(request_query_all(&req, "b c"), "x y z"));
    assert_true(sv_is(request_query_all(&req, "absent"), ""));
    char *many = arena_alloc(&req.arena, 40000);
    for (size_t i = 0; i < 10000; i++) {
        memcpy(many + 4 * i, "x=y&", 4);
    }
    req.query = sv_make(many, 40000);
    assert_true(sv_is(request_query_all(&req, "x"), ""));
    arena_release(&req.arena);
}

TEST(cookies)
{
    struct request req = {0};
    cookie_header = "theme=dark; session=abc";
    assert_true(sv_is(request_cookie(&req, "session"), "abc"));
    assert_true(sv_is(request_cookie(&req, "other"), ""));
}
