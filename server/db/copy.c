/* copy.c - copies a database page by page under one snapshot. Must not know what is stored.
 *
 * SQLite's backup begins again whenever another process commits between two steps, and so never
 * ends beside a busy server. Here the source's connection holds a snapshot from before the first
 * step until after the last: nothing it reads can change, and writers are not stopped. Pages go
 * over as they are, in a sixth of the time of VACUUM INTO, so that the snapshot keeps the log from
 * being emptied for moments only. */
#include "db/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "db/db.h"
#include "db/internal.h"

enum { STEP_PAGES = 256, FLUSH_BYTES = 8 << 20 };

/* Nobody else knows the file, and a copy that is cut short is removed: no journal, no flushes but
 * the last one. Little memory, so that pages are written as they come. */
static const char target_pragmas[] = "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
                                     "PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-2048;";

static enum err_code failed(struct sqlite3 *h, int rc, const char *to, struct err *err)
{
    enum err_code code = db_code_of(h, rc);
    int number = 0;
    /* What the file itself remembers; sqlite3_system_errno says what errno was when the copy was given up, and others have
     * set that since. Nothing is open yet when opening fails. */
    if (sqlite3_file_control(h, "main", SQLITE_FCNTL_LAST_ERRNO, &number) != SQLITE_OK) {
        number = sqlite3_system_errno(h);
    }
    if (code == ERR_IO && number != 0) {
        return err_errno(err, number, "cannot copy the database to %s", to);
    }
    return err_set(err, code, "cannot copy the database to %s: %s", to, sqlite3_errstr(rc));
}

/* What was written goes to the disk piece by piece, the piece before last being there before there is
 * more: hundreds of megabytes flushed at once would stand before the flush of somebody's answer. */
static void flush_behind(int fd, int64_t *begun)
{
    struct stat st;
    if (fstat(fd, &st) == 0 && st.st_size >= *begun + FLUSH_BYTES) {
        sync_file_range(fd, *begun, st.st_size - *begun, SYNC_FILE_RANGE_WRITE);
        sync_file_range(fd, 0, *begun, SYNC_FILE_RANGE_WAIT_BEFORE);
        *begun = st.st_size;
    }
}

static enum err_code copy_pages(struct db *from, struct sqlite3 *h, int fd, const char *to,
                                db_copy_step step, void *arg, struct err *err)
{
    sqlite3_backup *b = sqlite3_backup_init(h, "main", from->h, "main");
    if (!b) {
        return failed(h, sqlite3_extended_errcode(h), to, err);
    }
    int rc;
    bool go = true;
    int64_t begun = 0;
    do {
        rc = sqlite3_backup_step(b, STEP_PAGES);
        flush_behind(fd, &begun);
        uint64_t all = (uint64_t)sqlite3_backup_pagecount(b);
        go = !step || step(arg, all - (uint64_t)sqlite3_backup_remaining(b), all);
    } while (rc == SQLITE_OK && go);
    sqlite3_backup_finish(b);
    if (rc == SQLITE_OK) {
        return err_rule(err, ERR_BUSY, "stopped", "the copy of the database was stopped");
    }
    return rc == SQLITE_DONE ? OK : failed(h, rc, to, err);
}

/* A deferred transaction has no snapshot before its first read. */
static enum err_code hold_snapshot(struct db *db, struct err *err)
{
    int64_t tables;
    enum err_code rc = db_snapshot(db, err);
    return rc == OK ? db_one_int(db, "SELECT count(*) FROM sqlite_schema", DB_NONE, &tables, err)
                    : rc;
}

static enum err_code copy_into(struct db *from, int fd, const char *to, db_copy_step step, void *arg,
                               struct err *err)
{
    struct sqlite3 *h = NULL;
    int rc = sqlite3_open_v2(to, &h, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    sqlite3_extended_result_codes(h, 1);
    if (rc == SQLITE_OK) {
        rc = sqlite3_exec(h, target_pragmas, NULL, NULL, NULL);
    }
    enum err_code code = rc == SQLITE_OK ? hold_snapshot(from, err) : failed(h, rc, to, err);
    if (code == OK) {
        code = copy_pages(from, h, fd, to, step, arg, err);
    }
    db_snapshot_end(from);
    BUG_IF(sqlite3_close(h) != SQLITE_OK);
    return code != OK ? code : fs_sync_file(to, err);
}

enum err_code db_copy(const char *path, const char *to, db_copy_step step, void *arg,
                      struct err *err)
{
    struct db *from = NULL;
    int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) {
        return err_errno(err, errno, "cannot create %s", to);
    }
    enum err_code rc = db_open(path, DB_READ, &from, err);
    rc = rc == OK ? copy_into(from, fd, to, step, arg, err) : rc;
    db_close(from);
    close(fd);
    if (rc != OK) {
        unlink(to);
    }
    return rc;
}
