/* shell.h - runs commands of the program in this process and keeps what they print, for tests. */
#ifndef TESTS_SHELL_H
#define TESTS_SHELL_H

#include "base/arena.h"
#include "base/str.h"

struct shell {
    char *dir, *project; /* a fresh folder; in it a project made by `holdout init`, admin "root" */
    struct arena arena;
    struct str out, err; /* of the last command */
};

/* cmocka setup and teardown; *state is a struct shell. */
#define SHELL_PASSWORD "correct horse battery"
#define SHELL_TEST(name) TEST_WITH(name, shell_open, shell_close)
int shell_open(void **state);
int shell_close(void **state);

/* Runs `holdout ARGUMENTS...` (ends with NULL) and returns its exit status. */
int shell_run(struct shell *s, const char *first, ...) __attribute__((sentinel));
/* A file in the fresh folder with this text; returns its path. */
const char *shell_file(struct shell *s, const char *name, const char *text);

#endif
