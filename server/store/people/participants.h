/* participants.h - SQL for who takes part: one row for each place, with outcome, code, time and
 * pay. Texts are in the caller's arena. By person, which the index of places has in order, a page
 * costs the same in a long list; other orders look at everybody of the campaign first. */
#ifndef STORE_PEOPLE_PARTICIPANTS_H
#define STORE_PEOPLE_PARTICIPANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

struct participant {
    int64_t place, person, campaign, joined_at;
    int64_t ended_at;         /* outcome, else the newest answer; 0: neither */
    int64_t grids, active_ms; /* answers, surplus ones too; the time that was measured of them */
    int64_t pay_cents, bonus_cents, floor_cents; /* pay: of a complete place by the terms */
    int64_t pay_event;        /* number of the decision, 0 while pending without one */
    bool listed, blocked, forgotten;
    struct sv pseudonym, external_id, consent_version;
    struct sv outcome;        /* empty: still in it */
    struct sv code;           /* what the worker was shown at the end; empty before */
    struct sv pay_state, pay_reason;
    struct sv arrival;        /* JSON object of what the panel's link said; empty: nothing */
    struct sv campaign_name, campaign_title, currency;
};

enum participant_filter {
    PARTICIPANTS_ALL, PARTICIPANTS_TO_DECIDE, PARTICIPANTS_APPROVED, PARTICIPANTS_REJECTED,
    PARTICIPANTS_IN_IT, PARTICIPANTS_FILTERS
};
enum participant_sort {
    PARTICIPANTS_BY_PERSON, PARTICIPANTS_BY_GRIDS, PARTICIPANTS_BY_ACTIVE, PARTICIPANTS_BY_RATE,
    PARTICIPANTS_SORTS
};
struct participants_ask {
    enum participant_filter filter;
    enum participant_sort sort; /* who has no rate (participant_rate) is last either way */
    bool falling;
    int64_t after;              /* only people after this one */
    size_t skip, most;
};
/* Those of a campaign that fit. */
enum err_code participants_page(struct db *db, int64_t campaign, const struct participants_ask *ask,
                                struct arena *a, struct participant **out, size_t *n,
                                struct err *err);
/* Every campaign that the person takes part in, the newest first. */
enum err_code participants_of(struct db *db, int64_t person, struct arena *a,
                              struct participant **out, size_t *n, struct err *err);

/* Pay and bonus for an hour of active time in cents; -1 when it cannot be said: not complete, pay
 * refused, no time measured, or nothing is paid and no floor promises anything. */
int64_t participant_rate(const struct participant *p);

enum { PARTICIPANTS_TIMED = 200 };
struct participants_summary {
    int64_t fit[PARTICIPANTS_FILTERS]; /* how many each filter lets through */
    int64_t complete, ready;           /* ready: complete and pending */
    int64_t timed;           /* the newest complete places with a time, at most PARTICIPANTS_TIMED */
    int64_t median_active_ms;  /* of those; 0 when there are none */
    int64_t median_rate_cents; /* likewise, as participant_rate */
};
enum err_code participants_summary(struct db *db, int64_t campaign,
                                   struct participants_summary *out, struct err *err);

/* A complete place whose pay for an hour of active time is under its study's floor. */
struct underpaid {
    int64_t place, grids, active_ms, rate_cents, floor_cents;
    struct sv pseudonym, kind, campaign_name, campaign_title, currency;
    bool forgotten;
};
/* Of the newest PARTICIPANTS_TIMED complete places of studies with a floor: how many are under it, and
 * the `most` that are furthest under it. */
enum err_code participants_underpaid(struct db *db, size_t most, struct arena *a,
                                     struct underpaid **out, size_t *n, int64_t *all,
                                     struct err *err);

#endif
