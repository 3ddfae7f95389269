/* pick_board_test.c - what is picked, and what is missing, keyword by keyword. */
#include "unit.h"

#include "sets/sampling/pick_board.h"
#include "store/images/images.h"
#include "store/review/blacklist.h"
#include "store/work/flags.h"
#include "temp_project.h"
#include "world.h"

static void add(struct temp_project *t, int64_t class_id, const char *name, const char *role,
                const char *keyword)
{
    struct image_row i = {.class_id = class_id,
                          .idx = -1,
                          .name = sv_of(name),
                          .role = sv_of(role),
                          .keyword = sv_of(keyword)};
    bool added;
    assert_int_equal(images_put(t->db, &i, &added, &t->err), OK);
}

static void say(struct temp_project *t, const char *name, enum pick_stage stage)
{
    const struct pick_row row = {.name = sv_of(name), .stage = stage};
    size_t changed;
    assert_int_equal(picks_write(t->db, &row, 1, "picks.make", 0, 0, WORLD_NOW, &changed, &t->err),
                     OK);
}

static struct pick_board board_hiding(struct temp_project *t, int64_t flags_to_quarantine)
{
    struct pick_board b;
    struct tally *tally = tally_new();
    assert_int_equal(tally_fold(tally, t->db, &t->err), OK);
    assert_int_equal(pick_board_make(t->db, tally, flags_to_quarantine, &t->arena, &b, &t->err), OK);
    tally_free(tally);
    return b;
}

static struct pick_board board(struct temp_project *t)
{
    return board_hiding(t, 3);
}

/* As many people's flags as the project says hide an image. */
PROJECT_TEST(flagged_is_picked_for_nothing)
{
    struct temp_project *t = *state;
    int64_t frog = world_class(t->db, 1);
    bool added;
    add(t, frog, "o", "original", "bullfrog");
    add(t, frog, "c", "candidate", "bullfrog");
    say(t, "c", PICK_PICKED);
    assert_int_equal(
        flags_add(t->db,
                  &(struct flag_new){temp_int(t, "SELECT id FROM image WHERE name = 'c'"),
                                     world_person(t->db), 0, SV("other"), SV(""), 100},
                  WORLD_NOW, &added, &t->err),
        OK);
    struct pick_board three = board_hiding(t, 3), one = board_hiding(t, 1);
    assert_int_equal(three.all.usable, 1);
    assert_int_equal(one.all.usable, 0);
}

/* Three originals of "bullfrog" and one of "toad": of four images three and one. */
PROJECT_TEST(keywords_have_targets)
{
    struct temp_project *t = *state;
    int64_t frog = world_class(t->db, 1);
    world_class(t->db, 2);
    for (int i = 0; i < 4; i++) {
        add(t, frog, arena_printf(&t->arena, "o-%d", i), "original", i ? "bullfrog" : "toad");
        add(t, frog, arena_printf(&t->arena, "c-%d", i), "candidate", "bullfrog");
    }
    add(t, frog, "odd", "candidate", "");
    say(t, "c-0", PICK_PICKED);
    say(t, "c-1", PICK_PICKED);
    say(t, "c-2", PICK_PRUNED);
    say(t, "of nobody", PICK_PICKED);
    const struct pick_target four = {.size = 4};
    assert_int_equal(pick_target_put(t->db, &four, 0, WORLD_NOW, &t->err), OK);
    struct pick_board b = board(t);
    assert_null(b.none);
    assert_int_equal(b.n, 2);
    const struct pick_class *k = pick_board_class(&b, SV("n00000001"));
    const struct pick_cell *bull = pick_class_cell(k, SV("bullfrog")),
                           *toad = pick_class_cell(k, SV("toad"));
    assert_int_equal(bull->originals, 3);
    assert_int_equal(bull->target, 3);
    assert_int_equal(bull->usable, 2);
    assert_int_equal(bull->pruned, 1);
    assert_int_equal(bull->open, 1);
    assert_int_equal(bull->missing, 1);
    assert_int_equal(toad->target, 1);
    assert_int_equal(toad->missing, 1);
    assert_int_equal(pick_class_cell(k, SV(""))->open, 1);
    assert_null(pick_class_cell(k, SV("newt")));
    assert_null(pick_board_class(&b, SV("n9")));
    assert_int_equal(b.all.missing, 2);
    assert_int_equal(k->all.picked, 2);
    /* One that the blacklist has is picked for nothing. */
    bool added;
    assert_int_equal(
        blacklist_put(t->db, world_event(t->db, "x"), SV("c-0"), true, SV("unclear"), SV(""), &added, &t->err), OK);
    b = board(t);
    assert_int_equal(b.all.banned, 1);
    assert_int_equal(b.all.missing, 3);
}

PROJECT_TEST(without_keywords_there_is_no_target)
{
    struct temp_project *t = *state;
    int64_t frog = world_class(t->db, 1);
    struct pick_board b = board(t);
    assert_non_null(b.none);
    add(t, frog, "c-1", "candidate", "bullfrog");
    b = board(t);
    assert_non_null(b.none);
    assert_int_equal(b.all.open, 1);
    assert_int_equal(b.all.target, 0);
}

PROJECT_TEST(targets_are_kept)
{
    struct temp_project *t = *state;
    struct pick_target target = board(t).target;
    assert_int_equal(target.size, 10);
    assert_false(target.together);
    target = (struct pick_target){200, 25, true};
    assert_int_equal(pick_target_put(t->db, &target, 0, WORLD_NOW, &t->err), OK);
    target = (struct pick_target){0};
    pick_target_put(t->db, &target, 0, WORLD_NOW, &t->err);
    temp_clear(t, ERR_INPUT, "pick-target");
    target = board(t).target;
    assert_int_equal(target.size, 200);
    assert_int_equal(target.keywords_most, 25);
    assert_true(target.together);
}
