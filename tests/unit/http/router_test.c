/* router_test.c - the tree of patterns against all patterns one by one. */
#include "unit.h"

#include "http/router.h"

#include "base/rng.h"

enum { ROWS = 40, ROUNDS = 300, PATHS = 60, LONG = 128 };

/* Cuts the slash that paths and patterns begin with; p is NULL when there is none. */
static struct sv without_slash(struct sv path)
{
    if (path.n == 0 || path.p[0] != '/') {
        return (struct sv){0};
    }
    return sv_make(path.p + 1, path.n - 1);
}

/* What fits one pattern, segment by segment. */
static bool matches(const char *pattern, struct sv path, struct sv params[HTTP_PARAMS])
{
    struct sv want = without_slash(sv_of(pattern)), have = without_slash(path);
    if (!want.p || !have.p) {
        return false;
    }
    int n = 0;
    while (want.p && have.p) {
        struct sv all = have;
        struct sv w = sv_cut(&want, '/'), h = sv_cut(&have, '/');
        bool variable = sv_starts(w, ":") || sv_starts(w, "*");
        if (variable && n == HTTP_PARAMS) {
            return false;
        }
        if (sv_starts(w, "*")) {
            params[n] = all;
            return all.n > 0;
        }
        if (variable ? h.n == 0 : !sv_eq(w, h)) {
            return false;
        }
        if (variable) {
            params[n++] = h;
        }
    }
    return !want.p && !have.p;
}

TEST(one_pattern)
{
    struct sv p[HTTP_PARAMS];
    assert_true(matches("/", SV("/"), p));
    assert_false(matches("/", SV(""), p));
    assert_false(matches("/", SV("//"), p));
    assert_true(matches("/a/:x", SV("/a/1"), p));
    assert_sv(p[0], "1");
    assert_false(matches("/a/:x", SV("/a/"), p));
    assert_false(matches("/a/:x", SV("/a"), p));
    assert_false(matches("/a/:x", SV("/a/1/"), p));
    assert_false(matches("/a/:x", SV("/a/1/2"), p));
    assert_false(matches("/a", SV("/a/"), p));
    assert_true(matches("/:x/b/:y", SV("/1/b/2"), p));
    assert_sv(p[0], "1");
    assert_sv(p[1], "2");
    assert_true(matches("/s/*rest", SV("/s/css/a.css"), p));
    assert_sv(p[0], "css/a.css");
    assert_true(matches("/s/*rest", SV("/s//"), p));
    assert_sv(p[0], "/");
    assert_false(matches("/s/*rest", SV("/s/"), p));
    assert_false(matches("/s/*rest", SV("/s"), p));
    assert_false(matches("/a", SV("a"), p));
    assert_false(matches("/a", SV("/A"), p));
}

static const char *const patterns[] = {
    "/",          "/images",       "/images",         "/images/new", "/images/:id", "/images/:id",
    "/:word/new", "/static/*file", "/static/special", "/a/:x/c",     "/a/b/:y"};
static const enum http_method methods[] = {HTTP_GET, HTTP_GET,  HTTP_POST, HTTP_GET,
                                           HTTP_GET, HTTP_POST, HTTP_GET,  HTTP_GET,
                                           HTTP_PUT, HTTP_GET,  HTTP_GET};

TEST(rows_are_found)
{
    struct router *r = router_new(patterns, methods, sizeof methods / sizeof methods[0]);
    struct sv p[HTTP_PARAMS];
    unsigned allow = 0;
    assert_int_equal(router_find(r, HTTP_GET, SV("/"), p, &allow), 0);
    assert_int_equal(router_find(r, HTTP_POST, SV("/images"), p, &allow), 2);
    assert_int_equal(router_find(r, HTTP_GET, SV("/images/new"), p, &allow), 3);
    assert_int_equal(p[0].n, 0);
    assert_int_equal(router_find(r, HTTP_POST, SV("/images/new"), p, &allow), 5);
    assert_sv(p[0], "new");
    assert_int_equal(router_find(r, HTTP_HEAD, SV("/images/7"), p, &allow), 4);
    assert_sv(p[0], "7");
    assert_int_equal(router_find(r, HTTP_GET, SV("/x/new"), p, &allow), 6);
    assert_sv(p[0], "x");
    assert_int_equal(router_find(r, HTTP_GET, SV("/static/special"), p, &allow), 7);
    assert_sv(p[0], "special");
    assert_int_equal(router_find(r, HTTP_GET, SV("/static/a/b"), p, &allow), 7);
    assert_sv(p[0], "a/b");
    /* The literal way is tried first and left again when it leads nowhere. */
    assert_int_equal(router_find(r, HTTP_GET, SV("/a/b/c"), p, &allow), 10);
    assert_sv(p[0], "c");
    assert_int_equal(router_find(r, HTTP_GET, SV("/a/z/c"), p, &allow), 9);
    assert_sv(p[0], "z");
    assert_int_equal(allow, 0);
    router_free(r);
}

