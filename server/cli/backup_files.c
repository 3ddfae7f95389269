/* backup_files.c - copies files of images, models and features into a backup and back, with their list of
 * hashes. */
#include "cli/backup_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/xalloc.h"
#include "cli/backup_manifest.h"
#include "crypto/crypto.h"
#include "store/features.h"
#include "store/images.h"
#include "store/models.h"
#include "store/paths.h"

enum { NAME = 2 * CRYPTO_HASH, HEX = 2 * CRYPTO_CONTENT, PATHS_ARENA = 1 << 16, LINE_MOST = 2048 };
static const char images[] = "images/";

/* ---- a list that is read ---- */

struct list {
    FILE *f;
    const char *path;
    int64_t line;
    char hash[HEX + 1], file[LINE_MOST]; /* the present line; file "" behind the last */
};

/* Below models/ or features/: folders and files that are not hidden, in names that b2sum writes as they are. */
static bool plain_path(const char *path)
{
    bool begins = true;
    for (; *path; path++) {
        if (*path == '\\' || (unsigned char)*path < ' ' || (begins && (*path == '.' || *path == '/'))) {
            return false;
        }
        begins = *path == '/';
    }
    return !begins;
}

/* What stands behind "models-STAMP/" or "features-STAMP/"; *folder is the project's. NULL: neither. */
static const char *other_name(const char *name, const char **folder)
{
    static const char *const folders[] = {"models", "features"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        size_t n = strlen(folders[i]);
        const char *end = strncmp(name, folders[i], n) == 0 && name[n] == '-'
                              ? backup_stamp_end(name + n + 1)
                              : NULL;
        if (end && *end == '/' && plain_path(end + 1)) {
            *folder = folders[i];
            return end + 1;
        }
    }
    return NULL;
}

