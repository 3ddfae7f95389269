/* near_verdicts_test.c - verdicts of pairs: the newest holds, another's are not overwritten, undo puts back. */
#include "unit.h"

#include "store/duplicates/near_verdicts.h"
#include "temp_project.h"
#include "world.h"

static int64_t version(struct temp_project *t, const char *name)
{
    int64_t v = -1;
    assert_int_equal(near_verdicts_version(t->db, sv_of(name), &v, &t->err), OK);
    return v;
}

static enum err_code judge(struct temp_project *t, const struct near_said *said, size_t n, int64_t seen, int64_t *id)
{
    const struct near_look look = {.name = SV("m"), .said = said, .n = n, .shown = SV("[]"), .seen = seen};
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    return db_tx_end(t->db, near_verdicts_write(t->db, &look, 0, WORLD_NOW, id, &t->err), &t->err);
}

static enum err_code undo(struct temp_project *t, int64_t look)
{
    struct sv name;
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    return db_tx_end(t->db, near_verdicts_undo(t->db, look, 0, WORLD_NOW, &t->arena, &name, &t->err), &t->err);
}

static bool recorded(struct temp_project *t)
{
    return temp_int(t, "SELECT coalesce((SELECT same FROM near_duplicate WHERE a = 'a' AND b = 'm' ORDER BY event DESC LIMIT 1), 0)");
}

#define NEWEST(b) "(SELECT verdict FROM near_verdict WHERE a = 'a' AND b = '" b "' ORDER BY event DESC LIMIT 1)"

PROJECT_TEST(saved_and_taken_back)
{
    struct temp_project *t = *state;
    const struct near_said both[] = {{SV("a"), NEAR_SAY_DUPLICATE}, {SV("z"), NEAR_SAY_NOT}}, other = {SV("a"), NEAR_SAY_NOT};
    int64_t first = 0, second = 0;
    assert_int_equal(judge(t, both, 2, 0, &first), OK);
    assert_int_equal(version(t, "m"), first);
    assert_int_equal(version(t, "z"), first); /* of both ends */
    assert_int_equal(version(t, "x"), 0);
    assert_true(recorded(t));
    assert_int_equal(judge(t, &other, 1, first, &second), OK);
    assert_false(recorded(t));
    assert_int_equal(undo(t, first), ERR_CONFLICT); /* one of its pairs was judged later */
    temp_clear(t, ERR_CONFLICT, "near-undone");
    assert_int_equal(undo(t, second), OK);
    assert_true(recorded(t));
    assert_int_equal(temp_int(t, "SELECT " NEWEST("m") " = 'duplicate'"), 1);
    assert_int_equal(undo(t, second), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "near-undone");
    assert_int_equal(undo(t, 12345), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "near-look");
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'near-duplicates.undone'"), 1);
}

PROJECT_TEST(refused)
{
    struct temp_project *t = *state;
    const struct near_said one = {SV("a"), NEAR_SAY_NOT};
    static struct near_said many[NEAR_LOOK_MOST + 1];
    int64_t id = 0;
    assert_int_equal(judge(t, &one, 0, 0, &id), ERR_INPUT);
    temp_clear(t, ERR_INPUT, "near-verdict");
    assert_int_equal(judge(t, many, NEAR_LOOK_MOST + 1, 0, &id), ERR_INPUT);
    temp_clear(t, ERR_INPUT, "near-verdict");
    assert_int_equal(judge(t, &one, 1, 7, &id), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "near-changed");
    assert_int_equal(temp_int(t, "SELECT count(*) FROM near_verdict"), 0);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM near_look"), 0);
}
