/* flow.h - what a worker can do with a place: get the next grid, submit an answer. Functions that take a study
 * are for write steps unless they say otherwise. Joining is entry.h. */
#ifndef STUDY_FLOW_H
#define STUDY_FLOW_H

#include "domain/grids/grid.h"
#include "store/work/work.h"
#include "study/study.h"

/* Whether the campaign takes people and lends grids now. */
bool flow_is_open(const struct campaign *k, int64_t now_ms);
/* Most grids one person may answer: the campaign's own number, the share of all answers, or all that there are. As of
 * the last commit, from any thread; of a draft as if it were opened. */
int64_t flow_grids_now(const struct study *study, const struct campaign *k);

struct flow_next {
    bool done;
    /* done: "finished", "share", "none-left", "not-open", "blocked", "left", "lapsed" */
    const char *reason;
    struct sv code;              /* done: what the worker takes back, empty when none is due */
    struct assignment assignment; /* not done */
    unsigned cells;              /* images */
    int64_t finished, total;     /* grids of this place */
    bool holds;                  /* an unanswered grid, whether or not there is another */
};
/* Lends the place its next grid, or gives the oldest that it holds. What a place answered and holds
 * never is more than it may answer. */
enum err_code flow_next(const struct study *study, const struct place *p, struct flow_next *out);
/* Lends a grid beside the one that is worked on, for a short while (work.ahead_seconds); asked
 * again, renews the lease of the one that was lent so, also when it ended and its slot is free. */
enum err_code flow_next_ahead(const struct study *study, const struct place *p,
                              struct flow_next *out);
/* Gives back what the place holds, so that others get it: its worker leaves. */
enum err_code flow_release(const struct study *study, const struct place *p);

struct flow_submission {
    struct sv client_id;   /* 8 to 64 characters of A-Z a-z 0-9 - _ */
    uint64_t shown;        /* bit i: the cell, of a CLASSIFY task the option, at shown position i was selected */
    bool has_main;         /* of CLASSIFY: */
    unsigned main;         /* the shown position of the main object's label, one of those selected */
    int64_t active_ms;     /* -1: not known */
    struct sv device;      /* JSON text or empty */
};
/* Stores an answer. It is surplus when the grid had N answers or, after its lease, when the person
 * has as many as one may. The same client id again is the same success; another one is
 * ERR_CONFLICT (rule "already-answered"). ERR_INPUT (rules "mask", "client-id", and of
 * CLASSIFY "label-unknown", "no-label", "main-label", "labels-most"); nothing is stored then. */
enum err_code flow_submit(const struct study *study, struct assignment *as,
                          const struct flow_submission *s, int64_t *event, bool *surplus);

/* Keeps the grid reserved for its full time from now, at most FLOW_EXTENSIONS times its lease after
 * it was lent. A lease that was ahead of its turn becomes a full one; one that is over begins again
 * while the grid has a free slot. ERR_CONFLICT (rules "lease-over", "already-answered",
 * "lease-longest"). */
enum { FLOW_EXTENSIONS = 4 };
enum err_code flow_extend(const struct study *study, struct assignment *as, int64_t *until);

/* What became of an assignment; in any step. */
struct flow_outcome {
    const char *state;  /* "stored", "surplus" or "out"; NULL: not answered */
    struct sv rule;     /* "out": why it does not count */
};
enum err_code flow_outcome(const struct study *study, const struct assignment *as,
                           struct flow_outcome *out);

/* The 16 bytes of a token in an address; ERR_NOT_FOUND (rule "token") for anything else. */
enum err_code flow_token(struct sv text, unsigned char token[WORK_TOKEN], struct err *err);
/* The token as addresses have it. */
const char *flow_token_text(struct arena *a, const unsigned char token[WORK_TOKEN]);
/* How the cells of an assignment are ordered on its page. */
void flow_order(const struct assignment *as, unsigned n, uint8_t order[GRID_CELLS]);

#endif
