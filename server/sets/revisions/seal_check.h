/* seal_check.h - whether lists that come from outside hold what is sealed. The digest of a copy gives it away
 * (store/sets/seals.h); a list with most of a sealed revision's images, or made mostly of them, is asked about,
 * whatever their labels and the other images are:
 *
 * - more than half of the list's images are in sealed revisions, or
 * - it has more than half of a sealed revision's images, or
 * - it does so together with other lists of the same import and with lists that were imported since that revision
 *   was made.
 *
 * An image with the same bytes counts as the same. */
#ifndef SETS_REVISIONS_SEAL_CHECK_H
#define SETS_REVISIONS_SEAL_CHECK_H

#include "store/sets/seals.h"
#include "store/sets/sets.h"

struct sealed_set;
struct seal_check {
    struct arena *arena;
    struct sealed_set *sets; /* that are sealed, and were not opened by an earlier list */
    size_t n;
};
/* What one list would open. Lives in the arena. */
struct seal_asked {
    struct revision_opened *opened;
    struct sv *names;  /* of the opened, "SET/NUMBER" */
    size_t n;          /* 0: nothing is asked */
    size_t shared;     /* images of the list that are in sealed revisions */
};
/* Reads the lists of all sealed revisions but `but` (0: of all). Release it whatever came out; `a` outlives it. */
enum err_code seal_check_open(struct seal_check *k, struct db *db, int64_t but, struct arena *a, struct err *err);
void seal_check_release(struct seal_check *k);
/* The next list: ids of images, 0 for those that the project does not have. What it opens, later lists do not. */
void seal_check_list(struct seal_check *k, const uint32_t *images, size_t n, struct seal_asked *out);
/* ERR_DENIED (rule "set-sealed") with what to do, when something is asked and there is no `reason`; ERR_INPUT (rule
 * "set-reason") for a reason that is too long. `what`: the list, as people call it. */
enum err_code seal_asked_check(const struct seal_asked *asked, const char *what, size_t images, struct sv reason,
                               struct err *err);

/* revision_state_add (store/sets/sets.h) for whoever opens revisions: an imported one that holds most of a sealed
 * revision opens that with it, though its digest is another. What is sampled here does not: it opens the drafts that
 * it was made from (store/sets/seals.h), and no other set. Inside the caller's transaction. */
enum err_code seal_state_add(struct db *db, int64_t revision, enum revision_state state, struct sv reason,
                             int64_t account, int64_t now, struct err *err);

#endif
