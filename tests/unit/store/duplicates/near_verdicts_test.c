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

/* ---- shown again ---- */

/* A look of one verdict about candidate number `i`. */
static int64_t look_of(struct temp_project *t, int i, enum near_say say, int64_t account, int64_t repeats, enum err_code expected)
{
    char name[16];
    int64_t id = 0;
    snprintf(name, sizeof name, "k%02d", i);
    const struct near_said said = {SV("a"), say};
    const struct near_look look = {.name = sv_of(name), .said = &said, .n = 1, .shown = SV("[\"a\"]"), .repeats = repeats,
                                   .seen = repeats ? 0 : version(t, name)};
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    assert_int_equal(db_tx_end(t->db, near_verdicts_write(t->db, &look, account, WORLD_NOW, &id, &t->err), &t->err), expected);
    return id;
}

static int64_t due(struct temp_project *t, int64_t account, int *candidate)
{
    struct near_due *list;
    size_t n = 0;
    assert_int_equal(near_verdicts_due(t->db, account, &t->arena, &list, &n, &t->err), OK);
    *candidate = n ? (list[0].name.p[1] - '0') * 10 + list[0].name.p[2] - '0' : -1;
    return n ? list[0].look : 0;
}

struct agreed {
    int same[2], other[2]; /* pairs, alike */
};

static enum err_code count_agreed(void *arg, bool same_person, enum near_say first, enum near_say then, struct err *err)
{
    int *to = same_person ? ((struct agreed *)arg)->same : ((struct agreed *)arg)->other;
    (void)err;
    to[0]++;
    to[1] += first == then;
    return OK;
}

PROJECT_TEST(one_look_in_twenty_is_shown_again)
{
    struct temp_project *t = *state;
    struct agreed agreed = {0};
    int k = 0;
    const int64_t ada = world_account(t->db, "ada", "expert"), bob = world_account(t->db, "bob", "expert");
    for (int i = 0; i < NEAR_REPEAT_EVERY - 1; i++) {
        look_of(t, i, NEAR_SAY_NOT, ada, 0, OK);
    }
    look_of(t, 30, NEAR_SAY_DUPLICATE, bob, 0, OK);
    assert_int_equal(due(t, ada, &k), 0);
    look_of(t, 40, NEAR_SAY_NOT, ada, 0, OK);
    /* First one of her own, which stays the one until she has judged it. */
    int64_t look = due(t, ada, &k);
    assert_true(look > 0 && k != 30);
    assert_int_equal(due(t, ada, &k), look);
    assert_int_equal(due(t, bob, &(int){0}), 0);
    look_of(t, k, NEAR_SAY_DUPLICATE, ada, look, OK);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM near_duplicate WHERE same"), 1); /* bob's alone */
    assert_int_equal(temp_int(t, "SELECT count(*) FROM near_verdict WHERE repeat"), 1);
    assert_int_equal(due(t, ada, &(int){0}), 0);
    look_of(t, k, NEAR_SAY_NOT, ada, look, ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "near-repeated");
    /* What was said before may still be judged anew by who saw it. */
    int64_t repeated = temp_int(t, "SELECT max(id) FROM near_look");
    assert_int_equal(undo(t, repeated), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "near-look");
    for (int i = 50; i < 50 + NEAR_REPEAT_EVERY; i++) {
        look_of(t, i, NEAR_SAY_NOT, ada, 0, OK);
    }
    look = due(t, ada, &k); /* then one of somebody else */
    assert_int_equal(k, 30);
    look_of(t, k, NEAR_SAY_DUPLICATE, ada, look, OK);
    assert_int_equal(near_verdicts_repeated(t->db, count_agreed, &agreed, &t->err), OK);
    assert_int_equal(agreed.same[0], 1);
    assert_int_equal(agreed.same[1], 0);
    assert_int_equal(agreed.other[0], 1);
    assert_int_equal(agreed.other[1], 1);
}
