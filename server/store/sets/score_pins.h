/* score_pins.h - SQL for what holds a revision's scores fast: the block of predictions that was the newest when it was
 * frozen, and decisions that name the source which scores a model on it. What they mean is in measures/scores/score_fold.h, the
 * only reader; write.c writes pins. */
#ifndef STORE_SETS_SCORE_PINS_H
#define STORE_SETS_SCORE_PINS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

struct score_pin {
    bool frozen;      /* false: no pin, the rest is 0 */
    bool newest;      /* frozen by a version that let the newest record about an image hold */
    int64_t block;    /* newest block of predictions at that moment; 0: there was none */
    int64_t decision; /* newest decision about the revision, an undoing included; 0: none */
};
enum err_code score_pin_get(struct db *db, int64_t revision, struct score_pin *out, struct err *err);
/* Pins a revision to the newest block there is, unless it is pinned. Inside the caller's transaction. */
enum err_code score_pin_add(struct db *db, int64_t revision, struct err *err);

struct score_decision {
    int64_t id, revision, model, source, at, account; /* account 0: none */
    struct sv reason;
};
/* Those in force, one a model, by model. */
enum err_code score_decisions(struct db *db, int64_t revision, struct arena *a, struct score_decision **out,
                              size_t *n, struct err *err);
/* Says that `source` scores its model on the revision. ERR_INPUT (rule "score-reason") without a reason;
 * ERR_CONFLICT (rule "score-decided") when that is in force already. Inside the caller's transaction. */
enum err_code score_decision_add(struct db *db, int64_t revision, int64_t model, int64_t source, struct sv reason,
                                 int64_t account, int64_t now, struct err *err);
/* Takes back the decision in force; the one before it holds again. ERR_NOT_FOUND (rule "score-decision") without
 * one. Inside the caller's transaction. */
enum err_code score_decision_undo(struct db *db, int64_t revision, int64_t model, struct sv reason, int64_t account,
                                  int64_t now, struct err *err);

#endif
