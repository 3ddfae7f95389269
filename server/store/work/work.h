/* work.h - SQL of the voting path: places, assignments, answers and their states. Knows nothing of
 * leases' rules: the desk decides, this writes. */
#ifndef STORE_WORK_WORK_H
#define STORE_WORK_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum {
    WORK_TOKEN = 16, /* bytes of a place's or assignment's token */
    WORK_HASH = 32   /* bytes of the hash of a place's token that is stored instead of it */
};
enum { VISIT_FIRST = 0, VISIT_SEVERAL = -1 }; /* whose secret: the one who joined, more than one */

struct place {
    int64_t id, campaign, person, joined_at;
    struct sv code, consent_version;
    /* The secret that it was found by: the caller knows it. */
    unsigned char token[WORK_TOKEN];
    int64_t visit;  /* VISIT_FIRST, or the row of place_visit (visits.h) */
    bool own;       /* the secret of who joined, or of who proved to be that person */
    bool by_grid;   /* the secret is the token of a grid that was lent to the place */
};
/* The place that the secret with this hash opens; the caller sets its token. ERR_NOT_FOUND (rule
 * "no-place"). */
enum err_code work_place_find(struct db *db, const unsigned char hash[WORK_HASH], struct arena *a,
                              struct place *out, struct err *err);
/* The place that a grid was lent to, by the grid's token, which is as good as the secret that it was lent
 * to unless others were given it too. ERR_NOT_FOUND (rule "no-place"). */
enum err_code work_place_by_grid(struct db *db, const unsigned char token[WORK_TOKEN],
                                 struct arena *a, struct place *out, struct err *err);
/* The place of that person in that campaign; *found false when there is none. */
enum err_code work_place_of(struct db *db, int64_t campaign, int64_t person, struct arena *a,
                            struct place *out, bool *found, struct err *err);
enum err_code work_place_get(struct db *db, int64_t id, struct arena *a, struct place *out,
                             struct err *err);
/* `hash`: of the secret of who joins. p->id and p->joined_at are set; writes the event "place.join". */
enum err_code work_place_create(struct db *db, struct place *p, const unsigned char hash[WORK_HASH],
                                int64_t now, struct err *err);
enum err_code work_places_count(struct db *db, int64_t campaign, int64_t *out, struct err *err);

struct assignment {
    int64_t id, grid, campaign, class_id, person, place, leased_at, lease_until;
    bool classify;        /* its campaign's task; false: CONTAINS */
    bool has_seed;
    uint64_t seed;
    bool ahead;           /* fetched beside the one worked on: its lease is short */
    int64_t visit;        /* the place's secret that it was lent to; VISIT_SEVERAL: to several */
    unsigned char token[WORK_TOKEN];
    int64_t answer;       /* 0: not answered */
    struct sv client_id;  /* of the answer */
    bool surplus;
};
/* ERR_NOT_FOUND (rule "no-assignment") for an unknown token. */
enum err_code work_assignment_find(struct db *db, const unsigned char token[WORK_TOKEN],
                                   struct arena *a, struct assignment *out, struct err *err);
/* How a place stands: its newest assignment (id 0: none yet), how many were lent and answered. */
struct place_work {
    struct assignment newest;
    int64_t lent, answered;
};
enum err_code work_place_state(struct db *db, int64_t place, struct arena *a,
                               struct place_work *out, struct err *err);
/* What a place has open at a moment. */
enum { WORK_LIVE = 2 }; /* unanswered leases that a place may hold at once: one and one ahead */
struct place_open {
    int64_t answered;
    struct assignment live[WORK_LIVE]; /* the oldest first */
    unsigned n_live;                   /* at most WORK_LIVE; a clock set back can revive others */
    struct assignment lapsed; /* the newest fetched ahead whose lease ended unused; id 0: none */
};
enum err_code work_place_open(struct db *db, int64_t place, int64_t now, struct arena *a,
                              struct place_open *out, struct err *err);
/* as->id is set. */
enum err_code work_assignment_create(struct db *db, struct assignment *as, struct err *err);
/* Stores the lease as it is now: leased_at, lease_until, ahead and visit. */
enum err_code work_assignment_lease(struct db *db, const struct assignment *as, struct err *err);
/* The rule that took an answer out of the analysis; empty when it is in. */
enum err_code work_answer_rule(struct db *db, int64_t answer, struct arena *a, struct sv *rule,
                               struct err *err);

/* Writes the event "answer" and the answer; *id is the event's number. `main`: the option of a CLASSIFY task that is
 * the main object's label, one of the mask's; OPTION_NONE of CONTAINS, and where no option was ticked. */
enum err_code work_answer_create(struct db *db, int64_t assignment, struct sv client_id,
                                 uint64_t mask, int main, bool surplus, int64_t active_ms, struct sv device,
                                 int64_t now, int64_t *id, struct err *err);
/* One decision about an answer: field 'pay' or 'analysis' (answer_state in the schema). */
enum err_code work_answer_state(struct db *db, int64_t answer, const char *field,
                                const char *value, const char *rule, int64_t account, int64_t now,
                                struct err *err);

/* An answer given elsewhere. status: 'S' submitted, 'A' approved (pay), 'R' rejected (pay, and out
 * of the analysis). */
struct work_imported {
    struct sv name; /* CAMPAIGN:ID; one that is there already is left alone */
    int64_t grid, person, accepted_at, active_ms;
    uint64_t mask;
    bool has_main; /* of a CLASSIFY task: */
    int main;      /* position of the main object's label, one of the mask's */
    char status;
};
/* Whether the answer may go in: the same name with another grid, person, selection or main label, or another
 * answer of the person to the grid, is ERR_CONFLICT (rule "answer-differs"). *status is the one that it came with when
 * it is there already, and 0 otherwise. */
enum err_code work_import_check(struct db *db, const struct work_imported *w, char *status, struct err *err);
enum err_code work_import(struct db *db, const struct work_imported *w, int64_t now, bool *added,
                          struct err *err);

/* Live leases of campaigns that are answered here, for the desk. */
struct work_lease {
    int64_t assignment, campaign, grid, person, until;
};
enum err_code work_leases(struct db *db, int64_t now,
                          enum err_code (*each)(void *arg, const struct work_lease *l,
                                                struct err *err),
                          void *arg, struct err *err);
/* After a restart: leases that lived when the last event or lease was written last their campaign's
 * full time from now. Those were within N together; one that had ended before may have been lent
 * again. */
enum err_code work_leases_renew(struct db *db, int64_t now, struct err *err);

/* Whether the grid was lent to the person before. */
enum err_code work_had_grid(struct db *db, int64_t grid, int64_t person, bool *had,
                            struct err *err);
/* Every image the person has been shown (the exposure view). */
enum err_code work_exposed(struct db *db, int64_t person,
                           enum err_code (*each)(void *arg, int64_t image, struct err *err),
                           void *arg, struct err *err);
/* The same and every other image of the same bytes, each once. */
enum err_code work_met(struct db *db, int64_t person,
                       enum err_code (*each)(void *arg, int64_t image, struct err *err), void *arg,
                       struct err *err);
/* The person's places in all campaigns, newest first: at most `most`, whose number is *n. */
enum err_code work_places_of(struct db *db, int64_t person, struct arena *a, struct place *out,
                             unsigned most, unsigned *n, struct err *err);

#endif
