/* recipe.h - how an image becomes a model's input and which class each output means: MODEL.json
 * beside MODEL.onnx, or the ImageNet defaults. */
#ifndef INFER_PREDICT_RECIPE_H
#define INFER_PREDICT_RECIPE_H

#include "base/arena.h"
#include "image/preprocess.h"

#include "base/sv.h"
#include "infer/onnx/onnx.h"

/* MODEL.json, every member optional:
 *   {"resize": 256, "crop": 224, "filter": "bilinear", "mean": [r, g, b], "std": [r, g, b], "scale": 255,
 *    "channels": "rgb" | "bgr", "labels": "classes.txt" | ["n01440764", ...], "features": "name of a value",
 *    "softmax": true (the output is logits: the default unless the last node is a Softmax),
 *    "exact": true (images have the model's size already: one of another size is refused)}
 * Defaults: 256, 224 (or the model's own side; resize = round(crop / 0.875)), bilinear, ImageNet mean and std.
 * "resize": 0 takes images as they are, "crop": 0 the model's side, and then exactly that.
 * labels: one wnid a line or list member, or absent: output i is the class with cid i and the counts must agree.
 * ERR_INPUT (rule "recipe") names the member. */
struct recipe {
    struct preprocess preprocess;
    const char *features;  /* NULL: none named */
    const char *const *labels; /* wnid per output; NULL: by cid */
    size_t n_labels;
    bool softmax;
    const char *canonical; /* the recipe with all defaults filled in, keys sorted: what is stored and hashed */
};
enum { RECIPE_FILE = 4 << 20, RECIPE_LABELS = 65535, RECIPE_LABEL = 64 };
/* `side`: the model's input side, 0 when open. `path` may not exist: defaults. Label files lie beside it. */
enum err_code recipe_read(const char *path, int64_t side, bool ends_in_softmax, struct arena *a, struct recipe *out,
                          struct err *err);
/* From what recipe_read made: what the database keeps. */
enum err_code recipe_parse(const char *canonical, struct arena *a, struct recipe *out, struct err *err);
/* What recipe_read wants to know of the model's file: one input of N x 3 x side x side. ERR_INPUT (rule
 * "model-input") for another. */
enum err_code recipe_side(const struct onnx_model *m, int64_t *side, bool *ends_in_softmax, struct err *err);

#define RECIPE_FILTERS "bilinear, bicubic, nearest or lanczos"
bool recipe_filter(struct sv word, enum preprocess_filter *out);

#endif
