/* flags_test.c - a flag is one per person and kind; who is hidden follows from flags and decisions;
 * how an image stands is said alike of one and of all; what was hidden as of an earlier event. */
#include "unit.h"

#include "base/rng.h"
#include "store/people/notes.h"
#include "store/work/flag_dismissals.h"
#include "store/work/flags.h"
#include "temp_project.h"
#include "world.h"

enum { K = 2, IMAGES = 5, PEOPLE = 4 };

struct scene {
    int64_t image[IMAGES], person[PEOPLE];
};

static struct scene make_scene(struct temp_project *t)
{
    struct scene s;
    int64_t class_id = world_class(t->db, 1);
    for (unsigned i = 0; i < IMAGES; i++) {
        s.image[i] = world_image(t->db, i, class_id, "candidate");
    }
    for (unsigned i = 0; i < PEOPLE; i++) {
        s.person[i] = world_person(t->db);
    }
    return s;
}

static bool flag(struct temp_project *t, int64_t image, int64_t person, const char *kind)
{
    bool added = false;
    assert_int_equal(flags_add(t->db,
                               &(struct flag_new){image, person, 0, sv_of(kind), SV("a note"), 100},
                               WORLD_NOW, &added, &t->err),
                     OK);
    return added;
}

static void decide(struct temp_project *t, int64_t image, const char *decision)
{
    assert_int_equal(
        flags_decide(t->db, image, sv_of(decision), SV("because"), 0, WORLD_NOW, &t->err), OK);
}

struct set {
    int64_t ids[IMAGES];
    size_t n;
};

static enum err_code collect(void *arg, int64_t image, struct err *err)
{
    struct set *s = arg;
    (void)err;
    assert_true(s->n < IMAGES);
    s->ids[s->n++] = image;
    return OK;
}

static bool is_hidden(struct temp_project *t, int64_t image)
{
    struct set s = {0};
    assert_int_equal(flags_hidden(t->db, K, collect, &s, &t->err), OK);
    for (size_t i = 0; i < s.n; i++) {
        if (s.ids[i] == image) {
            return true;
        }
    }
    return false;
}

static void assert_state(struct temp_project *t, int64_t image, const char *state)
{
    struct flagged f;
    assert_int_equal(flags_of_image(t->db, K, image, &t->arena, &f, &t->err), OK);
    assert_true(sv_is(f.state, state));
    assert_int_equal(is_hidden(t, image),
                     sv_is(f.state, "quarantine") || sv_is(f.state, "takedown"));
}

PROJECT_TEST(the_same_again_is_one)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    assert_true(flag(t, s.image[0], s.person[0], "broken"));
    assert_false(flag(t, s.image[0], s.person[0], "broken"));
    assert_true(flag(t, s.image[0], s.person[0], "other"));
    assert_int_equal(temp_int(t, "SELECT count(*) FROM flag"), 2);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'flag'"), 2);
    assert_int_equal(temp_int(t, "SELECT subject FROM event WHERE kind = 'flag' LIMIT 1"),
                     s.image[0]);
}

PROJECT_TEST(what_is_refused)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    bool added;
    char longest[FLAG_NOTE_MAX + 1];
    memset(longest, 'x', sizeof longest);
    flags_add(t->db, &(struct flag_new){s.image[0], s.person[0], 0, SV("ugly"), SV(""), 100},
              WORLD_NOW, &added, &t->err);
    temp_clear(t, ERR_INPUT, "flag-kind");
    flags_add(t->db,
              &(struct flag_new){s.image[0], s.person[0], 0, SV("other"),
                                 sv_make(longest, sizeof longest), 100},
              WORLD_NOW, &added, &t->err);
    temp_clear(t, ERR_INPUT, "flag-note");
    flags_add(t->db, &(struct flag_new){s.image[0], s.person[0], 0, SV("other"), SV("\xff"), 100},
              WORLD_NOW, &added, &t->err);
    temp_clear(t, ERR_INPUT, "flag-note");
    flags_decide(t->db, s.image[0], SV("burn"), SV("x"), 0, WORLD_NOW, &t->err);
    temp_clear(t, ERR_INPUT, "decision");
    flags_decide(t->db, s.image[0], SV("takedown"), SV(" \n"), 0, WORLD_NOW, &t->err);
    temp_clear(t, ERR_INPUT, "reason-missing");
    flags_decide(t->db, 999, SV("clear"), SV(""), 0, WORLD_NOW, &t->err);
    temp_clear(t, ERR_NOT_FOUND, "no-image");
    assert_int_equal(temp_int(t, "SELECT count(*) FROM flag"), 0);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM image_decision"), 0);
    assert_int_equal(flags_add(t->db,
                               &(struct flag_new){s.image[0], s.person[0], 0, SV("other"),
                                                  sv_make(longest, FLAG_NOTE_MAX), 100},
                               WORLD_NOW, &added, &t->err),
                     OK);
}

