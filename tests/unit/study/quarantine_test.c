/* quarantine_test.c - what is in memory follows flags and decisions as they are stored. */
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

/* The images of a list as digits, in its order. */
static const char *listed(struct temp_project *t, struct quarantine *q, unsigned states,
                          enum quarantine_sort sort)
{
    size_t n;
    char *text = arena_calloc(&t->arena, 10, 1);
    const struct quarantine_ask ask = {.states = states, .sort = sort};
    const struct quarantined *list = quarantine_list(q, &ask, &t->arena, &n);
    assert_int_equal(quarantine_count(q, states), n);
    for (size_t i = 0; i < n; i++) {
        text[i] = (char)('0' + list[i].image);
    }
    return text;
}

PROJECT_TEST(the_list)
{
    enum { OPEN = 1 << FLAG_OPEN, HELD = 1 << FLAG_QUARANTINE, CLEAR = 1 << FLAG_CLEAR, DOWN = 1 << FLAG_TAKEDOWN };
    struct temp_project *t = *state;
    struct quarantine *q = quarantine_new(K);
    int64_t class_id = world_class(t->db, 1), people[2] = {world_person(t->db), world_person(t->db)};
    for (unsigned i = 1; i <= 5; i++) {
        assert_int_equal(world_image(t->db, i, class_id, "candidate"), i);
    }
    flag(t, 1, people[0]);
    flag(t, 1, people[1]);
    flag(t, 2, people[0]);
    flag(t, 3, people[1]);
    flag(t, 4, people[0]);
    decide(t, 4, SV("clear"));
    decide(t, 5, SV("takedown")); /* nobody flagged it */
    refresh(t, q);
    assert_string_equal(listed(t, q, OPEN | HELD, QUARANTINE_MOST_REPORTED), "132");
    assert_string_equal(listed(t, q, OPEN | HELD, QUARANTINE_NEWEST), "321");
    assert_string_equal(listed(t, q, OPEN | HELD | CLEAR | DOWN, QUARANTINE_MOST_REPORTED), "14325");
    assert_string_equal(listed(t, q, HELD, QUARANTINE_NEWEST), "1");
    assert_string_equal(listed(t, q, CLEAR, QUARANTINE_NEWEST), "4");
    assert_string_equal(listed(t, q, DOWN, QUARANTINE_NEWEST), "5");
    flag(t, 4, people[1]);
    refresh(t, q);
    assert_string_equal(listed(t, q, OPEN | HELD, QUARANTINE_MOST_REPORTED), "4132");
    assert_string_equal(listed(t, q, CLEAR, QUARANTINE_NEWEST), "");
    quarantine_free(q);
}
