/* fixture.h - a scratch database and short words for statements that must succeed.
 * Linked into every test of db/. Knows nothing of the writer. */
#ifndef DB_FIXTURE_H
#define DB_FIXTURE_H

#include "unit.h"

#include "db/db.h"

struct fixture {
    char *folder, *path;
};

/* cmocka's setup and teardown: *state is a struct fixture with an empty folder. */
#define FOLDER_TEST(name) TEST_WITH(name, fixture_make, fixture_drop)
int fixture_make(void **state);
int fixture_drop(void **state);

/* Each fails the test with the error's message. */
struct db *fixture_open(const char *path, enum db_mode mode);
void fixture_run(struct db *db, const char *literal);
int64_t fixture_int(struct db *db, const char *literal);
/* The same on a connection of its own. */
int64_t fixture_stored(const char *path, const char *literal);
/* As after a crash: the number in a copy of the database and its log, made while it is open. */
int64_t fixture_crashed(const struct fixture *f, const char *literal);
/* True when fn(arg) aborts; it runs in a child process. */
bool fixture_aborts(void (*fn)(void *), void *arg);

/* Fails with the message unless the code is OK. */
void must(enum err_code rc, const struct err *err);

#endif
