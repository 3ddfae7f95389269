/* shapes_resize.c - Resize and Upsample of every operator set: the new dimensions, and how the
 * results are found (struct resize). Called through the table in shapes.c. Formulas: ONNX's
 * Resize-18. */
#include <math.h>
#include <string.h>

#include "infer/graph/shapes.h"
#include "infer/onnx/wire.h"

enum { KEEP_NOTHING, KEEP_NOT_LARGER, KEEP_NOT_SMALLER };

/* What one node asks for. */
struct request {
    struct graph_work *w;
    struct node *n;
    const struct value *x;
    struct resize *way;
    struct list axes, sizes; /* axes: those that sizes, scales and roi speak of, in that order */
    int64_t dims[TENSOR_RANK];
};

/* Upsample, and Resize before it became what it is: their scales are input 1 or an attribute. */
static bool is_old(const struct request *r)
{
    return r->w->g->opset < 11 || sv_is(r->n->onnx->op, "Upsample");
}

/* Which of the words an attribute is; `otherwise` when it is not there. */
static enum err_code read_word(const struct request *r, const char *attribute,
                               const char *const *words, int count, int otherwise, int *out,
                               struct err *err)
{
    const struct onnx_attribute *a = onnx_attribute(r->n->onnx, attribute);
    *out = a ? count : otherwise;
    for (int i = 0; i < count && a; i++) {
        *out = node_word_is(r->n, attribute, words[i]) ? i : *out;
    }
    return *out < count
               ? OK
               : node_refuse(r->n, err, "onnx-operator",
                             "its attribute %s is \"%.*s\", which the engine does not have",
                             attribute, SHOWN(a->kind == ATTR_STRING ? a->s : SV("")));
}

static enum err_code read_way(struct request *r, struct err *err)
{
    static const char *const modes[] = {"nearest", "linear", "cubic"};
    static const char *const places[] = {
        "half_pixel",    "half_pixel_symmetric", "pytorch_half_pixel", "tf_half_pixel_for_nn",
        "align_corners", "asymmetric",           "tf_crop_and_resize"};
    static const char *const rounds[] = {"round_prefer_floor", "round_prefer_ceil", "floor",
                                         "ceil"};
    struct resize *way = r->way;
    int mode = RESIZE_LINEAR, place = PLACE_ASYMMETRIC, round = ROUND_OLD;
    enum err_code rc = OK;
    if (!is_old(r) || !node_word_is(r->n, "mode", "bilinear")) {
        rc = read_word(r, "mode", modes, is_old(r) ? 2 : 3, RESIZE_NEAREST, &mode, err);
    }
    if (!is_old(r)) {
        rc = rc == OK ? read_word(r, "coordinate_transformation_mode", places, 7, PLACE_HALF_PIXEL,
                                  &place, err)
                      : rc;
        rc = rc == OK ? read_word(r, "nearest_mode", rounds, 4, ROUND_PREFER_FLOOR, &round, err)
                      : rc;
    }
    way->mode = (enum resize_mode)mode;
    way->place = (enum resize_place)place;
    way->round = (enum resize_round)round;
    way->antialias = onnx_int(r->n->onnx, "antialias", 0) != 0;
    way->exclude_outside = onnx_int(r->n->onnx, "exclude_outside", 0) != 0;
    way->coefficient = onnx_float(r->n->onnx, "cubic_coeff_a", -0.75F);
    way->outside = onnx_float(r->n->onnx, "extrapolation_value", 0);
    if (rc == OK && !(isfinite(way->coefficient) && isfinite(way->outside))) {
        return node_refuse(r->n, err, "onnx-form",
                           "its cubic_coeff_a or extrapolation_value is not a finite number");
    }
    for (uint32_t i = 0; i < r->x->rank; i++) {
        way->axes[i].scale = 1;
        way->axes[i].to = 1;
        r->dims[i] = r->x->dims[i];
    }
    return rc;
}

