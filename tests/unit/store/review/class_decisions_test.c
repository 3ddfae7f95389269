/* class_decisions_test.c - what one decision about a class writes, who is refused, what undoing
 * puts back. */
#include "unit.h"

#include <string.h>

#include "store/core/events.h"
#include "store/duplicates/near_pairs.h"
#include "store/review/class_decisions.h"
#include "store/review/class_reviews.h"
#include "temp_project.h"
#include "world.h"

enum { IMAGES = 6 };

struct scene {
    int64_t k, other, account, revision;
};

static const struct sv names[IMAGES] = {{"image-0", 7}, {"image-1", 7}, {"image-2", 7},
                                        {"image-3", 7}, {"image-4", 7}, {"image-5", 7}};

static int64_t make_revision(struct temp_project *t, const int64_t *image, int64_t class_id)
{
    struct revision_image list[3];
    for (size_t i = 0; i < 3; i++) {
        list[i] = (struct revision_image){(uint32_t)image[i], (uint32_t)class_id};
    }
    struct revision_new r = world_list(list, 3);
    return world_revision(t->db, &r);
}

/* Images 0 to 4 of class 1, 5 of class 2; 0, 1 and 5 stand under class 1 in a revision. */
static struct scene make_scene(struct temp_project *t)
{
    struct scene s = {.k = world_class(t->db, 1), .other = world_class(t->db, 2)};
    int64_t image[IMAGES];
    for (unsigned i = 0; i < IMAGES; i++) {
        image[i] = world_image(t->db, i, i == 5 ? s.other : s.k, "candidate");
    }
    int64_t in_set[3] = {image[0], image[1], image[5]};
    s.revision = make_revision(t, in_set, s.k);
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    s.account = world_account(t->db, "ada", "expert");
    return s;
}

static struct class_decision about(const struct scene *s)
{
    return (struct class_decision){
        .class_id = s->k, .reviewed = DECIDED_NOTHING, .problematic = DECIDED_NOTHING};
}

static enum err_code decide(struct temp_project *t, const struct scene *s,
                            const struct class_decision *d, int64_t seen, int64_t *id)
{
    return class_decisions_write(t->db, d, seen, s->account, WORLD_NOW, id, &t->err);
}

static int64_t written(struct temp_project *t, const struct scene *s,
                       const struct class_decision *d)
{
    int64_t id = 0;
    if (decide(t, s, d, CLASS_SEEN_ANY, &id) != OK) {
        fail_msg("%s: %s", t->err.rule, t->err.msg);
    }
    return id;
}

static int64_t undo(struct temp_project *t, const struct scene *s, int64_t which)
{
    struct class_decision d = about(s);
    d.undoes = which;
    return written(t, s, &d);
}

static int64_t ban(struct temp_project *t, const struct scene *s, size_t image, const char *reason)
{
    struct decided_image m = {names[image], true, sv_of(reason), SV("")};
    struct class_decision d = about(s);
    d.images = &m;
    d.n_images = 1;
    return written(t, s, &d);
}

static bool is_banned(struct temp_project *t, size_t image, const char *reason)
{
    struct blacklist_entry e;
    bool found = false;
    assert_int_equal(blacklist_of(t->db, names[image], 0, &t->arena, &e, &found, &t->err), OK);
    return found && e.banned && sv_is(e.reason, reason);
}

static bool is_pair(struct temp_project *t, size_t a, size_t b)
{
    struct near_pair *pairs;
    size_t n;
    bool found = false;
    assert_int_equal(near_pairs_of(t->db, names[a], &t->arena, &pairs, &n, &t->err), OK);
    for (size_t i = 0; i < n; i++) {
        found = found || sv_eq(pairs[i].a, names[b]) || sv_eq(pairs[i].b, names[b]);
    }
    return found;
}

static int64_t group(struct temp_project *t, const struct scene *s, size_t first, size_t n)
{
    struct decided_group g = {names + first, n};
    struct class_decision d = about(s);
    d.groups = &g;
    d.n_groups = 1;
    return written(t, s, &d);
}

static int64_t version(struct temp_project *t, const struct scene *s)
{
    int64_t v = -1;
    assert_int_equal(class_version(t->db, s->k, &v, &t->err), OK);
    return v;
}

static void end(struct temp_project *t)
{
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
}

/* ---- writing ---- */

PROJECT_TEST(one_event_says_it_all)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct decided_image images[] = {{names[0], true, SV("drawing"), SV("a cartoon")},
                                     {names[5], true, SV("class"), SV("")}};
    struct decided_group g = {names + 1, 3};
    struct class_decision d = about(&s);
    d.revision = s.revision;
    d.images = images;
    d.n_images = 2;
    d.groups = &g;
    d.n_groups = 1;
    d.reviewed = 1;
    int64_t id = written(t, &s, &d);
    assert_int_equal(version(t, &s), id);
    assert_true(is_banned(t, 0, "drawing") && is_banned(t, 5, "class"));
    assert_true(is_pair(t, 1, 2) && is_pair(t, 1, 3) && !is_pair(t, 2, 3));
    struct decided *list;
    size_t n;
    assert_int_equal(class_decisions_list(t->db, s.k, 0, 9, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 1);
    assert_true(sv_is(list[0].login, "ada"));
    assert_int_equal(list[0].n_images, 2);
    assert_int_equal(list[0].n_pairs, 2);
    assert_int_equal(list[0].reviewed, 1);
    assert_int_equal(list[0].problematic, 0);
    assert_int_equal(list[0].revision, s.revision);
    end(t);
}

