/* decisions.h - SQL for decisions about many answers (in or out of the analysis) or many places (pay).
 *
 * A decision is one row that holds everything, the list of its subjects too, and then a row of
 * answer_state or pay for each of them, written in that order in short pieces. One that was cut off
 * therefore knows how far it got: decisions_write continues, from any process, and writing it to the
 * end twice changes nothing. While one is not whole no other begins, so that two never mix; but it
 * may be taken back, which is an undo of the rows that it wrote. An undo is a decision too: it puts
 * each subject back into the state before the one undone, unless something newer holds about it.
 * Texts are in the caller's arena. Writes need a transaction of the caller. */
#ifndef STORE_DECISIONS_DECISIONS_H
#define STORE_DECISIONS_DECISIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum {
    DECISION_SUBJECTS_MOST = 1000000,
    DECISION_REASON_MOST = 1000,
    DECISION_PIECE_MOST = 512    /* subjects written at once */
};

enum decision_value {
    DECISION_IN, DECISION_OUT,                    /* analysis */
    DECISION_PENDING, DECISION_APPROVED, DECISION_REJECTED, DECISION_BONUS, /* pay */
    DECISION_UNDO,                                /* either */
    DECISION_VALUES
};
/* "in", "out", "pending", "approved", "rejected", "bonus", "undo". */
const char *decision_value_name(enum decision_value v);
bool decision_value_parse(struct sv name, enum decision_value *out);

struct decision {
    int64_t id, at, account;
    bool pay;                       /* else analysis */
    enum decision_value value;
    struct sv rule, criteria, login; /* criteria: JSON; login: who decided, empty: the command line */
    int64_t as_of, subjects, people, last_subject;
    int64_t bonus_cents;            /* of DECISION_BONUS */
    bool reopen;
    int64_t undoes;                 /* 0: none */
    int64_t undone_by;              /* the newest that undoes it, 0: none */
    int64_t last_written;           /* subject of its newest row, 0: none yet */
    bool whole;                     /* every row is there */
};

/* The form of a reason: text of at most DECISION_REASON_MOST bytes that says something. ERR_INPUT
 * (rule "decision-reason"). */
enum err_code decisions_reason(struct sv reason, struct err *err);
/* Stores a decision with its event "decision.<value>"; d->id, at, login, undone_by, last_written and
 * whole are not read. `subjects` rise and are d->subjects many, as of the event d->as_of. Nothing of
 * its kind may have been decided after that: ERR_CONFLICT (rule "decision-changed"). ERR_CONFLICT
 * (rule "decision-unfinished") while another is not whole, unless this undoes it. */
enum err_code decisions_create(struct db *db, const struct decision *d, const int64_t *subjects,
                               int64_t now, int64_t *id, struct err *err);

/* What is to be written of a decision; loaded once, then decisions_write until nothing is left. */
struct decision_work {
    struct decision d;
    const int64_t *subjects;
};
enum err_code decisions_load(struct db *db, int64_t id, struct arena *a, struct decision_work *out,
                             struct err *err);
/* One answer more (n 1) or less (-1) is asked for of a grid. */
struct reopened_row {
    int64_t id, grid, campaign;
    int n;
};
struct decision_piece {
    bool more;
    size_t written, n_reopened;
    struct reopened_row reopened[DECISION_PIECE_MOST];
};
/* Writes some of what is missing, for about `ms` at most. ERR_CONFLICT (rule "decision-undone") when
 * somebody took it back meanwhile. */
enum err_code decisions_write(struct db *db, const struct decision_work *w, int64_t account,
                              int64_t now, int64_t ms, struct decision_piece *out,
                              struct err *err);

/* ERR_NOT_FOUND (rule "no-decision"). */
enum err_code decisions_get(struct db *db, int64_t id, struct arena *a, struct decision *out,
                            struct err *err);
enum decision_filter {
    DECISIONS_ALL, DECISIONS_ANSWERS, DECISIONS_PAY, DECISIONS_UNDONE /* by another one, whatever became of that */
};
enum decision_sort { DECISIONS_BY_TIME, DECISIONS_BY_SUBJECTS, DECISIONS_SORTS };
struct decisions_ask {
    enum decision_filter filter;
    enum decision_sort sort; /* equal ones: the newest first */
    bool falling;
    int64_t before;          /* only those before this one; 0: all */
    size_t skip, most;
};
enum err_code decisions_list(struct db *db, const struct decisions_ask *ask, struct arena *a,
                             struct decision **out, size_t *n, struct err *err);
enum err_code decisions_count(struct db *db, enum decision_filter filter, int64_t *n, struct err *err);
/* Those that wrote about the person, newest first; *rows is how many of each are about them. */
enum err_code decisions_of(struct db *db, int64_t person, size_t most, struct arena *a,
                           struct decision **out, int64_t **rows, size_t *n, struct err *err);
/* The decision that is not whole and not taken back; *id 0 when there is none. */
enum err_code decisions_unfinished(struct db *db, int64_t *id, struct err *err);
/* How many of its rows are there. */
enum err_code decisions_written(struct db *db, const struct decision *d, int64_t *n,
                                struct err *err);
/* Where the effect of a decision stands: itself, or whatever undoes it, or undoes that ... */
enum err_code decisions_in_effect(struct db *db, const struct decision *d, bool *in_effect,
                                  struct err *err);

struct decision_row {
    int64_t event, subject, person, campaign;
    int64_t assignment;             /* of an answer */
    struct sv pseudonym, campaign_name, state, before; /* what it became and what it was */
};
/* At most `most` of its rows, in the order they were written, without the first `skip`. */
enum err_code decisions_rows(struct db *db, const struct decision *d, size_t skip, size_t most,
                             struct arena *a, struct decision_row **out, size_t *n,
                             struct err *err);

/* What an undo of `d` is about, rising: the subjects whose state is the one that it wrote. Those about
 * which something newer was decided are not among them, unless that was undone. */
struct decision_undoable {
    int64_t subject, person;
    bool out;                       /* an answer that was out before */
};
enum err_code decisions_undoable(struct db *db, const struct decision *d, struct arena *a,
                                 struct decision_undoable **out, size_t *n, struct err *err);

struct decision_place {             /* a place as far as pay is concerned */
    int64_t place, person, campaign, pay_cents, bonus_cents, grids;
    struct sv state, outcome, currency, reason, campaign_name; /* outcome empty: still in it */
    struct sv pseudonym;
    int64_t bonus_before;           /* decisions_pay_before fills it */
};
/* By place. `campaign` 0: any; `person` 0: anybody. */
enum err_code decisions_places(struct db *db, int64_t campaign, int64_t person, struct arena *a,
                               struct decision_place **out, size_t *n, struct err *err);
enum err_code decisions_place(struct db *db, int64_t place, struct arena *a,
                              struct decision_place *out, struct err *err);

/* What the place's pay was before the decision `undone` wrote about it. */
enum err_code decisions_pay_before(struct db *db, const struct decision *undone,
                                   struct decision_place *p, struct err *err);

/* What `check` asks: decisions whose rows are not as many as they say and that nobody took back. */
enum err_code decisions_broken(struct db *db,
                               enum err_code (*each)(void *arg, int64_t id, int64_t written,
                                                     int64_t subjects, struct err *err),
                               void *arg, struct err *err);

/* Rows of grid_reopened with after < id, in order. */
enum err_code decisions_reopened(struct db *db, int64_t after,
                                 enum err_code (*each)(void *arg, const struct reopened_row *r,
                                                       struct err *err),
                                 void *arg, struct err *err);

#endif
