/* backup_files.c - copies files of images, models and features into a backup, with their list of
 * hashes; takes them out of it, compared with the list; removes the images of one that goes. */
#include "transfer/backup/backup_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/xalloc.h"
#include "store/images/images.h"
#include "store/images/paths.h"
#include "store/models/features.h"
#include "store/models/models.h"
#include "transfer/backup/backup_list.h"
#include "transfer/backup/backup_manifest.h"

enum { PATHS_ARENA = 1 << 16 };

struct put {
    const struct backup_run *run;
    struct backup_list earlier;
    FILE *to;
    struct arena arena; /* of one source */
    struct backup_counts counts;
};

/* Read and not mapped: a disk that fails under a map ends the process. */
static bool same_bytes(const char *a, const char *b)
{
    char x[BACKUP_HEX + 1], y[BACKUP_HEX + 1];
    return backup_hash_text(a, x, NULL) == OK && backup_hash_text(b, y, NULL) == OK && strcmp(x, y) == 0;
}

static enum err_code make_parent(struct put *p, const char *to, struct err *err)
{
    char *folder = arena_strdup(&p->arena, to);
    *strrchr(folder, '/') = '\0';
    return fs_mkdirs(folder, err);
}

/* A whole file under its name or none: a temporary, then a rename. */
static enum err_code put_new(struct put *p, const char *from, const char *to, struct err *err)
{
    const char *tmp = fs_join(&p->arena, p->run->target, BACKUP_INCOMING);
    unlink(tmp); /* of a run that was killed */
    bool linked = p->run->link && link(from, tmp) == 0;
    enum err_code rc = linked ? OK : fs_copy_new(from, tmp, err);
    if (rc == OK && rename(tmp, to) != 0) {
        rc = make_parent(p, to, err);
        if (rc == OK && rename(tmp, to) != 0) {
            rc = err_errno(err, errno, "cannot rename to %s", to);
        }
    }
    unlink(tmp); /* a rename onto another name of the same file leaves it */
    return rc;
}

/* Moves through the earlier list to the file; its hash is *hex when it is there. */
static enum err_code look_up(struct put *p, const char *file, char hex[BACKUP_HEX + 1], bool *known,
                             struct err *err)
{
    enum err_code rc = OK;
    while (rc == OK && *p->earlier.file && strcmp(p->earlier.file, file) < 0) {
        rc = backup_list_next(&p->earlier, err);
    }
    *known = rc == OK && strcmp(p->earlier.file, file) == 0;
    if (*known) {
        snprintf(hex, BACKUP_HEX + 1, "%s", p->earlier.hash);
    }
    return rc;
}

static bool is_plain(const char *path, int64_t size)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == size;
}

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return lstat(a, &x) == 0 && lstat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* The earlier backup's file under the new name too. False: it must be copied. */
static bool share(struct put *p, const char *earlier, const char *to, int64_t size, const char *hex)
{
    char now[BACKUP_HEX + 1];
    bool good = is_plain(earlier, size) &&
                (!p->run->verify || (backup_hash_text(earlier, now, NULL) == OK && strcmp(now, hex) == 0));
    if (!good || link(earlier, to) == 0) {
        return good;
    }
    bool linked = errno == ENOENT && make_parent(p, to, NULL) == OK && link(earlier, to) == 0;
    p->counts.unshared += !linked;
    return linked;
}

/* Makes the backup have the file; *hex is its hash. */
static enum err_code bring(struct put *p, const char *file, const char *from, const char *to,
                           char hex[BACKUP_HEX + 1], struct err *err)
{
    int64_t size = fs_size(from);
    bool known = false, there = is_plain(to, size);
    enum err_code rc = look_up(p, file, hex, &known, err);
    const char *earlier = known ? fs_join(&p->arena, p->run->earlier, file) : NULL;
    if (rc != OK || (known && there && !p->run->verify && same_file(earlier, to)) ||
        (known && !there && share(p, earlier, to, size, hex))) {
        return rc;
    }
    /* Of a run that was cut short: the bytes say whether it is whole. */
    if (!there || !same_bytes(from, to)) {
        rc = put_new(p, from, to, err);
        p->counts.copied++;
        p->counts.copied_bytes += size;
    }
    return rc == OK ? backup_hash_text(to, hex, err) : rc;
}

