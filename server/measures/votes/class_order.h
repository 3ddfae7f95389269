/* class_order.h - what figures about true frequencies know of an image besides its votes, and
 * images in the order of their classes. Pure computation on arrays. */
#ifndef MEASURES_CLASS_ORDER_H
#define MEASURES_CLASS_ORDER_H

#include "base/arena.h"
#include "stats/spread.h"

struct bias_image {
    uint32_t class_index;
    bool original; /* else a candidate of the pool */
    bool in_set;
    enum spread_review review; /* of a candidate: what a final review said that saw it. One that was
                                * removed is in the pool like any other */
};
struct class_order {
    uint32_t *order; /* indexes of images: the candidates of class c are [from[2c], from[2c + 1]),
                        its originals [from[2c + 1], from[2c + 2]), each as they were given */
    uint32_t *from;  /* [2 * n_classes + 1] */
};
/* In the arena. Images are fewer than 2^31. */
struct class_order class_order_make(const struct bias_image *images, size_t n,
                                    uint32_t n_classes, struct arena *a);

#endif
