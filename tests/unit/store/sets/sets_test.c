/* sets_test.c - image sets, revisions, their lists and states. */
#include "unit.h"

#include <string.h>

#include "store/sets/sets.h"
#include "temp_project.h"
#include "world.h"

enum { IMAGES = 250 };

struct given {
    struct revision_image images[IMAGES];
    struct revision_new r;
};

/* A revision of `n` images; the digest is told by one byte. */
static struct given *given(struct temp_project *t, const char *set, size_t n, unsigned char digest)
{
    struct given *g = arena_calloc(&t->arena, 1, sizeof *g);
    int64_t class_id = temp_int(t, "SELECT coalesce(max(id), 0) FROM class");
    class_id = class_id ? class_id : world_class(t->db, 1);
    for (unsigned i = (unsigned)temp_int(t, "SELECT count(*) FROM image"); i < IMAGES; i++) {
        world_image(t->db, i, class_id, "candidate");
    }
    for (size_t i = 0; i < n; i++) {
        g->images[i] = (struct revision_image){(uint32_t)(n - i), (uint32_t)class_id};
    }
    g->r = (struct revision_new){.set = sv_of(set), .role = SV("new"), .strategy = SV("import"),
                                 .parameters = SV("{}"), .images = g->images, .n = n};
    g->r.digest[0] = digest;
    return g;
}

static int64_t add(struct temp_project *t, const struct revision_new *r, bool new)
{
    int64_t id = 0;
    bool added = !new;
    if (revisions_add(t->db, true, r, WORLD_NOW, &id, &added, &t->err) != OK) {
        fail_msg("%s: %s", t->err.rule, t->err.msg);
    }
    assert_int_equal(added, new);
    return id;
}

static struct revision_row find(struct temp_project *t, const char *name)
{
    struct revision_row r;
    if (revisions_find(t->db, sv_of(name), &t->arena, &r, &t->err) != OK) {
        fail_msg("%s: %s", t->err.rule, t->err.msg);
    }
    return r;
}

PROJECT_TEST(revisions_are_numbered)
{
    struct temp_project *t = *state;
    int64_t first = add(t, &given(t, "v2", 10, 1)->r, true);
    assert_int_equal(add(t, &given(t, "v2", 10, 1)->r, false), first);
    struct given *g = given(t, "v2", 12, 2);
    g->r.parent = first;
    int64_t second = add(t, &g->r, true);
    add(t, &given(t, "other", 10, 1)->r, true);
    struct revision_row r = find(t, "v2");
    assert_true(r.id == second && r.number == 1 && r.parent == first && r.images == 12);
    assert_true(r.state == REVISION_SEALED && r.at == WORLD_NOW && r.digest[0] == 2);
    r = find(t, "v2/0");
    assert_true(r.id == first && r.images == 10 && sv_is(r.set, "v2") && sv_is(r.role, "new"));
    /* The first again is a third state, with the list that is there. */
    add(t, &given(t, "v2", 10, 1)->r, true);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM set_list"), 2);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM set_list_image"), 22);
    struct revision_row *list;
    struct set_row *sets;
    size_t n;
    assert_int_equal(revisions_list(t->db, 0, &t->arena, &list, &n, &t->err), OK);
    assert_true(n == 4 && sv_is(list[0].set, "other") && list[3].number == 2);
    assert_int_equal(sets_list(t->db, &t->arena, &sets, &n, &t->err), OK);
    assert_true(n == 2 && sets[1].revisions == 3 && sets[1].newest == list[3].id);
}

PROJECT_TEST(names_are_told)
{
    struct temp_project *t = *state;
    struct revision_row r;
    revisions_find(t->db, SV("v2"), &t->arena, &r, &t->err);
    assert_non_null(strstr(t->err.msg, "has none yet"));
    temp_clear(t, ERR_NOT_FOUND, "set");
    add(t, &given(t, "v2", 3, 1)->r, true);
    static const char *const unknown[] = {"v3", "v2/1", "v2/x", "v2/", "v2/-1", "", "/"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        revisions_find(t->db, sv_of(unknown[i]), &t->arena, &r, &t->err);
        temp_clear(t, ERR_NOT_FOUND, "set");
    }
    static const char *const bad[] = {"", ".x", "a/b", "a b", "\xc3\xa4"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        set_name_check(sv_of(bad[i]), &t->err);
        temp_clear(t, ERR_INPUT, "set-name");
    }
    sets_take(t->db, SV("v2"), SV("original"), &t->err);
    temp_clear(t, ERR_CONFLICT, "set-role");
    assert_int_equal(sets_take(t->db, SV("v2"), SV("new"), &t->err), OK);
    struct given *g = given(t, "v2", 4, 9);
    int64_t id;
    bool added;
    g->r.role = SV("original");
    revisions_add(t->db, true, &g->r, WORLD_NOW, &id, &added, &t->err);
    temp_clear(t, ERR_CONFLICT, "set-role");
    assert_int_equal(temp_int(t, "SELECT count(*) FROM set_list"), 1);
}

