/* work_flow.h - what a worker can do with a place: get the next grid, submit an answer. The pages
 * and the JSON API say the same through these. All run in write steps. Joining is work_entry.h. */
#ifndef WEB_WORK_FLOW_H
#define WEB_WORK_FLOW_H

#include "domain/grid.h"
#include "store/work.h"
#include "web/app.h"

/* Whether the campaign takes people and lends grids now. */
bool work_is_open(const struct campaign *k, int64_t now_ms);
/* Most grids one person may answer: the campaign's own number, or the share of all answers. */
int64_t work_grids_allowed(const struct campaign *k, const struct desk_progress *p);

struct work_next {
    bool done;
    /* done: "finished", "share", "none-left", "not-open", "blocked", "left", "lapsed" */
    const char *reason;
    struct sv code;              /* done: what the worker takes back, empty when none is due */
    struct assignment assignment; /* not done */
    unsigned cells;
    int64_t finished, total;     /* grids of this place */
    bool holds;                  /* an unanswered grid, whether or not there is another */
};
/* Lends the place its next grid, or gives the oldest that it holds. What a place answered and holds
 * never is more than it may answer. */
enum err_code work_next(struct ctx *c, const struct place *p, struct work_next *out);
/* Lends a grid beside the one that is worked on, for a short while (work.ahead_seconds); asked
 * again, renews the lease of the one that was lent so, also when it ended and its slot is free. */
enum err_code work_next_ahead(struct ctx *c, const struct place *p, struct work_next *out);
/* Gives back what the place holds, so that others get it: its worker leaves. */
enum err_code work_release(struct ctx *c, const struct place *p);

struct work_submission {
    struct sv client_id;   /* 8 to 64 characters of A-Z a-z 0-9 - _ */
    uint64_t shown;        /* bit i: the cell at shown position i was selected */
    int64_t active_ms;     /* -1: not known */
    struct sv device;      /* JSON text or empty */
};
/* Stores an answer. It is surplus when the grid had N answers or, after its lease, when the person
 * has as many as one may. The same client id again is the same success; another one is
 * ERR_CONFLICT (rule "already-answered"). ERR_INPUT (rules "mask", "client-id"). */
enum err_code work_submit(struct ctx *c, struct assignment *as, const struct work_submission *s,
                          int64_t *event, bool *surplus);

/* Keeps the grid reserved for its full time from now, at most WORK_EXTENSIONS times its lease after
 * it was lent. A lease that was ahead of its turn becomes a full one; one that is over begins anew
 * while the grid has a free slot. ERR_CONFLICT (rules "lease-over", "already-answered",
 * "lease-longest"). */
enum { WORK_EXTENSIONS = 4 };
enum err_code work_extend(struct ctx *c, struct assignment *as, int64_t *until);

/* What became of an assignment. */
struct work_outcome {
    const char *state;  /* "stored", "surplus" or "out"; NULL: not answered */
    struct sv rule;     /* "out": why it does not count */
};
enum err_code work_outcome(struct ctx *c, const struct assignment *as, struct work_outcome *out);

/* The 16 bytes of a token in an address; ERR_NOT_FOUND (rule "token") for anything else. */
enum err_code work_token(struct ctx *c, struct sv text, unsigned char token[WORK_TOKEN]);
/* The token as it stands in addresses. */
const char *work_token_text(struct arena *a, const unsigned char token[WORK_TOKEN]);
/* How the cells of an assignment are ordered on its page. */
void work_order(const struct assignment *as, unsigned n, uint8_t order[GRID_CELLS]);

#endif
