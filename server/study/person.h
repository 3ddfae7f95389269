/* person.h - one person as leads know them: what they did and how well, what was decided and noted about
 * them; notes, blocks and forgetting. By the pseudonym, which says nothing and outlives their panel id. */
#ifndef STUDY_PERSON_H
#define STUDY_PERSON_H

#include "live/people/person_agreement.h"
#include "store/decisions/decisions.h"
#include "store/people/notes.h"
#include "store/people/participants.h"
#include "store/people/workers.h"
#include "study/study.h"

struct person_campaign { /* that the person answered in */
    struct sv name, title;
    struct person_sums sums;
};
struct person_record { /* all in the arena */
    struct worker worker;
    struct participant *parts;
    struct note *notes;
    struct person_sums sums; /* over all campaigns */
    struct person_campaign *campaigns; /* the newest first */
    struct person_answer *answers; /* that are counted, in the order of their events */
    struct decision *decisions;
    int64_t *about;           /* of each decision: how many of its subjects are this person's */
    size_t n_parts, n_notes, n_campaigns, n_answers, n_decisions;
};
/* ERR_NOT_FOUND (rule "no-person"). */
enum err_code person_read(const struct study *study, struct sv pseudonym, struct person_record *out);

/* The rest but person_forgettable is for write steps. */

struct person_noting {
    struct sv kind, text; /* kind: "note", "block", "unblock" */
    int64_t account;
};
struct person_noted {
    const char *kind;
    const char *undo_kind, *undo_text; /* the note that takes it back; NULL: it stays */
};
/* ERR_INPUT (rule "note-kind" and those of notes_add), ERR_NOT_FOUND (rule "no-person"). */
enum err_code person_note(const struct study *study, struct sv pseudonym,
                          const struct person_noting *n, struct person_noted *out);

/* The person, if whoever asks may erase who they are: an account belongs to somebody who signs in, and is an
 * administrator's to end. ERR_NOT_FOUND (rule "no-person"), ERR_DENIED (rule "forget-staff"). */
enum err_code person_forgettable(const struct study *study, struct sv pseudonym, bool admin,
                                 struct worker *out);
/* Erases it: errors of that and of people_forget. */
enum err_code person_forget(const struct study *study, struct sv pseudonym, bool admin,
                            int64_t account);

#endif