/* All axes, or those that the attribute names (operator set 18). */
static enum err_code read_axes(struct request *r, struct err *err)
{
    unsigned seen = 0;
    enum err_code rc = node_list(r->w->g, r->n, "axes", -1, &r->axes, err);
    if (!r->axes.there) {
        r->axes.n = r->x->rank;
        for (uint32_t i = 0; i < r->axes.n; i++) {
            r->axes.at[i] = i;
        }
    }
    for (uint32_t i = 0; i < r->axes.n && rc == OK; i++) {
        rc = node_axis(r->n, r->axes.at[i], r->x->rank, &r->axes.at[i], err);
        if (rc == OK && (seen >> r->axes.at[i] & 1)) {
            return node_refuse(r->n, err, "onnx-form", "its attribute axes names axis %lld twice",
                               (long long)r->axes.at[i]);
        }
        seen |= rc == OK ? 1U << r->axes.at[i] : 0;
    }
    return rc;
}

/* The floats of a constant input, `count` of them. */
static enum err_code read_floats(const struct request *r, uint32_t input, const char *what,
                                 uint32_t count, const float **out, struct err *err)
{
    const struct value *v = node_input(r->w->g, r->n, input);
    *out = node_floats(r->w->g, r->n, input, count);
    for (uint32_t i = 0; *out && i < count; i++) {
        if (!isfinite((*out)[i])) {
            return node_refuse(r->n, err, "onnx-form", "one of its %s is not a finite number", what);
        }
    }
    return *out ? OK
                : node_refuse(r->n, err, "onnx-shape",
                              v && !v->data
                                  ? "its %s depend on the image; the engine needs constants"
                                  : "its %s are not the %u constant floats that resizing %s takes",
                              what, count, shape_show(r->x).s);
}

/* A side that a scale makes: 0 or RESIZE_SIDE + 1, which are refused, where it is none. */
static int64_t whole_side(float to)
{
    return !(to >= 1) ? 0 : to <= (float)RESIZE_SIDE ? (int64_t)to : RESIZE_SIDE + 1;
}

/* sizes: the scale is what they make of an axis. A kept aspect ratio has one scale for all. */
static enum err_code resize_to_sizes(struct request *r, int keep, struct err *err)
{
    float least = INFINITY, most = 0;
    if (r->sizes.n != r->axes.n) {
        return node_refuse(r->n, err, "onnx-form", "it has %u sizes for %u axes", r->sizes.n,
                           r->axes.n);
    }
    for (uint32_t i = 0; i < r->axes.n; i++) {
        int64_t axis = r->axes.at[i], from = r->x->dims[axis], to = r->sizes.at[i];
        float scale = (float)to / (float)from;
        r->dims[axis] = to;
        r->way->axes[axis].scale = scale;
        least = fminf(least, scale);
        most = fmaxf(most, scale);
    }
    for (uint32_t i = 0; i < r->axes.n && keep != KEEP_NOTHING; i++) {
        int64_t axis = r->axes.at[i];
        float scale = keep == KEEP_NOT_LARGER ? least : most;
        r->dims[axis] = whole_side(floorf(scale * (float)r->x->dims[axis] + 0.5F));
        r->way->axes[axis].scale = scale;
    }
    return OK;
}

static enum err_code resize_by_scales(struct request *r, struct err *err)
{
    const struct onnx_attribute *a = onnx_attribute(r->n->onnx, "scales");
    const float *scales = NULL;
    enum err_code rc = OK;
    if (is_old(r) && a && a->kind == ATTR_FLOATS && a->n == r->axes.n) {
        scales = a->floats;
    } else {
        rc = read_floats(r, is_old(r) ? 1 : 2, "scales", r->axes.n, &scales, err);
    }
    for (uint32_t i = 0; i < r->axes.n && rc == OK; i++) {
        int64_t axis = r->axes.at[i];
        float to = floorf(scales[i] * (float)r->x->dims[axis]);
        if (!(to >= 1)) {
            return node_refuse(r->n, err, "onnx-shape",
                               "scale %g leaves nothing of axis %lld of %s", (double)scales[i],
                               (long long)axis, shape_show(r->x).s);
        }
        r->dims[axis] = whole_side(to);
        r->way->axes[axis].scale = scales[i];
    }
    return rc;
}

