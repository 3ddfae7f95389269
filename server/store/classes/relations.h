/* relations.h - SQL for how classes relate (domain/classes/relations.h): of two classes the newest row holds, whichever comes
 * first in it. */
#ifndef STORE_CLASSES_RELATIONS_H
#define STORE_CLASSES_RELATIONS_H

#include "base/arena.h"
#include "db/db.h"
#include "domain/classes/relations.h"

enum { RELATION_NOTE = 2000 }; /* bytes */

struct relation_new {
    int64_t a, b; /* of kinds without direction in any order */
    enum relation kind;
    struct sv note;
};
struct relation_row {
    int64_t id, a, b, at;
    struct sv a_wnid, a_synset, b_wnid, b_synset, kind, note, by; /* by: a login; empty: an import, or somebody forgotten */
};
/* *id: the event; 0: the two relate just so already, and nothing was stored. `seen`: the newest event that its author knew of,
 * -1: whatever is there. ERR_CONFLICT (rule "relation-changed") when somebody said something else of the two since; ERR_INPUT
 * (rules "relation-self", "relation-note"). */
enum err_code relations_put(struct db *db, const struct relation_new *r, int64_t account, int64_t seen, int64_t now, int64_t *id,
                            struct err *err);
/* How two classes relate; id 0: nobody said. In the arena. */
enum err_code relations_between(struct db *db, int64_t a, int64_t b, struct arena *arena, struct relation_row *out, struct err *err);
/* Of a class, 0: of all; without pairs of kind "none". By wnids, in the arena. */
enum err_code relations_list(struct db *db, int64_t class_id, struct arena *a, struct relation_row **out, size_t *n, struct err *err);
/* All that hold, by event, in the arena. */
enum err_code relations_pairs(struct db *db, struct arena *a, struct relation_pair **out, size_t *n, struct err *err);

#endif