static enum err_code put_file(struct put *p, const unsigned char *sha256, enum rendition_kind kind,
                              struct err *err)
{
    char hex[BACKUP_HEX + 1];
    const char *from = path_rendition(&p->arena, p->run->dir, sha256, kind);
    const char *to = path_rendition(&p->arena, p->run->target, sha256, kind);
    const char *file = to + strlen(to) - (strlen(from) - strlen(p->run->dir) - 1);
    int64_t size = fs_size(from);
    if (size < 0) {
        p->counts.missing++;
        p->run->missing(p->run->arg, from);
        return OK;
    }
    struct err why = {0};
    enum err_code rc = bring(p, file, from, to, hex, &why);
    if (rc != OK && rc != ERR_FULL && backup_hash_text(from, hex, NULL) != OK) {
        p->counts.missing++; /* a bad sector must not keep the rest from being saved */
        p->run->missing(p->run->arg, from);
        return OK;
    }
    if (rc != OK) {
        return err_rule(err, rc, why.rule, "%s", why.msg);
    }
    if (fprintf(p->to, "%s  %s\n", hex, file) < 0) {
        rc = err_errno(err, errno, "cannot write %s", p->run->list);
    }
    p->counts.files++;
    p->counts.bytes += size;
    return rc;
}

/* In the order of their names, so that the list is sorted. */
static enum err_code put_source(void *arg, const struct source_row *s, struct err *err)
{
    struct put *p = arg;
    bool elsewhere = s->path.n > 0;
    p->counts.references += elsewhere;
    enum err_code rc = source_is_shown(s) ? put_file(p, s->sha256, RENDITION_GRID, err) : OK;
    if (rc == OK && !elsewhere) {
        rc = put_file(p, s->sha256, RENDITION_SOURCE, err);
    }
    rc = rc == OK && source_is_shown(s) ? put_file(p, s->sha256, RENDITION_VIEW, err) : rc;
    arena_clear(&p->arena);
    if (rc == OK && !p->run->step(p->run->arg, &p->counts)) {
        rc = err_rule(err, ERR_BUSY, "stopped", "the copying of files was stopped");
    }
    return rc;
}

/* ---- models and features ---- */

/* A file below models/ or features/; bytes of one that grows, else -1: all. */
struct other {
    const char *name;
    int64_t bytes;
};
struct others {
    struct other *list;
    size_t n, cap;
    struct arena texts;
};

static void add_other(struct others *o, const char *name, int64_t bytes)
{
    xgrow(&o->list, &o->cap, o->n + 1, sizeof *o->list);
    o->list[o->n++] = (struct other){arena_strdup(&o->texts, name), bytes};
}

static enum err_code add_model(void *arg, const char *relative, struct err *err)
{
    (void)err;
    add_other(arg, relative, -1);
    return OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct other *)a)->name, ((const struct other *)b)->name);
}

/* Whether the earlier backup's copy is what the project has: rows of features are never changed, models are
 * compared by their hash. */
static bool unchanged(struct put *p, const char *from, const char *earlier, int64_t bytes,
                      bool grows, const char *hex)
{
    char now[BACKUP_HEX + 1];
    bool same = is_plain(earlier, bytes);
    if (same && !grows) {
        same = backup_hash_text(from, now, NULL) == OK && strcmp(now, hex) == 0;
    }
    if (same && p->run->verify) {
        same = backup_hash_text(earlier, now, NULL) == OK && strcmp(now, hex) == 0;
    }
    return same;
}

/* A growing file is copied as far as the database knows it. */
static enum err_code copy_other(struct put *p, const char *from, const char *to, int64_t bytes,
                                bool grows, struct err *err)
{
    p->counts.copied++;
    p->counts.copied_bytes += bytes;
    if (p->run->link && !grows && link(from, to) == 0) {
        return OK;
    }
    enum err_code rc = fs_copy_new(from, to, err);
    if (rc == OK && grows && truncate(to, bytes) != 0) {
        rc = err_errno(err, errno, "cannot cut %s", to);
    }
    return rc;
}

static void miss_other(struct put *p, const char *from)
{
    p->counts.missing++;
    p->run->missing(p->run->arg, from);
}

