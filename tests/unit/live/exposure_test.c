/* exposure_test.c - who has seen which content. */
#include "unit.h"

#include "live/exposure.h"
#include "store/images.h"
#include "temp_project.h"
#include "world.h"

static int64_t image_with(struct temp_project *t, unsigned number, int64_t class_id,
                          unsigned char content)
{
    char name[32];
    bool added;
    int64_t id = 0;
    struct source_row s = {.bytes = 1, .width = 1, .height = 1, .type = "jpeg", .kept = "copy"};
    s.sha256[0] = content;
    assert_int_equal(sources_put(t->db, &s, &t->err), OK);
    snprintf(name, sizeof name, "image-%u", number);
    struct image_row i = {.name = sv_of(name), .class_id = class_id, .role = SV("candidate"),
                          .idx = -1, .source = s.id};
    assert_int_equal(images_put(t->db, &i, &added, &t->err), OK);
    assert_int_equal(images_find(t->db, i.name, &id, &t->err), OK);
    return id;
}

static bool saw(struct temp_project *t, struct exposure *e, int64_t person, int64_t image)
{
    const struct seen *seen;
    assert_int_equal(exposure_of(e, t->db, person, &seen, &t->err), OK);
    return exposure_saw(e, seen, (uint32_t)image);
}

static void contents_count_and_not_names(void **state)
{
    struct temp_project *t = *state;
    struct exposure *e = exposure_new();
    int64_t apples = world_class(t->db, 1), pears = world_class(t->db, 2);
    int64_t other = image_with(t, 1, apples, 7);
    int64_t one = image_with(t, 2, apples, 8), two = image_with(t, 3, pears, 8);
    int64_t three = image_with(t, 4, pears, 8), nameless = world_image(t->db, 5, apples, "candidate");
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
static void the_database_is_the_memory(void **state)
{
    struct temp_project *t = *state;
    struct exposure *e = exposure_new();
    struct campaign terms = world_terms("main");
    int64_t class_id = world_class(t->db, 1), campaign = world_campaign(t->db, &terms);
    int64_t one = image_with(t, 1, class_id, 7), two = image_with(t, 2, class_id, 7);
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

static void twins_are_read_with_the_plan(void **state)
{
    struct temp_project *t = *state;
    struct exposure *e = exposure_new();
    int64_t class_id = world_class(t->db, 1), ann = world_person(t->db);
    int64_t one = image_with(t, 1, class_id, 7);
    assert_int_equal(exposure_load(e, t->db, 1, &t->err), OK);
    assert_false(saw(t, e, ann, one));
    exposure_show(e, ann, (uint32_t)one);
    int64_t two = image_with(t, 2, class_id, 7);
    assert_int_equal(exposure_load(e, t->db, 1, &t->err), OK);
    assert_false(saw(t, e, ann, two)); /* it stands on no grid of that plan */
    assert_int_equal(exposure_load(e, t->db, 2, &t->err), OK);
    assert_true(saw(t, e, ann, two));
    exposure_free(e);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, temp_project_open, temp_project_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(contents_count_and_not_names),
        TEST(the_database_is_the_memory),
        TEST(twins_are_read_with_the_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
