/* rounds_test.c - blind rounds: the newest holds, a turn is taken once, what the marks say
 * of a reviewer. */
#include "unit.h"

#include "store/review/rounds.h"
#include "temp_project.h"
#include "world.h"

struct scene {
    int64_t k, image[4], original, revision, account;
};

static struct scene make_scene(struct temp_project *t)
{
    struct scene s = {.k = world_class(t->db, 1)};
    struct revision_image list[4];
    for (unsigned i = 0; i < 4; i++) {
        s.image[i] = world_image(t->db, i, s.k, "candidate");
        list[i] = (struct revision_image){(uint32_t)s.image[i], (uint32_t)s.k};
    }
    s.original = world_image(t->db, 9, s.k, "original");
    struct revision_new r = world_list(list, 4);
    s.revision = world_revision(t->db, &r);
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    s.account = world_account(t->db, "ada", "expert");
    return s;
}

static int64_t begin(struct temp_project *t, const struct scene *s, int64_t seed)
{
    int64_t id = 0;
    struct review_round r = {.revision = s->revision,
                             .account = s->account,
                             .seed = seed,
                             .originals = 10,
                             .repeats = 5};
    assert_int_equal(review_rounds_add(t->db, &r, WORLD_NOW, &id, &t->err), OK);
    return id;
}

/* Bit i of `rejected`: the image i; bit 4: the original. */
static enum err_code take(struct temp_project *t, const struct scene *s, int64_t round, bool again,
                          unsigned rejected)
{
    struct review_mark marks[5];
    int64_t id = 0;
    for (unsigned i = 0; i < 5; i++) {
        marks[i] = (struct review_mark){i < 4 ? s->image[i] : s->original, i == 4,
                                        (rejected >> i & 1) != 0};
    }
    struct review_turn_new turn = {round, s->account, s->k, again, marks, 5};
    return review_turns_add(t->db, &turn, WORLD_NOW + 1, &id, &t->err);
}

PROJECT_TEST(the_newest_round_holds)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct review_round r;
    int64_t id = 0;
    assert_int_equal(review_rounds_newest(t->db, s.revision, &r, &t->err), OK);
    assert_int_equal(r.id, 0);
    begin(t, &s, 7);
    int64_t second = begin(t, &s, 8);
    assert_int_equal(review_rounds_newest(t->db, s.revision, &r, &t->err), OK);
    assert_true(r.id == second && r.seed == 8 && r.originals == 10 && r.repeats == 5 &&
                r.account == s.account && r.at == WORLD_NOW);
    r.originals = REVIEW_ROUND_MOST + 1;
    assert_int_equal(review_rounds_add(t->db, &r, WORLD_NOW, &id, &t->err), ERR_INPUT);
    temp_clear(t, ERR_INPUT, "review-round");
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
}

PROJECT_TEST(a_turn_is_taken_once)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct review_turn *turns;
    size_t n;
    int64_t round = begin(t, &s, 7);
    assert_int_equal(take(t, &s, round, false, 1), OK);
    assert_int_equal(take(t, &s, round, false, 2), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "review-turn");
    assert_int_equal(take(t, &s, round, true, 1), OK);
    assert_int_equal(take(t, &s, begin(t, &s, 8), false, 0), OK); /* another round, another turn */
    assert_int_equal(review_turns_list(t->db, round, s.account, &t->arena, &turns, &n, &t->err),
                     OK);
    assert_int_equal(n, 2);
    assert_true(turns[0].class_id == s.k && !turns[0].again && turns[1].again);
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
}

PROJECT_TEST(what_marks_say)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct review_result *list;
    size_t n;
    int64_t round = begin(t, &s, 7);
    assert_int_equal(review_rounds_results(t->db, round, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 0);
    assert_int_equal(take(t, &s, round, false, 0x13), OK); /* two images and the original */
    assert_int_equal(take(t, &s, round, true, 0x15),
                     OK); /* the first again, another, the original */
    assert_int_equal(review_rounds_results(t->db, round, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 1);
    assert_true(sv_is(list[0].login, "ada"));
    assert_int_equal(list[0].turns, 2);
    assert_int_equal(list[0].probes, 1);
    assert_int_equal(list[0].probes_rejected, 1);
    assert_int_equal(list[0].images, 4);
    assert_int_equal(list[0].images_rejected, 2);
    assert_int_equal(list[0].repeated, 5);
    assert_int_equal(list[0].alike, 3);
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
}

/* Neither those without pixels, which could be told from the others, nor those that stand in the
 * list under the class themselves, which would be shown twice. */
PROJECT_TEST(originals_that_may_be_shown)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    int64_t *ids, list = temp_int(t, "SELECT list FROM revision");
    size_t n;
    assert_int_equal(review_originals(t->db, s.k, list, &t->arena, &ids, &n, &t->err), OK);
    assert_int_equal(n, 0);
    int64_t seen = world_image_of(t->db, 10, s.k, "original", 1);
    assert_int_equal(review_originals(t->db, s.k, list, &t->arena, &ids, &n, &t->err), OK);
    assert_true(n == 1 && ids[0] == seen);
    int64_t inside = world_image_of(t->db, 11, s.k, "original", 2);
    assert_int_equal(db_run(t->db,
                            "INSERT INTO set_list_image (list, position, image, class)"
                            " VALUES (?1, 4, ?2, ?3)",
                            DB_VALS(db_int(list), db_int(inside), db_int(s.k)), &t->err),
                     OK);
    assert_int_equal(review_originals(t->db, s.k, list, &t->arena, &ids, &n, &t->err), OK);
    assert_true(n == 1 && ids[0] == seen);
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
}
