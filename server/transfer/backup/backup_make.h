/* backup_make.h - makes a backup of a project, also while a server runs on it, beside earlier ones (backup_target.h).
 *
 * Database first, as of one moment, and whether it is sound: a damaged one must not become a backup, and
 * above all not push out the last good one. Then the image files that this copy lists, which are never
 * changed; then config.ini; and last the manifest (backup_manifest.h), without which it is none. */
#ifndef TRANSFER_BACKUP_BACKUP_MAKE_H
#define TRANSFER_BACKUP_BACKUP_MAKE_H

#include "transfer/backup/backup_files.h"
#include "transfer/backup/backup_manifest.h"
#include "transfer/core/transfer.h"

struct backup_ask {
    const char *target;      /* folder of the generations; made when it is not there */
    int64_t keep;            /* generations, this one included; 1 at least */
    bool link;               /* hard links to the project's files where they are possible */
    bool verify;             /* read again what the earlier one has; copy what is damaged */
    bool (*stop)(void *arg); /* asked between pages and between files; NULL: never */
    void *arg;
};
struct backup_made {
    const char *folder;      /* of the new generation, in the arena; NULL: nothing was made */
    char stamp[BACKUP_STAMP];
    size_t generations, removed; /* that the target has now, 0: not known; older ones that went */
    struct backup_manifest m;
    struct backup_counts counts;
};
/* Says what is damaged, missing or cannot be read. A dry run changes nothing and says how much would be copied.
 * ERR_BUSY (rule "stopped") when `stop` said so: the next backup completes what is there. ERR_CONFLICT (rule
 * "database-damaged"): nothing was backed up; (rule "files-missing"): the backup is there, but the project lacks files.
 * When only the removing of older generations fails, the backup is there as well.
 * Other rules: "backup-inside", "backup-other", "not-a-backup", "backup-date", "no-room". */
enum err_code backup_make(struct transfer *tr, const struct backup_ask *ask, struct backup_made *out);

#endif
