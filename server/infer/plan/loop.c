/* loop.c - walking over several tensors of equal dimensions at once. */
#include "infer/plan/loop.h"

#include <string.h>

static void add_axis(struct loop *l, int64_t dim, const int64_t *steps)
{
    l->dims[l->rank] = dim;
    memcpy(l->steps[l->rank++], steps, sizeof l->steps[0]);
}

static void swap_axes(struct loop *l, uint32_t a, uint32_t b)
{
    int64_t dim = l->dims[a], steps[LOOP_TENSORS];
    memcpy(steps, l->steps[a], sizeof steps);
    l->dims[a] = l->dims[b];
    memcpy(l->steps[a], l->steps[b], sizeof steps);
    l->dims[b] = dim;
    memcpy(l->steps[b], steps, sizeof steps);
}

/* Outermost first as the first tensor lies in memory. */
static void sort(struct loop *l)
{
    for (uint32_t i = 1; i < l->rank; i++) {
        for (uint32_t k = i; k > 0 && l->steps[k][0] > l->steps[k - 1][0]; k--) {
            swap_axes(l, k, k - 1);
        }
    }
}

static bool joins(const struct loop *l, uint32_t outer, uint32_t inner)
{
    for (uint32_t t = 0; t < l->tensors; t++) {
        if (l->steps[outer][t] != l->steps[inner][t] * l->dims[inner]) {
            return false;
        }
    }
    return true;
}

static void join(struct loop *l)
{
    uint32_t last = 0;
    for (uint32_t i = 1; i < l->rank; i++) {
        if (joins(l, last, i)) {
            l->dims[last] *= l->dims[i];
            memcpy(l->steps[last], l->steps[i], sizeof l->steps[0]);
        } else {
            swap_axes(l, ++last, i);
        }
    }
    l->rank = last + 1;
}

void loop_make(struct loop *l, const struct tensor *const *t, uint32_t n)
{
    static const int64_t one[LOOP_TENSORS] = {1, 1, 1}, none[LOOP_TENSORS];
    int64_t steps[LOOP_TENSORS] = {0};
    *l = (struct loop){.tensors = n};
    for (uint32_t i = 0; i < t[0]->rank; i++) {
        if (t[0]->dims[i] != 1) {
            for (uint32_t k = 0; k < n; k++) {
                steps[k] = t[k]->strides[i];
            }
            add_axis(l, t[0]->dims[i], steps);
        }
    }
    if (l->rank == 0) {
        add_axis(l, 1, one);
    }
    sort(l);
    join(l);
    if (l->rank == 1) { /* kernels take rows */
        add_axis(l, 1, none);
        swap_axes(l, 0, 1);
    }
}

bool loop_next(const struct loop *l, struct loop_at *at)
{
    for (uint32_t i = l->rank - 2; i-- > 0;) {
        bool more = ++at->index[i] < l->dims[i];
        int64_t by = more ? 1 : 1 - l->dims[i];
        for (uint32_t t = 0; t < l->tensors; t++) {
            at->offset[t] += by * l->steps[i][t];
        }
        if (more) {
            return true;
        }
        at->index[i] = 0;
    }
    return false;
}
