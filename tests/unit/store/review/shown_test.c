/* shown_test.c - who asked for frequencies in a review, and which classes were reviewed with them. */
#include "unit.h"

#include "store/core/events.h"
#include "store/review/class_reviews.h"
#include "store/review/shown.h"
#include "temp_project.h"
#include "world.h"

enum { CLASSES = 3 };

struct scene {
    int64_t k[CLASSES], revision, next, account, other;
};

/* Each revision has one image of every class; `image` keeps the lists apart. */
static int64_t revision(struct temp_project *t, const struct scene *s, unsigned image, int64_t parent)
{
    struct revision_image list[CLASSES];
    for (unsigned i = 0; i < CLASSES; i++) {
        list[i] = (struct revision_image){
            (uint32_t)world_image(t->db, image * CLASSES + i, s->k[i], "candidate"),
            (uint32_t)s->k[i]};
    }
    struct revision_new r = world_list(list, CLASSES);
    r.parent = parent;
    r.digest[0] = (unsigned char)(image + 1);
    return world_revision(t->db, &r);
}

static struct scene make_scene(struct temp_project *t)
{
    struct scene s = {.revision = 0};
    for (unsigned i = 0; i < CLASSES; i++) {
        s.k[i] = world_class(t->db, i + 1);
    }
    s.revision = revision(t, &s, 0, 0);
    s.next = revision(t, &s, 1, s.revision);
    s.account = world_account(t->db, "ada", "expert");
    s.other = world_account(t->db, "bob", "expert");
    return s;
}

/* Says that the class is reviewed, as a decision of an account does; account 0: an import. */
static void review(struct temp_project *t, int64_t revision, int64_t class_id, int64_t account,
                   bool carried)
{
    int64_t event = 0;
    bool added;
    assert_int_equal(events_add(t->db, 1, account, "class.decision", class_id, NULL, &event, &t->err),
                     OK);
    if (account) {
        assert_int_equal(db_run(t->db,
                                "INSERT INTO class_decision (id, class, revision) VALUES (?1, ?2, ?3)",
                                DB_VALS(db_int(event), db_int(class_id), db_int(revision)), &t->err),
                         OK);
    }
    assert_int_equal(class_reviews_put(t->db, revision, class_id, event, true, false, carried, &added,
                                       &t->err),
                     OK);
}

static int64_t ask(struct temp_project *t, const struct scene *s, unsigned k, int64_t account)
{
    int64_t event = -1;
    assert_int_equal(
        review_shown_add(t->db, s->revision, s->k[k], account, WORLD_NOW, &event, &t->err), OK);
    return event;
}

static void assert_sum(struct temp_project *t, int64_t revision, int64_t reviewed, int64_t shown,
                       int64_t imported)
{
    struct review_shown_sum sum;
    assert_int_equal(review_shown_sum(t->db, revision, &sum, &t->err), OK);
    assert_int_equal(sum.classes, CLASSES);
    assert_int_equal(sum.reviewed, reviewed);
    assert_int_equal(sum.shown, shown);
    assert_int_equal(sum.imported, imported);
}

PROJECT_TEST(asked_once_and_for_oneself)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct review_shown *list;
    size_t n;
    bool shown;
    int64_t event = ask(t, &s, 0, s.account);
    assert_true(event > 0);
    assert_int_equal(ask(t, &s, 0, s.account), 0);
    assert_int_equal(review_shown_of(t->db, s.revision, s.k[0], s.account, &shown, &t->err), OK);
    assert_true(shown);
    assert_int_equal(review_shown_of(t->db, s.revision, s.k[0], s.other, &shown, &t->err), OK);
    assert_false(shown);
    assert_int_equal(review_shown_of(t->db, s.next, s.k[0], s.account, &shown, &t->err), OK);
    assert_false(shown);
    ask(t, &s, 1, s.other);
    assert_int_equal(review_shown_list(t->db, s.revision, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 2);
    assert_int_equal(list[0].event, event);
    assert_true(sv_is(list[0].login, "ada") && sv_is(list[1].login, "bob"));
}

PROJECT_TEST(what_was_reviewed_so)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    assert_sum(t, s.revision, 0, 0, 0);
    ask(t, &s, 0, s.account);
    assert_sum(t, s.revision, 0, 0, 0);
    review(t, s.revision, s.k[0], s.other, false); /* whoever asked may have told */
    review(t, s.revision, s.k[1], s.other, false);
    ask(t, &s, 1, s.account); /* too late to matter */
    review(t, s.revision, s.k[2], 0, false);
    assert_sum(t, s.revision, 3, 1, 1);
    /* Carried over with what was shown then. */
    review(t, s.next, s.k[0], 0, true);
    review(t, s.next, s.k[1], 0, true);
    assert_sum(t, s.next, 2, 1, 0);
}
