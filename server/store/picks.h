/* picks.h - SQL for images that are chosen by hand for sets without votes (CIFAR-10.1): one person picks, keyword
 * by keyword, another prunes. Called by sets/, web/ and cli/. */
#ifndef STORE_PICKS_H
#define STORE_PICKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum pick_stage { PICK_OPEN, PICK_PICKED, PICK_PRUNED, PICK_STAGES };
extern const char *const pick_stages[PICK_STAGES]; /* "open", "picked", "pruned" */

struct pick_row {
    struct sv name, note;
    enum pick_stage stage;
    int64_t event, at, account;
};
/* Inside the caller's transaction, which has made the event; what holds already is not written. */
enum err_code picks_put(struct db *db, int64_t event, struct sv name, enum pick_stage stage, struct sv note,
                        bool *added, struct err *err);
/* What holds for every name that somebody spoke about, as of an event (0: now); borrowed for the call. */
enum err_code picks_each(struct db *db, int64_t as_of,
                         enum err_code (*each)(void *arg, const struct pick_row *p, struct err *err), void *arg,
                         struct err *err);

#endif
