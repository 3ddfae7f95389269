/* sets.h - SQL for image sets and their revisions. A revision is named "SET" (its newest) or "SET/NUMBER". */
#ifndef STORE_SETS_SETS_H
#define STORE_SETS_SETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"
#include "store/sets/revision_facts.h"

enum { SET_NAME = 64, SET_DIGEST = 32, SET_IMAGES = 5000000, SET_REASON = 500 };
enum revision_state { REVISION_SEALED, REVISION_UNSEALED, REVISION_FROZEN, REVISION_RELEASED };
const char *revision_state_word(enum revision_state s); /* "sealed", ... */

struct set_row {
    int64_t id;
    struct sv name, role; /* "original", "new" */
    int64_t revisions, newest; /* newest revision's id */
};
struct revision_row {
    int64_t id, image_set, number, parent; /* parent 0: none */
    struct sv set, role, strategy, parameters;
    struct sv published;  /* the name that an imported history gave it, or empty */
    int64_t list, images, at, account; /* account 0: none */
    bool rows_known; /* row k of a file of predictions without names is about image k */
    unsigned char digest[SET_DIGEST];
    enum revision_state state;
    struct sv state_reason;
    int64_t state_at;
    struct sv sealed_by; /* "SET/NUMBER" of a sealed revision with the same content (seals.h); empty: none */
};
struct revision_image {
    uint32_t image, class_id;
};
/* ERR_INPUT (rule "set-name") unless 1 to 63 letters, digits, "-", "_", "."; no leading ".", not "new". */
enum err_code set_name_check(struct sv name, struct err *err);
/* Whether revisions_add would take the name and role: set_name_check, and "set-role" (below). */
enum err_code sets_take(struct db *db, struct sv name, struct sv role, struct err *err);
/* A revision is also found as "SET-NUMBER", the way studies publish it, unless a set has that name. Where the set's
 * name is such a name of another set's revision, or another set has the name of one of its revisions: two pieces of
 * text for a note, "a-33" and "a/33". Both empty: there is none. In the arena. */
enum err_code sets_named_like(struct db *db, struct sv name, struct arena *a, struct sv *set,
                              struct sv *revision, struct err *err);
enum err_code sets_list(struct db *db, struct arena *a, struct set_row **out, size_t *n, struct err *err);
enum err_code sets_find(struct db *db, struct sv name, struct arena *a, struct set_row *out, struct err *err);
/* "SET" or "SET/NUMBER"; ERR_NOT_FOUND (rule "set") says which sets there are. */
enum err_code revisions_find(struct db *db, struct sv name, struct arena *a, struct revision_row *out,
                             struct err *err);
enum err_code revisions_get(struct db *db, int64_t id, struct arena *a, struct revision_row *out, struct err *err);
/* All of a set, by number; set 0: of all sets, by set name and number. */
enum err_code revisions_list(struct db *db, int64_t set, struct arena *a, struct revision_row **out, size_t *n,
                             struct err *err);
/* In order of position. */
enum err_code revisions_images(struct db *db, int64_t id, struct arena *a, struct revision_image **out, size_t *n,
                               struct err *err);
/* The same with names, which are borrowed for the call. */
struct revision_name {
    int64_t position, image, class_id, cid;
    struct sv name, wnid;
};
enum err_code revision_images_named(struct db *db, int64_t id,
                                    enum err_code (*each)(void *arg, const struct revision_name *m,
                                                          struct err *err),
                                    void *arg, struct err *err);
/* Writes a new revision; `images` in order. Idempotent: the newest revision of the set with the same digest is
 * given back with *added false. The set is made when it is not there; one with another role is ERR_CONFLICT (rule
 * "set-role"). Writes transactions of its own: 50,000 rows are too many for one beside a server, so they go in
 * slices first, the revision's own row last, and what a killed import left is completed by the next. */
struct revision_opened {
    int64_t revision, shared; /* shared: how many of its images the new one has */
};
struct revision_new {
    struct sv set, role, strategy, parameters;
    int64_t parent, account;
    enum revision_state state;
    struct sv state_reason;
    const struct revision_image *images;
    size_t n;
    unsigned char digest[SET_DIGEST];
    const struct revision_facts *facts; /* NULL: nothing is known of how it came about (revision_facts.h) */
    const uint32_t *carried;            /* classes that are reviewed from the start; written with the revision */
    size_t n_carried;
    bool always;                        /* a revision of its own even with the newest one's images */
    int64_t number;                     /* 0: the next; imports of a history name theirs, plus one */
    const struct revision_opened *opened; /* sealed revisions that are unsealed with it, because it has their images */
    size_t n_opened;
    struct sv opened_reason;
    bool rows_unknown;                  /* the list's order is not that of files of predictions */
};
enum err_code revisions_add(struct db *db, bool alone, const struct revision_new *r, int64_t now, int64_t *id,
                            bool *added, struct err *err);
/* The revision that revisions_add would give back instead of adding one; *id 0: it would add. */
enum err_code revisions_same(struct db *db, const struct revision_new *r, int64_t *id, struct err *err);
/* Inside the caller's transaction. A state leads on from sealed to unsealed, frozen, released: ERR_CONFLICT (rule
 * "set-state") otherwise; ERR_INPUT (rule "set-reason") without a reason. Sealed revisions with the same content
 * (seals.h) are unsealed early with it, each with an event and the reason. */
enum err_code revision_state_add(struct db *db, int64_t revision, enum revision_state state, struct sv reason,
                                 int64_t account, int64_t now, struct err *err);
/* Inside the caller's transaction: unseals early those of `opened` that are sealed still, because `through`, on which
 * models may be scored, has their images. */
enum err_code revision_open_others(struct db *db, int64_t through, const struct revision_opened *opened, size_t n,
                                   struct sv reason, int64_t account, int64_t now, struct err *err);
/* Sealed until frozen: ERR_DENIED (rule "set-sealed") with what to do, for a revision on which
 * models may not be scored yet: it is sealed, or another one with the same content is (sealed_by), then originals
 * too. Otherwise originals, frozen, released and unsealed ones may. measures/scores/model_scores.h asks this for everybody; places
 * that choose a set ask too, to offer none that would be refused. */
enum err_code revision_may_be_scored(const struct revision_row *r, struct err *err);
/* The newest of the role that models may be scored on; NULL: there is none. */
const struct revision_row *revision_newest(const struct revision_row *list, size_t n, const char *role);
/* Whether it is the newest of its set that models may be scored on. */
bool revision_leads_set(const struct revision_row *list, size_t n, const struct revision_row *r);

/* Every list of images, for `check`: one without a revision, or with fewer rows than images, is what a killed
 * import left. */
struct set_list_state {
    int64_t id, images, rows, revision; /* revision 0: none has it */
    unsigned char digest[SET_DIGEST];
};
enum err_code sets_check(struct db *db,
                         enum err_code (*each)(void *arg, const struct set_list_state *l, struct err *err),
                         void *arg, struct err *err);

#endif
