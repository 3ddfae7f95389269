/* class_groups.c - reads the hierarchy above the classes, and says for each class in which group it is. */
#include "measures/core/class_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "store/classes/superclass_lists.h"

/* ---- the hierarchy ---- */

static uint32_t find_synset(const struct class_hierarchy *h, struct sv wnid)
{
    uint32_t lo = 0, hi = h->n_synsets;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (sv_cmp(h->synsets[mid].wnid, wnid) < 0) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < h->n_synsets && sv_eq(h->synsets[lo].wnid, wnid) ? lo : CLASS_TREE_NONE;
}

static void take_edges(struct class_hierarchy *h, const struct synset_edge *edges, size_t n, struct arena *a)
{
    struct map_u64 at;
    map_u64_init(&at);
    for (uint32_t i = 0; i < h->n_synsets; i++) {
        map_u64_put(&at, (uint64_t)h->synsets[i].id, i);
    }
    h->edges = arena_calloc(a, n + 1, sizeof *h->edges);
    for (size_t i = 0; i < n; i++) {
        h->edges[h->n_edges++] = (struct class_tree_edge){map_u64_get(&at, (uint64_t)edges[i].child), map_u64_get(&at, (uint64_t)edges[i].parent)};
    }
    map_u64_release(&at);
}

/* The node of each class at a level of the tree; a class that has no node is by itself. */
static uint32_t count_groups(const struct class_hierarchy *h, uint32_t level, bool *seen)
{
    uint32_t n = 0;
    memset(seen, 0, h->n_synsets * sizeof *seen);
    for (size_t i = 0; i < h->n_classes; i++) {
        uint32_t node = h->node[i] == CLASS_TREE_NONE ? CLASS_TREE_NONE : class_tree_at(&h->tree, h->node[i], level);
        n += node == CLASS_TREE_NONE || !seen[node];
        if (node != CLASS_TREE_NONE) {
            seen[node] = true;
        }
    }
    return n;
}

static void count_levels(struct class_hierarchy *h, struct arena *a)
{
    bool *seen = arena_calloc(a, (size_t)h->n_synsets + 1, sizeof *seen);
    h->groups = arena_calloc(a, (size_t)h->tree.levels + 1, sizeof *h->groups);
    for (uint32_t level = 0; level < h->tree.levels; level++) {
        uint32_t n = count_groups(h, level, seen);
        if (n > 1 && n < h->n_classes) {
            h->first = h->levels ? h->first : level;
            h->groups[h->levels++] = n;
        }
    }
}

enum err_code class_hierarchy_read(struct db *db, struct arena *a, struct class_hierarchy *out, struct err *err)
{
    struct synset_edge *edges;
    size_t n_synsets = 0, n_edges = 0;
    *out = (struct class_hierarchy){.n_classes = 0};
    enum err_code rc = classes_list(db, a, &out->classes, &out->n_classes, err);
    rc = rc == OK ? synsets_above(db, a, &out->synsets, &n_synsets, err) : rc;
    rc = rc == OK ? synset_edges_above(db, a, &edges, &n_edges, err) : rc;
    if (rc != OK) {
        return rc;
    }
    out->n_synsets = (uint32_t)n_synsets;
    take_edges(out, edges, n_edges, a);
    bool *is_class = arena_calloc(a, n_synsets + 1, sizeof *is_class);
    out->node = arena_calloc(a, out->n_classes + 1, sizeof *out->node);
    for (size_t i = 0; i < out->n_classes; i++) {
        out->node[i] = find_synset(out, out->classes[i].wnid);
        if (out->node[i] != CLASS_TREE_NONE) {
            is_class[out->node[i]] = true;
        }
    }
    out->tree = class_tree_make(is_class, out->n_synsets, out->edges, out->n_edges, a);
    count_levels(out, a);
    return OK;
}

/* ---- groups ---- */

static void each_class(struct class_groups *g)
{
    for (uint32_t i = 0; i < g->hierarchy->n_classes; i++) {
        const struct class_info *k = &g->hierarchy->classes[i];
        g->list[i] = (struct class_group){k->wnid, k->synset, 1};
        g->of[i] = i;
    }
    g->n = (uint32_t)g->hierarchy->n_classes;
}

static int by_wnid(const void *a, const void *b)
{
    return sv_cmp(((const struct class_group *)a)->wnid, ((const struct class_group *)b)->wnid);
}

