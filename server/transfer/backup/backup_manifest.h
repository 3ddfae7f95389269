/* backup_manifest.h - what the folder of one backup holds, and the one file that makes it a backup.
 *
 * manifest.json          written last: names and hashes everything else
 * holdout-STAMP.db       the database
 * config-STAMP.ini       config.ini, when the project has one
 * files-STAMP.b2sum      a line per file below, as b2sum reads it, sorted by path
 * images/ab/...          image files; they are never changed, so that backups share them
 * models-STAMP/...       the project's models/
 * features-STAMP/...     the project's features/, as far as the database knows them
 * unfinished             while it is being made, or was cut short: its project
 *
 * How the backups of a project lie beside each other: backup_target.h. Nothing here follows a symbolic link
 * in the folder: who can write there must not choose what is read. */
#ifndef TRANSFER_BACKUP_BACKUP_MANIFEST_H
#define TRANSFER_BACKUP_BACKUP_MANIFEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"

#define BACKUP_LATEST_MS INT64_C(253402300799999) /* the end of the year 9999: names of backups sort up to there */
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
    int64_t other_bytes;     /* of models and features; INT64_MAX: from before it was written down */
    int64_t references;      /* originals that are kept elsewhere and not part of it */
    int64_t missing;         /* files that the project should have had */
    bool checked;            /* the database was found sound before this was written */
};

#define BACKUP_MANIFEST "manifest.json"
#define BACKUP_UNFINISHED "unfinished"
#define BACKUP_INCOMING ".incoming" /* an image file before it gets its name */
#define BACKUP_LOCK "lock"

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
/* Removes what no manifest names, but for image files: of a backup that was cut short, or that has to
 * go. NULL: all. What others put into the folder stays. */
enum err_code backup_sweep(const char *target, const struct backup_manifest *keep,
                           struct err *err);
/* Whether a folder holds nothing: *what is one name in it otherwise, in the arena. A lock file and
 * what file systems put there by themselves do not count. */
enum err_code backup_folder_empty(const char *folder, struct arena *a, const char **what,
                                  struct err *err);
/* Whether it is a temporary of the manifest or of `unfinished`, which a kill leaves. */
bool backup_is_temporary(const char *name);
/* Where the stamp ends that the name begins with; NULL when it begins with none. */
const char *backup_stamp_end(const char *name);
/* The stamp of the manifest's backup, in the arena. */
const char *backup_stamp_of(const struct backup_manifest *m, struct arena *a);
/* "20261120T101500123Z"; wall_ms up to BACKUP_LATEST_MS. */
char *backup_stamp(int64_t wall_ms, char buf[BACKUP_STAMP]);
/* The moment of a stamp as backup_stamp_end knows it, also of one that is no date of a calendar. */
int64_t backup_stamp_ms(const char *stamp);

#endif
