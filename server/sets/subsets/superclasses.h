/* superclasses.h - superclasses under a name: read from a list of somebody's own (CSV class,superclass), with a digest of what it
 * says, and checked against that.
 *
 * The digest names the content whatever numbers a project has for classes: SHA-256 of lines "wnid,superclass" sorted as bytes and
 * joined by LF, without a final one. */
#ifndef SETS_SUPERCLASSES_H
#define SETS_SUPERCLASSES_H

#include "record/record.h"
#include "store/classes/superclass_lists.h"

struct superclasses_ask {
    struct sv name, note;
    const char *file;    /* of the text, for messages: "FILE:LINE: ..." */
    struct sv text;      /* CSV with the columns class (or wnid) and superclass; a class by wnid or number */
    int64_t account;     /* 0: the command line */
};
struct superclasses_draft { /* what will be stored, in the arena */
    struct superclass_list_row row;
    struct superclass_member *members;
    size_t n;
};
/* ERR_INPUT for what is wrong with the name or a line (the first one; rules "superclasses-name", "superclasses"): a class that there
 * is not, or twice; a superclass without a name or with a long one; more than 200 of them, or fewer than two. */
enum err_code superclasses_make(struct db *db, const struct superclasses_ask *ask, struct arena *a, struct superclasses_draft *out, struct err *err);
/* Inside the caller's transaction: superclass_lists_add. */
enum err_code superclasses_store(struct db *db, const struct superclasses_draft *d, int64_t now, int64_t *number, bool *added, struct err *err);
/* Whether what is stored has the digest that the version names. */
enum err_code superclasses_digest_holds(struct db *db, const struct superclass_list_row *row, struct arena *a, bool *holds, struct err *err);
/* The version as superclasses_make reads it: class,superclass, classes by wnid. */
enum err_code superclasses_csv(struct db *db, int64_t list, struct arena *a, struct str *out, struct err *err);

/* As people and scripts read it. */
struct superclasses_face {
    struct superclass_list_row row;
    const char *word, *sha256; /* "@NAME/NUMBER" */
    bool newest;
};
struct superclasses_face superclasses_face(const struct superclass_list_row *row, struct arena *a);
extern const struct record superclasses_record;

#endif