static void by_level(struct class_groups *g, uint32_t level, struct arena *a)
{
    const struct class_hierarchy *h = g->hierarchy;
    uint32_t *group = arena_calloc(a, (size_t)h->n_synsets + 1, sizeof *group); /* by node, counted from 1 */
    struct sv *own = arena_calloc(a, h->n_classes + 1, sizeof *own);
    for (size_t i = 0; i < h->n_classes; i++) {
        uint32_t node = h->node[i] == CLASS_TREE_NONE ? CLASS_TREE_NONE : class_tree_at(&h->tree, h->node[i], level);
        bool in_tree = node != CLASS_TREE_NONE;
        own[i] = in_tree ? h->synsets[node].wnid : h->classes[i].wnid;
        if (!in_tree || group[node] == 0) {
            g->list[g->n++] = (struct class_group){own[i], in_tree ? h->synsets[node].words : h->classes[i].synset, 0};
        }
        if (in_tree) {
            group[node] = 1;
        }
    }
    if (g->n) {
        qsort(g->list, g->n, sizeof *g->list, by_wnid);
    }
    for (size_t i = 0; i < h->n_classes; i++) {
        const struct class_group key = {.wnid = own[i]};
        const struct class_group *at = bsearch(&key, g->list, g->n, sizeof *g->list, by_wnid);
        g->of[i] = (uint32_t)(at - g->list);
        g->list[g->of[i]].classes++;
    }
}

/* The nearest named node above each node, of those as near the one that was named first: steps from the named ones down. */
static uint32_t *nearest_named(const struct class_hierarchy *h, const uint32_t *named, uint32_t n, struct arena *a)
{
    uint32_t *group = arena_calloc(a, (size_t)h->n_synsets + 1, sizeof *group), *way = arena_calloc(a, (size_t)h->n_synsets + 1, sizeof *way);
    bool more = true;
    for (uint32_t i = 0; i < h->n_synsets; i++) {
        group[i] = CLASS_GROUP_NONE;
    }
    for (uint32_t i = n; i-- > 0;) {
        group[named[i]] = i;
    }
    for (uint32_t round = 0; more && round < h->n_synsets; round++) {
        more = false;
        for (size_t i = 0; i < h->n_edges; i++) {
            uint32_t child = h->edges[i].child, parent = h->edges[i].parent, steps = way[parent] + 1;
            bool better = group[child] == CLASS_GROUP_NONE || steps < way[child] || (steps == way[child] && group[parent] < group[child]);
            if (group[parent] != CLASS_GROUP_NONE && better) {
                group[child] = group[parent];
                way[child] = steps;
                more = true;
            }
        }
    }
    return group;
}

static enum err_code by_names(struct class_groups *g, struct sv words, struct arena *a, struct err *err)
{
    const struct class_hierarchy *h = g->hierarchy;
    uint32_t named[CLASS_GROUPS_NAMED];
    const char separator = memchr(words.p, '+', words.n) ? '+' : ' '; /* what an address's + is read as */
    g->list = arena_calloc(a, CLASS_GROUPS_NAMED, sizeof *g->list);
    while (words.n) {
        struct sv wnid = sv_cut(&words, separator);
        uint32_t node = find_synset(h, wnid), before = class_groups_at(g, wnid);
        if (node == CLASS_TREE_NONE) {
            return err_rule(err, ERR_NOT_FOUND, "no-class", "There is no class below \"" SV_FMT "\" in the hierarchy.", SV_ARG(wnid));
        }
        if (g->n == CLASS_GROUPS_NAMED) {
            return err_rule(err, ERR_INPUT, "class-groups", "More than %d superclasses.", (int)CLASS_GROUPS_NAMED);
        }
        if (before == CLASS_GROUP_NONE) {
            named[g->n] = node;
            g->list[g->n++] = (struct class_group){h->synsets[node].wnid, h->synsets[node].words, 0};
        }
    }
    const uint32_t *group = nearest_named(h, named, g->n, a);
    for (size_t i = 0; i < h->n_classes; i++) {
        g->of[i] = h->node[i] == CLASS_TREE_NONE ? CLASS_GROUP_NONE : group[h->node[i]];
        if (g->of[i] != CLASS_GROUP_NONE) {
            g->list[g->of[i]].classes++;
        }
    }
    return OK;
}