TEST(missing_rows)
{
    struct router *r = router_new(patterns, methods, sizeof methods / sizeof methods[0]);
    struct sv p[HTTP_PARAMS];
    unsigned allow = 0;
    assert_int_equal(router_find(r, HTTP_GET, SV("/nothing"), p, &allow), -1);
    assert_int_equal(router_find(r, HTTP_GET, SV(""), p, &allow), -1);
    assert_int_equal(router_find(r, HTTP_GET, SV("/images/"), p, &allow), -1);
    assert_int_equal(router_find(r, HTTP_GET, SV("images"), p, &allow), -1);
    assert_int_equal(allow, 0);
    assert_int_equal(router_find(r, HTTP_DELETE, SV("/images/7"), p, &allow), -2);
    assert_int_equal(allow, 1u << HTTP_GET | 1u << HTTP_HEAD | 1u << HTTP_POST);
    assert_int_equal(router_find(r, HTTP_OTHER, SV("/static/special"), p, &allow), -2);
    assert_int_equal(allow, 1u << HTTP_GET | 1u << HTTP_HEAD | 1u << HTTP_PUT);
    router_free(r);
}

/* A path of up to five segments out of few words, so that patterns overlap. */
static void random_path(struct rng *r, bool pattern, char out[LONG])
{
    static const char *const words[] = {"a", "b", "c", ""};
    size_t n = 0;
    int params = 0;
    uint64_t segments = 1 + rng_below(r, 5);
    for (uint64_t i = 0; i < segments; i++) {
        uint64_t kind = pattern ? rng_below(r, 8) : 0;
        const char *word = words[rng_below(r, 4)];
        if (kind == 7 && i + 1 == segments && params < HTTP_PARAMS) {
            word = "*rest";
        } else if (kind >= 5 && params < HTTP_PARAMS) {
            word = ":p";
            params++;
        }
        n += (size_t)snprintf(out + n, LONG - n, "/%s", word);
    }
}

/* How specific a pattern is where it first differs from another that fits the same path. */
static int weight(struct sv segment)
{
    return sv_starts(segment, "*") ? 0 : sv_starts(segment, ":") ? 1 : 2;
}

static bool more_specific(const char *a, const char *b)
{
    struct sv left = sv_of(a), right = sv_of(b);
    while (left.p && right.p) {
        int x = weight(sv_cut(&left, '/')), y = weight(sv_cut(&right, '/'));
        if (x != y) {
            return x > y;
        }
    }
    return false;
}

static int find_slowly(char rows[ROWS][LONG], const enum http_method *m, int n,
                       enum http_method method, struct sv path, struct sv params[HTTP_PARAMS])
{
    int best = -1;
    bool known = false;
    for (int i = 0; i < n; i++) {
        struct sv p[HTTP_PARAMS];
        if (!matches(rows[i], path, p)) {
            continue;
        }
        known = true;
        if (m[i] == method && (best < 0 || more_specific(rows[i], rows[best]))) {
            best = i;
        }
    }
    if (best >= 0) {
        assert_true(matches(rows[best], path, params));
    }
    return best >= 0 ? best : known ? -2 : -1;
}

static bool has_row(char rows[ROWS][LONG], const enum http_method *m, int n)
{
    for (int i = 0; i < n; i++) {
        if (m[i] == m[n] && strcmp(rows[i], rows[n]) == 0) {
            return true;
        }
    }
    return false;
}

TEST(the_tree_agrees_with_all_patterns)
{
    struct rng r;
    rng_seed(&r, 20261120);
    int found = 0, other = 0;
    for (int round = 0; round < ROUNDS; round++) {
        char rows[ROWS][LONG];
        const char *list[ROWS];
        enum http_method m[ROWS];
        int n = 0;
        for (int i = 0; i < ROWS; i++) {
            random_path(&r, true, rows[n]);
            m[n] = rng_below(&r, 2) ? HTTP_POST : HTTP_GET;
            list[n] = rows[n];
            n += !has_row(rows, m, n);
        }
        struct router *router = router_new(list, m, (size_t)n);
        for (int i = 0; i < PATHS; i++) {
            char path[LONG];
            struct sv want[HTTP_PARAMS] = {{0}}, got[HTTP_PARAMS];
            unsigned allow = 0;
            random_path(&r, false, path);
            int slow = find_slowly(rows, m, n, HTTP_POST, sv_of(path), want);
            assert_int_equal(router_find(router, HTTP_POST, sv_of(path), got, &allow), slow);
            for (int k = 0; slow >= 0 && k < HTTP_PARAMS && want[k].p; k++) {
                assert_true(sv_eq(got[k], want[k]));
            }
            found += slow >= 0;
            other += slow == -2;
        }
        router_free(router);
    }
    assert_true(found > 1000 && other > 1000); /* the test has something to say */
}
