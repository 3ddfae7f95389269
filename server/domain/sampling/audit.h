/* audit.h - what is wrong with a revision of a set by what is known today: found again from
 * scratch, whoever sampled it. Pure rules on arrays; the order of the input means nothing. */
#ifndef DOMAIN_AUDIT_H
#define DOMAIN_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

#define AUDIT_NONE UINT32_MAX

/* In the order of findings, which is that of their words. */
enum audit_kind {
    AUDIT_BLACKLISTED,
    AUDIT_HAS_ORIGINAL,   /* a component of near-duplicates with members of the set and an original */
    AUDIT_DUPLICATE,      /* one image more than once, under whatever classes */
    AUDIT_FEW_ANSWERS,    /* fewer answers under its class in the set than asked for */
    AUDIT_MISSING_FILE,
    AUDIT_UNSEARCHED,     /* an enabled metric never searched it for near-duplicates */
    AUDIT_ORIGINAL,       /* an image that is an original itself */
    AUDIT_SAME_COMPONENT, /* two or more images of one component */
    AUDIT_WRONG_CLASS,    /* its own class is known and is another one */
    AUDIT_KINDS
};
extern const char *const audit_kinds[AUDIT_KINDS]; /* "blacklisted", "component_has_imagenet_image", ... */

struct audit_member {
    uint32_t image;       /* the caller's number */
    uint32_t rank;        /* place of its name among all names, bytewise; equal for the same image only */
    uint32_t class_index; /* in the set; in order of wnid */
    uint32_t own_class;   /* AUDIT_NONE: not known */
    uint32_t shown;       /* answers under the class in the set */
    uint32_t component;   /* of near-duplicates (domain/images/near_duplicates.h), AUDIT_NONE: of none */
    bool blacklisted, file_missing, unsearched, original;
};
struct audit_original {   /* an original that is in a component */
    uint32_t component, rank, image;
};
struct audit_input {
    const struct audit_member *members;
    size_t n_members;
    const struct audit_original *originals;
    size_t n_originals;
    uint32_t answers_least; /* 0: answers are not asked for (a set without votes) */
    bool originals_allowed; /* a set of originals: AUDIT_ORIGINAL and AUDIT_HAS_ORIGINAL say nothing */
};

/* One finding. A component is one finding, however many images of it are in the set. */
struct audit_finding {
    enum audit_kind kind;
    uint32_t class_index;         /* of its first image */
    const uint32_t *images;       /* by rank, each once */
    size_t n_images;
    const uint32_t *originals;    /* AUDIT_HAS_ORIGINAL: by rank */
    size_t n_originals;
    uint32_t value;               /* AUDIT_DUPLICATE: how often; AUDIT_FEW_ANSWERS: answers;
                                   * AUDIT_WRONG_CLASS: its own class; otherwise 0 */
};
/* By kind, class, rank of the first image. Everything lives in the arena. */
void audit_find(const struct audit_input *in, struct arena *a, struct audit_finding **out, size_t *n);

#endif
