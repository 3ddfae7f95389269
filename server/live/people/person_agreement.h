/* person_agreement.h - one person's answers, each compared with the controls and with the others to the
 * same grid. Two passes over the ledger and the person's grids: about 2 ms at 10 million votes. Knows
 * nothing of SQL. */
#ifndef LIVE_PEOPLE_PERSON_AGREEMENT_H
#define LIVE_PEOPLE_PERSON_AGREEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "domain/votes/agreement.h"
#include "live/core/tally.h"

struct person_answer {
    uint32_t id, at_s, campaign, active_ms; /* active_ms 0: not known */
    bool surplus, out, excluded;            /* excluded: its grid is of no view */
    struct agreement agreement;
};
/* In the order of their events, in the arena. */
void person_agreement(struct tally *t, int64_t person, struct arena *a, struct person_answer **out,
                   size_t *n);

enum person_answer_state { PERSON_ANSWER_STORED, PERSON_ANSWER_OUT, PERSON_ANSWER_SURPLUS, PERSON_ANSWER_ANY };
enum person_answer_state person_answer_state(const struct person_answer *w);
enum person_answer_sort {
    PERSON_ANSWERS_BY_TIME, PERSON_ANSWERS_BY_ACTIVE, PERSON_ANSWERS_BY_RELATIVE, PERSON_ANSWERS_BY_CONTROL
};
struct person_answers_ask {
    enum person_answer_state state;
    enum person_answer_sort sort; /* equal ones: the newest first; what is not known is last either way */
    bool falling;
};
/* Those that fit, in the arena. */
struct person_answer *person_answers_find(const struct person_answer *list, size_t n,
                                          const struct person_answers_ask *ask, struct arena *a,
                                          size_t *found);

/* As struct stats_person counts them: n and active over all answers, agreement without those on excluded
 * grids, controls also without those that are out. */
struct person_sums {
    uint32_t n, out, surplus;
    uint64_t active_ms;
    uint32_t pos_right, pos, neg_right, neg, gold_right, gold, compared;
    double agreement, relative;             /* means over compared answers */
};
/* `campaign` 0: of all. */
struct person_sums person_sum(const struct person_answer *list, size_t n, uint32_t campaign);

#endif
