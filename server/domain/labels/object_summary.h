/* object_summary.h - what many images show, in numbers (Tsipras et al. 2020, section 4.1). Pure. */
#ifndef DOMAIN_OBJECT_SUMMARY_H
#define DOMAIN_OBJECT_SUMMARY_H

#include "domain/labels/image_labels.h"

enum { SUMMARY_OBJECTS = 64 }; /* most objects that are told apart */
struct object_summary {
    uint32_t images;
    uint32_t by_objects[SUMMARY_OBJECTS + 1]; /* images with so many; the last: so many or more */
    uint32_t several;          /* images with more than one object */
    uint32_t several_disagree; /* of them: the set's label is in another object than the main one */
    uint32_t several_main_differs; /* of them: the main label is not the set's */
    uint32_t main_right;       /* the main label is the set's */
    uint32_t label_missing;    /* the set's label is of no object */
    double random_object;      /* of images with several: how often an object at random is called by the set's label; NAN without any */
    double random_main;        /* the same by the main label */
};
struct object_summary object_summary_of(const struct image_list *images);

#endif
