/* audit.c - findings about single images, then about images that belong together. */
#include "domain/sampling/audit.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/xalloc.h"

const char *const audit_kinds[AUDIT_KINDS] = {
    "blacklisted", "component_has_imagenet_image", "duplicate_image", "few_assignments",
    "missing_file", "not_searched", "original_image", "same_component", "wrong_class"};

struct found {
    struct audit_finding finding;
    uint32_t rank; /* of its first image */
};
struct work {
    const struct audit_input *in;
    struct arena *a;
    struct found *found;
    size_t n, cap;
};

static void add(struct work *w, enum audit_kind kind, const struct audit_member *m, uint32_t value)
{
    uint32_t *image = arena_alloc(w->a, sizeof *image);
    *image = m->image;
    xgrow(&w->found, &w->cap, w->n + 1, sizeof *w->found);
    w->found[w->n++] = (struct found){.rank = m->rank,
                                      .finding = {.kind = kind,
                                                  .class_index = m->class_index,
                                                  .images = image,
                                                  .n_images = 1,
                                                  .value = value}};
}

static void look_at(struct work *w, const struct audit_member *m)
{
    if (m->blacklisted) {
        add(w, AUDIT_BLACKLISTED, m, 0);
    }
    if (m->shown < w->in->answers_least) {
        add(w, AUDIT_FEW_ANSWERS, m, m->shown);
    }
    if (m->file_missing) {
        add(w, AUDIT_MISSING_FILE, m, 0);
    }
    if (m->unsearched) {
        add(w, AUDIT_UNSEARCHED, m, 0);
    }
    if (m->original && !w->in->originals_allowed) {
        add(w, AUDIT_ORIGINAL, m, 0);
    }
    if (m->own_class != AUDIT_NONE && m->own_class != m->class_index) {
        add(w, AUDIT_WRONG_CLASS, m, m->own_class);
    }
}

static int by_image(const void *a, const void *b)
{
    const struct audit_member *x = a, *y = b;
    if (x->rank != y->rank) {
        return x->rank < y->rank ? -1 : 1;
    }
    return x->class_index < y->class_index ? -1 : x->class_index > y->class_index;
}

static int by_component(const void *a, const void *b)
{
    const struct audit_member *x = a, *y = b;
    if (x->component != y->component) {
        return x->component < y->component ? -1 : 1;
    }
    return by_image(a, b);
}

static int by_original(const void *a, const void *b)
{
    const struct audit_original *x = a, *y = b;
    if (x->component != y->component) {
        return x->component < y->component ? -1 : 1;
    }
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static int by_finding(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    if (x->finding.kind != y->finding.kind) {
        return x->finding.kind < y->finding.kind ? -1 : 1;
    }
    if (x->finding.class_index != y->finding.class_index) {
        return x->finding.class_index < y->finding.class_index ? -1 : 1;
    }
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static bool has(const uint32_t *list, size_t n, uint32_t image)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i] == image) {
            return true;
        }
    }
    return false;
}

/* `images` of the set beside the component's originals; an original that is in the set itself is a
 * finding of its own and not linked to itself. */
static void link_originals(struct work *w, const struct audit_original *o, size_t n,
                           const struct audit_member *m, const uint32_t *images, size_t n_images)
{
    uint32_t *list = arena_alloc(w->a, (n + 1) * sizeof *list);
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        if (!has(images, n_images, o[i].image)) {
            list[found++] = o[i].image;
        }
    }
    if (found > 0) {
        add(w, AUDIT_HAS_ORIGINAL, m, 0);
        struct audit_finding *f = &w->found[w->n - 1].finding;
        f->images = images;
        f->n_images = n_images;
        f->originals = list;
        f->n_originals = found;
    }
}

/* m[0 .. n) are the members of one component, by rank; o[0 .. n_o) its originals. */
static void look_at_component(struct work *w, const struct audit_member *m, size_t n,
                              const struct audit_original *o, size_t n_o)
{
    uint32_t *images = arena_alloc(w->a, n * sizeof *images);
    size_t different = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || m[i].image != m[i - 1].image) {
            images[different++] = m[i].image;
        }
    }
    if (different > 1) {
        add(w, AUDIT_SAME_COMPONENT, m, 0);
        w->found[w->n - 1].finding.images = images;
        w->found[w->n - 1].finding.n_images = different;
    }
    if (!w->in->originals_allowed) {
        link_originals(w, o, n_o, m, images, different);
    }
}

static void look_for_duplicates(struct work *w, struct audit_member *m, size_t n)
{
    qsort(m, n, sizeof *m, by_image);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && m[end].image == m[i].image;) {
            end++;
        }
        if (end - i > 1) {
            add(w, AUDIT_DUPLICATE, &m[i], (uint32_t)(end - i));
        }
    }
}

static void look_at_components(struct work *w, struct audit_member *m, size_t n,
                               struct audit_original *o, size_t n_o)
{
    qsort(m, n, sizeof *m, by_component);
    qsort(o, n_o, sizeof *o, by_original);
    size_t first = 0, last;
    for (size_t i = 0, end; i < n && m[i].component != AUDIT_NONE; i = end) {
        for (end = i + 1; end < n && m[end].component == m[i].component;) {
            end++;
        }
        while (first < n_o && o[first].component < m[i].component) {
            first++;
        }
        for (last = first; last < n_o && o[last].component == m[i].component;) {
            last++;
        }
        look_at_component(w, m + i, end - i, o + first, last - first);
    }
}

void audit_find(const struct audit_input *in, struct arena *a, struct audit_finding **out, size_t *n)
{
    struct work w = {.in = in, .a = a};
    struct audit_member *m = arena_alloc(a, (in->n_members + 1) * sizeof *m);
    struct audit_original *o = arena_alloc(a, (in->n_originals + 1) * sizeof *o);
    if (in->n_members > 0) {
        memcpy(m, in->members, in->n_members * sizeof *m);
    }
    if (in->n_originals > 0) {
        memcpy(o, in->originals, in->n_originals * sizeof *o);
    }
    for (size_t i = 0; i < in->n_members; i++) {
        look_at(&w, &m[i]);
    }
    look_for_duplicates(&w, m, in->n_members);
    look_at_components(&w, m, in->n_members, o, in->n_originals);
    if (w.n > 0) {
        qsort(w.found, w.n, sizeof *w.found, by_finding);
    }
    *out = arena_alloc(a, (w.n + 1) * sizeof **out);
    for (size_t i = 0; i < w.n; i++) {
        (*out)[i] = w.found[i].finding;
    }
    *n = w.n;
    free(w.found);
}
