/* shapes_resize_test.c - the new dimensions of Resize and Upsample, and which of their forms are
 * refused. */
#include "infer/made.h"

#include <math.h>

struct resizing {
    const char *op, *attributes;
    int64_t opset;
    int64_t sizes[3]; /* 0 ends them; none: scales */
    float scales[4];  /* 0 ends them */
    float roi[8];     /* as many as two for each size or scale; the first 0 and the last 0: none */
    int64_t y[2];     /* height and width */
    const char *rule, *refused; /* with that text, NULL: not */
};

static void resize(const struct resizing *c)
{
    struct made m;
    int64_t n_sizes = 0, n_scales = 0;
    made_begin(&m);
    m.opset = c->opset;
    made_input(&m, "x", DIMS(0, 3, 4, 6));
    while (n_sizes < 3 && c->sizes[n_sizes] != 0) {
        n_sizes++;
    }
    while (n_scales < 4 && c->scales[n_scales] != 0) {
        n_scales++;
    }
    bool old = c->opset < 11, part = c->roi[1] != 0;
    made_ints(&m, "sizes", DIMS(n_sizes), c->sizes);
    made_floats(&m, "scales", DIMS(n_scales), c->scales);
    made_floats(&m, "roi", DIMS(part ? 2 * (n_sizes + n_scales) : 0), c->roi);
    made_node(&m, c->op,
              old       ? "x scales"
              : n_sizes ? "x roi scales sizes"
                        : "x roi scales",
              "y", c->attributes);
    made_output(&m, "y");
    if (c->refused) {
        made_refused(&m, c->rule, c->refused);
    } else {
        assert_dims(graph_value(made_graph(&m), "y"), DIMS(2, 3, c->y[0], c->y[1]));
    }
    made_end(&m);
}

