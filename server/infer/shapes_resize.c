/* shapes_resize.c - Resize and Upsample of pictures, as far as op_resize.c calculates them; other
 * modes are refused. Called through the table in shapes.c. */
#include <math.h>
#include <string.h>

#include "infer/shapes.h"

/* The new size of every axis: from the list of sizes (Resize 11), or from the scales, which stand
 * in an attribute (Upsample 7), in input 1 (Upsample 9, Resize 10) or in input 2. */
static enum err_code new_dims(struct graph_work *w, struct node *n, int64_t *dims, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    const struct onnx_attribute *a = onnx_attribute(n->onnx, "scales");
    const struct value *scales = node_input(w->g, n, n->n_inputs > 2 ? 2 : 1);
    struct list sizes;
    enum err_code rc = node_list(w->g, n, "sizes", 3, &sizes, err);
    if (rc != OK || (sizes.there && sizes.n == x->rank)) {
        memcpy(dims, sizes.at, x->rank * sizeof *dims);
        return rc;
    }
    bool of_input =
        scales && scales->data && scales->type == TYPE_F32 && value_elements(scales) == x->rank;
    if (!of_input && !(a && a->kind == ATTR_FLOATS && a->n == x->rank)) {
        return node_refuse(n, err, "onnx-shape",
                           "its sizes or scales are not constant, one for each of %s",
                           shape_show(x).s);
    }
    for (uint32_t i = 0; i < x->rank; i++) {
        double to =
            (double)x->dims[i] * (of_input ? value_number(scales, i) : (double)a->floats[i]);
        if (!(to >= 1 && to <= INT32_MAX) || fabs(to - round(to)) > 1e-3) {
            return node_refuse(n, err, "onnx-operator", "its scales do not give %s a whole size",
                               shape_show(x).s);
        }
        dims[i] = (int64_t)round(to);
    }
    return OK;
}

static bool is_whole_enlargement(const struct value *x, const int64_t *dims)
{
    return dims[2] % x->dims[2] == 0 && dims[3] % x->dims[3] == 0;
}

/* Asymmetric and rounded down is what the engine does; enlarged by whole numbers, the other ways
 * are the same. */
static bool knows_nearest(const struct graph *g, const struct node *n, const struct value *x,
                          const int64_t *dims)
{
    bool floors =
        g->opset < 11 || (node_word_is(n, "coordinate_transformation_mode", "asymmetric") &&
                          node_word_is(n, "nearest_mode", "floor"));
    bool half = !onnx_attribute(n->onnx, "coordinate_transformation_mode") ||
                node_word_is(n, "coordinate_transformation_mode", "half_pixel");
    bool rounds = !onnx_attribute(n->onnx, "nearest_mode") ||
                  node_word_is(n, "nearest_mode", "round_prefer_floor") ||
                  node_word_is(n, "nearest_mode", "round_prefer_ceil");
    return floors || (half && rounds && is_whole_enlargement(x, dims));
}

static bool knows_linear(const struct graph *g, const struct node *n, const int64_t *dims)
{
    static const char *const modes[] = {"half_pixel", "pytorch_half_pixel", "align_corners",
                                        "asymmetric"};
    bool known = !onnx_attribute(n->onnx, "coordinate_transformation_mode");
    for (size_t i = 0; i < sizeof modes / sizeof *modes && !known; i++) {
        known = node_word_is(n, "coordinate_transformation_mode", modes[i]);
    }
    return known && g->opset >= 11 && onnx_int(n->onnx, "antialias", 0) == 0 && dims[2] > 1 &&
           dims[3] > 1;
}

enum err_code shape_resize(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    int64_t dims[TENSOR_RANK];
    enum err_code rc = new_dims(w, n, dims, err);
    if (rc != OK) {
        return rc;
    }
    bool nearest = !onnx_attribute(n->onnx, "mode") || node_word_is(n, "mode", "nearest");
    bool linear = node_word_is(n, "mode", "linear") || node_word_is(n, "mode", "bilinear");
    bool picture = x->rank == 4 && dims[0] == x->dims[0] && dims[1] == x->dims[1] &&
                   !onnx_attribute(n->onnx, "axes") &&
                   !onnx_attribute(n->onnx, "keep_aspect_ratio_policy");
    if (!picture || !((nearest && knows_nearest(w->g, n, x, dims)) ||
                      (linear && knows_linear(w->g, n, dims)))) {
        return node_refuse(n, err, "onnx-operator", "the engine does not resize %s in its mode",
                           shape_show(x).s);
    }
    n->u.resize = nearest ? RESIZE_NEAREST : RESIZE_LINEAR;
    return shape_set(w, n, 0, 4, dims, err);
}
