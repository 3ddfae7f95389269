/* flagging_test.c - which decisions about a flagged image can be taken back; what stays on the page of what
 * is left to decide, and what is looked at first. */
#include "unit.h"

#include "study/flagging.h"
#include "temp_project.h"
#include "world.h"

enum { K = 2, IMAGES = 3 };

static struct study study_in(struct temp_project *t)
{
    return (struct study){.db = t->db, .arena = &t->arena, .err = &t->err, .flags_per_person = 100,
                          .flags_to_quarantine = K};
}

static void flag(struct temp_project *t, int64_t image, int64_t person)
{
    bool added;
    const struct flag_new f = {image, person, 0, SV("other"), SV(""), 100};
    assert_int_equal(flags_add(t->db, &f, WORLD_NOW, &added, &t->err), OK);
}

static struct flag_decided decide(const struct study *study, int64_t image, const char *decision)
{
    struct flag_decided done;
    const struct flag_decision d = {.image = image, .decision = sv_of(decision), .reason = SV(" why ")};
    assert_int_equal(flag_decide(study, &d, &done), OK);
    return done;
}

PROJECT_TEST(can_go_back)
{
    static const struct {
        const char *was, *decision;
        bool back;
    } cases[] = {
        {"open", "clear", false},          {"open", "quarantine", false},
        {"quarantine", "clear", true},     {"clear", "quarantine", true},
        {"clear", "clear", false},         {"quarantine", "takedown", false},
        {"takedown", "clear", false},
    };
    struct temp_project *t = *state;
    const struct study study = study_in(t);
    int64_t class_id = world_class(t->db, 1), person = world_person(t->db);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t image = world_image(t->db, (unsigned)i, class_id, "candidate");
        if (strcmp(cases[i].was, "open") == 0) {
            flag(t, image, person);
        } else {
            decide(&study, image, cases[i].was);
        }
        struct flag_decided done = decide(&study, image, cases[i].decision);
        assert_true(sv_is(done.was.state, cases[i].was));
        assert_true(done.can_go_back == cases[i].back);
    }
}

/* Nobody flagged it, and a lead decides all the same. */
PROJECT_TEST(nobody_flagged_it)
{
    struct temp_project *t = *state;
    const struct study study = study_in(t);
    int64_t image = world_image(t->db, 0, world_class(t->db, 1), "candidate");
    struct flag_decided done = decide(&study, image, "quarantine");
    assert_true(sv_is(done.was.state, "open") && !done.can_go_back);
    assert_int_equal(t->err.code, OK);
}

PROJECT_TEST(what_was_decided_keeps_its_place)
{
    struct temp_project *t = *state;
    struct study study = study_in(t);
    int64_t class_id = world_class(t->db, 1), person = world_person(t->db), image[IMAGES];
    struct flagged *list;
    struct flag_queue_ask ask = {.states = 1 << FLAG_OPEN, .most = 2};
    size_t n;
    study.quarantine = quarantine_new(K);
    for (unsigned i = 0; i < IMAGES; i++) {
        image[i] = world_image(t->db, i, class_id, "candidate");
        flag(t, image[i], person);
    }
    assert_int_equal(quarantine_refresh(study.quarantine, t->db, &t->err), OK);
    assert_int_equal(flag_queue_read(&study, &ask, &list, &n), OK);
    assert_int_equal(n, 2);
    assert_int_equal(list[0].image, image[2]);
    ask.skip = 2;
    assert_int_equal(flag_queue_read(&study, &ask, &list, &n), OK);
    assert_int_equal(n, 1);
    assert_int_equal(list[0].image, image[0]);
    ask.skip = 0;
    decide(&study, image[1], "clear");
    assert_int_equal(quarantine_refresh(study.quarantine, t->db, &t->err), OK);
    ask.kept = (const int64_t[]){image[1], 999};
    ask.n_kept = 2;
    assert_int_equal(flag_queue_read(&study, &ask, &list, &n), OK);
    assert_int_equal(n, 3);
    assert_int_equal(list[1].image, image[1]);
    assert_true(sv_is(list[1].state, "clear"));
    assert_int_equal(t->err.code, OK);
    quarantine_free(study.quarantine);
}

/* Two people flag two images each at once, a third flags one; two images are hidden then. */
PROJECT_TEST(what_to_look_at_first)
{
    struct temp_project *t = *state;
    struct study study = study_in(t);
    int64_t class_id = world_class(t->db, 1), person[3], image[IMAGES];
    struct flag_waiting w;
    study.flags_surge = 4;
    study.quarantine = quarantine_new(K);
    for (unsigned i = 0; i < IMAGES; i++) {
        image[i] = world_image(t->db, i, class_id, "candidate");
        person[i] = world_person(t->db);
    }
    for (unsigned i = 0; i < 2; i++) {
        flag(t, image[0], person[i]);
        flag(t, image[1 + i], person[i]);
    }
    assert_int_equal(flag_waiting_read(&study, &w), OK);
    assert_int_equal(w.n_surges, 1);
    assert_int_equal(w.surges[0].flags, 4);
    assert_int_equal(w.surges[0].hidden, 0);
    flag(t, image[2], person[2]);
    assert_int_equal(quarantine_refresh(study.quarantine, t->db, &t->err), OK);
    assert_int_equal(flag_waiting_read(&study, &w), OK);
    assert_int_equal(w.surges[0].flags, 5);
    assert_int_equal(w.surges[0].hidden, 2);
    assert_int_equal(w.n_people, 2); /* one image is no pattern */
    assert_true(w.people[0].pseudonym.n > 0 && w.people[0].sum.images == 2);
    quarantine_free(study.quarantine);
}

PROJECT_TEST(which_flags)
{
    struct temp_project *t = *state;
    const struct study study = study_in(t);
    struct flag_aside o;
    assert_int_equal(flag_aside_which(&study, SV(""), SV("3"), SV("9"), &o), OK);
    assert_true(o.before.first == 3 && o.before.last == 9 && !o.restore);
    assert_int_equal(flag_aside_which(&study, SV(""), SV("3"), SV(""), &o), ERR_INPUT);
    err_clear(&t->err);
    assert_int_equal(flag_aside_which(&study, SV("nobody"), SV(""), SV(""), &o), ERR_NOT_FOUND);
    err_clear(&t->err);
    assert_int_equal(flag_aside_back(&study, SV("4"), &o), OK);
    assert_true(o.before.action == 4 && o.restore);
    assert_int_equal(flag_aside_back(&study, SV("0"), &o), ERR_NOT_FOUND);
}
