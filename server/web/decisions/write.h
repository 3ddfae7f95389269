/* write.h - making decisions on the server: the draft on a helper thread, its rows in pieces on the
 * writer thread, so that nobody's answer waits for them. Slow steps only. */
#ifndef WEB_DECISIONS_WRITE_H
#define WEB_DECISIONS_WRITE_H

#include "study/decision_write.h"
#include "web/core/app.h"

/* What the choice would do now. Release the draft, also after a failure. */
enum err_code decision_draft(struct ctx *c, const struct choice *choice, struct draft *out);

/* decision_store with that digest, and then its rows. Release the draft, also after a failure. */
enum err_code decision_make(struct ctx *c, const struct choice *choice, struct sv digest,
                            struct draft *draft, struct decision_made *out);
/* The same for an undo of decision `id`; an empty reason gets a usual one. */
enum err_code decision_undo(struct ctx *c, int64_t id, struct sv reason, struct sv digest,
                            struct draft *draft, struct decision_made *made);
/* Writes what is missing of a decision that was cut off. */
enum err_code decision_continue(struct ctx *c, int64_t id);

/* What pages and JSON check alike: the number in the address; that somebody is chosen at all. */
enum err_code decision_asked(struct ctx *c, int64_t *id);
enum err_code decision_need_choice(struct ctx *c, const struct choice *choice);

#endif
