/* class_decisions.h - SQL for what people decide about the images of a class in one go: blacklist, near-duplicate
 * sets, whether the class is reviewed. One event each; the newest of a class is its version, and who decides names the
 * version that they have seen, so that two people never overwrite each other. */
#ifndef STORE_REVIEW_CLASS_DECISIONS_H
#define STORE_REVIEW_CLASS_DECISIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"
#include "store/review/blacklist.h"

/* What one step of the writer may take: 500 images on the blacklist, a class as the review shows it, are 4 ms. */
enum {
    CLASS_DECISION_IMAGES = 500,
    CLASS_DECISION_NAMES = 200, /* of near-duplicate sets, and of those who leave theirs */
    CLASS_DECISION_GROUPS = 100,
    CLASS_DECISION_PAIRS = 1000
};

struct decided_image {
    struct sv name;
    bool banned;           /* false: off the blacklist */
    struct sv reason, note;
};
struct decided_group {     /* images that show the same photo: 2 and more, stored as the first with each other */
    const struct sv *names;
    size_t n;
};
enum { DECIDED_NOTHING = -1 };
enum { CLASS_SEEN_ANY = -1 };
struct class_decision {
    int64_t class_id, revision; /* revision 0: in the class browser; then the two flags stay DECIDED_NOTHING */
    const struct decided_image *images;
    size_t n_images;
    const struct decided_group *groups;
    size_t n_groups;
    const struct sv *apart;     /* names that are of no near-duplicate set any more: every pair that holds with
                                 * one of them is taken back; what they held together stays one */
    size_t n_apart;
    int reviewed, problematic;  /* 0, 1, DECIDED_NOTHING */
    int64_t undoes;             /* another decision of the class, whose rows are put back; then all above is empty */
};
/* The version of a class: its newest decision, 0 without any. */
enum err_code class_version(struct db *db, int64_t class_id, int64_t *out, struct err *err);
/* What class_decisions_write refuses first, without writing: ERR_INPUT "class-decision", ERR_CONFLICT
 * "class-changed"; then *version is the class's. */
enum err_code class_decisions_check(struct db *db, const struct class_decision *d, int64_t seen, int64_t *version,
                                    struct err *err);
/* Inside the caller's transaction; *id is the new version (`seen` when everything held already). Errors:
 * ERR_CONFLICT (rule "class-changed") when the class has another version than `seen` (CLASS_SEEN_ANY: whatever it is); ERR_INPUT
 * "class-decision" (nothing in it, too much in it), "blacklist-reason", "near-duplicate-set" (fewer than two, one
 * twice, a name that the project and its pairs do not know, in `apart` one that is neither of the class nor said to
 * be a near-duplicate of one), "class-decision-image" (an image of another class);
 * ERR_NOT_FOUND "class-decision" and ERR_CONFLICT "class-undone" (undone already, or changed by a later one). */
enum err_code class_decisions_write(struct db *db, const struct class_decision *d, int64_t seen, int64_t account,
                                    int64_t now, int64_t *id, struct err *err);

struct decided_pair {
    struct sv a, b;
    bool same;                 /* false: taken apart */
};
struct decided {               /* one decision, as people read it */
    int64_t id, at, class_id, account, revision, undoes, undone_by; /* 0: none */
    struct sv login;           /* of the account, empty when it has none any more */
    struct blacklist_entry *images;
    size_t n_images;
    struct decided_pair *pairs;
    size_t n_pairs;
    int reviewed, problematic; /* DECIDED_NOTHING */
};
/* Decisions about a class after an event, newest first, at most `most`. */
enum err_code class_decisions_list(struct db *db, int64_t class_id, int64_t after, size_t most, struct arena *a,
                                   struct decided **out, size_t *n, struct err *err);
/* One decision; ERR_NOT_FOUND (rule "class-decision"). */
enum err_code class_decisions_get(struct db *db, int64_t id, struct arena *a, struct decided *out,
                                  struct err *err);

#endif