/* The part of each axis that is resized: all starts, then all ends. */
static enum err_code read_part(struct request *r, struct err *err)
{
    const float *part = NULL;
    enum err_code rc = read_floats(r, 1, "roi", 2 * r->axes.n, &part, err);
    for (uint32_t i = 0; i < r->axes.n && rc == OK; i++) {
        int64_t axis = r->axes.at[i];
        r->way->axes[axis].from = part[i];
        r->way->axes[axis].to = part[r->axes.n + i];
        if (r->sizes.n == 0 && (part[i] != 0 || part[r->axes.n + i] != 1)) {
            return node_refuse(r->n, err, "onnx-operator",
                               "its coordinate_transformation_mode tf_crop_and_resize cuts a part "
                               "out by roi; the engine does that with sizes, not with scales");
        }
    }
    return rc;
}

static enum err_code new_dims(struct request *r, struct err *err)
{
    static const char *const keeps[] = {"stretch", "not_larger", "not_smaller"};
    int keep = KEEP_NOTHING;
    const struct value *scales = node_input(r->w->g, r->n, 2);
    enum err_code rc = is_old(r) ? OK : node_list(r->w->g, r->n, "sizes", 3, &r->sizes, err);
    rc = rc == OK ? read_word(r, "keep_aspect_ratio_policy", keeps, 3, KEEP_NOTHING, &keep, err)
                  : rc;
    if (rc == OK && r->sizes.n && scales && !(scales->data && value_elements(scales) == 0)) {
        return node_refuse(r->n, err, "onnx-form", "it has both sizes and scales");
    }
    rc = rc != OK ? rc : r->sizes.n ? resize_to_sizes(r, keep, err) : resize_by_scales(r, err);
    return rc == OK && r->way->place == PLACE_TF_CROP_AND_RESIZE ? read_part(r, err) : rc;
}

bool resize_keeps(const struct resize *way, uint32_t axis, int64_t from, int64_t to)
{
    return from == to && way->axes[axis].scale == 1 && way->axes[axis].from == 0 &&
           way->axes[axis].to == 1;
}

static enum err_code check_sides(const struct request *r, struct err *err)
{
    for (uint32_t i = 0; i < r->x->rank; i++) {
        int64_t from = r->x->dims[i], to = r->dims[i];
        if (resize_keeps(r->way, i, from, to)) {
            continue;
        }
        if (i == 0) {
            return node_refuse(r->n, err, "onnx-operator",
                               "it resizes axis 0 of %s, which counts the images of a batch",
                               shape_show(r->x).s);
        }
        if (to < 1 || to > RESIZE_SIDE || from < 1 || from > RESIZE_SIDE) {
            return node_refuse(r->n, err, "onnx-shape",
                               "it makes %lld of axis %u of %s; the engine resizes 1 to %d",
                               (long long)to, i, shape_show(r->x).s, RESIZE_SIDE);
        }
    }
    return OK;
}

enum err_code shape_resize(struct graph_work *w, struct node *n, struct err *err)
{
    struct request r = {.w = w, .n = n, .x = node_input(w->g, n, 0)};
    enum err_code rc = onnx_take(w->a, 1, sizeof *r.way, &r.way, err);
    rc = rc == OK ? read_way(&r, err) : rc;
    rc = rc == OK ? read_axes(&r, err) : rc;
    rc = rc == OK ? new_dims(&r, err) : rc;
    rc = rc == OK ? check_sides(&r, err) : rc;
    n->resize = r.way;
    return rc == OK ? shape_set(w, n, 0, r.x->rank, r.dims, err) : rc;
}
