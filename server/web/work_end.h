/* work_end.h - how a place stands and ends: what its page says, which code is due, leaving. Called by
 * the worker's pages, the JSON API and work_flow.c. */
#ifndef WEB_WORK_END_H
#define WEB_WORK_END_H

#include "store/campaigns.h"
#include "store/studies.h"
#include "store/work.h"
#include "web/app.h"
#include "web/work_flow.h"

enum work_stand {
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
const char *work_stand_word(enum work_stand at);

struct work_standing {
    enum work_stand at;
    bool ended;                 /* then `outcome` says how; who is complete may find grids again */
    enum study_outcome outcome;
    struct sv code;             /* due now; empty: none is */
    int64_t answered, allowed;
};
/* A place by the route's first parameter, with its campaign and study; sets c->language. ERR_NOT_FOUND
 * (rules "token", "no-place"). */
struct work_place {
    struct place place;
    struct campaign campaign;
    struct study study;
};
enum err_code work_place_named(struct ctx *c, struct work_place *out);

/* As of the last commit; `none_left`: the address proves that no grid was left. */
enum err_code work_standing(struct ctx *c, const struct place *p, const struct campaign *k,
                            const struct study *s, bool none_left, struct work_standing *out);
/* {text, url}: a code and the panel's address to take it to, url null when there is none. JSON null
 * for an empty code. New reference. */
json_t *work_code_json(struct ctx *c, const struct study *s, struct sv code);
/* Whether a worker in this state can ask for a grid. */
bool work_stand_goes_on(enum work_stand at);

/* The rest is for write steps. */

/* Why this place gets no grid, whatever the campaign says: "left", "blocked", "lapsed"; NULL: nothing
 * keeps it. *again: it had lapsed and there is room for it; once its next grid is lent, and the row is
 * written, the caller counts it on the desk (desk_joined). */
enum err_code work_refusal(struct ctx *c, const struct place *p, const char **reason, bool *again);
/* After none was found: who reached the end has the outcome "complete" from then on; out->code is
 * the code that is due. */
enum err_code work_reached_end(struct ctx *c, const struct place *p, struct work_next *out);

enum work_leaving { LEAVE_STOP, LEAVE_TECHNICAL, LEAVE_FORGET };
/* Ends a place: what it holds is free for others at once. A place that ended keeps its outcome;
 * LEAVE_FORGET erases the person's identity whatever the state. */
enum err_code work_leave(struct ctx *c, const struct place *p, enum work_leaving how);

#endif