/* images/ab/<64 hex digits>.<kind>, where ab is how they begin: nothing else comes into that folder. */
static bool image_name_ok(const char *name)
{
    static const char *const kinds[] = {".grid", ".source", ".view"};
    unsigned char sha[CRYPTO_HASH];
    const char *ab = name + sizeof images - 1, *hex = ab + 3;
    if (strncmp(name, images, sizeof images - 1) != 0 || strlen(ab) < 3 + NAME || ab[2] != '/' ||
        strncmp(ab, hex, 2) != 0 || !crypto_unhex(sv_make(hex, NAME), sha, sizeof sha)) {
        return false;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(hex + NAME, kinds[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool file_name_ok(const char *name)
{
    const char *folder;
    return image_name_ok(name) || other_name(name, &folder);
}

static enum err_code list_next(struct list *l, struct err *err)
{
    char line[LINE_MOST], before[LINE_MOST];
    unsigned char hash[CRYPTO_CONTENT];
    snprintf(before, sizeof before, "%s", l->file);
    l->file[0] = '\0';
    if (!l->f || !fgets(line, sizeof line, l->f)) {
        return l->f && ferror(l->f) ? err_errno(err, errno, "cannot read %s", l->path) : OK;
    }
    l->line++;
    size_t n = strcspn(line, "\n");
    bool whole = line[n] == '\n' && n > HEX + 2;
    line[n] = '\0';
    if (!whole || !crypto_unhex(sv_make(line, HEX), hash, sizeof hash) ||
        strncmp(line + HEX, "  ", 2) != 0 || !file_name_ok(line + HEX + 2) ||
        strcmp(line + HEX + 2, before) <= 0) {
        return err_rule(err, ERR_INPUT, "backup-damaged",
                        "%s:%lld: expected a hash and a file of images/, models or features, sorted", l->path,
                        (long long)l->line);
    }
    snprintf(l->hash, sizeof l->hash, "%.*s", HEX, line);
    snprintf(l->file, sizeof l->file, "%s", line + HEX + 2);
    return OK;
}

static enum err_code list_open(struct list *l, const char *path, struct err *err)
{
    *l = (struct list){.path = path};
    if (!path) {
        return OK;
    }
    l->f = fopen(path, "re");
    return l->f ? list_next(l, err) : err_errno(err, errno, "cannot open %s", path);
}

static void list_close(struct list *l)
{
    if (l->f) {
        fclose(l->f);
    }
}

/* ---- into the backup ---- */

struct put {
    const struct backup_run *run;
    struct list earlier;
    FILE *to;
    struct arena arena; /* of one source */
    struct backup_counts counts;
};

static enum err_code hash_text(const char *path, char hex[HEX + 1], struct err *err)
{
    unsigned char hash[CRYPTO_CONTENT];
    enum err_code rc = crypto_blake2b_file(path, hash, NULL, err);
    if (rc == OK) {
        crypto_hex(hash, sizeof hash, hex);
    }
    return rc;
}

static enum err_code same_bytes(const char *a, const char *b, bool *same, struct err *err)
{
    struct fs_map x, y = {0};
    enum err_code rc = fs_map(a, &x, err);
    if (rc == OK) {
        rc = fs_map(b, &y, err);
        *same = rc == OK && x.n == y.n && (x.n == 0 || memcmp(x.data, y.data, x.n) == 0);
        fs_unmap(&x);
        fs_unmap(&y);
    }
    return rc;
}

/* A whole file under its name or none: a temporary, then a rename. */
static enum err_code put_new(struct put *p, const char *from, const char *to, struct err *err)
{
    const char *tmp = fs_join(&p->arena, p->run->target, BACKUP_INCOMING);
    unlink(tmp); /* of a run that was killed */
    bool linked = p->run->link && link(from, tmp) == 0;
    enum err_code rc = linked ? OK : fs_copy_new(from, tmp, err);
    if (rc == OK && rename(tmp, to) != 0) {
        char *folder = arena_strdup(&p->arena, to);
        *strrchr(folder, '/') = '\0';
        rc = fs_mkdirs(folder, err);
        if (rc == OK && rename(tmp, to) != 0) {
            rc = err_errno(err, errno, "cannot rename to %s", to);
        }
    }
    unlink(tmp); /* a rename onto another name of the same file leaves it */
    return rc;
}

/* Moves through the earlier list to the file; its hash is *hex when it is there. */
static enum err_code look_up(struct put *p, const char *file, char hex[HEX + 1], bool *known,
                             struct err *err)
{
    enum err_code rc = OK;
    while (rc == OK && *p->earlier.file && strcmp(p->earlier.file, file) < 0) {
        rc = list_next(&p->earlier, err);
    }
    *known = rc == OK && strcmp(p->earlier.file, file) == 0;
    if (*known) {
        snprintf(hex, HEX + 1, "%s", p->earlier.hash);
    }
    return rc;
}

/* Makes the backup have the file; *hex is its hash. */
static enum err_code bring(struct put *p, const char *file, const char *from, const char *to,
                           char hex[HEX + 1], struct err *err)
{
    int64_t size = fs_size(from);
    bool known = false, same = fs_size(to) == size;
    enum err_code rc = look_up(p, file, hex, &known, err);
    if (rc != OK || (known && same && !p->run->verify)) {
        return rc;
    }
    if (same) { /* of a run that was cut short: the bytes say whether it is whole */
        rc = same_bytes(from, to, &same, err);
    }
    if (rc == OK && !same) {
        rc = put_new(p, from, to, err);
        p->counts.copied++;
        p->counts.copied_bytes += size;
    }
    return rc == OK ? hash_text(to, hex, err) : rc;
}

static enum err_code put_file(struct put *p, const unsigned char *sha256, enum rendition_kind kind,
                              struct err *err)
{
    char hex[HEX + 1];
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
    if (rc != OK && rc != ERR_FULL && hash_text(from, hex, NULL) != OK) {
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
    enum err_code rc = put_file(p, s->sha256, RENDITION_GRID, err);
    if (rc == OK && !elsewhere) {
        rc = put_file(p, s->sha256, RENDITION_SOURCE, err);
    }
    if (rc == OK) {
        rc = put_file(p, s->sha256, RENDITION_VIEW, err);
    }
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
    char now[HEX + 1];
    bool same = fs_size(earlier) == bytes;
    if (same && !grows) {
        same = hash_text(from, now, NULL) == OK && strcmp(now, hex) == 0;
    }
    if (same && p->run->verify) {
        same = hash_text(earlier, now, NULL) == OK && strcmp(now, hex) == 0;
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
    char hex[HEX + 1];
    const char *from = arena_printf(a, "%s/%s/%s", p->run->dir, folder, name);
    const char *file = arena_printf(a, "%s-%s/%s", folder, p->run->stamp, name);
    const char *to = fs_join(a, p->run->target, file);
    const char *old = arena_printf(a, "%s-%s/%s", folder, p->run->earlier_stamp, name);
    int64_t size = fs_size(from);
    if (size < bytes || size < 0 || !plain_path(name) || strlen(file) > LINE_MOST - HEX - 4) {
        miss_other(p, from);
        return OK;
    }
    bytes = grows ? bytes : size;
    char *parent = arena_strdup(a, to);
    *strrchr(parent, '/') = '\0';
    enum err_code rc = fs_mkdirs(parent, err);
    rc = rc == OK ? look_up(p, old, hex, &known, err) : rc;
    if (rc != OK) {
        return rc;
    }
    const char *earlier = fs_join(a, p->run->target, old);
    bool shared = known && unchanged(p, from, earlier, bytes, grows, hex) && link(earlier, to) == 0;
    if (!shared) {
        rc = copy_other(p, from, to, bytes, grows, err);
        rc = rc == OK ? hash_text(to, hex, err) : rc;
    }
    if (rc == OK && fprintf(p->to, "%s  %s\n", hex, file) < 0) {
        rc = err_errno(err, errno, "cannot write %s", p->run->list);
    }
    p->counts.others++;
    p->counts.other_bytes += bytes;
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
    enum err_code rc = list_open(&p.earlier, run->earlier, err);
    if (rc == OK && !(p.to = fopen(run->list, "wxe"))) {
        rc = err_errno(err, errno, "cannot create %s", run->list);
    }
    if (rc == OK) {
        rc = put_features(&p, db, err);
    }
    if (rc == OK) {
        rc = sources_each(db, put_source, &p, err);
    }
    if (rc == OK) {
        rc = put_models(&p, db, err);
    }
    if (p.to && fclose(p.to) != 0 && rc == OK) {
        rc = err_errno(err, errno, "cannot write %s", run->list);
    }
    list_close(&p.earlier);
    arena_release(&p.arena);
    *out = p.counts;
    return rc;
}

/* ---- out of the backup ---- */

static enum err_code get_file(const struct restore_run *run, const struct list *l,
                              struct arena *a, struct backup_counts *counts, struct err *err)
{
    char hex[HEX + 1];
    struct err why = {0};
    const char *folder_name, *other = other_name(l->file, &folder_name);
    const char *from = fs_join(a, run->backup, l->file);
    const char *to = other ? arena_printf(a, "%s/%s/%s", run->dir, folder_name, other)
                           : fs_join(a, run->dir, l->file);
    char *folder = arena_strdup(a, to);
    *strrchr(folder, '/') = '\0';
    enum err_code rc = fs_mkdirs(folder, err);
    if (rc != OK) {
        return rc;
    }
    rc = fs_copy_new(from, to, &why);
    if (rc == OK) {
        rc = hash_text(to, hex, &why);
    }
    if (rc == OK && strcmp(hex, l->hash) == 0) {
        *(other ? &counts->others : &counts->files) += 1;
        *(other ? &counts->other_bytes : &counts->bytes) += fs_size(to);
        return OK;
    }
    if (rc != OK && hash_text(from, hex, NULL) == OK && strcmp(hex, l->hash) == 0) {
        return err_rule(err, rc, why.rule, "%s", why.msg); /* the backup is fine, the disk is not */
    }
    unlink(to);
    counts->missing++;
    run->damaged(run->arg, from, rc == OK ? "is not what it was when it was backed up" : why.msg);
    return OK;
}

enum err_code backup_files_get(const struct restore_run *run, struct backup_counts *out,
                               struct err *err)
{
    struct list l;
    struct arena a;
    arena_init(&a, PATHS_ARENA);
    *out = (struct backup_counts){0};
    enum err_code rc = list_open(&l, run->list, err);
    while (rc == OK && *l.file) {
        rc = get_file(run, &l, &a, out, err);
        if (rc == OK && !run->step(run->arg, out)) {
            rc = err_rule(err, ERR_BUSY, "stopped", "the copying of files was stopped");
        }
        if (rc == OK) {
            rc = list_next(&l, err);
        }
        arena_clear(&a);
    }
    list_close(&l);
    arena_release(&a);
    return rc;
}
