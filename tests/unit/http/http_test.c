/* http_test.c - a real server asked by curl and by raw sockets: keeping connections, bodies and
 * their limits, every kind of reply, and requests that are wrong. */
#include "live_server.h"

#include <curl/curl.h>

#include "base/fs.h"

/* What curl got. */
struct got {
    long status;
    struct str head, body;
};

static size_t keep(char *p, size_t size, size_t n, void *to)
{
    str_add(to, p, size * n);
    return size * n;
}

static struct got curl(const char *method, const char *path, const char *body, size_t n,
                       const char *header)
{
    struct got got = {0};
    char url[256];
    CURL *h = curl_easy_init();
    struct curl_slist *headers = curl_slist_append(NULL, header ? header : "X-None: 1");
    snprintf(url, sizeof url, "http://127.0.0.1:%u%s", http_port(server), path);
    str_init(&got.head, 1 << 20);
    str_init(&got.body, 4 << 20);
    curl_easy_setopt(h, CURLOPT_URL, url);
    curl_easy_setopt(h, CURLOPT_TIMEOUT_MS, (long)PATIENCE_MS);
    curl_easy_setopt(h, CURLOPT_EXPECT_100_TIMEOUT_MS, (long)PATIENCE_MS * 2);
    curl_easy_setopt(h, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(h, CURLOPT_HEADERFUNCTION, keep);
    curl_easy_setopt(h, CURLOPT_HEADERDATA, &got.head);
    curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, keep);
    curl_easy_setopt(h, CURLOPT_WRITEDATA, &got.body);
    if (strcmp(method, "HEAD") == 0) {
        curl_easy_setopt(h, CURLOPT_NOBODY, 1L);
    }
    if (body) {
        curl_easy_setopt(h, CURLOPT_POSTFIELDS, body);
        curl_easy_setopt(h, CURLOPT_POSTFIELDSIZE, (long)n);
    }
    assert_int_equal(curl_easy_perform(h), CURLE_OK);
    curl_easy_getinfo(h, CURLINFO_RESPONSE_CODE, &got.status);
    curl_slist_free_all(headers);
    curl_easy_cleanup(h);
    return got;
}

static void got_release(struct got *got)
{
    str_release(&got->head);
    str_release(&got->body);
}

/* ---- requests and replies ---- */

TEST_WITH(one_connection_serves_many, set_up, tear_down)
{
    int fd = dial();
    for (int i = 0; i < 3; i++) {
        say(fd, "GET /hello HTTP/1.1\r\n" HOST "\r\n");
        char *reply = hear(fd, "\r\n\r\nhello");
        assert_non_null(strstr(reply, "HTTP/1.1 200 "));
        assert_non_null(strstr(reply, "X-Content-Type-Options: nosniff\r\n"));
        assert_non_null(strstr(reply, "Cache-Control: no-store\r\n"));
        assert_non_null(strstr(reply, "X-Request-Id: "));
        assert_null(strstr(reply, "Server:"));
    }
    WAIT_UNTIL(atomic_load(&finished) == 3);
    struct http_stats s = stats();
    assert_int_equal(s.connections, 1);
    assert_int_equal(s.requests, 3);
    assert_int_equal(s.bytes_out, 15);
    assert_int_equal(s.by_status[2], 3);
    close(fd);
    WAIT_UNTIL(stats().connections == 0);
}

TEST_WITH(pipelined_requests_are_answered_in_order, set_up, tear_down)
{
    int fd = dial();
    say(fd, "POST /later HTTP/1.1\r\n" HOST "Content-Length: 3\r\n\r\none"
            "GET /hello HTTP/1.1\r\n" HOST "\r\n"
            "POST /echo HTTP/1.1\r\n" HOST "Content-Length: 5\r\n\r\nthree"
            "GET /hello HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n");
    char *all = hear(fd, NULL);
    char *one = strstr(all, "later: one"), *two = strstr(all, "hello"),
         *three = strstr(all, "three");
    assert_true(one && two && three && one < two && two < three);
    assert_non_null(strstr(three, "hello"));
    close(fd);
}

