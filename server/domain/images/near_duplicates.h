/* near_duplicates.h - which images show the same photo, and which one of them may be sampled. Pure rules on
 * arrays: knows neither how a pair was found nor where it is stored.
 *
 * Components. Two images are connected by an edge (somebody or something said that they are near-
 * duplicates) or by the same source id (one photo that was found twice). An edge from an image to
 * itself says nothing; one to an image that is not in the array is reported and says nothing either.
 *
 * Resolution, per component; the first line that applies decides:
 *   1. it has an original: every candidate is out;
 *   2. somebody named images to keep: they stay, every other candidate is out;
 *   3. one candidate stays, all others are out. A class's score is the highest frequency of its members
 *      that are not blacklisted and were shown, else 0. Eligible are the classes that score at least
 *      .7; if none does, those that score at least .7 - .1; if none does either, the best one, ties to
 *      the later class. Of the eligible the class with the fewest good candidates is chosen (in all of
 *      the class: not blacklisted, shown, frequency at least .7), ties to the earlier class. Of its
 *      members the one with the highest frequency stays (0 when blacklisted or never shown), ties to
 *      the later name.
 * Earlier and later are those of the published program, which compares wnids and names as text. */
#ifndef DOMAIN_NEAR_DUPLICATES_H
#define DOMAIN_NEAR_DUPLICATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/sv.h"

#define NEAR_NONE UINT32_MAX

struct near_image {
    uint32_t class_index;      /* place of its own class among all, in order of wnid */
    uint32_t rank;             /* place of its name among all names, bytewise; no two are equal */
    uint32_t shown, selected;  /* answers under its own class */
    uint64_t source;           /* equal ones are one photo; 0: unknown */
    bool original;             /* of the data set that is replicated: training images too */
    bool blacklisted, keep;    /* keep: somebody decided that of its component this one stays */
};
struct near_edge {
    uint32_t a, b; /* indices of images; NEAR_NONE, or anything beyond them: not known here */
};
struct near_input {
    const struct near_image *images;
    size_t n_images;
    const struct near_edge *edges;
    size_t n_edges;
    uint32_t n_classes;
};

/* What decided about a component. */
enum near_rule {
    NEAR_ORIGINAL, /* line 1 */
    NEAR_KEPT,     /* line 2 */
    NEAR_GOOD,     /* line 3, a class with at least .7 */
    NEAR_FAIR,     /* line 3, .7 - .1 */
    NEAR_BEST,     /* line 3, the best there is */
    NEAR_RULES
};
extern const char *const near_rules[NEAR_RULES]; /* "original", "kept", ... */

struct near_component {
    uint32_t first, n;  /* members[first .. first + n) */
    uint32_t originals; /* of them */
    uint32_t survivor;  /* the candidate that may be sampled, the first by rank when several were kept;
                         * NEAR_NONE under rule 1 */
    enum near_rule rule;
};
struct near_result {
    uint32_t *component;               /* of every image, NEAR_NONE: of none */
    bool *out;                         /* of every image: a candidate that must not be sampled */
    struct near_component *components; /* of two images and more, in order of their first member */
    size_t n_components;
    uint32_t *members;                 /* indices of images; those of a component by rank */
    uint32_t *unknown;                 /* indices of edges with an end that is not known */
    size_t n_unknown, n_out;
};

/* Everything in *out lives in the arena: about 16 bytes an image. The order of images and edges does
 * not change what is found, only indices. */
void near_duplicates_resolve(const struct near_input *in, struct arena *a, struct near_result *out);

/* Whether a name is one of ImageNet's own, as histories name training, validation and test images:
 * ILSVRC2012_..., or a wnid, "_" and a number. Such an image is an original though no list has it. */
bool near_name_of_imagenet(struct sv name);

/* A component's name: 16 hex digits that change with its members (FNV-1a of their names, joined by
 * commas). The published program takes the MD5 of the same text, which nothing here has; where its
 * names are needed whoever writes them hashes the text of near_component_text. `names` in order. */
const char *near_component_name(const struct sv *names, size_t n, struct arena *a);
struct sv near_component_text(const struct sv *names, size_t n, struct arena *a);

#endif
