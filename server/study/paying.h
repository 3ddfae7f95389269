/* paying.h - a decision about one participant's pay, and taking it back. */
#ifndef STUDY_PAYING_H
#define STUDY_PAYING_H

#include "store/decisions/pay.h"
#include "study/study.h"

/* What a form says: the decision is "approve", "reject", "keep" (as it was) or a state's own word; the bonus an
 * amount as people type it, empty: as it was. Only what is not an approval has a reason. ERR_INPUT (rule
 * "pay-bonus"). */
struct pay_typed {
    struct sv decision, bonus, reason;
};
enum err_code pay_read(const struct pay_typed *typed, struct pay_change *out, struct err *err);

struct paying {
    int64_t campaign, place, account;
    struct pay_change change;
    bool undo;          /* takes back the place's newest row */
    int64_t seen;       /* the newest row must still be this one; 0: there is none; -1: whichever */
};
struct paid {
    struct pay_now was, now; /* the same when nothing changed */
    bool changed;            /* false: it was decided like that */
    bool can_undo;           /* by deciding `was` as an undo of now.id */
};
/* Decides. Errors of pay_decide, and of an undo ERR_CONFLICT: rule "pay-changed" when somebody decided
 * meanwhile, "pay-exported" when somebody took a list for the panel since, by which the person may have been
 * paid. Write steps only. */
enum err_code pay_make(const struct study *study, const struct paying *p, struct paid *out);

#endif
