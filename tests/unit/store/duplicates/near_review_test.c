/* near_review_test.c - which pairs are left to review, and which images a project's own searches cover. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "store/core/events.h"
#include "store/duplicates/near_metrics.h"
#include "store/duplicates/near_review.h"
#include "store/duplicates/near_searches.h"
#include "store/duplicates/near_space.h"
#include "temp_project.h"
#include "world.h"

enum { IMAGES = 12, ORIGINALS = 4 }; /* the first are originals */

struct review {
    struct temp_project *t;
    struct review_gate gate;
    struct sv space;
    struct near_covered covered[REVIEW_METRICS_MOST];
};

static void open_review(struct review *r, struct temp_project *t)
{
    *r = (struct review){.t = t};
    int64_t class_id = world_class(t->db, 1);
    for (unsigned i = 1; i <= IMAGES; i++) {
        assert_int_equal(world_image(t->db, i, class_id, i <= ORIGINALS ? "original" : "candidate"), i);
    }
    assert_int_equal(near_metrics_get(t->db, 0, &r->gate, &t->err), OK);
    assert_int_equal(near_space(t->db, &r->gate.metric[REVIEW_L2], 0, &t->arena, &r->space, &t->err), OK);
}

static struct ranges numbers(struct temp_project *t, uint32_t first, uint32_t last)
{
    struct ranges_build b = {0};
    for (uint32_t i = first; i <= last; i++) {
        ranges_add(&b, &t->arena, i);
    }
    return b.ranges;
}

/* A whole search; each query has one neighbour, `to`, at 1e7 times its own number. */
static int64_t search(struct review *r, struct ranges queries, struct ranges refs, uint32_t to)
{
    struct temp_project *t = r->t;
    struct near_search s = {.k = 3, .within = 2e8, .metric = SV("l2"), .space = r->space, .engine = SV(NEAR_ENGINE),
                            .queries = queries, .refs = refs};
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    assert_int_equal(near_searches_put(t->db, &s, 0, WORLD_NOW, &t->err), OK);
    for (uint32_t i = 0; i < queries.numbers; i++) {
        struct near_neighbor near = {to, 1e7 * ranges_at(&queries, i)};
        struct near_list list = {&near, 1};
        assert_int_equal(near_searches_append(t->db, &s, i, &list, 1, &t->err), OK);
    }
    assert_int_equal(near_searches_end(t->db, s.id, 0, WORLD_NOW, &t->err), OK);
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
    return s.id;
}

static enum err_code add_query(void *arg, const struct near_open_pair *p, struct err *err)
{
    char *out = arg;
    size_t at = strlen(out);
    (void)err;
    snprintf(out + at, 100 - at, "%s%d:%d", at ? " " : "", (int)p->query, (int)p->reference);
    return OK;
}

static void open_are(struct review *r, struct near_open_ask ask, const char *expected)
{
    char found[100] = "";
    ask.metric = &r->gate.metric[REVIEW_L2];
    ask.space = r->space;
    assert_int_equal(near_open_each(r->t->db, &ask, add_query, found, &r->t->err), OK);
    assert_string_equal(found, expected);
}

static int64_t say(struct temp_project *t, const char *sql)
{
    int64_t event = 0;
    assert_int_equal(events_add(t->db, WORLD_NOW, 0, "said", 0, NULL, &event, &t->err), OK);
    assert_int_equal(db_run(t->db, sql, DB_VALS(db_int(event)), &t->err), OK);
    return event;
}

/* Names of two images in the order of pairs. */
#define PAIR(q, r)                                                                                                     \
    "(SELECT min(name) FROM image WHERE id IN (" #q ", " #r ")), (SELECT max(name) FROM image WHERE id IN (" #q ", " #r "))"
#define NAME(i) "(SELECT name FROM image WHERE id = " #i ")"

