/* object_summary_test.c - domain/labels/object_summary.h. */
#include "unit.h"

#include <math.h>

#include "domain/labels/object_summary.h"

#define NAMES(...) (const uint32_t[]){__VA_ARGS__}

TEST(counts_of_a_few_images)
{
    const struct image_labels at[] = {
        {0, 0, NAMES(0), 1, 0, 0},       {0, 1, NAMES(1), 1, 0, -1}, {0, 2, NAMES(2, 0), 2, 0, 1},
        {1, 1, NAMES(3, 2, 1), 3, 2, 2}, {1, 1, NAMES(3, 2), 2, 0, 1}, /* its object is called 2 by more people */
    };
    struct object_summary s = object_summary_of(&(struct image_list){at, 5});
    assert_int_equal(s.images, 5);
    assert_true(s.by_objects[1] == 2 && s.by_objects[2] == 2 && s.by_objects[3] == 1);
    assert_int_equal(s.several, 3);
    assert_int_equal(s.several_disagree, 2);
    assert_int_equal(s.several_main_differs, 1);
    assert_int_equal(s.main_right, 3);
    assert_int_equal(s.label_missing, 1);
    assert_true(fabs(s.random_object - (1.0 / 2 + 1.0 / 3) / 3) < 1e-15);
    assert_true(fabs(s.random_main - (1.0 / 2 + 1.0 / 3) / 3) < 1e-15);
    s = object_summary_of(&(struct image_list){at, 2});
    assert_true(s.several == 0 && isnan(s.random_object));
}
