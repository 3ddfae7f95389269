/* copy.h - a copy of the database as of one moment, while others read and write it.
 * For backups and for migrations, which keep what they begin with. */
#ifndef DB_COPY_H
#define DB_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* Called after every step with the pages copied and all there are; false stops the copy. */
typedef bool (*db_copy_step)(void *arg, uint64_t done, uint64_t all);

/* Copies the database `path` into the file `to`, which must not exist; only its owner may read it.
 * When it returns OK the file is complete and flushed, the entry in its folder is not; otherwise
 * there is no such file. ERR_BUSY (rule "stopped") when `step`, which may be NULL, said so. */
enum err_code db_copy(const char *path, const char *to, db_copy_step step, void *arg,
                      struct err *err);

#endif
