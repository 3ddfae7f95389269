/* multilabel.h - what a model's first answers are to the labels of a source, counted as Tsipras et al. and Shankar et
 * al. (2020) do, and averaged over classes as TensorFlow Datasets recommends. */
#ifndef DOMAIN_MULTILABEL_H
#define DOMAIN_MULTILABEL_H

#include <stdint.h>

#include "domain/labels/labels.h"

enum label_part { PART_ALL, PART_SINGLE, PART_MULTI, PART_DISAGREE, LABEL_PARTS };
struct multilabel {
    uint32_t n;           /* answers */
    /* By verdict. Nobody decided about the last two: what they are worth is an interval, not a number. */
    uint32_t correct, unclear, wrong, dontknow, unreviewed;
    uint32_t n_classes;   /* of the set's labels of these images */
    double mean_strict, mean_lenient; /* over those classes, of their shares that are correct, or correct or unclear */
    struct {              /* by how many objects the images have; disagree: more than one, and the set's label is in
                           * another one than the main object */
        uint32_t n, set, names, any, main; /* answers; that are the set's label; an object's; any of one; the main one */
    } part[LABEL_PARTS];
};

/* While counting: answers by their bits and their image's objects, and by class. */
struct multilabel_count {
    uint32_t answers[SAID_ALL + 1][2][2]; /* by bits, several, disagrees */
    struct {
        uint32_t n, correct, lenient;
    } * of_class;
    size_t n_classes;
};
/* `n_classes`: what class_at is below, of which some may have no answer. */
void multilabel_begin(struct multilabel_count *c, size_t n_classes);
/* An answer: its bits (domain/labels/labels.h), and of its image the class of the set's label, as the caller numbers them, and
 * the objects. A few nanoseconds: models times images of them are counted after every verdict of a review. */
static inline void multilabel_add(struct multilabel_count *c, unsigned char said, size_t class_at, bool several, bool disagrees)
{
    c->answers[said][several][disagrees]++;
    c->of_class[class_at].n++;
    c->of_class[class_at].correct += (said & SAID_CORRECT) != 0;
    c->of_class[class_at].lenient += (said & (SAID_CORRECT | SAID_UNCLEAR)) != 0;
}
/* Releases what it took. */
struct multilabel multilabel_end(struct multilabel_count *c);

#endif
