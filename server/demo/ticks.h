/* ticks.h - what simulated people tick in images that truly show several things, as the files that `holdout import responses`
 * reads: an earlier study, in a panel of its own, of the demo's world. */
#ifndef DEMO_TICKS_H
#define DEMO_TICKS_H

#include "db/db.h"
#include "demo/truth.h"

/* Writes image,response,worker,main,selected and image,candidate_order. Each person sees what is plainly there more often,
 * and calls one object in five by a class that is like it. The same seed writes the same files. `small`: of the small world's
 * classes. */
enum err_code ticks_write(struct db *db, const struct truth *truth, bool small, uint64_t seed, const char *responses, const char *order,
                          struct err *err);

#endif
