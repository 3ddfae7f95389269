/* subsets.h - SQL for subsets of images under a name, in versions: the words that define one, and what each of them meant
 * when the version was made. Texts are in the caller's arena. Does not know what words mean (measures/core/subset.h). */
#ifndef STORE_SETS_SUBSETS_H
#define STORE_SETS_SUBSETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum {
    SUBSET_NAME = 64,          /* bytes of a name, with its end */
    SUBSET_TEXT = 2000,        /* of a definition */
    SUBSET_NOTE = 500,
    SUBSET_DIGEST = 32,
    SUBSET_MEMBERS = 2000000,  /* most of a part */
    SUBSETS_MOST = 1000        /* names */
};
enum subset_of { SUBSET_IMAGES, SUBSET_CLASSES, SUBSET_PAIRS, SUBSET_OFS }; /* what ids are of; pairs: subset_pair */
extern const char *const subset_of_words[SUBSET_OFS]; /* "images", "classes", "pairs" */

/* An image under a class. */
static inline int64_t subset_pair(int64_t image, int64_t class_id)
{
    return image << 32 | class_id;
}

struct subset_part {    /* what a word means */
    const char *label;
    int64_t *ids;       /* ascending */
    size_t n;
    enum subset_of of;
    bool without;       /* the others are meant */
};
struct subset_row {
    int64_t id, at, account, number, newest; /* newest: number of the newest version of the name */
    struct sv name, login;                   /* login: of who made it; empty: the command line */
    struct sv definition, words, note;
    unsigned char digest[SUBSET_DIGEST];
};
/* ERR_INPUT (rule "subset-name") unless 1 to 63 letters, digits, "-", "_", "."; no leading ".". */
enum err_code subset_name_check(struct sv name, struct err *err);
/* "NAME" (its newest version) or "NAME/NUMBER", of those made up to that event (0: all). ERR_NOT_FOUND (rule "no-subset"). */
enum err_code subsets_find(struct db *db, struct sv name, int64_t event, struct arena *a, struct subset_row *out, struct err *err);
/* All versions of a name, newest first; name empty: the newest of each, by name. */
enum err_code subsets_list(struct db *db, struct sv name, struct arena *a, struct subset_row **out, size_t *n, struct err *err);
/* Every version, for `check`, by event. */
enum err_code subsets_all(struct db *db, struct arena *a, struct subset_row **out, size_t *n, struct err *err);
/* In order; in the arena. ERR_IO (rule "subset-damaged") for a part whose bytes are not what it says. */
enum err_code subset_parts_read(struct db *db, int64_t subset, struct arena *a, struct subset_part **out, size_t *n, struct err *err);
/* Inside the caller's transaction, with an event "subset.create": name, definition, words, note and digest of `row`. *number:
 * the version. One that says what the newest does (definition, digest) is that one, *added false. ERR_INPUT (rules
 * "subset-name", "subset-text", "subset-note"), ERR_LIMIT (rule "subsets-most"). */
enum err_code subsets_add(struct db *db, const struct subset_row *row, const struct subset_part *parts, size_t n, int64_t account,
                          int64_t now, int64_t *number, bool *added, struct err *err);

#endif
