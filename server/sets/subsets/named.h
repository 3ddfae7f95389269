/* named.h - subsets under a name: made of words, with a digest of what these meant, and checked against it.
 *
 * The digest names the content whatever numbers a project has for images: SHA-256 of lines joined by LF, without a final
 * one. Of each part in order a line "[without ]KIND N", KIND images, classes or pairs, then its N members sorted as bytes:
 * image names, wnids, or "image,wnid". */
#ifndef SETS_SUBSETS_NAMED_H
#define SETS_SUBSETS_NAMED_H

#include "measures/core/subset.h"
#include "record/record.h"
#include "store/sets/sets.h"

struct named_ask {
    struct sv name, definition, note;
    int64_t account;     /* 0: the command line */
};
struct named_draft {     /* what will be stored, in the arena */
    struct subset_row row;
    struct subset subset;
};
/* What the words mean now. ERR_INPUT and ERR_NOT_FOUND as subset_find. Reads much: not on the writer's thread. */
enum err_code named_make(struct db *db, const struct subset_when *when, const struct named_ask *ask, struct arena *a,
                         struct named_draft *out, struct err *err);
/* Stores it, inside the caller's transaction: subsets_add. */
enum err_code named_store(struct db *db, const struct named_draft *d, int64_t now, int64_t *number, bool *added, struct err *err);
/* Whether what is stored has the digest that the version names. */
enum err_code named_digest_holds(struct db *db, const struct subset_row *row, bool *holds, struct err *err);

/* As people and scripts read it. */
struct named_face {
    struct subset_row row;
    const char *word, *sha256; /* "@NAME/NUMBER" */
    bool newest, asked;        /* asked: about a revision */
    uint32_t images;           /* of that revision, those that it means */
};
struct named_face named_face(const struct subset_row *row, struct arena *a);
/* Adds how many images of the revision it means; NULL: of none. ERR_DENIED (rule "set-sealed") never: no scores. */
enum err_code named_count(struct db *db, const struct revision_row *r, struct arena *a, struct named_face *face, struct err *err);
extern const struct record named_subset_record;

/* "image,wnid" lines of a revision's images that the subset means, under a head, for files that `import set` reads. */
enum err_code named_images(struct db *db, const struct subset *s, const struct revision_row *r,
                           enum err_code (*each)(void *arg, struct sv image, struct sv wnid, struct err *err), void *arg,
                           struct err *err);

#endif
