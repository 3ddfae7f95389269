/* work.h - simulated people: they join a campaign, take grids and answer them, over client.h.
 *
 * One worker per connection. A worker is one person at a time; a new person joins when the place
 * is finished. Some answers are left out, sent twice or sent late, as the options say. Knows the
 * API of the server under test and nothing of its inside. */
#ifndef LOAD_WORK_H
#define LOAD_WORK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "load/client.h"
#include "load/hist.h"

enum work_mode {
    WORK_CYCLE, /* join when needed, next, answer */
    WORK_LEASE, /* join and next by a new person each; the assignment is put by */
    WORK_SUBMIT /* answer what WORK_LEASE put by */
};

struct work_options {
    const char *campaign;
    unsigned clients; /* uses connections 0..clients-1, and as many again for twins */
    uint64_t count;   /* WORK_CYCLE: stop after so many answers stored (surplus not counted);
                         WORK_LEASE: assignments to put by; 0: no limit */
    double seconds;   /* stop after so long; 0: no limit */
    double give_up;   /* stop after so many seconds without any good reply */
    double abandon;   /* share of leases never answered */
    double duplicate; /* share of answers sent twice, half of them on two connections at once */
    double late;      /* share of answers held back */
    int64_t late_ms;  /* for so long; negative: until the lease is over by our clock */
    double conflict;  /* share of answers followed by another answer to the same assignment */
    int64_t think_ms; /* pause of a person before the next grid */
    int64_t retry_ms; /* wait after 5xx, 429 and lost requests; negative: as Retry-After says */
    uint64_t seed;    /* of choices; external ids of people begin with it */
    FILE *journal;    /* NULL: none */
};

/* Replies are counted by status, 0 = lost. */
enum { WORK_STATUSES = 600 };
struct work_stats {
    struct hist join, next, answer;
    uint64_t statuses[WORK_STATUSES];
    uint64_t stored, surplus; /* acknowledged answers, each once */
    uint64_t places, leases, abandoned, duplicates, conflicts, held, held_left;
    uint64_t mismatches; /* replies that break the contract: each is a finding */
    char mismatch[400];  /* the first of them */
    bool exhausted;      /* no grid was left for new people */
    bool gave_up;
    int64_t started_ns, stopped_ns; /* by the monotonic clock; no new work after stopped_ns */
    uint64_t requests_then, answers_then, leases_then; /* at stopped_ns */
};

struct work;

struct work *work_new(struct client *c, const struct work_options *o);
void work_free(struct work *w);

/* Starts the workers in client_run; they stop themselves (work_active turns false) when a limit
 * of the options is reached and everything that was sent is answered. WORK_SUBMIT needs a
 * WORK_LEASE of the same `w` before. Options that change between phases: work_limit. */
void work_start(struct work *w, enum work_mode mode);
void work_limit(struct work *w, uint64_t count, double seconds);
/* To be called after each turn of client_run: checks deadlines. */
void work_turn(struct work *w);
void work_stop(struct work *w); /* no new work; answers that are held are still sent when due */
bool work_active(const struct work *w);
const struct work_stats *work_stats(const struct work *w);
/* A failure of the journal, if any. */
enum err_code work_failed(const struct work *w, struct err *err);

#endif
