/* revision_diff.c - compares sorted copies. */
#include "domain/sampling/revision_diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sorted.h"

static int compare(const void *a, const void *b)
{
    const struct revision_member *x = a, *y = b;
    if (x->class_index != y->class_index) {
        return x->class_index < y->class_index ? -1 : 1;
    }
    return x->image < y->image ? -1 : x->image > y->image;
}

static struct revision_member *sorted(const struct revision_member *m, size_t n, struct arena *a)
{
    struct revision_member *copy = arena_alloc(a, (n + 1) * sizeof *copy);
    if (n > 0) {
        memcpy(copy, m, n * sizeof *copy);
        qsort(copy, n, sizeof *copy, compare);
    }
    return copy;
}

static void note(struct revision_diff *d, struct revision_member **list, size_t *n,
                 const struct revision_member *m)
{
    (*list)[(*n)++] = *m;
    if (d->n_changed == 0 || d->changed[d->n_changed - 1] != m->class_index) {
        d->changed[d->n_changed++] = m->class_index;
    }
}

void revision_diff(const struct revision_member *old, size_t n_old, const struct revision_member *new,
                   size_t n_new, struct arena *a, struct revision_diff *out)
{
    const struct revision_member *x = sorted(old, n_old, a), *y = sorted(new, n_new, a);
    *out = (struct revision_diff){0};
    out->added = arena_alloc(a, (n_new + 1) * sizeof *out->added);
    out->removed = arena_alloc(a, (n_old + 1) * sizeof *out->removed);
    out->changed = arena_alloc(a, (n_old + n_new + 1) * sizeof *out->changed);
    for (size_t i = 0, j = 0; i < n_old || j < n_new;) {
        int order = i == n_old ? 1 : j == n_new ? -1 : compare(&x[i], &y[j]);
        if (order < 0) {
            note(out, &out->removed, &out->n_removed, &x[i]);
        } else if (order > 0) {
            note(out, &out->added, &out->n_added, &y[j]);
        }
        i += order <= 0;
        j += order >= 0;
    }
}

void revision_size(const struct revision_member *m, size_t n, uint32_t n_classes, uint32_t size,
                   struct arena *a, struct revision_size *out)
{
    uint32_t *count = arena_calloc(a, (size_t)n_classes + 1, sizeof *count);
    *out = (struct revision_size){.images = n};
    out->short_classes = arena_alloc(a, ((size_t)n_classes + 1) * sizeof *out->short_classes);
    for (size_t i = 0; i < n; i++) {
        BUG_IF(m[i].class_index >= n_classes);
        count[m[i].class_index]++;
    }
    for (uint32_t k = 0; k < n_classes; k++) {
        out->n_over += count[k] > size;
        if (count[k] < size) {
            out->short_classes[out->n_short++] = k;
            out->missing += size - count[k];
        }
    }
    out->valid = out->n_short == 0 && out->n_over == 0;
}

size_t revision_carry_reviews(const struct class_review *parent, uint32_t n_classes,
                              const struct revision_diff *from_parent, struct class_review *out)
{
    size_t reviewed = 0;
    for (uint32_t k = 0; k < n_classes; k++) {
        out[k].problematic = false;
        out[k].reviewed = parent[k].reviewed && !parent[k].problematic &&
                          !sorted_has_u32(from_parent->changed, from_parent->n_changed, k);
        reviewed += out[k].reviewed;
    }
    return reviewed;
}