TEST_WITH(bodies_have_limits, set_up, tear_down)
{
    static char big[BIG_MAX + 1];
    memset(big, 'b', sizeof big);
    static const struct {
        const char *path, *header;
        size_t n;
        long status;
    } cases[] = {
        {"/echo", NULL, ECHO_MAX, 200},
        {"/echo", NULL, ECHO_MAX + 1, 413},
        {"/echo", "Transfer-Encoding: chunked", ECHO_MAX, 200},
        {"/echo", "Transfer-Encoding: chunked", ECHO_MAX + 1, 413},
        {"/echo", "Expect: 100-continue", ECHO_MAX, 200},
        {"/echo", "Expect: 100-continue", BIG_MAX, 413},
        {"/echo", "Expect:", BIG_MAX, 413},
        {"/big", "Expect: 100-continue", BIG_MAX, 200},
        {"/big", "Expect:", BIG_MAX, 200},
        {"/big", "Transfer-Encoding: chunked", BIG_MAX, 200},
        {"/big", "Transfer-Encoding: chunked", BIG_MAX + 1, 413},
        {"/later", "Expect: 100-continue", BIG_MAX, 200},
        {"/hello", NULL, 0, 200},
        {"/hello", NULL, 1, 413},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct got got = curl("POST", cases[i].path, big, cases[i].n, cases[i].header);
        assert_int_equal(got.status, cases[i].status);
        bool echo = got.status == 200 && strcmp(cases[i].path, "/hello") != 0;
        size_t head = strcmp(cases[i].path, "/later") == 0 ? strlen("later: ") : 0;
        if (echo) {
            assert_int_equal(got.body.n, cases[i].n + head);
            assert_memory_equal(got.body.p + head, big, cases[i].n);
        } else {
            assert_true(sv_is(str_sv(&got.body), got.status == 413 ? "too large" : "hello"));
        }
        got_release(&got);
    }
}

/* What follows may be the body or a request: nobody guesses. */
TEST_WITH(a_refusal_ends_the_connection, set_up, tear_down)
{
    int fd = dial();
    say(fd, "POST /hello HTTP/1.1\r\n" HOST "Content-Length: 4\r\n\r\n"
            "GET /hello HTTP/1.1\r\n" HOST "\r\n");
    char *reply = hear(fd, NULL);
    assert_non_null(strstr(reply, " 413 "));
    assert_null(strstr(reply, " 200 "));
    close(fd);
}

TEST_WITH(ambiguous_bodies_are_refused, set_up, tear_down)
{
    static const char *const heads[] = {
        "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxy",
        "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: identity\r\n\r\nxy",
    };
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        int fd = dial();
        say(fd, "POST /echo HTTP/1.1\r\n" HOST);
        say(fd, heads[i]);
        assert_non_null(strstr(hear(fd, NULL), "HTTP/1.1 400 "));
        close(fd);
    }
    assert_int_equal(atomic_load(&begun), 0);
    assert_int_equal(stats().malformed, 4);
}

TEST_WITH(malformed_requests_die_quietly, set_up, tear_down)
{
    static const char *const texts[] = {
        "GET /hello HTTP/1.1\r\n\r\n", /* no Host */
        "GET /hello HTTP/1.1\r\n" HOST "no colon\r\n\r\n",
        "POST /echo HTTP/1.1\r\n" HOST "Content-Length: x\r\n\r\n",
        "POST /echo HTTP/1.1\r\n" HOST "Content-Length: -1\r\n\r\n",
        "POST /echo HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        "\r\n\r\n\x16\x03\x01\r\n\r\n",
        "GET\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        int fd = dial();
        say(fd, texts[i]);
        shutdown(fd, SHUT_WR);
        assert_null(strstr(hear(fd, NULL), " 200 "));
        close(fd);
    }
    struct got got = curl("GET", "/hello", NULL, 0, NULL);
    assert_int_equal(got.status, 200);
    got_release(&got);
    got = curl("GET", "/%zz", NULL, 0, NULL);
    assert_int_equal(got.status, 400);
    got_release(&got);
}