PROJECT_TEST(k_people_hide_an_image)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    flag(t, s.image[0], s.person[0], "private");
    flag(t, s.image[0], s.person[0], "broken");
    assert_state(t, s.image[0], "open"); /* one person, whatever they say */
    flag(t, s.image[0], s.person[1], "private");
    assert_state(t, s.image[0], "quarantine");
    assert_false(is_hidden(t, s.image[1]));
}

PROJECT_TEST(decisions)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    for (int i = 0; i < 2; i++) {
        flag(t, s.image[0], s.person[i], "other");
    }
    decide(t, s.image[0], "clear");
    assert_state(t, s.image[0], "clear");
    flag(t, s.image[0], s.person[2], "other");
    assert_state(t, s.image[0], "open"); /* flags from before were decided about */
    flag(t, s.image[0], s.person[3], "other");
    assert_state(t, s.image[0], "quarantine");
    decide(t, s.image[0], "takedown");
    assert_state(t, s.image[0], "takedown");
    decide(t, s.image[0], "clear");
    assert_state(t, s.image[0], "clear");
    decide(t, s.image[1], "quarantine"); /* nobody flagged it */
    assert_state(t, s.image[1], "quarantine");
    struct flagged f;
    assert_int_equal(flags_of_image(t->db, K, s.image[2], &t->arena, &f, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "no-flag");
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'image.clear'"), 2);
}

static enum err_code count_waiting(void *arg, int64_t image, const struct flag_standing *now,
                                   struct err *err)
{
    (void)image;
    (void)err;
    *(int64_t *)arg += now->waits;
    return OK;
}

static void assert_waiting(struct temp_project *t, int64_t expected)
{
    int64_t n = 0;
    assert_int_equal(flags_changed(t->db, K, 0, count_waiting, &n, &t->err), OK);
    assert_int_equal(n, expected);
}

/* Waiting ends with any decision, and begins again with a flag after the image was cleared. */
PROJECT_TEST(what_waits_for_a_decision)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    assert_waiting(t, 0);
    flag(t, s.image[0], s.person[0], "private");
    flag(t, s.image[0], s.person[1], "private"); /* hidden by then, and still nobody looked */
    flag(t, s.image[1], s.person[0], "broken");
    assert_waiting(t, 2);
    decide(t, s.image[0], "quarantine");
    decide(t, s.image[1], "clear");
    assert_waiting(t, 0);
    flag(t, s.image[0], s.person[2], "private"); /* kept from everybody already */
    flag(t, s.image[1], s.person[2], "broken");
    assert_waiting(t, 1);
    decide(t, s.image[1], "takedown");
    flag(t, s.image[1], s.person[3], "broken");
    assert_waiting(t, 0);
}

static enum err_code note_change(void *arg, int64_t image, const struct flag_standing *now,
                                 struct err *err)
{
    (void)err;
    struct set *s = arg;
    s->ids[s->n++] = now->hidden ? image : -image;
    return OK;
}

PROJECT_TEST(changes_since_an_event)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    int64_t newest = -1;
    assert_int_equal(flags_newest(t->db, &newest, &t->err), OK);
    assert_int_equal(newest, 0);
    decide(t, s.image[0], "takedown");
    assert_int_equal(flags_newest(t->db, &newest, &t->err), OK);
    flag(t, s.image[1], s.person[0], "other");
    struct set after = {0}, all = {0};
    assert_int_equal(flags_changed(t->db, K, newest, note_change, &after, &t->err), OK);
    assert_int_equal(after.n, 1);
    assert_int_equal(after.ids[0], -s.image[1]);
    assert_int_equal(flags_changed(t->db, K, 0, note_change, &all, &t->err), OK);
    assert_int_equal(all.n, 2);
}

struct standings {
    struct temp_project *t;
    size_t n, to_decide;
};

static enum err_code compare(void *arg, int64_t image, const struct flag_standing *now, struct err *err)
{
    static const char *const names[FLAG_STATES] = {"open", "quarantine", "clear", "takedown"};
    struct standings *s = arg;
    struct flagged f;
    assert_int_equal(flags_of_image(s->t->db, K, image, &s->t->arena, &f, err), OK);
    assert_true(sv_is(f.state, names[now->state]));
    assert_int_equal(f.people, now->people);
    assert_int_equal(now->hidden, now->state == FLAG_QUARANTINE || now->state == FLAG_TAKEDOWN);
    s->n++;
    s->to_decide += now->state == FLAG_OPEN || now->state == FLAG_QUARANTINE;
    return OK;
}