PROJECT_TEST(what_holds_already_leaves_no_event)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    int64_t first = ban(t, &s, 0, "class"), events = temp_int(t, "SELECT count(*) FROM event");
    assert_int_equal(ban(t, &s, 0, "class"), first);
    int64_t grouped = group(t, &s, 1, 2);
    assert_int_equal(version(t, &s), grouped);
    assert_int_equal(group(t, &s, 1, 2), grouped);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event"), events + 1);
    end(t);
}

PROJECT_TEST(who_was_slower_is_refused)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    int64_t seen = version(t, &s), id = 0;
    ban(t, &s, 0, "class");
    struct decided_image m = {names[0], true, SV("drawing"), SV("")};
    struct class_decision d = about(&s);
    d.images = &m;
    d.n_images = 1;
    assert_int_equal(decide(t, &s, &d, seen, &id), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "class-changed");
    assert_true(is_banned(t, 0, "class"));
    assert_int_equal(decide(t, &s, &d, version(t, &s), &id), OK);
    assert_true(is_banned(t, 0, "drawing"));
    end(t);
}

static void refused(struct temp_project *t, const struct scene *s, const struct class_decision *d,
                    enum err_code code, const char *rule)
{
    int64_t id = 0, events = temp_int(t, "SELECT count(*) FROM event");
    assert_int_equal(decide(t, s, d, CLASS_SEEN_ANY, &id), code);
    temp_clear(t, code, rule);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event"), events);
}

PROJECT_TEST(what_is_no_decision)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct sv twice[] = {names[0], names[0]}, unknown[] = {names[0], SV("nowhere")};
    struct decided_group groups[] = {{names, 1}, {twice, 2}, {unknown, 2}};
    struct decided_image images[] = {{names[5], true, SV("class"), SV("")},
                                     {SV("nowhere"), true, SV("class"), SV("")},
                                     {names[0], true, SV("ugly"), SV("")},
                                     {names[0], true, SV("other"), SV(" ")}};
    const char *rules[] = {"class-decision-image", "class-decision-image", "blacklist-reason",
                           "blacklist-reason"};
    struct class_decision d = about(&s);
    refused(t, &s, &d, ERR_INPUT, "class-decision");
    for (size_t i = 0; i < 3; i++) {
        d.groups = &groups[i];
        d.n_groups = 1;
        refused(t, &s, &d, ERR_INPUT, "near-duplicate-set");
    }
    d = about(&s);
    d.n_images = 1;
    for (size_t i = 0; i < 4; i++) {
        d.images = &images[i];
        refused(t, &s, &d, ERR_INPUT, rules[i]);
    }
    struct decided_image same[] = {{names[0], true, SV("class"), SV("")},
                                   {names[0], false, SV(""), SV("")}};
    d.images = same;
    d.n_images = 2;
    refused(t, &s, &d, ERR_INPUT, "class-decision-image");
    d = about(&s);
    d.reviewed = 1;
    refused(t, &s, &d, ERR_INPUT, "class-decision");
    d.reviewed = DECIDED_NOTHING;
    d.undoes = 999999;
    refused(t, &s, &d, ERR_NOT_FOUND, "class-decision");
    end(t);
}

PROJECT_TEST(too_much_at_once)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    static struct decided_image many[CLASS_DECISION_IMAGES + 1];
    struct class_decision d = about(&s);
    d.images = many;
    d.n_images = CLASS_DECISION_IMAGES + 1;
    refused(t, &s, &d, ERR_INPUT, "class-decision");
    end(t);
}

/* ---- near-duplicates ---- */

/* 1 holds 2 and 3 together; without it they still show the same photo. */
PROJECT_TEST(one_that_leaves_does_not_part_the_others)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    group(t, &s, 1, 3);
    struct class_decision d = about(&s);
    d.apart = names + 1;
    d.n_apart = 1;
    int64_t id = written(t, &s, &d);
    assert_true(!is_pair(t, 1, 2) && !is_pair(t, 1, 3) && is_pair(t, 2, 3));
    undo(t, &s, id);
    assert_true(is_pair(t, 1, 2) && is_pair(t, 1, 3) && !is_pair(t, 2, 3));
    d.apart = names + 1;
    d.n_apart = 3;
    written(t, &s, &d);
    assert_true(!is_pair(t, 1, 2) && !is_pair(t, 1, 3) && !is_pair(t, 2, 3));
    end(t);
}

