/* audit_test.c - each finding by hand, and their order. */
#include "unit.h"

#include "domain/sampling/audit.h"

struct world {
    struct arena a;
    struct audit_input in;
    struct audit_finding *found;
    size_t n;
};

static void find(struct world *w, const struct audit_member *m, size_t n)
{
    w->in.members = m;
    w->in.n_members = n;
    arena_init(&w->a, 1 << 20);
    audit_find(&w->in, &w->a, &w->found, &w->n);
}

#define MEMBER(number, class)                                                                      \
    .image = (number), .rank = (number), .class_index = (class), .own_class = (class), .shown = 10

TEST(single_images)
{
    static const struct audit_member members[] = {
        {MEMBER(9, 1), .component = AUDIT_NONE, .file_missing = true},
        {MEMBER(8, 1), .component = AUDIT_NONE, .blacklisted = true},
        {MEMBER(7, 0), .component = AUDIT_NONE, .blacklisted = true, .original = true},
        {.image = 6, .rank = 6, .class_index = 0, .own_class = 1, .shown = 9, .component = AUDIT_NONE},
        {.image = 5, .rank = 5, .class_index = 0, .own_class = AUDIT_NONE, .shown = 10,
         .component = AUDIT_NONE},
    };
    static const struct {
        enum audit_kind kind;
        uint32_t image, class_index, value;
    } expected[] = {
        {AUDIT_BLACKLISTED, 7, 0, 0},  {AUDIT_BLACKLISTED, 8, 1, 0}, {AUDIT_FEW_ANSWERS, 6, 0, 9},
        {AUDIT_MISSING_FILE, 9, 1, 0}, {AUDIT_ORIGINAL, 7, 0, 0},    {AUDIT_WRONG_CLASS, 6, 0, 1},
    };
    struct world w = {.in.answers_least = 10};
    find(&w, members, 5);
    assert_int_equal(w.n, 6);
    for (size_t k = 0; k < w.n; k++) {
        assert_int_equal(w.found[k].kind, expected[k].kind);
        assert_int_equal(w.found[k].n_images, 1);
        assert_int_equal(w.found[k].images[0], expected[k].image);
        assert_int_equal(w.found[k].class_index, expected[k].class_index);
        assert_int_equal(w.found[k].value, expected[k].value);
    }
    arena_release(&w.a);
    w.in.answers_least = 0;
    w.in.originals_allowed = true;
    find(&w, members, 5);
    assert_int_equal(w.n, 4);
    arena_release(&w.a);
    find(&w, NULL, 0);
    assert_int_equal(w.n, 0);
    arena_release(&w.a);
}

TEST(duplicates)
{
    static const struct audit_member members[] = {
        {MEMBER(4, 2), .component = 3}, {MEMBER(1, 0), .component = AUDIT_NONE},
        {.image = 4, .rank = 4, .class_index = 1, .own_class = 2, .component = 3},
        {MEMBER(4, 2), .component = 3}, {MEMBER(1, 0), .component = AUDIT_NONE},
    };
    struct world w = {0};
    find(&w, members, 5);
    /* One image thrice is no pair of one component. */
    assert_int_equal(w.n, 3);
    assert_int_equal(w.found[0].kind, AUDIT_DUPLICATE);
    assert_int_equal(w.found[0].images[0], 1);
    assert_int_equal(w.found[0].value, 2);
    assert_int_equal(w.found[1].kind, AUDIT_DUPLICATE);
    assert_int_equal(w.found[1].images[0], 4);
    assert_int_equal(w.found[1].value, 3);
    assert_int_equal(w.found[1].class_index, 1);
    assert_int_equal(w.found[2].kind, AUDIT_WRONG_CLASS);
    arena_release(&w.a);
}

TEST(components)
{
    static const struct audit_member members[] = {
        {MEMBER(30, 0), .component = 2}, {MEMBER(10, 1), .component = 2}, {MEMBER(20, 0), .component = 2},
        {MEMBER(11, 0), .component = 0}, {MEMBER(40, 1), .component = 5},
        {MEMBER(12, 0), .component = AUDIT_NONE},
    };
    /* Component 1 has no image in the set. */
    static const struct audit_original originals[] = {
        {.component = 5, .rank = 93, .image = 93}, {.component = 1, .rank = 90, .image = 90},
        {.component = 2, .rank = 92, .image = 92}, {.component = 2, .rank = 91, .image = 91},
    };
    struct world w = {.in.originals = originals, .in.n_originals = 4};
    find(&w, members, 6);
    assert_int_equal(w.n, 3);
    assert_int_equal(w.found[0].kind, AUDIT_HAS_ORIGINAL);
    assert_int_equal(w.found[0].class_index, 1);
    assert_int_equal(w.found[0].n_images, 3);
    assert_int_equal(w.found[0].images[0], 10);
    assert_int_equal(w.found[0].images[2], 30);
    assert_int_equal(w.found[0].n_originals, 2);
    assert_int_equal(w.found[0].originals[0], 91);
    assert_int_equal(w.found[0].originals[1], 92);
    assert_int_equal(w.found[1].kind, AUDIT_HAS_ORIGINAL);
    assert_int_equal(w.found[1].images[0], 40);
    assert_int_equal(w.found[1].originals[0], 93);
    assert_int_equal(w.found[2].kind, AUDIT_SAME_COMPONENT);
    assert_int_equal(w.found[2].n_images, 3);
    assert_int_equal(w.found[2].n_originals, 0);
    arena_release(&w.a);
    w.in.originals_allowed = true;
    find(&w, members, 6);
    assert_int_equal(w.n, 1);
    arena_release(&w.a);
}

/* An original in the set is a finding; that it is linked to itself is not one more. */
TEST(original_in_the_set)
{
    static const struct audit_member members[] = {{MEMBER(1, 0), .component = 0, .original = true}};
    static const struct audit_original originals[] = {{0, 1, 1}, {0, 2, 2}};
    struct world w = {.in.originals = originals, .in.n_originals = 1};
    find(&w, members, 1);
    assert_int_equal(w.n, 1);
    assert_int_equal(w.found[0].kind, AUDIT_ORIGINAL);
    arena_release(&w.a);
    w.in.n_originals = 2;
    find(&w, members, 1);
    assert_int_equal(w.n, 2);
    assert_int_equal(w.found[0].kind, AUDIT_HAS_ORIGINAL);
    assert_int_equal(w.found[0].n_originals, 1);
    assert_int_equal(w.found[0].originals[0], 2);
    arena_release(&w.a);
}
