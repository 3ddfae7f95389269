/* copy.c - copies between layouts. Dimensions that are one run in both tensors are joined
 * first, then what is left is runs of floats (memcpy), small matrices to transpose, or single floats. */
#include <string.h>

#include "infer/kernels/kernel.h"
#include "infer/plan/private.h"

struct copy {
    const struct kernels *kernels;
    struct tensor from, to;
    uint32_t rank;
    int64_t dims[TENSOR_RANK + 1], from_step[TENSOR_RANK + 1],
        to_step[TENSOR_RANK + 1]; /* outermost first in `to` */
    bool transposes;              /* the last two dimensions: `from` runs along the last but one */
};

static void swap(struct copy *c, uint32_t i, uint32_t k)
{
    int64_t t = c->dims[i];
    c->dims[i] = c->dims[k];
    c->dims[k] = t;
    t = c->from_step[i];
    c->from_step[i] = c->from_step[k];
    c->from_step[k] = t;
    t = c->to_step[i];
    c->to_step[i] = c->to_step[k];
    c->to_step[k] = t;
}

/* Outermost first as `to` lies in memory. */
static void sort(struct copy *c)
{
    for (uint32_t i = 1; i < c->rank; i++) {
        for (uint32_t k = i; k > 0 && c->to_step[k] > c->to_step[k - 1]; k--) {
            swap(c, k, k - 1);
        }
    }
}

static void join(struct copy *c)
{
    uint32_t last = 0;
    for (uint32_t i = 1; i < c->rank; i++) {
        if (c->from_step[last] == c->from_step[i] * c->dims[i] &&
            c->to_step[last] == c->to_step[i] * c->dims[i]) {
            c->dims[last] *= c->dims[i];
            c->from_step[last] = c->from_step[i];
            c->to_step[last] = c->to_step[i];
        } else {
            last++;
            c->dims[last] = c->dims[i];
            c->from_step[last] = c->from_step[i];
            c->to_step[last] = c->to_step[i];
        }
    }
    c->rank = last + 1;
}

/* Puts the dimension along which `from` runs next to the last one, when that is not the last
 * itself. */
static void find_transpose(struct copy *c)
{
    uint32_t last = c->rank - 1;
    for (uint32_t i = 0; i < last; i++) {
        if (c->from_step[i] == 1 && c->to_step[last] == 1 && c->from_step[last] != 1) {
            for (uint32_t k = i; k + 1 < last; k++) {
                swap(c, k, k + 1);
            }
            c->transposes = true;
            return;
        }
    }
}

static void copy_last(const struct copy *c, const float *from, float *to)
{
    uint32_t last = c->rank - 1;
    int64_t n = c->dims[last], from_step = c->from_step[last], to_step = c->to_step[last];
    if (c->transposes) {
        c->kernels->transpose(n, c->dims[last - 1], from, from_step, to, c->to_step[last - 1]);
    } else if (n == CHANNEL_BLOCK && from_step == 1 && to_step == 1) {
        memcpy(to, from, CHANNEL_BLOCK * sizeof *to); /* a size that the compiler knows */
    } else if (from_step == 1 && to_step == 1) {
        memcpy(to, from, (size_t)n * sizeof *to);
    } else {
        for (int64_t i = 0; i < n; i++) {
            to[i * to_step] = from[i * from_step];
        }
    }
}

static void run_copy(const struct run *r, const void *arg)
{
    const struct copy *c = arg;
    const float *from = tensor_at(r, &c->from);
    float *to = tensor_at(r, &c->to);
    int64_t index[TENSOR_RANK + 1] = {0};
    uint32_t outer = c->rank - (c->transposes ? 2 : 1), i;
    do {
        copy_last(c, from, to);
        for (i = outer; i-- > 0;) {
            from += c->from_step[i];
            to += c->to_step[i];
            if (++index[i] < c->dims[i]) {
                break;
            }
            from -= c->from_step[i] * c->dims[i];
            to -= c->to_step[i] * c->dims[i];
            index[i] = 0;
        }
    } while (i != UINT32_MAX);
}

void plan_copy(struct plan *p, const struct tensor *from, const struct tensor *to)
{
    struct copy *c = arena_calloc(&p->arena, 1, sizeof *c);
    struct tensor split_from, split_to;
    if (from->block || to->block) {
        split_from = tensor_split(from);
        split_to = tensor_split(to);
        from = &split_from;
        to = &split_to;
    }
    c->kernels = kernels();
    c->from = *from;
    c->to = *to;
    c->rank = 1;
    c->dims[0] = c->from_step[0] = c->to_step[0] = 1;
    if (tensor_elements(to) == 0) {
        return;
    }
    for (uint32_t i = 0; i < to->rank; i++) {
        if (to->dims[i] > 1) {
            c->dims[c->rank] = to->dims[i];
            c->from_step[c->rank] = from->strides[i];
            c->to_step[c->rank++] = to->strides[i];
        }
    }
    if (c->rank > 1) { /* the 1 was only for a single float */
        swap(c, 0, --c->rank);
    }
    sort(c);
    join(c);
    find_transpose(c);
    const struct tensor *reads[] = {&c->from, NULL}, *writes[] = {&c->to, NULL};
    plan_step(p, "copy", run_copy, c, reads, writes);
}
