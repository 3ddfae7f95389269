/* static_files_test.c - the built-in files, over a small table of its own. */
#include "unit.h"

#include "http/static_files.h"

#include "base/assets.h"
#include "base/hash.h"
#include "http/conn.h"

#define FILE_ROW(name, text)                                                                       \
    {                                                                                              \
        "static/" name, (const unsigned char *)"" text, sizeof(text) - 1                           \
    }

const struct asset assets[] = {
    FILE_ROW("css/tokens.css", "a{color:red}"),
    FILE_ROW("empty.txt", ""),
    FILE_ROW("js/app.mjs", "export {}"),
    FILE_ROW("mark", "?"),
    {"templates/secret.mustache", (const unsigned char *)"secret", 6},
};
const size_t assets_count = sizeof assets / sizeof assets[0];

static const char *if_none_match = "";

/* In place of mhd.c's: the one header these tests have. */
struct sv conn_header(const struct http_conn *c, const char *name)
{
    (void)c;
    return sv_of(strcmp(name, "If-None-Match") == 0 ? if_none_match : "");
}

static struct request req;
static struct response res;

static int set_up(void **state)
{
    (void)state;
    arena_init(&req.arena, 1 << 20);
    response_init(&res);
    if_none_match = "";
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    response_release(&res);
    arena_release(&req.arena);
    return 0;
}

static int serve(const char *below)
{
    response_reset(&res);
    static_files_serve(&req, &res, sv_of(below));
    return res.status;
}

static const char *header(const char *name)
{
    for (int i = 0; i < res.n_headers; i++) {
        if (strcmp(res.headers[i].name, name) == 0) {
            return res.headers[i].value;
        }
    }
    return "";
}

TEST_WITH(plain_names, set_up, tear_down)
{
    assert_int_equal(serve("css/tokens.css"), 200);
    assert_true(sv_is(str_sv(&res.body), "a{color:red}"));
    assert_string_equal(res.content_type, "text/css; charset=utf-8");
    assert_string_equal(header("Cache-Control"), "no-cache");
    assert_int_equal(strlen(header("ETag")), 18);
    assert_int_equal(serve("js/app.mjs"), 200);
    assert_string_equal(res.content_type, "text/javascript; charset=utf-8");
    assert_int_equal(serve("mark"), 200);
    assert_string_equal(res.content_type, "application/octet-stream");
    assert_int_equal(serve("empty.txt"), 200);
    assert_int_equal(res.body.n, 0);
}

TEST_WITH(hashed_names, set_up, tear_down)
{
    char name[64];
    snprintf(name, sizeof name, "css/tokens.%08x.css",
             (unsigned)(hash_stable("a{color:red}", 12) >> 32));
    assert_int_equal(serve(name), 200);
    assert_string_equal(header("Cache-Control"), "public, max-age=31536000, immutable");
    assert_true(sv_is(str_sv(&res.body), "a{color:red}"));
    assert_int_equal(serve("css/tokens.00000000.css"), 404);
    assert_int_equal(serve("css/tokens.0000000.css"), 404);
    assert_int_equal(serve("css/tokens.zzzzzzzz.css"), 404);
}

TEST_WITH(what_is_not_there, set_up, tear_down)
{
    static const char *const names[] = {
        "",  "css",  "css/",         "css/tokens",    "../templates/secret.mustache",
        "/", ".css", "12345678.css", ".12345678.css", "CSS/TOKENS.CSS"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_int_equal(serve(names[i]), 404);
        assert_int_equal(res.body.n, 0);
    }
    char longest[1000];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(serve(longest), 404);
}

TEST_WITH(tags, set_up, tear_down)
{
    assert_int_equal(serve("css/tokens.css"), 200);
    const char *etag = header("ETag");
    if_none_match = etag;
    assert_int_equal(serve("css/tokens.css"), 304);
    assert_int_equal(res.body.n, 0);
    assert_string_equal(header("ETag"), etag);
    if_none_match = arena_printf(&req.arena, "\"other\", W/%s", etag);
    assert_int_equal(serve("css/tokens.css"), 304);
    if_none_match = "*";
    assert_int_equal(serve("css/tokens.css"), 304);
    if_none_match = "\"other\"";
    assert_int_equal(serve("css/tokens.css"), 200);
    if_none_match = etag;
    assert_int_equal(serve("js/app.mjs"), 200);
}