PROJECT_TEST(what_is_said_of_an_image)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct standings all = {.t = t};
    struct flagged f;
    flag(t, s.image[0], s.person[0], "private");
    flag(t, s.image[0], s.person[1], "disturbing");
    decide(t, s.image[3], "takedown");
    assert_int_equal(flags_of_image(t->db, K, s.image[0], &t->arena, &f, &t->err), OK);
    assert_true(sv_is(f.kinds, "disturbing|private") && f.people == 2);
    assert_true(sv_is(f.state, "quarantine") && !f.decided && f.reason.n == 0);
    assert_int_equal(flags_of_image(t->db, K, s.image[3], &t->arena, &f, &t->err), OK);
    assert_true(sv_is(f.reason, "because") && f.decided && f.people == 0);
    assert_int_equal(flags_changed(t->db, K, 0, compare, &all, &t->err), OK);
    assert_int_equal(all.n, 2);
}

/* Whatever was decided and flagged in which order. */
PROJECT_TEST(what_is_to_decide)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct standings all = {.t = t};
    flag(t, s.image[0], s.person[0], "other");
    decide(t, s.image[0], "clear");
    flag(t, s.image[0], s.person[1], "other"); /* again, after it was cleared */
    flag(t, s.image[1], s.person[0], "other");
    decide(t, s.image[1], "takedown");
    flag(t, s.image[1], s.person[1], "other"); /* a takedown stays one */
    flag(t, s.image[2], s.person[0], "other");
    decide(t, s.image[2], "clear");
    decide(t, s.image[2], "quarantine");
    decide(t, s.image[3], "quarantine");
    decide(t, s.image[3], "clear");
    decide(t, s.image[4], "quarantine");
    assert_int_equal(flags_changed(t->db, K, 0, compare, &all, &t->err), OK);
    assert_int_equal(all.n, IMAGES);
    assert_int_equal(all.to_decide, 3);
}

static bool flag_from(struct temp_project *t, int64_t image, int64_t person, int64_t assignment,
                      int64_t most)
{
    bool added = false;
    const struct flag_new f = {image, person, assignment, SV("other"), SV(""), most};
    assert_int_equal(flags_add(t->db, &f, WORLD_NOW, &added, &t->err), OK);
    return added;
}

PROJECT_TEST(who_counts)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct campaign k = world_terms("main");
    int64_t campaign = world_campaign(t->db, &k);
    int64_t grid = world_grid(t->db, campaign, world_class(t->db, 2), s.image, IMAGES);
    int64_t lent[PEOPLE];
    for (int i = 0; i < PEOPLE; i++) {
        lent[i] = world_lend(t->db, grid, s.person[i], world_place(t->db, campaign, s.person[i]),
                             WORLD_NOW, WORLD_NOW + 1000);
    }
    for (int i = 0; i < 3; i++) {
        flag_from(t, s.image[i], s.person[0], lent[0], 2); /* before any answer */
        flag_from(t, s.image[i], s.person[1], lent[1], 2);
        assert_state(t, s.image[i], "open");
    }
    for (int i = 0; i < 2; i++) {
        int64_t answer = world_answer(t->db, lent[i], 1, false, WORLD_NOW + 1);
        assert_int_equal(flags_answered(t->db, s.person[i], lent[i], answer, 2, &t->err), OK);
    }
    assert_state(t, s.image[0], "quarantine"); /* two images each */
    assert_state(t, s.image[1], "quarantine");
    assert_state(t, s.image[2], "open");
    decide(t, s.image[0], "quarantine"); /* a lead agrees: both have an image again */
    flag_from(t, s.image[3], s.person[0], lent[0], 2);
    flag_from(t, s.image[3], s.person[1], lent[1], 2);
    assert_state(t, s.image[3], "quarantine");
    decide(t, s.image[1], "clear"); /* this one was wrong: none left */
    flag_from(t, s.image[4], s.person[0], lent[0], 2);
    flag_from(t, s.image[4], s.person[1], lent[1], 2);
    assert_state(t, s.image[4], "open");
    assert_int_equal(notes_add(t->db, s.person[2], "block", SV("why"), 0, WORLD_NOW, &t->err), OK);
    world_answer(t->db, lent[2], 1, false, WORLD_NOW + 1);
    flag_from(t, s.image[2], s.person[2], lent[2], 2);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM flag_counted n JOIN flag f ON f.id = n.flag"
                                 " WHERE f.image = 3"),
                     0);
    world_answer(t->db, lent[3], 1, false, WORLD_NOW + 1);
    flag_from(t, s.image[2], s.person[3], lent[3], 2);
    assert_state(t, s.image[2], "open"); /* one counts, who was blocked does not */
    assert_int_equal(temp_int(t, "SELECT count(*) FROM flag_counted n JOIN flag f ON f.id = n.flag"
                                 " WHERE f.image = 3"),
                     1);
}

