/* response_test.c - filling a reply and the header lines every reply has. */
#include "unit.h"

#include "http/response.h"

#include <fcntl.h>
#include <unistd.h>

static const char *value_of(const struct header_line *lines, size_t n, const char *name)
{
    const char *found = NULL;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(lines[i].name, name) == 0) {
            assert_null(found); /* once */
            found = lines[i].value;
        }
    }
    return found;
}

TEST(every_reply_is_guarded)
{
    struct request req = {.id = 42};
    struct response res;
    struct header_line lines[RESPONSE_LINES];
    char id[RESPONSE_ID];
    response_init(&res);
    res.content_type = "text/html";
    size_t n = response_lines(&req, &res, id, lines);
    assert_string_equal(value_of(lines, n, "Content-Type"), "text/html");
    assert_string_equal(value_of(lines, n, "Cache-Control"), "no-store");
    assert_string_equal(value_of(lines, n, "X-Request-Id"), "42");
    assert_string_equal(value_of(lines, n, "X-Content-Type-Options"), "nosniff");
    assert_string_equal(value_of(lines, n, "Referrer-Policy"), "no-referrer");
    assert_string_equal(value_of(lines, n, "Cross-Origin-Opener-Policy"), "same-origin");
    assert_string_equal(value_of(lines, n, "Cross-Origin-Resource-Policy"), "same-origin");
    assert_non_null(strstr(value_of(lines, n, "Permissions-Policy"), "camera=()"));
    const char *csp = value_of(lines, n, "Content-Security-Policy");
    assert_non_null(strstr(csp, "default-src 'none';"));
    assert_non_null(strstr(csp, "frame-ancestors 'none'"));
    assert_null(strstr(csp, "unsafe"));
    assert_null(value_of(lines, n, "Strict-Transport-Security"));
    req.secure = true;
    n = response_lines(&req, &res, id, lines);
    assert_non_null(value_of(lines, n, "Strict-Transport-Security"));
    response_release(&res);
}

TEST(the_handlers_lines_win)
{
    struct request req = {.id = UINT64_MAX, .secure = true};
    struct response res;
    struct header_line lines[RESPONSE_LINES];
    char id[RESPONSE_ID];
    response_init(&res);
    res.content_type = "text/css";
    response_header(&res, "cache-control", "no-cache");
    for (int i = 1; i < HTTP_HEADERS_OUT; i++) {
        response_header(&res, "Set-Cookie", "a=b");
    }
    size_t n = response_lines(&req, &res, id, lines);
    assert_true(n <= RESPONSE_LINES);
    assert_null(value_of(lines, n, "Cache-Control"));
    assert_string_equal(value_of(lines, n, "cache-control"), "no-cache");
    assert_string_equal(value_of(lines, n, "X-Request-Id"), "18446744073709551615");
    int cookies = 0;
    for (size_t i = 0; i < n; i++) {
        cookies += strcmp(lines[i].name, "Set-Cookie") == 0;
    }
    assert_int_equal(cookies, HTTP_HEADERS_OUT - 1);
    response_release(&res);
}

TEST(a_reset_forgets_all)
{
    struct response res;
    response_init(&res);
    assert_int_equal(res.fd, -1);
    res.status = 200;
    res.fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int fd = res.fd;
    assert_true(fd >= 0);
    struct http_shared *shared = http_shared_new(2, 1);
    res.shared = http_shared_hold(shared);
    str_addz(&res.body, "half a page");
    response_header(&res, "ETag", "\"x\"");
    response_reset(&res);
    assert_int_equal(res.status, 0);
    assert_int_equal(res.n_headers, 0);
    assert_int_equal(res.body.n, 0);
    assert_int_equal(res.fd, -1);
    assert_int_equal(fcntl(fd, F_GETFD), -1); /* closed */
    assert_null(res.shared);
    assert_int_equal(atomic_load(&shared->references), 1);
    http_shared_release(shared);
    response_own(&res, 503, "later");
    assert_int_equal(res.status, 503);
    assert_true(sv_is(str_sv(&res.body), "later"));
    response_release(&res);
}
