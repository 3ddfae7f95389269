/* guide_test.c - versions of pages and how classes relate: what is stored, what holds, what is refused. */
#include "unit.h"

#include "store/classes/classes.h"
#include "store/classes/guide.h"
#include "store/classes/relations.h"
#include "temp_project.h"
#include "world.h"

static struct sv wnid_of(struct temp_project *t, int64_t class_id)
{
    struct class_info k;
    assert_int_equal(classes_get(t->db, class_id, &t->arena, &k, &t->err), OK);
    return k.wnid;
}

PROJECT_TEST(versions)
{
    struct temp_project *t = *state;
    struct guide_new v = {.wnid = wnid_of(t, world_class(t->db, 1)), .text = SV("# One"), .reason = SV(" first "), .was = 0};
    struct guide_version now, *list;
    struct guide_page *pages;
    int64_t first, second, same;
    size_t n;
    assert_int_equal(guide_newest(t->db, v.wnid, &t->arena, &now, &t->err), OK);
    assert_int_equal(now.id, 0);
    assert_int_equal(guide_put(t->db, &v, 10, &first, &t->err), OK);
    v.was = first;
    assert_int_equal(guide_put(t->db, &v, 11, &same, &t->err), OK);
    assert_int_equal(same, 0); /* it says that already */
    v.text = SV("# Two");
    assert_int_equal(guide_put(t->db, &v, 12, &second, &t->err), OK);
    v.text = SV("# Mine");
    assert_int_equal(guide_put(t->db, &v, 13, &same, &t->err), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "guide-changed");
    assert_int_equal(guide_pages(t->db, &t->arena, &pages, &n, &t->err), OK);
    assert_int_equal(n, 1);
    assert_int_equal(pages[0].v.id, second);
    assert_true(pages[0].is_class && pages[0].words.n > 0 && pages[0].versions == 2);
    assert_sv(pages[0].v.text, "# Two");
    v.was = -1;
    v.text = SV("");
    assert_int_equal(guide_put(t->db, &v, 14, &same, &t->err), OK); /* taken out */
    assert_int_equal(guide_pages(t->db, &t->arena, &pages, &n, &t->err), OK);
    assert_int_equal(n, 0);
    assert_int_equal(guide_versions(t->db, v.wnid, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 3);
    assert_int_equal(list[2].id, first);
    assert_sv(list[2].reason, "first");
    assert_int_equal(guide_get(t->db, v.wnid, second, &t->arena, &now, &t->err), OK);
    assert_sv(now.text, "# Two");
    assert_int_equal(guide_get(t->db, SV("other"), second, &t->arena, &now, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "guide-version");
    v.wnid = SV("none");
    assert_int_equal(guide_put(t->db, &v, 15, &same, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "no-class");
}

PROJECT_TEST(the_newest_of_a_pair_holds)
{
    struct temp_project *t = *state;
    const int64_t a = world_class(t->db, 1), b = world_class(t->db, 2);
    struct relation_new r = {b, a, RELATION_EQUAL, SV("alike")};
    struct relation_row now;
    struct relation_pair *pairs;
    int64_t first, id;
    size_t n;
    assert_int_equal(relations_put(t->db, &r, 0, 0, 10, &first, &t->err), OK);
    assert_int_equal(relations_put(t->db, &r, 0, 0, 11, &id, &t->err), OK);
    assert_int_equal(id, 0); /* said already */
    r.kind = RELATION_CONTAINS;
    assert_int_equal(relations_put(t->db, &r, 0, 0, 12, &id, &t->err), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "relation-changed");
    assert_int_equal(relations_put(t->db, &r, 0, first, 12, &id, &t->err), OK);
    assert_int_equal(relations_between(t->db, a, b, &t->arena, &now, &t->err), OK);
    assert_true(now.a == b && now.b == a && sv_is(now.kind, "contains"));
    assert_int_equal(relations_pairs(t->db, &t->arena, &pairs, &n, &t->err), OK);
    assert_int_equal(n, 1);
    assert_true(pairs[0].a == b && pairs[0].kind == RELATION_CONTAINS);
    r.kind = RELATION_NONE;
    r.note = SV("");
    assert_int_equal(relations_put(t->db, &r, 0, -1, 13, &id, &t->err), OK);
    assert_int_equal(relations_pairs(t->db, &t->arena, &pairs, &n, &t->err), OK);
    assert_int_equal(n, 0);
    r.b = r.a;
    assert_int_equal(relations_put(t->db, &r, 0, -1, 14, &id, &t->err), ERR_INPUT);
    temp_clear(t, ERR_INPUT, "relation-self");
}
