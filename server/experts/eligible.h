/* eligible.h - who may review which images of a label review, and why not (store/labels/label_seen.h has the rule): for a list
 * that is planned and one that exists. */
#ifndef EXPERTS_ELIGIBLE_H
#define EXPERTS_ELIGIBLE_H

#include "record/record.h"
#include "store/labels/label_seen.h"

struct eligibility {
    int64_t account;
    struct sv login, role; /* login empty: the person was forgotten */
    bool active;           /* it is their work now, or is to be */
    int64_t eligible;      /* images of the list that may be theirs, with those that they have reviewed */
    int64_t seen;          /* the others */
    int64_t how[LABEL_SEENS]; /* of these, by how they were shown them; one may be seen in several ways */
};
extern const struct record eligibility_record;
struct eligible {
    struct eligibility *people; /* active ones first, then by login */
    size_t n;
    int64_t starved; /* images that fewer people at work may review than should look at each */
};
/* Of a list of `n` images, by position; `r` as label_seen_list takes it, with `reviewers`. `logins`: whose work a list that is
 * not made yet would be, with commas; everybody else who could be asked is in `out` too. In the arena.
 * ERR_NOT_FOUND (rule "no-account"), ERR_INPUT (rule "label-review-login") for an account that is disabled or no expert. */
enum err_code eligible_plan(struct db *db, const struct label_review_row *r, const uint32_t *images, size_t n, struct sv logins,
                            struct arena *a, struct eligible *out, struct err *err);
/* Of a list that exists: `people` are everybody whose work it is or was (label_reviewers_list). */
enum err_code eligible_read(struct db *db, const struct label_review_row *r, const struct label_reviewer_row *people, size_t n_people,
                            struct arena *a, struct eligible *out, struct err *err);
/* Why not: "opened pages of 3, had tasks with 2"; NULL: all images may be theirs. In the arena. */
const char *eligible_why(const struct eligibility *e, struct arena *a);
/* The accounts of logins with commas between them. `joining`: only such as may do experts' work, with the errors of
 * eligible_plan; whoever leaves a list may be anybody. */
enum err_code eligible_accounts(struct db *db, struct sv logins, bool joining, struct arena *a, int64_t **out, size_t *n,
                                struct err *err);

#endif
