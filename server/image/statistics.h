/* statistics.h - what can be measured of an image without knowing what it shows. */
#ifndef IMAGE_STATISTICS_H
#define IMAGE_STATISTICS_H

#include "image/image.h"

/* Of the pixels that people see (image.h). Luma is that of ITU-R BT.601 in whole steps of 0 to 255: (77 R + 150 G + 29 B + 128) / 256. */
struct image_statistics {
    bool gray;         /* no pixel's channels differ by more than 8: what a codec adds to gray */
    double saturation; /* mean of (max - min) / max over the pixels, black counting as 0 */
    double sharpness;  /* variance of the luma's Laplacian (four neighbours) inside the border */
    double brightness; /* mean luma, 0 to 1 */
};
/* Sums are whole numbers: the same picture gives the same numbers on every machine. */
void image_statistics(const struct image *im, struct image_statistics *out);

#endif