static enum err_code find_level(const struct class_hierarchy *h, struct sv number, uint32_t *out, struct err *err)
{
    int64_t level;
    if (sv_i64(number, &level) && level >= 1 && level <= h->levels) {
        *out = h->first + (uint32_t)level - 1;
        return OK;
    }
    return h->levels == 0
               ? err_rule(err, ERR_INPUT, "class-groups",
                          "The classes have no hierarchy in which they could be grouped. Import it with `holdout import wordnet`.")
               : err_rule(err, ERR_INPUT, "class-groups", "The hierarchy of the classes has levels 1 to %u, not \"" SV_FMT "\".",
                          (unsigned)h->levels, SV_ARG(number));
}

/* `word`: a name, perhaps with a version; becomes the one with it. */
static enum err_code by_list(struct db *db, struct class_groups *g, struct sv *word, struct arena *a, struct err *err)
{
    const struct class_hierarchy *h = g->hierarchy;
    struct superclass_list_row row;
    struct superclass_member *members;
    struct map_u64 at;
    size_t n = 0;
    enum err_code rc = superclass_lists_find(db, sv_make(word->p + 1, word->n - 1), a, &row, err);
    rc = rc == OK ? superclass_members_read(db, row.id, a, &members, &n, err) : rc;
    if (rc != OK) {
        return rc;
    }
    *word = sv_of(arena_printf(a, "@" SV_FMT "/%lld", SV_ARG(row.name), (long long)row.number));
    map_u64_init(&at);
    for (size_t i = 0; i < h->n_classes; i++) {
        map_u64_put(&at, (uint64_t)h->classes[i].id, (uint32_t)i);
        g->of[i] = CLASS_GROUP_NONE;
    }
    for (size_t i = 0; i < n; i++) {
        if (g->n == 0 || !sv_eq(g->list[g->n - 1].wnid, members[i].superclass)) {
            g->list[g->n++] = (struct class_group){members[i].superclass, SV(""), 0};
        }
        g->of[map_u64_get(&at, (uint64_t)members[i].class_id)] = g->n - 1;
        g->list[g->n - 1].classes++;
    }
    map_u64_release(&at);
    return OK;
}

enum err_code class_groups_find(struct db *db, const struct class_hierarchy *h, struct sv word, struct arena *a, struct class_groups *out,
                                struct err *err)
{
    static const char prefix[] = "level:";
    uint32_t level = 0;
    enum err_code rc = OK;
    *out = (struct class_groups){.hierarchy = h,
                                 .list = arena_calloc(a, h->n_classes + 1, sizeof *out->list),
                                 .of = arena_calloc(a, h->n_classes + 1, sizeof *out->of),
                                 .of_cid = arena_calloc(a, CLASS_CIDS, sizeof *out->of_cid)};
    if (word.n == 0 || sv_is(word, "classes")) {
        each_class(out);
    } else if (sv_starts(word, prefix)) {
        rc = find_level(h, sv_make(word.p + sizeof prefix - 1, word.n - (sizeof prefix - 1)), &level, err);
        if (rc == OK) {
            by_level(out, level, a);
        }
    } else if (word.p[0] == '@') {
        rc = by_list(db, out, &word, a, err);
    } else if (memchr(word.p, '+', word.n) || memchr(word.p, ' ', word.n)) {
        rc = by_names(out, word, a, err);
    } else {
        rc = err_rule(err, ERR_INPUT, "class-groups",
                      "\"" SV_FMT "\" is no way to group classes: there are classes, level:N, wnids with + between them, and @NAME of superclasses that "
                      "are stored.",
                      SV_ARG(word));
    }
    out->word = sv_is(word, "classes") ? SV("") : word;
    memset(out->of_cid, 0xff, CLASS_CIDS * sizeof *out->of_cid); /* CLASS_GROUP_NONE */
    for (size_t i = 0; i < h->n_classes && rc == OK; i++) {
        if (h->classes[i].cid >= 0 && h->classes[i].cid < CLASS_CIDS) {
            out->of_cid[h->classes[i].cid] = out->of[i];
        }
    }
    return rc;
}

uint32_t class_groups_at(const struct class_groups *g, struct sv wnid)
{
    uint32_t i = 0;
    while (i < g->n && !sv_eq(g->list[i].wnid, wnid)) {
        i++;
    }
    return i < g->n ? i : CLASS_GROUP_NONE;
}

uint64_t class_groups_hash(const struct class_groups *g)
{
    return hash_bytes(g->of_cid, CLASS_CIDS * sizeof *g->of_cid) ^ hash_u64(g->n);
}
