/* neighbors_plan_test.c - what is left to compare after searches of some images, and after some that were unread. */
#include "unit.h"

#include <string.h>

#include "base/str.h"
#include "transfer/duplicates/neighbors_plan.h"

enum { MOST = 12 };

/* Images 1 to n; queries are those named by `queries`. */
static struct plan_input images(uint32_t n, const char *queries)
{
    static uint32_t ids[MOST];
    static bool query[MOST];
    for (uint32_t i = 0; i < n; i++) {
        ids[i] = i + 1;
        query[i] = strchr(queries, 'a' + (int)i) != NULL;
    }
    return (struct plan_input){.images = ids, .query = query, .n = n};
}

static struct ranges set(const char *letters)
{
    struct ranges_build b = {0};
    for (; *letters; letters++) {
        ranges_add(&b, &unit_arena, (uint32_t)(*letters - 'a' + 1));
    }
    return b.ranges;
}

static struct near_search search(const char *queries, const char *refs)
{
    return (struct near_search){.queries = set(queries), .refs = set(refs)};
}

static void add(struct str *to, const struct ranges *r)
{
    for (uint32_t i = 0; i < r->numbers; i++) {
        str_addc(to, (char)('a' + (int)ranges_at(r, i) - 1));
    }
}

/* "ab:cd " for the part of queries a, b against c, d. */
static const char *planned(const struct plan_input *in)
{
    struct plan_part *parts;
    struct str text;
    size_t n;
    str_init(&text, 1000);
    neighbors_plan(in, &unit_arena, &parts, &n);
    for (size_t i = 0; i < n; i++) {
        add(&text, &parts[i].queries);
        str_addc(&text, ':');
        add(&text, &parts[i].refs);
        str_addc(&text, ' ');
    }
    const char *out = arena_cstr(&unit_arena, str_sv(&text));
    str_release(&text);
    return out;
}

ARENA_TEST(at_first_everything_is_compared)
{
    struct plan_input in = images(6, "cdf");
    assert_string_equal(planned(&in), "cdf:abcdef ");
    in = images(6, "");
    assert_string_equal(planned(&in), "");
    in = images(0, "");
    assert_string_equal(planned(&in), "");
}

ARENA_TEST(later_only_new_rows_and_columns)
{
    struct near_search all = search("cd", "abcd"), row = search("ef", "abcdef"), column = search("cd", "ef");
    const struct plan_search searches[] = {{&all, NULL, 0}, {&row, NULL, 0}, {&column, NULL, 0}};
    struct plan_input in = images(4, "cd");
    in.searches = searches;
    in.n_searches = 1;
    assert_string_equal(planned(&in), "");
    in = images(6, "cdef");
    in.searches = searches;
    in.n_searches = 1;
    assert_string_equal(planned(&in), "cd:ef ef:abcdef ");
    in.n_searches = 2;
    assert_string_equal(planned(&in), "cd:ef ");
    assert_true(neighbors_plan_lacks(&in, &column, &unit_arena));
    assert_false(neighbors_plan_lacks(&in, &row, &unit_arena));
    in.n_searches = 3;
    assert_string_equal(planned(&in), "");
    assert_false(neighbors_plan_lacks(&in, &column, &unit_arena));
}

ARENA_TEST(more_queries_are_a_part_of_their_own)
{
    struct near_search some = search("c", "abcde");
    const struct plan_search searches[] = {{&some, NULL, 0}};
    struct plan_input in = images(5, "bcd");
    in.searches = searches;
    in.n_searches = 1;
    assert_string_equal(planned(&in), "bd:abcde ");
}

ARENA_TEST(what_could_not_be_read_was_not_compared)
{
    struct near_search all = search("bcd", "abcd");
    static const int64_t unread[] = {1, 3};
    const struct plan_search searches[] = {{&all, unread, 2}};
    struct plan_input in = images(4, "bcd");
    in.searches = searches;
    in.n_searches = 1;
    assert_string_equal(planned(&in), "bd:ac c:abcd ");
}
