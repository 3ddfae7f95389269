/* upload_limit_test.c - how many photos by one person, and of one day, may stay. */
#include "unit.h"

#include "base/rng.h"
#include "domain/images/upload_limit.h"

enum { MANY = 60 };

static size_t count_out(const bool *out, size_t n)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        k += out[i];
    }
    return k;
}

/* Three classes, four authors (one unknown), three days (one unknown), in turn. */
static void make(struct upload *u)
{
    static const char *const authors[] = {"Ada", "Ben", "Cleo", ""};
    static const char *const days[] = {"2016-05-01 10:00:00", "2016-05-02", "some day"};
    for (int i = 0; i < MANY; i++) {
        u[i] = (struct upload){
            .name = sv_of(arena_printf(&unit_arena, "image-%02d", i)),
            .author = sv_of(authors[i / 3 % 4]),
            .taken_at = sv_of(days[i / 12 % 3]),
            .class_index = (uint32_t)(i % 3),
            .counts = true,
        };
    }
}

/* How many of the same class, author and, unless NULL, day stayed. */
static size_t stayed(const struct upload *u, const bool *out, uint32_t k, const char *author,
                     const char *day)
{
    size_t n = 0;
    for (int i = 0; i < MANY; i++) {
        n += !out[i] && u[i].class_index == k && sv_is(u[i].author, author) &&
             (!day || sv_is(upload_day(u[i].taken_at), day));
    }
    return n;
}

ARENA_TEST(day)
{
    assert_true(sv_is(upload_day(SV("2016-05-01 10:00:00")), "2016-05-01"));
    assert_true(sv_is(upload_day(SV("2016-05-01")), "2016-05-01"));
    assert_int_equal(upload_day(SV("2016-05-0")).n, 0);
    assert_int_equal(upload_day(SV("2016/05/01")).n, 0);
    assert_int_equal(upload_day(SV("May 1, 2016")).n, 0);
    assert_int_equal(upload_day(SV("")).n, 0);
}

ARENA_TEST(limits)
{
    struct upload u[MANY];
    bool out[MANY];
    make(u);
    const struct upload_rules none = {0}, authors = {.author_most = 2, .seed = 5},
                              events = {.event_most = 1, .seed = 5},
                              both = {.author_most = 2, .event_most = 1, .seed = 5};
    upload_limit(u, MANY, &none, &unit_arena, out);
    assert_int_equal(count_out(out, MANY), 0);
    upload_limit(u, MANY, &authors, &unit_arena, out);
    for (uint32_t k = 0; k < 3; k++) {
        assert_int_equal(stayed(u, out, k, "Ada", NULL), 2);
        assert_int_equal(stayed(u, out, k, "Cleo", NULL), 2);
        assert_int_equal(stayed(u, out, k, "", NULL), 5); /* nobody's: under no limit */
    }
    upload_limit(u, MANY, &events, &unit_arena, out);
    assert_int_equal(stayed(u, out, 1, "Ben", "2016-05-01"), 1);
    assert_int_equal(stayed(u, out, 1, "Ben", "2016-05-02"), 1);
    assert_int_equal(stayed(u, out, 1, "Ben", ""), 1); /* one of 5 has no day: under the author's limit alone */
    upload_limit(u, MANY, &both, &unit_arena, out);
    assert_int_equal(stayed(u, out, 2, "Ben", NULL), 2);
    assert_true(stayed(u, out, 2, "Ben", "2016-05-01") <= 1);
}

/* The parent's stay, whatever the seed; what does not count neither stays nor takes a place. */
ARENA_TEST(who_stays)
{
    struct upload u[MANY];
    bool out[MANY], others = false, first[MANY];
    make(u);
    u[0].counts = false; /* Ada, class 0 */
    u[36].in_parent = true; /* the same */
    struct upload_rules r = {.author_most = 1};
    for (r.seed = 0; r.seed < 20; r.seed++) {
        upload_limit(u, MANY, &r, &unit_arena, out);
        assert_false(out[0]);
        assert_false(out[36]);
        assert_true(out[12] && out[24] && out[48]);
        for (int i = 0; i < MANY; i++) {
            others = others || (r.seed > 0 && first[i] != out[i]);
            first[i] = r.seed == 0 ? out[i] : first[i];
        }
    }
    assert_true(others); /* elsewhere the seed decides */
}

/* Neither the order of the input nor an image of another author changes who stays. */
ARENA_TEST(order_means_nothing)
{
    struct upload u[MANY], mixed[MANY];
    bool out[MANY], again[MANY];
    uint32_t order[MANY];
    struct rng rng;
    const struct upload_rules r = {.author_most = 2, .event_most = 1, .seed = 9};
    make(u);
    upload_limit(u, MANY, &r, &unit_arena, out);
    for (uint32_t i = 0; i < MANY; i++) {
        order[i] = i;
    }
    rng_seed(&rng, 1);
    rng_shuffle_u32(&rng, order, MANY);
    for (int i = 0; i < MANY; i++) {
        mixed[i] = u[order[i]];
    }
    upload_limit(mixed, MANY, &r, &unit_arena, again);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(again[i], out[order[i]]);
    }
    for (int i = 0; i < MANY; i++) {
        u[i].counts = !sv_is(u[i].author, "Ada");
    }
    upload_limit(u, MANY, &r, &unit_arena, again);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(again[i], u[i].counts && out[i]);
    }
}