static enum err_code expect_next(void *arg, const struct revision_name *m, struct err *err)
{
    (void)err;
    int64_t *next = arg;
    assert_int_equal(m->position, *next);
    assert_true(m->image == IMAGES - *next && sv_is(m->wnid, "n00000001") && m->cid == 1);
    ++*next;
    return OK;
}

PROJECT_TEST(order_is_kept)
{
    struct temp_project *t = *state;
    int64_t id = add(t, &given(t, "v2", IMAGES, 1)->r, true), next = 0;
    struct revision_image *images;
    size_t n;
    assert_int_equal(revisions_images(t->db, id, &t->arena, &images, &n, &t->err), OK);
    assert_int_equal(n, IMAGES);
    for (uint32_t i = 0; i < IMAGES; i++) {
        assert_int_equal(images[i].image, IMAGES - i);
    }
    assert_int_equal(revision_images_named(t->db, id, expect_next, &next, &t->err), OK);
    assert_int_equal(next, IMAGES);
}

static enum err_code count_state(void *arg, const struct set_list_state *l, struct err *err)
{
    (void)err;
    struct set_list_state *out = arg;
    *out = *l;
    return OK;
}

/* What a killed import leaves: a list with the first of its rows and no revision. */
PROJECT_TEST(a_cut_off_list_is_completed)
{
    struct temp_project *t = *state;
    struct set_list_state l;
    const struct revision_new *r = &given(t, "v2", IMAGES, 1)->r;
    add(t, r, true);
    assert_int_equal(db_script(t->db, "DELETE FROM revision_state; DELETE FROM revision; DELETE FROM image_set;"
                               "DELETE FROM set_list_image WHERE position >= 77", &t->err), OK);
    assert_int_equal(sets_check(t->db, count_state, &l, &t->err), OK);
    assert_true(l.rows == 77 && l.images == IMAGES && l.revision == 0);
    add(t, r, true);
    assert_int_equal(sets_check(t->db, count_state, &l, &t->err), OK);
    assert_true(l.rows == IMAGES && l.revision != 0 && l.digest[0] == 1);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM set_list"), 1);
}

static enum err_code state_of(struct temp_project *t, int64_t revision, enum revision_state s,
                              const char *reason)
{
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    enum err_code rc = revision_state_add(t->db, revision, s, sv_of(reason), 0, WORLD_NOW + 1, &t->err);
    assert_int_equal(db_tx_commit(t->db, NULL), OK);
    return rc;
}

PROJECT_TEST(sealed_until_frozen)
{
    struct temp_project *t = *state;
    int64_t id = add(t, &given(t, "v2", 3, 1)->r, true);
    struct revision_row r = find(t, "v2");
    revision_may_be_scored(&r, &t->err);
    assert_non_null(strstr(t->err.msg, "v2/0 is sealed"));
    temp_clear(t, ERR_DENIED, "set-sealed");
    state_of(t, id, REVISION_UNSEALED, "");
    temp_clear(t, ERR_INPUT, "set-reason");
    assert_int_equal(state_of(t, id, REVISION_UNSEALED, "a look"), OK);
    r = find(t, "v2");
    assert_true(r.state == REVISION_UNSEALED && sv_is(r.state_reason, "a look") &&
                r.state_at == WORLD_NOW + 1);
    assert_int_equal(revision_may_be_scored(&r, &t->err), OK);
    assert_int_equal(state_of(t, id, REVISION_FROZEN, "final"), OK);
    state_of(t, id, REVISION_UNSEALED, "again");
    temp_clear(t, ERR_CONFLICT, "set-state");
    state_of(t, id, REVISION_FROZEN, "again");
    temp_clear(t, ERR_CONFLICT, "set-state");
    assert_int_equal(state_of(t, id, REVISION_RELEASED, "out"), OK);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind GLOB 'set.*'"), 5);
    /* The next revision of the set is sealed again; originals never are. */
    add(t, &given(t, "v2", 4, 2)->r, true);
    r = find(t, "v2");
    assert_int_equal(r.state, REVISION_SEALED);
    struct given *g = given(t, "val", 4, 3);
    g->r.role = SV("original");
    add(t, &g->r, true);
    r = find(t, "val");
    assert_int_equal(revision_may_be_scored(&r, &t->err), OK);
}
