/* picks_test.c - what people picked and pruned: the newest holds, and nothing is said twice. */
#include "unit.h"

#include "store/core/events.h"
#include "store/images/images.h"
#include "store/people/accounts.h"
#include "store/review/blacklist.h"
#include "store/sets/picks.h"
#include "temp_project.h"
#include "world.h"

/* Says it in one go; true when that changed something. */
static bool put(struct temp_project *t, const char *name, enum pick_stage stage, const char *note)
{
    const struct pick_row row = {.name = sv_of(name), .note = sv_of(note), .stage = stage};
    size_t changed = 0;
    assert_int_equal(picks_write(t->db, &row, 1, "picks.make", 0, 0, WORLD_NOW, &changed, &t->err),
                     OK);
    return changed > 0;
}

static int64_t newest(struct temp_project *t)
{
    return temp_int(t, "SELECT max(event) FROM pick");
}

struct seen {
    size_t n;
    enum pick_stage last;
    char name[32];
};

static enum err_code see(void *arg, const struct pick_row *p, struct err *err)
{
    struct seen *s = arg;
    (void)err;
    s->n++;
    s->last = p->stage;
    snprintf(s->name, sizeof s->name, SV_FMT, SV_ARG(p->name));
    return OK;
}

static struct seen all(struct temp_project *t, int64_t as_of)
{
    struct seen s = {0};
    assert_int_equal(picks_each(t->db, as_of, see, &s, &t->err), OK);
    return s;
}

PROJECT_TEST(the_newest_holds)
{
    struct temp_project *t = *state;
    assert_true(put(t, "frog-1", PICK_PICKED, ""));
    int64_t first = newest(t);
    assert_true(put(t, "frog-1", PICK_PRUNED, "two frogs"));
    assert_int_equal(all(t, 0).n, 1);
    assert_int_equal(all(t, 0).last, PICK_PRUNED);
    assert_int_equal(all(t, first).last, PICK_PICKED);
    assert_int_equal(all(t, first - 1).n, 0);
    assert_true(put(t, "frog-1", PICK_OPEN, ""));
    assert_int_equal(all(t, 0).last, PICK_OPEN);
    struct pick_row *rows;
    size_t n;
    assert_int_equal(picks_history(t->db, SV("frog-1"), &t->arena, &rows, &n, &t->err), OK);
    assert_int_equal(n, 3);
    assert_true(sv_is(rows[1].note, "two frogs"));
    assert_int_equal(rows[1].stage, PICK_PRUNED);
}

PROJECT_TEST(what_holds_is_not_written_again)
{
    struct temp_project *t = *state;
    int64_t before = temp_int(t, "SELECT count(*) FROM event");
    assert_false(put(t, "frog-1", PICK_OPEN, "")); /* nobody spoke about it */
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event"), before);
    assert_true(put(t, "frog-1", PICK_PICKED, "clear"));
    assert_false(put(t, "frog-1", PICK_PICKED, "clear"));
    assert_true(put(t, "frog-1", PICK_PICKED, "very clear"));
    assert_int_equal(temp_int(t, "SELECT count(*) FROM pick"), 2);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event"), before + 2);
}

PROJECT_TEST(many_are_one_event)
{
    struct temp_project *t = *state;
    const struct pick_row rows[] = {{.name = SV("a"), .stage = PICK_PICKED},
                                    {.name = SV("b"), .stage = PICK_PRUNED},
                                    {.name = SV("c"), .stage = PICK_OPEN}};
    size_t changed;
    assert_int_equal(picks_write(t->db, rows, 3, "picks.make", 7, 0, WORLD_NOW, &changed, &t->err),
                     OK);
    assert_int_equal(changed, 2);
    assert_int_equal(temp_int(t, "SELECT count(DISTINCT event) FROM pick"), 1);
    assert_int_equal(
        temp_int(t,
                 "SELECT detail ->> 'images' FROM event WHERE kind = 'picks.make' AND subject = 7"),
        2);
}

PROJECT_TEST(what_makes_no_sense_is_refused)
{
    struct temp_project *t = *state;
    char longest[PICK_NOTE_MOST + 2] = {0};
    size_t changed;
    memset(longest, 'x', PICK_NOTE_MOST + 1);
    struct pick_row rows[] = {{.name = SV("a"), .note = sv_of(longest), .stage = PICK_PICKED},
                              {.name = SV("a"), .stage = PICK_PRUNED}};
    picks_write(t->db, rows, 1, "picks.make", 0, 0, WORLD_NOW, &changed, &t->err);
    temp_clear(t, ERR_INPUT, "pick-note");
    rows[0].note = SV("\xff");
    picks_write(t->db, rows, 1, "picks.make", 0, 0, WORLD_NOW, &changed, &t->err);
    temp_clear(t, ERR_INPUT, "pick-note");
    rows[0].note = SV("");
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    picks_write(t->db, rows, 2, "picks.make", 0, 0, WORLD_NOW, &changed, &t->err);
    temp_clear(t, ERR_INPUT, "pick-twice");
    db_tx_rollback(t->db);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM pick"), 0);
    assert_int_equal(pick_stage_of(SV("Picked")), PICK_STAGES);
    assert_int_equal(pick_stage_of(SV("pruned")), PICK_PRUNED);
}

