/* quarantine_test.c - the set in memory follows flags and decisions as they are stored. */
#include "unit.h"

#include "store/work/flags.h"
#include "study/quarantine.h"
#include "temp_project.h"
#include "world.h"

enum { K = 2 };

static void flag(struct temp_project *t, int64_t image, int64_t person)
{
    bool added;
    assert_int_equal(flags_add(t->db,
                               &(struct flag_new){image, person, 0, SV("other"), SV(""), 100},
                               WORLD_NOW, &added, &t->err),
                     OK);
}

static void decide(struct temp_project *t, int64_t image, struct sv decision)
{
    assert_int_equal(flags_decide(t->db, image, decision, SV("x"), 0, WORLD_NOW, &t->err), OK);
}

static void refresh(struct temp_project *t, struct quarantine *q)
{
    assert_int_equal(quarantine_refresh(q, t->db, &t->err), OK);
}

PROJECT_TEST(it_follows)
{
    struct temp_project *t = *state;
    int64_t class_id = world_class(t->db, 1);
    int64_t a = world_image(t->db, 1, class_id, "candidate");
    int64_t b = world_image(t->db, 2, class_id, "candidate");
    struct quarantine *q = quarantine_new(K), *late = quarantine_new(K);
    refresh(t, q);
    assert_false(quarantine_has(q, a));
    flag(t, a, world_person(t->db));
    refresh(t, q);
    assert_false(quarantine_has(q, a));
    flag(t, a, world_person(t->db));
    assert_false(quarantine_has(q, a)); /* only a refresh looks */
    refresh(t, q);
    assert_true(quarantine_has(q, a));
    assert_false(quarantine_has(q, b));
    assert_int_equal(quarantine_waiting(q), 1);
    decide(t, a, SV("clear"));
    decide(t, b, SV("takedown"));
    refresh(t, q);
    assert_false(quarantine_has(q, a));
    assert_true(quarantine_has(q, b));
    assert_int_equal(quarantine_waiting(q), 0);
    flag(t, a, world_person(t->db));
    refresh(t, q);
    assert_int_equal(quarantine_waiting(q), 1);
    refresh(t, late); /* who comes later sees the same */
    assert_false(quarantine_has(late, a));
    assert_true(quarantine_has(late, b));
    assert_int_equal(quarantine_waiting(late), 1);
    quarantine_free(q);
    quarantine_free(late);
}
