/* scene_test.c - what a picture shows is what was asked for, and what its truth says. */
#include "unit.h"

#include "demo/scene.h"

enum { SEEDS = 24 };

static struct scene_kit *kit;

static int open_kit(void **state)
{
    struct err err = {0};
    (void)state;
    kit = malloc(sizeof *kit);
    return scene_kit_load(glyphs_font, kit, &err) == OK ? 0 : -1;
}

static int close_kit(void **state)
{
    (void)state;
    free(kit);
    return 0;
}

TESTS_SHARE(open_kit, close_kit)

static bool shows(const struct scene *s, unsigned class_index)
{
    bool any = false;
    for (unsigned i = 0; i < s->n; i++) {
        any = any || s->object[i].class_index == (int)class_index;
    }
    return any;
}

static void check_objects(const struct scene *s)
{
    assert_in_range(s->n, 1, SCENE_OBJECTS);
    for (unsigned i = 0; i < s->n; i++) {
        const struct scene_object *o = &s->object[i];
        assert_true(o->visibility >= 0 && o->visibility <= 1);
        assert_true(0 <= o->left && o->left <= o->right && o->right <= SCENE_WIDTH);
        assert_true(0 <= o->top && o->top <= o->bottom && o->bottom <= SCENE_HEIGHT);
        assert_true((o->visibility > 0) == (o->right > o->left));
    }
}

TEST(kinds)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct scene_wish wish = {.class_index = (unsigned)seed % WORLD_CLASSES,
                                  .kind = (enum scene_kind)(seed % 4)};
        struct scene s;
        struct image im;
        scene_draw(kit, &wish, seed, &s, &im);
        check_objects(&s);
        assert_int_equal(im.width, SCENE_WIDTH);
        assert_int_equal(im.height, SCENE_HEIGHT);
        assert_int_equal(s.drawing, wish.kind == SCENE_DRAWING);
        assert_int_equal(shows(&s, wish.class_index),
                         wish.kind == SCENE_RIGHT || wish.kind == SCENE_DRAWING);
        if (wish.kind == SCENE_CONFUSED) {
            bool alike = false;
            for (unsigned i = 0; i < s.n; i++) {
                alike = alike || (s.object[i].class_index >= 0 &&
                                  world_classes[s.object[i].class_index].group ==
                                      world_classes[wish.class_index].group);
            }
            assert_true(alike);
        }
        image_release(&im);
    }
}

TEST(small_world)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct scene_wish wish = {.class_index = (unsigned)world_find(SV("n02129604")),
                                  .kind = seed % 2 ? SCENE_OTHER : SCENE_RIGHT,
                                  .small_world = true};
        struct scene s;
        struct image im;
        scene_draw(kit, &wish, seed, &s, &im);
        for (unsigned i = 0; i < s.n; i++) {
            int k = s.object[i].class_index;
            assert_true(k < 0 || world_classes[k].small);
        }
        image_release(&im);
    }
}

TEST(plain_and_gray)
{
    struct scene_wish wish = {.class_index = 3, .easy = true, .plain = true, .gray = true};
    struct scene s;
    struct image im;
    scene_draw(kit, &wish, 5, &s, &im);
    assert_int_equal(s.n, 1);
    assert_true(s.gray && s.object[0].visibility > 0.9f);
    for (size_t i = 0; i < (size_t)im.width * im.height; i++) {
        const unsigned char *p = im.data + i * 3;
        assert_true(p[0] == p[1] && p[1] == p[2]);
    }
    image_release(&im);
}

/* The same picture, a little nearer: boxes grow and stay inside. */
TEST(changes)
{
    struct scene_wish wish = {.class_index = 8, .easy = true, .plain = true};
    for (unsigned how = 0; how < SCENE_CHANGES; how++) {
        struct err err = {0};
        struct scene before, after;
        struct image was, is;
        scene_draw(kit, &wish, 11, &before, &was);
        scene_draw(kit, &wish, 11, &after, &is);
        size_t n = (size_t)is.width * is.height * 3;
        assert_memory_equal(was.data, is.data, n); /* the same seed, the same pixels */
        assert_int_equal(scene_change((enum scene_change)how, &after, &is, &err), OK);
        assert_int_equal(is.width, SCENE_WIDTH);
        assert_int_equal(memcmp(was.data, is.data, n) == 0, how == SCENE_SAVED_AGAIN);
        check_objects(&after);
        int width = before.object[0].right - before.object[0].left;
        int now = after.object[0].right - after.object[0].left;
        assert_int_equal(now > width, how == SCENE_CROPPED);
        image_release(&was);
        image_release(&is);
    }
}
