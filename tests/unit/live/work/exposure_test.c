/* exposure_test.c - who has seen which content. */
#include "unit.h"

#include "live/work/exposure.h"
#include "temp_project.h"
#include "world.h"

static bool saw(struct temp_project *t, struct exposure *e, int64_t person, int64_t image)
{
    const struct seen *seen;
    assert_int_equal(exposure_of(e, t->db, person, &seen, &t->err), OK);
    return exposure_saw(e, seen, (uint32_t)image);
}

PROJECT_TEST(contents_count_and_not_names)
{
    struct temp_project *t = *state;
    struct exposure *e = exposure_new();
    int64_t apples = world_class(t->db, 1), pears = world_class(t->db, 2);
    int64_t other = world_image_of(t->db, 1, apples, "candidate", 7);
    int64_t one = world_image_of(t->db, 2, apples, "candidate", 8), two = world_image_of(t->db, 3, pears, "candidate", 8);
    int64_t three = world_image_of(t->db, 4, pears, "candidate", 8), nameless = world_image(t->db, 5, apples, "candidate");
    int64_t ann = world_person(t->db), bob = world_person(t->db);
    assert_int_equal(exposure_load(e, t->db, 1, &t->err), OK);
    assert_false(saw(t, e, ann, one));
    exposure_show(e, ann, (uint32_t)two);
    exposure_show(e, ann, (uint32_t)nameless);
    assert_true(saw(t, e, ann, one) && saw(t, e, ann, two) && saw(t, e, ann, three));
    assert_true(saw(t, e, ann, nameless));
    assert_false(saw(t, e, ann, other) || saw(t, e, bob, one) || saw(t, e, bob, three));
    exposure_free(e);
    exposure_free(NULL);
}

/* What the database says is read once, and anew after a reset; who is not asked for costs nothing. */
PROJECT_TEST(the_database_is_the_memory)
{
    struct temp_project *t = *state;
    struct exposure *e = exposure_new();
    struct campaign terms = world_terms("main");
    int64_t class_id = world_class(t->db, 1), campaign = world_campaign(t->db, &terms);
    int64_t one = world_image_of(t->db, 1, class_id, "candidate", 7), two = world_image_of(t->db, 2, class_id, "candidate", 7);
    int64_t grid = world_grid(t->db, campaign, class_id, &one, 1);
    int64_t ann = world_person(t->db), place = world_place(t->db, campaign, ann);
    assert_int_equal(exposure_load(e, t->db, 1, &t->err), OK);
    exposure_show(e, ann, (uint32_t)one); /* not remembered: not yet read */
    assert_false(saw(t, e, ann, two));
    world_lend(t->db, grid, ann, place, WORLD_NOW, WORLD_NOW + 1);
    assert_false(saw(t, e, ann, two));
    exposure_reset(e);
    assert_true(saw(t, e, ann, two));
    exposure_free(e);
}

PROJECT_TEST(twins_are_read_with_the_plan)
{
    struct temp_project *t = *state;
    struct exposure *e = exposure_new();
    int64_t class_id = world_class(t->db, 1), ann = world_person(t->db);
    int64_t one = world_image_of(t->db, 1, class_id, "candidate", 7);
    assert_int_equal(exposure_load(e, t->db, 1, &t->err), OK);
    assert_false(saw(t, e, ann, one));
    exposure_show(e, ann, (uint32_t)one);
    int64_t two = world_image_of(t->db, 2, class_id, "candidate", 7);
    assert_int_equal(exposure_load(e, t->db, 1, &t->err), OK);
    assert_false(saw(t, e, ann, two)); /* it stands on no grid of that plan */
    assert_int_equal(exposure_load(e, t->db, 2, &t->err), OK);
    assert_true(saw(t, e, ann, two));
    exposure_free(e);
}
