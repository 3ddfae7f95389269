/* history_test.c - revisions beside their parents: what is on record of a sample, and what is
 * derived for an import. */
#include "unit.h"

#include <string.h>

#include "sets/revisions/history.h"
#include "store/core/events.h"
#include "store/review/class_reviews.h"
#include "temp_project.h"
#include "world.h"

enum { CLASSES = 3, IMAGES = 12 };

/* Classes 1 to 3; image i is of class i % 3 and has the id i + 1. */
static void make_world(struct temp_project *t)
{
    for (unsigned k = 1; k <= CLASSES; k++) {
        world_class(t->db, k);
    }
    for (unsigned i = 0; i < IMAGES; i++) {
        assert_int_equal(world_image(t->db, i, i % CLASSES + 1, "candidate"), i + 1);
    }
}

/* A revision of the images that the text names by their numbers in base 16. */
static int64_t add(struct temp_project *t, struct revision_new *r, const char *images)
{
    struct revision_image list[IMAGES];
    bool added;
    int64_t id = 0;
    r->n = strlen(images);
    for (size_t i = 0; i < r->n; i++) {
        uint32_t n = (uint32_t)(strchr("0123456789ab", images[i]) - "0123456789ab");
        list[i] = (struct revision_image){n + 1, n % CLASSES + 1};
    }
    r->set = SV("s");
    r->role = SV("new");
    r->images = list;
    r->always = true;
    memset(r->digest, 0, sizeof r->digest);
    memcpy(r->digest, images, r->n);
    assert_int_equal(revisions_add(t->db, true, r, WORLD_NOW, &id, &added, &t->err), OK);
    assert_true(added);
    return id;
}

static struct set_history_row *history(struct temp_project *t, size_t expected)
{
    struct set_row set;
    struct set_history_row *rows;
    size_t n;
    assert_int_equal(sets_find(t->db, SV("s"), &t->arena, &set, &t->err), OK);
    assert_int_equal(set_history_make(t->db, &set, &t->arena, &rows, &n, &t->err), OK);
    assert_int_equal(n, expected);
    return rows;
}

static void review(struct temp_project *t, int64_t revision, int64_t class_id, bool problematic)
{
    int64_t event = 0;
    bool added;
    assert_int_equal(
        events_add(t->db, WORLD_NOW, 0, "reviews.import", revision, NULL, &event, &t->err), OK);
    assert_int_equal(class_reviews_put(t->db, revision, class_id, event, true, problematic, false,
                                       &added, &t->err),
                     OK);
}

PROJECT_TEST(imports)
{
    struct temp_project *t = *state;
    make_world(t);
    struct revision_facts says_valid = {.valid = 1};
    struct revision_new first = {.strategy = SV("import"),
                                 .parameters =
                                     SV("{\"dataset\":{\"target_size\":6},\"name\":\"old-0\"}")};
    first.parent = 0;
    int64_t a = add(t, &first, "012345");
    review(t, a, 1, false);
    review(t, a, 2, false);
    review(t, a, 3, true);
    struct revision_new second = {
        .strategy = SV("import"), .parameters = first.parameters, .parent = a};
    int64_t b = add(t, &second, "03458"); /* class 2 lost one, class 3 has another */
    struct revision_new third = {
        .strategy = SV("import"), .parameters = SV("{}"), .parent = a, .facts = &says_valid};
    add(t, &third, "0123456"); /* a sibling: one more of class 1 */
    const struct set_history_row *r = history(t, 3);
    assert_true(sv_is(r[0].revision.published, "old-0") && r[0].valid == 1 && r[0].classes_short == 0);
    assert_true(r[0].reviewed == 3 && r[0].problematic == 1 && r[0].carried == 0 &&
                r[0].added == 6);
    assert_true(r[1].revision.id == b && r[1].added == 1 && r[1].removed == 2 && r[1].changed == 2);
    assert_true(r[1].valid == 0 && r[1].classes_short == 1 && r[1].missing == 1);
    assert_true(sv_is(r[1].short_classes[0], "n00000002"));
    assert_int_equal(r[1].carried, 1); /* class 1 alone: 2 and 3 changed */
    assert_true(r[2].added == 1 && r[2].removed == 0 && r[2].changed == 1 && r[2].carried == 1);
    /* Nothing says a size: most classes have two, and one has more; it says of itself that it is
     * valid. */
    assert_true(r[2].valid == 1 && r[2].classes_short == 0 && r[2].revision.published.n == 0);
}

PROJECT_TEST(samples)
{
    struct temp_project *t = *state;
    static const uint32_t carried[] = {1};
    make_world(t);
    struct revision_facts facts = {.sampled = true,
                                   .valid = 0,
                                   .seed = 5,
                                   .as_of = 1,
                                   .newest_image = IMAGES,
                                   .inputs = SV("{}"),
                                   .facts = SV("{\"short\":[{\"wnid\":\"n00000002\",\"missing\":0},"
                                               "{\"wnid\":\"n00000003\",\"missing\":2}]}")};
    struct revision_new first = {
        .strategy = SV("threshold"), .parameters = SV("{\"size\":2}"), .facts = &facts};
    int64_t a = add(t, &first, "01234");
    review(t, a, 1, false);
    review(t, a, 2, false);
    struct revision_removal gone[] = {{5, 2, REMOVED_BLACKLISTED}, {2, 2, REMOVED_NOT_DRAWN}};
    struct revision_facts next = facts;
    next.removals = gone;
    next.n_removals = 2;
    struct revision_new second = {.strategy = SV("threshold"),
                                  .parameters = SV("{\"size\":2}"),
                                  .facts = &next,
                                  .parent = a,
                                  .carried = carried,
                                  .n_carried = 1};
    int64_t b = add(t, &second, "0327a");
    review(t, b, 3, false);
    const struct set_history_row *r = history(t, 2);
    assert_true(r[0].classes_short == 1 && r[0].missing == 2 &&
                sv_is(r[0].short_classes[0], "n00000003"));
    assert_true(r[0].valid == 0 && r[0].carried == 0 && r[0].reviewed == 2);
    assert_true(r[1].carried == 1 && r[1].reviewed == 2); /* that of its own event, and one since */

    struct set_diff d;
    assert_int_equal(set_diff_make(t->db, &r[0].revision, &r[1].revision, &d, &t->err), OK);
    assert_true(d.diff.n_added == 2 && d.diff.n_removed == 2 && d.n_recorded == 2);
    assert_true(d.diff.removed[0].image == 2 && d.reasons[0] == REMOVED_NOT_DRAWN);
    assert_true(d.diff.removed[1].image == 5 && d.reasons[1] == REMOVED_BLACKLISTED);
    assert_true(sv_is(d.classes[d.diff.removed[0].class_index].wnid, "n00000002"));
    set_diff_free(&d);
    assert_int_equal(set_diff_make(t->db, &r[1].revision, &r[0].revision, &d, &t->err), OK);
    assert_true(d.diff.n_added == 2 && d.n_recorded == 0 && d.reasons[0] == REMOVED_UNKNOWN);
    set_diff_free(&d);
}
