/* flaws.h - SQL for `check`: what rows of named lists may not be, as a table of questions. */
#ifndef STORE_CORE_FLAWS_H
#define STORE_CORE_FLAWS_H

#include "base/arena.h"
#include "db/db.h"

struct flaw_question {
    const char *sql;  /* a list's name and how many of its rows are wrong, of lists where any are */
    const char *what; /* how: goes on after the number */
};
struct flaw {
    struct sv list;
    int64_t n;
    const char *what;
};
/* The answers, question by question; none in a sound project. In the arena. */
enum err_code flaws_read(struct db *db, const struct flaw_question *asked, size_t n_asked, struct arena *a, struct flaw **out, size_t *n,
                         struct err *err);

#endif
