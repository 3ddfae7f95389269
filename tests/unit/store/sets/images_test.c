/* images_test.c - pages of a revision's images, and the revisions that an image is in. */
#include "unit.h"

#include "store/sets/images.h"
#include "store/sets/sets.h"
#include "temp_project.h"
#include "world.h"

enum { IMAGES = 25 };

/* A revision of the images from `first` on, backwards, of two classes in turn. */
static struct revision_row make(struct temp_project *t, const char *set, const int64_t *images,
                                const int64_t *classes, int first, unsigned char digest)
{
    struct revision_image list[IMAGES];
    struct revision_row r;
    bool added;
    int64_t id = 0;
    size_t n = (size_t)(IMAGES - first);
    for (size_t i = 0; i < n; i++) {
        list[i] = (struct revision_image){(uint32_t)images[IMAGES - 1 - i], (uint32_t)classes[i % 2]};
    }
    struct revision_new new = {.set = sv_of(set), .role = SV("new"), .strategy = SV("import"),
                               .parameters = SV("{}"), .images = list, .n = n};
    new.digest[0] = digest;
    assert_int_equal(revisions_add(t->db, true, &new, WORLD_NOW, &id, &added, &t->err), OK);
    assert_int_equal(revisions_get(t->db, id, &t->arena, &r, &t->err), OK);
    return r;
}

PROJECT_TEST(pages_are_the_list)
{
    struct temp_project *t = *state;
    int64_t images[IMAGES], classes[2] = {world_class(t->db, 1), world_class(t->db, 2)};
    for (unsigned i = 0; i < IMAGES; i++) {
        images[i] = world_image(t->db, i, classes[0], "candidate");
    }
    struct revision_row all = make(t, "all", images, classes, 0, 1);
    struct revision_row some = make(t, "some", images, classes, 10, 2);
    struct set_image *list;
    size_t n, seen = 0;
    for (int64_t from = 0; from >= 0;) {
        assert_int_equal(set_images_list(t->db, all.list, 0, from, 7, &t->arena, &list, &n, &t->err), OK);
        for (size_t i = 0; i < n; i++, seen++) {
            assert_int_equal(list[i].position, seen);
            assert_int_equal(list[i].image, images[IMAGES - 1 - seen]);
            assert_true(sv_is(list[i].wnid, seen % 2 ? "n00000002" : "n00000001"));
            assert_true(sv_is(list[i].role, "candidate") && !list[i].has_pixels);
        }
        from = n ? list[n - 1].position + 1 : -1;
    }
    assert_int_equal(seen, IMAGES);
    assert_int_equal(set_images_list(t->db, some.list, classes[1], 4, 100, &t->arena, &list, &n, &t->err),
                     OK);
    assert_int_equal(n, 5);
    for (size_t i = 0; i < n; i++) {
        assert_true(list[i].position == 5 + 2 * (int64_t)i && list[i].class_id == classes[1]);
    }
}

PROJECT_TEST(images_know_their_revisions)
{
    struct temp_project *t = *state;
    int64_t images[IMAGES], classes[2] = {world_class(t->db, 1), world_class(t->db, 2)}, *ids;
    size_t n;
    for (unsigned i = 0; i < IMAGES; i++) {
        images[i] = world_image(t->db, i, classes[0], "candidate");
    }
    struct revision_row a = make(t, "a", images, classes, 0, 1), b = make(t, "b", images, classes, 10, 2);
    assert_int_equal(set_images_revisions(t->db, images[3], &t->arena, &ids, &n, &t->err), OK);
    assert_true(n == 1 && ids[0] == a.id);
    assert_int_equal(set_images_revisions(t->db, images[20], &t->arena, &ids, &n, &t->err), OK);
    assert_true(n == 2 && ids[0] == a.id && ids[1] == b.id);
    assert_int_equal(set_images_revisions(t->db, 999999, &t->arena, &ids, &n, &t->err), OK);
    assert_int_equal(n, 0);
}
