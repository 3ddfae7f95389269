/* pace_test.c - answers per minute and time to finish, from statistics that may be old. */
#include "unit.h"

#include <math.h>

#include "web/parts/pace.h"

enum { MINUTE = 60000 };
#define NOW (INT64_C(29000000) * MINUTE) /* the start of a minute */

/* Two campaigns: the first has an answer in each of the last 30 minutes, the second 5 now. */
struct made {
    struct stats stats;
    struct stats_campaign campaigns[2];
    struct stats_person people[3];
};

static struct made *made(int64_t made_ms)
{
    static struct made m;
    m = (struct made){.stats = {.made_ms = made_ms, .n_campaigns = 2, .n_people = 3}};
    m.stats.campaigns = m.campaigns;
    m.stats.people = m.people;
    for (unsigned i = 0; i < 30; i++) {
        m.campaigns[0].minute[i] = 1;
    }
    m.campaigns[1].minute[0] = 5;
    m.people[0].last_s = (uint32_t)(made_ms / 1000);
    m.people[1].last_s = (uint32_t)(made_ms / 1000 - PACE_MINUTES * 60);
    m.people[2].last_s = (uint32_t)(made_ms / 1000 - PACE_MINUTES * 60 - 1);
    return &m;
}

TEST(present)
{
    struct made *m = made(NOW + MINUTE / 2);
    int64_t now = pace_now(&m->stats, NOW + MINUTE / 2 + 9000);
    struct pace p;
    assert_int_equal(now, m->stats.made_ms);
    pace_of(&m->stats, NULL, now, &p);
    assert_int_equal(p.answers, 15);
    assert_int_equal(p.hour, 35);
    assert_int_equal(p.day, 35);
    assert_true(fabs(p.minutes - 9.5) < 1e-12);
    assert_true(fabs(p.per_minute - 15 / 9.5) < 1e-12);
    pace_of(&m->stats, &m->campaigns[0], now, &p);
    assert_int_equal(p.answers, 10);
    assert_int_equal(p.hour, 30);
}

/* What was made four minutes ago says four minutes of nothing. */
TEST(later)
{
    struct made *m = made(NOW + 1);
    int64_t now = pace_now(&m->stats, NOW + 4 * MINUTE + 17);
    struct pace p;
    assert_int_equal(now, NOW + 4 * MINUTE);
    assert_int_equal(pace_minute(&m->stats, NULL, now, 3), 0);
    assert_int_equal(pace_minute(&m->stats, NULL, now, 4), 6);
    assert_int_equal(pace_minute(&m->stats, NULL, now, 5), 1);
    pace_of(&m->stats, NULL, now, &p);
    assert_int_equal(p.answers, 6 + 5);
    assert_int_equal(p.hour, 35);
    pace_of(&m->stats, NULL, now + 1500 * INT64_C(60000), &p);
    assert_int_equal(p.day, 0);
    assert_true(p.per_minute == 0);
}

/* A clock that went back makes no future. */
TEST(earlier)
{
    struct made *m = made(NOW + 10 * MINUTE);
    assert_int_equal(pace_now(&m->stats, NOW), m->stats.made_ms);
    assert_int_equal(pace_minute(&m->stats, NULL, NOW, 0), 6);
}

TEST(finish)
{
    struct pace p = {.per_minute = 2.5};
    assert_true(pace_finish(&p, 100) == 40);
    assert_true(pace_finish(&p, 0) < 0);
    assert_true(pace_finish(&p, -3) < 0);
    p.per_minute = 0;
    assert_true(pace_finish(&p, 100) < 0);
}

TEST(people)
{
    struct made *m = made(NOW);
    assert_int_equal(pace_people(&m->stats, NOW), 2);
    assert_int_equal(pace_people(&m->stats, NOW + 1000), 1);
}

TEST(span)
{
    static const struct {
        double minutes;
        const char *text;
    } cases[] = {
        {0, "under a minute"},     {0.99, "under a minute"}, {1, "1 min"},
        {59.4, "59 min"},          {60, "1 h"},              {61, "1 h 1 min"},
        {200, "3 h 20 min"},       {47 * 60, "47 h"},        {48 * 60, "2 days"},
        {10 * 1440.0, "10 days"},  {1e6, "over a year"},
    };
    struct arena a;
    arena_init(&a, 4096);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(pace_span(&a, cases[i].minutes), cases[i].text);
    }
    arena_release(&a);
}
