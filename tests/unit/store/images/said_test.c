/* said_test.c - everything that was said about one image, newest first. */
#include "unit.h"

#include "store/core/events.h"
#include "store/duplicates/near_pairs.h"
#include "store/images/said.h"
#include "store/people/accounts.h"
#include "store/review/blacklist.h"
#include "store/sets/picks.h"
#include "temp_project.h"
#include "world.h"

static int64_t event(struct temp_project *t, int64_t account)
{
    int64_t id = 0;
    assert_int_equal(events_add(t->db, WORLD_NOW, account, "test", 0, NULL, &id, &t->err), OK);
    return id;
}

static int64_t account_of(struct temp_project *t)
{
    int64_t id = 0;
    assert_int_equal(
        accounts_create(t->db, WORLD_NOW, 0, SV("maria"), SV("lead"), "$argon2id$x", &id, &t->err),
        OK);
    return id;
}

PROJECT_TEST(newest_first)
{
    struct temp_project *t = *state;
    int64_t maria = account_of(t);
    struct sv name = SV("image-1");
    struct image_said *said;
    size_t n = 9, changed;
    bool added;
    assert_int_equal(image_said(t->db, name, 10, &t->arena, &said, &n, &t->err), OK);
    assert_int_equal(n, 0);

    struct pick_row pick = {.name = name, .note = SV("good"), .stage = PICK_PICKED};
    assert_int_equal(blacklist_put(t->db, event(t, 0), name, true, SV("drawing"), SV("Drawing"),
                                   &added, &t->err),
                     OK);
    assert_int_equal(
        near_pairs_put(t->db, event(t, maria), SV("image-2"), name, true, &added, &t->err), OK);
    assert_int_equal(
        near_pairs_put(t->db, event(t, maria), name, SV("image-0"), true, &added, &t->err), OK);
    assert_int_equal(
        blacklist_put(t->db, event(t, maria), name, false, SV(""), SV(""), &added, &t->err), OK);
    assert_int_equal(near_keeps_put(t->db, event(t, maria), name, true, &added, &t->err), OK);
    assert_int_equal(
        picks_write(t->db, &pick, 1, "picks.make", 0, maria, WORLD_NOW, &changed, &t->err), OK);
    assert_int_equal(blacklist_put(t->db, event(t, 0), SV("image-2"), true, SV("class"), SV(""),
                                   &added, &t->err),
                     OK);

    assert_int_equal(image_said(t->db, name, 10, &t->arena, &said, &n, &t->err), OK);
    assert_int_equal(n, 6);
    assert_int_equal(said[0].kind, SAID_PICK);
    assert_true(said[0].yes && sv_is(said[0].what, "picked") && sv_is(said[0].note, "good"));
    assert_true(sv_is(said[0].login, "maria") && !said[0].imported);
    assert_int_equal(said[1].kind, SAID_KEEP);
    assert_int_equal(said[2].kind, SAID_BLACKLIST);
    assert_false(said[2].yes);
    assert_int_equal(said[3].kind, SAID_NEAR_DUPLICATE);
    assert_true(sv_is(said[3].what, "image-0"));
    assert_true(sv_is(said[4].what, "image-2"));
    assert_int_equal(said[5].kind, SAID_BLACKLIST);
    assert_true(said[5].yes && said[5].imported && sv_is(said[5].note, "Drawing") &&
                said[5].login.n == 0);
    for (size_t i = 1; i < n; i++) {
        assert_true(said[i].event < said[i - 1].event);
    }
    assert_int_equal(image_said(t->db, name, 2, &t->arena, &said, &n, &t->err), OK);
    assert_int_equal(n, 2);
}
