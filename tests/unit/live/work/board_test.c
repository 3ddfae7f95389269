/* board_test.c - what pages see of the desk: what was published last; a campaign that the desk does not
 * know is counted from the tally. */
#include "unit.h"

#include "live/work/board.h"
#include "temp_project.h"
#include "world.h"

static struct desk_progress of(struct board *b, struct tally *t, const struct campaign *k)
{
    struct desk_progress p;
    board_progress_of(b, t, k, &p);
    return p;
}

PROJECT_TEST(published)
{
    struct temp_project *t = *state;
    struct campaign terms = world_terms("main");
    struct desk_progress p;
    int64_t class_id = world_class(t->db, 1);
    const int64_t images[] = {world_image(t->db, 1, class_id, "candidate"),
                              world_image(t->db, 2, class_id, "candidate")};
    terms.id = world_campaign(t->db, &terms);
    int64_t grid = world_grid(t->db, terms.id, class_id, images, 2);
    world_vote(t->db, terms.id, grid, 1, false);
    struct tally *tally = tally_new();
    struct desk *desk = desk_new(8);
    struct board *b = board_new();
    assert_int_equal(tally_fold(tally, t->db, &t->err), OK);
    assert_int_equal(desk_reload(desk, tally, t->db, WORLD_NOW, &t->err), OK);
    assert_false(board_progress(b, terms.id, &p)); /* nothing was published yet */
    p = of(b, tally, &terms);
    assert_int_equal(p.answers, 1);
    assert_int_equal(p.wanted, 3);
    assert_int_equal(p.leased, 0);
    board_publish(b, desk);
    desk_lend(desk, tally, &(struct desk_asker){.campaign = terms.id, .person = world_person(t->db)}, grid, 99, WORLD_NOW);
    assert_true(board_progress(b, terms.id, &p));
    assert_int_equal(p.leased, 0); /* as it was then */
    board_publish(b, desk);
    p = of(b, tally, &terms);
    assert_int_equal(p.leased, 1);
    assert_int_equal(p.answers, 1);
    assert_false(board_progress(b, terms.id + 1, &p));
    board_free(b);
    desk_free(desk);
    tally_free(tally);
}
