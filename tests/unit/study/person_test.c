/* person_test.c - a person's record, which notes are taken back by which, and who may be forgotten. */
#include "unit.h"

#include "store/people/people.h"
#include "study/person.h"
#include "temp_project.h"
#include "world.h"

enum { CELLS = 4, GRIDS = 22 };

static struct study study_in(struct temp_project *t)
{
    return (struct study){.db = t->db, .arena = &t->arena, .err = &t->err};
}

static struct sv pseudonym_of(struct temp_project *t, int64_t person)
{
    struct person p;
    assert_int_equal(people_get(t->db, person, &t->arena, &p, &t->err), OK);
    return p.pseudonym;
}

PROJECT_TEST(the_record)
{
    struct temp_project *t = *state;
    struct study study = study_in(t);
    struct campaign terms = world_terms("main"), other = world_terms("other");
    int64_t class_id = world_class(t->db, 1), images[CELLS], campaign = world_campaign(t->db, &terms);
    int64_t person = world_person(t->db), place = world_place(t->db, campaign, person), last = 0;
    struct person_record p;
    world_campaign(t->db, &other);
    for (unsigned i = 0; i < CELLS; i++) {
        images[i] = world_image(t->db, i, class_id, "candidate");
    }
    for (int i = 0; i < GRIDS; i++) {
        int64_t grid = world_grid(t->db, campaign, class_id, images, CELLS);
        last = world_answer(t->db, world_lend(t->db, grid, person, place, WORLD_NOW, WORLD_NOW + 1000),
                            1, false, WORLD_NOW + i);
    }
    study.tally = tally_new();
    assert_int_equal(tally_fold(study.tally, t->db, &t->err), OK);
    assert_int_equal(person_read(&study, pseudonym_of(t, person), &p), OK);
    assert_int_equal(p.worker.person, person);
    assert_int_equal(p.n_parts, 1);
    assert_int_equal(p.sums.n, GRIDS);
    assert_int_equal(p.n_campaigns, 1);
    assert_true(sv_is(p.campaigns[0].name, "main"));
    assert_int_equal(p.n_answers, GRIDS);
    assert_int_equal(p.answers[GRIDS - 1].id, last);
    tally_free(study.tally);
}

PROJECT_TEST(notes)
{
    static const struct {
        const char *kind, *undo;
    } cases[] = {{"note", NULL}, {"block", "unblock"}, {"unblock", "block"}};
    struct temp_project *t = *state;
    const struct study study = study_in(t);
    struct sv pseudonym = pseudonym_of(t, world_person(t->db));
    struct person_noted done;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct person_noting n = {sv_of(cases[i].kind), SV("why"), 0};
        assert_int_equal(person_note(&study, pseudonym, &n, &done), OK);
        assert_string_equal(done.kind, cases[i].kind);
        assert_true((done.undo_kind == NULL) == (cases[i].undo == NULL));
        if (cases[i].undo) {
            assert_string_equal(done.undo_kind, cases[i].undo);
        }
    }
    const struct person_noting unknown = {SV("praise"), SV("why"), 0};
    assert_int_equal(person_note(&study, pseudonym, &unknown, &done), ERR_INPUT);
    assert_string_equal(t->err.rule, "note-kind");
}

PROJECT_TEST(forgetting)
{
    struct temp_project *t = *state;
    const struct study study = study_in(t);
    struct worker w;
    int64_t staff;
    struct sv worker = pseudonym_of(t, world_person(t->db));
    assert_int_equal(people_create(t->db, WORLD_NOW, 0, "staff", &staff, &t->err), OK);
    struct sv member = pseudonym_of(t, staff);
    assert_int_equal(person_forgettable(&study, worker, false, &w), OK);
    assert_int_equal(person_forget(&study, member, false, 0), ERR_DENIED);
    assert_string_equal(t->err.rule, "forget-staff");
    err_clear(&t->err);
    assert_int_equal(person_forgettable(&study, member, true, &w), OK);
    assert_int_equal(person_forget(&study, worker, false, 0), OK);
    assert_int_equal(person_forget(&study, SV("nobody"), true, 0), ERR_NOT_FOUND);
}
