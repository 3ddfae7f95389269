/* backup_restore.h - a project again from a backup, only where there is nothing. Of a folder with several generations it
 * takes the newest whose manifest, database, list and configuration are whole.
 *
 * Those are verified before anything is written. The database comes last: until then the folder is no project, and
 * says that it is being restored. */
#ifndef TRANSFER_BACKUP_BACKUP_RESTORE_H
#define TRANSFER_BACKUP_BACKUP_RESTORE_H

#include "transfer/backup/backup_files.h"
#include "transfer/backup/backup_manifest.h"
#include "transfer/core/transfer.h"

struct backup_restored {
    const char *folder; /* of the generation that was restored, in the arena; NULL: there is no project */
    struct backup_manifest m;
    struct backup_counts counts;
    int lock;           /* the project's own, exclusive, for the caller to look at the project under and to release;
                           -1: there is no project */
};
/* Restores `path`, a generation or a folder of them, into tr->dir, which may be missing; tr->db is not needed. Says which
 * generations are left out, and calls `damaged` for the first hundred files that are, which are left out too. A dry run
 * changes nothing and says what could be restored. ERR_CONFLICT (rule "backup-damaged"): the project is there, but files
 * were left out. Other rules: "not-empty", "restore-unfinished", "no-backup", and those of backup_verify.h. */
enum err_code backup_restore(struct transfer *tr, const char *path,
                             void (*damaged)(void *arg, const char *path, const char *why), void *arg,
                             struct backup_restored *out);
/* Calls `each` for the first hundred originals that the project refers to outside of its folder, which no backup
 * holds; `there`: the file is, with as many bytes as it had. tr->db is the project's. */
enum err_code backup_references(struct transfer *tr, void (*each)(void *arg, const char *path, bool there), void *arg);

#endif