TEST_WITH(other_bodies, set_up, tear_down)
{
    struct got got = curl("GET", "/file", NULL, 0, NULL);
    assert_int_equal(got.status, 200);
    assert_int_equal(got.body.n, FILE_SIZE);
    got_release(&got);
    WAIT_UNTIL(atomic_load(&finished) == 1); /* replies may end in another order than they began */
    got = curl("GET", "/shared", NULL, 0, NULL);
    assert_int_equal(got.body.n, SHARED_SIZE);
    assert_non_null(strstr(got.head.p, "Cache-Control: private, max-age=60\r\n"));
    assert_non_null(strstr(got.head.p, "Content-Security-Policy: "));
    assert_int_equal(got.body.p[SHARED_SIZE - SHARED_TAIL - 1], 's');
    for (size_t i = SHARED_SIZE - SHARED_TAIL; i < SHARED_SIZE; i++) {
        assert_int_equal(got.body.p[i], '\0');
    }
    got_release(&got);
    WAIT_UNTIL(atomic_load(&finished) == 2);
    assert_int_equal(atomic_load(&last_bytes), SHARED_SIZE);
    got = curl("GET", "/shared?shorter", NULL, 0, NULL);
    assert_int_equal(got.body.n, SHARED_SIZE - 1);
    got_release(&got);
    got = curl("GET", "/unchanged", NULL, 0, NULL);
    assert_int_equal(got.status, 304);
    assert_int_equal(got.body.n, 0);
    got_release(&got);
    got = curl("GET", "/mistake", NULL, 0, NULL);
    assert_int_equal(got.status, 500);
    got_release(&got);
    WAIT_UNTIL(stats().by_status[5] == 1);
}

