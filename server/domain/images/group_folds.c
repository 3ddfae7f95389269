/* group_folds.c - union by shared words, then a greedy spread of whole groups. */
#include "domain/images/group_folds.h"

#include <stdlib.h>

#include "base/err.h"

/* ---- groups ---- */

static uint32_t root_of(uint32_t *up, uint32_t i)
{
    while (up[i] != i) {
        up[i] = up[up[i]];
        i = up[i];
    }
    return i;
}

/* The smaller place stays the root, so that groups are numbered by their first image. */
static void unite(uint32_t *up, uint32_t i, uint32_t k)
{
    uint32_t a = root_of(up, i), b = root_of(up, k);
    up[a < b ? b : a] = a < b ? a : b;
}

struct worded {
    struct sv word;
    uint32_t at;
};

static int by_word(const void *a, const void *b)
{
    const struct worded *x = a, *y = b;
    int c = sv_cmp(x->word, y->word);
    return c ? c : (x->at > y->at) - (x->at < y->at);
}

static void unite_by(const struct group_ties *ties, size_t n, size_t place, struct worded *list, uint32_t *up)
{
    size_t some = 0;
    for (size_t i = 0; i < n; i++) {
        if (ties[i].words[place].n) {
            list[some++] = (struct worded){ties[i].words[place], (uint32_t)i};
        }
    }
    qsort(list, some, sizeof *list, by_word);
    for (size_t i = 1; i < some; i++) {
        if (sv_eq(list[i].word, list[i - 1].word)) {
            unite(up, list[i].at, list[i - 1].at);
        }
    }
}

uint32_t *group_ties_join(const struct group_ties *ties, size_t n, struct arena *a, size_t *n_groups)
{
    uint32_t *up = arena_calloc(a, n + 1, sizeof *up), *out = arena_calloc(a, n + 1, sizeof *out);
    struct worded *list = arena_calloc(a, n + 1, sizeof *list);
    for (uint32_t i = 0; i < n; i++) {
        up[i] = i;
    }
    for (size_t place = 0; place < GROUP_WORDS; place++) {
        unite_by(ties, n, place, list, up);
    }
    *n_groups = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t root = root_of(up, i);
        out[i] = root == i ? (uint32_t)(*n_groups)++ : out[root];
    }
    return out;
}

/* ---- folds ---- */

struct spread {
    const struct group_member *m;
    uint32_t *first, *members; /* members of group g: from first[g] to first[g + 1] */
    uint32_t *in_cell, *in_fold;
    size_t n_cells;
    unsigned folds;
    uint8_t *out;
};
struct sized {
    uint32_t group, size, order;
};

static int by_size(const void *a, const void *b)
{
    const struct sized *x = a, *y = b;
    return x->size != y->size ? (x->size < y->size) - (x->size > y->size) : (x->order > y->order) - (x->order < y->order);
}

static void list_members(struct spread *s, size_t n, size_t n_groups, struct arena *a)
{
    uint32_t *next = arena_calloc(a, n_groups + 1, sizeof *next);
    s->first = arena_calloc(a, n_groups + 1, sizeof *s->first);
    s->members = arena_calloc(a, n + 1, sizeof *s->members);
    for (size_t i = 0; i < n; i++) {
        s->first[s->m[i].group + 1]++;
    }
    for (size_t g = 0; g < n_groups; g++) {
        s->first[g + 1] += s->first[g];
        next[g] = s->first[g];
    }
    for (uint32_t i = 0; i < n; i++) {
        s->members[next[s->m[i].group]++] = i;
    }
}

static uint64_t cost_in(const struct spread *s, uint32_t group, unsigned fold)
{
    uint64_t same = 0;
    for (uint32_t i = s->first[group]; i < s->first[group + 1]; i++) {
        same += s->in_cell[fold * s->n_cells + s->m[s->members[i]].cell];
    }
    return same << 32 | s->in_fold[fold];
}

/* `from`: the fold that is looked at first, which takes a tie. */
static void place_group(struct spread *s, uint32_t group, unsigned from)
{
    unsigned best = from;
    uint64_t least = UINT64_MAX;
    for (unsigned k = 0; k < s->folds; k++) {
        unsigned fold = (from + k) % s->folds;
        uint64_t cost = cost_in(s, group, fold);
        best = cost < least ? fold : best;
        least = cost < least ? cost : least;
    }
    for (uint32_t i = s->first[group]; i < s->first[group + 1]; i++) {
        uint32_t at = s->members[i];
        s->out[at] = (uint8_t)best;
        s->in_cell[best * s->n_cells + s->m[at].cell]++;
        s->in_fold[best]++;
    }
}

uint8_t *group_folds(const struct group_member *m, size_t n, size_t n_groups, size_t n_cells, unsigned folds,
                     struct rng *rng, struct arena *a)
{
    struct spread s = {.m = m, .n_cells = n_cells, .folds = folds};
    struct sized *order = arena_calloc(a, n_groups + 1, sizeof *order);
    uint32_t *shuffled = arena_calloc(a, n_groups + 1, sizeof *shuffled);
    BUG_IF(folds < 2 || folds > GROUP_FOLDS);
    s.out = arena_calloc(a, n + 1, sizeof *s.out);
    s.in_cell = arena_calloc(a, folds * n_cells + 1, sizeof *s.in_cell);
    s.in_fold = arena_calloc(a, folds, sizeof *s.in_fold);
    list_members(&s, n, n_groups, a);
    for (uint32_t g = 0; g < n_groups; g++) {
        shuffled[g] = g;
    }
    rng_shuffle_u32(rng, shuffled, n_groups);
    for (uint32_t g = 0; g < n_groups; g++) {
        uint32_t group = shuffled[g];
        order[g] = (struct sized){group, s.first[group + 1] - s.first[group], g};
    }
    qsort(order, n_groups, sizeof *order, by_size);
    for (size_t g = 0; g < n_groups; g++) {
        place_group(&s, order[g].group, (unsigned)rng_below(rng, folds));
    }
    return s.out;
}
