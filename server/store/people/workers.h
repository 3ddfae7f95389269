/* workers.h - SQL for the list of people: what each answered, how long it took, what it was paid.
 * Texts are in the caller's arena. */
#ifndef STORE_PEOPLE_WORKERS_H
#define STORE_PEOPLE_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

struct worker {
    int64_t person, created_at, last_at; /* last_at: newest answer, 0: none */
    int64_t places, grids, active_ms;    /* over all campaigns */
    int64_t rate_cents;  /* pay and bonus per hour of active time over complete places; -1: as in
                          * participant_rate */
    int64_t floor_cents; /* the highest of those campaigns, 0: none */
    struct sv pseudonym, kind, source, external_id, currency; /* currency: of the rate */
    bool blocked, forgotten;
};

enum worker_filter { WORKERS_ALL, WORKERS_BLOCKED, WORKERS_FORGOTTEN, WORKERS_FILTERS };
const char *worker_filter_name(enum worker_filter f); /* "all", "blocked", "forgotten" */

/* People who work, or may, after a person; `query` is a pseudonym or a panel's id, empty: everybody.
 * Staff without a place are left out. */
enum err_code workers_page(struct db *db, enum worker_filter filter, struct sv query,
                           int64_t after, size_t most, struct arena *a, struct worker **out,
                           size_t *n, struct err *err);
/* Whose pseudonym or panel's id that is; -1: nobody's. */
enum err_code workers_search(struct db *db, struct sv query, int64_t *person, struct err *err);
/* The same without what they did: places, grids, times and pay stay 0. */
enum err_code workers_name(struct db *db, int64_t person, struct arena *a, struct worker *out,
                           struct err *err);
/* One person; ERR_NOT_FOUND (rule "no-person"). */
enum err_code workers_get(struct db *db, int64_t person, struct arena *a, struct worker *out,
                          struct err *err);

struct worker_answer {
    int64_t id, assignment, grid, at, active_ms; /* active_ms 0: not known */
    bool surplus, out;
    struct sv campaign, class_words, rule; /* rule: why it is out */
};
enum err_code workers_answer(struct db *db, int64_t id, struct arena *a, struct worker_answer *out,
                             struct err *err);

#endif
