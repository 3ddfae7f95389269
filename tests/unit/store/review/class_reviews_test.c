/* class_reviews_test.c - the newest word about a class in a revision holds; how far reviews are. */
#include "unit.h"

#include "store/core/events.h"
#include "store/duplicates/near_pairs.h"
#include "store/review/class_decisions.h"
#include "store/review/class_reviews.h"
#include "store/review/progress.h"
#include "temp_project.h"
#include "world.h"

enum { CLASSES = 3, IMAGES = 6 };

struct scene {
    int64_t k[CLASSES], image[IMAGES], revision, account;
};

/* Two images of each class. */
static struct scene make_scene(struct temp_project *t)
{
    struct scene s;
    struct revision_image list[IMAGES];
    for (unsigned i = 0; i < CLASSES; i++) {
        s.k[i] = world_class(t->db, i + 1);
    }
    for (unsigned i = 0; i < IMAGES; i++) {
        s.image[i] = world_image(t->db, i, s.k[i / 2], "candidate");
        list[i] = (struct revision_image){(uint32_t)s.image[i], (uint32_t)s.k[i / 2]};
    }
    struct revision_new r = world_list(list, IMAGES);
    s.revision = world_revision(t->db, &r);
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    s.account = world_account(t->db, "ada", "expert");
    return s;
}

static bool put(struct temp_project *t, const struct scene *s, size_t k, int64_t account,
                bool reviewed, bool problematic, bool carried)
{
    bool added = false;
    int64_t event = 0;
    assert_int_equal(
        events_add(t->db, WORLD_NOW + 5, account, "class.decision", s->k[k], NULL, &event, &t->err),
        OK);
    assert_int_equal(class_reviews_put(t->db, s->revision, s->k[k], event, reviewed, problematic,
                                       carried, &added, &t->err),
                     OK);
    return added;
}

PROJECT_TEST(the_newest_word_holds)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct class_review_row *list, one;
    size_t n;
    assert_false(put(t, &s, 0, 0, false, false, false)); /* holds before anybody says so */
    assert_true(put(t, &s, 0, 0, true, false, true));
    assert_true(put(t, &s, 1, s.account, true, true, false));
    int64_t before = temp_int(t, "SELECT max(id) FROM event");
    assert_true(put(t, &s, 0, s.account, false, true, false));
    assert_false(put(t, &s, 0, s.account, false, true, false));
    assert_int_equal(class_reviews_list(t->db, s.revision, 0, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 2);
    assert_true(list[0].class_id == s.k[0] && !list[0].reviewed && list[0].problematic &&
                !list[0].carried && list[0].account == s.account);
    assert_true(list[1].reviewed && list[1].problematic && list[1].at == WORLD_NOW + 5);
    assert_int_equal(class_reviews_list(t->db, s.revision, before, &t->arena, &list, &n, &t->err),
                     OK);
    assert_true(n == 2 && list[0].reviewed && list[0].carried && list[0].account == 0);
    assert_int_equal(class_reviews_of(t->db, s.revision, s.k[2], &one, &t->err), OK);
    assert_true(one.event == 0 && !one.reviewed && !one.problematic);
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
}

PROJECT_TEST(counts_of_revisions)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct review_count *list;
    size_t n;
    put(t, &s, 0, 0, true, false, true);
    put(t, &s, 1, 0, true, true, false);
    put(t, &s, 2, 0, true, false, false);
    put(t, &s, 2, 0, false, true, false);
    assert_int_equal(class_reviews_count(t->db, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 1);
    assert_true(list[0].revision == s.revision && list[0].reviewed == 2 &&
                list[0].problematic == 2 && list[0].carried == 1);
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
}

/* An image of the revision is banned; of pairs count those whose other end is in the revision or an
 * original. */
static void mark_images(struct temp_project *t, const struct scene *s)
{
    bool added;
    int64_t event;
    world_image(t->db, 100, s->k[0], "original");
    world_image(t->db, 101, s->k[0], "candidate");
    assert_int_equal(
        events_add(t->db, WORLD_NOW, 0, "class.decision", s->k[0], NULL, &event, &t->err), OK);
    assert_int_equal(
        blacklist_put(t->db, event, SV("image-0"), true, SV("class"), SV(""), &added, &t->err), OK);
    static const struct sv pairs[][2] = {{{"image-1", 7}, {"image-100", 9}},
                                         {{"image-2", 7}, {"image-101", 9}},
                                         {{"image-4", 7}, {"image-5", 7}}};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(
            near_pairs_put(t->db, event, pairs[i][0], pairs[i][1], true, &added, &t->err), OK);
    }
}

PROJECT_TEST(progress_by_class_and_person)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct review_class *list, *brief;
    struct review_person *people;
    size_t n, n_brief, n_people;
    struct class_decision d = {
        .class_id = s.k[1], .revision = s.revision, .reviewed = 1, .problematic = DECIDED_NOTHING};
    int64_t id = 0;
    mark_images(t, &s);
    assert_int_equal(
        class_decisions_write(t->db, &d, CLASS_SEEN_ANY, s.account, WORLD_NOW + 9, &id, &t->err),
        OK);
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
    assert_int_equal(review_progress_classes(t->db, s.revision, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, CLASSES);
    static const int64_t banned[] = {1, 0, 0}, paired[] = {1, 0, 2};
    for (size_t i = 0; i < CLASSES; i++) {
        assert_true(list[i].class_id == s.k[i] && list[i].images == 2);
        assert_int_equal(list[i].banned, banned[i]);
        assert_int_equal(list[i].paired, paired[i]);
        assert_int_equal(list[i].reviewed, i == 1);
    }
    assert_true(list[1].at == WORLD_NOW + 9 && list[1].account == s.account);
    assert_int_equal(review_progress_short(t->db, s.revision, &t->arena, &brief, &n_brief, &t->err),
                     OK);
    assert_true(n_brief == CLASSES && brief[1].reviewed && brief[2].paired == 0);
    assert_int_equal(
        review_progress_people(t->db, s.revision, &t->arena, &people, &n_people, &t->err), OK);
    assert_int_equal(n_people, 1);
    assert_true(sv_is(people[0].login, "ada") && sv_is(people[0].wnid, "n00000002") &&
                people[0].decisions == 1 && people[0].classes == 1);
}
