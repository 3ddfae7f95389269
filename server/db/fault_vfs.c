/* fault_vfs.c - a file layer for SQLite that fails when base/fault.h says so, else forwards.
 *
 * Registered by db_open in builds with FAULT_HOOKS; empty in all others. Besides db.c and copy.c
 * it owns sqlite3.h. Must not know what is stored, nor decide when something fails. */
#include "db/fault_vfs.h"

#ifdef FAULT_HOOKS
#include <errno.h>
#include <sqlite3.h>

#include "base/err.h"
#include "base/fault.h"

/* SQLite allocates szOsFile bytes: ours first, the real file right behind. */
struct fault_file {
    sqlite3_file base;
    sqlite3_file *real;
};

static sqlite3_file *real_file(sqlite3_file *f)
{
    return ((struct fault_file *)f)->real;
}

static sqlite3_vfs *real_vfs(sqlite3_vfs *v)
{
    return v->pAppData;
}

/* ---- files: writes and flushes fail on demand ---- */

static int file_write(sqlite3_file *f, const void *p, int n, sqlite3_int64 at)
{
    sqlite3_file *r = real_file(f);
    int number = fault_space();
    if (number) {
        errno = number;
        return SQLITE_FULL;
    }
    if (fault_short()) {
        int rc = r->pMethods->xWrite(r, p, n / 2, at);
        errno = EIO;
        return rc == SQLITE_OK ? SQLITE_IOERR_WRITE : rc;
    }
    return r->pMethods->xWrite(r, p, n, at);
}

static int file_sync(sqlite3_file *f, int flags)
{
    sqlite3_file *r = real_file(f);
    int number = fault_sync();
    if (number) {
        errno = number;
        return SQLITE_IOERR_FSYNC;
    }
    return r->pMethods->xSync(r, flags);
}

static int file_close(sqlite3_file *f)
{
    sqlite3_file *r = real_file(f);
    return r->pMethods->xClose(r);
}

static int file_read(sqlite3_file *f, void *p, int n, sqlite3_int64 at)
{
    sqlite3_file *r = real_file(f);
    return r->pMethods->xRead(r, p, n, at);
}

static int file_truncate(sqlite3_file *f, sqlite3_int64 size)
{
    sqlite3_file *r = real_file(f);
    return r->pMethods->xTruncate(r, size);
}

static int file_size(sqlite3_file *f, sqlite3_int64 *out)
{
    sqlite3_file *r = real_file(f);
    return r->pMethods->xFileSize(r, out);
}

static int file_lock(sqlite3_file *f, int level)
{
    sqlite3_file *r = real_file(f);
    return r->pMethods->xLock(r, level);
}

static int file_unlock(sqlite3_file *f, int level)
{
    sqlite3_file *r = real_file(f);
    return r->pMethods->xUnlock(r, level);
}

static int file_check_lock(sqlite3_file *f, int *out)
{
    sqlite3_file *r = real_file(f);
    return r->pMethods->xCheckReservedLock(r, out);
}

static int file_control(sqlite3_file *f, int op, void *arg)
{
    sqlite3_file *r = real_file(f);
    return r->pMethods->xFileControl(r, op, arg);
}

static int file_sector_size(sqlite3_file *f)
{
    sqlite3_file *r = real_file(f);
    return r->pMethods->xSectorSize(r);
}

static int file_device(sqlite3_file *f)
{
    sqlite3_file *r = real_file(f);
    return r->pMethods->xDeviceCharacteristics(r);
}

static int file_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **out)
{
    sqlite3_file *r = real_file(f);
    return r->pMethods->xShmMap(r, page, size, extend, out);
}

static int file_shm_lock(sqlite3_file *f, int offset, int n, int flags)
{
    sqlite3_file *r = real_file(f);
    return r->pMethods->xShmLock(r, offset, n, flags);
}

static void file_shm_barrier(sqlite3_file *f)
{
    sqlite3_file *r = real_file(f);
    r->pMethods->xShmBarrier(r);
}

static int file_shm_unmap(sqlite3_file *f, int delete_it)
{
    sqlite3_file *r = real_file(f);
    return r->pMethods->xShmUnmap(r, delete_it);
}

static int file_fetch(sqlite3_file *f, sqlite3_int64 at, int n, void **out)
{
    sqlite3_file *r = real_file(f);
    return r->pMethods->xFetch(r, at, n, out);
}

static int file_unfetch(sqlite3_file *f, sqlite3_int64 at, void *p)
{
    sqlite3_file *r = real_file(f);
    return r->pMethods->xUnfetch(r, at, p);
}

