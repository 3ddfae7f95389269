/* class_pairs.c - pairs of classes, counted in a map from both ids. */
#include <stdlib.h>

#include "base/list.h"
#include "base/map.h"
#include "domain/labels/image_labels.h"

static uint64_t key_of(uint32_t a, uint32_t b) { return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a; }

/* Images by a class id. */
struct class_counts {
    struct map_u64 at;
    struct list n; /* uint32_t */
};

static void count(struct class_counts *c, uint32_t id, struct arena *a)
{
    uint32_t next = (uint32_t)c->n.n, at = map_u64_put(&c->at, id, next);
    if (at == next) {
        LIST_ADD(&c->n, a, uint32_t);
    }
    ((uint32_t *)c->n.items)[at]++;
}

static uint32_t counted(const struct class_counts *c, uint32_t id)
{
    uint32_t at = map_u64_get(&c->at, id);
    return at == MAP_NONE ? 0 : ((const uint32_t *)c->n.items)[at];
}

static int by_ids(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return a != c ? (a > c) - (a < c) : (b > d) - (b < d);
}

/* ---- together ---- */

static int by_images(const void *a, const void *b)
{
    const struct together_pair *x = a, *y = b;
    return x->images != y->images ? (x->images < y->images) - (x->images > y->images) : by_ids(x->a, x->b, y->a, y->b);
}

struct together_pair *pairs_together(const struct image_list *images, uint32_t least, struct arena *a, size_t *n)
{
    struct class_counts counts = {0};
    struct map_u64 at = {0};
    struct list all = {0};
    for (size_t i = 0; i < images->n; i++) {
        const struct image_labels *im = &images->at[i];
        for (uint32_t x = 0; x < im->n; x++) {
            count(&counts, im->names[x], a);
            for (uint32_t y = 0; y < x; y++) {
                uint64_t key = key_of(im->names[x], im->names[y]);
                uint32_t next = (uint32_t)all.n, pair = map_u64_put(&at, key, next);
                if (pair == next) {
                    *LIST_ADD(&all, a, struct together_pair) =
                        (struct together_pair){(uint32_t)(key >> 32), (uint32_t)key, 0, 0, 0};
                }
                ((struct together_pair *)all.items)[pair].images++;
            }
        }
    }
    struct together_pair *pairs = all.items;
    *n = 0;
    for (size_t i = 0; i < all.n; i++) {
        if (pairs[i].images >= least) {
            pairs[i].n_a = counted(&counts, pairs[i].a);
            pairs[i].n_b = counted(&counts, pairs[i].b);
            pairs[(*n)++] = pairs[i];
        }
    }
    if (*n) {
        qsort(pairs, *n, sizeof *pairs, by_images);
    }
    map_u64_release(&at);
    map_u64_release(&counts.at);
    return pairs;
}

/* ---- confused ---- */

static uint32_t confusions(const struct confused_pair *p) { return p->a_as_b + p->b_as_a; }

static int by_confusions(const void *a, const void *b)
{
    const struct confused_pair *x = a, *y = b;
    uint32_t p = confusions(x), q = confusions(y);
    return p != q ? (p < q) - (p > q) : by_ids(x->a, x->b, y->a, y->b);
}

struct confused_pair *pairs_confused(const struct image_list *images, uint32_t least, double share, struct arena *a,
                                     size_t *n)
{
    struct class_counts counts = {0};
    struct map_u64 at = {0};
    struct list all = {0};
    for (size_t i = 0; i < images->n; i++) {
        uint32_t label = images->at[i].label, main = images->at[i].main;
        count(&counts, label, a);
        if (label == main) {
            continue;
        }
        uint64_t key = key_of(label, main);
        uint32_t next = (uint32_t)all.n, pair = map_u64_put(&at, key, next);
        if (pair == next) {
            *LIST_ADD(&all, a, struct confused_pair) =
                (struct confused_pair){(uint32_t)(key >> 32), (uint32_t)key, 0, 0, 0, 0};
        }
        struct confused_pair *p = (struct confused_pair *)all.items + pair;
        p->a_as_b += label < main;
        p->b_as_a += label > main;
    }
    struct confused_pair *pairs = all.items;
    *n = 0;
    for (size_t i = 0; i < all.n; i++) {
        pairs[i].n_a = counted(&counts, pairs[i].a);
        pairs[i].n_b = counted(&counts, pairs[i].b);
        uint32_t k = confusions(&pairs[i]), both = pairs[i].n_a + pairs[i].n_b;
        if (k >= least && (double)k >= share * both) {
            pairs[(*n)++] = pairs[i];
        }
    }
    if (*n) {
        qsort(pairs, *n, sizeof *pairs, by_confusions);
    }
    map_u64_release(&at);
    map_u64_release(&counts.at);
    return pairs;
}