TEST_WITH(head_sends_no_body, set_up, tear_down)
{
    static const struct {
        const char *path, *length;
    } cases[] = {{"/hello", "Content-Length: 5\r\n"},
                 {"/file", "Content-Length: 300000\r\n"},
                 {"/shared", "Content-Length: 200000\r\n"},
                 {"/later", "Content-Length: 7\r\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct got got = curl("HEAD", cases[i].path, NULL, 0, NULL);
        assert_int_equal(got.status, 200);
        assert_int_equal(got.body.n, 0);
        assert_non_null(strstr(got.head.p, cases[i].length));
        got_release(&got);
    }
    struct got got = curl("HEAD", "/events", NULL, 0, NULL);
    assert_int_equal(got.status, 200);
    got_release(&got);
    WAIT_UNTIL(stats().event_streams == 0 && atomic_load(&finished) == 5);
    assert_int_equal(stats().bytes_out, 0);
}

/* What a proxy says counts only when the proxy is trusted. */
TEST(proxies_speak_for_clients)
{
    static const struct {
        const char *trusted, *headers, *want;
    } cases[] = {
        {"", "X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Proto: https\r\n", "127.0.0.1 plain"},
        {"127.0.0.0/8", "", "127.0.0.1 plain"},
        {"127.0.0.0/8", "X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Proto: https\r\n",
         "192.0.2.1 secure"},
        {"127.0.0.1", "X-Forwarded-For: 6.6.6.6, 192.0.2.1, 127.0.0.1\r\n", "192.0.2.1 plain"},
        {"127.0.0.1", "X-Forwarded-For: 6.6.6.6\r\nX-Forwarded-For: 192.0.2.1\r\n",
         "192.0.2.1 plain"},
        {"127.0.0.1", "X-Forwarded-Proto: https\r\nX-Forwarded-Proto: http\r\n", "127.0.0.1 plain"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct http_options o = options();
        o.trusted_proxies = cases[i].trusted;
        start(&o);
        int fd = dial();
        say(fd, "GET /who HTTP/1.1\r\n" HOST);
        say(fd, cases[i].headers);
        say(fd, "Connection: close\r\n\r\n");
        char *reply = hear(fd, NULL);
        assert_non_null(strstr(reply, cases[i].want));
        bool secure = strstr(cases[i].want, "secure");
        assert_int_equal(strstr(reply, "Strict-Transport-Security: ") != NULL, secure);
        close(fd);
        stop();
    }
}

TEST(wrong_options_are_refused)
{
    static const struct http_app app = {NULL, app_begin, NULL, app_handle, app_finished};
    struct http_server *s = NULL;
    struct http_options o = options();
    struct err err = {0};
    o.trusted_proxies = "not an address";
    assert_int_equal(http_start(&o, &app, &s, &err), ERR_INPUT);
    err_clear(&err);
    o = options();
    o.tls_cert = "cert.pem";
    assert_int_equal(http_start(&o, &app, &s, &err), ERR_INPUT);
    assert_string_equal(err.rule, "tls");
    err_clear(&err);
    o = options();
    start(&o);
    o.port = http_port(server);
    assert_int_equal(http_start(&o, &app, &s, &err), ERR_CONFLICT);
    assert_string_equal(err.rule, "port-taken");
    stop();
    assert_null(s);
}

/* A self-signed pair made for this test alone (openssl req -x509 -newkey ec). */
static const char test_key[] = "-----BEGIN PRIVATE KEY-----\n"
                               "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgTh4OcaBVyyytnlMf\n"
                               "d1R9o4oJCQMe897xzNy6Fv8J29ShRANCAARsW8Q4zHekOJn4LDRFeT9Kt+RHzJYl\n"
                               "kcF01UbrPyz2iErYVZLimfmX+XG1Y7szGxTzbK2Kx3zOoIObItYutrIs\n"
                               "-----END PRIVATE KEY-----\n";
static const char test_cert[] = "-----BEGIN CERTIFICATE-----\n"
                                "MIIBgDCCASWgAwIBAgIUJS68MmWgAnBzmRtDTSzxIPK4LcIwCgYIKoZIzj0EAwIw\n"
                                "FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMDEwNTQzN1oYDzIxMjYxMDI3\n"
                                "MTA1NDM3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO\n"
                                "PQMBBwNCAARsW8Q4zHekOJn4LDRFeT9Kt+RHzJYlkcF01UbrPyz2iErYVZLimfmX\n"
                                "+XG1Y7szGxTzbK2Kx3zOoIObItYutrIso1MwUTAdBgNVHQ4EFgQUmVUC3En+ls+Y\n"
                                "oUkpU+DW43qfs48wHwYDVR0jBBgwFoAUmVUC3En+ls+YoUkpU+DW43qfs48wDwYD\n"
                                "VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAiDkxcbBs2mhAb3vHc3N+\n"
                                "/F8BTA3H4epk55HhxnmJWVYCIQDrclonnFxI88JzzXX4q7c69KLgpjg7VW+bj7aG\n"
                                "02fWSA==\n"
                                "-----END CERTIFICATE-----\n";

TEST(tls_is_spoken)
{
    char dir[] = "/tmp/holdout-tls-XXXXXX", cert[64], key[64], url[64];
    assert_non_null(mkdtemp(dir));
    snprintf(cert, sizeof cert, "%s/cert.pem", dir);
    snprintf(key, sizeof key, "%s/key.pem", dir);
    assert_int_equal(fs_write_whole(cert, test_cert, strlen(test_cert), false, NULL), OK);
    assert_int_equal(fs_write_whole(key, test_key, strlen(test_key), false, NULL), OK);
    struct http_options o = options();
    o.tls_cert = cert;
    o.tls_key = key;
    start(&o);
    struct str body;
    long status = 0;
    CURL *h = curl_easy_init();
    str_init(&body, 1 << 20);
    snprintf(url, sizeof url, "https://127.0.0.1:%u/who", http_port(server));
    curl_easy_setopt(h, CURLOPT_URL, url);
    curl_easy_setopt(h, CURLOPT_SSL_VERIFYPEER, 0L);
    curl_easy_setopt(h, CURLOPT_SSL_VERIFYHOST, 0L);
    curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, keep);
    curl_easy_setopt(h, CURLOPT_WRITEDATA, &body);
    assert_int_equal(curl_easy_perform(h), CURLE_OK);
    curl_easy_getinfo(h, CURLINFO_RESPONSE_CODE, &status);
    assert_int_equal(status, 200);
    assert_true(sv_is(str_sv(&body), "127.0.0.1 secure"));
    curl_easy_cleanup(h);
    str_release(&body);
    stop();
    assert_int_equal(unlink(cert) | unlink(key) | rmdir(dir), 0);
}

/* One thread and fewer connections than threads both work. */
TEST(small_servers)
{
    for (unsigned n = 1; n <= 2; n++) {
        struct http_options o = options();
        o.threads = n == 1 ? 1 : 8;
        o.connections = n;
        start(&o);
        for (int i = 0; i < 5; i++) {
            struct got got = curl("POST", "/later", "x", 1, NULL);
            assert_int_equal(got.status, 200);
            got_release(&got);
        }
        stop();
    }
}

static int open_curl(void **state)
{
    (void)state;
    return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? 0 : -1;
}

static int close_curl(void **state)
{
    (void)state;
    curl_global_cleanup();
    return 0;
}

TESTS_SHARE(open_curl, close_curl)
