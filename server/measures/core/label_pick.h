/* label_pick.h - which labels answers are compared with, by a word, as addresses and options have it:
 *
 *   (empty), set             the set's own
 *   NAME[/NUMBER][:RULE]     those of a label source (its newest version unless one is named), by one of the rules that
 *                            its kind has (domain/labels/labels.h); without a rule by the usual one
 *
 * Of a source only the images count that it has and that are neither problematic nor partly reviewed. */
#ifndef MEASURES_LABEL_PICK_H
#define MEASURES_LABEL_PICK_H

#include "base/arena.h"
#include "store/labels/labels.h"

struct label_pick {
    struct sv name;    /* as above, with the version's number and the rule; empty: the set's own */
    const char *label; /* as in "Right: ..." */
    struct label_version_row version;
    enum label_rule rule;
};
/* In the arena. ERR_NOT_FOUND (rule "label-source"); ERR_INPUT (rule "label-rule") for a rule that the source's kind has
 * not, with those that it has. */
enum err_code label_pick_find(struct db *db, struct sv word, struct arena *a, struct label_pick *out, struct err *err);
/* NULL is the set's own too. */
bool label_pick_is_set(const struct label_pick *p);
/* ERR_INPUT (rule "labels-missing") when the source counts no image of the revision, with what to do. */
enum err_code label_pick_covers(struct db *db, const struct label_pick *p, int64_t revision, struct err *err);
uint64_t label_pick_hash(const struct label_pick *p);

/* Every word that needs no version, for a choice on a page: the set's own first, then each source by each of its rules. */
struct label_choice {
    const char *word, *label;
};
enum err_code label_pick_choices(struct db *db, struct arena *a, struct label_choice **out, size_t *n, struct err *err);

#endif
