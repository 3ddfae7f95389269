/* potential_view.h - the vote view that counts answers about potential labels unless another is named: those of all
 * campaigns of the kind. */
#ifndef SETS_LABELS_POTENTIAL_VIEW_H
#define SETS_LABELS_POTENTIAL_VIEW_H

#include "store/votes/views.h"

#define POTENTIAL_VIEW "potential"

/* The view of that name; an empty one: POTENTIAL_VIEW, which is made in a transaction of its own if it is not there. `dry`:
 * it is not stored then, and has no id. */
enum err_code potential_view_find(struct db *db, struct sv name, bool dry, struct arena *a, struct vote_view *out,
                                  struct err *err);

#endif
