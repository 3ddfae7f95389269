/* labels_json.h - one image of a label source as the JSON shapes that `import labels` reads have it. */
#ifndef TRANSFER_EXPORTS_LABELS_JSON_H
#define TRANSFER_EXPORTS_LABELS_JSON_H

#include "base/str.h"
#include "domain/labels/labels.h"

struct labels_json_image {
    struct sv name;
    const struct label_image *image;
    const struct label *labels;  /* of the image */
    const struct sv *wnids;      /* of each; NULL: class numbers are written */
    enum label_kind kind;
    int original;                /* the set's label, a class number; -1: not known */
};
/* A line for each label, with the members that its kind needs; one without a label for an image that has none. */
void labels_json_lines(const struct labels_json_image *i, struct str *out);
/* The list of its labels, as ReaL has it: [65, 795]; of reviews those that are correct, none of a problematic image. */
void labels_json_real(const struct labels_json_image *i, struct str *out);
/* An object of what was said of each of its labels: {"n01440764": "correct"}. */
void labels_json_annotations(const struct labels_json_image *i, struct str *out);
/* An image's name and ": ", as in an object. */
void labels_json_key(const struct labels_json_image *i, struct str *out);
/* A line in the shape of TensorFlow Datasets imagenet2012_multilabel, which has no word for dontknow and partial. */
void labels_json_tfds(const struct labels_json_image *i, struct str *out);

#endif
