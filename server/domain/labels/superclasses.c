/* superclasses.c - matrices of superclasses. */
#include <string.h>

#include "domain/labels/image_labels.h"

static uint32_t superclass_of(const struct superclasses *s, uint32_t id)
{
    return id == LABEL_NONE ? LABEL_NONE : s->of[id];
}

static struct superclass_matrix new_matrix(uint32_t n, struct arena *a)
{
    return (struct superclass_matrix){.n = n,
                                      .cells = arena_calloc(a, (size_t)n * n + 1, sizeof(uint32_t)),
                                      .images = arena_calloc(a, n + 1, sizeof(uint32_t)),
                                      .within = arena_calloc(a, n + 1, sizeof(uint32_t))};
}

struct superclass_matrix superclass_confusion(const struct superclasses *s, const struct image_list *images,
                                              const uint32_t *answers, struct arena *a)
{
    struct superclass_matrix m = new_matrix(s->n, a);
    for (size_t i = 0; i < images->n; i++) {
        uint32_t label = images->at[i].label, answer = answers ? answers[i] : images->at[i].main;
        uint32_t row = superclass_of(s, label), column = superclass_of(s, answer);
        if (row == LABEL_NONE || column == LABEL_NONE) {
            m.left_out++;
            continue;
        }
        m.images[row]++;
        m.cells[(size_t)row * m.n + column]++;
        m.within[row] += row == column && label != answer;
    }
    return m;
}

struct superclass_matrix superclass_together(const struct superclasses *s, const struct image_list *images, bool other,
                                             struct arena *a)
{
    struct superclass_matrix m = new_matrix(s->n, a);
    bool seen[SUPERCLASSES_MOST];
    for (size_t i = 0; i < images->n; i++) {
        const struct image_labels *im = &images->at[i];
        uint32_t row = superclass_of(s, im->label);
        if (row == LABEL_NONE) {
            m.left_out++;
            continue;
        }
        m.images[row]++;
        memset(seen, 0, sizeof seen);
        for (uint32_t k = 0; k < im->n && !(other && im->n == 1); k++) {
            uint32_t column = superclass_of(s, im->names[k]);
            if (column != LABEL_NONE && !seen[column] && !(other && (int)k == im->label_object)) {
                seen[column] = true;
                m.cells[(size_t)row * m.n + column]++;
            }
        }
    }
    return m;
}

size_t superclass_shares(const struct superclass_matrix *a, const struct superclass_matrix *b, double *x, double *y)
{
    size_t n = 0;
    for (uint32_t row = 0; row < a->n; row++) {
        for (uint32_t column = 0; column < a->n && a->images[row] && b->images[row]; column++) {
            if (column != row) {
                x[n] = (double)a->cells[(size_t)row * a->n + column] / a->images[row];
                y[n++] = (double)b->cells[(size_t)row * b->n + column] / b->images[row];
            }
        }
    }
    return n;
}
