/* superclass_lists.h - SQL for lists that say which classes belong together, under a name, in versions. A version is never
 * changed or removed. Texts are in the caller's arena. */
#ifndef STORE_CLASSES_SUPERCLASS_LISTS_H
#define STORE_CLASSES_SUPERCLASS_LISTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum {
    SUPERCLASS_LIST_NAME = 64,   /* bytes of a list's name, with its end */
    SUPERCLASS_LIST_NOTE = 500,
    SUPERCLASS_LIST_DIGEST = 32,
    SUPERCLASS_LISTS_MOST = 200, /* names */
    SUPERCLASS_NAME = 100        /* most bytes of a superclass's name */
};
struct superclass_list_row {
    int64_t id, at, account, number, newest, classes; /* newest: number of the newest version of the name; classes: in any */
    int64_t superclasses;
    struct sv name, login, note;                      /* login: of who made it; empty: the command line */
    unsigned char digest[SUPERCLASS_LIST_DIGEST];
};
struct superclass_member {
    int64_t class_id;
    struct sv wnid, superclass;
};
/* ERR_INPUT (rule "superclasses-name") unless 1 to 63 letters, digits, "-", "_", "."; no leading ".". */
enum err_code superclass_list_name_check(struct sv name, struct err *err);
/* "NAME" (its newest version) or "NAME/NUMBER". ERR_NOT_FOUND (rule "no-superclasses"). */
enum err_code superclass_lists_find(struct db *db, struct sv name, struct arena *a, struct superclass_list_row *out, struct err *err);
/* The newest version of each, by name. */
enum err_code superclass_lists_newest(struct db *db, struct arena *a, struct superclass_list_row **out, size_t *n, struct err *err);
/* Every version, by event. */
enum err_code superclass_lists_all(struct db *db, struct arena *a, struct superclass_list_row **out, size_t *n, struct err *err);
/* Those of a version, by superclass, then by class number. */
enum err_code superclass_members_read(struct db *db, int64_t list, struct arena *a, struct superclass_member **out, size_t *n, struct err *err);
/* Inside the caller's transaction, with an event "superclasses.create": name, note and digest of `row`. *number: the version. One
 * that says what the newest does is that one, *added false. ERR_INPUT (rules "superclasses-name", "superclasses-note"), ERR_LIMIT
 * (rule "superclasses-most"). */
enum err_code superclass_lists_add(struct db *db, const struct superclass_list_row *row, const struct superclass_member *members, size_t n,
                                   int64_t account, int64_t now, int64_t *number, bool *added, struct err *err);

#endif
