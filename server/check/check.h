/* check.h - is everything that a project stores what it says it is? Counts again by another way and compares, and looks
 * for rows without files and files without rows. Changes nothing. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

/* What is looked at, and who listens. */
struct check {
    struct db *db;
    struct arena *arena; /* for lists that live as long as the check */
    struct err *err;
    const char *dir;     /* the project's folder; check_database needs none */
    bool hash;           /* read originals, not only look at their sizes */
    /* A sentence for each thing that is wrong. What SQLite says of damage may have line feeds. */
    void (*found)(void *arg, const char *text);
    /* How far the work named `what` is; total 0: unknown. May be NULL. */
    void (*progress)(void *arg, const char *what, uint64_t done, uint64_t total);
    void *arg;
};

/* How much was compared. */
struct check_counts {
    uint64_t pairs; /* of image and class */
    size_t sources; /* image files */
};

/* All of a project: its database, the counters of votes and the numbers of people, the lists of sets, models,
 * predictions and features, how revisions followed one another, the files of images. OK also when something was found;
 * otherwise it could not be looked at to the end. */
enum err_code check_project(struct check *c, struct check_counts *out);

/* Whether a database alone is sound, such as a copy that is to be a backup: pages, rows and indexes as SQLite checks
 * them, references between rows, and the sums of the counters. OK also when something was found; otherwise it could not
 * even be read. */
enum err_code check_database(struct check *c);

#endif
