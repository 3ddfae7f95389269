/* image_labels.h - what follows from the labels of many images: which superclasses are taken for one another or come
 * together, which classes do, and how well models tell pairs of classes apart (Tsipras et al. 2020, sections 4.1, 4.2 and
 * 5.2). Pure counting; lists are in the caller's arena. */
#ifndef DOMAIN_IMAGE_LABELS_H
#define DOMAIN_IMAGE_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

#define LABEL_NONE UINT32_MAX

struct image_labels { /* of an image that counts */
    uint32_t label, main;  /* class ids: the set's label, the main one */
    const uint32_t *names; /* the label of each object, all different */
    uint32_t n;            /* objects, at least 1 */
    int main_object;       /* index into names */
    int label_object;      /* the one that has the set's label; -1: none */
};
struct image_list {
    const struct image_labels *at;
    size_t n;
};
/* Several objects, the set's label in one of them, and that is not the main one. */
static inline bool label_disagrees(const struct image_labels *im)
{
    return im->n > 1 && im->label_object >= 0 && im->label_object != im->main_object;
}

/* ---- superclasses ---- */

enum { SUPERCLASSES_MOST = 200 };
struct superclasses {
    const uint32_t *of; /* the superclass of each class id, or LABEL_NONE */
    uint32_t n;         /* superclasses, at most SUPERCLASSES_MOST */
};
struct superclass_matrix {
    uint32_t n;
    uint32_t *cells;  /* [row * n + column]; the row is the superclass of the set's label */
    uint32_t *images; /* of each row */
    uint32_t *within; /* of a confusion: images of the row whose answer is another class of it */
    uint32_t left_out; /* images without an answer, or with a class that has no superclass */
};
/* The superclass of each image's answer; `answers` NULL: the main label, as people's. An answer may be LABEL_NONE. */
struct superclass_matrix superclass_confusion(const struct superclasses *s, const struct image_list *images,
                                              const uint32_t *answers, struct arena *a);
/* Images with an object of the column's superclass, each at most once. `other`: only of images with several objects, and
 * without the object that has the set's label. Images count for their row either way. */
struct superclass_matrix superclass_together(const struct superclasses *s, const struct image_list *images, bool other,
                                             struct arena *a);
/* The shares of the rows' images in the cells off the diagonal, row by row; rows without images are left out in both. Fills
 * x and y, which have room for n * (n - 1); returns how many. */
size_t superclass_shares(const struct superclass_matrix *a, const struct superclass_matrix *b, double *x, double *y);

/* ---- pairs of classes ---- */

/* Two classes that are labels of objects of the same image. */
struct together_pair {
    uint32_t a, b; /* a < b */
    uint32_t images;
    uint32_t n_a, n_b; /* images with an object of that label */
};
/* Those in at least `least` images, the most frequent first, then by a and b. */
struct together_pair *pairs_together(const struct image_list *images, uint32_t least, struct arena *a, size_t *n);

/* Two classes whose images are called by the other's name. */
struct confused_pair {
    uint32_t a, b;     /* a < b */
    uint32_t n_a, n_b; /* images of each */
    uint32_t a_as_b, b_as_a; /* images of a whose main label is b, and the reverse */
};
/* Those with at least `least` such images, which are at least `share` of the images of both: the most images first, then by a
 * and b. */
struct confused_pair *pairs_confused(const struct image_list *images, uint32_t least, double share, struct arena *a, size_t *n);

/* How a model tells two classes apart. */
struct pair_accuracy {
    uint32_t images, correct, in_pair; /* images of both; answers that are right; answers that are either */
};
/* `labels` and `answers` (or LABEL_NONE) of n images. */
struct pair_accuracy pair_accuracy(uint32_t a, uint32_t b, const uint32_t *labels, const uint32_t *answers, size_t n);

/* Two classes that people find in the images of either as often as in their own. */
struct found_label { /* of an image, how many of the people who were asked found a class in it */
    uint32_t image, class_id, selected, shown;
};
struct found_pair {
    uint32_t a, b;     /* a < b */
    uint32_t n_a, n_b; /* images of each */
    double a_in_a, b_in_a, b_in_b, a_in_b; /* means over images of a, of b; nobody was asked: 0 */
    double asked;      /* the share of images of both about whose other class people were asked */
};
/* Of images with these labels. Pairs all of whose means are at least `least`, the one with the highest least mean first, then
 * by a and b. */
struct found_pair *pairs_found(const uint32_t *labels, size_t n_images, const struct found_label *found, size_t n_found,
                               double least, struct arena *a, size_t *n);

#endif
