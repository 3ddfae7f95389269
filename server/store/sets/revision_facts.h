/* revision_facts.h - SQL for how a revision came about: what it was sampled from, what the plan
 * said, which images of its parent it has not any more and why. */
#ifndef STORE_SETS_REVISION_FACTS_H
#define STORE_SETS_REVISION_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

/* Why an image of the parent is not in the revision; the first ones are those of domain/sampling/sampling.h. */
enum revision_removed {
    REMOVED_BLACKLISTED,
    REMOVED_FEW_ASSIGNMENTS,
    REMOVED_BELOW_THRESHOLD,
    REMOVED_NEAR_DUPLICATE,
    REMOVED_UNREVIEWED,
    REMOVED_LIMIT,       /* enough of that uploader or event */
    REMOVED_NOT_PICKED,  /* sets without votes */
    REMOVED_NOT_DRAWN,   /* fine, but its cell needs fewer now, or others are better */
    REMOVED_TAKEDOWN,    /* hidden or taken down */
    REMOVED_UNKNOWN,     /* an import does not say */
    REMOVED_MOVED,       /* fine, not drawn, and in another frequency bin than when the parent was drawn */
    REMOVED_UNSEARCHED,  /* an enabled metric never searched it for near-duplicates */
    REMOVED_REASONS
};
extern const char *const revision_removed_words[REMOVED_REASONS]; /* "blacklisted", ... "not-drawn" */
extern const char *const revision_removed_short[REMOVED_REASONS]; /* in a sentence behind a number: "too few answers" */

struct revision_removal {
    uint32_t image, class_id;
    enum revision_removed reason;
};
struct revision_facts {
    int64_t revision, seed, as_of, newest_image, vote_view; /* 0 where it was not sampled here */
    struct sv inputs, facts;   /* JSON; empty where it was not sampled here */
    bool sampled;
    int valid;                 /* 0, 1; -1: not known */
    struct revision_removal *removals;
    size_t n_removals;
};
/* removals 0, without an error, for a revision without a parent; by class and image. */
enum err_code revision_facts_get(struct db *db, int64_t revision, struct arena *a, struct revision_facts *out,
                                 struct err *err);

/* Removals as the column has them: 9 bytes each, sorted by class and image. */
struct sv revision_removals_pack(const struct revision_removal *list, size_t n, struct arena *a);

#endif
