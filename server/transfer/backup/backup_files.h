/* backup_files.h - the files of a project on their way into a backup, and out of it: images, models and
 * features.
 *
 * Their list is a text file as b2sum writes it, "HASH  images/ab/NAME", sorted by path. What an earlier
 * backup has already is not read again: the new one gets a hard link to its file, and the hash from its list;
 * where links are impossible, a copy. Models may be replaced and features grow under their names: they are in
 * folders of their backup, models-STAMP and features-STAMP, and linked as long as they are unchanged. Knows
 * nothing of the manifest. */
#ifndef TRANSFER_BACKUP_BACKUP_FILES_H
#define TRANSFER_BACKUP_BACKUP_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "db/db.h"

struct backup_counts {
    int64_t files, bytes;          /* images in the list */
    int64_t others, other_bytes;   /* models and features in the list */
    int64_t copied, copied_bytes;  /* of them put into the backup now; links to the project's count */
    int64_t unshared;              /* of them: the earlier backup has it, but could not be linked */
    int64_t references, missing;
};

struct backup_run {
    const char *dir, *target;      /* project, folder of the backup */
    const char *list;              /* to write: path of the new list */
    const char *earlier;           /* folder of an earlier backup, or NULL */
    const char *earlier_list;      /* its list, a name in that folder; its hash was checked */
    const char *stamp, *earlier_stamp;
    bool link;                     /* hard links where they are possible */
    bool verify;                   /* read again what the earlier one has; copy what is damaged */
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
    const char *backup, *dir;  /* dir NULL: files are only compared with their hashes */
    const char *list;          /* a name in the folder `backup` */
    int64_t file_bytes, other_bytes; /* what images, and models and features, have together at most */
    bool (*step)(void *arg, const struct backup_counts *so_far);
    void (*damaged)(void *arg, const char *path, const char *why);
    void *arg;
};
/* Copies every file of the list into the project, and compares its hash; one that is damaged, is a
 * symbolic link or larger than all of them may be, is told and left out. Nothing is flushed. */
enum err_code backup_files_get(const struct restore_run *run, struct backup_counts *out,
                               struct err *err);

/* Removes the images of a backup from its folder: files with names of images, and the folders that are
 * empty then. */
enum err_code backup_files_remove(const char *backup, struct err *err);

#endif
