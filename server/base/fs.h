/* fs.h - files: whole reads with a cap, writes that are complete and flushed or not there.
 * Everything that puts a file into a project goes through fs_write_whole. */
#ifndef BASE_FS_H
#define BASE_FS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

/* Reads a whole file ("-" = standard input) into `out`; ERR_LIMIT above out->max, ERR_NOT_FOUND
 * when there is none. */
enum err_code fs_read(const char *path, struct str *out, struct err *err);
/* The same of an open file; `path` is for messages. */
enum err_code fs_read_fd(int fd, const char *path, struct str *out, struct err *err);

/* Opens root/relative for reading without following a symbolic link below `root` and without ever
 * leaving it. The caller closes *fd. ERR_NOT_FOUND: there is none; ERR_INPUT: it is no
 * regular file; with rule "link": the file or a folder on the way to it is a link. */
enum err_code fs_open_below(const char *root, const char *relative, int *fd, struct err *err);

/* A file mapped read-only. data is NULL for an empty one. */
struct fs_map {
    const unsigned char *data;
    size_t n;
};
enum err_code fs_map(const char *path, struct fs_map *out, struct err *err);
void fs_unmap(struct fs_map *m);

/* Writes path.tmp-PID-N, flushes it, renames it to path and flushes the folder. On failure nothing
 * is left behind, unless the folder's flush is what failed: then the file stands whole under its
 * name and a power cut may lose it. `flush` false leaves the flushes to fs_sync_file and
 * fs_sync_dir. */
enum err_code fs_write_whole(const char *path, const void *p, size_t n, bool flush,
                             struct err *err);
/* Creates path, which must not exist, and writes it without a flush. On failure nothing is left. */
enum err_code fs_write_new(const char *path, const void *p, size_t n, struct err *err);
/* Copies a file's bytes and holes to the path `to`, which must not exist, without a flush; shares the
 * blocks where the file system can. On failure nothing is left; ERR_NOT_FOUND: there is no `from`. */
enum err_code fs_copy_new(const char *from, const char *to, struct err *err);
/* The same from an open file, which stays open; `from` is for messages. */
enum err_code fs_copy_fd(int in, const char *from, const char *to, struct err *err);
/* Flushes everything that was written to the file system of a folder: one wait for many files. */
enum err_code fs_sync_all(const char *dir, struct err *err);
enum err_code fs_sync_file(const char *path, struct err *err);
enum err_code fs_sync_dir(const char *path, struct err *err);

enum err_code fs_mkdirs(const char *path, struct err *err); /* all parents; an existing one is OK */
/* The same, and if the folder is new only its owner may read it. */
enum err_code fs_mkdirs_private(const char *path, struct err *err);
bool fs_exists(const char *path);
bool fs_is_dir(const char *path);
/* Bytes of a regular file, -1 when there is none. */
int64_t fs_size(const char *path);
char *fs_join(struct arena *a, const char *dir, const char *name);

/* Takes a lock file (created when missing; a symbolic link is not followed): shared or exclusive,
 * without waiting. ERR_BUSY when another process holds it the other way. *fd is closed by fs_unlock or
 * at exit. */
enum err_code fs_lock(const char *path, bool exclusive, int *fd, struct err *err);
void fs_unlock(int fd);

/* Calls `each` for every regular file below `root`, in sorted order, with its path relative to
 * root. Names that begin with a dot are left out. Symbolic links to files are followed, to folders
 * not. Stops when `each` fails. */
enum err_code fs_walk(const char *root,
                      enum err_code (*each)(void *arg, const char *relative, struct err *err),
                      void *arg, struct err *err);

#endif
