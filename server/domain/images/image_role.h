/* image_role.h - what an image is in a project. */
#ifndef DOMAIN_IMAGE_ROLE_H
#define DOMAIN_IMAGE_ROLE_H

#include <stdbool.h>

#include "base/sv.h"

enum image_role {
    IMAGE_ORIGINAL,  /* of the data set that is replicated */
    IMAGE_CANDIDATE, /* collected for a new set */
    IMAGE_REFERENCE, /* an example that people are shown */
    IMAGE_GOLD,      /* with a known answer */
    IMAGE_TRAINING,  /* models were trained on it: compared with others, and nothing else */
    IMAGE_ROLES
};
extern const char *const image_role_words[IMAGE_ROLES];
#define IMAGE_ROLE_LIST "original, candidate, reference, gold or training"
/* IMAGE_ROLES for any other word. */
enum image_role image_role_of(struct sv word);
/* Whether no candidate may look like it: originals, and what people or models have seen. */
bool image_role_is_compared(enum image_role role);

#endif
