/* near_duplicates_test.c - components and who survives: each line and tie of the rule by hand, then
 * the published graph. */
#include "unit.h"

#include <string.h>

#include "base/xalloc.h"
#include "domain/images/near_duplicates.h"
#include "domain/golden_files.h"
#include "domain/golden_study.h"

struct world {
    struct arena a;
    struct near_result r;
};

static void resolve(struct world *w, const struct near_image *images, size_t n,
                    const struct near_edge *edges, size_t n_edges)
{
    arena_init(&w->a, 1 << 20);
    near_duplicates_resolve(&(struct near_input){images, n, edges, n_edges, 4}, &w->a, &w->r);
}

#define RESOLVE(w, images, edges)                                                                  \
    resolve(w, images, sizeof(images) / sizeof *(images), edges, sizeof(edges) / sizeof *(edges))

/* Ranks follow the index unless a test says otherwise. */
#define IMAGE(index, class, hits, of)                                                              \
    {.rank = (index), .class_index = (class), .selected = (hits), .shown = (of)}

TEST(components)
{
    static const struct near_image images[] = {
        IMAGE(0, 0, 0, 0), IMAGE(1, 0, 0, 0), IMAGE(2, 0, 0, 0), IMAGE(3, 0, 0, 0),
        {.rank = 4, .source = 77}, {.rank = 5}, {.rank = 6, .source = 77}, {.rank = 7, .source = 78},
    };
    static const struct near_edge edges[] = {
        {3, 1}, {1, 3}, {1, 0}, {5, 5}, {2, NEAR_NONE}, {8, 2}, {2, 9},
    };
    struct world w;
    RESOLVE(&w, images, edges);
    assert_int_equal(w.r.n_components, 2);
    assert_int_equal(w.r.components[0].n, 3);
    static const uint32_t members[] = {0, 1, 3, 4, 6}, component[] = {0, 0, NEAR_NONE, 0, 1, NEAR_NONE, 1,
                                                                      NEAR_NONE};
    assert_memory_equal(w.r.members, members, sizeof members);
    assert_memory_equal(w.r.component, component, sizeof component);
    assert_int_equal(w.r.n_unknown, 3);
    static const uint32_t unknown[] = {4, 5, 6};
    assert_memory_equal(w.r.unknown, unknown, sizeof unknown);
    assert_false(w.r.out[2]);
    assert_int_equal(w.r.n_out, 3);
    arena_release(&w.a);
}

TEST(nothing)
{
    struct world w;
    resolve(&w, NULL, 0, NULL, 0);
    assert_int_equal(w.r.n_components + w.r.n_out + w.r.n_unknown, 0);
    arena_release(&w.a);
}

/* Components come in order of their first name, members in order of names, whatever their indices. */
TEST(order_of_names)
{
    static const struct near_image images[] = {{.rank = 9}, {.rank = 3}, {.rank = 7}, {.rank = 1}};
    static const struct near_edge edges[] = {{0, 1}, {2, 3}};
    static const uint32_t members[] = {1, 0, 3, 2};
    struct world w;
    RESOLVE(&w, images, edges);
    assert_int_equal(w.r.members[w.r.components[0].first], 3);
    assert_int_equal(w.r.members[w.r.components[1].first], 1);
    assert_int_equal(w.r.component[0], 1);
    assert_int_equal(w.r.component[2], 0);
    assert_memory_equal(w.r.members, members, sizeof members);
    arena_release(&w.a);
}

/* A pair or more, connected in a row, and who is to survive by which rule. */
static void assert_survivor(const struct near_image *images, size_t n, uint32_t survivor,
                            enum near_rule rule)
{
    struct near_edge edges[8];
    struct world w;
    /* Those that stand alone only count for their class. */
    size_t connected = n;
    while (connected > 0 && images[connected - 1].source == 1) {
        connected--;
    }
    for (uint32_t i = 0; i + 1 < connected; i++) {
        edges[i] = (struct near_edge){i + 1, i};
    }
    struct near_image copy[8];
    assert_true(n <= 8);
    memcpy(copy, images, n * sizeof *copy);
    for (size_t i = connected; i < n; i++) {
        copy[i].source = 0;
    }
    resolve(&w, copy, n, edges, connected - 1);
    assert_int_equal(w.r.n_components, 1);
    assert_int_equal(w.r.components[0].rule, rule);
    assert_int_equal(w.r.components[0].survivor, survivor);
    for (uint32_t i = 0; i < connected; i++) {
        assert_int_equal(w.r.out[i], i != survivor && !images[i].original &&
                                         (rule != NEAR_KEPT || !images[i].keep));
    }
    arena_release(&w.a);
}

#define SURVIVOR(images, survivor, rule)                                                           \
    assert_survivor(images, sizeof(images) / sizeof *(images), survivor, rule)
/* Not of the component. */
#define ALONE(index, class, hits, of)                                                              \
    {.rank = (index), .class_index = (class), .selected = (hits), .shown = (of), .source = 1}

