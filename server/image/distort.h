/* distort.h - the changes that make a near-duplicate of a picture: what photo sites, search engines and people do to one
 * photo (papers, section on near-duplicates). For finding out which of them a metric finds. Knows nothing of metrics. */
#ifndef IMAGE_DISTORT_H
#define IMAGE_DISTORT_H

#include "base/rng.h"
#include "image/image.h"

struct distortion {
    const char *name;  /* one word, stored */
    const char *about; /* what is done, for people */
    /* A changed copy; the caller releases it. What is left to chance comes from `r`. ERR_LIMIT without memory. */
    enum err_code (*make)(const struct image *in, struct rng *r, struct image *out, struct err *err);
};
enum { DISTORTIONS = 9 };
extern const struct distortion distortions[DISTORTIONS]; /* by name */

#endif
