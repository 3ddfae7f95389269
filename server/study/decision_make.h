/* decision_make.h - a decision before it is made: whom it is about, what it would change, whether it is
 * still the one that somebody looked at. Making it is decision_write.h. */
#ifndef STUDY_DECISION_MAKE_H
#define STUDY_DECISION_MAKE_H

#include "domain/votes/view_rules.h"
#include "live/votes/effect.h"
#include "store/decisions/decisions.h"
#include "study/decision_choice.h"

enum { DRAFT_DIGEST = 17, DRAFT_CURRENCIES = 8, DRAFT_REASON_PANEL = 100 };

struct draft_ask {
    struct db *db;
    struct tally *tally;
    struct arena *arena;
    const struct choice *choice;
    const int64_t *fit;             /* people of choice->fit, in any order: draft_fit */
    size_t n_fit;
};
/* Finds the people of choice->fit, as a list of people shows them. ERR_INPUT (rule "people-figure"). */
enum err_code draft_fit(struct draft_ask *ask, struct people *people, const struct stats *s,
                        struct err *err);
struct draft_money {                /* of one currency, over the places that change */
    struct sv currency;
    int64_t places, pay_cents;      /* what they get, or do not get, by their campaigns' terms */
    int64_t bonus_before, bonus_after; /* cents */
};
struct draft {
    struct decision d;              /* ready for decisions_create; subjects 0: nothing would change */
    int64_t *subjects;
    char digest[DRAFT_DIGEST];      /* of the subjects and what becomes of each */
    bool has_effect;                /* of an analysis decision */
    struct effect effect;
    int64_t reopened;               /* answers asked for once more */
    int64_t chosen_people;          /* who were named, also those of whom nothing changes */
    int64_t blocked;                /* of them */
    struct decision_place *places;  /* of a pay decision: those that change */
    struct draft_money money[DRAFT_CURRENCIES];
    size_t n_money;
    int64_t counted_answers;        /* of places that are rejected: answers that stay counted */
    const char *filter_warnings[VIEW_FILTERS_MOST + 1]; /* of the view's filters, or of the list's */
    size_t n_filter_warnings;
    struct decision undone;         /* of an undo */
};
/* ERR_NOT_FOUND for somebody or something that is not there; ERR_INPUT (rule "text-names-person").
 * Takes about as long as live/votes/effect.h says. Release it also after a failure. */
enum err_code draft_make(const struct draft_ask *ask, struct draft *out, struct err *err);
void draft_release(struct draft *d);

#endif
