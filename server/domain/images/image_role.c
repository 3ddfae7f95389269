/* image_role.c - the words, as the database has them. */
#include "domain/images/image_role.h"

const char *const image_role_words[IMAGE_ROLES] = {"original", "candidate", "reference", "gold", "training"};

enum image_role image_role_of(struct sv word)
{
    enum image_role role = IMAGE_ORIGINAL;
    while (role < IMAGE_ROLES && !sv_is(word, image_role_words[role])) {
        role++;
    }
    return role;
}

bool image_role_is_compared(enum image_role role)
{
    return role == IMAGE_ORIGINAL || role == IMAGE_REFERENCE || role == IMAGE_TRAINING;
}
