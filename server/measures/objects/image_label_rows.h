/* image_label_rows.h - what follows from the labels of many images (domain/labels/image_labels.h) as records. */
#ifndef MEASURES_IMAGE_LABEL_ROWS_H
#define MEASURES_IMAGE_LABEL_ROWS_H

#include "domain/labels/image_labels.h"
#include "record/record.h"

/* class_a,class_b,images */
struct together_row {
    struct sv a, b;
    uint32_t images, n_a, n_b;
    double lift; /* how many times as often as if the two were independent, of `all` images */
};
extern const struct record together_record;
struct together_row together_row(const struct together_pair *p, size_t all, const struct sv *text);

/* class_a,class_b,n_a,n_b,a_labelled_b,b_labelled_a */
struct confused_row {
    struct sv a, b;
    uint32_t n_a, n_b, a_as_b, b_as_a;
    double share; /* of the images of both */
};
extern const struct record confused_record;
struct confused_row confused_row(const struct confused_pair *p, const struct sv *text);

/* class_a,class_b,n_a,n_b,a_in_a,b_in_a,b_in_b,a_in_b,asked */
struct found_pair_row {
    struct sv a, b;
    struct found_pair pair;
};
extern const struct record found_pair_record;

/* class_a,class_b,model,images,correct,predicted_in_pair; of all pairs together the classes are empty. In JSON with shares
 * and their intervals. */
struct pair_accuracy_row {
    struct sv a, b, model;
    struct pair_accuracy counts;
    double accuracy, lo, hi;             /* right of all images; NAN without any */
    double pairwise, pairwise_lo, pairwise_hi; /* right of the answers that are either; chance: 0.5 */
};
extern const struct record pair_accuracy_record;
struct pair_accuracy_row pair_accuracy_row(struct sv a, struct sv b, struct sv model, const struct pair_accuracy *p);

/* Correlation of two matrices of superclasses off the diagonal: first,second,r,cells. NAN: one of them has one value only. */
struct correlation_row {
    struct sv first, second;
    double r;
    uint32_t cells;
};
extern const struct record correlation_record;
struct correlation_row correlation_row(struct sv first, struct sv second, const struct superclass_matrix *a,
                                       const struct superclass_matrix *b);

/* Answers within a superclass: who,superclass,images,within,share. */
struct within_row {
    struct sv who, superclass;
    uint32_t images, within;
    double share; /* NAN without images */
};
extern const struct record within_record;

#endif