TEST(original)
{
    /* Neither a decision to keep nor a class that nobody knows changes that. */
    static const struct near_image images[] = {
        {.rank = 0, .selected = 10, .shown = 10, .keep = true},
        {.rank = 1, .original = true, .class_index = UINT32_MAX},
        IMAGE(2, 1, 9, 10)};
    SURVIVOR(images, NEAR_NONE, NEAR_ORIGINAL);
}

TEST(kept)
{
    static const struct near_image one[] = {
        IMAGE(0, 0, 10, 10), {.rank = 1, .keep = true, .blacklisted = true}};
    static const struct near_image two[] = {
        IMAGE(0, 0, 10, 10), {.rank = 2, .keep = true}, {.rank = 1, .keep = true}};
    SURVIVOR(one, 1, NEAR_KEPT);
    SURVIVOR(two, 2, NEAR_KEPT); /* both stay; named is the first */
}

TEST(one_class)
{
    static const struct near_image best[] = {IMAGE(0, 0, 8, 10), IMAGE(1, 0, 9, 10), IMAGE(2, 0, 7, 10)};
    static const struct near_image tie[] = {IMAGE(0, 0, 14, 20), IMAGE(5, 0, 7, 10), IMAGE(3, 0, 7, 10)};
    static const struct near_image blacklisted[] = {
        {.rank = 9, .selected = 10, .shown = 10, .blacklisted = true}, IMAGE(1, 0, 1, 10)};
    static const struct near_image zeros[] = {
        IMAGE(0, 0, 0, 10), {.rank = 2, .selected = 10, .shown = 10, .blacklisted = true}, IMAGE(1, 0, 0, 0)};
    SURVIVOR(best, 1, NEAR_GOOD);
    SURVIVOR(tie, 1, NEAR_GOOD); /* the later name */
    SURVIVOR(blacklisted, 1, NEAR_BEST);
    SURVIVOR(zeros, 1, NEAR_BEST); /* all are 0: the later name, blacklisted or not */
}

TEST(classes)
{
    /* Class 1 has fewer good candidates, so it gets the image although class 0's is better. */
    static const struct near_image scarce[] = {IMAGE(0, 0, 10, 10), IMAGE(1, 1, 7, 10), ALONE(2, 0, 7, 10)};
    static const struct near_image just[] = {IMAGE(0, 0, 7, 10), IMAGE(1, 1, 7, 10), ALONE(2, 0, 7, 10)};
    static const struct near_image even[] = {IMAGE(0, 1, 10, 10), IMAGE(1, 0, 7, 10)};
    /* Neither blacklisted ones nor those below .7 are good. */
    static const struct near_image bad[] = {
        IMAGE(0, 0, 7, 10), IMAGE(1, 1, 7, 10), ALONE(2, 0, 69, 100),
        {.rank = 3, .selected = 10, .shown = 10, .blacklisted = true, .source = 1},
        ALONE(4, 1, 7, 10)};
    /* Within the class the best one, also when another class's is better. */
    static const struct near_image within[] = {
        IMAGE(0, 1, 10, 10), IMAGE(1, 0, 7, 10), IMAGE(2, 0, 8, 10), IMAGE(3, 0, 1, 10), ALONE(4, 1, 7, 10),
        ALONE(5, 1, 7, 10)};
    SURVIVOR(scarce, 1, NEAR_GOOD);
    SURVIVOR(just, 1, NEAR_GOOD); /* .7 counts as good */
    SURVIVOR(even, 1, NEAR_GOOD); /* the earlier class */
    SURVIVOR(bad, 0, NEAR_GOOD);
    SURVIVOR(within, 2, NEAR_GOOD);
}

TEST(thresholds)
{
    /* .7 is good, .6 is fair, and what is good leaves no room for what is fair. */
    static const struct near_image good[] = {IMAGE(0, 1, 7, 10), IMAGE(1, 0, 69, 100)};
    static const struct near_image fair[] = {IMAGE(0, 1, 6, 10), IMAGE(1, 0, 59, 100)};
    /* Fair: the class with the fewest good ones; here both have none, so the earlier. */
    static const struct near_image both[] = {IMAGE(0, 1, 65, 100), IMAGE(1, 0, 6, 10)};
    static const struct near_image best[] = {IMAGE(0, 1, 5, 10), IMAGE(1, 0, 4, 10)};
    static const struct near_image tie[] = {IMAGE(0, 2, 5, 10), IMAGE(1, 0, 5, 10)};
    SURVIVOR(good, 0, NEAR_GOOD);
    SURVIVOR(fair, 0, NEAR_FAIR);
    SURVIVOR(both, 1, NEAR_FAIR);
    SURVIVOR(best, 0, NEAR_BEST);
    SURVIVOR(tie, 0, NEAR_BEST); /* the later class */
}

TEST(name)
{
    static const struct sv ab[] = {{"a", 1}, {"b", 1}}, abc[] = {{"a", 1}, {"b", 1}, {"c", 1}};
    struct arena a;
    arena_init(&a, 1 << 16);
    assert_true(sv_is(near_component_text(abc, 3, &a), "a,b,c"));
    assert_string_equal(near_component_name(ab, 2, &a), near_component_name(abc, 2, &a));
    assert_string_not_equal(near_component_name(ab, 2, &a), near_component_name(abc, 3, &a));
    assert_string_equal(near_component_name(abc, 1, &a), "af63dc4c8601ec8c"); /* FNV-1a of "a" */
    arena_release(&a);
}