struct pair_accuracy pair_accuracy(uint32_t a, uint32_t b, const uint32_t *labels, const uint32_t *answers, size_t n)
{
    struct pair_accuracy p = {0};
    for (size_t i = 0; i < n; i++) {
        if (labels[i] == a || labels[i] == b) {
            p.images++;
            p.correct += answers[i] == labels[i];
            p.in_pair += answers[i] == a || answers[i] == b;
        }
    }
    return p;
}

/* ---- found in each other's images ---- */

struct found_sum { /* over the images of one class, of one class that people were asked about */
    double sum;
    uint32_t asked;
};

static double mean(const struct found_sum *sums, const struct map_u64 *at, uint32_t label, uint32_t found,
                   uint32_t images, uint32_t *asked)
{
    uint32_t i = map_u64_get(at, (uint64_t)label << 32 | found);
    *asked += i == MAP_NONE ? 0 : sums[i].asked;
    return i == MAP_NONE ? 0 : sums[i].sum / images;
}

static double least_mean(const struct found_pair *p)
{
    double least = p->a_in_a;
    least = p->b_in_a < least ? p->b_in_a : least;
    least = p->b_in_b < least ? p->b_in_b : least;
    return p->a_in_b < least ? p->a_in_b : least;
}

static int by_least_mean(const void *a, const void *b)
{
    const struct found_pair *x = a, *y = b;
    double p = least_mean(x), q = least_mean(y);
    return p != q ? (p < q) - (p > q) : by_ids(x->a, x->b, y->a, y->b);
}

struct found_pair *pairs_found(const uint32_t *labels, size_t n_images, const struct found_label *found, size_t n_found,
                               double least, struct arena *a, size_t *n)
{
    struct class_counts counts = {0};
    struct map_u64 at = {0}; /* the images' class and the one that was asked about -> index of sums */
    struct map_u64 done = {0};
    struct list sums = {0}, pairs = {0};
    for (size_t i = 0; i < n_images; i++) {
        count(&counts, labels[i], a);
    }
    for (size_t i = 0; i < n_found; i++) {
        uint32_t next = (uint32_t)sums.n,
                 sum = map_u64_put(&at, (uint64_t)labels[found[i].image] << 32 | found[i].class_id, next);
        if (sum == next) {
            LIST_ADD(&sums, a, struct found_sum);
        }
        struct found_sum *s = (struct found_sum *)sums.items + sum;
        s->sum += found[i].shown ? (double)found[i].selected / found[i].shown : 0;
        s->asked += found[i].shown > 0;
    }
    for (size_t i = 0; i < n_found; i++) {
        uint32_t x = labels[found[i].image], y = found[i].class_id, unused = 0, asked = 0;
        struct found_pair p = {.a = x, .b = y, .n_a = counted(&counts, x), .n_b = counted(&counts, y)};
        if (x == y || p.n_b == 0 || map_u64_put(&done, key_of(x, y), (uint32_t)i) != i) {
            continue;
        }
        if (x > y) {
            p = (struct found_pair){.a = y, .b = x, .n_a = p.n_b, .n_b = p.n_a};
        }
        p.a_in_a = mean(sums.items, &at, p.a, p.a, p.n_a, &unused);
        p.b_in_a = mean(sums.items, &at, p.a, p.b, p.n_a, &asked);
        p.b_in_b = mean(sums.items, &at, p.b, p.b, p.n_b, &unused);
        p.a_in_b = mean(sums.items, &at, p.b, p.a, p.n_b, &asked);
        p.asked = (double)asked / (p.n_a + p.n_b);
        if (least_mean(&p) >= least) {
            *LIST_ADD(&pairs, a, struct found_pair) = p;
        }
    }
    *n = pairs.n;
    if (pairs.n) {
        qsort(pairs.items, pairs.n, sizeof(struct found_pair), by_least_mean);
    }
    map_u64_release(&at);
    map_u64_release(&done);
    map_u64_release(&counts.at);
    return pairs.items;
}
