/* gaps.c - the gap on common classes. Its intervals: gap_bootstrap.c. */
#include "domain/scores/gaps.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "domain/scores/gaps_private.h"
#include "domain/scores/score_table.h"

const char gap_method[] = "paired bootstrap of images within class";

void gap_table_make(const struct gap_ask *ask, struct gap_table *t)
{
    const struct gap_set *sets[GAP_SIDES] = {&ask->original, &ask->fresh};
    struct map_u64 at;
    size_t cap = 0;
    *t = (struct gap_table){.n = 0};
    map_u64_init(&at);
    for (int side = 0; side < GAP_SIDES; side++) {
        const struct gap_set *s = sets[side];
        t->class_at[side] = xcalloc((size_t)s->n + 1, sizeof *t->class_at[side]);
        for (uint32_t i = 0; i < s->n; i++) {
            uint32_t k = map_u64_put(&at, s->class_id[i], t->n);
            if (k == t->n) {
                xgrow(&t->classes, &cap, (size_t)t->n + 1, sizeof *t->classes);
                t->classes[t->n++] = (struct gap_class){.n = {0, 0}};
            }
            t->classes[k].n[side]++;
            t->class_at[side][i] = k;
        }
    }
    map_u64_release(&at);
}

void gap_table_release(struct gap_table *t)
{
    free(t->classes);
    free(t->class_at[GAP_ORIGINAL]);
    free(t->class_at[GAP_FRESH]);
}

static uint32_t count_shared(const struct gap_ask *ask)
{
    struct map_u64 seen;
    uint32_t n = 0;
    map_u64_init(&seen);
    for (uint32_t i = 0; i < ask->original.n; i++) {
        map_u64_put(&seen, ask->original.image[i], i);
    }
    for (uint32_t i = 0; i < ask->fresh.n; i++) {
        n += map_u64_get(&seen, ask->fresh.image[i]) != MAP_NONE;
    }
    map_u64_release(&seen);
    return n;
}

/* Whether the common classes have the same shares in both sets: n_o / N_o = n_w / N_w, in integers. */
static bool same_shares(const struct gap_table *t, const struct gap_classes *c)
{
    for (uint32_t k = 0; k < t->n; k++) {
        const struct gap_class *g = &t->classes[k];
        if (gap_is_common(g) && (uint64_t)g->n[GAP_ORIGINAL] * c->fresh_images !=
                                    (uint64_t)g->n[GAP_FRESH] * c->original_images) {
            return false;
        }
    }
    return true;
}

static void count_classes(const struct gap_table *t, struct gap_classes *c)
{
    for (uint32_t k = 0; k < t->n; k++) {
        const struct gap_class *g = &t->classes[k];
        bool common = gap_is_common(g);
        c->original += g->n[GAP_ORIGINAL] > 0;
        c->fresh += g->n[GAP_FRESH] > 0;
        c->common += common;
        c->original_images += common ? g->n[GAP_ORIGINAL] : 0;
        c->fresh_images += common ? g->n[GAP_FRESH] : 0;
    }
}

/* One model: right[class] on a side. */
static void count_right(const struct gap_set *s, const struct gap_table *t, enum gap_side side,
                        size_t model, uint32_t *right)
{
    const unsigned char *row = s->right + model * s->n;
    for (uint32_t k = 0; k < t->n; k++) {
        right[k] = 0;
    }
    for (uint32_t i = 0; i < s->n; i++) {
        right[t->class_at[side][i]] += row[i];
    }
}

static uint32_t common_right(const struct gap_table *t, const uint32_t *right)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < t->n; k++) {
        n += gap_is_common(&t->classes[k]) ? right[k] : 0;
    }
    return n;
}

/* The new set's accuracy with the originals' class shares. */
static double weighted(const struct gap_table *t, const struct gap_classes *c, const uint32_t *right)
{
    double sum = 0;
    for (uint32_t k = 0; k < t->n; k++) {
        const struct gap_class *g = &t->classes[k];
        if (gap_is_common(g)) {
            sum += (double)g->n[GAP_ORIGINAL] * ((double)right[k] / g->n[GAP_FRESH]);
        }
    }
    return c->original_images ? 100 * (sum / c->original_images) : 0;
}

void gap_points(const struct gap_ask *ask, struct gap_classes *classes, struct gap_line *lines)
{
    struct gap_table t;
    gap_table_make(ask, &t);
    *classes = (struct gap_classes){.shared = count_shared(ask)};
    count_classes(&t, classes);
    bool pooled = same_shares(&t, classes);
    classes->same =
        pooled && classes->common == classes->original && classes->common == classes->fresh;
    uint32_t *right = xcalloc((size_t)t.n + 1, sizeof *right);
    for (size_t m = 0; m < ask->n_models; m++) {
        struct gap_line *l = &lines[m];
        *l = (struct gap_line){.gap = 0};
        count_right(&ask->original, &t, GAP_ORIGINAL, m, right);
        l->original_acc = score_percent(common_right(&t, right), classes->original_images);
        count_right(&ask->fresh, &t, GAP_FRESH, m, right);
        l->fresh_acc = pooled ? score_percent(common_right(&t, right), classes->fresh_images)
                              : weighted(&t, classes, right);
        l->gap = l->original_acc - l->fresh_acc;
    }
    free(right);
    gap_table_release(&t);
}
