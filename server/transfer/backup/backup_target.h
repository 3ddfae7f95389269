/* backup_target.h - the folder that a project is backed up into: generations of backups, and what to keep.
 *
 * TARGET/STAMP/              one generation: a whole backup (backup_manifest.h) of that moment, UTC
 * TARGET/STAMP.unfinished/   one that is being made, or was cut short; the next backup completes it
 * TARGET/STAMP.removed/      one that is being removed; the next backup finishes that
 * TARGET/lock
 *
 * A generation gets its name in one step when all of it is on the disk. Images that did not change since
 * the one before are hard links to its files. Earlier versions of holdout kept a single backup in TARGET
 * itself; it counts as a generation like the others, until it is the oldest and has to go. */
#ifndef TRANSFER_BACKUP_BACKUP_TARGET_H
#define TRANSFER_BACKUP_BACKUP_TARGET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "transfer/backup/backup_manifest.h"

struct backup_generation {
    const char *path;   /* folder that holds its manifest */
    const char *stamp;  /* by which generations are sorted */
    bool flat;          /* it is TARGET itself */
    struct backup_manifest m;
};

/* A folder or file of a backup that is not whole. */
struct backup_leftover {
    const char *path, *id; /* id: its project's, "" when it says none */
    bool removed;          /* was being removed; otherwise it was being made */
    bool flat;             /* it is TARGET itself */
};

struct backup_target {
    const char *path;
    struct backup_generation *list; /* oldest first */
    size_t n;
    struct backup_leftover *leftovers; /* oldest first */
    size_t n_leftovers, unreadable; /* unreadable: generations that are left out of the list */
    const char *other; /* a file in it that does not belong to a backup, or NULL */
};

/* Looks at a folder, which may also be a generation itself. `unreadable` is called with a sentence for
 * each generation whose manifest cannot be used; it is left out. All in the arena. ERR_NOT_FOUND (rule "no-backup")
 * when there is no such folder. */
enum err_code backup_target_read(const char *path, struct arena *a, struct backup_target *out,
                                 void (*unreadable)(void *arg, const char *why), void *arg,
                                 struct err *err);
/* Why there is nothing to restore from in it: always fails. */
enum err_code backup_target_none(const struct backup_target *t, struct err *err);
/* Shared, so that no backup changes or removes what is read: of the folder that holds the generations, when `path` is
 * one. ERR_BUSY when a backup is using it. *fd may be -1: nobody can write there. */
enum err_code backup_target_lock(const char *path, struct arena *a, int *fd, struct err *err);

/* The folder of a new generation, *path, with the mark that it is unfinished: a leftover of the same project
 * under a new name, without what only its own moment had, or a new folder. */
enum err_code backup_target_begin(const struct backup_target *t, const char *stamp, const char *id,
                                  struct arena *a, const char **path, struct err *err);
/* Gives it its name, *path, flushed. Its manifest is there. */
enum err_code backup_target_finish(const struct backup_target *t, const char *stamp, struct arena *a,
                                   const char **path, struct err *err);
/* Removes leftovers, then the oldest generations until `keep` are there. Never the newest, nor the newest
 * whose database was checked; and of each only what a backup puts there. *removed: how many generations. */
enum err_code backup_target_thin(const struct backup_target *t, size_t keep, struct arena *a,
                                 size_t *removed, struct err *err);

#endif
