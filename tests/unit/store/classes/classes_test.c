/* classes_test.c - classes, their similar ones, and the hierarchy of synsets. */
#include "unit.h"

#include "store/classes/classes.h"
#include "temp_project.h"
#include "world.h"

PROJECT_TEST(put)
{
    struct temp_project *t = *state;
    struct class_info k = {.cid = 4, .wnid = SV("n04"), .synset = SV("cat|puss"),
                           .gloss = SV("meows"), .wikipedia = SV("https://example.org/cat")},
                      out;
    bool changed = false;
    assert_int_equal(classes_put(t->db, &k, &changed, &t->err), OK);
    assert_true(changed);
    assert_int_equal(classes_put(t->db, &k, &changed, &t->err), OK);
    assert_false(changed);
    k.gloss = SV("purrs");
    assert_int_equal(classes_put(t->db, &k, &changed, &t->err), OK);
    assert_true(changed);
    assert_int_equal(classes_find(t->db, SV("n04"), &t->arena, &out, &t->err), OK);
    assert_true(sv_is(out.gloss, "purrs") && sv_is(out.synset, "cat|puss"));
    assert_true(sv_is(out.wikipedia, "https://example.org/cat"));
    assert_int_equal(out.cid, 4);
    assert_int_equal(classes_get(t->db, out.id, &t->arena, &k, &t->err), OK);
    assert_true(sv_is(k.wnid, "n04"));
    assert_int_equal(temp_int(t, "SELECT count(*) FROM class"), 1);
}

PROJECT_TEST(cid_of_another_and_unknown)
{
    struct temp_project *t = *state;
    struct class_info k = {.cid = 1, .wnid = SV("other"), .synset = SV("x"), .gloss = SV("")}, out;
    bool changed;
    world_class(t->db, 1);
    assert_int_equal(classes_put(t->db, &k, &changed, &t->err), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "cid");
    assert_int_equal(classes_find(t->db, SV("other"), &t->arena, &out, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "no-class");
    assert_int_equal(classes_get(t->db, 99, &t->arena, &out, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "no-class");
}

PROJECT_TEST(list_is_by_cid)
{
    struct temp_project *t = *state;
    struct class_info *list;
    size_t n = 99;
    assert_int_equal(classes_list(t->db, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 0);
    for (unsigned i = 40; i > 0; i--) {
        world_class(t->db, i);
    }
    assert_int_equal(classes_list(t->db, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 40);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(list[i].cid, i + 1);
    }
    assert_int_equal(classes_event(t->db, 40, 5, &t->err), OK);
    assert_int_equal(temp_int(t, "SELECT detail ->> '$.classes' FROM event"
                                 " WHERE kind = 'classes.import'"),
                     40);
}

PROJECT_TEST(similar)
{
    struct temp_project *t = *state;
    int64_t a = world_class(t->db, 1), b = world_class(t->db, 2), c = world_class(t->db, 3), *near, n;
    size_t found = 99;
    assert_int_equal(classes_near(t->db, a, &t->arena, &near, &found, &t->err), OK);
    assert_int_equal(found, 0);
    assert_int_equal(classes_put_similar(t->db, a, 0, a, &t->err), OK);
    assert_int_equal(classes_near(t->db, a, &t->arena, &near, &found, &t->err), OK);
    assert_int_equal(found, 0); /* itself is no other class */
    assert_int_equal(classes_put_similar(t->db, a, 2, b, &t->err), OK);
    assert_int_equal(classes_put_similar(t->db, a, 1, c, &t->err), OK);
    assert_int_equal(classes_put_similar(t->db, a, 1, b, &t->err), OK); /* rank 1 stays c */
    assert_int_equal(classes_near(t->db, a, &t->arena, &near, &found, &t->err), OK);
    assert_int_equal(found, 2);
    assert_true(near[0] == c && near[1] == b);
    assert_int_equal(classes_similar_count(t->db, &n, &t->err), OK);
    assert_int_equal(n, 3);
    assert_int_not_equal(classes_put_similar(t->db, a, 5, 99, &t->err), OK);
    err_clear(&t->err);
}

PROJECT_TEST(synsets)
{
    struct temp_project *t = *state;
    assert_int_equal(synsets_put(t->db, 1740, SV("n00001740"), SV("entity"), SV("all"), &t->err), OK);
    assert_int_equal(synsets_put(t->db, 2, SV("n00000002"), SV("thing"), SV(""), &t->err), OK);
    assert_int_equal(synsets_put(t->db, 1740, SV("n00001740"), SV("entity"), SV("new"), &t->err), OK);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM synset"), 2);
    assert_int_equal(temp_int(t, "SELECT gloss = 'new' FROM synset WHERE id = 1740"), 1);
    assert_int_equal(synsets_put_parent(t->db, 2, 1740, &t->err), OK);
    assert_int_equal(synsets_put_parent(t->db, 2, 1740, &t->err), OK);
    assert_int_equal(synsets_put_parent(t->db, 1740, 2, &t->err), OK);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM hypernym WHERE child + parent = 1742"), 2);
    assert_int_not_equal(synsets_put_parent(t->db, 2, 3, &t->err), OK);
    err_clear(&t->err);
}

/* entity > animal > dog (a class) > hound (a class); animal > cat (a class). */
PROJECT_TEST(classes_below_a_synset)
{
    struct temp_project *t = *state;
    static const char *const wnids[] = {"n1", "n2", "n3", "n4", "n5"};
    int64_t dog = 0, hound = 0, cat = 0, *ids;
    size_t n;
    for (int64_t i = 0; i < 5; i++) {
        assert_int_equal(synsets_put(t->db, i + 1, sv_of(wnids[i]), SV("x"), SV(""), &t->err), OK);
    }
    const int64_t parents[][2] = {{2, 1}, {3, 2}, {4, 3}, {5, 2}, {1, 4}}; /* the last closes a ring */
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(synsets_put_parent(t->db, parents[i][0], parents[i][1], &t->err), OK);
    }
    int64_t *const made[] = {&dog, &hound, &cat};
    for (int64_t i = 0; i < 3; i++) {
        struct class_info k = {.cid = i, .wnid = sv_of(wnids[i + 2]), .synset = SV("x"), .gloss = SV("")};
        bool changed;
        assert_int_equal(classes_put(t->db, &k, &changed, &t->err), OK);
        assert_int_equal(classes_find(t->db, k.wnid, &t->arena, &k, &t->err), OK);
        *made[i] = k.id;
    }
    assert_int_equal(classes_below(t->db, SV("n5"), &t->arena, &ids, &n, &t->err), OK);
    assert_true(n == 1 && ids[0] == cat);
    assert_int_equal(classes_below(t->db, SV("n2"), &t->arena, &ids, &n, &t->err), OK);
    assert_true(n == 3 && ids[0] == dog && ids[1] == hound && ids[2] == cat);
    assert_int_equal(classes_below(t->db, SV("n9"), &t->arena, &ids, &n, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "no-class");
}