/* What a spent vote leaves out is not looked at again and again: only images that count already get
 * further flags, and a lead who agrees about one gives a vote back. */
PROJECT_TEST(who_flags_more_than_counts)
{
    enum { MANY = 40, MOST = 2 };
    struct temp_project *t = *state;
    struct campaign k = world_terms("main");
    int64_t campaign = world_campaign(t->db, &k), class_id = world_class(t->db, 1);
    int64_t person = world_person(t->db), image[MANY];
    for (unsigned i = 0; i < MANY; i++) {
        image[i] = world_image(t->db, i, class_id, "candidate");
    }
    int64_t grid = world_grid(t->db, campaign, class_id, image, MANY);
    int64_t lent = world_lend(t->db, grid, person, world_place(t->db, campaign, person), WORLD_NOW,
                              WORLD_NOW + 1000);
    for (unsigned i = 0; i < MANY; i++) {
        flag_from(t, image[i], person, lent, MOST);
    }
    bool added;
    const struct flag_new late = {image[0], person, lent, SV("broken"), SV(""), MOST};
    assert_int_equal(flags_add(t->db, &late, WORLD_NOW, &added, &t->err), OK);
    int64_t answer = world_answer(t->db, lent, 1, false, WORLD_NOW + 1);
    static const int expected[] = {3, 4, 4}; /* the oldest two and the late flag; one more; none */
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(flags_answered(t->db, person, lent, answer, MOST, &t->err), OK);
        assert_int_equal(temp_int(t, "SELECT count(*) FROM flag_counted"), expected[i]);
        if (i == 0) {
            assert_int_equal(flags_answered(t->db, person, lent, answer, MOST, &t->err), OK);
            decide(t, image[1], "quarantine");
        }
    }
    assert_int_equal(temp_int(t, "SELECT max(f.image) FROM flag_counted n JOIN flag f"
                                 " ON f.id = n.flag"),
                     image[2]);
    assert_int_equal(flags_answered(t->db, person, lent, answer, 1, &t->err), OK); /* fewer now */
    assert_int_equal(temp_int(t, "SELECT count(*) FROM flag_counted"), 4);
}

PROJECT_TEST(what_is_dismissed)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    flag(t, s.image[0], s.person[0], "private");
    flag(t, s.image[0], s.person[1], "private");
    flag(t, s.image[1], s.person[0], "broken");
    struct flag_dismissing one = {.person = s.person[0]}, back;
    assert_int_equal(flags_dismiss(t->db, &one, 0, WORLD_NOW, &t->err), OK);
    assert_int_equal(one.flags, 2);
    assert_false(one.more);
    assert_state(t, s.image[0], "open");
    assert_state(t, s.image[1], "clear");
    assert_waiting(t, 1);
    struct flag_dismissing again = {.person = s.person[0]};
    assert_int_equal(flags_dismiss(t->db, &again, 0, WORLD_NOW, &t->err), OK);
    assert_int_equal(again.flags, 0);
    back = (struct flag_dismissing){.action = one.action};
    assert_int_equal(flags_restore(t->db, &back, 0, WORLD_NOW, &t->err), OK);
    assert_int_equal(back.flags, 2);
    assert_state(t, s.image[0], "quarantine");
    assert_waiting(t, 2);
    back = (struct flag_dismissing){.action = one.action};
    assert_int_equal(flags_restore(t->db, &back, 0, WORLD_NOW, &t->err), OK);
    assert_int_equal(back.flags, 0); /* nothing of it is left */
    struct flag_dismissing all = {.first = 1, .last = INT64_MAX};
    decide(t, s.image[1], "quarantine"); /* decided: a dismissal leaves it alone */
    assert_int_equal(flags_dismiss(t->db, &all, 0, WORLD_NOW, &t->err), OK);
    assert_int_equal(all.flags, 2);
    assert_state(t, s.image[0], "clear");
    assert_state(t, s.image[1], "quarantine");
}

