/* seals_test.c - the seal is on the content: copies of a sealed revision, its images, what opens it. */
#include "unit.h"

#include <string.h>

#include "store/images/images.h"
#include "store/sets/seals.h"
#include "store/sets/sets.h"
#include "temp_project.h"
#include "world.h"

enum { IMAGES = 8 };

/* Images 1 to IMAGES, the last with the bytes of the first. */
static void make_images(struct temp_project *t)
{
    int64_t class_id = world_class(t->db, 1);
    for (unsigned i = 1; i <= IMAGES; i++) {
        world_image_of(t->db, i, class_id, "candidate", (unsigned char)(i == IMAGES ? 1 : i));
    }
}

/* Images `first` to `last`; the digest is told by one byte. */
static int64_t add(struct temp_project *t, const char *set, const char *role, uint32_t first, uint32_t last,
                   unsigned char digest, enum revision_state state)
{
    struct revision_image images[IMAGES];
    struct revision_new r = {.set = sv_of(set), .role = sv_of(role), .strategy = SV("import"),
                             .parameters = SV("{}"), .images = images, .always = true,
                             .state = state, .state_reason = SV("made so")};
    for (uint32_t i = first; i <= last; i++) {
        images[r.n++] = (struct revision_image){i, (uint32_t)temp_int(t, "SELECT max(id) FROM class")};
    }
    r.digest[0] = digest;
    int64_t id = 0;
    bool added;
    if (revisions_add(t->db, true, &r, WORLD_NOW, &id, &added, &t->err) != OK) {
        fail_msg("%s: %s", t->err.rule, t->err.msg);
    }
    return id;
}

static struct revision_row get(struct temp_project *t, int64_t id)
{
    struct revision_row r;
    assert_int_equal(revisions_get(t->db, id, &t->arena, &r, &t->err), OK);
    return r;
}

static bool scored(struct temp_project *t, int64_t id)
{
    struct revision_row r = get(t, id);
    return revision_may_be_scored(&r, NULL) == OK;
}

static enum err_code give(struct temp_project *t, int64_t id, enum revision_state s, const char *why)
{
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    enum err_code rc = revision_state_add(t->db, id, s, sv_of(why), 0, WORLD_NOW + 1, &t->err);
    assert_int_equal(db_tx_commit(t->db, NULL), OK);
    return rc;
}

PROJECT_TEST(copies_are_sealed_too)
{
    struct temp_project *t = *state;
    make_images(t);
    int64_t before = add(t, "before", "new", 1, 4, 1, REVISION_FROZEN);
    int64_t released = add(t, "earlier", "new", 1, 4, 1, REVISION_RELEASED);
    assert_true(scored(t, before) && scored(t, released));
    int64_t sealed = add(t, "matched", "new", 1, 4, 1, REVISION_SEALED);
    int64_t after = add(t, "after", "new", 1, 4, 1, REVISION_FROZEN);
    int64_t original = add(t, "val", "original", 1, 4, 1, REVISION_FROZEN);
    int64_t other = add(t, "other", "new", 1, 5, 2, REVISION_FROZEN);
    assert_false(scored(t, before) || scored(t, released) || scored(t, sealed) || scored(t, after));
    assert_false(scored(t, original));
    assert_true(scored(t, other));
    struct revision_row r = get(t, before);
    revision_may_be_scored(&r, &t->err);
    assert_non_null(strstr(t->err.msg, "before/0 has the same images as matched/0, which is sealed"));
    temp_clear(t, ERR_DENIED, "set-sealed");
    give(t, before, REVISION_FROZEN, "again");
    assert_non_null(strstr(t->err.msg, "because matched/0 has the same images"));
    temp_clear(t, ERR_CONFLICT, "set-state");
    /* Freezing it frees them. */
    assert_int_equal(give(t, sealed, REVISION_FROZEN, "final"), OK);
    assert_true(scored(t, before) && scored(t, released) && scored(t, after) && scored(t, original));
    assert_int_equal(temp_int(t, "SELECT count(*) FROM seal_opening"), 0);
}