static enum err_code put_other(struct put *p, const char *folder, const struct other *other,
                               struct err *err)
{
    struct arena *a = &p->arena;
    const char *name = other->name;
    int64_t bytes = other->bytes;
    bool grows = bytes >= 0, known;
    char hex[BACKUP_HEX + 1];
    const char *from = arena_printf(a, "%s/%s/%s", p->run->dir, folder, name);
    const char *file = arena_printf(a, "%s-%s/%s", folder, p->run->stamp, name);
    const char *to = fs_join(a, p->run->target, file);
    const char *old = arena_printf(a, "%s-%s/%s", folder, p->run->earlier_stamp, name);
    int64_t size = fs_size(from);
    if (size < bytes || size < 0 || !backup_plain_path(name) || strlen(file) > BACKUP_LINE - BACKUP_HEX - 4) {
        miss_other(p, from);
        return OK;
    }
    bytes = grows ? bytes : size;
    enum err_code rc = make_parent(p, to, err);
    rc = rc == OK ? look_up(p, old, hex, &known, err) : rc;
    if (rc != OK) {
        return rc;
    }
    const char *earlier = known ? fs_join(a, p->run->earlier, old) : "";
    bool shared = known && unchanged(p, from, earlier, bytes, grows, hex) && link(earlier, to) == 0;
    if (!shared) {
        rc = copy_other(p, from, to, bytes, grows, err);
        rc = rc == OK ? backup_hash_text(to, hex, err) : rc;
    }
    if (rc == OK && fprintf(p->to, "%s  %s\n", hex, file) < 0) {
        rc = err_errno(err, errno, "cannot write %s", p->run->list);
    }
    p->counts.others++;
    p->counts.other_bytes += fs_size(to); /* a model may just have been replaced */
    if (rc == OK && !p->run->step(p->run->arg, &p->counts)) {
        rc = err_rule(err, ERR_BUSY, "stopped", "the copying of files was stopped");
    }
    return rc;
}

/* In the order of the list. */
static enum err_code put_others(struct put *p, const char *folder, struct others *o, struct err *err)
{
    enum err_code rc = OK;
    if (o->n) {
        qsort(o->list, o->n, sizeof *o->list, by_name);
    }
    for (size_t i = 0; i < o->n && rc == OK; i++) {
        rc = put_other(p, folder, &o->list[i], err);
        arena_clear(&p->arena);
    }
    return rc;
}

/* The whole folder, and a word for models whose file is not in it. */
static enum err_code put_models(struct put *p, struct db *db, struct err *err)
{
    struct others o = {0};
    struct model_row *models;
    size_t n = 0;
    arena_init(&o.texts, (size_t)1 << 28);
    const char *folder = fs_join(&o.texts, p->run->dir, "models");
    enum err_code rc = models_list(db, false, &o.texts, &models, &n, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        const char *path = fs_join(&o.texts, folder, arena_cstr(&o.texts, models[i].file));
        if (models[i].file.n && fs_size(path) < 0) {
            miss_other(p, path);
        }
    }
    if (rc == OK && fs_is_dir(folder)) {
        rc = fs_walk(folder, add_model, &o, err);
    }
    rc = rc == OK ? put_others(p, "models", &o, err) : rc;
    free(o.list);
    arena_release(&o.texts);
    return rc;
}

/* Of each feature file the rows that the copied database names: the project's may be growing. */
static enum err_code put_features(struct put *p, struct db *db, struct err *err)
{
    struct others o = {0};
    struct feature_source *list;
    size_t n = 0;
    arena_init(&o.texts, (size_t)1 << 28);
    enum err_code rc = features_sources(db, 0, &o.texts, &list, &n, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        const char *path = path_features(&o.texts, "", list[i].id);
        add_other(&o, strrchr(path, '/') + 1, list[i].rows * list[i].dim * 4);
    }
    rc = rc == OK ? put_others(p, "features", &o, err) : rc;
    free(o.list);
    arena_release(&o.texts);
    return rc;
}

enum err_code backup_files_put(const struct backup_run *run, struct db *db,
                               struct backup_counts *out, struct err *err)
{
    struct put p = {.run = run};
    arena_init(&p.arena, PATHS_ARENA);
    enum err_code rc = backup_list_open(&p.earlier, run->earlier, run->earlier_list, err);
    if (rc == OK && !(p.to = fopen(run->list, "wxe"))) {
        rc = err_errno(err, errno, "cannot create %s", run->list);
    }
    rc = rc == OK ? put_features(&p, db, err) : rc;
    rc = rc == OK ? sources_each(db, put_source, &p, err) : rc;
    rc = rc == OK ? put_models(&p, db, err) : rc;
    if (p.to && fclose(p.to) != 0 && rc == OK) {
        rc = err_errno(err, errno, "cannot write %s", run->list);
    }
    backup_list_close(&p.earlier);
    arena_release(&p.arena);
    *out = p.counts;
    return rc;
}

/* ---- out of a backup ---- */

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
