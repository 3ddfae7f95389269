/* transfer.h - what an import or export is given: the open project, where its texts and errors go, and who listens.
 * Whoever has no people to tell anything leaves `say` and `progress` NULL. */
#ifndef TRANSFER_CORE_TRANSFER_H
#define TRANSFER_CORE_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "db/db.h"

enum transfer_say {
    TRANSFER_NOTE,    /* what was done */
    TRANSFER_WARNING, /* what may make the result wrong */
    TRANSFER_SKIPPED  /* a row or file that is wrong, with its place */
};

struct transfer {
    struct db *db;
    struct arena *arena;  /* for texts that outlive a call */
    struct err *err;
    const char *dir;      /* the project's folder */
    bool alone;           /* no server runs on this project: bulk_write need not pause */
    bool dry_run;         /* check everything, change nothing */
    bool stdin_taken;     /* an import has read standard input (lines.h) */
    /* A sentence for people, without a line feed. */
    void (*say)(void *arg, enum transfer_say how, const char *text);
    /* How far the work named `what` is; total 0: unknown. `what` NULL: the work is over. */
    void (*progress)(void *arg, const char *what, uint64_t done, uint64_t total);
    /* Takes the next bytes of an export; n 0: that was all. Imports need none. */
    enum err_code (*write)(void *arg, const char *p, size_t n, struct err *err);
    void *arg;
};

void transfer_note(const struct transfer *tr, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void transfer_warn(const struct transfer *tr, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void transfer_skipped(const struct transfer *tr, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Call as often as you like. */
void transfer_progress(const struct transfer *tr, const char *what, uint64_t done, uint64_t total);
void transfer_progress_end(const struct transfer *tr);

/* Passes on what an export wrote once the buffer is full; `transfer_end` passes on the rest and releases the buffer
 * (unless rc says that something failed before, whose error stays). */
enum err_code transfer_flush(const struct transfer *tr, struct str *out, struct err *err);
enum err_code transfer_end(const struct transfer *tr, struct str *out, enum err_code rc);

#endif
