/* backup_verify.h - is a backup what it was when it was made? */
#ifndef TRANSFER_BACKUP_BACKUP_VERIFY_H
#define TRANSFER_BACKUP_BACKUP_VERIFY_H

#include "transfer/backup/backup_files.h"
#include "transfer/backup/backup_target.h"
#include "transfer/core/transfer.h"

/* Whether database, configuration and list are what the manifest says; reads them whole. ERR_INPUT (rule
 * "backup-damaged" or "link"), ERR_NOT_FOUND; ERR_CONFLICT when a newer holdout made it. */
enum err_code backup_parts_check(const struct backup_generation *g, struct err *err);

struct backup_verified {
    const struct backup_generation *g; /* in the arena; NULL: its files were not compared */
    struct backup_counts counts;
    int64_t damaged;
};
/* Compares every file of a generation with the hashes of its list and manifest, and calls `damaged` for the first
 * hundred that differ. `path`: a generation, or a folder of them, whose newest is looked at. Changes nothing.
 * ERR_CONFLICT (rule "backup-damaged") when files differ; `out` is filled then too. */
enum err_code backup_verify(struct transfer *tr, const char *path,
                            void (*damaged)(void *arg, const char *path, const char *why), void *arg,
                            struct backup_verified *out);

#endif
