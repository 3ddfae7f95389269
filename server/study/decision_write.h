/* decision_write.h - making a decision: created once, then its rows piece by piece. Each is one step of a
 * writer, which is the caller's: a server has its writer thread, a command writes by itself. */
#ifndef STUDY_DECISION_WRITE_H
#define STUDY_DECISION_WRITE_H

#include "study/decision_make.h"

struct draft_writing {
    const struct draft *draft;      /* NULL: to continue `id` */
    int64_t id, account, now;
    struct decision_work work;
    struct decision_piece piece;
};
/* Stores the decision; w->id is set. ERR_CONFLICT (rule "decision-changed") asks for a new draft. */
enum err_code draft_create(struct db *db, struct draft_writing *w, struct err *err);

struct deciding {
    /* draft_make of what is decided, as it is now. */
    enum err_code (*look)(void *arg, struct draft *out, struct err *err);
    /* draft_create, as a step of a writer. */
    enum err_code (*create)(void *arg, struct draft_writing *w, struct err *err);
    void *arg;
    int64_t account;                /* 0: the command line */
    struct sv digest;               /* the decision is made if it still is this one; empty: whatever it is */
};
struct decision_made {
    int64_t id;          /* 0: nothing was stored */
    bool changed;        /* it is not what was looked at any more: see the draft */
};
/* Looks and stores, and looks again when somebody decided in between; the rows are the caller's to write.
 * When nothing would change, nothing is stored and that is fine: asking twice changes nothing.
 * `draft` is what was stored, or what it would be now. Release it, also after a failure. */
enum err_code decision_store(const struct deciding *d, struct draft *draft,
                             struct decision_made *out, struct err *err);

#endif
