/* class_browse_test.c - experts/class_browse.h: levels of the tree, with counts, of groups, of classes and of what is in none. */
#include "unit.h"

#include "experts/class_browse.h"

#define T(text) {"" text, sizeof text - 1}

/* 0 entity > 1 animal > 2 dog > (4 husky, 5 pug); 1 > 3 cat > 6 tabby; 3 is passed over, a pug (5) has 7 below it. */
static struct synset_info synsets[] = {
    {1, T("s0"), T("entity"), T("")},   {2, T("s1"), T("animal"), T("moves")}, {3, T("s2"), T("dog|hound"), T("barks")},
    {4, T("s3"), T("cat"), T("meows")}, {5, T("s4"), T("husky"), T("")},       {6, T("s5"), T("pug"), T("")},
    {7, T("s6"), T("tabby"), T("")},    {8, T("s7"), T("black pug"), T("")},
};
static struct class_info classes[] = {
    {1, 0, T("s4"), T("husky|sled dog"), T("pulls"), T("")}, {2, 1, T("s5"), T("pug"), T(""), T("")},
    {3, 2, T("s6"), T("tabby"), T(""), T("")},               {4, 3, T("s7"), T("black pug"), T(""), T("")},
    {5, 4, T("x9"), T("abacus"), T("counts"), T("")},
};
static struct class_tree_edge edges[] = {{1, 0}, {2, 1}, {3, 1}, {4, 2}, {5, 2}, {6, 3}, {7, 5}};
static uint32_t nodes[] = {4, 5, 6, 7, CLASS_TREE_NONE};

static struct class_hierarchy hierarchy(void)
{
    static const bool is_class[] = {false, false, false, false, true, true, true, true};
    return (struct class_hierarchy){.classes = classes, .n_classes = 5, .synsets = synsets, .n_synsets = 8, .edges = edges, .n_edges = 7,
                                    .node = nodes, .tree = class_tree_make(is_class, 8, edges, 7, &unit_arena)};
}

static void is(struct sv wnid, const char *expected)
{
    const struct class_hierarchy h = hierarchy();
    struct class_level l;
    char text[256] = "";
    assert_int_equal(class_browse(&h, wnid, &unit_arena, &l, &unit_err), OK);
    for (size_t i = 0; i < l.n_above; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), SV_FMT "/", SV_ARG(l.above[i].wnid));
    }
    for (size_t i = 0; i < l.n; i++) {
        const struct class_entry *e = &l.rows[i];
        snprintf(text + strlen(text), sizeof text - strlen(text), " " SV_FMT "%s%d%s", SV_ARG(e->wnid), e->is_class ? "=" : ":", (int)e->classes,
                 e->opens ? "+" : "");
    }
    assert_string_equal(text, expected);
}

ARENA_TEST(levels)
{
    is(SV(""), " x9=1 s1:4+"); /* entity has one thing below it */
    is(SV("s1"), " s2:3+ s6=1");
    is(SV("s2"), "s1/ s4=1 s5=2+");
    is(SV("s5"), "s1/s2/ s7=1");
    is(SV("s7"), "s1/s2/s5/");
    is(SV("x9"), "");
}

ARENA_TEST(unknown)
{
    const struct class_hierarchy h = hierarchy();
    struct class_level l;
    assert_int_equal(class_browse(&h, SV("nope"), &unit_arena, &l, &unit_err), ERR_NOT_FOUND);
    assert_string_equal(unit_err.rule, "no-class");
}
