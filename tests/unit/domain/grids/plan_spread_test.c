/* plan_spread_test.c - grids about potential labels: every candidate once, in chunks of one size; an order in which grids that
 * are handed out together share few images, which is a permutation and the same for the same generator. */
#include "unit.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "domain/grids/plan_spread.h"

enum { IMAGES = 4000, LABELS = 60, OF_IMAGE = 6, FAR = IMAGES + 100 };

static void one_label(struct rng *r, uint32_t label, struct plan_grid **out, size_t *n)
{
    struct plan_image images[IMAGES], controls[20];
    size_t k = 0;
    for (uint32_t i = 0; i < IMAGES; i++) {
        bool has = (i + LABELS - label) % LABELS < OF_IMAGE; /* neighbours among the labels */
        images[k] = (struct plan_image){i + 1, 0, 0};
        k += has;
    }
    for (uint32_t i = 0; i < 20; i++) {
        controls[i] = (struct plan_image){FAR + label * 20 + i, 0, 0};
    }
    const struct plan_class c = {.candidates = {images, k}, .originals = {controls, 10}, .negatives = {controls + 10, 10}};
    const struct plan_rules rules = {.answers_per_grid = 9, .once = true};
    plan_grids(&c, &rules, r, out, n);
    bool seen[IMAGES + 1] = {false};
    size_t shown = 0;
    for (size_t g = 0; g < *n; g++) {
        unsigned candidates = 0;
        for (unsigned i = 0; i < (*out)[g].n; i++) {
            if ((*out)[g].role[i] == CELL_CANDIDATE) {
                assert_false(seen[(*out)[g].image[i]]);
                seen[(*out)[g].image[i]] = true;
                candidates++;
            }
        }
        assert_int_equal((*out)[g].n - candidates, 6);
        assert_true(candidates <= PLAN_LABEL && candidates + 1 >= k / *n);
        shown += candidates;
    }
    assert_int_equal(shown, k);
    assert_int_equal(*n, (k + PLAN_LABEL - 1) / PLAN_LABEL);
}

/* How often a grid shows an image that one of the 16 before it shows. */
static size_t sharing(const struct plan_grid *const *grids, const uint32_t *order, size_t n)
{
    size_t *last = xcalloc(FAR + LABELS * 20 + 1, sizeof *last), shared = 0;
    for (size_t k = 0; k < n; k++) {
        const struct plan_grid *g = grids[order ? order[k] : k];
        for (unsigned i = 0; i < g->n; i++) {
            shared += last[g->image[i]] && last[g->image[i]] + SPREAD_WINDOW > k;
            last[g->image[i]] = k + 1;
        }
    }
    free(last);
    return shared;
}

TEST(spread_grids_share_few_images)
{
    struct plan_grid *of_label[LABELS];
    const struct plan_grid *grids[LABELS * 20];
    int64_t label[LABELS * 20];
    uint32_t order[LABELS * 20], again[LABELS * 20], drawn[LABELS * 20];
    bool there[LABELS * 20] = {false};
    size_t n = 0;
    struct rng r;
    rng_seed(&r, 7);
    for (uint32_t l = 0; l < LABELS; l++) {
        size_t some;
        one_label(&r, l, &of_label[l], &some);
        for (size_t g = 0; g < some; g++) {
            label[n] = l;
            drawn[n] = (uint32_t)n;
            grids[n++] = &of_label[l][g];
        }
    }
    rng_seed(&r, 8);
    plan_spread(grids, label, n, SPREAD_WINDOW, &r, order);
    rng_seed(&r, 8);
    plan_spread(grids, label, n, SPREAD_WINDOW, &r, again);
    assert_memory_equal(order, again, n * sizeof *order);
    for (size_t k = 0; k < n; k++) {
        assert_false(there[order[k]]);
        there[order[k]] = true;
    }
    rng_shuffle_u32(&r, drawn, n);
    size_t spread = sharing(grids, order, n), in_any = sharing(grids, drawn, n), label_by_label = sharing(grids, NULL, n);
    assert_true(spread * 3 < in_any && spread * 3 < label_by_label);
    for (uint32_t l = 0; l < LABELS; l++) {
        free(of_label[l]);
    }
    plan_spread(grids, label, 0, SPREAD_WINDOW, &r, order);
}
