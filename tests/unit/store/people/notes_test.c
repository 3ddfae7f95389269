/* notes_test.c - notes and blocks, and that no panel id gets into them. */
#include "unit.h"

#include "store/people/notes.h"
#include "store/people/people.h"
#include "temp_project.h"
#include "world.h"

static int64_t person_called(struct temp_project *t, const char *id)
{
    int64_t person = world_person(t->db);
    assert_int_equal(
        people_identify(t->db, 1, 0, person, SV("panel"), sv_of(id), SV(""), &t->err), OK);
    return person;
}

static enum err_code add(struct temp_project *t, int64_t person, const char *kind,
                         const char *text)
{
    return notes_add(t->db, person, kind, sv_of(text), 0, 5, &t->err);
}

static bool is_blocked(struct temp_project *t, int64_t person)
{
    bool blocked = false;
    assert_int_equal(notes_blocked(t->db, person, &blocked, &t->err), OK);
    return blocked;
}

PROJECT_TEST(the_newest_block_or_unblock_holds)
{
    struct temp_project *t = *state;
    int64_t person = world_person(t->db), other = world_person(t->db);
    assert_false(is_blocked(t, person));
    assert_int_equal(add(t, person, "block", "answers without looking"), OK);
    assert_true(is_blocked(t, person));
    assert_int_equal(add(t, person, "note", "asked by mail"), OK);
    assert_true(is_blocked(t, person));
    assert_false(is_blocked(t, other));
    assert_int_equal(add(t, person, "unblock", ""), OK);
    assert_false(is_blocked(t, person));
    assert_int_equal(add(t, person, "block", "again"), OK);
    assert_true(is_blocked(t, person));
    assert_int_equal(temp_int(t, "SELECT count(*) FROM blocked"), 1);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'person.block'"), 2);
}

PROJECT_TEST(notes_are_listed_newest_first)
{
    struct temp_project *t = *state;
    struct note *notes;
    size_t n;
    int64_t person = world_person(t->db);
    assert_int_equal(notes_list(t->db, person, &t->arena, &notes, &n, &t->err), OK);
    assert_int_equal(n, 0);
    assert_int_equal(add(t, person, "note", "  first\n"), OK);
    assert_int_equal(add(t, person, "block", "second"), OK);
    assert_int_equal(notes_list(t->db, person, &t->arena, &notes, &n, &t->err), OK);
    assert_int_equal(n, 2);
    assert_true(sv_is(notes[0].text, "second"));
    assert_true(sv_is(notes[0].kind, "block"));
    assert_true(sv_is(notes[1].text, "first"));
    assert_int_equal(notes[1].at, 5);
    assert_int_equal(notes[1].by.n, 0);
}

PROJECT_TEST(what_says_nothing_is_refused)
{
    struct temp_project *t = *state;
    int64_t person = world_person(t->db);
    char long_text[1002] = {0};
    memset(long_text, 'x', 1001);
    add(t, person, "block", " ");
    temp_clear(t, ERR_INPUT, "note-empty");
    add(t, person, "note", "");
    temp_clear(t, ERR_INPUT, "note-empty");
    add(t, person, "note", long_text);
    temp_clear(t, ERR_INPUT, "note-text");
    add(t, person, "note", "\xff");
    temp_clear(t, ERR_INPUT, "note-text");
    add(t, 4711, "note", "nobody");
    temp_clear(t, ERR_NOT_FOUND, "no-person");
    assert_int_equal(temp_int(t, "SELECT count(*) FROM person_note"), 0);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind LIKE 'person.note'"), 0);
}

PROJECT_TEST(a_note_does_not_name_its_person)
{
    struct temp_project *t = *state;
    int64_t person = person_called(t, "5f3ab2c9d1"), brief = person_called(t, "w7");
    add(t, person, "note", "mail from 5F3AB2C9D1 came");
    temp_clear(t, ERR_INPUT, "text-names-person");
    add(t, person, "block", "see x5f3ab2c9d1x");
    temp_clear(t, ERR_INPUT, "text-names-person");
    add(t, brief, "note", "is (w7)");
    temp_clear(t, ERR_INPUT, "text-names-person");
    assert_int_equal(add(t, brief, "note", "grid row7 and w77"), OK);
    assert_int_equal(add(t, brief, "note", "as 5f3ab2c9d1 did"), OK); /* about another */
}

static void arrives(struct temp_project *t, int64_t campaign, int64_t person, const char *said)
{
    int64_t place = world_place(t->db, campaign, person);
    assert_int_equal(db_run(t->db, "INSERT INTO arrival (place, parameters) VALUES (?1, ?2)",
                            DB_VALS(db_int(place), db_str(said)), &t->err),
                     OK);
}

PROJECT_TEST(what_the_link_said_counts_too)
{
    struct temp_project *t = *state;
    struct campaign terms = world_terms("main");
    int64_t campaign = world_campaign(t->db, &terms);
    int64_t person = person_called(t, "5f3ab2c9d1");
    arrives(t, campaign, person, "{\"SESSION_ID\": \"session-0815\"}");
    add(t, person, "note", "session-0815 broke off");
    temp_clear(t, ERR_INPUT, "text-names-person");
}

/* A study's number and a language are nobody's name. */
PROJECT_TEST(what_links_say_of_others_too_is_no_id)
{
    struct temp_project *t = *state;
    struct campaign terms = world_terms("main"), elsewhere = world_terms("elsewhere");
    int64_t campaign = world_campaign(t->db, &terms), second = world_campaign(t->db, &elsewhere);
    int64_t person = person_called(t, "5f3ab2c9d1"), other = person_called(t, "w8"), apart = person_called(t, "w9");
    struct note *notes;
    size_t n;
    arrives(t, campaign, person,
            "{\"STUDY_ID\": \"study-2026\", \"lang\": \"en\", \"SESSION_ID\": \"session-0815\", \"ref\": \"x7\"}");
    arrives(t, campaign, other, "{\"STUDY_ID\": \"study-2026\", \"lang\": \"en\", \"SESSION_ID\": \"session-0816\"}");
    arrives(t, second, apart, "{\"ref\": \"x7\"}");
    assert_int_equal(add(t, person, "note", "study-2026 in en"), OK);
    assert_int_equal(add(t, other, "note", "study-2026 in en; session-0815 and x7 broke off"), OK);
    world_forget(t->db, person);
    assert_int_equal(notes_list(t->db, other, &t->arena, &notes, &n, &t->err), OK);
    assert_true(sv_is(notes[0].text, "study-2026 in en; [erased] and [erased] broke off"));
}

PROJECT_TEST(erasing_reaches_notes_about_others)
{
    struct temp_project *t = *state;
    struct note *notes;
    size_t n;
    int64_t person = person_called(t, "5f3ab2c9d1"), other = person_called(t, "w8");
    assert_int_equal(add(t, other, "note", "copied 5f3ab2c9d1, says 5F3AB2C9D1."), OK);
    assert_int_equal(add(t, other, "note", "left alone"), OK);
    world_forget(t->db, person);
    assert_int_equal(notes_list(t->db, other, &t->arena, &notes, &n, &t->err), OK);
    assert_true(sv_is(notes[0].text, "left alone"));
    assert_true(sv_is(notes[1].text, "copied [erased], says [erased]."));
}