static int64_t account(struct temp_project *t, const char *login)
{
    int64_t id = 0;
    assert_int_equal(
        accounts_create(t->db, 1, 0, sv_of(login), SV("admin"), "no hash", &id, &t->err), OK);
    return id;
}

static enum err_code say(struct temp_project *t, const char *name, enum pick_stage stage, int64_t by)
{
    const struct pick_row row = {.name = sv_of(name), .stage = stage};
    size_t changed = 0;
    return picks_write(t->db, &row, 1, "picks.make", 0, by, WORLD_NOW, &changed, &t->err);
}

PROJECT_TEST(a_pick_is_pruned_by_another_person)
{
    struct temp_project *t = *state;
    int64_t ada = account(t, "ada"), bob = account(t, "bob");
    assert_int_equal(say(t, "frog", PICK_PICKED, ada), OK);
    say(t, "frog", PICK_PRUNED, ada);
    temp_clear(t, ERR_CONFLICT, "pick-own");
    say(t, "frog", PICK_PRUNED, 0);
    temp_clear(t, ERR_CONFLICT, "pick-nobody");
    assert_int_equal(say(t, "frog", PICK_OPEN, ada), OK); /* putting back is no way round it */
    say(t, "frog", PICK_PRUNED, ada);
    temp_clear(t, ERR_CONFLICT, "pick-own");
    assert_int_equal(say(t, "frog", PICK_PICKED, ada), OK);
    assert_int_equal(say(t, "frog", PICK_PRUNED, bob), OK);
    assert_int_equal(say(t, "frog", PICK_PRUNED, ada), OK); /* holds already: nothing is said */
    assert_int_equal(temp_int(t, "SELECT count(*) FROM pick"), 4);
    /* What nobody picked, and what an import picked, anybody prunes. */
    assert_int_equal(say(t, "toad", PICK_PRUNED, ada), OK);
    assert_int_equal(say(t, "newt", PICK_PICKED, 0), OK);
    assert_int_equal(say(t, "newt", PICK_PRUNED, 0), OK);
}

static void add_image(struct temp_project *t, int64_t class_id, const char *name, const char *role,
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

/* Two keywords of one class, one image without, one of another class. */
static int64_t frogs(struct temp_project *t)
{
    int64_t frog = world_class(t->db, 1), cat = world_class(t->db, 2);
    add_image(t, frog, "o-1", "original", "toad");
    add_image(t, frog, "o-2", "original", "bullfrog");
    add_image(t, frog, "o-3", "original", "bullfrog");
    add_image(t, frog, "c-1", "candidate", "bullfrog");
    add_image(t, frog, "c-2", "candidate", "bullfrog");
    add_image(t, frog, "c-3", "candidate", "bullfrog");
    add_image(t, frog, "c-4", "candidate", "bullfrog");
    add_image(t, frog, "c-5", "candidate", "");
    add_image(t, frog, "r-1", "reference", "toad");
    add_image(t, cat, "cat-1", "candidate", "tabby");
    assert_true(put(t, "c-1", PICK_PICKED, ""));
    assert_true(put(t, "c-2", PICK_PICKED, ""));
    assert_true(put(t, "c-2", PICK_PRUNED, "blurry"));
    int64_t event = world_event(t->db, "blacklist.import");
    bool added;
    assert_int_equal(
        blacklist_put(t->db, event, SV("c-3"), true, SV("drawing"), SV(""), &added, &t->err), OK);
    return frog;
}

PROJECT_TEST(images_of_a_keyword_are_listed)
{
    struct temp_project *t = *state;
    struct pick_image *i;
    size_t n;
    struct pick_ask ask = {
        .class_id = frogs(t), .keyword = SV("bullfrog"), .stage = PICK_STAGES, .most = 10};
    assert_int_equal(pick_images(t->db, &ask, &t->arena, &i, &n, &t->err), OK);
    assert_int_equal(n, 4);
    assert_int_equal(i[0].stage, PICK_PICKED);
    assert_int_equal(i[0].at, WORLD_NOW);
    assert_int_equal(i[1].stage, PICK_PRUNED);
    assert_true(sv_is(i[1].note, "blurry"));
    assert_true(i[2].banned);
    assert_int_equal(i[3].stage, PICK_OPEN);
    assert_int_equal(i[3].at, 0);
    ask.after = i[1].id;
    ask.most = 1;
    assert_int_equal(pick_images(t->db, &ask, &t->arena, &i, &n, &t->err), OK);
    assert_int_equal(n, 1);
    assert_true(sv_is(i[0].name, "c-3"));
    ask = (struct pick_ask){
        .class_id = ask.class_id, .keyword = ask.keyword, .stage = PICK_PICKED, .most = 9};
    assert_int_equal(pick_images(t->db, &ask, &t->arena, &i, &n, &t->err), OK);
    assert_int_equal(n, 1);
    ask.originals = true;
    assert_int_equal(pick_images(t->db, &ask, &t->arena, &i, &n, &t->err), OK);
    assert_int_equal(n, 2);
    assert_true(sv_is(i[0].name, "o-2"));
}
