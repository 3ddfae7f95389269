/* blacklist_test.c - the blacklist: what holds now and held then, what is refused, what texts mean.
 */
#include "unit.h"

#include <string.h>

#include "store/review/blacklist.h"
#include "temp_project.h"
#include "world.h"

/* The event that said it, 0 when it held already. */
static int64_t say(struct temp_project *t, const char *name, bool banned, const char *reason,
                   const char *note)
{
    bool added = false, would = false;
    int64_t id = world_event(t->db, "blacklist.import");
    assert_int_equal(
        blacklist_put(t->db, 0, sv_of(name), banned, sv_of(reason), sv_of(note), &would, &t->err),
        OK);
    assert_int_equal(
        blacklist_put(t->db, id, sv_of(name), banned, sv_of(reason), sv_of(note), &added, &t->err),
        OK);
    assert_int_equal(added, would);
    return added ? id : 0;
}

static enum err_code list_one(void *arg, const struct blacklist_entry *e, struct err *err)
{
    char *text = arg;
    size_t n = strlen(text);
    (void)err;
    snprintf(text + n, 200 - n, SV_FMT ":" SV_FMT " ", SV_ARG(e->name), SV_ARG(e->reason));
    return OK;
}

/* "name:reason " of everything that was banned as of an event. */
static const char *banned(struct temp_project *t, int64_t as_of)
{
    char *text = arena_calloc(&t->arena, 1, 200);
    assert_int_equal(blacklist_each(t->db, as_of, list_one, text, &t->err), OK);
    return text;
}

PROJECT_TEST(the_newest_holds)
{
    struct temp_project *t = *state;
    struct blacklist_entry e;
    bool found;
    assert_int_equal(say(t, "b", false, "", ""), 0);
    int64_t first = say(t, "b", true, "unclear", "blurry"),
            second = say(t, "a", true, "drawing", "");
    assert_int_equal(say(t, "b", true, "unclear", "blurry"), 0);
    int64_t third = say(t, "b", true, "unclear", "very blurry"),
            last = say(t, "b", false, "", "fine");
    assert_int_equal(say(t, "b", false, "", "really"), 0);
    assert_true(first && second && third && last);
    assert_string_equal(banned(t, first - 1), "");
    assert_string_equal(banned(t, first), "b:unclear ");
    assert_string_equal(banned(t, third), "a:drawing b:unclear ");
    assert_string_equal(banned(t, 0), "a:drawing ");
    assert_int_equal(blacklist_of(t->db, SV("b"), third, &t->arena, &e, &found, &t->err), OK);
    assert_true(found && e.banned && e.event == third && sv_is(e.note, "very blurry"));
    assert_int_equal(blacklist_of(t->db, SV("b"), 0, &t->arena, &e, &found, &t->err), OK);
    assert_true(found && !e.banned && e.reason.n == 0 && sv_is(e.note, "fine") &&
                e.at == WORLD_NOW);
    assert_int_equal(blacklist_of(t->db, SV("c"), 0, &t->arena, &e, &found, &t->err), OK);
    assert_false(found);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM blacklisting WHERE name = 'b'"), 3);
}

static enum err_code add_id(void *arg, int64_t image, struct err *err)
{
    (void)err;
    *(int64_t *)arg = *(int64_t *)arg * 10 + image;
    return OK;
}

PROJECT_TEST(images_of_a_class)
{
    struct temp_project *t = *state;
    struct blacklist_entry *list;
    int64_t one = world_class(t->db, 1), two = world_class(t->db, 2), ids = 0;
    size_t n;
    world_image(t->db, 1, one, "candidate");
    world_image(t->db, 2, one, "candidate");
    int64_t third = world_image(t->db, 3, two, "candidate");
    say(t, "image-1", true, "unclear", "");
    say(t, "image-1", false, "", "");
    say(t, "image-2", true, "harmful", "");
    say(t, "image-3", true, "class", "");
    say(t, "elsewhere", true, "class", "");
    assert_int_equal(blacklist_of_class(t->db, one, &t->arena, &list, &n, &t->err), OK);
    assert_true(n == 1 && sv_is(list[0].name, "image-2") && sv_is(list[0].reason, "harmful"));
    assert_int_equal(blacklist_of_class(t->db, two, &t->arena, &list, &n, &t->err), OK);
    assert_true(n == 1 && sv_is(list[0].name, "image-3"));
    assert_int_equal(blacklist_images(t->db, add_id, &ids, &t->err), OK);
    assert_true(ids == (third - 1) * 10 + third || ids == third * 10 + third - 1);
}

PROJECT_TEST(refusals)
{
    struct temp_project *t = *state;
    bool added;
    int64_t id = world_event(t->db, "blacklist.import");
    char note[BLACKLIST_NOTE_MOST + 2];
    memset(note, 'x', sizeof note);
    const struct {
        const char *reason;
        struct sv note;
        const char *rule;
    } cases[] = {{"", SV(""), "blacklist-reason"},
                 {"ugly", SV("x"), "blacklist-reason"},
                 {"other", SV("  "), "blacklist-reason"},
                 {"unclear", {note, BLACKLIST_NOTE_MOST + 1}, "blacklist-note"},
                 {"unclear", SV("\xff"), "blacklist-note"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int64_t which = 0; which <= id; which += id) {
            blacklist_put(t->db, which, SV("a"), true, sv_of(cases[i].reason), cases[i].note,
                          &added, &t->err);
            temp_clear(t, ERR_INPUT, cases[i].rule);
            assert_false(added);
        }
    }
    assert_int_equal(blacklist_put(t->db, id, SV("a"), true, SV("unclear"),
                                   sv_make(note, BLACKLIST_NOTE_MOST), &added, &t->err),
                     OK);
    assert_int_equal(
        blacklist_put(t->db, id, SV("a"), true, SV("harmful"), SV(""), &added, &t->err), ERR_INPUT);
    temp_clear(t, ERR_INPUT, "blacklist-reason");
}

TEST(what_texts_mean)
{
    const struct {
        const char *text;
        enum blacklist_reason reason;
    } cases[] = {{"Drawing", BLACKLIST_DRAWING},
                 {"cartoon", BLACKLIST_DRAWING},
                 {"wrong class", BLACKLIST_CLASS},
                 {"Not an European fire salamander", BLACKLIST_CLASS},
                 {"not dough", BLACKLIST_CLASS},
                 {"unclear image", BLACKLIST_UNCLEAR},
                 {"very small fox", BLACKLIST_UNCLEAR},
                 {"unclear and near-duplicate of 95c8", BLACKLIST_NEAR_DUPLICATE},
                 {"picture of cover", BLACKLIST_DISTRIBUTION},
                 {"harmful", BLACKLIST_HARMFUL},
                 {"distribution", BLACKLIST_DISTRIBUTION},
                 {"Too big", BLACKLIST_OTHER},
                 {"", BLACKLIST_OTHER}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(blacklist_reason_guess(sv_of(cases[i].text)), cases[i].reason);
    }
    for (int r = 0; r < BLACKLIST_REASONS; r++) {
        assert_int_equal(blacklist_reason_of(sv_of(blacklist_reasons[r])), r);
        assert_int_equal(blacklist_reason_guess(sv_of(blacklist_reasons[r])), r);
    }
    assert_int_equal(blacklist_reason_of(SV("Class")), BLACKLIST_REASONS);
}
