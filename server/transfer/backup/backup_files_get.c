/* backup_files_get.c - files out of a backup, compared with its list; images of one that goes. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "transfer/backup/backup_files.h"
#include "transfer/backup/backup_list.h"

enum { PATHS_ARENA = 1 << 16 };

static enum err_code hash_fd(int fd, const char *path, char hex[BACKUP_HEX + 1], struct err *err)
{
    unsigned char hash[CRYPTO_CONTENT];
    enum err_code rc = crypto_blake2b_fd(fd, path, hash, NULL, err);
    if (rc == OK) {
        crypto_hex(hash, sizeof hash, hex);
    }
    return rc;
}

/* What is hashed is the copy: the backup may lie where others write. *sound: the backup's file is what the
 * list says, and so a failure is the project's disk's. */
static enum err_code take(int fd, const char *from, const char *to, const char *expected,
                          bool *sound, struct err *err)
{
    char hex[BACKUP_HEX + 1] = "";
    enum err_code rc = to ? fs_copy_fd(fd, from, to, err) : OK;
    if (rc == OK) {
        rc = to ? backup_hash_text(to, hex, err) : hash_fd(fd, from, hex, err);
    } else if (lseek(fd, 0, SEEK_SET) == 0) {
        *sound = hash_fd(fd, from, hex, NULL) == OK && strcmp(hex, expected) == 0;
    }
    if (rc == OK && strcmp(hex, expected) != 0) {
        rc = err_set(err, ERR_INPUT, "is not what it was when it was backed up");
    }
    return rc;
}

static enum err_code get_file(const struct restore_run *run, const struct backup_list *l,
                              struct arena *a, struct backup_counts *counts, struct err *err)
{
    struct err why = {0};
    const char *folder_name, *other = backup_other_name(l->file, &folder_name);
    const char *from = fs_join(a, run->backup, l->file), *to = NULL;
    bool sound = false;
    int fd = -1;
    if (run->dir) {
        to = other ? arena_printf(a, "%s/%s/%s", run->dir, folder_name, other)
                   : fs_join(a, run->dir, l->file);
        char *folder = arena_strdup(a, to);
        *strrchr(folder, '/') = '\0';
        enum err_code made = fs_mkdirs(folder, err);
        if (made != OK) {
            return made;
        }
    }
    enum err_code rc = fs_open_below(run->backup, l->file, &fd, &why);
    if (rc == OK) {
        struct stat st;
        int64_t bytes = fstat(fd, &st) == 0 ? (int64_t)st.st_size : 0;
        int64_t left = other ? run->other_bytes - counts->other_bytes : run->file_bytes - counts->bytes;
        /* A file full of holes takes no room where it lies, and all of it here. */
        rc = bytes <= left ? take(fd, from, to, l->hash, &sound, &why)
                           : err_set(&why, ERR_INPUT, "is larger than it was when it was backed up");
        close(fd);
        if (rc == OK) {
            *(other ? &counts->others : &counts->files) += 1;
            *(other ? &counts->other_bytes : &counts->bytes) += bytes;
            return OK;
        }
    }
    if (sound) {
        return err_rule(err, rc, why.rule, "%s", why.msg); /* the backup is fine, the disk is not */
    }
    if (to) {
        unlink(to);
    }
    counts->missing++;
    run->damaged(run->arg, from, why.msg);
    return OK;
}

enum err_code backup_files_get(const struct restore_run *run, struct backup_counts *out,
                               struct err *err)
{
    struct backup_list l;
    struct arena a;
    arena_init(&a, PATHS_ARENA);
    *out = (struct backup_counts){0};
    enum err_code rc = backup_list_open(&l, run->backup, run->list, err);
    while (rc == OK && *l.file) {
        rc = get_file(run, &l, &a, out, err);
        if (rc == OK && !run->step(run->arg, out)) {
            rc = err_rule(err, ERR_BUSY, "stopped", "the copying of files was stopped");
        }
        rc = rc == OK ? backup_list_next(&l, err) : rc;
        arena_clear(&a);
    }
    backup_list_close(&l);
    arena_release(&a);
    return rc;
}

/* ---- a backup goes ---- */

/* Empties one folder of images; ENOENT and what is not ours: fine. */
static enum err_code remove_images(const char *backup, const char *ab, struct arena *a,
                                   struct err *err)
{
    enum err_code rc = OK;
    const char *folder = arena_printf(a, "%s/images/%s", backup, ab);
    struct stat st;
    DIR *d = lstat(folder, &st) == 0 && S_ISDIR(st.st_mode) ? opendir(folder) : NULL;
    for (struct dirent *e = d ? readdir(d) : NULL; e && rc == OK; e = readdir(d)) {
        char name[BACKUP_LINE];
        int n = snprintf(name, sizeof name, "images/%s/%s", ab, e->d_name);
        if (n < BACKUP_LINE && backup_image_name_ok(name) &&
            unlinkat(dirfd(d), e->d_name, 0) != 0 && errno != ENOENT) {
            rc = err_errno(err, errno, "cannot remove %s/%s", folder, e->d_name);
        }
    }
    if (d) {
        closedir(d);
        rmdir(folder); /* stays when others put something there */
    }
    return rc;
}

enum err_code backup_files_remove(const char *backup, struct err *err)
{
    enum err_code rc = OK;
    struct arena a;
    arena_init(&a, PATHS_ARENA);
    const char *folder = fs_join(&a, backup, "images");
    struct stat st;
    bool there = lstat(folder, &st) == 0 && S_ISDIR(st.st_mode);
    for (int i = 0; there && i < 256 && rc == OK; i++) {
        struct arena one;
        char ab[3];
        snprintf(ab, sizeof ab, "%02x", (unsigned)i);
        arena_init(&one, PATHS_ARENA);
        rc = remove_images(backup, ab, &one, err);
        arena_release(&one);
    }
    if (there) {
        rmdir(folder);
    }
    arena_release(&a);
    return rc;
}
