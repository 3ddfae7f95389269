/* backup_manifest.h - what a backup's folder holds, and the one file that makes it a backup.
 *
 * TARGET/manifest.json          written last: names and hashes everything else
 * TARGET/holdout-STAMP.db       the database
 * TARGET/config-STAMP.ini       config.ini, when the project has one
 * TARGET/files-STAMP.b2sum      a line per file below, as b2sum reads it, sorted by path
 * TARGET/images/ab/...          image files; they are never changed, so that backups share them
 * TARGET/models-STAMP/...       the project's models/
 * TARGET/features-STAMP/...     the project's features/, as far as the database knows them
 * TARGET/unfinished             while a backup is being made, or was cut short: its project
 * TARGET/lock
 *
 * A further backup into the folder writes names of its own; replacing the manifest makes them the
 * backup in one step, and until then the earlier one is whole. Used by backup, restore and doctor. */
#ifndef CLI_BACKUP_MANIFEST_H
#define CLI_BACKUP_MANIFEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"

enum { BACKUP_FORMAT = 1, BACKUP_HASH_TEXT = 129, BACKUP_ID = 16, BACKUP_STAMP = 20 };

/* A file beside the manifest. */
struct backup_part {
    const char *file; /* plain name; NULL: there is none */
    int64_t bytes;
    char blake2b[BACKUP_HASH_TEXT]; /* 512 bits, as b2sum prints them */
};

struct backup_manifest {
    const char *program;     /* version of holdout that wrote it */
    const char *project;     /* its name */
    const char *id;          /* tells projects apart; says nothing else */
    int64_t made_ms, schema, event; /* moment of the copy, migrations applied, newest event */
    struct backup_part database, config, files;
    int64_t n_files, file_bytes; /* below images/ */
    int64_t references;      /* originals that are kept elsewhere and not part of it */
    int64_t missing;         /* files that the project should have had */
};

#define BACKUP_MANIFEST "manifest.json"
#define BACKUP_UNFINISHED "unfinished"
#define BACKUP_INCOMING ".incoming" /* an image file before it gets its name */

/* ERR_NOT_FOUND (rule "no-backup") when there is none, ERR_INPUT when it is damaged, ERR_CONFLICT
 * when a newer program wrote it. Texts are in the arena. */
enum err_code backup_manifest_read(const char *target, struct arena *a,
                                   struct backup_manifest *out, struct err *err);
/* Replaces the one that is there; flushed. */
enum err_code backup_manifest_write(const char *target, const struct backup_manifest *m,
                                    struct err *err);
/* Size and hash of a file beside the manifest, for its part. */
enum err_code backup_part_measure(const char *target, const char *file, struct backup_part *out,
                                  struct err *err);
/* ERR_INPUT (rule "backup-damaged") when the file is not what the part says. */
enum err_code backup_part_check(const char *target, const struct backup_part *part,
                                struct err *err);
/* Removes what no manifest names: of an earlier backup, or of one that was cut short. NULL: all. */
enum err_code backup_sweep(const char *target, const struct backup_manifest *keep,
                           struct err *err);
/* Whether a folder holds nothing: *what is one name in it otherwise, in the arena. A lock file and
 * what file systems put there by themselves do not count. */
enum err_code backup_folder_empty(const char *folder, struct arena *a, const char **what,
                                  struct err *err);
/* Where the stamp ends that the name begins with; NULL when it begins with none. */
const char *backup_stamp_end(const char *name);
/* The stamp of the manifest's backup, in the arena. */
const char *backup_stamp_of(const struct backup_manifest *m, struct arena *a);
/* "20261120T101500123Z" */
char *backup_stamp(int64_t wall_ms, char buf[BACKUP_STAMP]);

#endif
