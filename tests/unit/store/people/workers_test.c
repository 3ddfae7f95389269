/* workers_test.c - the list of people and one person's answers. */
#include "unit.h"

#include "store/campaigns/studies.h"
#include "store/people/notes.h"
#include "store/people/people.h"
#include "store/people/workers.h"
#include "temp_project.h"
#include "world.h"

static int64_t panel_person(struct temp_project *t, const char *id)
{
    int64_t person = world_person(t->db);
    assert_int_equal(
        people_identify(t->db, 1, 0, person, SV("panel"), sv_of(id), SV(""), &t->err), OK);
    return person;
}

static size_t page(struct temp_project *t, enum worker_filter f, const char *query, int64_t after,
                   size_t most, struct worker **out)
{
    size_t n = 0;
    assert_int_equal(workers_page(t->db, f, sv_of(query), after, most, &t->arena, out, &n,
                                  &t->err),
                     OK);
    return n;
}

PROJECT_TEST(people_are_found_and_filtered)
{
    struct temp_project *t = *state;
    struct worker *w;
    int64_t a = panel_person(t, "worker-a"), b = panel_person(t, "worker-b"), staff;
    assert_int_equal(people_create(t->db, 1, 0, "staff", &staff, &t->err), OK);
    assert_int_equal(notes_add(t->db, b, "block", SV("why"), 0, 1, &t->err), OK);
    assert_int_equal(page(t, WORKERS_ALL, "", 0, 9, &w), 2);
    assert_int_equal(w[0].person, a);
    assert_false(w[0].blocked);
    assert_int_equal(page(t, WORKERS_ALL, "", a, 9, &w), 1);
    assert_int_equal(page(t, WORKERS_ALL, "worker-a", 0, 9, &w), 1);
    assert_int_equal(page(t, WORKERS_ALL, "worker", 0, 9, &w), 0);
    assert_int_equal(page(t, WORKERS_BLOCKED, "", 0, 9, &w), 1);
    assert_int_equal(w[0].person, b);
    assert_int_equal(page(t, WORKERS_FORGOTTEN, "", 0, 9, &w), 0);
    assert_int_equal(people_forget(t->db, 1, 0, a, &t->err), OK);
    assert_int_equal(page(t, WORKERS_FORGOTTEN, "", 0, 9, &w), 1);
    const char *pseudonym = arena_cstr(&t->arena, w[0].pseudonym);
    assert_int_equal(page(t, WORKERS_ALL, "worker-a", 0, 9, &w), 0);
    assert_int_equal(page(t, WORKERS_ALL, pseudonym, 0, 9, &w), 1);
}

PROJECT_TEST(work_is_summed_over_campaigns)
{
    struct temp_project *t = *state;
    int64_t person = panel_person(t, "worker-a"), event;
    int64_t class_id = world_class(t->db, 1), image = world_image(t->db, 1, class_id, "candidate");
    struct worker w;
    static const char *const names[] = {"one", "two", "three"};
    for (int i = 0; i < 3; i++) {
        struct campaign terms = world_terms(names[i]);
        terms.pay_cents = 100 * (i + 1);
        int64_t campaign = world_campaign(t->db, &terms);
        int64_t grid = world_grid(t->db, campaign, class_id, &image, 1);
        int64_t place = world_place(t->db, campaign, person);
        int64_t lent = world_lend(t->db, grid, person, place, WORLD_NOW, WORLD_NOW + 1000);
        assert_int_equal(work_answer_create(t->db, lent, SV("client-01"), 1, OPTION_NONE, false, 60000, SV(""),
                                            WORLD_NOW + i, &event, &t->err),
                         OK);
        if (i == 0) {
            assert_int_equal(studies_outcome(t->db, place, STUDY_COMPLETE, 0, 1, &t->err), OK);
        }
    }
    assert_int_equal(workers_get(t->db, person, &t->arena, &w, &t->err), OK);
    assert_int_equal(w.places, 3);
    assert_int_equal(w.grids, 3);
    assert_int_equal(w.active_ms, 180000);
    assert_int_equal(w.last_at, WORLD_NOW + 2);
    assert_int_equal(w.rate_cents, 6000); /* 1.00 for the minute of the complete one */
    workers_get(t->db, 4711, &t->arena, &w, &t->err);
    temp_clear(t, ERR_NOT_FOUND, "no-person");
}

PROJECT_TEST(an_answer_says_its_grid_and_whether_it_is_out)
{
    struct temp_project *t = *state;
    int64_t person = panel_person(t, "worker-a"), class_id = world_class(t->db, 1);
    int64_t image = world_image(t->db, 1, class_id, "candidate"), grid[3], answer[3];
    struct campaign terms = world_terms("main");
    int64_t campaign = world_campaign(t->db, &terms);
    int64_t place = world_place(t->db, campaign, person);
    struct worker_answer one[3];
    for (int i = 0; i < 3; i++) {
        grid[i] = world_grid(t->db, campaign, class_id, &image, 1);
        int64_t lent = world_lend(t->db, grid[i], person, place, WORLD_NOW, WORLD_NOW + 1000);
        answer[i] = world_answer(t->db, lent, 1, i == 1, WORLD_NOW + i);
    }
    world_judge(t->db, answer[2], true);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(workers_answer(t->db, answer[i], &t->arena, &one[i], &t->err), OK);
        assert_int_equal(one[i].grid, grid[i]);
        assert_int_equal(one[i].at, WORLD_NOW + i);
        assert_true(sv_is(one[i].campaign, "main") && one[i].class_words.n > 0);
        assert_int_equal(one[i].surplus, i == 1);
        assert_int_equal(one[i].out, i == 2);
        assert_int_equal(one[i].rule.n > 0, i == 2);
    }
}
