/* review_plan.h - what a label review would be, and who could review it, before anything is written: for the page, the API and
 * the command line. */
#ifndef EXPERTS_REVIEW_PLAN_H
#define EXPERTS_REVIEW_PLAN_H

#include "experts/eligible.h"
#include "experts/review_make.h"

struct review_plan {
    struct review_ask ask;
    struct review_made made;
    struct eligible eligible;
    const struct eligibility *people; /* those of eligible */
    size_t n_people;
    const char *queue;
};
extern const struct record review_plan_record;
/* `logins`: whose work it is to be, with commas. Errors of review_make and eligible_plan; a name that cannot be used is none:
 * made.taken. In the arena. */
enum err_code review_plan_make(struct db *db, const struct review_ask *ask, struct sv logins, int64_t now, struct arena *a,
                               struct review_plan *out, struct err *err);
/* Who could review a list that was made or planned now. */
enum err_code review_plan_people(struct db *db, const struct review_ask *ask, const struct review_made *made, struct sv logins, int64_t now,
                                 struct arena *a, struct eligible *out, struct err *err);

#endif
