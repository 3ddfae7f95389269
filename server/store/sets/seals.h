/* seals.h - SQL for what is sealed until it is frozen. The seal is on the content:
 *
 * A revision of a new set is sealed until it is unsealed, frozen or released (sealed_revision, migrations/0006).
 * While it is, a list with its digest is sealed too, whatever its name, role, order or state, whether it came
 * earlier or later: revision_row.sealed_by (sets.h) names the revision that is to blame. The one exception is an
 * earlier revision of the same set: sampled once more with the same result, what was measured stays measured.
 *
 * A draft is done with once something made from it is open: opening a revision unseals the sealed revisions of its set
 * that it was made from, or their seals would go on hiding the images that both have.
 *
 * Freezing the sealed revision frees its copies. Opening a copy (unseal, freeze, release) opens the content, so it
 * unseals every sealed revision that holds it, with an event and a reason on each: nothing is refused, and two
 * sealed copies cannot hold each other.
 *
 * An image of a sealed revision shows no model's answer, whatever other set it is in; nor does an
 * image with the same bytes. */
#ifndef STORE_SETS_SEALS_H
#define STORE_SETS_SEALS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

struct seal {              /* a sealed revision */
    int64_t revision, list, images;
    struct sv name;        /* "SET/NUMBER" */
};
/* All of them, by id. */
enum err_code seals_list(struct db *db, struct arena *a, struct seal **out, size_t *n, struct err *err);
/* The first that has the image, or one with the same bytes; *name is empty when none has. A few look-ups. */
enum err_code seals_of_image(struct db *db, int64_t image, struct arena *a, struct sv *name, struct err *err);
/* Keeps those of `images` that no sealed revision has, in their order. */
enum err_code seals_leave_out(struct db *db, uint32_t *images, size_t *n, struct err *err);
/* Every image that must not show a model's answer because of this sealed revision (0: of any), in no order, some of
 * them twice: `sealed` is the revision's own, `image` is that or another one with its bytes. Reads whole lists: ask
 * again when seals_stamp changed. */
enum err_code seals_each_image(struct db *db, int64_t revision,
                               void (*each)(void *arg, int64_t image, int64_t sealed), void *arg,
                               struct err *err);
/* The images of a sealed revision that are in a list which came from outside since and on which models may be
 * scored; some of them twice. */
enum err_code seals_imported_since(struct db *db, int64_t revision, void (*each)(void *arg, int64_t image),
                                   void *arg, struct err *err);
enum err_code seals_stamp(struct db *db, int64_t *out, struct err *err);

/* Sealed revisions that seal this one's content; by id. */
enum err_code seals_over(struct db *db, int64_t revision, struct arena *a, struct seal **out, size_t *n,
                         struct err *err);
/* Sealed revisions of its set that a revision was made from, itself or by way of others; `images` is how many of theirs
 * it has. By id. */
enum err_code seals_drafts(struct db *db, int64_t revision, struct arena *a, struct seal **out, size_t *n,
                           struct err *err);
/* Writes that a revision's 'unsealed' state came `through` another revision, which has `shared` of its images. */
enum err_code seals_opening_add(struct db *db, int64_t state, int64_t through, int64_t shared,
                                struct err *err);
/* What was unsealed through another revision: where `revision` is one of the two, but for drafts of its own; by event. */
struct seal_opening {
    int64_t revision, through, shared, at;
    struct sv name, through_name, reason; /* "SET/NUMBER" */
};
enum err_code seals_openings(struct db *db, int64_t revision, struct arena *a, struct seal_opening **out,
                             size_t *n, struct err *err);
/* Names of the other revisions with the same content, whatever their state; by id. */
enum err_code seals_copies(struct db *db, int64_t revision, struct arena *a, struct sv **out, size_t *n,
                           struct err *err);
/* The event that froze it, or released it without that; INT64_MAX: none yet. */
enum err_code seals_frozen_at(struct db *db, int64_t revision, int64_t *event, struct err *err);
/* How many images of a list are in a list of another revision on which models could be scored before `before` (an
 * event), other than `but`; by revision. Images are compared by id. Walks the whole list. */
struct seal_shared {
    int64_t revision, list, images; /* images: that both have */
    struct sv name;
};
enum err_code seals_shared(struct db *db, int64_t list, int64_t but, int64_t before, struct arena *a,
                           struct seal_shared **out, size_t *n, struct err *err);

#endif
