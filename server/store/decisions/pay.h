/* pay.h - SQL for decisions about a place's pay. Append-only: the newest row of a place holds,
 * without one its pay is pending. holdout pays nobody: the lists made of this are given to the
 * panel. Writes need a transaction of the caller. */
#ifndef STORE_DECISIONS_PAY_H
#define STORE_DECISIONS_PAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/sv.h"
#include "db/db.h"

enum { PAY_BONUS_MOST = 1000000, PAY_REASON_MOST = 1000 }; /* cents, bytes */

struct pay_change {
    struct sv state;     /* "pending", "approved", "rejected"; empty: as it was */
    int64_t bonus_cents; /* -1: as it was */
    struct sv reason;    /* a rejection needs one; never the person's panel id (store/people/names.h) */
};
/* Decides, with an event "pay.<state>" about the place; *changed false when that is the decision
 * already. ERR_INPUT (rules "pay-state", "pay-bonus", "pay-reason"), ERR_NOT_FOUND (rule
 * "no-place"). */
enum err_code pay_decide(struct db *db, int64_t place, const struct pay_change *change,
                         int64_t account, int64_t now, bool *changed, struct err *err);
/* The form of a change alone, before anything is written. */
enum err_code pay_check(const struct pay_change *change, struct err *err);
/* Approves at most `most` places of the campaign that ended complete and are pending; *n how many:
 * fewer than `most` means that none is left. */
enum err_code pay_approve_complete(struct db *db, int64_t campaign, size_t most, int64_t account,
                                   int64_t now, size_t *n, struct err *err);
/* What holds about a place's pay. `id`: the event of its newest row, 0 for none. */
struct pay_now {
    int64_t id, bonus_cents;
    struct sv state, reason; /* in the arena */
};
/* ERR_NOT_FOUND (rule "no-place") for a place that the campaign does not have. */
enum err_code pay_get(struct db *db, int64_t campaign, int64_t place, struct arena *a,
                      struct pay_now *out, struct err *err);
/* Whether somebody took a list of the campaign's pay decisions for the panel after that event: from then
 * on people may have been paid by it. */
enum err_code pay_exported(struct db *db, int64_t campaign, int64_t event, bool *exported,
                           struct err *err);
/* The same of any campaign in which the decision (decisions.h) wrote about pay. */
enum err_code pay_exported_after(struct db *db, int64_t decision, bool *exported, struct err *err);
/* How many places pay_approve_complete would approve. */
enum err_code pay_count_complete(struct db *db, int64_t campaign, int64_t *n, struct err *err);

/* An amount as people type it, "1", "0.5" or "12.25", in cents; false for anything else. */
bool pay_amount(struct sv text, int64_t *cents);

#endif