PROJECT_TEST(pairs_that_nobody_has_judged)
{
    struct review r;
    open_review(&r, *state);
    struct temp_project *t = r.t;
    search(&r, numbers(t, 5, 12), numbers(t, 1, 12), 1);
    /* 12 is as far as the threshold, and within it. */
    open_are(&r, (struct near_open_ask){0}, "5:1 6:1 7:1 8:1 9:1 10:1 11:1 12:1");
    int64_t then = say(t, "INSERT INTO near_verdict VALUES (" PAIR(5, 1) ", ?1, 'not', 0)");
    say(t, "INSERT INTO near_verdict VALUES (" PAIR(6, 1) ", ?1, 'unsure', 0)");
    say(t, "INSERT INTO near_verdict VALUES (" PAIR(7, 1) ", ?1, 'duplicate', 0)");
    say(t, "INSERT INTO near_verdict VALUES (" PAIR(7, 1) ", ?1, 'open', 1)"); /* a repeat changes nothing */
    say(t, "INSERT INTO near_duplicate VALUES (" PAIR(8, 1) ", ?1, 1)");
    say(t, "INSERT INTO neighbour_review SELECT " NAME(9) ", 'l2', 'r', 'd', ?1, json_array(" NAME(1) ")");
    say(t, "INSERT INTO neighbour_review SELECT " NAME(10) ", 'dssim', 'r', 'd', ?1, json_array(" NAME(1) ")");
    open_are(&r, (struct near_open_ask){0}, "6:1 10:1 11:1 12:1");
    open_are(&r, (struct near_open_ask){.as_of = then}, "6:1 7:1 8:1 9:1 10:1 11:1 12:1");
    open_are(&r, (struct near_open_ask){.as_of = then - 1}, "5:1 6:1 7:1 8:1 9:1 10:1 11:1 12:1");
    say(t, "INSERT INTO near_verdict VALUES (" PAIR(5, 1) ", ?1, 'open', 0)");
    open_are(&r, (struct near_open_ask){.image = 5}, "5:1");
    open_are(&r, (struct near_open_ask){.class_id = 999}, "");
    say(t, "INSERT INTO blacklisting VALUES (" NAME(11) ", ?1, 1, 'class', '')");
    open_are(&r, (struct near_open_ask){.in_play = true}, "5:1 6:1 10:1 12:1");
    open_are(&r, (struct near_open_ask){.class_id = temp_int(t, "SELECT class FROM image WHERE id = 5")},
             "5:1 6:1 10:1 11:1 12:1");
    say(t, "INSERT INTO blacklisting VALUES (" NAME(1) ", ?1, 1, 'class', '')");
    open_are(&r, (struct near_open_ask){0}, "");
    say(t, "INSERT INTO blacklisting VALUES (" NAME(1) ", ?1, 0, '', '')");
    assert_int_equal(db_run(t->db, "UPDATE image SET source_id = 'photo' WHERE id IN (1, 12) AND ?1", DB_VALS(db_int(1)),
                            &t->err), OK);
    open_are(&r, (struct near_open_ask){0}, "5:1 6:1 10:1 11:1");
}

static void covered_are(struct review *r, int64_t as_of, uint32_t first, uint32_t last, uint32_t but)
{
    static const uint32_t originals[ORIGINALS] = {1, 2, 3, 4};
    struct temp_project *t = r->t;
    assert_int_equal(near_review_covered(t->db, &r->gate, as_of, originals, ORIGINALS, &t->arena, r->covered, &t->err), OK);
    const struct near_covered *c = &r->covered[REVIEW_L2];
    for (uint32_t i = 1; i <= IMAGES; i++) {
        assert_int_equal(ranges_has(&c->queries, i), i >= first && i <= last && i != but);
    }
}

PROJECT_TEST(images_that_searches_cover)
{
    struct review r;
    open_review(&r, *state);
    struct temp_project *t = r.t;
    covered_are(&r, 0, 1, 0, 0);
    assert_false(r.covered[REVIEW_L2].any);
    search(&r, numbers(t, 5, 8), numbers(t, 1, 3), 1); /* not all originals */
    covered_are(&r, 0, 1, 0, 0);
    assert_true(r.covered[REVIEW_L2].any);
    int64_t second = search(&r, numbers(t, 6, 12), numbers(t, 4, 12), 4);
    covered_are(&r, 0, 6, 8, 0);
    covered_are(&r, second, 1, 0, 0); /* it was not whole yet */
    search(&r, numbers(t, 9, 12), numbers(t, 1, 3), 1);
    covered_are(&r, 0, 6, 12, 0);
    char sql[100];
    snprintf(sql, sizeof sql, "INSERT INTO near_unread VALUES (%d, 7) RETURNING ?1", (int)second);
    say(t, sql);
    covered_are(&r, 0, 6, 12, 7);
    search(&r, numbers(t, 7, 7), numbers(t, 4, 12), 4); /* it can be read now */
    covered_are(&r, 0, 6, 12, 0);
    assert_false(r.covered[REVIEW_FC7].any || r.covered[REVIEW_DSSIM].any);
}
