/* remeasurements_test.c - which campaigns measure a set again, and who they keep apart. */
#include "unit.h"

#include "store/campaigns/remeasurements.h"
#include "store/sets/sets.h"
#include "temp_project.h"
#include "world.h"

struct scene {
    int64_t class_id, image, main, grid, again, revision, other_revision;
};

static int64_t revision(struct temp_project *t, const char *set, int64_t image, int64_t class_id)
{
    struct revision_image one = {(uint32_t)image, (uint32_t)class_id};
    struct revision_new r = {.set = sv_of(set),
                             .role = SV("new"),
                             .strategy = SV("matched"),
                             .parameters = SV("{}"),
                             .state = REVISION_FROZEN,
                             .state_reason = SV("done"),
                             .images = &one,
                             .n = 1,
                             .always = true};
    int64_t id;
    bool added;
    assert_int_equal(revisions_add(t->db, true, &r, WORLD_NOW, &id, &added, &t->err), OK);
    return id;
}

static struct scene make_scene(struct temp_project *t)
{
    struct campaign main = world_terms("main"), again = world_terms("again");
    struct scene s = {.class_id = world_class(t->db, 1)};
    s.image = world_image(t->db, 1, s.class_id, "candidate");
    s.main = world_campaign(t->db, &main);
    s.grid = world_grid(t->db, s.main, s.class_id, &s.image, 1);
    again.kind = SV("re-measurement");
    s.again = world_campaign(t->db, &again);
    s.revision = revision(t, "fresh", s.image, s.class_id);
    s.other_revision = revision(t, "other", s.image, s.class_id);
    return s;
}

static bool met(struct temp_project *t, int64_t campaign, int64_t person)
{
    bool out;
    assert_int_equal(remeasurements_met(t->db, campaign, person, &out, &t->err), OK);
    return out;
}

PROJECT_TEST(who_is_kept_apart)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    int64_t saw = world_person(t->db), fresh = world_person(t->db), *people, *campaigns;
    size_t n;
    /* A grid that was lent counts, answered or not. */
    world_lend(t->db, s.grid, saw, world_place(t->db, s.main, saw), WORLD_NOW, WORLD_NOW + 1000);
    assert_false(met(t, s.again, saw)); /* nothing is kept apart yet */
    for (int twice = 0; twice < 2; twice++) {
        assert_int_equal(remeasurements_add(t->db, s.again, s.revision, &s.main, 1, &t->err), OK);
    }
    assert_true(met(t, s.again, saw));
    assert_false(met(t, s.again, fresh));
    assert_false(met(t, s.main, saw)); /* the other way round nobody is kept out */
    assert_int_equal(temp_int(t, "SELECT revision FROM remeasurement"), s.revision);
    assert_int_equal(remeasurements_list(t->db, s.revision, &t->arena, &campaigns, &n, &t->err),
                     OK);
    assert_int_equal(n, 1);
    assert_int_equal(campaigns[0], s.again);
    assert_int_equal(remeasurements_people(t->db, s.revision, &t->arena, &people, &n, &t->err), OK);
    assert_int_equal(n, 1);
    assert_int_equal(people[0], saw);
    assert_int_equal(
        remeasurements_list(t->db, s.other_revision, &t->arena, &campaigns, &n, &t->err), OK);
    assert_int_equal(n, 0);
    assert_int_equal(
        remeasurements_people(t->db, s.other_revision, &t->arena, &people, &n, &t->err), OK);
    assert_int_equal(n, 0);
}

PROJECT_TEST(one_set_per_campaign)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    assert_int_equal(remeasurements_add(t->db, s.again, s.revision, &s.main, 1, &t->err), OK);
    assert_int_equal(remeasurements_add(t->db, s.again, s.other_revision, NULL, 0, &t->err),
                     ERR_CONFLICT);
    assert_string_equal(t->err.rule, "remeasurement-differs");
    assert_int_equal(temp_int(t, "SELECT revision FROM remeasurement"), s.revision);
}
