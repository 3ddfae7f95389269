/* fill.h - what happened in the demo's campaigns before the server starts: simulated people came,
 * answered, left and were paid, written through the same store functions as real ones, at times of the last days. */
#ifndef DEMO_FILL_H
#define DEMO_FILL_H

#include "base/arena.h"
#include "db/db.h"
#include "demo/crowd.h"
#include "store/campaigns/campaigns.h"

struct fill {
    struct db *db;
    uint64_t seed;
    const struct truth *truth;
    struct arena *arena;
    void (*progress)(void *arg, uint64_t done, uint64_t total); /* NULL: none */
    void *arg;
};

/* How people come to the campaign, what they are told and promised. */
enum err_code fill_study(const struct fill *f, const struct campaign *k, int64_t now,
                         struct err *err);
/* Makes the people first .. first + n - 1 of the crowd, marked as simulated; those who are there stay. */
enum err_code fill_people(const struct fill *f, unsigned first, unsigned n, int64_t now,
                          struct err *err);

struct fill_part {
    const struct campaign *campaign;
    unsigned first, people; /* of the crowd; each comes once */
    double share;           /* of all answers that the campaign wants */
    int64_t from, to;       /* when they come; nothing happens after */
};
enum err_code fill_answers(const struct fill *f, const struct fill_part *part, struct err *err);

/* Approves who is complete and joined before a moment, but not the spammers; the first gets a bonus. */
enum err_code fill_pay(const struct fill *f, const struct campaign *k, int64_t joined_before,
                       int64_t account, int64_t now, struct err *err);

#endif
