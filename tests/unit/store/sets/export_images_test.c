/* export_images_test.c - images of a list in its order with what stands behind them, and the states
 * of a revision. */
#include "unit.h"

#include <string.h>

#include "store/images/images.h"
#include "store/sets/export_images.h"
#include "temp_project.h"
#include "world.h"

struct seen {
    char names[200]; /* joined by spaces; with ":hash" where there are bytes, "@path" where they are
                        elsewhere */
    struct sv wnid;
    struct arena *arena;
};

static enum err_code note(void *arg, const struct export_image *i, struct err *err)
{
    struct seen *s = arg;
    size_t n = strlen(s->names);
    (void)err;
    n += (size_t)snprintf(s->names + n, sizeof s->names - n, "%s" SV_FMT, n ? " " : "",
                          SV_ARG(i->name));
    assert_int_equal(i->has_source, i->sha256.n == IMAGE_SHA);
    if (i->has_source) {
        n += (size_t)snprintf(s->names + n, sizeof s->names - n, ":%d",
                              (unsigned char)i->sha256.p[0]);
    }
    if (i->reference.n) {
        snprintf(s->names + n, sizeof s->names - n, "@" SV_FMT, SV_ARG(i->reference));
    }
    s->wnid = arena_sv(s->arena, i->wnid);
    return OK;
}

PROJECT_TEST(images_of_a_list)
{
    struct temp_project *t = *state;
    struct seen seen = {.arena = &t->arena};
    struct revision_row r;
    int64_t a = world_class(t->db, 1), b = world_class(t->db, 2);
    int64_t plain = world_image(t->db, 1, a, "candidate");
    int64_t there = world_image_of(t->db, 2, a, "candidate", 7);
    int64_t far = world_image_of(t->db, 3, a, "original", 8);
    assert_int_equal(
        temp_int(t, "UPDATE source SET kept = 'reference', path = '/far' WHERE id = 2 RETURNING 1"),
        1);
    const struct revision_image list[] = {{(uint32_t)far, (uint32_t)a},
                                          {(uint32_t)plain, (uint32_t)a},
                                          {(uint32_t)there, (uint32_t)b}};
    struct revision_new new = world_list(list, 3);
    int64_t id = world_revision(t->db, &new);
    assert_int_equal(revisions_get(t->db, id, &t->arena, &r, &t->err), OK);
    assert_int_equal(export_images_of_list(t->db, r.list, note, &seen, &t->err), OK);
    assert_string_equal(seen.names, "image-3:8@/far image-1 image-2:7");
    assert_true(
        sv_is(seen.wnid, "n00000002")); /* the list's label, not what it was collected for */
    seen.names[0] = '\0';
    assert_int_equal(export_images_candidates(t->db, there, note, &seen, &t->err), OK);
    assert_string_equal(seen.names, "image-1 image-2:7");
    assert_true(sv_is(seen.wnid, "n00000001"));
    seen.names[0] = '\0';
    assert_int_equal(export_images_candidates(t->db, plain, note, &seen, &t->err), OK);
    assert_string_equal(seen.names, "image-1");
}

PROJECT_TEST(states_in_their_order)
{
    struct temp_project *t = *state;
    struct export_state *list;
    size_t n = 1;
    int64_t k = world_class(t->db, 1);
    const struct revision_image one = {(uint32_t)world_image(t->db, 1, k, "candidate"),
                                       (uint32_t)k};
    struct revision_new new = world_list(&one, 1);
    int64_t id = world_revision(t->db, &new);
    assert_int_equal(export_states(t->db, id, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 0);
    static const enum revision_state states[] = {REVISION_UNSEALED, REVISION_FROZEN,
                                                 REVISION_RELEASED};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(revision_state_add(t->db, id, states[i], sv_of(i ? "later" : "first"), 0,
                                            WORLD_NOW + i, &t->err),
                         OK);
    }
    assert_int_equal(export_states(t->db, id, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(list[i].state, states[i]);
        assert_int_equal(list[i].at, WORLD_NOW + i);
    }
    assert_true(sv_is(list[0].reason, "first") && sv_is(list[2].reason, "later"));
}
