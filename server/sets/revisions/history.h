/* history.h - how the revisions of a set followed one another: sizes, what came and went, reviews
 * carried over, average frequency. */
#ifndef SETS_REVISIONS_HISTORY_H
#define SETS_REVISIONS_HISTORY_H

#include "domain/sampling/revision_diff.h"
#include "store/classes/classes.h"
#include "store/sets/sets.h"

struct set_history_row {          /* columns of expected/revisions_b.csv */
    struct revision_row revision;
    int valid;                    /* what it says of itself; of a set without such a word: every class complete */
    size_t added, removed, changed; /* against the parent; changed: classes */
    size_t classes;               /* with images in it: those that are reviewed */
    size_t classes_short, missing;
    size_t carried, reviewed, problematic; /* classes; carried: by the rule of 1.10 from the parent's reviews */
    size_t blacklisted;           /* images that are on the blacklist now */
    struct sv *short_classes;     /* wnids, in order; classes_short of them */
};
/* How many images a class should have: for what was sampled, the plan says so; of an import its target size, or else what
 * most classes have. Classes of the set are those that any of its revisions has.
 * All revisions of a set, by number; in the arena. 34 revisions of 10,000 images take about 0.1 s. */
enum err_code set_history_make(struct db *db, const struct set_row *set, struct arena *a,
                               struct set_history_row **out, size_t *n, struct err *err);

/* What differs between any two revisions, with the reason of each removal where `b` is a child of `a`. */
struct set_diff {
    struct revision_diff diff;    /* members: class_index is an index into `classes`, image the id */
    struct class_info *classes;   /* in order of wnid */
    uint32_t n_classes;
    enum revision_removed *reasons; /* of diff.removed; REMOVED_UNKNOWN where nobody recorded one */
    size_t n_recorded;            /* of them, those that have one on record */
    struct arena arena;           /* what the lists lie in: as large as the two revisions */
};
/* `out` is to be freed whatever is returned. */
enum err_code set_diff_make(struct db *db, const struct revision_row *a, const struct revision_row *b,
                            struct set_diff *out, struct err *err);
void set_diff_free(struct set_diff *d);

#endif