static const sqlite3_io_methods methods = {
    .iVersion = 3,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_device,
    .xShmMap = file_shm_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_shm_barrier,
    .xShmUnmap = file_shm_unmap,
    .xFetch = file_fetch,
    .xUnfetch = file_unfetch,
};

/* ---- the layer itself: everything is handed to the real one ---- */

static int vfs_open(sqlite3_vfs *v, const char *name, sqlite3_file *f, int flags, int *out)
{
    struct fault_file *ours = (struct fault_file *)f;
    ours->real = (sqlite3_file *)(ours + 1);
    int rc = real_vfs(v)->xOpen(real_vfs(v), name, ours->real, flags, out);
    /* SQLite closes a file after a failed open exactly when it has methods: mirror the real one. */
    f->pMethods = ours->real->pMethods ? &methods : NULL;
    BUG_IF(ours->real->pMethods && ours->real->pMethods->iVersion < methods.iVersion);
    return rc;
}

static int vfs_delete(sqlite3_vfs *v, const char *name, int sync_dir)
{
    return real_vfs(v)->xDelete(real_vfs(v), name, sync_dir);
}

static int vfs_access(sqlite3_vfs *v, const char *name, int flags, int *out)
{
    return real_vfs(v)->xAccess(real_vfs(v), name, flags, out);
}

static int vfs_full_path(sqlite3_vfs *v, const char *name, int n, char *out)
{
    return real_vfs(v)->xFullPathname(real_vfs(v), name, n, out);
}

static void *vfs_dl_open(sqlite3_vfs *v, const char *name)
{
    return real_vfs(v)->xDlOpen(real_vfs(v), name);
}

static void vfs_dl_error(sqlite3_vfs *v, int n, char *out)
{
    real_vfs(v)->xDlError(real_vfs(v), n, out);
}

static void (*vfs_dl_sym(sqlite3_vfs *v, void *lib, const char *name))(void)
{
    return real_vfs(v)->xDlSym(real_vfs(v), lib, name);
}

static void vfs_dl_close(sqlite3_vfs *v, void *lib)
{
    real_vfs(v)->xDlClose(real_vfs(v), lib);
}

static int vfs_randomness(sqlite3_vfs *v, int n, char *out)
{
    return real_vfs(v)->xRandomness(real_vfs(v), n, out);
}

static int vfs_sleep(sqlite3_vfs *v, int us)
{
    return real_vfs(v)->xSleep(real_vfs(v), us);
}

static int vfs_time(sqlite3_vfs *v, double *out)
{
    return real_vfs(v)->xCurrentTime(real_vfs(v), out);
}

static int vfs_last_error(sqlite3_vfs *v, int n, char *out)
{
    return real_vfs(v)->xGetLastError(real_vfs(v), n, out);
}

static int vfs_time_ms(sqlite3_vfs *v, sqlite3_int64 *out)
{
    return real_vfs(v)->xCurrentTimeInt64(real_vfs(v), out);
}

static int vfs_set_call(sqlite3_vfs *v, const char *name, sqlite3_syscall_ptr call)
{
    return real_vfs(v)->xSetSystemCall(real_vfs(v), name, call);
}

static sqlite3_syscall_ptr vfs_get_call(sqlite3_vfs *v, const char *name)
{
    return real_vfs(v)->xGetSystemCall(real_vfs(v), name);
}

static const char *vfs_next_call(sqlite3_vfs *v, const char *name)
{
    return real_vfs(v)->xNextSystemCall(real_vfs(v), name);
}

void fault_vfs_register(void)
{
    static sqlite3_vfs vfs = {
        .iVersion = 3,
        .zName = "fault",
        .xOpen = vfs_open,
        .xDelete = vfs_delete,
        .xAccess = vfs_access,
        .xFullPathname = vfs_full_path,
        .xDlOpen = vfs_dl_open,
        .xDlError = vfs_dl_error,
        .xDlSym = vfs_dl_sym,
        .xDlClose = vfs_dl_close,
        .xRandomness = vfs_randomness,
        .xSleep = vfs_sleep,
        .xCurrentTime = vfs_time,
        .xGetLastError = vfs_last_error,
        .xCurrentTimeInt64 = vfs_time_ms,
        .xSetSystemCall = vfs_set_call,
        .xGetSystemCall = vfs_get_call,
        .xNextSystemCall = vfs_next_call,
    };
    sqlite3_vfs *real = sqlite3_vfs_find("unix");
    BUG_IF(!real || real->iVersion < vfs.iVersion);
    vfs.szOsFile = (int)sizeof(struct fault_file) + real->szOsFile;
    vfs.mxPathname = real->mxPathname;
    vfs.pAppData = real;
    BUG_IF(sqlite3_vfs_register(&vfs, 1) != SQLITE_OK);
}
#else
typedef int fault_vfs_is_off;
#endif
