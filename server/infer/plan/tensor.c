/* tensor.c - strides of the layouts. */
#include "infer/plan/tensor.h"

int64_t tensor_elements(const struct tensor *t)
{
    int64_t n = 1;
    for (uint32_t i = 0; i < t->rank; i++) {
        n *= t->dims[i];
    }
    return n;
}

void tensor_set_strides(struct tensor *t, enum layout layout)
{
    int64_t step = 1;
    t->block = 0;
    if (layout == LAYOUT_BLOCKED) {
        t->block = CHANNEL_BLOCK;
        t->strides[3] = CHANNEL_BLOCK;
        t->strides[2] = t->strides[3] * t->dims[3];
        t->strides[1] = t->strides[2] * t->dims[2];
        t->strides[0] = t->strides[1] * (t->dims[1] / CHANNEL_BLOCK);
        return;
    }
    bool last = layout == LAYOUT_CHANNELS_LAST && t->rank == 4;
    if (last) {
        t->strides[1] = 1;
        step = t->dims[1];
    }
    for (uint32_t i = t->rank; i-- > 0;) {
        if (!last || i != 1) {
            t->strides[i] = step;
            step *= t->dims[i];
        }
    }
}

static bool equal_strides(const struct tensor *a, const struct tensor *b)
{
    for (uint32_t i = 0; i < a->rank; i++) {
        int64_t places = i == 1 && a->block ? a->dims[1] / a->block : a->dims[i];
        if (places > 1 && a->strides[i] != b->strides[i]) {
            return false;
        }
    }
    return true;
}

bool tensor_is(const struct tensor *t, enum layout layout)
{
    struct tensor dense = *t;
    if ((layout != LAYOUT_ROWS && t->rank != 4) || (t->block != 0) != (layout == LAYOUT_BLOCKED)) {
        return false;
    }
    tensor_set_strides(&dense, layout);
    return equal_strides(t, &dense);
}

bool tensor_is_pixels(const struct tensor *t, int64_t *pixel)
{
    struct tensor wide = *t;
    if (t->rank != 4 || t->block) {
        return false;
    }
    int64_t step = t->dims[3] > 1   ? t->strides[3]
                   : t->dims[2] > 1 ? t->strides[2]
                   : t->dims[0] > 1 ? t->strides[0]
                                    : t->dims[1];
    wide.strides[1] = 1;
    wide.strides[3] = step;
    wide.strides[2] = step * t->dims[3];
    wide.strides[0] = wide.strides[2] * t->dims[2];
    *pixel = step;
    return step >= t->dims[1] && equal_strides(t, &wide);
}

struct tensor tensor_split(const struct tensor *t)
{
    struct tensor s = *t;
    int64_t channel = t->block ? 1 : t->strides[1];
    s.rank = 5;
    s.block = 0;
    s.dims[1] = t->dims[1] / CHANNEL_BLOCK;
    s.strides[1] = t->block ? t->strides[1] : channel * CHANNEL_BLOCK;
    s.dims[4] = CHANNEL_BLOCK;
    s.strides[4] = channel;
    return s;
}
