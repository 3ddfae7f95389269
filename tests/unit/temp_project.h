/* temp_project.h - a fresh database with the real schema in a temporary folder, for store tests. */
#ifndef TESTS_TEMP_PROJECT_H
#define TESTS_TEMP_PROJECT_H

#include "base/arena.h"
#include "db/db.h"

struct temp_project {
    char *dir;
    struct db *db;
    struct arena arena;
    struct err err;
};

/* cmocka setup and teardown; *state is a struct temp_project. */
#define PROJECT_TEST(name) TEST_WITH(name, temp_project_open, temp_project_close)
int temp_project_open(void **state);
int temp_project_close(void **state);

/* The error is this one; forgets it. */
void temp_clear(struct temp_project *t, enum err_code code, const char *rule);
/* A number from the database; fails the test when there is none. */
int64_t temp_int(struct temp_project *t, const char *sql);

#endif