/* 0-1, 1-2, 2-3: without 1 and 2 what they held together still shows the same photo. */
PROJECT_TEST(several_that_leave_do_not_part_the_others)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    group(t, &s, 0, 2);
    group(t, &s, 1, 2);
    group(t, &s, 2, 2);
    struct sv leaving[] = {names[2], names[1], names[2]};
    struct class_decision d = about(&s);
    d.apart = leaving;
    d.n_apart = 3;
    int64_t id = written(t, &s, &d);
    assert_true(!is_pair(t, 0, 1) && !is_pair(t, 1, 2) && !is_pair(t, 2, 3) && is_pair(t, 0, 3));
    undo(t, &s, id);
    assert_true(is_pair(t, 0, 1) && is_pair(t, 1, 2) && is_pair(t, 2, 3) && !is_pair(t, 0, 3));
    end(t);
}

/* Two sets that were never one do not become one because of who leaves them. */
PROJECT_TEST(sets_that_were_two_stay_two)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    group(t, &s, 0, 2);
    group(t, &s, 2, 2);
    struct sv leaving[] = {names[0], names[2]};
    struct class_decision d = about(&s);
    d.apart = leaving;
    d.n_apart = 2;
    written(t, &s, &d);
    assert_true(!is_pair(t, 0, 1) && !is_pair(t, 2, 3) && !is_pair(t, 1, 3));
    end(t);
}

PROJECT_TEST(who_may_be_taken_out)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct sv name = SV("nowhere");
    struct class_decision d = about(&s);
    d.apart = &name;
    d.n_apart = 1;
    refused(t, &s, &d, ERR_INPUT, "near-duplicate-set");
    name = names[5]; /* of another class */
    refused(t, &s, &d, ERR_INPUT, "near-duplicate-set");
    group(t, &s, 4, 2); /* now it is a near-duplicate of one of the class */
    written(t, &s, &d);
    assert_true(!is_pair(t, 4, 5));
    d.revision = s.revision; /* where it stands under the class */
    written(t, &s, &d);
    end(t);
}

/* From one set into another in one go: groups have the last word. */
PROJECT_TEST(from_one_set_into_another)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    group(t, &s, 0, 2);
    struct sv moved[] = {names[1], names[2]};
    struct decided_group g = {moved, 2};
    struct class_decision d = about(&s);
    d.apart = names + 1;
    d.n_apart = 1;
    d.groups = &g;
    d.n_groups = 1;
    written(t, &s, &d);
    assert_true(!is_pair(t, 0, 1) && is_pair(t, 1, 2));
    end(t);
}

/* ---- undoing ---- */

PROJECT_TEST(undoing_puts_back_what_stood_before)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    ban(t, &s, 0, "class");
    struct decided_image images[] = {{names[0], false, SV(""), SV("")},
                                     {names[1], true, SV("unclear"), SV("")}};
    struct class_decision d = about(&s);
    d.revision = s.revision;
    d.images = images;
    d.n_images = 2;
    d.reviewed = 1;
    d.problematic = 1;
    int64_t id = written(t, &s, &d), back = undo(t, &s, id);
    struct class_review_row r;
    assert_true(is_banned(t, 0, "class") && !is_banned(t, 1, "unclear"));
    assert_int_equal(class_reviews_of(t->db, s.revision, s.k, &r, &t->err), OK);
    assert_true(r.event == back && !r.reviewed && !r.problematic);
    undo(t, &s, back); /* undoing is a decision as well */
    assert_true(!is_banned(t, 0, "class") && is_banned(t, 1, "unclear"));
    end(t);
}

PROJECT_TEST(undoing_puts_back_that_it_was_carried_over)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct class_review_row r;
    bool added = false;
    int64_t event = 0;
    assert_int_equal(events_add(t->db, WORLD_NOW, 0, "test", 0, NULL, &event, &t->err), OK);
    assert_int_equal(
        class_reviews_put(t->db, s.revision, s.k, event, true, false, true, &added, &t->err), OK);
    struct class_decision d = about(&s);
    d.revision = s.revision;
    d.problematic = 1;
    int64_t id = written(t, &s, &d);
    assert_int_equal(class_reviews_of(t->db, s.revision, s.k, &r, &t->err), OK);
    assert_true(r.reviewed && r.problematic && !r.carried);
    undo(t, &s, id);
    assert_int_equal(class_reviews_of(t->db, s.revision, s.k, &r, &t->err), OK);
    assert_true(r.reviewed && !r.problematic && r.carried);
    end(t);
}

PROJECT_TEST(what_cannot_be_undone)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    int64_t first = ban(t, &s, 0, "class"), second = ban(t, &s, 0, "drawing");
    struct class_decision d = about(&s);
    d.undoes = first; /* a later one spoke of the same image */
    refused(t, &s, &d, ERR_CONFLICT, "class-undone");
    undo(t, &s, second);
    d.undoes = second;
    refused(t, &s, &d, ERR_CONFLICT, "class-undone");
    d.class_id = s.other; /* of another class */
    refused(t, &s, &d, ERR_NOT_FOUND, "class-decision");
    assert_true(is_banned(t, 0, "class"));
    end(t);
}
