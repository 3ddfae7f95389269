/* photos_test.c - store/core/photos.h: walked from one image, and of all images at once, a photo has the same images, whatever is
 * recorded; images are called near-duplicates that the project does not have, too. */
#include "unit.h"

#include "base/rng.h"
#include "db/rows.h"
#include "store/core/photos.h"
#include "temp_project.h"
#include "world.h"

enum { IMAGES = 30, OTHERS = 6, WORLDS = 12 };

/* Names that sort anywhere among those of images. */
static struct sv name_of(struct temp_project *t, int64_t image, uint64_t other)
{
    struct sv name = sv_of(arena_printf(&t->arena, "other-%llu", (unsigned long long)other));
    if (image) {
        assert_int_equal(db_maybe_text(t->db, "SELECT name FROM image WHERE id = ?1", DB_VALS(db_int(image)), &t->arena, &name, &t->err), OK);
    }
    return name;
}

static void pair(struct temp_project *t, struct rng *r, const int64_t *images)
{
    struct sv names[2];
    for (int i = 0; i < 2; i++) {
        names[i] = rng_below(r, 4) ? name_of(t, images[rng_below(r, IMAGES)], 0) : name_of(t, 0, rng_below(r, OTHERS));
    }
    const int order = sv_cmp(names[0], names[1]);
    if (order != 0) {
        assert_int_equal(db_run(t->db, "INSERT INTO near_duplicate VALUES (?1, ?2, ?3, ?4)",
                                DB_VALS(db_text(names[order > 0]), db_text(names[order < 0]), db_int(world_event(t->db, "near")),
                                        db_int(rng_below(r, 4) > 0)),
                                &t->err),
                         OK);
    }
}

static void compare(struct temp_project *t, const int64_t *images, int *shared)
{
    struct photos photos, some; /* some: of every second image */
    int64_t *walked;
    size_t n;
    assert_int_equal(photos_read(t->db, &photos, &t->err), OK);
    assert_int_equal(photos_read_some(t->db, PHOTOS("SELECT id, name FROM image WHERE id % 2 = ?1") "SELECT image, id FROM same_photo ORDER BY image",
                                      DB_VALS(db_int(images[0] % 2)), &some, &t->err),
                     OK);
    for (int i = 0; i < IMAGES; i++) {
        size_t same = 0;
        assert_int_equal(db_list_int(t->db, PHOTOS_OF("?1") "SELECT id FROM same_photo ORDER BY id", DB_VALS(db_int(images[i])), &t->arena,
                                     &walked, &n, &t->err),
                         OK);
        for (int k = 0; k < IMAGES; k++) {
            if (images[i] % 2 == images[0] % 2) {
                assert_int_equal(photos_of(&some, (uint32_t)images[k]) == photos_of(&some, (uint32_t)images[i]),
                                 photos_of(&photos, (uint32_t)images[k]) == photos_of(&photos, (uint32_t)images[i]));
            }
            if (photos_of(&photos, (uint32_t)images[k]) == photos_of(&photos, (uint32_t)images[i])) {
                assert_true(same < n);
                assert_int_equal(walked[same++], images[k]);
            }
        }
        assert_int_equal(same, n);
        *shared += n > 1;
    }
    photos_release(&photos);
    photos_release(&some);
}

PROJECT_TEST(walked_and_read_at_once_photos_are_the_same)
{
    struct temp_project *t = *state;
    struct rng r;
    int64_t images[IMAGES];
    int shared = 0;
    const int64_t class_id = world_class(t->db, 1);
    rng_seed(&r, 5);
    assert_int_equal(db_script(t->db, "PRAGMA foreign_keys = OFF", &t->err), OK);
    for (unsigned i = 0; i < IMAGES; i++) {
        images[i] = world_image(t->db, i, class_id, "candidate");
    }
    for (int world = 0; world < WORLDS; world++) {
        for (int i = 0; i < 3; i++) {
            pair(t, &r, images);
        }
        assert_int_equal(db_run(t->db, world % 2 ? "UPDATE image SET source = ?2 WHERE id = ?1" : "UPDATE image SET source_id = 'photo-' || ?2 WHERE id = ?1",
                                DB_VALS(db_int(images[rng_below(&r, IMAGES)]), db_int((int64_t)(900 + rng_below(&r, 2)))), &t->err),
                         OK);
        compare(t, images, &shared);
    }
    assert_true(shared > 20 && shared < WORLDS * IMAGES - 20);
}
