/* people.h - the list of people: marks, pay and scores of everybody in memory, sorted and filtered by
 * any of them. 49,000 people take 4 MB; a list costs a few milliseconds, whatever it is sorted by.
 *
 * What the database says is read once and then followed row by row; what they answered comes from
 * the kept statistics (live/votes/stats.h) and, for pay per hour, from one pass over the ledger. Slow
 * steps only; knows SQL only through store/. */
#ifndef LIVE_PEOPLE_PEOPLE_H
#define LIVE_PEOPLE_PEOPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "live/votes/stats.h"
#include "store/people/news.h"

enum people_key {
    PEOPLE_JOINED,   /* as they came */
    PEOPLE_ANSWERS, PEOPLE_ACTIVE, PEOPLE_RATE, PEOPLE_CONTROL, PEOPLE_NEGATIVE, PEOPLE_GOLD,
    PEOPLE_RELATIVE, PEOPLE_AGREEMENT, PEOPLE_SHARE, PEOPLE_LAST, PEOPLE_OUT,
    PEOPLE_KEYS
};
enum people_show {
    PEOPLE_ALL, PEOPLE_ANSWERED, PEOPLE_BLOCKED, PEOPLE_WITH_OUT, PEOPLE_SIMULATED, PEOPLE_IMPORTED,
    PEOPLE_FORGOTTEN, PEOPLE_SHOWS
};
extern const char *const people_keys[PEOPLE_KEYS];   /* "joined", "answers", ... in addresses */
extern const char *const people_shows[PEOPLE_SHOWS]; /* "all", "answered", "blocked", ... */

struct people_ask {
    enum people_show show;
    enum people_key sort;
    bool falling;
    enum people_key by;         /* with least or most: of this figure; who has none does not fit */
    bool has_least, has_most;
    double least, most;
    int64_t only;               /* one person, who has to fit too; 0: everybody */
};
struct people_row {
    uint32_t person;
    enum person_kind kind;
    bool blocked, forgotten;
    uint32_t places;
    int64_t rate_cents;         /* as store/people/workers.h has it; -1: cannot be said */
    double value;               /* of the key that is sorted by; NAN: has none */
    const struct stats_person *s; /* NULL: no answer; lives as long as the statistics */
};

struct people;
struct people *people_new(void);
void people_free(struct people *p);
/* Everybody who fits, sorted: who has no value comes last either way, equals by number. In the arena. */
enum err_code people_find(struct people *p, struct db *db, struct tally *t, const struct stats *s,
                          const struct people_ask *ask, struct arena *a, struct people_row **out,
                          size_t *n, struct err *err);
/* A figure of one; NAN: has none. `all`: answers of everybody, for the share. */
double people_value(const struct people_row *r, enum people_key key, uint64_t all);

#endif
