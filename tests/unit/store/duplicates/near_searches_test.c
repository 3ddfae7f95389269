/* near_searches_test.c - searches in blocks: what comes back of them, which count, and the nearest over several. */
#include "unit.h"

#include <string.h>

#include "store/duplicates/near_searches.h"
#include "temp_project.h"
#include "world.h"

enum { IMAGES = 40 };
#define SPACE "{\"kind\":\"l2\",\"side\":256}"

static void add_images(struct temp_project *t)
{
    int64_t class_id = world_class(t->db, 1);
    for (unsigned i = 1; i <= IMAGES; i++) {
        assert_int_equal(world_image(t->db, i, class_id, "candidate"), i);
    }
}

static struct ranges numbers(struct temp_project *t, uint32_t first, uint32_t n)
{
    struct ranges_build b = {0};
    for (uint32_t i = 0; i < n; i++) {
        ranges_add(&b, &t->arena, first + i);
    }
    return b.ranges;
}

static struct near_search begun(struct temp_project *t, struct ranges queries, struct ranges refs)
{
    struct near_search s = {.k = 3, .within = 10, .metric = SV("l2"), .space = SV(SPACE), .engine = SV(NEAR_ENGINE),
                            .queries = queries, .refs = refs};
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    assert_int_equal(near_searches_put(t->db, &s, 0, WORLD_NOW, &t->err), OK);
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
    return s;
}

/* Of each query its number as the nearest distance, to image 1, and 10 more to image 2. */
static void append(struct temp_project *t, const struct near_search *s, uint32_t first, uint32_t n)
{
    struct near_neighbor near[NEAR_BLOCK][2];
    struct near_list lists[NEAR_BLOCK];
    for (uint32_t i = 0; i < n; i++) {
        double d = ranges_at(&s->queries, first + i);
        near[i][0] = (struct near_neighbor){1, d};
        near[i][1] = (struct near_neighbor){2, d + 10};
        lists[i] = (struct near_list){near[i], 2};
    }
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    assert_int_equal(near_searches_append(t->db, s, first, lists, n, &t->err), OK);
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
}

static void append_one(struct temp_project *t, const struct near_search *s, const struct near_neighbor *near, uint32_t n)
{
    struct near_neighbor copy[NEAR_MOST];
    struct near_list list = {copy, n};
    memcpy(copy, near, n * sizeof *near);
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    assert_int_equal(near_searches_append(t->db, s, 0, &list, 1, &t->err), OK);
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
}

static void end(struct temp_project *t, struct near_search *s)
{
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    assert_int_equal(near_searches_end(t->db, s->id, 0, WORLD_NOW, &t->err), OK);
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
}

