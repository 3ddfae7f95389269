/* review_distances_test.c - what is left to review of neighbours, and who looked at which. */
#include "unit.h"

#include <string.h>

#include "domain/review/review_gate.h"
#include "store/duplicates/review_distances.h"
#include "temp_project.h"
#include "world.h"

/* The event that said it, 0 when it held already; below 0: never searched. */
static int64_t say(struct temp_project *t, const char *name, const char *metric, double distance)
{
    const struct review_distance_row r = {sv_of(name), sv_of(metric), distance, distance >= 0};
    bool added = false, would = false;
    int64_t id = world_event(t->db, "review-thresholds.import");
    assert_int_equal(review_distances_put(t->db, 0, &r, &would, &t->err), OK);
    assert_int_equal(review_distances_put(t->db, id, &r, &added, &t->err), OK);
    assert_int_equal(added, would);
    return added ? id : 0;
}

static enum err_code list_row(void *arg, const struct review_distance_row *r, struct err *err)
{
    char *text = arg;
    size_t n = strlen(text);
    (void)err;
    assert_true(r->searched || !(r->distance > REVIEW_NEVER));
    snprintf(text + n, 200 - n, SV_FMT "-" SV_FMT "=%g%s ", SV_ARG(r->name), SV_ARG(r->metric),
             r->distance, r->searched ? "" : "?");
    return OK;
}

static const char *rows(struct temp_project *t, int64_t as_of)
{
    char *text = arena_calloc(&t->arena, 1, 200);
    assert_int_equal(review_distances_each(t->db, as_of, list_row, text, &t->err), OK);
    return text;
}

PROJECT_TEST(distances)
{
    struct temp_project *t = *state;
    bool added;
    int64_t first = say(t, "b", "l2", -1), second = say(t, "a", "fc7", .5);
    assert_int_equal(say(t, "b", "l2", -1), 0);
    int64_t third = say(t, "b", "l2", 0), last = say(t, "b", "l2", 7.25);
    assert_int_equal(say(t, "b", "l2", 7.25), 0);
    assert_true(first && second && third && last && say(t, "b", "dssim", 1e100));
    assert_string_equal(rows(t, first), "b-l2=0? ");
    assert_string_equal(rows(t, third), "a-fc7=0.5 b-l2=0 ");
    assert_string_equal(rows(t, 0), "a-fc7=0.5 b-dssim=1e+100 b-l2=7.25 ");
    struct review_distance_row r = {SV("a"), SV("l3"), 1, true};
    review_distances_put(t->db, world_event(t->db, "review-thresholds.import"), &r, &added, &t->err);
    temp_clear(t, ERR_INPUT, "review-metric");
    r = (struct review_distance_row){SV("a"), SV("l2"), -1, true};
    review_distances_put(t->db, world_event(t->db, "review-thresholds.import"), &r, &added, &t->err);
    temp_clear(t, ERR_INPUT, "review-distance");
    r.distance = 8;
    assert_int_equal(review_distances_put(t->db, last, &r, &added, &t->err), OK);
    r.distance = 9;
    review_distances_put(t->db, last, &r, &added, &t->err);
    temp_clear(t, ERR_INPUT, "review-distance");
}

PROJECT_TEST(reviews)
{
    struct temp_project *t = *state;
    struct neighbour_review r = {SV("a"), SV("l2"), SV("one"), SV("2018-10-12"), SV("[\"b\"]")};
    bool added;
    int64_t first = world_event(t->db, "review-thresholds.import");
    assert_int_equal(neighbour_reviews_put(t->db, 0, &r, &added, &t->err), OK);
    assert_true(added);
    assert_int_equal(neighbour_reviews_put(t->db, first, &r, &added, &t->err), OK);
    assert_true(added);
    for (int64_t which = 0; which <= first; which += first) {
        assert_int_equal(neighbour_reviews_put(t->db, which, &r, &added, &t->err), OK);
        assert_false(added);
        r.neighbours = SV("[\"c\"]");
        neighbour_reviews_put(t->db, which, &r, &added, &t->err);
        temp_clear(t, ERR_CONFLICT, "neighbour-review");
        r.neighbours = SV("[\"b\"]");
    }
    r.date = SV("2018-10-13");
    r.neighbours = SV("[\"b\",\"c\"]");
    assert_int_equal(neighbour_reviews_put(t->db, world_event(t->db, "review-thresholds.import"), &r, &added, &t->err), OK);
    r.metric = SV("pixels");
    neighbour_reviews_put(t->db, world_event(t->db, "review-thresholds.import"), &r, &added, &t->err);
    temp_clear(t, ERR_INPUT, "review-metric");
    assert_int_equal(temp_int(t, "SELECT count(*) FROM neighbour_review WHERE name = 'a' AND (neighbours = '[\"b\"]'"
                                 " OR date = '2018-10-13')"), 2);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM neighbour_review"), 2);
}
