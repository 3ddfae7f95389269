/* class_browse.c - one pass over the tree for the counts, one for what is below. */
#include "experts/class_browse.h"

#include <stdlib.h>

#include "base/list.h"

struct browse {
    const struct class_hierarchy *h;
    const struct class_info **of; /* by node: the class that it is; NULL: it is none */
    int64_t *classes;             /* by node */
    struct arena *a;
};

/* Each class counts for itself and for everything above it in the tree: what nothing counts for is passed over there. */
static void count(struct browse *b)
{
    const struct class_tree *t = &b->h->tree;
    for (size_t i = 0; i < b->h->n_classes; i++) {
        uint32_t node = b->h->node[i];
        if (node == CLASS_TREE_NONE) {
            continue;
        }
        b->of[node] = &b->h->classes[i];
        for (uint32_t at = node; at != CLASS_TREE_NONE; at = t->parent[at]) {
            b->classes[at]++;
        }
    }
}

static struct class_entry entry_of(const struct browse *b, uint32_t node)
{
    const struct class_info *k = b->of[node];
    const struct synset_info *s = &b->h->synsets[node];
    const int64_t classes = b->classes[node];
    return (struct class_entry){s->wnid, k ? k->synset : s->words, k ? k->gloss : s->gloss, k != NULL, classes, classes > (k != NULL)};
}

static int lower(char k)
{
    return k >= 'A' && k <= 'Z' ? k - 'A' + 'a' : (unsigned char)k;
}

/* Names begin with capitals, words do not. */
static int words_cmp(struct sv x, struct sv y)
{
    size_t i = 0;
    while (i < x.n && i < y.n && lower(x.p[i]) == lower(y.p[i])) {
        i++;
    }
    return i < x.n && i < y.n ? lower(x.p[i]) - lower(y.p[i]) : (x.n > i) - (y.n > i);
}

static int by_words(const void *a, const void *b)
{
    const struct class_entry *x = a, *y = b;
    int c = words_cmp(x->words, y->words);
    return c ? c : sv_cmp(x->wnid, y->wnid);
}

static void take_below(const struct browse *b, uint32_t under, struct class_level *out)
{
    struct list rows = {0};
    for (uint32_t i = 0; i < b->h->n_synsets; i++) {
        if (b->h->tree.parent[i] == under && b->classes[i] > 0) {
            *LIST_ADD(&rows, b->a, struct class_entry) = entry_of(b, i);
        }
    }
    for (size_t i = 0; i < b->h->n_classes && under == CLASS_TREE_NONE; i++) {
        const struct class_info *k = &b->h->classes[i];
        if (b->h->node[i] == CLASS_TREE_NONE) {
            *LIST_ADD(&rows, b->a, struct class_entry) = (struct class_entry){k->wnid, k->synset, k->gloss, true, 1, false};
        }
    }
    if (rows.n) {
        qsort(rows.items, rows.n, sizeof(struct class_entry), by_words);
    }
    out->rows = rows.items;
    out->n = rows.n;
}

static uint32_t node_of(const struct class_hierarchy *h, struct sv wnid)
{
    for (uint32_t i = 0; i < h->n_synsets; i++) {
        if (sv_eq(h->synsets[i].wnid, wnid)) {
            return i;
        }
    }
    return CLASS_TREE_NONE;
}

static void take_above(const struct browse *b, uint32_t node, struct class_level *out)
{
    struct list above = {0};
    for (uint32_t at = b->h->tree.parent[node]; at != CLASS_TREE_NONE; at = b->h->tree.parent[at]) {
        *LIST_ADD(&above, b->a, struct class_entry) = entry_of(b, at);
    }
    struct class_entry *list = above.items;
    for (size_t i = 0; i < above.n / 2; i++) {
        struct class_entry last = list[above.n - 1 - i];
        list[above.n - 1 - i] = list[i];
        list[i] = last;
    }
    out->above = list;
    out->n_above = above.n;
}

/* A class that is in no hierarchy: nothing is above or below it. */
static enum err_code alone(const struct class_hierarchy *h, struct sv wnid, struct class_level *out, struct err *err)
{
    for (size_t i = 0; i < h->n_classes; i++) {
        const struct class_info *k = &h->classes[i];
        if (sv_eq(k->wnid, wnid)) {
            out->here = (struct class_entry){k->wnid, k->synset, k->gloss, true, 1, false};
            return OK;
        }
    }
    return err_rule(err, ERR_NOT_FOUND, "no-class", "There is no class " SV_FMT ", and none below it.", SV_ARG(wnid));
}

enum err_code class_browse(const struct class_hierarchy *h, struct sv wnid, struct arena *a, struct class_level *out,
                           struct err *err)
{
    struct browse b = {h, arena_calloc(a, (size_t)h->n_synsets + 1, sizeof *b.of), arena_calloc(a, (size_t)h->n_synsets + 1, sizeof *b.classes), a};
    uint32_t under = wnid.n ? node_of(h, wnid) : CLASS_TREE_NONE;
    *out = (struct class_level){.n = 0};
    if (wnid.n && under == CLASS_TREE_NONE) {
        return alone(h, wnid, out, err);
    }
    count(&b);
    take_below(&b, under, out);
    while (wnid.n == 0 && out->n == 1 && !out->rows[0].is_class) {
        take_below(&b, node_of(h, out->rows[0].wnid), out);
    }
    if (wnid.n) {
        take_above(&b, under, out);
        out->here = entry_of(&b, under);
    }
    return OK;
}
