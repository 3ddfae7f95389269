/* blacklist.h - SQL for the blacklist: images that must not be in a set, and why. An entry is about
 * a name, whether the project has the image or not; the newest holds. */
#ifndef STORE_REVIEW_BLACKLIST_H
#define STORE_REVIEW_BLACKLIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum blacklist_reason {
    BLACKLIST_CLASS,        /* does not show the class */
    BLACKLIST_DRAWING,      /* cartoon, painting, drawing, rendering */
    BLACKLIST_DISTRIBUTION, /* clearly another distribution than the originals' */
    BLACKLIST_UNCLEAR,      /* blurry, occluded, overly edited, tiny */
    BLACKLIST_NEAR_DUPLICATE,
    BLACKLIST_HARMFUL,
    BLACKLIST_OTHER,        /* needs a note */
    BLACKLIST_REASONS
};
extern const char *const blacklist_reasons[BLACKLIST_REASONS]; /* words: "class", "drawing", ... */
extern const char *const blacklist_labels[BLACKLIST_REASONS];  /* for people: "not the class", ... */
/* BLACKLIST_REASONS for anything else. */
enum blacklist_reason blacklist_reason_of(struct sv word);
/* What a free text of an earlier tool means ("Drawing", "too big", "wrong class"): BLACKLIST_OTHER when it
 * says nothing that the list has. The text stays as the note. */
enum blacklist_reason blacklist_reason_guess(struct sv text);

enum { BLACKLIST_NOTE_MOST = 500 };

struct blacklist_entry {
    struct sv name;      /* of the image */
    int64_t event, at, account; /* account 0: an import */
    bool banned;
    struct sv reason, note; /* reason: a word of the list */
};
/* Inside the caller's transaction, which has made the event. An entry that says what holds already is not
 * written (*added false). Event 0: only says what it would do, also of an entry that cannot be. ERR_INPUT: rules
 * "blacklist-reason" (not of the list; `other` without a note), "blacklist-note". */
enum err_code blacklist_put(struct db *db, int64_t event, struct sv name, bool banned, struct sv reason,
                            struct sv note, bool *added, struct err *err);
/* What holds for a name as of an event (0: now); *found false: nobody said anything. */
enum err_code blacklist_of(struct db *db, struct sv name, int64_t as_of, struct arena *a,
                           struct blacklist_entry *out, bool *found, struct err *err);
/* Everything that is banned as of an event (0: now), by name, without `at` and `account`; texts are borrowed for the
 * call. */
enum err_code blacklist_each(struct db *db, int64_t as_of,
                             enum err_code (*each)(void *arg, const struct blacklist_entry *e, struct err *err),
                             void *arg, struct err *err);
/* The images of the project that are banned now, in any order. */
enum err_code blacklist_images(struct db *db, enum err_code (*each)(void *arg, int64_t image, struct err *err),
                               void *arg, struct err *err);
/* The same of the images of a class alone. */
enum err_code blacklist_of_class(struct db *db, int64_t class_id, struct arena *a, struct blacklist_entry **out,
                                 size_t *n, struct err *err);

#endif
