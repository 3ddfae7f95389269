/* news.h - SQL for what happened to people since it was last asked: who came, what they were paid,
 * who is blocked or forgotten. Every row is read once. */
#ifndef STORE_PEOPLE_NEWS_H
#define STORE_PEOPLE_NEWS_H

#include <stdbool.h>
#include <stdint.h>

#include "db/db.h"

enum person_kind { PERSON_WORKER, PERSON_STAFF, PERSON_IMPORTED, PERSON_SIMULATED, PERSON_KINDS };

/* The newest rows that were read; zeros: none. */
struct people_seen {
    int64_t person, place, outcome, pay, note, event;
};
/* Any of these is called in the order of its rows, people before their places. */
struct people_news {
    void *arg;
    void (*person)(void *arg, int64_t id, enum person_kind kind);
    void (*place)(void *arg, int64_t id, int64_t person, int64_t campaign, int64_t pay_cents);
    void (*outcome)(void *arg, int64_t place, bool complete);
    void (*pay)(void *arg, int64_t place, bool rejected, int64_t bonus_cents);
    void (*block)(void *arg, int64_t person, bool blocked);
    void (*forgotten)(void *arg, int64_t person);
};
/* One moment of the database; `seen` is moved on, also when it fails half-way. */
enum err_code people_news(struct db *db, struct people_seen *seen, const struct people_news *to,
                          struct err *err);

#endif
