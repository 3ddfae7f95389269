/* backup_files.h - the files of a project on their way into a backup, and out of it: images, models and
 * features.
 *
 * Their list is a text file as b2sum writes it, "HASH  images/ab/NAME", sorted by path. Hashes of
 * images that an earlier backup already has are taken from its list, so that a further backup reads only
 * what is new. Models may be replaced and features grow under their names: they are in folders of their
 * backup, models-STAMP and features-STAMP, where what has not changed is a hard link to the earlier
 * backup's. Called by the backup and restore commands; knows nothing of the manifest. */
#ifndef CLI_BACKUP_FILES_H
#define CLI_BACKUP_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "db/db.h"

struct backup_counts {
    int64_t files, bytes;          /* images in the list */
    int64_t others, other_bytes;   /* models and features in the list */
    int64_t copied, copied_bytes;  /* of them put into the backup now; links count */
    int64_t references, missing;
};

struct backup_run {
    const char *dir, *target;      /* project, backup */
    const char *list;              /* to write: path of the new list */
    const char *earlier;           /* list of an earlier backup whose hash was checked, or NULL */
    const char *stamp, *earlier_stamp;
    bool link;                     /* hard links where they are possible */
    bool verify;                   /* read again what the backup has already */
    /* Called after every file; false stops. */
    bool (*step)(void *arg, const struct backup_counts *so_far);
    /* A file that the project should have and has not. */
    void (*missing)(void *arg, const char *path);
    void *arg;
};

/* Puts the files of all sources that `db` lists, the models, and of the features the rows that `db`
 * knows into the target and writes the list; nothing is
 * flushed. ERR_BUSY (rule "stopped") when step said so. */
enum err_code backup_files_put(const struct backup_run *run, struct db *db,
                               struct backup_counts *out, struct err *err);

struct restore_run {
    const char *backup, *dir, *list;
    bool (*step)(void *arg, const struct backup_counts *so_far);
    void (*damaged)(void *arg, const char *path, const char *why);
    void *arg;
};
/* Copies every file of the list into the project, and compares its hash; one that is damaged is
 * told and left out. Nothing is flushed. */
enum err_code backup_files_get(const struct restore_run *run, struct backup_counts *out,
                               struct err *err);

#endif