static const struct resizing cases[] = {
    {"Resize", "mode'nearest'", 13, {0}, {1, 1, 2, 2}, {0}, {8, 12}, NULL, NULL},
    {"Resize", "", 13, {0}, {1, 1, 0.3F, 1.5F}, {0}, {1, 9}, NULL, NULL},
    {"Resize", "mode'cubic'", 13, {0}, {1, 1, 0.6F, 0.5F}, {0}, {2, 3}, NULL, NULL},
    {"Resize", "mode'linear' axes=2,3", 18, {5, 7}, {0}, {0}, {5, 7}, NULL, NULL},
    {"Resize", "mode'linear' axes=-1,2", 18, {5, 7}, {0}, {0}, {7, 5}, NULL, NULL},
    {"Resize", "axes=3,", 18, {5}, {0}, {0}, {4, 5}, NULL, NULL},
    {"Resize",
     "axes=2,3 keep_aspect_ratio_policy'not_larger'",
     18,
     {6, 7},
     {0},
     {0},
     {5, 7},
     NULL,
     NULL},
    {"Resize",
     "axes=2,3 keep_aspect_ratio_policy'not_smaller'",
     18,
     {6, 7},
     {0},
     {0},
     {6, 9},
     NULL,
     NULL},
    {"Resize",
     "axes=2,3 keep_aspect_ratio_policy'stretch'",
     18,
     {6, 7},
     {0},
     {0},
     {6, 7},
     NULL,
     NULL},
    {"Resize",
     "axes=2,3 coordinate_transformation_mode'tf_crop_and_resize'",
     18,
     {6, 7},
     {0},
     {0.1F, 0.2F, 1, 1},
     {6, 7},
     NULL,
     NULL},
    {"Resize", "mode'linear'", 10, {0}, {1, 1, 1.5F, 0.5F}, {0}, {6, 3}, NULL, NULL},
    {"Upsample", "mode'bilinear'", 9, {0}, {1, 1, 1.5F, 2}, {0}, {6, 12}, NULL, NULL},
    {"Resize",
     "mode'lanczos'",
     13,
     {0},
     {1, 1, 2, 2},
     {0},
     {0},
     "onnx-operator",
     "node y (Resize): its attribute mode is \"lanczos\""},
    {"Resize",
     "mode'cubic'",
     10,
     {0},
     {1, 1, 2, 2},
     {0},
     {0},
     "onnx-operator",
     "its attribute mode is \"cubic\""},
    {"Resize",
     "coordinate_transformation_mode'nowhere'",
     13,
     {0},
     {1, 1, 2, 2},
     {0},
     {0},
     "onnx-operator",
     "its attribute coordinate_transformation_mode is \"nowhere\""},
    {"Resize",
     "nearest_mode'odd'",
     13,
     {0},
     {1, 1, 2, 2},
     {0},
     {0},
     "onnx-operator",
     "its attribute nearest_mode is \"odd\""},
    {"Resize",
     "axes=2,3 keep_aspect_ratio_policy'never'",
     18,
     {6, 7},
     {0},
     {0},
     {0},
     "onnx-operator",
     "its attribute keep_aspect_ratio_policy is \"never\""},
    {"Resize",
     "axes=2,-2",
     18,
     {6, 7},
     {0},
     {0},
     {0},
     "onnx-form",
     "its attribute axes names axis 2 twice"},
    {"Resize", "axes=2,4", 18, {6, 7}, {0}, {0}, {0}, "onnx-shape", "axis 4"},
    {"Resize",
     "axes=0,",
     18,
     {4},
     {0},
     {0},
     {0},
     "onnx-operator",
     "it resizes axis 0 of 2x3x4x6, which counts the images of a batch"},
    {"Resize", "", 13, {6, 7}, {0}, {0}, {0}, "onnx-form", "it has 2 sizes for 4 axes"},
    {"Resize",
     "axes=2,3",
     18,
     {6, 7},
     {2, 2},
     {0},
     {0},
     "onnx-form",
     "it has both sizes and scales"},
    {"Resize",
     "axes=2,3",
     18,
     {0},
     {2},
     {0},
     {0},
     "onnx-shape",
     "its scales are not the 2 constant floats"},
    {"Resize",
     "axes=2,3",
     18,
     {0},
     {0.1F, 2},
     {0},
     {0},
     "onnx-shape",
     "scale 0.1 leaves nothing of axis 2"},
    {"Resize", "axes=2,3", 18, {0}, {-2, 2}, {0}, {0}, "onnx-shape", "scale -2 leaves nothing"},
    {"Resize",
     "axes=2,3",
     18,
     {0},
     {NAN, 2},
     {0},
     {0},
     "onnx-form",
     "one of its scales is not a finite number"},
    {"Resize", "axes=2,3", 18, {0}, {1e30F, 2}, {0}, {0}, "onnx-shape", "it makes 65537 of axis 2"},
    {"Resize", "axes=2,3", 18, {70000, 2}, {0}, {0}, {0}, "onnx-shape", "it makes 70000 of axis 2"},
    {"Resize",
     "axes=2,3 keep_aspect_ratio_policy'not_larger'",
     18,
     {INT64_MIN, -5},
     {0},
     {0},
     {0},
     "onnx-shape",
     "it makes 0 of axis 2"},
    {"Resize",
     "mode'cubic' cubic_coeff_a:1e39",
     13,
     {0},
     {1, 1, 2, 2},
     {0},
     {0},
     "onnx-form",
     "not a finite number"},
    {"Resize",
     "axes=2,3 coordinate_transformation_mode'tf_crop_and_resize'",
     18,
     {6, 7},
     {0},
     {0},
     {0},
     "onnx-shape",
     "its roi are not the 4 constant floats"},
    {"Resize",
     "axes=2,3 coordinate_transformation_mode'tf_crop_and_resize'",
     18,
     {0},
     {2, 2},
     {0, 0.5F, 1, 1},
     {0},
     "onnx-operator",
     "tf_crop_and_resize"},
};

TEST(new_sizes)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        resize(&cases[i]);
    }
}

TEST(lists_that_depend_on_the_picture)
{
    struct made m;
    for (int list = 0; list < 2; list++) {
        made_begin(&m);
        made_input(&m, "x", DIMS(0, 3, 4, 6));
        made_input(&m, "more", DIMS(0));
        made_node(&m, "Resize", list ? "x - - more" : "x - more", "y", "");
        made_output(&m, "y");
        made_refused(&m, "onnx-shape",
                     list ? "its list of sizes depends on the image"
                          : "its scales depend on the image");
        made_end(&m);
    }
}