PROJECT_TEST(a_search_counts_once_it_is_whole)
{
    struct temp_project *t = *state;
    struct near_search *list;
    uint32_t stored;
    size_t n;
    add_images(t);
    struct near_search s = begun(t, numbers(t, 1, 20), numbers(t, 1, IMAGES));
    assert_int_equal(near_searches_stored(t->db, s.id, &stored, &t->err), OK);
    assert_int_equal(stored, 0);
    append(t, &s, 0, NEAR_BLOCK);
    append(t, &s, NEAR_BLOCK, 4);
    assert_int_equal(near_searches_stored(t->db, s.id, &stored, &t->err), OK);
    assert_int_equal(stored, 20);
    assert_int_equal(near_searches_whole(t->db, SV(SPACE), 0, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 0);
    assert_int_equal(near_searches_begun(t->db, SV(SPACE), &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 1);
    end(t, &s);
    assert_int_equal(near_searches_begun(t->db, SV(SPACE), &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 0);
    assert_int_equal(near_searches_whole(t->db, SV(SPACE), s.id, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 0);
    assert_int_equal(near_searches_whole(t->db, SV("{}"), 0, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 0);
    assert_int_equal(near_searches_whole(t->db, SV(SPACE), 0, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 1);
    assert_true(list[0].id == s.id && list[0].end > s.id && list[0].k == 3);
    assert_true(list[0].queries.numbers == 20 && list[0].refs.numbers == IMAGES);
    assert_sv(list[0].metric, "l2");
}

PROJECT_TEST(every_list_comes_back)
{
    struct temp_project *t = *state;
    struct near_list l;
    add_images(t);
    struct near_search s = begun(t, numbers(t, 11, 20), numbers(t, 1, IMAGES));
    append(t, &s, 0, NEAR_BLOCK);
    append(t, &s, NEAR_BLOCK, 4);
    for (uint32_t image = 11; image <= 30; image++) {
        assert_int_equal(near_searches_nearest(t->db, &s, 1, image, 3, &t->arena, &l, &t->err), OK);
        assert_true(l.n == 2 && l.at[0].image == 1 && l.at[0].distance == image && l.at[1].distance == image + 10);
    }
    assert_int_equal(near_searches_nearest(t->db, &s, 1, 10, 3, &t->arena, &l, &t->err), OK);
    assert_int_equal(l.n, 0);
    assert_int_equal(near_searches_nearest(t->db, &s, 1, 12, 1, &t->arena, &l, &t->err), OK);
    assert_int_equal(l.n, 1);
}

PROJECT_TEST(searches_of_a_space_complete_each_other)
{
    struct temp_project *t = *state;
    static const struct near_neighbor first[] = {{2, 1}, {3, 4}, {5, 4}}, second[] = {{4, 4}, {2, 1}, {7, 9}};
    struct near_list l;
    add_images(t);
    struct near_search both[2] = {begun(t, numbers(t, 1, 1), numbers(t, 1, 5)), begun(t, numbers(t, 1, 1), numbers(t, 6, 5))};
    append_one(t, &both[0], first, 3);
    append_one(t, &both[1], second, 3);
    static const struct near_neighbor want[] = {{2, 1}, {3, 4}, {4, 4}, {5, 4}};
    assert_int_equal(near_searches_nearest(t->db, both, 2, 1, 4, &t->arena, &l, &t->err), OK);
    assert_int_equal(l.n, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_true(l.at[i].image == want[i].image && l.at[i].distance == want[i].distance);
    }
    assert_int_equal(near_searches_nearest(t->db, both, 2, 1, 9, &t->arena, &l, &t->err), OK);
    assert_int_equal(l.n, 5);
}

PROJECT_TEST(close_pairs_can_reach_farther_later)
{
    struct temp_project *t = *state;
    int64_t n, next = 0;
    bool more = true;
    add_images(t);
    struct near_search s = begun(t, numbers(t, 1, 20), numbers(t, 1, IMAGES));
    append(t, &s, 0, NEAR_BLOCK);
    append(t, &s, NEAR_BLOCK, 4);
    assert_int_equal(near_searches_count_close(t->db, &s, 1, 100, &n, &t->err), OK);
    assert_int_equal(n, 10); /* 1 to 10 */
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    while (more) {
        assert_int_equal(near_searches_widen(t->db, &s, 19, &next, &more, &t->err), OK);
    }
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
    assert_int_equal(near_searches_count_close(t->db, &s, 1, 100, &n, &t->err), OK);
    assert_int_equal(n, 19 + 9); /* 1 to 19, and 11 to 19 */
    assert_int_equal(near_searches_count_close(t->db, &s, 1, 11, &n, &t->err), OK);
    assert_int_equal(n, 11 + 1);
    assert_int_equal(temp_int(t, "SELECT within FROM near_search"), 19);
}

PROJECT_TEST(images_that_could_not_be_read)
{
    struct temp_project *t = *state;
    int64_t *list;
    size_t n;
    add_images(t);
    struct near_search s = begun(t, numbers(t, 1, 20), numbers(t, 1, IMAGES));
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    assert_int_equal(near_searches_unread(t->db, s.id, 7, &t->err), OK);
    assert_int_equal(near_searches_unread(t->db, s.id, 3, &t->err), OK);
    assert_int_equal(near_searches_unread(t->db, s.id, 7, &t->err), OK);
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
    assert_int_equal(near_searches_unread_list(t->db, s.id, &t->arena, &list, &n, &t->err), OK);
    assert_true(n == 2 && list[0] == 3 && list[1] == 7);
}

PROJECT_TEST(a_damaged_block_is_an_error)
{
    struct temp_project *t = *state;
    struct near_list l;
    add_images(t);
    struct near_search s = begun(t, numbers(t, 1, 20), numbers(t, 1, IMAGES));
    append(t, &s, 0, NEAR_BLOCK);
    assert_int_equal(db_run(t->db, "UPDATE near_list SET data = substr(data, 1, 30)", DB_NONE, &t->err), OK);
    assert_int_equal(near_searches_nearest(t->db, &s, 1, 1, 3, &t->arena, &l, &t->err), OK);
    near_searches_nearest(t->db, &s, 1, 2, 3, &t->arena, &l, &t->err);
    temp_clear(t, ERR_IO, "io");
    near_searches_nearest(t->db, &s, 1, 20, 3, &t->arena, &l, &t->err);
    temp_clear(t, ERR_IO, "io");
}
