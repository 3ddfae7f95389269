/* end.h - the state and the end of a place: what its page says, which code is due, leaving. */
#ifndef STUDY_END_H
#define STUDY_END_H

#include "store/campaigns/campaigns.h"
#include "store/campaigns/studies.h"
#include "store/work/work.h"
#include "study/flow.h"

enum end_stand {
    STAND_READY,     /* a grid can be asked for */
    STAND_WAITING,   /* one is lent and not answered */
    STAND_DONE,      /* there is nothing more to do */
    STAND_NONE_LEFT, /* nothing to do now, and nothing was done */
    STAND_PAUSED, STAND_CLOSED,
    STAND_LAPSED,    /* somebody else got the place */
    STAND_BLOCKED,
    STAND_LEFT,      /* ended otherwise than complete */
    STANDS
};
/* The word in catalogue keys and the API: "ready", "none_left", ... */
const char *end_stand_word(enum end_stand at);

struct end_standing {
    enum end_stand at;
    bool ended;                 /* then `outcome` says how; who is complete may find grids again */
    enum study_outcome outcome;
    struct sv code;             /* due now; empty: none is */
    bool foreign;               /* by a secret that proves nothing, and that no work was done with */
    bool withheld;              /* a code is due, and not told to this one */
    int64_t answered, allowed;
};
/* As of the last commit; `none_left`: the address proves that no grid was left. */
enum err_code end_standing(const struct study *study, const struct place *p,
                           const struct campaign *k, const struct study_settings *s,
                           bool none_left, struct end_standing *out);
/* Whether a worker in this state can ask for a grid. */
bool end_stand_goes_on(enum end_stand at);

/* The rest is for write steps. */

/* Why this place gets no grid, whatever the campaign says: "left", "blocked", "lapsed"; NULL: nothing
 * keeps it. *again: it had lapsed and there is room for it; once its next grid is lent, and the row is
 * written, the caller counts it on the desk (desk_joined). */
enum err_code end_refusal(const struct study *study, const struct place *p, const char **reason,
                          bool *again);
/* After none was found: who reached the end has the outcome "complete" from then on; out->code is
 * the code that is due. */
enum err_code end_reached(const struct study *study, const struct place *p, struct flow_next *out);

enum end_leaving { LEAVE_STOP, LEAVE_TECHNICAL, LEAVE_FORGET };
/* Ends a place: what it holds is free for others at once. A place that ended keeps its outcome;
 * LEAVE_FORGET erases the person's identity whatever the state, and ends the place as LEAVE_STOP does:
 * its code is the one that the work so far is worth. */
enum err_code end_leave(const struct study *study, const struct place *p, enum end_leaving how);

#endif
