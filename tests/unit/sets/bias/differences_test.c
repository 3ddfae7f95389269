/* differences_test.c - what differs between two small sets, by hand. */
#include "unit.h"

#include <math.h>

#include "sets/bias/differences.h"
#include "store/images/images.h"
#include "temp_project.h"
#include "world.h"

enum { EACH = 4 };

/* An image whose brightness, size and date are told; `gray` below 0: nothing was measured. */
static uint32_t add(struct temp_project *t, int64_t class_id, const char *role, double brightness,
                    int64_t side, const char *taken, int gray)
{
    static unsigned number;
    struct source_row s = {.bytes = side * side * 2,
                           .width = side,
                           .height = side,
                           .type = "png",
                           .kept = "copy",
                           .measured = gray >= 0,
                           .gray = gray > 0,
                           .saturation = brightness,
                           .sharpness = 7,
                           .brightness = brightness};
    struct image_row i = {
        .class_id = class_id, .idx = -1, .role = sv_of(role), .taken_at = sv_of(taken)};
    bool added;
    int64_t id = 0;
    number++;
    memcpy(s.sha256, &number, sizeof number);
    assert_int_equal(sources_put(t->db, &s, &t->err), OK);
    i.source = s.id;
    i.name = sv_of(arena_printf(&t->arena, "i-%u", number));
    assert_int_equal(images_put(t->db, &i, &added, &t->err), OK);
    assert_int_equal(images_find(t->db, i.name, &id, &t->err), OK);
    return (uint32_t)id;
}

static struct revision_row make_set(struct temp_project *t, const char *name, const char *role,
                                    const struct revision_image *images, size_t n)
{
    struct revision_new r = world_list(images, n);
    struct revision_row row = {0};
    r.set = sv_of(name);
    r.role = sv_of(role);
    r.digest[0] = (unsigned char)n;
    assert_int_equal(revisions_get(t->db, world_revision(t->db, &r), &t->arena, &row, &t->err), OK);
    return row;
}

/* Two classes with originals of brightness .2, .4, .2, .4; the new ones are .1 brighter, four times
 * the size, and seven years later. A third class has originals alone. */
static struct revision_row make_world(struct temp_project *t, struct revision_image *old)
{
    struct revision_image fresh[2 * EACH];
    int64_t k[] = {world_class(t->db, 1), world_class(t->db, 2), world_class(t->db, 3)};
    for (int i = 0; i < 2 * EACH; i++) {
        double bright = i % 2 ? 0.4 : 0.2;
        old[i] = (struct revision_image){
            add(t, k[i / EACH], "original", bright, 100, "2010-07-01 12:00:00", 0),
            (uint32_t)k[i / EACH]};
        fresh[i] = (struct revision_image){
            add(t, k[i / EACH], "candidate", bright + 0.1, 200, i ? "2017-07-01" : "", 0),
            (uint32_t)k[i / EACH]};
    }
    add(t, k[2], "original", 0.9, 50, "", 0);
    add(t, k[0], "candidate", 0.9, 50, "", 0); /* not in the set */
    return make_set(t, "fresh", "new", fresh, 2 * EACH);
}

static void near(double x, double y)
{
    assert_true(fabs(x - y) < 1e-9);
}

PROJECT_TEST(by_hand)
{
    struct temp_project *t = *state;
    struct revision_image old[2 * EACH];
    struct differences d;
    struct revision_row fresh = make_world(t, old), none = {.id = 0};
    assert_int_equal(differences_make(t->db, &fresh, &none, &t->arena, &d, &t->err), OK);
    assert_int_equal(d.n_classes, 2);
    assert_int_equal(d.fresh, 8);
    assert_int_equal(d.originals, 8);
    assert_int_equal(d.unmeasured, 0);
    const struct difference *b = &d.overall[DIFFERENCE_BRIGHTNESS];
    near(b->original.mean, 0.3);
    near(b->fresh.mean, 0.4);
    near(b->d.d, 0.1 / sqrt(0.08 / 7));
    assert_true(b->d.lo < b->d.d && b->d.d < b->d.hi);
    assert_int_equal(b->classes, 2);
    near(d.classes[1].stat[DIFFERENCE_BRIGHTNESS].d.d, 0.1 / sqrt(0.04 / 3));
    near(difference_natural(DIFFERENCE_PIXELS, d.overall[DIFFERENCE_PIXELS].fresh.mean), 40000);
    near(difference_natural(DIFFERENCE_SHARPNESS, d.overall[DIFFERENCE_SHARPNESS].fresh.mean), 7);
    near(difference_natural(DIFFERENCE_BYTES, d.overall[DIFFERENCE_BYTES].original.mean), 2);
    near(difference_natural(DIFFERENCE_FORM, d.overall[DIFFERENCE_FORM].fresh.mean), 1);
    assert_false(d.overall[DIFFERENCE_FORM].d.known); /* all of them square */
    assert_false(d.overall[DIFFERENCE_GRAY].d.known);
    near(d.overall[DIFFERENCE_YEAR].original.mean, 2010.5);
    assert_int_equal(d.overall[DIFFERENCE_YEAR].fresh.n, 7); /* one has no date */
}

PROJECT_TEST(against_a_set)
{
    struct temp_project *t = *state;
    struct revision_image old[2 * EACH];
    struct differences d;
    struct revision_row fresh = make_world(t, old);
    struct revision_row half =
        make_set(t, "old", "original", old, EACH); /* the first class alone */
    assert_int_equal(differences_make(t->db, &fresh, &half, &t->arena, &d, &t->err), OK);
    assert_int_equal(d.originals, EACH);
    assert_int_equal(d.overall[DIFFERENCE_BRIGHTNESS].classes, 1);
    near(d.overall[DIFFERENCE_BRIGHTNESS].d.d, d.classes[0].stat[DIFFERENCE_BRIGHTNESS].d.d);
    assert_false(d.classes[1].stat[DIFFERENCE_BRIGHTNESS].d.known);
}

PROJECT_TEST(what_is_not_known)
{
    struct temp_project *t = *state;
    struct differences d;
    int64_t k = world_class(t->db, 1), name_only = world_image(t->db, 1, k, "candidate");
    struct revision_image images[] = {
        {(uint32_t)name_only, (uint32_t)k},
        {add(t, k, "candidate", 0.5, 10, "in spring", -1), (uint32_t)k},
        {add(t, k, "candidate", 0.5, 10, "2016-13-01", 1), (uint32_t)k},
    };
    add(t, k, "original", 0.5, 10, "1066", 0);
    struct revision_row r = make_set(t, "fresh", "new", images, 3), none = {.id = 0};
    assert_int_equal(differences_make(t->db, &r, &none, &t->arena, &d, &t->err), OK);
    assert_int_equal(d.unmeasured, 2);
    assert_int_equal(d.overall[DIFFERENCE_BRIGHTNESS].fresh.n, 1);
    assert_int_equal(d.overall[DIFFERENCE_PIXELS].fresh.n, 2);
    assert_int_equal(d.overall[DIFFERENCE_YEAR].fresh.n, 0);
    assert_int_equal(d.overall[DIFFERENCE_YEAR].original.n, 0);
    for (int i = 0; i < DIFFERENCES; i++) {
        assert_false(d.overall[i].d.known);
        assert_int_equal(difference_stat_of(sv_of(difference_words[i].name)), i);
    }
    assert_int_equal(difference_stat_of(SV("beauty")), DIFFERENCES);
}
