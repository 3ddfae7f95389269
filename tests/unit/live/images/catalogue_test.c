/* catalogue_test.c - what lists know of images: all, of one class, by ids; dates as sources write
 * them. */
#include "unit.h"

#include "live/images/catalogue.h"
#include "store/images/facts.h"
#include "store/images/images.h"
#include "temp_project.h"
#include "world.h"

static int64_t add(struct temp_project *t, const char *name, int64_t class_id, const char *role,
                   const char *taken, const struct source_row *source)
{
    struct source_row s = source ? *source : (struct source_row){0};
    struct image_row i = {.name = sv_of(name), .class_id = class_id, .role = sv_of(role),
                          .taken_at = sv_of(taken), .idx = -1};
    bool added;
    int64_t id;
    if (source) {
        s.sha256[0] = (unsigned char)name[0];
        s.type = "jpeg";
        s.kept = "copy";
        s.bytes = s.width = s.height = 10;
        assert_int_equal(sources_put(t->db, &s, &t->err), OK);
        i.source = s.id;
    }
    assert_int_equal(images_put(t->db, &i, &added, &t->err), OK);
    assert_int_equal(images_find(t->db, i.name, &id, &t->err), OK);
    return id;
}

static const struct source_row SHARP = {.measured = true, .gray = true, .sharpness = 812.5,
                                        .brightness = 0.5, .saturation = 1};
static const struct source_row OLD = {.measured = false};

PROJECT_TEST(all)
{
    struct temp_project *t = *state;
    struct catalogue c;
    int64_t cat = world_class(t->db, 1), dog = world_class(t->db, 2);
    uint32_t b = (uint32_t)add(t, "b", cat, "original", "2013-05-11 10:12:13", &SHARP);
    uint32_t a = (uint32_t)add(t, "a", dog, "gold", "", &OLD);
    uint32_t z = (uint32_t)add(t, "z", cat, "reference", "2013", NULL);
    assert_int_equal(catalogue_load(t->db, &c, &t->err), OK);
    assert_int_equal(c.n, 3);
    assert_true(c.gapless);
    const struct catalogue_image *i = &c.images[catalogue_find(&c, b)];
    assert_int_equal(i->class_id, cat);
    assert_int_equal(i->role, IMAGE_ORIGINAL);
    assert_int_equal(i->rank, 1);
    assert_int_equal(i->gray, 1);
    assert_true(i->sharpness > 812 && i->sharpness < 813);
    assert_int_equal(i->brightness, 32768);
    assert_int_equal(i->saturation, 65535);
    assert_int_equal(i->minute, catalogue_minute(SV("2013-05-11 10:12")));
    i = &c.images[catalogue_find(&c, a)];
    assert_int_equal(i->role, IMAGE_GOLD);
    assert_int_equal(i->rank, 0);
    assert_true(i->sharpness < 0);
    assert_int_equal(i->minute, CATALOGUE_UNKNOWN);
    assert_int_equal(c.images[catalogue_find(&c, z)].rank, 2);
    assert_int_equal(catalogue_find(&c, 0), CATALOGUE_UNKNOWN);
    assert_int_equal(catalogue_find(&c, z + 1), CATALOGUE_UNKNOWN);
    catalogue_release(&c);
}

/* A class's images and those of other classes that stand on its grids. */
PROJECT_TEST(class)
{
    struct temp_project *t = *state;
    struct catalogue c;
    int64_t cat = world_class(t->db, 1), dog = world_class(t->db, 2);
    uint32_t dogs[3], cats[3];
    for (int i = 0; i < 3; i++) {
        char name[] = {'d', (char)('0' + i), '\0'};
        dogs[i] = (uint32_t)add(t, name, dog, "candidate", "", NULL);
        name[0] = 'c';
        cats[2 - i] = (uint32_t)add(t, name, cat, "candidate", "", NULL);
    }
    assert_int_equal(catalogue_load_class(t->db, cat, (uint32_t[]){dogs[2], cats[0], dogs[0]}, 3,
                                          &c, &t->err), OK);
    assert_int_equal(c.n, 5);
    assert_false(c.gapless);
    for (size_t i = 1; i < c.n; i++) {
        assert_true(c.images[i - 1].image < c.images[i].image);
    }
    assert_int_equal(catalogue_find(&c, dogs[1]), CATALOGUE_UNKNOWN);
    assert_int_equal(c.images[catalogue_find(&c, cats[2])].rank, 0);
    assert_int_equal(c.images[catalogue_find(&c, cats[0])].rank, 2);
    assert_int_equal(c.images[catalogue_find(&c, dogs[2])].rank, 4);
    catalogue_release(&c);
    assert_int_equal(catalogue_load_class(t->db, 99, NULL, 0, &c, &t->err), OK);
    assert_int_equal(c.n, 0);
    catalogue_release(&c);
    assert_int_equal(catalogue_load_between(t->db, cats[2], dogs[2], &c, &t->err), OK);
    assert_int_equal(c.images[0].image, cats[2]);
    assert_int_equal(c.images[c.n - 1].image, dogs[2]);
    catalogue_release(&c);
}

TEST(minutes)
{
    static const char *const rising[] = {
        "1899-12-31 23:59", "2013", "2013-01-02", "2013-02", "2013:05:11 10:12:13",
        "2013-05-11T10:13Z", "2013-05-11 23:59:59", "2013.05.12", "2014", "7999-12-31",
    };
    static const char *const wrong[] = {"", "yesterday", "13-05-11x", "2013-13-01", "2013-00-01",
                                        "2013-02-32", "2013-05-11 24:00", "2013-05-11 10:60",
                                        "9000", "2013-", "2013 May"};
    for (size_t i = 0; i < sizeof rising / sizeof *rising; i++) {
        assert_int_not_equal(catalogue_minute(sv_of(rising[i])), CATALOGUE_UNKNOWN);
        assert_true(i == 0 || catalogue_minute(sv_of(rising[i - 1])) <
                                  catalogue_minute(sv_of(rising[i])));
    }
    assert_int_equal(catalogue_minute(SV("2013-01-01 00:00")), catalogue_minute(SV(" 2013 ")));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(catalogue_minute(sv_of(wrong[i])), CATALOGUE_UNKNOWN);
    }
}
