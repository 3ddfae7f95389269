/* backup_list.h - the list of a backup's files, as b2sum writes it, read line by line; believes nothing.
 * Shared by what writes backups and what reads them (backup_files.h). */
#ifndef TRANSFER_BACKUP_BACKUP_LIST_H
#define TRANSFER_BACKUP_BACKUP_LIST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "crypto/crypto.h"

enum { BACKUP_HEX = 2 * CRYPTO_CONTENT, BACKUP_LINE = 2048 };

struct backup_list {
    FILE *f;
    const char *path;
    int64_t line;
    char hash[BACKUP_HEX + 1], file[BACKUP_LINE]; /* the present line; file "" after the last */
};

/* Opens the list `name` in the folder and reads its first line; folder NULL: a list of nothing. */
enum err_code backup_list_open(struct backup_list *l, const char *folder, const char *name,
                               struct err *err);
/* ERR_INPUT (rule "backup-damaged") for a line that no backup writes. */
enum err_code backup_list_next(struct backup_list *l, struct err *err);
void backup_list_close(struct backup_list *l);

/* A path below models/ or features/: folders and files that are not hidden, in names that b2sum writes as
 * they are. */
bool backup_plain_path(const char *path);
/* What is behind "models-STAMP/" or "features-STAMP/"; *folder is the project's. NULL: neither. */
const char *backup_other_name(const char *name, const char **folder);
/* images/ab/<64 hex digits>.<kind>, where ab is how they begin: nothing else comes into that folder. */
bool backup_image_name_ok(const char *name);
enum err_code backup_hash_text(const char *path, char hex[BACKUP_HEX + 1], struct err *err);

#endif