/* ---- The published graph --------------------------------------------------------------------------- */

/* MD5 of each line, as the published component names are made; nothing of ours has MD5. */
static struct sv md5_lines(const struct str *lines, struct arena *a)
{
    char *folder = unit_folder();
    unit_write(folder, "components", lines->p, lines->n);
    const char *script = "const { createHash } = require('crypto');"
                         "for (const line of require('fs').readFileSync(process.argv[1], 'utf8')"
                         ".trimEnd().split('\\n'))"
                         " console.log(createHash('md5').update(line).digest('hex'));";
    const char *path = fs_join(a, folder, "components");
    struct sv out = golden_run((const char *const[]){"node", "-e", script, path, NULL}, a);
    unit_remove(folder);
    return out;
}

/* The graph of the published edges alone: every name is an image. */
struct edge_graph {
    struct map_sv names;
    struct sv *name;
    struct near_image *images;
    struct near_edge *edges;
    size_t n, n_edges, name_cap, images_cap, edges_cap;
};

static uint32_t graph_end(struct edge_graph *g, struct sv name, struct arena *a)
{
    uint32_t i = map_sv_put(&g->names, name, (uint32_t)g->n);
    if (i == g->n) {
        xgrow(&g->name, &g->name_cap, g->n + 1, sizeof *g->name);
        xgrow(&g->images, &g->images_cap, g->n + 1, sizeof *g->images);
        g->name[g->n] = arena_sv(a, name);
        g->images[g->n++] = (struct near_image){.original = study_imagenet(name)};
    }
    return i;
}

static void graph_read(struct edge_graph *g, const char *golden, struct arena *a)
{
    struct csv c;
    *g = (struct edge_graph){0};
    map_sv_init(&g->names);
    golden_table(golden, "review/near_duplicate_edges.csv", &c, a);
    while (golden_row(&c)) {
        xgrow(&g->edges, &g->edges_cap, g->n_edges + 1, sizeof *g->edges);
        uint32_t x = graph_end(g, golden_cell(&c, "a"), a);
        g->edges[g->n_edges++] = (struct near_edge){x, graph_end(g, golden_cell(&c, "b"), a)};
    }
    csv_close(&c);
    study_rank(g->name, g->images, g->n);
}

static void graph_release(struct edge_graph *g)
{
    map_sv_release(&g->names);
    free(g->name);
    free(g->images);
    free(g->edges);
}

static struct sv members_text(const struct edge_graph *g, const struct near_result *r,
                              const struct near_component *c, struct arena *a)
{
    struct sv *names = arena_alloc(a, c->n * sizeof *names);
    for (uint32_t i = 0; i < c->n; i++) {
        names[i] = g->name[r->members[c->first + i]];
    }
    return near_component_text(names, c->n, a);
}

TEST(published_components)
{
    const char *golden = unit_golden();
    struct arena a;
    struct edge_graph g;
    struct near_result r;
    struct map_sv md5;
    struct str lines;
    struct csv c;
    if (!golden) {
        skip();
    }
    arena_init(&a, 64 << 20);
    str_init(&lines, 8 << 20);
    map_sv_init(&md5);
    graph_read(&g, golden, &a);
    near_duplicates_resolve(&(struct near_input){g.images, g.n, g.edges, g.n_edges, 1}, &a, &r);
    assert_int_equal(g.n_edges, 16361);
    assert_int_equal(r.n_components, 4444);
    assert_int_equal(r.n_unknown, 0);
    for (size_t k = 0; k < r.n_components; k++) {
        str_addsv(&lines, members_text(&g, &r, &r.components[k], &a));
        str_addc(&lines, '\n');
    }
    struct sv rest = md5_lines(&lines, &a);
    for (uint32_t k = 0; k < r.n_components; k++) {
        assert_int_equal(map_sv_put(&md5, sv_cut(&rest, '\n'), k), k);
    }
    golden_table(golden, "expected/near_duplicate_components.csv", &c, &a);
    size_t rows = 0, with_originals = 0;
    for (; golden_row(&c); rows++) {
        uint32_t k = map_sv_get(&md5, golden_cell(&c, "md5_of_sorted_ids"));
        assert_true(k < r.n_components);
        assert_int_equal(r.components[k].n, golden_number(&c, "size"));
        assert_int_equal(r.components[k].originals, golden_number(&c, "n_imagenet"));
        with_originals += r.components[k].originals > 0;
        assert_true(sv_eq(g.name[r.members[r.components[k].first]], golden_cell(&c, "first_id")));
    }
    csv_close(&c);
    assert_int_equal(rows, 4444);
    assert_int_equal(with_originals, 106);
    graph_release(&g);
    map_sv_release(&md5);
    str_release(&lines);
    arena_release(&a);
}
