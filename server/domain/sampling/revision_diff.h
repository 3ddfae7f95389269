/* revision_diff.h - what differs between two revisions of a set, which of its classes are complete, and which need no
 * second review. Pure rules on arrays; the order of members means nothing. */
#ifndef DOMAIN_REVISION_DIFF_H
#define DOMAIN_REVISION_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct revision_member {
    uint32_t class_index; /* place of the class in the set among all classes */
    uint32_t image;       /* the caller's number */
};

/* Everything by class and image, in the arena. An image whose class differs is removed from the one and
 * added to the other; a member counts as often as it is there. */
struct revision_diff {
    struct revision_member *added, *removed;
    size_t n_added, n_removed;
    uint32_t *changed; /* classes with another set of images, rising */
    size_t n_changed;
};
/* From `old` (no members: the first revision, everything is added) to `new`. */
void revision_diff(const struct revision_member *old, size_t n_old, const struct revision_member *new,
                   size_t n_new, struct arena *a, struct revision_diff *out);

/* How complete a revision is: a class is short when it has fewer than `size` images. */
struct revision_size {
    size_t images;
    uint32_t *short_classes; /* rising, in the arena */
    size_t n_short, missing; /* missing: images that short classes lack */
    size_t n_over;           /* classes with more than `size` */
    bool valid;              /* every class has exactly `size` */
};
void revision_size(const struct revision_member *m, size_t n, uint32_t n_classes, uint32_t size,
                   struct arena *a, struct revision_size *out);

/* State of the final review of one class. */
struct class_review {
    bool reviewed, problematic;
};
/* How the review of a new revision begins: no class is problematic; a class is reviewed when it was in
 * the parent, was not problematic there, and has the same images. Classes by index; returns how many
 * are reviewed. */
size_t revision_carry_reviews(const struct class_review *parent, uint32_t n_classes,
                              const struct revision_diff *from_parent, struct class_review *out);

#endif
