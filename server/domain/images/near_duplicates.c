/* near_duplicates.c - components by union-find, and who of each survives. */
#include "domain/images/near_duplicates.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"

const char *const near_rules[NEAR_RULES] = {"original", "kept", "good", "fair", "best"};

static const double GOOD = 0.7, FAIR = 0.7 - 0.1; /* written so by the authors: the last bit counts */

struct work {
    const struct near_input *in;
    struct near_result *out;
    uint32_t *parent; /* union-find; a root is its own */
    uint32_t *good;   /* per class: candidates of at least .7 */
};

static uint32_t root_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* The lower index becomes the root: with halved ways that is fast enough without ranks. */
static void join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = root_of(parent, a);
    b = root_of(parent, b);
    parent[a > b ? a : b] = a > b ? b : a;
}

static void join_edges(struct work *w)
{
    const struct near_input *in = w->in;
    for (size_t i = 0; i < in->n_edges; i++) {
        const struct near_edge *e = &in->edges[i];
        if (e->a >= in->n_images || e->b >= in->n_images) {
            w->out->unknown[w->out->n_unknown++] = (uint32_t)i;
        } else if (e->a != e->b) { /* alone with itself it is no component */
            join(w->parent, e->a, e->b);
        }
    }
}

static void join_sources(struct work *w)
{
    struct map_u64 first;
    map_u64_init(&first);
    for (uint32_t i = 0; i < w->in->n_images; i++) {
        uint64_t source = w->in->images[i].source;
        if (source) {
            join(w->parent, map_u64_put(&first, source, i), i);
        }
    }
    map_u64_release(&first);
}

static int by_rank(const void *a, const void *b, void *work)
{
    const struct near_image *list = ((const struct work *)work)->in->images;
    uint32_t x = list[*(const uint32_t *)a].rank, y = list[*(const uint32_t *)b].rank;
    return x < y ? -1 : x > y;
}

static int by_first_rank(const void *a, const void *b, void *work)
{
    const struct work *w = work;
    const struct near_component *x = a, *y = b;
    uint32_t i = w->in->images[w->out->members[x->first]].rank;
    uint32_t j = w->in->images[w->out->members[y->first]].rank;
    return i < j ? -1 : i > j;
}

/* Roots with more than themselves get a number and a stretch of `members`, in order of index. */
static size_t count_members(struct work *w, struct arena *a)
{
    size_t n = w->in->n_images, total = 0, components = 0;
    uint32_t *size = arena_calloc(a, n + 1, sizeof *size);
    for (uint32_t i = 0; i < n; i++) {
        size[root_of(w->parent, i)]++;
    }
    for (size_t i = 0; i < n; i++) {
        components += size[i] > 1;
    }
    w->out->components = arena_calloc(a, components + 1, sizeof *w->out->components);
    for (uint32_t i = 0; i < n; i++) {
        w->out->component[i] = NEAR_NONE;
        if (size[i] > 1) {
            w->out->component[i] = (uint32_t)w->out->n_components;
            w->out->components[w->out->n_components++].first = (uint32_t)total;
            total += size[i];
        }
    }
    return total;
}

static void collect(struct work *w, struct arena *a)
{
    struct near_result *out = w->out;
    size_t n = w->in->n_images;
    out->members = arena_alloc(a, (count_members(w, a) + 1) * sizeof *out->members);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t number = out->component[root_of(w->parent, i)];
        out->component[i] = number;
        if (number != NEAR_NONE) {
            struct near_component *c = &out->components[number];
            out->members[c->first + c->n++] = i;
            c->originals += w->in->images[i].original;
        }
    }
    for (size_t k = 0; k < out->n_components; k++) {
        struct near_component *c = &out->components[k];
        qsort_r(out->members + c->first, c->n, sizeof *out->members, by_rank, w);
    }
    qsort_r(out->components, out->n_components, sizeof *out->components, by_first_rank, w);
    for (uint32_t k = 0; k < out->n_components; k++) {
        for (uint32_t i = 0; i < out->components[k].n; i++) {
            out->component[out->members[out->components[k].first + i]] = k;
        }
    }
}

/* What resolution takes for an image's frequency. */
static double score(const struct near_image *i)
{
    return i->blacklisted || i->shown == 0 ? 0 : (double)i->selected / i->shown;
}

static void count_good(struct work *w)
{
    for (size_t i = 0; i < w->in->n_images; i++) {
        const struct near_image *image = &w->in->images[i];
        BUG_IF(image->selected > image->shown);
        if (!image->original) {
            BUG_IF(image->class_index >= w->in->n_classes);
            w->good[image->class_index] += score(image) >= GOOD;
        }
    }
}

/* The best of the component by (frequency, name), of one class, or of all with NEAR_NONE, when it is
 * by (frequency, class). NEAR_NONE: none. */
