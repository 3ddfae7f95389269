/* differences.h - what differs between a new set and the originals that needs no model to be seen: brightness,
 * colour, sharpness, size, form, compression, date. Over all classes and for each, in standard
 * deviations with intervals. Knows SQL only through store/. */
#ifndef SETS_BIAS_DIFFERENCES_H
#define SETS_BIAS_DIFFERENCES_H

#include "stats/standardised.h"
#include "store/classes/classes.h"
#include "store/sets/sets.h"
#include "store/sets/statistics.h"

enum difference_stat {
    DIFFERENCE_BRIGHTNESS, /* mean luma, 0 to 1 */
    DIFFERENCE_SATURATION, /* 0 to 1 */
    DIFFERENCE_SHARPNESS,  /* variance of the Laplacian, on the scale log2(1 + x) */
    DIFFERENCE_GRAY,       /* share of images without colour */
    DIFFERENCE_PIXELS,     /* width x height, log2 */
    DIFFERENCE_FORM,       /* width / height, log2 */
    DIFFERENCE_BYTES,      /* bytes a pixel: how much the file was compressed, log2 */
    DIFFERENCE_YEAR,       /* when it was taken, as a year with a fraction */
    DIFFERENCES
};
/* For addresses, CSV and people. */
struct difference_word {
    const char *name, *label, *unit;
    bool doubling; /* means are of logarithms: shown as the number that has that logarithm */
};
extern const struct difference_word difference_words[DIFFERENCES];
/* The values of an image, NAN where not known. */
void difference_values(const struct set_statistics_row *r, double v[DIFFERENCES]);
/* DIFFERENCES for a name that there is none of. */
enum difference_stat difference_stat_of(struct sv name);
/* A mean as people read it, in the unit: undoes the logarithm. */
double difference_natural(enum difference_stat stat, double mean);

struct difference {
    struct moments original, fresh; /* images for which it is known */
    struct standardised d;          /* fresh against original */
    size_t classes;                 /* overall: that both sides have */
};
struct class_differences {
    struct class_info class_info;
    size_t originals, fresh;        /* images */
    struct difference stat[DIFFERENCES];
};
struct differences {
    struct difference overall[DIFFERENCES]; /* classes weighted as in the new set */
    struct class_differences *classes;      /* those of the new set, by wnid */
    size_t n_classes;
    size_t originals, fresh;        /* images of these classes */
    size_t unmeasured;              /* of both, without statistics of their own */
};
/* `original` id 0: every original of the project. One pass over either set; all of it in the arena: about 1 KB a
 * class. */
enum err_code differences_make(struct db *db, const struct revision_row *fresh,
                               const struct revision_row *original, struct arena *a, struct differences *out,
                               struct err *err);

#endif
