/* decision_write.c - a decision is stored as it was looked at, or not at all. */
#include "study/decision_write.h"

#include <string.h>

#include "base/clock.h"

enum { TRIES = 5 };

enum err_code draft_create(struct db *db, struct draft_writing *w, struct err *err)
{
    const struct draft *f = w->draft;
    struct decision d = f->d;
    d.account = w->account;
    if (d.subjects == 0) {
        return err_rule(err, ERR_CONFLICT, "decision-empty",
                        "Nothing would change: everything you chose is in that state already, or nothing "
                        "matches. Nothing was stored.");
    }
    enum err_code rc = decisions_reason(d.rule, err);
    return rc == OK ? decisions_create(db, &d, f->subjects, w->now, &w->id, err) : rc;
}

enum err_code decision_store(const struct deciding *d, struct draft *draft,
                             struct decision_made *out, struct err *err)
{
    enum err_code rc = ERR_CONFLICT;
    *out = (struct decision_made){0, false};
    for (int i = 0; i < TRIES; i++) {
        struct draft_writing w = {.draft = draft, .account = d->account, .now = clock_wall_ms()};
        rc = d->look(d->arg, draft, err);
        if (rc != OK) {
            return rc;
        }
        out->changed = d->digest.n && !sv_is(d->digest, draft->digest);
        if (out->changed || draft->d.subjects == 0) {
            return OK;
        }
        rc = d->create(d->arg, &w, err);
        if (rc == OK) {
            out->id = w.id;
            return OK;
        }
        if (rc != ERR_CONFLICT || strcmp(err->rule, "decision-changed") != 0 || i + 1 == TRIES) {
            break;
        }
        err_clear(err); /* somebody decided between looking and writing: look again */
        draft_release(draft);
    }
    return rc;
}
