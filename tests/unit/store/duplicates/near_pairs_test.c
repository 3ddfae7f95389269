/* near_pairs_test.c - pairs of near-duplicates and images that stay: what holds now and held then.
 */
#include "unit.h"

#include <string.h>

#include "store/duplicates/near_pairs.h"
#include "temp_project.h"
#include "world.h"

/* The event that said it, 0 when it held already. */
static int64_t pair(struct temp_project *t, const char *a, const char *b, bool same)
{
    bool added = false, would = false;
    int64_t id = world_event(t->db, "near-duplicates.import");
    assert_int_equal(near_pairs_put(t->db, 0, sv_of(a), sv_of(b), same, &would, &t->err), OK);
    assert_int_equal(near_pairs_put(t->db, id, sv_of(a), sv_of(b), same, &added, &t->err), OK);
    assert_int_equal(added, would);
    return added ? id : 0;
}

static enum err_code list_pair(void *arg, const struct near_pair *p, struct err *err)
{
    char *text = arg;
    size_t n = strlen(text);
    (void)err;
    snprintf(text + n, 200 - n, SV_FMT "-" SV_FMT " ", SV_ARG(p->a), SV_ARG(p->b));
    return OK;
}

static const char *pairs(struct temp_project *t, int64_t as_of)
{
    char *text = arena_calloc(&t->arena, 1, 200);
    assert_int_equal(near_pairs_each(t->db, as_of, list_pair, text, &t->err), OK);
    return text;
}

static const char *listed(struct temp_project *t, const struct near_pair *list, size_t n)
{
    char *text = arena_calloc(&t->arena, 1, 200);
    for (size_t i = 0; i < n; i++) {
        list_pair(text, &list[i], &t->err);
    }
    return text;
}

PROJECT_TEST(pairs)
{
    struct temp_project *t = *state;
    struct near_pair *list;
    size_t n;
    bool added;
    assert_int_equal(pair(t, "a", "b", false), 0);
    int64_t first = pair(t, "b", "a", true), second = pair(t, "c", "b", true);
    assert_int_equal(pair(t, "a", "b", true), 0);
    int64_t third = pair(t, "a", "b", false), last = pair(t, "b", "a", true);
    assert_true(first && second && third && last);
    assert_string_equal(pairs(t, first - 1), "");
    assert_string_equal(pairs(t, second), "a-b b-c ");
    assert_string_equal(pairs(t, third), "b-c ");
    assert_string_equal(pairs(t, 0), "a-b b-c ");
    assert_int_equal(near_pairs_of(t->db, SV("b"), &t->arena, &list, &n, &t->err), OK);
    assert_string_equal(listed(t, list, n), "a-b b-c ");
    assert_int_equal(list[0].event, last);
    pair(t, "b", "c", false);
    assert_int_equal(near_pairs_of(t->db, SV("c"), &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 0);
    near_pairs_put(t->db, world_event(t->db, "near-duplicates.import"), SV("a"), SV("a"), true, &added, &t->err);
    temp_clear(t, ERR_INPUT, "near-duplicate-self");
    assert_int_equal(near_pairs_put(t->db, first, SV("a"), SV("z"), true, &added, &t->err), OK);
    near_pairs_put(t->db, first, SV("z"), SV("a"), false, &added, &t->err);
    temp_clear(t, ERR_INPUT, "near-duplicate-twice");
}

PROJECT_TEST(pairs_of_a_class)
{
    struct temp_project *t = *state;
    struct near_pair *list;
    size_t n;
    int64_t one = world_class(t->db, 1), two = world_class(t->db, 2);
    world_image(t->db, 1, one, "candidate");
    world_image(t->db, 2, one, "candidate");
    world_image(t->db, 3, two, "candidate");
    pair(t, "image-1", "image-2", true);
    pair(t, "image-3", "image-2", true);
    pair(t, "image-1", "elsewhere", true);
    pair(t, "image-3", "n00000001_1.JPEG", true);
    pair(t, "image-1", "image-3", true);
    pair(t, "image-1", "image-3", false);
    assert_int_equal(near_pairs_of_class(t->db, one, &t->arena, &list, &n, &t->err), OK);
    assert_string_equal(listed(t, list, n), "elsewhere-image-1 image-1-image-2 image-2-image-3 ");
    assert_int_equal(near_pairs_of_class(t->db, two, &t->arena, &list, &n, &t->err), OK);
    assert_string_equal(listed(t, list, n), "image-2-image-3 image-3-n00000001_1.JPEG ");
}

static enum err_code list_name(void *arg, struct sv name, struct err *err)
{
    char *text = arg;
    size_t n = strlen(text);
    (void)err;
    snprintf(text + n, 200 - n, SV_FMT " ", SV_ARG(name));
    return OK;
}

static int64_t keep(struct temp_project *t, const char *name, bool stays)
{
    bool added = false, would = false;
    int64_t id = world_event(t->db, "near-duplicates.import");
    assert_int_equal(near_keeps_put(t->db, 0, sv_of(name), stays, &would, &t->err), OK);
    assert_int_equal(near_keeps_put(t->db, id, sv_of(name), stays, &added, &t->err), OK);
    assert_int_equal(added, would);
    return added ? id : 0;
}

PROJECT_TEST(keeps)
{
    struct temp_project *t = *state;
    char then[200] = "", now[200] = "";
    bool added;
    assert_int_equal(keep(t, "a", false), 0);
    int64_t first = keep(t, "b", true);
    assert_int_equal(keep(t, "b", true), 0);
    assert_true(first && keep(t, "a", true) && keep(t, "b", false));
    assert_int_equal(near_keeps_each(t->db, first, list_name, then, &t->err), OK);
    assert_int_equal(near_keeps_each(t->db, 0, list_name, now, &t->err), OK);
    assert_string_equal(then, "b ");
    assert_string_equal(now, "a ");
    int64_t id = world_event(t->db, "near-duplicates.import");
    assert_int_equal(near_keeps_put(t->db, id, SV("c"), true, &added, &t->err), OK);
    near_keeps_put(t->db, id, SV("c"), false, &added, &t->err);
    temp_clear(t, ERR_INPUT, "near-duplicate-twice");
}
