/* set_members.h - images by name for the imports of sets and of their histories: their ids, and those that the
 * project has not are added by name, without pixels, as `import image-list` does. Knows nothing of revisions. */
#ifndef TRANSFER_IMPORTS_SET_MEMBERS_H
#define TRANSFER_IMPORTS_SET_MEMBERS_H

#include "transfer/core/transfer.h"

struct set_member {
    struct sv name;
    int64_t class_id; /* the class of an image that is added */
    uint32_t image;   /* id; 0: the project does not have it yet */
};
struct set_members {
    struct transfer *tr;
    int64_t now;
    struct sv role;   /* of the set: "original", "new" */
    struct set_member *list; /* the caller's, each name once */
    size_t n, done;
    uint64_t unknown, added; /* images that the project had not; added now */
};
/* Looks all of them up; writes nothing. */
enum err_code set_members_find(struct set_members *m);
/* Adds those that were not found. A killed import is completed by the next. */
enum err_code set_members_add(struct set_members *m);

#endif