PROJECT_TEST(notes_of_an_image_and_of_an_assignment)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct campaign terms = world_terms("main");
    int64_t campaign = world_campaign(t->db, &terms), class_id = world_class(t->db, 2);
    int64_t grid = world_grid(t->db, campaign, class_id, s.image, 2);
    int64_t place = world_place(t->db, campaign, s.person[0]);
    int64_t lent = world_lend(t->db, grid, s.person[0], place, WORLD_NOW, WORLD_NOW + 1000);
    bool added;
    assert_int_equal(flags_add(t->db,
                               &(struct flag_new){s.image[1], s.person[0], lent, SV("private"),
                                                  SV("my aunt"), 100},
                               WORLD_NOW + 5, &added, &t->err),
                     OK);
    flag(t, s.image[1], s.person[1], "other");
    flag(t, s.image[0], s.person[0], "other"); /* not in the assignment */
    struct flag_note *notes;
    struct flag_given *given;
    size_t n;
    assert_int_equal(flags_notes(t->db, s.image[1], 10, &t->arena, &notes, &n, &t->err), OK);
    assert_int_equal(n, 2);
    assert_true(sv_is(notes[1].note, "my aunt") && notes[1].pseudonym.n > 0);
    assert_int_equal(flags_notes(t->db, s.image[1], 1, &t->arena, &notes, &n, &t->err), OK);
    assert_int_equal(n, 1);
    assert_int_equal(flags_of_assignment(t->db, s.person[0], lent, &t->arena, &given, &n, &t->err),
                     OK);
    assert_int_equal(n, 1);
    assert_int_equal(given[0].image, s.image[1]);
    assert_true(sv_is(given[0].kind, "private") && sv_is(given[0].note, "my aunt"));
    assert_int_equal(given[0].at, WORLD_NOW + 5);
}

/* ---- as of an earlier event ---- */

struct marks {
    bool flagged[IMAGES], hidden[IMAGES];
};

static enum err_code mark(void *arg, int64_t image, bool hidden, struct err *err)
{
    struct marks *m = arg;
    (void)err;
    assert_true(image >= 1 && image <= IMAGES);
    m->flagged[image - 1] = true;
    m->hidden[image - 1] = hidden;
    return OK;
}

/* All flags of a person, or puts back what was dismissed last: *last, 0 when that is nothing. */
static void dismiss_or_restore(struct temp_project *t, int64_t person, int64_t *last)
{
    struct flag_dismissing d = {.person = *last ? 0 : person, .action = *last};
    assert_int_equal(*last ? flags_restore(t->db, &d, 0, WORLD_NOW, &t->err)
                           : flags_dismiss(t->db, &d, 0, WORLD_NOW, &t->err),
                     OK);
    *last = *last ? 0 : d.action;
}

/* Random flags, decisions and dismissals; after each, what is hidden is noted and asked for again
 * at the end. */
PROJECT_TEST(as_of)
{
    struct temp_project *t = *state;
    static const char *const decisions[] = {"clear", "quarantine", "takedown"};
    static bool then[120][IMAGES];
    int64_t at[120], dismissed = 0;
    struct scene s = make_scene(t);
    struct rng r;
    rng_seed(&r, 5);
    for (int i = 0; i < 120; i++) {
        int64_t image = s.image[rng_below(&r, IMAGES)];
        if (rng_below(&r, 12) == 0) {
            dismiss_or_restore(t, s.person[rng_below(&r, PEOPLE)], &dismissed);
        } else if (rng_below(&r, 3)) {
            flag(t, image, s.person[rng_below(&r, PEOPLE)], flag_kinds[rng_below(&r, FLAG_KINDS)]);
        } else {
            decide(t, image, decisions[rng_below(&r, 3)]);
        }
        for (int k = 0; k < IMAGES; k++) {
            then[i][k] = is_hidden(t, s.image[k]);
        }
        at[i] = temp_int(t, "SELECT max(id) FROM event");
    }
    for (int i = 0; i < 120; i++) {
        struct marks m = {{0}, {0}};
        assert_int_equal(flags_as_of(t->db, K, at[i], mark, &m, &t->err), OK);
        for (int k = 0; k < IMAGES; k++) {
            assert_int_equal(m.hidden[k], then[i][k]);
            assert_true(m.flagged[k] || !m.hidden[k]);
        }
    }
    struct marks none = {{0}, {0}};
    assert_int_equal(flags_as_of(t->db, K, at[0] - 1, mark, &none, &t->err), OK);
    for (int k = 0; k < IMAGES; k++) {
        assert_false(none.flagged[k]);
    }
}