/* What was frozen before stays measured when the set is sampled once more with the same result. */
PROJECT_TEST(an_earlier_revision_of_the_set_stays_open)
{
    struct temp_project *t = *state;
    make_images(t);
    int64_t first = add(t, "matched", "new", 1, 4, 1, REVISION_FROZEN);
    int64_t second = add(t, "matched", "new", 1, 4, 1, REVISION_SEALED);
    int64_t copy = add(t, "copy", "new", 1, 4, 1, REVISION_FROZEN);
    assert_true(scored(t, first));
    assert_false(scored(t, second) || scored(t, copy));
    /* A later one of the set is a copy like any other. */
    int64_t third = add(t, "matched", "new", 1, 4, 1, REVISION_FROZEN);
    assert_false(scored(t, third));
}

PROJECT_TEST(opening_a_copy_opens_all)
{
    struct temp_project *t = *state;
    struct seal_opening *list;
    struct seal *seals;
    size_t n;
    make_images(t);
    int64_t first = add(t, "matched", "new", 1, 4, 1, REVISION_SEALED);
    int64_t second = add(t, "matched", "new", 1, 4, 1, REVISION_SEALED);
    int64_t copy = add(t, "copy", "new", 1, 4, 1, REVISION_SEALED);
    assert_int_equal(seals_list(t->db, &t->arena, &seals, &n, &t->err), OK);
    assert_true(n == 3 && seals[0].images == 4 && sv_is(seals[1].name, "matched/1"));
    assert_int_equal(give(t, copy, REVISION_FROZEN, "wanted"), OK);
    struct revision_row r = get(t, first);
    assert_true(r.state == REVISION_UNSEALED && sv_is(r.state_reason, "wanted"));
    assert_int_equal(get(t, second).state, REVISION_UNSEALED);
    assert_true(scored(t, first) && scored(t, second) && scored(t, copy));
    assert_int_equal(seals_openings(t->db, first, &t->arena, &list, &n, &t->err), OK);
    assert_true(n == 1 && list[0].revision == first && list[0].through == copy && list[0].shared == 4);
    assert_true(sv_is(list[0].name, "matched/0") && sv_is(list[0].through_name, "copy/0"));
    assert_true(sv_is(list[0].reason, "wanted") && list[0].at == WORLD_NOW + 1);
    assert_int_equal(seals_openings(t->db, copy, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 2);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'set.unsealed'"), 2);
    /* Two of one set: the first is final, the second is only what was sampled again. */
    int64_t a = add(t, "twice", "new", 1, 3, 2, REVISION_SEALED), b = add(t, "twice", "new", 1, 3, 2, REVISION_SEALED);
    assert_int_equal(give(t, a, REVISION_FROZEN, "final"), OK);
    assert_true(scored(t, a) && !scored(t, b) && get(t, b).state == REVISION_SEALED);
}

/* Of a list that shares images without being a copy: what the import said that it opens. */
PROJECT_TEST(an_import_opens_what_it_says)
{
    struct temp_project *t = *state;
    struct seal_opening *list;
    size_t n;
    bool added;
    make_images(t);
    int64_t sealed = add(t, "matched", "new", 1, 4, 1, REVISION_SEALED), id;
    int64_t frozen = add(t, "final", "new", 1, 4, 3, REVISION_FROZEN);
    const struct revision_image images[] = {{1, 1}, {2, 1}, {3, 1}};
    const struct revision_opened opened[] = {{sealed, 3}, {frozen, 3}};
    struct revision_new r = {.set = SV("part"), .role = SV("new"), .strategy = SV("import"), .parameters = SV("{}"),
                             .images = images, .n = 3, .digest = {9}, .state = REVISION_FROZEN,
                             .state_reason = SV("final"), .opened = opened, .n_opened = 2,
                             .opened_reason = SV("a look")};
    assert_int_equal(revisions_same(t->db, &r, &id, &t->err), OK);
    assert_int_equal(id, 0);
    assert_int_equal(revisions_add(t->db, true, &r, WORLD_NOW, &id, &added, &t->err), OK);
    assert_true(added && get(t, sealed).state == REVISION_UNSEALED && get(t, frozen).state == REVISION_FROZEN);
    assert_int_equal(seals_openings(t->db, id, &t->arena, &list, &n, &t->err), OK);
    assert_true(n == 1 && list[0].revision == sealed && list[0].shared == 3 && sv_is(list[0].reason, "a look"));
    /* The same again changes nothing. */
    int64_t there;
    assert_int_equal(revisions_same(t->db, &r, &there, &t->err), OK);
    assert_int_equal(there, id);
}

static void mark(void *arg, int64_t image, int64_t sealed)
{
    (void)sealed;
    bool *seen = arg;
    assert_true(image >= 1 && image <= IMAGES);
    seen[image] = true;
}

PROJECT_TEST(images_are_hidden_in_every_set)
{
    struct temp_project *t = *state;
    struct sv name;
    make_images(t);
    add(t, "pilot", "new", 1, IMAGES, 5, REVISION_FROZEN);
    uint32_t images[] = {8, 1, 3, 2, 99};
    size_t n = 5;
    int64_t before, after;
    assert_int_equal(seals_stamp(t->db, &before, &t->err), OK);
    assert_int_equal(seals_leave_out(t->db, images, &n, &t->err), OK);
    assert_int_equal(n, 5);
    add(t, "matched", "new", 1, 2, 1, REVISION_SEALED);
    assert_int_equal(seals_stamp(t->db, &after, &t->err), OK);
    assert_int_not_equal(before, after);
    /* 8 has the bytes of 1. */
    assert_int_equal(seals_leave_out(t->db, images, &n, &t->err), OK);
    assert_true(n == 2 && images[0] == 3 && images[1] == 99);
    assert_int_equal(seals_of_image(t->db, 8, &t->arena, &name, &t->err), OK);
    assert_true(sv_is(name, "matched/0"));
    assert_int_equal(seals_of_image(t->db, 3, &t->arena, &name, &t->err), OK);
    assert_int_equal(name.n, 0);
    bool seen[IMAGES + 1] = {false};
    assert_int_equal(seals_each_image(t->db, 0, mark, seen, &t->err), OK);
    for (int i = 1; i <= IMAGES; i++) {
        assert_int_equal(seen[i], i <= 2 || i == IMAGES);
    }
}

/* An image known by name gets bytes that the project has already: those of a sealed image. */
PROJECT_TEST(bytes_may_come_later)
{
    struct temp_project *t = *state;
    struct sv sealed;
    int64_t before, after;
    bool added;
    make_images(t);
    int64_t class_id = temp_int(t, "SELECT max(id) FROM class");
    int64_t image = world_image(t->db, 20, class_id, "candidate");
    add(t, "matched", "new", 1, 4, 1, REVISION_SEALED);
    assert_int_equal(seals_of_image(t->db, image, &t->arena, &sealed, &t->err), OK);
    assert_int_equal(sealed.n, 0);
    assert_int_equal(seals_stamp(t->db, &before, &t->err), OK);
    struct image_row row;
    assert_int_equal(images_get(t->db, image, &t->arena, &row, &t->err), OK);
    row.source = temp_int(t, "SELECT source FROM image WHERE id = 2");
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    assert_int_equal(images_put(t->db, &row, &added, &t->err), OK);
    assert_int_equal(images_event(t->db, 0, WORLD_NOW, &t->err), OK);
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
    assert_int_equal(seals_stamp(t->db, &after, &t->err), OK);
    assert_int_equal(seals_of_image(t->db, image, &t->arena, &sealed, &t->err), OK);
    assert_true(!added && sv_is(sealed, "matched/0") && after > before);
}

PROJECT_TEST(other_sets_that_were_open_are_counted)
{
    struct temp_project *t = *state;
    struct seal_shared *list;
    size_t n;
    make_images(t);
    int64_t pilot = add(t, "pilot", "new", 3, IMAGES, 5, REVISION_FROZEN);
    int64_t id = add(t, "matched", "new", 1, 4, 1, REVISION_SEALED);
    int64_t draft = add(t, "draft", "new", 1, 2, 2, REVISION_SEALED);
    int64_t val = add(t, "val", "original", 4, 4, 6, REVISION_SEALED), now = INT64_MAX;
    struct revision_row r = get(t, id);
    assert_int_equal(seals_shared(t->db, r.list, id, now, &t->arena, &list, &n, &t->err), OK);
    assert_true(n == 2 && list[0].revision == pilot && list[0].images == 2 && sv_is(list[0].name, "pilot/0"));
    assert_true(list[1].revision == val && list[1].images == 1);
    assert_int_equal(give(t, draft, REVISION_FROZEN, "final"), OK);
    assert_int_equal(seals_shared(t->db, r.list, id, now, &t->arena, &list, &n, &t->err), OK);
    assert_true(n == 3 && list[1].revision == draft && list[1].images == 2);
    assert_int_equal(seals_shared(t->db, r.list, id, pilot + 2, &t->arena, &list, &n, &t->err), OK);
    assert_true(n == 1 && list[0].revision == pilot);
}