static uint32_t best(const struct work *w, const struct near_component *c, uint32_t class_index)
{
    uint32_t found = NEAR_NONE;
    for (uint32_t k = 0; k < c->n; k++) { /* by rank: an equal one that comes later is better */
        uint32_t i = w->out->members[c->first + k];
        const struct near_image *image = &w->in->images[i];
        const struct near_image *old = found == NEAR_NONE ? NULL : &w->in->images[found];
        if (class_index != NEAR_NONE && image->class_index != class_index) {
            continue;
        }
        if (!old || score(image) > score(old) ||
            (score(image) >= score(old) &&
             (class_index != NEAR_NONE || image->class_index > old->class_index))) {
            found = i;
        }
    }
    return found;
}

/* The class, of those with a member that scores at least `least`, with the fewest good candidates. */
static uint32_t scarcest(const struct work *w, const struct near_component *c, double least)
{
    uint32_t found = NEAR_NONE;
    for (uint32_t k = 0; k < c->n; k++) {
        const struct near_image *image = &w->in->images[w->out->members[c->first + k]];
        uint32_t class_index = image->class_index;
        if (score(image) >= least &&
            (found == NEAR_NONE || w->good[class_index] < w->good[found] ||
             (w->good[class_index] == w->good[found] && class_index < found))) {
            found = class_index;
        }
    }
    return found;
}

static void choose(const struct work *w, struct near_component *c)
{
    uint32_t class_index = scarcest(w, c, GOOD);
    c->rule = NEAR_GOOD;
    if (class_index == NEAR_NONE) {
        class_index = scarcest(w, c, FAIR);
        c->rule = NEAR_FAIR;
    }
    if (class_index == NEAR_NONE) {
        class_index = w->in->images[best(w, c, NEAR_NONE)].class_index;
        c->rule = NEAR_BEST;
    }
    c->survivor = best(w, c, class_index);
}

static void resolve(struct work *w, struct near_component *c)
{
    uint32_t kept = 0;
    c->survivor = NEAR_NONE;
    for (uint32_t k = 0; k < c->n; k++) {
        uint32_t i = w->out->members[c->first + k];
        if (w->in->images[i].keep && kept++ == 0) {
            c->survivor = i;
        }
    }
    if (c->originals) {
        c->rule = NEAR_ORIGINAL;
        c->survivor = NEAR_NONE;
    } else if (kept) {
        c->rule = NEAR_KEPT;
    } else {
        choose(w, c);
    }
    for (uint32_t k = 0; k < c->n; k++) {
        uint32_t i = w->out->members[c->first + k];
        const struct near_image *image = &w->in->images[i];
        bool stays = image->original || i == c->survivor || (c->rule == NEAR_KEPT && image->keep);
        w->out->out[i] = !stays;
        w->out->n_out += !stays;
    }
}

void near_duplicates_resolve(const struct near_input *in, struct arena *a, struct near_result *out)
{
    BUG_IF(in->n_images >= NEAR_NONE || in->n_edges >= NEAR_NONE);
    *out = (struct near_result){0};
    struct work w = {.in = in, .out = out};
    out->component = arena_alloc(a, (in->n_images + 1) * sizeof *out->component);
    out->out = arena_calloc(a, in->n_images + 1, sizeof *out->out);
    out->unknown = arena_alloc(a, (in->n_edges + 1) * sizeof *out->unknown);
    w.parent = arena_alloc(a, (in->n_images + 1) * sizeof *w.parent);
    w.good = arena_calloc(a, (size_t)in->n_classes + 1, sizeof *w.good);
    for (uint32_t i = 0; i < in->n_images; i++) {
        w.parent[i] = i;
    }
    join_edges(&w);
    join_sources(&w);
    collect(&w, a);
    count_good(&w);
    for (size_t k = 0; k < out->n_components; k++) {
        resolve(&w, &out->components[k]);
    }
}

bool near_name_of_imagenet(struct sv name)
{
    size_t at = 1;
    while (at < name.n && name.p[at] >= '0' && name.p[at] <= '9') {
        at++;
    }
    return sv_starts(name, "ILSVRC2012_") ||
           (sv_starts(name, "n") && at == 9 && at < name.n && name.p[at] == '_');
}

struct sv near_component_text(const struct sv *names, size_t n, struct arena *a)
{
    size_t length = 0;
    for (size_t i = 0; i < n; i++) {
        length += names[i].n + 1;
    }
    char *p = arena_alloc(a, length + 1), *at = p;
    for (size_t i = 0; i < n; i++) {
        if (i > 0) {
            *at++ = ',';
        }
        if (names[i].n) {
            memcpy(at, names[i].p, names[i].n);
        }
        at += names[i].n;
    }
    return sv_make(p, (size_t)(at - p));
}

const char *near_component_name(const struct sv *names, size_t n, struct arena *a)
{
    struct sv text = near_component_text(names, n, a);
    return arena_printf(a, "%016" PRIx64, hash_stable(text.p, text.n));
}
